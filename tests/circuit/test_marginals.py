"""Marginals by one pass up and one down against two counts per atom."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.inference.evaluate import smoothed, wmc
from moose.circuit.inference.marginals import exact_marginals, marginals
from moose.circuit.inference.weights import LiteralWeights
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.brute_force import clamped, worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.circuit.test_evaluate import chain, literal_weights
from tests.searching import examples


@given(clause_sets(auxiliary=True), st.data())
@examples(150)
def test_marginals_equal_two_counts_per_atom(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    size = len(worlds.atoms)
    pairs, evidence = data.draw(weight_pairs(size)), data.draw(evidence_on(size))
    known, pairs = worlds.given(evidence), clamped(pairs, evidence)
    weights = literal_weights(pairs)
    for diagram in both(clauses):
        exact, floats = exact_marginals(diagram, weights), marginals(diagram, weights)
        if known.wmc(pairs) == 0:
            assert exact is None and floats is None
        else:
            assert exact == known.posteriors(pairs)
            assert floats == pytest.approx([float(value) for value in exact], rel=1e-9, abs=1e-11)
            assert all((value == 1.0) == (real == 1) for value, real in zip(floats, exact) if real in (0, 1))


@given(clause_sets(most=7), st.data())
@examples(60)
def test_evidence_clamped_equals_conditioning(clauses: Clauses, data: st.DataObject) -> None:
    size = len(clauses.atoms)
    pairs, evidence = data.draw(weight_pairs(size, both_zero=False)), data.draw(evidence_on(size))
    units = [(k + 1 if truth else -(k + 1),) for k, truth in evidence.items()]
    conditioned = clauses_from_lists(clauses.atoms, [*clauses, *units])
    weights = literal_weights(clamped(pairs, evidence))
    for diagram, with_units in zip(both(clauses), both(conditioned)):
        assert wmc(diagram, weights) == wmc(with_units, weights)
        assert exact_marginals(diagram, weights) == exact_marginals(with_units, weights)


@given(clause_sets(most=7), st.data())
@examples(60)
def test_smoothing_changes_no_marginal(clauses: Clauses, data: st.DataObject) -> None:
    weights = literal_weights(data.draw(weight_pairs(len(clauses.atoms))))
    for diagram in both(clauses):
        assert exact_marginals(smoothed(diagram), weights) == exact_marginals(diagram, weights)


def test_marginals_are_right_where_the_count_is_below_every_float() -> None:
    length = 20_000
    weights = LiteralWeights([Fraction(1, 10)] * length, [Fraction(9, 10)] * length)
    found = marginals(chain(length), weights)
    assert found is not None and np.array_equal(found, np.ones(length))


def test_a_forced_atom_is_exactly_one() -> None:
    atoms = [Atom(name, ("a",)) for name in "ABC"]
    clauses = clauses_from_lists(atoms, [(1, 2, 3), (-1, -2), (-1, -3), (-2, -3)])
    third = LiteralWeights([Fraction(0.1), Fraction(0.3), Fraction(0.7)], [Fraction(0.9), Fraction(0.7), Fraction(0.3)])
    for diagram in both(clauses):
        assert marginals(diagram, third.clamped({0: False, 1: False}))[2] == 1.0  # type: ignore[index]
        assert marginals(diagram, third.clamped({2: True})).tolist() == [0.0, 0.0, 1.0]  # type: ignore[union-attr]
