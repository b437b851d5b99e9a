"""The oracle itself, on theories small enough to do by hand, and the two plain compilers against each other."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given

from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.brute_force import Worlds, all_worlds, clamped, world_weight, worlds_of
from tests.circuit.plain_compiler import both
from tests.circuit.random_clauses import clause_sets
from tests.searching import examples

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
A, B = Atom("A", ("a",)), Atom("B", ("a",))


def implication() -> Worlds:
    return worlds_of(clauses_from_lists([A, B], [(-1, 2)]))


def test_counts_by_hand() -> None:
    worlds = implication()
    weights = [(THIRD, 1 - THIRD), (HALF, HALF)]
    assert worlds.models() == [(False, False), (False, True), (True, True)]
    assert worlds.wmc(weights) == Fraction(5, 6)
    assert worlds.posteriors(weights) == [Fraction(1, 5), Fraction(3, 5)]
    assert worlds.best(weights) == THIRD
    assert worlds.given({0: True}).entailed() == {0: True, 1: True}
    assert clamped(weights, {0: True}) == [(1, 0), (HALF, HALF)]


def holds(diagram: Diagram, world: tuple[bool, ...]) -> bool:
    values = [*world, *(not truth for truth in world), True, False]
    for start, stop in zip(diagram.starts, diagram.starts[1:]):
        true = [values[diagram.primes[e]] and values[diagram.subs[e]] for e in range(start, stop)]
        assert sum(true) <= 1
        values.append(any(true))
    return values[diagram.root]


@given(clause_sets(most=6, auxiliary=True))
@examples(60)
def test_both_compilers_have_the_models_of_the_clauses(clauses: Clauses) -> None:
    worlds = worlds_of(clauses)
    weights = [(Fraction(1), Fraction(1))] * len(worlds.atoms)
    for diagram in both(clauses):
        models = [world for world in all_worlds(len(worlds.atoms)) if holds(diagram, world)]
        assert models == worlds.models()
    assert sum((world_weight(model, weights) for model in worlds.models()), Fraction(0)) == worlds.count()
