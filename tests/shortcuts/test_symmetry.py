from __future__ import annotations

import pytest
from hypothesis import assume, given

import moose
from moose.base.errors import InconsistentOntology
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.count.symmetry import count_up_to_symmetry, find_symmetries
from moose.shortcuts.problem.options import Encoder, Showing
from tests.searching import examples
from tests.shortcuts import plain


@examples(20)
@given(plain.small_tasks(most_individuals=1))
def test_maps_up_to_symmetry_are_those_of_brute_force(task: Task) -> None:
    assume(len(ground(task).atoms) <= 8)
    showing = Showing()
    try:
        found = find_shortcuts(task, showing)
    except InconsistentOntology:
        return
    maps = plain.maps(task, showing, Encoder())
    # Renaming what is never predicted changes no map, and is not counted as a symmetry.
    used = {name for table in plain.allowed_states(task, showing) for state in table for name in state}
    group = [
        one
        for one in plain.symmetries(task, showing)
        if all(name == image for name, image in one.items() if name not in used)
    ]
    key = lambda one: sorted(one.items())  # noqa: E731
    assert sorted(find_symmetries(found.problem), key=key) == sorted(group, key=key)
    assert count_up_to_symmetry(found) == plain.orbits(maps, group)


@pytest.mark.parametrize(
    ("regime", "showing", "symmetries", "classes"),
    [("mnist1", Showing(), 36, 25), ("mnist2", Showing(()), 10, 1), ("pizzaC", Showing(), 24, 48_047_192_610_447_360)],
)
def test_the_regimes_have_these_symmetries(regime: str, showing: Showing, symmetries: int, classes: int) -> None:
    found = find_shortcuts(moose.regime(regime), showing)
    assert len(find_symmetries(found.problem)) == symmetries
    assert count_up_to_symmetry(found) == classes
