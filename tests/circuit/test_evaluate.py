"""Counts of every kind against the table of all worlds, on diagrams of two plain compilers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import evaluate, log_wmc, model_count, smoothed, wmc
from moose.circuit.inference.semirings import BOOLEAN, COUNT, LOG, MAXIMUM, RATIONAL
from moose.circuit.inference.weights import LiteralWeights
from moose.grounding.clauses import Clauses
from tests.circuit.brute_force import Pair, clamped, worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.searching import examples


def literal_weights(pairs: list[Pair]) -> LiteralWeights:
    return LiteralWeights([on for on, _ in pairs], [off for _, off in pairs])


def log(number: Fraction) -> float:
    """Take the logarithm of a fraction that may be too small for a float."""
    return math.log(number.numerator) - math.log(number.denominator) if number else -math.inf


@given(clause_sets(auxiliary=True), st.data())
@examples(150)
def test_counts_equal_enumeration(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    size = len(worlds.atoms)
    pairs, evidence = data.draw(weight_pairs(size)), data.draw(evidence_on(size))
    expected = worlds.given(evidence).wmc(clamped(pairs, evidence))
    for diagram in both(clauses):
        weights = literal_weights(pairs).clamped(evidence)
        assert wmc(diagram, weights) == expected
        assert log_wmc(diagram, weights) == pytest.approx(log(expected), rel=1e-12, abs=1e-12)
        assert model_count(diagram, evidence) == worlds.given(evidence).count()


@given(clause_sets(most=16))
@examples(10)
def test_sixteen_atoms_are_counted(clauses: Clauses) -> None:
    worlds = worlds_of(clauses)
    for diagram in both(clauses):
        assert model_count(diagram, {}) == worlds.count()


@given(clause_sets(most=7), st.data())
@examples(100)
def test_any_semiring_gives_its_sum_over_the_models(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    pairs = data.draw(weight_pairs(len(worlds.atoms)))
    positive, negative = [on for on, _ in pairs], [off for _, off in pairs]
    ones = [1] * len(pairs)
    for diagram in both(clauses):
        assert evaluate(diagram, RATIONAL, positive, negative) == worlds.wmc(pairs)
        assert evaluate(diagram, MAXIMUM, positive, negative) == worlds.best(pairs)
        assert evaluate(diagram, COUNT, ones, ones) == worlds.count()
        assert evaluate(diagram, BOOLEAN, [True] * len(pairs), [True] * len(pairs)) == (worlds.count() > 0)
        found = evaluate(diagram, LOG, [log(on) for on in positive], [log(off) for off in negative])
        assert found == pytest.approx(log(worlds.wmc(pairs)), abs=1e-9)


@given(clause_sets(most=8), st.data())
@examples(100)
def test_smoothing_changes_no_count(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    weights = literal_weights(data.draw(weight_pairs(len(worlds.atoms))))
    for diagram in both(clauses):
        smooth = smoothed(diagram)
        assert wmc(smooth, weights) == wmc(diagram, weights)
        assert model_count(smooth, {}) == model_count(diagram, {})


def chain(length: int) -> Diagram:
    """Return X₀ ∧ X₁ ∧ …, one product upon the other."""
    subs = [0, *range(2 * length + 2, 3 * length)]
    starts = np.arange(length, dtype=np.int64)
    return Diagram(length, starts, np.arange(1, length, dtype=np.int32), np.array(subs, np.int32), 3 * length)


@pytest.mark.parametrize("length", [10_000, 50_000])
def test_a_count_of_ten_to_the_minus_thousands_is_exact_to_twelve_digits(length: int) -> None:
    weights = LiteralWeights([Fraction(1, 10)] * length, [Fraction(9, 10)] * length)
    assert log_wmc(chain(length), weights) == pytest.approx(-length * math.log(10), rel=1e-12)


def test_a_single_weight_may_be_below_every_float() -> None:
    tiny = Fraction(1, 10**3000)
    weights = LiteralWeights([tiny, tiny], [1 - tiny, Fraction(10**3000)])
    assert wmc(chain(2), weights) == tiny**2
    assert log_wmc(chain(2), weights) == pytest.approx(-6000 * math.log(10), rel=1e-12)


@pytest.mark.parametrize("zero", [Fraction(0), Fraction(1)])
def test_weights_of_zero_and_one_give_numbers(zero: Fraction) -> None:
    weights = LiteralWeights([zero] * 5, [1 - zero] * 5)
    assert log_wmc(chain(5), weights) == (0.0 if zero else -math.inf)
    both_zero = LiteralWeights([Fraction(0)] * 5, [Fraction(0)] * 5)
    assert log_wmc(chain(5), both_zero) == -math.inf and wmc(chain(5), both_zero) == 0
