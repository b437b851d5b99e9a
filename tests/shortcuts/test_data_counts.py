"""Counts under the evidence of examples are those of enumeration, with their truth and without it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.model.examples import Seen, find_in_evidence, find_in_examples
from moose.shortcuts.problem.options import Showing
from tests.searching import examples as times
from tests.shortcuts import plain

States = tuple[tuple[str, plain.State], ...]
World = dict[Atom, bool]


def latent_of(task: Task) -> list[str]:
    return [concept.name for concept in task.concepts if concept.is_latent]


def states_of(task: Task, world: World) -> States:
    latent = latent_of(task)
    return tuple((name, frozenset(c for c in latent if world[Atom(c, (name,))])) for name in task.individuals)


def labels_of(task: Task, states: States) -> set[tuple[Atom, bool]]:
    return {(Atom(c, (name,)), c in state) for name, state in states for c in latent_of(task)}


def true_worlds(task: Task) -> list[World]:
    """List what may be true: families are closed, whether or not predictions are held to that."""
    return plain.models(ground(replace(task, closure=tuple({*task.closure, "mutex", "cover"}))))


def maps(task: Task, sights: set[tuple[States, frozenset[tuple[Atom, bool]]]]) -> list[plain.Table]:
    """Go through every function from the states that occur to all states."""
    latent, worlds = latent_of(task), plain.models(ground(task))
    every = [frozenset(chosen) for size in range(len(latent) + 1) for chosen in combinations(latent, size)]
    places = sorted({("", state) for states, _ in sights for _, state in states}, key=str)
    allowed = {
        evidence: {states_of(task, world) for world in worlds if all(world[a] == t for a, t in evidence)}
        for _, evidence in sights
    }
    found = []
    for images in product(every, repeat=len(places)):
        table = dict(zip(places, images))
        if all(tuple((n, table["", s]) for n, s in states) in allowed[evidence] for states, evidence in sights):
            found.append(table)
    return found


def draw_rows(
    drawn: st.DataObject, task: Task, *, labels: bool = False
) -> list[tuple[World, frozenset[tuple[Atom, bool]]]]:
    """Draw worlds, and of each some literals over observed concepts, or over latent ones, too."""
    shown_of = {"P", "Q", *(latent_of(task) if labels else ())}
    worlds = true_worlds(task)
    rows = []
    for _ in range(drawn.draw(st.integers(1, 4))):
        world = drawn.draw(st.sampled_from(worlds))
        atoms = sorted((atom for atom in world if atom.predicate in shown_of), key=str)
        shown = drawn.draw(st.sets(st.sampled_from(atoms))) if atoms else set()
        rows.append((world, frozenset((atom, world[atom]) for atom in shown)))
    return rows


def as_seen(task: Task, rows: list[tuple[World, frozenset[tuple[Atom, bool]]]]) -> Seen:
    evidence, truth = np.zeros((2, len(rows), len(task.individuals), len(task.concepts)), np.int8)
    for row, (world, literals) in enumerate(rows):
        for index, individual in enumerate(task.individuals):
            for column, concept in enumerate(task.concepts):
                atom = Atom(concept.name, (individual,))
                if concept.is_latent:
                    truth[row, index, column] = 1 if world[atom] else -1
                if (atom, world[atom]) in literals:
                    evidence[row, index, column] = 1 if world[atom] else -1
    return Seen(task, evidence, truth)


@times(60)
@given(plain.small_tasks(), st.booleans(), st.data())
def test_counts_of_examples_are_those_of_brute_force(task: Task, labels: bool, drawn: st.DataObject) -> None:
    assume(len(ground(task).atoms) <= 12 and true_worlds(task))
    rows = draw_rows(drawn, task, labels=labels)
    expected = maps(task, {(states_of(task, world), literals) for world, literals in rows})
    seen = as_seen(task, rows)
    right = {("", state): state for world, _ in rows for _, state in states_of(task, world)}
    if right not in expected:
        with pytest.raises(InconsistentOntology):
            find_in_examples(seen)
        return
    found = find_in_examples(seen)
    assert found.maps == len(expected)
    listed = {frozenset(one.table.items()) for one in found.nearest(found.maps)}
    assert listed == {frozenset(table.items()) for table in expected}
    for place, shares in found.beliefs.items():
        for name, share in shares.items():
            assert share * len(expected) == sum(name in table[place] for table in expected)


@times(60)
@given(plain.small_tasks(most_individuals=1), st.booleans(), st.data())
def test_counts_without_truth_are_those_of_brute_force(task: Task, labels: bool, drawn: st.DataObject) -> None:
    assume(len(ground(task).atoms) <= 12 and true_worlds(task))
    rows = draw_rows(drawn, task, labels=labels)
    worlds = plain.shown(task, Showing())
    sights: set[tuple[States, frozenset[tuple[Atom, bool]]]] = {(one.states, frozenset()) for one in worlds}
    for _, literals in rows:
        fitting = {one.states for one in worlds if literals <= {*one.evidence, *labels_of(task, one.states)}}
        others = {states_of(task, world) for world in true_worlds(task) if all(world[a] == t for a, t in literals)}
        sights |= {(states, literals) for states in fitting or others}
    expected = maps(task, sights)
    seen = as_seen(task, rows)
    right = {("", state): state for states, _ in sights for _, state in states}
    if right not in expected:
        with pytest.raises(InconsistentOntology):
            find_in_evidence(seen)
        return
    blind = Seen(task, seen.evidence, np.zeros_like(seen.truth))
    assert find_in_evidence(blind).maps == len(expected)


def test_all_sets_of_three_literals_leave_what_three_at_once_do() -> None:
    task = moose.regime("mnist1")
    names = [concept.name for concept in task.concepts]
    rows = []
    for chosen in combinations(("Even", "Odd", "Prime", "Composite"), 2):
        for signs in product((1, -1), repeat=2):
            row = np.zeros((1, len(names)), np.int8)
            row[0, [names.index(name) for name in chosen]] = signs
            rows.append(row)
    evidence = np.array(rows)
    possible = np.array([row for row in evidence if _is_possible(task, row)])
    found = find_in_evidence(Seen(task, possible, np.zeros_like(possible)))
    assert found.maps == find_shortcuts(task, Showing(most=2)).maps


def _is_possible(task: Task, row: plain.Signs) -> bool:
    even, odd, prime, composite = row[0, -4:].tolist()
    del task
    return (even, odd) not in ((1, 1), (-1, -1)) and (prime, composite) != (1, 1)
