"""The k likeliest proofs: by hand, and never above the exact probability."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program.program import GOAL, GoalProgram
from moose.queries.query import query
from moose.queries.top_proofs import best_proofs, top_proofs, union_probability
from tests.queries.test_query import Asked
from tests.saturation.answers import make
from tests.saturation.random_ontologies import ALL_FEATURES, ontologies
from tests.searching import examples

A, B, C, D = (Class(f"urn:t#{name}") for name in "ABCD")
DIAMOND: list[ax.Axiom] = [ax.SubClassOf(A, B), ax.SubClassOf(B, D), ax.SubClassOf(A, C), ax.SubClassOf(C, D)]


def diamond(*values: str) -> tuple[Probabilities, ax.SubClassOf]:
    ontology = make(DIAMOND)
    stated = {place: Fraction(values[DIAMOND.index(axiom)]) for place, axiom in enumerate(ontology.axioms)}
    return Probabilities(ontology, stated), ax.SubClassOf(A, D)


def test_two_ways_by_hand() -> None:
    chances, goal = diamond("1/2", "1/2", "1/3", "1/3")
    one, two = (top_proofs(chances.ontology, goal, k, probabilities=chances) for k in (1, 2))
    assert one.probabilities == (Fraction(1, 4),) and one.lower == Fraction(1, 4)
    assert [set(proof) for proof in two.proofs] == [set(DIAMOND[:2]), set(DIAMOND[2:])]
    assert two.lower == two.independent == 1 - Fraction(3, 4) * Fraction(8, 9) == Fraction(1, 3)
    assert query(chances.ontology, goal, probabilities=chances).probability == two.lower


def test_a_shared_axiom_makes_independence_too_much() -> None:
    last = ax.SubClassOf(D, Class("urn:t#E"))
    ontology = make([*DIAMOND, last])
    chances = Probabilities(ontology, dict.fromkeys(range(5), Fraction(1, 2)))
    found = top_proofs(ontology, ax.SubClassOf(A, last.sup), 2, probabilities=chances)
    assert found.probabilities == (Fraction(1, 8), Fraction(1, 8))
    assert found.lower == Fraction(1, 2) * Fraction(7, 16) and found.independent == Fraction(15, 64)


def test_a_fact_on_the_way_loses_what_the_goal_had_room_for() -> None:
    # x is proved by 0 or by 1, the goal by x and 1: the better proof of x is not the one that is free once 1 is paid
    program = GoalProgram(((frozenset([0]), 9), (frozenset([1]), 9), (frozenset([1, 9]), GOAL)), frozenset([0, 1]))
    chances = {0: Fraction(3, 4), 1: Fraction(1, 2)}
    assert best_proofs(program, chances, 1) == (frozenset([0, 1]),)
    assert best_proofs(program, chances, 2) == (frozenset([1]),)


def test_circles_end() -> None:
    program = GoalProgram(
        ((frozenset([0]), 8), (frozenset([8]), 9), (frozenset([9, 1]), 8), (frozenset([9]), GOAL)), frozenset([0, 1])
    )
    assert best_proofs(program, dict.fromkeys((0, 1), Fraction(1, 2)), 5) == (frozenset([0]),)


@given(st.builds(Asked, ontologies(ALL_FEATURES), st.randoms(use_true_random=False)))
@examples(25)
def test_proofs_bound_the_probability_from_below(asked: Asked) -> None:
    chances = asked.probabilities
    exact = query(asked.ontology, asked.goal, probabilities=chances, justifications=0)
    for k in (1, 2, 64):
        found = top_proofs(asked.ontology, asked.goal, k, probabilities=chances)
        assert len(found.proofs) <= k and found.lower <= exact.lower
        assert list(found.probabilities) == sorted(found.probabilities, reverse=True)
    if exact.is_exact:
        assert found.lower == exact.lower


def test_nothing_and_everything() -> None:
    assert union_probability((), {}) == 0 and union_probability((frozenset(),), {}) == 1
    chances, goal = diamond("1/2", "1/2", "1/3", "1/3")
    assert top_proofs(chances.ontology, ax.SubClassOf(D, A), 3, probabilities=chances).lower == 0
    assert top_proofs(chances.ontology, ax.SubClassOf(A, A), 3, probabilities=chances).lower == 1
    for k in (0, True, 1.5):
        with pytest.raises(MooseError, match="how many proofs"):
            top_proofs(chances.ontology, goal, k, probabilities=chances)  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="consistent denies it"):
        top_proofs(chances.ontology, "consistent", 1, probabilities=chances)
