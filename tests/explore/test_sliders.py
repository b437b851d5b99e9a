"""The answer that follows the sliders is the one that `moose.query` gives for the same probabilities."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.explore.sliders import Sliders
from moose.queries.probabilities.probabilities import Probabilities

ONTOLOGY = moose.load(moose.PIZZERIA)
GOALS = [
    "SubClassOf(Diavola Dish)",
    "Napoli SubClassOf contains some Allergen",
    "unsatisfiable VeganSalami",
    "consistent",
]
SLIDERS = {goal: Sliders(ONTOLOGY, goal) for goal in GOALS}


@settings(max_examples=20)
@given(st.sampled_from(GOALS), st.lists(st.integers(0, 10), min_size=20, max_size=20))
def test_it_is_the_answer_of_a_query(goal: str, tenths: list[int]) -> None:
    sliders = SLIDERS[goal]
    moved = {position: Fraction(tenth, 10) for position, tenth in zip(sliders.values, tenths)}
    stated = Probabilities(ONTOLOGY, moved)
    expected = moose.query(ONTOLOGY, goal, probabilities=stated, justifications=0)
    assert sliders.is_exact and sliders.probability(moved) == expected.probability


@pytest.mark.parametrize("goal", GOALS)
def test_slopes_are_differences(goal: str) -> None:
    sliders = SLIDERS[goal]
    half = dict.fromkeys(sliders.values, Fraction(1, 2))
    for position, slope in sliders.slopes(half).items():
        step = sliders.probability({**half, position: Fraction(3, 5)}) - sliders.probability(half)
        assert step == slope / 10


def test_what_is_no_axiom_of_the_goal_is_refused() -> None:
    with pytest.raises(MooseError, match="of this goal"):
        SLIDERS[GOALS[0]].probability({10_000: Fraction(1, 2)})


def test_stated_probabilities_are_where_sliders_start() -> None:
    stated = moose.probabilities(ONTOLOGY, given={"SubClassOf(Pizza Dish)": "0.9", "SubClassOf(Plant Ingredient)": 0})
    sliders = Sliders(ONTOLOGY, "Tomato SubClassOf Food", stated=stated)
    assert sliders.probability({}) == 0
    position = next(one for one, value in sliders.values.items() if value == 0)
    assert sliders.probability({position: Fraction(1, 4)}) == Fraction(1, 4)
