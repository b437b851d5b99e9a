"""Members of a family that leave different amounts open are named before anything is learnt or counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import moose
from moose.grounding.task.task import Task
from moose.shortcuts.advice.open_members import open_observables, uneven_members
from tests.grounding.tasks import ontology_of

AXIOMS = "SubClassOf(:Boot :Footwear) SubClassOf(:Boot :Rubber) SubClassOf(:Sandal :Footwear) SubClassOf(:Bag :Thing)"


def wear(folder: Path, *closure: str) -> Task:
    members = ["Boot", "Sandal", "Bag"]
    return Task(ontology_of(folder, AXIOMS), ["a"], ["Footwear", "Rubber"], members, [members], closure=closure)


def test_what_is_left_open_is_found(tmp_path: Path) -> None:
    found = open_observables(wear(tmp_path, "mutex", "cover"))
    assert found == {"Boot": (), "Sandal": ("Rubber",), "Bag": ("Footwear", "Rubber")}


def test_the_warning_names_the_extremes_and_says_what_to_do(tmp_path: Path) -> None:
    told = uneven_members(wear(tmp_path, "mutex", "cover"))
    assert told is not None
    assert "(Bag 2 observables: Footwear, Rubber; Boot none)" in told
    assert told.endswith('write closure = ["mutex", "cover", "only"] in the task')


def test_the_warning_names_what_the_data_lack(tmp_path: Path) -> None:
    task = wear(tmp_path, "mutex", "cover")
    assert "affirm and deny it (of Rubber)" in str(uneven_members(task, {"Footwear"}))
    assert "affirm and deny" not in str(uneven_members(task, {"Footwear", "Rubber"}))
    assert "affirm and deny it, or" in str(uneven_members(task))


def test_with_only_nothing_is_open(tmp_path: Path) -> None:
    task = wear(tmp_path, "mutex", "cover", "only")
    assert set(open_observables(task).values()) == {()}
    assert uneven_members(task) is None
    assert any(one.name == "only" for one in moose.ground(task).assumptions)


def test_the_digits_decide_everything() -> None:
    assert uneven_members(moose.regime("mnist2")) is None


def test_members_that_are_not_latent_are_not_asked(tmp_path: Path) -> None:
    task = wear(tmp_path, "mutex", "cover")
    seen = replace(task, observed=[*task.observed, "Boot", "Sandal", "Bag"], latent=["Thing"])
    assert open_observables(seen) == {}
