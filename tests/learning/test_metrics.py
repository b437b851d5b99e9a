"""Each metric on cases worked out by hand, those of roles beside their definition."""

from __future__ import annotations

from itertools import product
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.learning.evaluation import metrics
from moose.learning.evaluation.role_metrics import JudgedRoles, filtered_ranks, score_roles

TRUE, FALSE = True, False


def test_of_equals_none_is_predicted() -> None:
    probabilities = np.array([[0.2, 0.8], [0.5, 0.5], [0.5000001, 0.4999999], [0.9, 0.1]])
    assert metrics.family_accuracy(probabilities, np.array([1, 0, 0, 1])) == 0.25


def test_a_half_is_not_above_a_half_however_it_is_rounded() -> None:
    halves = np.array([0.5000001788, 0.5, 0.4999999], np.float32)
    assert metrics.atom_accuracy(halves, np.array([TRUE, TRUE, TRUE])) == 0.0
    assert metrics.atom_accuracy(np.array([[0.5, 0.5], [0.51, 0.49]]), np.array([[TRUE, FALSE], [TRUE, FALSE]])) == 0.75


def test_log_likelihood_is_a_mean_over_atoms() -> None:
    found = metrics.negative_log_likelihood(np.array([0.5, 0.25, 1.0]), np.array([TRUE, FALSE, TRUE]))
    assert found == pytest.approx(-(log(0.5) + log(0.75)) / 3)
    certain_mistake = metrics.negative_log_likelihood(np.array([0.0]), np.array([TRUE]))
    assert certain_mistake == pytest.approx(-log(1e-7))


def test_bins_are_closed_on_the_right() -> None:
    confidence = np.array([0.0, 0.1, 0.1000001, 0.3, 0.7, 0.9, 0.9000001, 1.0])
    assert metrics.reliability(confidence, np.ones(8, bool)).counts.tolist() == [2, 1, 1, 0, 0, 0, 1, 0, 1, 2]


def test_calibration_error_by_hand() -> None:
    confidence = np.array([0.95, 0.91, 0.99, 0.6, 0.55, 0.35])
    is_right = np.array([TRUE, TRUE, FALSE, TRUE, FALSE, FALSE])
    # (0.9, 1]: three with mean 0.95, two right; (0.5, 0.6]: two with mean 0.575, one right; (0.3, 0.4]: one, wrong
    expected = (3 * abs(0.95 - 2 / 3) + 2 * abs(0.575 - 0.5) + 1 * 0.35) / 6
    assert metrics.calibration_error(confidence, is_right) == pytest.approx(expected)


def test_confident_samples_count() -> None:
    # one published implementation leaves out everything above 0.9
    assert metrics.calibration_error(np.array([1.0, 0.98]), np.array([FALSE, FALSE])) == pytest.approx(0.99)


def test_the_two_kinds_of_confident_error_differ() -> None:
    confidence, is_right = np.array([1.0, 0.2]), np.array([TRUE, FALSE])
    assert metrics.shortcut_consistency(confidence, 0.5) == pytest.approx(0.6 * 0.5)
    assert metrics.confident_error(confidence, is_right) == pytest.approx(0.1)


def test_f1_of_each_concept_counts_the_same() -> None:
    truth = np.array([[TRUE, FALSE, FALSE], [TRUE, FALSE, FALSE], [FALSE, TRUE, FALSE], [FALSE, TRUE, FALSE]])
    predicted = np.array([[TRUE, FALSE, FALSE], [FALSE, TRUE, FALSE], [FALSE, TRUE, FALSE], [FALSE, TRUE, FALSE]])
    # first: precision 1, recall ½; second: precision ⅔, recall 1; third: neither true nor predicted
    assert metrics.macro_f1(predicted, truth) == pytest.approx((2 / 3 + 4 / 5 + 0) / 3)


def test_f1_is_that_of_scikit_learn() -> None:
    f1_score = pytest.importorskip("sklearn.metrics").f1_score
    generator = np.random.default_rng(0)
    predicted, truth = generator.random((50, 4)) < 0.4, generator.random((50, 4)) < 0.5
    assert metrics.macro_f1(predicted, truth) == pytest.approx(f1_score(truth, predicted, average="macro"))


def test_confusion_and_collapse() -> None:
    labels, predicted = np.array([0, 0, 1, 1, 2, 2, 2]), np.array([0, 0, 1, 2, 1, 1, 2])
    matrix = metrics.confusion(predicted, labels, 4)
    assert matrix.tolist() == [[2, 0, 0, 0], [0, 1, 1, 0], [0, 2, 1, 0], [0, 0, 0, 0]]
    assert metrics.collapse(matrix) == pytest.approx(1 / 3)  # 1 and 2 fall on one label; the fourth class never occurs
    assert metrics.collapse(np.eye(3, dtype=np.int64)) == 0.0
    assert metrics.collapse(matrix, np.array([0, 0, 3, 0])) == 0.0  # the third is more often given none


def test_nothing_has_no_metric() -> None:
    none, nothing = np.zeros(0), np.zeros(0, bool)
    assert metrics.atom_accuracy(none, nothing) is None
    assert metrics.negative_log_likelihood(none, nothing) is None
    assert metrics.calibration_error(none, nothing) is None
    assert metrics.shortcut_consistency(none, None) is None
    assert metrics.macro_f1(np.zeros((0, 2), bool), np.zeros((0, 2), bool)) is None
    assert metrics.collapse(np.zeros((2, 2), np.int64)) is None


@given(st.integers(1, 2), st.integers(1, 5), st.integers(0, 10_000))
@settings(max_examples=60, deadline=None)
def test_ranks_are_counted_as_the_definition_says(roles: int, people: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    shape = (2, roles, people, people)
    says = generator.integers(0, 5, shape) / 4
    truth = generator.integers(-1, 2, shape).astype(np.int8)
    seen = np.where(generator.random(shape) < 0.3, truth, 0).astype(np.int8)
    judged = JudgedRoles(says, truth, seen)
    wanted = []
    for row, role, a, b in product(*map(range, shape)):
        if truth[row, role, a, b] > 0 and not seen[row, role, a, b]:
            rivals = [c for c in range(people) if truth[row, role, a, c] <= 0 and not seen[row, role, a, c]]
            better = [says[row, role, a, c] - says[row, role, a, b] for c in rivals]
            wanted.append(1 + sum(1.0 if gap > 0 else 0.5 if gap == 0 else 0.0 for gap in better))
    assert filtered_ranks(judged).tolist() == wanted
    scores = score_roles([judged])
    is_judged = (truth != 0) & (seen == 0)
    true, said = truth[is_judged] > 0, says[is_judged] > 0.5
    assert scores.accuracy == (pytest.approx((true == said).mean()) if len(true) else None)
    both = (true & said).sum()
    assert scores.f1 == (pytest.approx(2 * both / (true.sum() + said.sum())) if true.any() or said.any() else None)
    assert scores.mrr == (pytest.approx(np.mean([1 / rank for rank in wanted])) if wanted else None)
    assert scores.hits_at_3 == (pytest.approx(np.mean([rank <= 3 for rank in wanted])) if wanted else None)
