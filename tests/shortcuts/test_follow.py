"""Which map predictions follow: made-up predictions whose map is known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology, MooseError
from moose.grounding.task.task import Task
from moose.shortcuts.count.find_shortcuts import find_shortcuts
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.model.follow import follow
from moose.shortcuts.problem.options import Encoder, Showing
from tests.searching import examples
from tests.shortcuts import plain

Reals = npt.NDArray[np.float64]


def digits(labels: list[int]) -> npt.NDArray[np.int8]:
    truth = -np.ones((len(labels), 1, 14), np.int8)
    truth[range(len(labels)), 0, labels] = 1
    return truth


def sure(labels: list[int], confidence: float = 0.9) -> Reals:
    found = np.full((len(labels), 1, 14), (1 - confidence) / 9)
    found[range(len(labels)), 0, labels] = confidence
    found[:, :, 10:] = np.nan  # of observed concepts a network says nothing
    return found


@pytest.fixture(scope="module")
def mnist1() -> Shortcuts:
    return find_shortcuts(moose.regime("mnist1"))


def test_a_model_that_is_right_follows_the_truth(mnist1: Shortcuts) -> None:
    labels = list(range(10)) * 3
    said = follow(mnist1, moose.regime("mnist1"), sure(labels), digits(labels))
    assert said.verdict == "follows the truth"
    assert (said.off_truth, said.off_nearest, said.collapse, said.left_out) == (0, 0, 0, 0)
    assert said.nearest.is_truth and said.is_consistent


def test_a_shortcut_is_named_and_its_confidence_compared(mnist1: Shortcuts) -> None:
    labels = list(range(10)) * 10
    read = [{3: 5, 5: 7, 7: 3}.get(label, label) for label in labels]
    read[0] = 8  # one of a hundred is off the map
    said = follow(mnist1, moose.regime("mnist1"), sure(read), digits(labels))
    assert said.verdict == "follows a shortcut"
    assert str(said.nearest) == "D3→D5, D5→D7, D7→D3; the rest right"
    assert said.off_nearest == pytest.approx(0.01)
    assert said.off_truth == pytest.approx(0.31)
    assert said.confidence is not None
    assert said.confidence.model == pytest.approx(0.9)
    assert said.confidence.honest == pytest.approx(1 / 3)
    assert said.confidence.distance > 0.5


def test_a_collapse_that_the_theory_excludes_is_no_shortcut(mnist1: Shortcuts) -> None:
    labels = list(range(10)) * 2
    read = [9 if label in (4, 6) else label for label in labels]
    said = follow(mnist1, moose.regime("mnist1"), sure(read), digits(labels))
    assert said.verdict == "follows a map that the theory excludes"
    assert not said.is_consistent
    assert said.collapse == pytest.approx(0.2)
    assert "D4→D9, D6→D9; the rest right" in said.text and "the evidence excludes it" in said.text
    assert said.nearest.is_truth  # of consistent maps that are equally far the one nearest to the truth


def test_scattered_predictions_follow_no_map(mnist1: Shortcuts) -> None:
    labels = list(range(10)) * 10
    read = [(label + step // 10) % 10 for step, label in enumerate(labels)]
    assert follow(mnist1, moose.regime("mnist1"), sure(read), digits(labels)).verdict == "follows no one map"


def test_an_honest_model_is_as_sure_as_the_maps(mnist1: Shortcuts) -> None:
    labels = list(range(10))
    honest = np.zeros((10, 1, 14))
    for row, shares in enumerate(mnist1.beliefs.values()):
        honest[row, 0, :10] = [float(share) for share in shares.values()]
    said = follow(mnist1, moose.regime("mnist1"), honest, digits(labels))
    assert said.confidence is not None
    assert said.confidence.model == pytest.approx(said.confidence.honest)
    assert said.confidence.distance == pytest.approx(0)


@examples(30)
@given(plain.small_tasks(), st.booleans(), st.integers(0, 50))
def test_predictions_made_by_a_consistent_map_follow_it(task: Task, is_shared: bool, seed: int) -> None:
    try:
        found = find_shortcuts(task, Showing(), encoder=Encoder(is_shared=is_shared))
    except InconsistentOntology:
        return
    [reading] = found.sample(1, seed)
    if any(len(read & set(family)) != 1 for read in reading.table.values() for family in task.families):
        return  # of a family that is not closed, a network still predicts one member
    columns = {concept.name: column for column, concept in enumerate(task.concepts)}
    people = len(task.individuals)
    rows = sorted({observation.states for observation in found.problem.observations}, key=str)
    if len(found.problem.parts) > 1:
        rows = [tuple((name, one[0][1]) for name in task.individuals) for one in rows]
    truth = -np.ones((len(rows), people, len(columns)), np.int8)
    probabilities = np.zeros((len(rows), people, len(columns)))
    for row, states in enumerate(rows):
        for place, (name, state) in enumerate(states):
            truth[row, place, [columns[concept] for concept in state]] = 1
            if ("" if is_shared else name, state) not in reading.table:
                truth[row, place] = 0  # another individual was seen in this state
                continue
            read = reading.state(("" if is_shared else name, state))
            probabilities[row, place, [columns[concept] for concept in read]] = 0.8
    said = follow(found, task, probabilities, truth)
    assert said.off_nearest == pytest.approx(0)
    assert said.is_consistent
    assert said.verdict == ("follows the truth" if said.nearest.is_truth else "follows a shortcut")


@pytest.mark.parametrize(
    ("probabilities", "truth", "complaint"),
    [
        (np.zeros((1, 1, 3)), digits([1]), "shape"),
        (sure([1]) + 5, digits([1]), "between 0 and 1"),
        (sure([1]), np.zeros((1, 1, 14), np.int8), "no example has a true state"),
        (sure([1]), np.full((1, 1, 14), 3, np.int8), r"\+1 for true"),
        (sure([1]), np.zeros((1, 2, 14), np.int8), "1 individuals"),
    ],
)
def test_bad_arrays_are_refused(mnist1: Shortcuts, probabilities: Reals, truth: plain.Signs, complaint: str) -> None:
    with pytest.raises(MooseError, match=complaint):
        follow(mnist1, moose.regime("mnist1"), probabilities, truth)
