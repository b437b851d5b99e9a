"""Observed concepts that the theory leaves open, so that nothing is learnt of them, are named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import moose
from moose.circuit.circuit import Circuit
from moose.circuit.limits import Limits
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task
from moose.shortcuts.advice import open_concepts as module
from moose.shortcuts.advice.open_concepts import advice_on_open_concepts, open_concepts
from tests.grounding.tasks import ontology_of

AXIOMS = (
    "SubClassOf(:Kinase :Binder) DisjointClasses(:Lipase :Binder) SubClassOf(:Kinase :Enzyme) "
    "EquivalentClasses(:Both ObjectIntersectionOf(:Kinase :Lipase)) "
    "SubClassOf(:Odd ObjectIntersectionOf(:Enzyme :Lipase))"
)


def task_of(folder: Path, *observed: str) -> Task:
    return Task(ontology_of(folder, AXIOMS), ["a"], observed, ["Kinase", "Lipase", "Enzyme"], [])


def test_what_some_concepts_decide_and_others_leave_open_is_open(tmp_path: Path) -> None:
    assert open_concepts(task_of(tmp_path, "Binder", "Both")) == ("Binder",)


def test_what_two_concepts_together_leave_open_is_open(tmp_path: Path) -> None:
    assert open_concepts(task_of(tmp_path, "Odd")) == ("Odd",)


def test_the_advice_names_them_and_what_to_do(tmp_path: Path) -> None:
    task = task_of(tmp_path, "Binder", "Odd", "Both")
    told = str(advice_on_open_concepts(task))
    assert told.startswith("Binder, Odd are observed, but the theory leaves them open")
    assert "declare them latent" in told
    everything = replace(task, observed=["Both"], latent=[*task.latent, "Binder", "Odd"])
    assert advice_on_open_concepts(everything) is None


def test_families_and_tasks_without_observables_have_none(tmp_path: Path) -> None:
    task = task_of(tmp_path, "Binder")
    assert open_concepts(replace(task, families=[["Kinase", "Lipase"]])) == ()
    assert open_concepts(replace(task, observed=[], latent=["Binder", "Kinase"])) == ()
    assert open_concepts(moose.regime("mnist2")) == ()


def test_no_more_is_asked_once_all_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[dict[Atom, bool]]()
    states = module._states

    def counted(circuit: Circuit, latent: list[Atom], observed: list[Atom]) -> Iterator[dict[Atom, bool]]:
        for state in states(circuit, latent, observed):
            asked.append(state)
            yield state

    monkeypatch.setattr(module, "_states", counted)
    assert open_concepts(task_of(tmp_path, "Binder")) == ("Binder",)
    assert len(asked) == 1
    monkeypatch.setattr("time.monotonic", lambda: float(len(asked)))  # each state takes a second
    asked.clear()
    found = open_concepts(task_of(tmp_path, "Binder", "Both"), Limits(seconds=1.5))
    assert found == ("Binder",)
    assert len(asked) == 2
