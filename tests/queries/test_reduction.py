"""Reduced conditions against the ones before, in every world; and coins against the axioms that they stand for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise, product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import TimeIsOver
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class
from moose.owl.ontology import ontology_from_axioms
from moose.queries.exact_answer import exact_answer
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program.brackets import Bracket
from moose.queries.program.goal_conditions import Case, Condition
from moose.queries.program.goals import Goal
from moose.queries.program.program import GoalProgram
from moose.queries.query import query
from moose.queries.reduction.coins import Coins
from moose.queries.reduction.reduce import reduce_conditions
from moose.saturation.recorded.horn import HornClause
from tests.queries.programs import AXIOMS, programs, worlds
from tests.searching import examples

CHANCES = {axiom: Fraction(axiom + 1, 7) for axiom in AXIOMS}
assumptions = st.frozensets(st.sampled_from(AXIOMS), max_size=1)


def condition_of(clauses: Sequence[HornClause], assumed: frozenset[int] = frozenset()) -> Condition:
    """Return a program as a condition with one case."""
    used = frozenset(atom for body, _ in clauses for atom in body) & frozenset(AXIOMS)
    return Condition(Goal("goal", ()), ((Case(assumed, GoalProgram(tuple(clauses), used)),),))


def weight(world: frozenset[int]) -> Fraction:
    """Return how likely just these axioms are to hold."""
    return prod((CHANCES[one] if one in world else 1 - CHANCES[one] for one in AXIOMS), start=Fraction(1))


def probability(conditions: Sequence[Condition], coins: Coins) -> Fraction:
    """Add up the worlds of coins in which all conditions hold."""
    used = sorted({coin for condition in conditions for coin in condition.axioms})
    total = Fraction(0)
    for choice in product((True, False), repeat=len(used)):
        world = [coin for coin, holds in zip(used, choice) if holds]
        if all(condition.is_entailed(world) for condition in conditions):
            chances = [coins.probabilities[coin] for coin in used]
            total += prod((p if holds else 1 - p for p, holds in zip(chances, choice)), start=Fraction(1))
    return total


@examples(200)
@given(programs, programs, assumptions, st.booleans())
def test_reduced_conditions_are_as_likely_together(
    first: list[HornClause], second: list[HornClause], assumed: frozenset[int], is_parallel: bool
) -> None:
    conditions = [condition_of(first), condition_of(second, assumed)]
    reduced = reduce_conditions(conditions, CHANCES, is_parallel=is_parallel)
    for chosen in ([0], [1], [0, 1]):
        expected = sum(weight(world) for world in worlds() if all(conditions[one].is_entailed(world) for one in chosen))
        assert probability([reduced.conditions[one] for one in chosen], reduced.coins) == expected


@examples(100)
@given(programs)
def test_in_series_alone_justifications_stay(clauses: list[HornClause]) -> None:
    condition = condition_of(clauses)
    reduced = reduce_conditions([condition], CHANCES, is_parallel=False)
    (after,) = reduced.conditions
    for world in worlds():
        coins = [coin for coin in after.axioms if world.issuperset(reduced.coins.axioms(coin))]
        assert after.is_entailed(coins) == condition.is_entailed(world)


@examples(150)
@given(programs, st.booleans())
def test_slopes_and_heaviest_worlds_are_those_of_the_axioms(clauses: list[HornClause], in_two_steps: bool) -> None:
    condition = condition_of(clauses)
    if in_two_steps:
        first = reduce_conditions([condition], CHANCES, is_parallel=False)
        reduced = reduce_conditions(first.conditions, CHANCES, coins=first.coins)
    else:
        reduced = reduce_conditions([condition], CHANCES)
    (after,) = reduced.conditions
    found = exact_answer([Bracket(after, after)], reduced.coins)
    entailing = [world for world in worlds() if condition.is_entailed(world)]
    assert found.lower == found.upper == sum(map(weight, entailing))
    for axiom in AXIOMS:
        on = sum(weight(world) for world in entailing if axiom in world) / CHANCES[axiom]
        off = sum(weight(world) for world in entailing if axiom not in world) / (1 - CHANCES[axiom])
        assert found.slopes.get(axiom, 0) == on - off
    if found.world:
        heaviest = max(map(weight, entailing))
        likeliest = {axiom: CHANCES[axiom] > Fraction(1, 2) for axiom in AXIOMS} | found.world
        assert weight(frozenset(axiom for axiom, holds in likeliest.items() if holds)) == heaviest


def ladder(length: int) -> list[ax.SubClassOf]:
    """Return a chain of diamonds: from each class to the next but one by two ways."""
    names = [[Class(f"urn:n{step}{side}") for side in "abc"] for step in range(length + 1)]
    return [
        ax.SubClassOf(*pair)
        for low, high in pairwise(names)
        for pair in ((low[0], low[1]), (low[0], low[2]), (low[1], high[0]), (low[2], high[0]))
    ]


def test_a_chain_of_diamonds_is_one_coin() -> None:
    axioms = ladder(60)
    ontology = ontology_from_axioms(axioms)
    stated = dict.fromkeys(range(len(axioms)), Fraction(1, 2))
    goal = ax.SubClassOf(Class("urn:n0a"), Class("urn:n60a"))
    answer = query(ontology, goal, probabilities=Probabilities(ontology, stated), justifications=0)
    assert answer.probability == Fraction(7, 16) ** 60
    assert len(answer.sensitivities) == len(axioms)


def test_a_long_chain_is_short_work() -> None:
    count = 1500
    axioms = [ax.SubClassOf(Class(f"urn:n{one}"), Class(f"urn:n{one + 1}")) for one in range(count)]
    ontology = ontology_from_axioms(axioms)
    stated = dict.fromkeys(range(count), Fraction(999, 1000))
    goal = ax.SubClassOf(Class("urn:n0"), Class(f"urn:n{count}"))
    begin = time.process_time()
    answer = query(ontology, goal, probabilities=Probabilities(ontology, stated))
    assert time.process_time() - begin < 2  # 0.05 s on a machine of its own; 20 s before coins
    assert answer.probability == Fraction(999, 1000) ** count
    assert answer.sensitivities[axioms[7]] == Fraction(999, 1000) ** (count - 1)
    (only,) = answer.justifications
    assert set(only.axioms) == set(axioms)


def test_reducing_stops_when_it_is_over() -> None:
    with pytest.raises(TimeIsOver):
        reduce_conditions([condition_of([(frozenset([0]), -1)])], CHANCES, is_over=lambda: True)
