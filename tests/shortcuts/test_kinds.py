"""Shortcuts where individuals differ: no encoder reads those without an input, but what is said of them counts."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.model.examples import Seen, find_in_examples
from moose.shortcuts.model.follow import follow
from moose.shortcuts.problem.options import Encoder, Showing
from tests.circuit.brute_force import worlds_of
from tests.grounding.tasks import ontology_of

AXIOMS = """
Declaration(Class(:Zero)) Declaration(Class(:One)) Declaration(Class(:Low)) Declaration(Class(:High))
Declaration(Class(:Red)) Declaration(Class(:Blue)) Declaration(ObjectProperty(:of))
SubClassOf(ObjectSomeValuesFrom(:of :One) :High)
"""
IMAGE = Kind(["a", "b"], latent=["Zero", "One"], families=[["Zero", "One"]])
SUM = Kind(["s"], ["Low", "High"], families=[["Low", "High"]], has_input=False)


@pytest.fixture(scope="module")
def task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    return make(tmp_path_factory.mktemp("kinds"), image=IMAGE, sum=SUM)


def make(folder: Path, **kinds: Kind) -> Task:
    return Task(ontology_of(folder, AXIOMS), [], [], [], roles={"of": [("s", "a"), ("s", "b")]}, kinds=kinds)


def maps_by_trying(task: Task) -> int:
    """Try every map of the two states: each world's evidence must be possible together with what is then predicted."""
    worlds = worlds_of(ground(task))
    models = [{atom for atom, holds in zip(worlds.atoms, model) if holds} for model in worlds.models()]
    shown = {(states(model), Atom("High", ("s",)) in model) for model in models}
    return sum(
        all((tuple(chosen[one] for one in true), is_high) in shown for true, is_high in shown)
        for chosen in ({"Zero": zero, "One": one} for zero, one in product(("Zero", "One"), repeat=2))
    )


def states(model: set[Atom]) -> tuple[str, ...]:
    return tuple(name for one in "ab" for name in ("Zero", "One") if Atom(name, (one,)) in model)


@pytest.mark.parametrize("reads", ["whole", "apart"])
def test_maps_of_what_is_seen_are_counted(task: Task, reads: str) -> None:
    found = find_shortcuts(task, Showing(), encoder=Encoder(reads=reads))
    assert found.problem.vocabulary.latent == ("Zero", "One")
    assert found.maps == maps_by_trying(task) == 2


def test_an_encoder_for_each_leaves_out_who_has_no_input(task: Task) -> None:
    found = find_shortcuts(task, Showing(), encoder=Encoder(is_shared=False))
    assert {owner for owner, _ in found.problem.true_states} == {"a", "b"}


def signs(task: Task, *literals: str) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    rows = np.zeros((len(task.individuals), len(task.concepts)), np.int8)
    names = [concept.name for concept in task.concepts]
    for literal in literals:
        name, _, who = literal.removeprefix("-").partition("(")
        rows[task.individuals.index(who.rstrip(")")), names.index(name)] = -1 if literal.startswith("-") else 1
    return rows


def test_examples_of_kinds_and_a_model_are_followed(task: Task) -> None:
    images = [("One(a)", "-Zero(a)", "Zero(b)", "-One(b)"), ("Zero(a)", "-One(a)", "Zero(b)", "-One(b)")]
    truth = np.stack([signs(task, *one, "High(s)" if row == 0 else "Low(s)") for row, one in enumerate(images)])
    evidence = np.stack([signs(task, "High(s)"), signs(task, "Low(s)")])
    found = find_in_examples([Seen(task, evidence[:1], truth[:1]), Seen(task, evidence[1:], truth[1:])])
    assert found.maps == find_in_examples(Seen(task, evidence, truth)).maps == 2
    predicted = np.where(truth > 0, 0.9, 0.1)
    predicted[:, 2] = np.nan  # the network says nothing of the sum
    followed = follow(found, task, predicted, truth)
    assert followed.is_consistent and followed.off_truth == 0


def test_kinds_with_different_latent_concepts_are_read_apart(tmp_path: Path) -> None:
    colour = Kind(["c"], latent=["Red", "Blue"], families=[["Red", "Blue"]])
    found = find_shortcuts(make(tmp_path, image=IMAGE, sum=SUM, colour=colour), Showing())
    assert found.maps == 2 * 4  # any map of the colours, of which nothing is said; no colour is read as a digit


def test_kinds_that_nothing_tells_apart_are_refused(tmp_path: Path) -> None:
    colour = Kind(["c"], latent=["Red", "Blue"])
    with pytest.raises(MooseError, match="declare a family for each kind"):
        find_shortcuts(make(tmp_path, image=IMAGE, sum=SUM, colour=colour), Showing())
