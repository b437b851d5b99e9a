"""The most probable explanation against the heaviest of all worlds."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.inference.evaluate import smoothed
from moose.circuit.inference.most_probable_world import heaviest
from moose.circuit.inference.weights import LiteralWeights, even_weights
from moose.grounding.clauses import Clauses
from tests.circuit.brute_force import clamped, world_weight, worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets, evidence_on, weight_pairs
from tests.circuit.test_evaluate import chain, literal_weights
from tests.searching import examples


@given(clause_sets(auxiliary=True), st.data())
@examples(150)
def test_the_explanation_is_a_heaviest_model(clauses: Clauses, data: st.DataObject) -> None:
    worlds = worlds_of(clauses)
    size = len(worlds.atoms)
    pairs, evidence = data.draw(weight_pairs(size)), data.draw(evidence_on(size))
    known, pairs = worlds.given(evidence), clamped(pairs, evidence)
    whole = known.wmc(pairs)
    for diagram in [*both(clauses), *map(smoothed, both(clauses))]:
        found = heaviest(diagram, literal_weights(pairs))
        if whole == 0:
            assert found is None
        else:
            assert found is not None
            world, probability, log_probability = found
            assert known.is_model(world)
            assert float(world_weight(world, pairs) / whole) == pytest.approx(float(known.best(pairs) / whole))
            assert math.log(probability) == pytest.approx(log_probability)
            assert probability == pytest.approx(float(known.best(pairs) / whole))


@given(clause_sets(most=6))
@examples(30)
def test_ties_fall_the_same_way_every_time(clauses: Clauses) -> None:
    for diagram in both(clauses):
        weights = even_weights(len(clauses.atoms))
        assert heaviest(diagram, weights) == heaviest(diagram, weights)


def test_a_free_atom_takes_its_likelier_value_and_false_in_a_tie() -> None:
    diagram = chain(1)
    wider = type(diagram)(3, diagram.starts, diagram.primes, diagram.subs, 0)
    weights = LiteralWeights(
        [Fraction(1, 9), Fraction(2, 3), Fraction(1, 2)], [Fraction(8, 9), Fraction(1, 3), Fraction(1, 2)]
    )
    found = heaviest(wider, weights)
    assert found is not None and found[0] == [True, True, False]
