"""Metrics of many labels against plain loops over their definitions, and against scikit-learn where it is there."""

from __future__ import annotations

from math import log2, sqrt
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from moose.grounding.task.task import Task
from moose.learning.evaluation.evaluate import evaluate, has_free_labels
from moose.learning.evaluation.label_metrics import (
    consistency,
    f_max,
    information_content,
    macro_auc,
    s_min,
    score_labels,
)
from moose.learning.evaluation.role_metrics import average_precision
from moose.learning.examples import Examples
from moose.learning.prediction import Predictions
from tests.grounding.tasks import ontology_of
from tests.learning.toys import task_of
from tests.searching import examples as searches

Reals = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Reals, Flags]:
    rows, columns = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    levels = st.sampled_from([0.0, 0.005, 0.01, 0.29, 0.3, 0.5, 0.57, 0.99, 1.0])
    values = draw(st.lists(levels, min_size=rows * columns, max_size=rows * columns))
    flags = draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))
    return np.array(values).reshape(rows, columns), np.array(flags).reshape(rows, columns)


@given(tables())
@searches(100)
def test_f_max_is_that_of_its_definition(table: tuple[Reals, Flags]) -> None:
    said, holds = table
    kept = [row for row in range(len(said)) if holds[row].any()]
    best = 0.0
    for step in range(101):
        precisions, recalls = [], []
        for row in kept:
            chosen = {column for column in range(said.shape[1]) if said[row, column] >= step / 100}
            true = set(np.flatnonzero(holds[row]).tolist())
            if chosen:
                precisions.append(len(chosen & true) / len(chosen))
            recalls.append(len(chosen & true) / len(true))
        if precisions:
            precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
            if precision + recall > 0:
                best = max(best, 2 * precision * recall / (precision + recall))
    assert f_max(said, holds) == (pytest.approx(best) if kept else None)


@given(tables(), st.lists(st.floats(0, 8), min_size=5, max_size=5))
@searches(100)
def test_s_min_is_that_of_its_definition(table: tuple[Reals, Flags], bits: list[float]) -> None:
    said, holds = table
    kept = [row for row in range(len(said)) if holds[row].any()]
    found = s_min(said, holds, np.array(bits[: said.shape[1]]))
    if not kept:
        assert found is None
        return
    least = float("inf")
    for step in range(101):
        missed = wrong = 0.0
        for row in kept:
            for column in range(said.shape[1]):
                is_said = said[row, column] >= step / 100
                missed += bits[column] * (holds[row, column] and not is_said)
                wrong += bits[column] * (is_said and not holds[row, column])
        least = min(least, sqrt((missed / len(kept)) ** 2 + (wrong / len(kept)) ** 2))
    assert found == pytest.approx(least, abs=1e-9)


@given(tables())
@searches(100)
def test_macro_auc_counts_pairs(table: tuple[Reals, Flags]) -> None:
    said, holds = table
    areas = []
    for column in range(said.shape[1]):
        above, below = said[holds[:, column], column], said[~holds[:, column], column]
        if len(above) and len(below):
            wins = sum((one > other) + 0.5 * (one == other) for one in above for other in below)
            areas.append(wins / (len(above) * len(below)))
    wanted = pytest.approx(sum(areas) / len(areas)) if areas else None
    assert macro_auc(said, holds) == wanted
    assert macro_auc(said, holds, range(said.shape[1])) == wanted


@given(tables())
@searches(60)
def test_au_prc_is_scikit_learns_micro_average(table: tuple[Reals, Flags]) -> None:
    peer = pytest.importorskip("sklearn.metrics", reason="scikit-learn is not installed")
    said, holds = table
    found = average_precision(said.ravel(), holds.ravel())
    if holds.any():
        assert found == pytest.approx(float(peer.average_precision_score(holds.ravel(), said.ravel())))
    else:
        assert found is None


def chain(folder: Path) -> Task:
    axioms = "SubClassOf(:B :A) SubClassOf(:C :B) SubClassOf(:D :A) DisjointClasses(:C :D)"
    return Task(ontology_of(folder, axioms), ["x"], [], ["A", "B", "C", "D"])


def test_information_is_what_a_class_tells_beyond_its_superclasses(tmp_path: Path) -> None:
    truth = np.array([[1, 1, 1, -1], [1, 1, -1, -1], [1, -1, -1, -1], [-1, -1, -1, -1]], np.int8)
    found = information_content(chain(tmp_path), truth)
    assert found == pytest.approx([log2(4 / 3), log2(3 / 2), log2(2), log2(3)])  # of D, which no row has, one


def test_consistency_is_the_share_of_rows_that_are_models(tmp_path: Path) -> None:
    task = chain(tmp_path)
    worlds = [[a, b, c, d] for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)]
    said = np.array(worlds, np.float64)[:, None]
    models = [w for w in worlds if w[1] <= w[0] and w[2] <= w[1] and w[3] <= w[0] and not (w[2] and w[3])]
    assert consistency([(task, said)]) == pytest.approx(len(models) / 16)
    assert consistency([(task, said[:0])]) is None
    assert consistency([(task, said), (task, said[:1])]) == pytest.approx((len(models) + 1) / 17)


def test_scores_are_there_where_all_concepts_are_free_labels(tmp_path: Path) -> None:
    task = chain(tmp_path)
    assert has_free_labels(task) and not has_free_labels(task_of("mnist1")) and not has_free_labels(task_of("pizzaA"))
    truth = torch.tensor([[[1, 1, -1, -1]], [[1, -1, -1, 1]], [[1, 0, -1, -1]]], dtype=torch.int8)
    examples = Examples(task, torch.zeros(3, 1, 2), torch.zeros_like(truth), truth)
    said = np.array([[[0.9, 0.8, 0.1, 0.2]], [[0.9, 0.6, 0.1, 0.3]], [[0.1, 0.9, 0.1, 0.1]]], np.float32)
    predictions = Predictions(task, said, said)
    scores = evaluate([(examples, predictions, predictions)]).as_dict()["metrics_labels"]
    assert scores["exact_match"] == 0.5  # the third is not known in full
    assert scores["consistency"] == pytest.approx(2 / 3)
    assert scores["s_min"] is None
    assert scores["au_prc"] == pytest.approx(
        average_precision(said[:2].ravel().astype(float), truth[:2].numpy().ravel() > 0)
    )
    without = evaluate([(examples, predictions, predictions)], with_labels=False).as_dict()
    assert "metrics_labels" not in without


def test_nothing_is_scored_where_no_row_is_known() -> None:
    nothing = np.zeros((2, 3), np.int8)
    assert score_labels(np.full((2, 3), 0.5), nothing, consistent=1.0) is None


def test_a_world_is_right_or_wrong_as_a_whole() -> None:
    truth = np.array([[1, 1, -1], [1, -1, -1], [1, 0, -1]], np.int8)
    worlds = np.array([[1, 1, -1], [1, 1, -1], [1, 1, -1]], np.int8)
    scores = score_labels(np.full((3, 3), 0.4), truth, consistent=1.0, worlds=worlds)
    assert scores is not None and scores.world_match == 0.5  # the third is not known in full
    without = score_labels(np.full((3, 3), 0.4), truth, consistent=1.0)
    assert without is not None and without.world_match is None
