"""The three views of an evaluation, and pictures of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from moose.cli.learn.learning_output import draw_pictures
from moose.learning.evaluation.evaluate import score
from moose.learning.evaluation.observed_metrics import score_observed
from moose.learning.evaluation.pictures import draw_confusion, draw_predictions, draw_reliability
from moose.learning.prediction import Predictions
from moose.methods.concept_learner import ConceptLearner
from tests.learning.toys import task_of, toy_encoder, toy_examples

PNG = b"\x89PNG"


def truth_row(**signs: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    """Return the truth of one individual of mnist1: digit d holds, all other digits do not."""
    row = np.zeros(14, np.int8)
    row[:10] = -1
    row[signs["digit"]] = 1
    return row


def test_a_family_is_judged_by_its_likeliest_member() -> None:
    truth = np.stack([truth_row(digit=0), truth_row(digit=1), truth_row(digit=2)])
    probabilities = np.zeros((3, 14))
    probabilities[0, :2] = 0.6, 0.4
    probabilities[1, :2] = 0.75, 0.25
    probabilities[2, 2] = 1.0
    scores = score(task_of("mnist1"), probabilities, network=probabilities, truth=truth).scores
    assert scores.acc_f == pytest.approx(2 / 3)
    # of ten atoms in each row: in the second, D0 and D1 are wrong; in the others none
    assert scores.acc_c == scores.acc_atom == pytest.approx(28 / 30)
    mean = (0.6 + 0.75 + 1.0) / 3
    assert scores.rs_cons == pytest.approx(mean / 3)
    assert scores.confident_error == pytest.approx(0.75 / 3)
    # three bins with one each: |0.6 - 1|, |0.75 - 0|, |1 - 1|
    assert scores.ece == pytest.approx((0.4 + 0.75) / 3)
    # of atoms: 26 certain and right; D0, D1 of the first 0.6 and right; those of the second 0.75 and wrong
    assert scores.ece_atom == pytest.approx((2 * 0.4 + 2 * 0.75) / 30)
    expected = -(2 * np.log(0.6) + 2 * np.log(0.25)) / 30
    assert scores.nll == pytest.approx(expected)
    assert scores.f1_macro == pytest.approx((2 / 3 + 0 + 1) / 10)
    assert scores.collapse == pytest.approx(1 / 3)


def test_a_family_of_which_two_members_are_equally_likely_is_left_open() -> None:
    truth = np.stack([truth_row(digit=digit) for digit in (0, 0, 1, 2)])
    probabilities = np.zeros((4, 14))
    probabilities[0, :2] = probabilities[2, :2] = 0.5000001, 0.4999999
    probabilities[1, 0] = probabilities[3, 2] = 1.0
    found = score(task_of("mnist1"), probabilities, network=probabilities, truth=truth)
    assert (found.scores.acc_f, found.left_open) == (0.5, 0.5)
    assert found.scores.ece == pytest.approx(0.0, abs=1e-6)  # a draw between the two would be right every other time
    assert found.confusions[0].sum() == 2
    assert found.undecided[0].tolist()[:3] == [1, 1, 0]
    assert found.scores.collapse == 0.0


def test_unknown_truth_is_not_judged() -> None:
    truth = np.stack([truth_row(digit=4), np.zeros(14, np.int8)])
    probabilities = np.zeros((2, 14))
    probabilities[:, 4] = 1.0
    found = score(task_of("mnist1"), probabilities, network=probabilities, truth=truth)
    assert (found.scores.acc_f, found.scores.acc_c) == (1.0, 1.0)
    assert (found.confusions[0].sum(), found.left_open) == (1, 0.0)


def test_without_a_latent_family_atoms_are_judged() -> None:
    task = task_of("pizzaC")
    truth = np.array([[1, -1, -1, -1, 1, 1], [-1, -1, -1, -1, -1, -1]], np.int8)
    probabilities = np.array([[0.9, 0.2, 0.2, 0.6, 1, 1], [0.1, 0.1, 0.1, 0.1, 0, 0]])
    scores = score(task, probabilities, network=1 - probabilities, truth=truth).scores
    assert (scores.acc_f, scores.rs_cons, scores.collapse) == (None, None, None)
    assert scores.acc_c == pytest.approx(7 / 8)
    assert scores.acc_atom == pytest.approx(1 / 8)
    # confidence 0.9 (five, right), 0.8 (two, right), 0.6 (one, wrong)
    assert scores.ece == scores.ece_atom == pytest.approx((5 * 0.1 + 2 * 0.2 + 0.6) / 8)
    assert scores.f1_macro == pytest.approx(1 / 4)


def test_the_views_of_a_learner() -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder())
    found = learner.evaluate(toy_examples("mnist1", 60, share=1.0))
    assert found.metrics == found.given_evidence.scores.as_dict()
    assert set(found.as_dict()) == {"metrics", "metrics_without_evidence", "metrics_network", "metrics_observed"}
    given, network = found.given_evidence.scores, found.network.scores
    assert given.acc_f is not None and network.acc_f is not None and given.acc_f > network.acc_f
    assert given.acc_atom == network.acc_atom == network.acc_c


@pytest.mark.parametrize("name", ["mnist2", "pizzaC"])
def test_pictures_are_drawn(tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    task = task_of(name)
    latent = sum(concept.is_latent for concept in task.concepts)
    examples = toy_examples("mnist2", 5)
    if name == "pizzaC":
        truth = torch.full((5, 1, 6), -1, dtype=torch.int8)
        colours = torch.rand(5, 1, 3, 1, 10, generator=torch.Generator())
        examples = replace(examples, task=task, inputs=colours, evidence=torch.zeros_like(truth), truth=truth)
    outputs = torch.nn.Sequential(torch.nn.Flatten(), toy_encoder(latent))
    learner = ConceptLearner(task, outputs if name == "mnist2" else torch.nn.Sequential(Grey(), toy_encoder(latent)))
    evaluation = learner.evaluate(examples)
    draw_reliability(evaluation.network.reliability, tmp_path / "reliability.png", title="calibration")
    draw_predictions(examples, learner.predict(examples), tmp_path / "predictions.png")
    for matrix in evaluation.network.confusions:
        draw_confusion(matrix, [f"D{digit}" for digit in range(10)], tmp_path / "confusion.png")
    for path in tmp_path.iterdir():
        assert path.read_bytes().startswith(PNG)


def test_rows_of_a_table_are_listed_by_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.axes import Axes

    words = list[str]()
    monkeypatch.setattr(Axes, "text", lambda _axes, _x, _y, text, **_: words.append(text))
    images = toy_examples("mnist1", 5)
    rows = replace(images, inputs=images.inputs.flatten(2), where=tuple(f"folder/t.csv:{n + 2}" for n in range(5)))
    learner = ConceptLearner(rows.task, toy_encoder())
    draw_predictions(rows, learner.predict(rows), tmp_path / "predictions.png")
    assert (tmp_path / "predictions.png").read_bytes().startswith(PNG)
    assert [word for word in words if word.startswith("t.csv")] == [f"t.csv:{n + 2}" for n in range(5)]
    assert sum(word.endswith("%") for word in words) == 5


def test_what_is_left_open_is_not_drawn_as_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.axes import Axes

    told = list[tuple[str, object]]()
    monkeypatch.setattr(Axes, "text", lambda _axes, _x, _y, text, color=None, **_: told.append((text, color)))
    images = toy_examples("mnist1", 2)
    rows = replace(images, inputs=images.inputs.flatten(2))
    posteriors = np.zeros((2, 1, 14), np.float32)
    posteriors[..., :2] = 0.5
    draw_predictions(rows, Predictions(rows.task, posteriors, posteriors), tmp_path / "predictions.png")
    assert [one for one in told if one[0].startswith("D")] == [("D0 or D1 50%", "black")] * 2
    told.clear()
    draw_confusion(np.zeros((2, 2), np.int64), ["A", "B"], tmp_path / "confusion.png", undecided=np.array([3, 0]))
    assert [text for text, _ in told] == ["3"]


def test_pictures_are_drawn_where_something_is_judged(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    learner = ConceptLearner(task_of("mnist1"), toy_encoder())
    known = toy_examples("mnist1", 3)
    for examples, wanted in (
        (replace(known, truth=torch.zeros_like(known.truth)), {"predictions.png"}),
        (known, {"predictions.png", "reliability.png", "confusion.png"}),
    ):
        draw_pictures(tmp_path, learner.predictor, examples, learner.evaluate(examples))
        assert {path.name for path in tmp_path.iterdir()} == wanted


class Grey(torch.nn.Module):
    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return images.mean(1)


def test_observed_concepts_are_judged_without_evidence() -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder())
    toys = toy_examples("mnist1", 60, share=0.5)
    without = learner.predict(toys, evidence=False).posteriors[:, 0]
    columns = [place for place, concept in enumerate(toys.task.concepts) if not concept.is_latent]
    truth = toys.truth[:, 0].numpy()
    right = [bool((without[row, column] > 0.5) == (truth[row, column] > 0)) for row in range(60) for column in columns]
    observed = learner.evaluate(toys).observed
    assert observed.acc_y == pytest.approx(sum(right) / len(right))
    assert observed.f1_y is not None and 0 <= observed.f1_y <= 1


def test_observed_atoms_that_nothing_decides_are_not_predicted_whatever_their_rounding() -> None:
    says = np.array([[0.9, 0.5000001788], [0.8, 0.4999999], [0.1, 0.5]])
    truth = np.array([[1, -1], [1, -1], [-1, 1]], np.int8)
    found = score_observed([0, 1], says, truth=truth, evidence=np.zeros_like(truth))
    assert found.acc_y == pytest.approx(5 / 6)
    assert (found.f1_y, found.left_open) == (0.5, 0.5)
    assert set(found.as_dict()) == {"acc_y", "f1_y"}


def test_where_the_truth_is_unknown_the_evidence_is_held_against_the_observed() -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder())
    toys = toy_examples("mnist1", 60, share=0.5)
    unknown = torch.zeros_like(toys.truth)
    blind = learner.evaluate(replace(toys, truth=unknown)).observed
    assert blind == learner.evaluate(replace(toys, truth=toys.evidence)).observed
    assert blind.acc_y is not None and blind != learner.evaluate(toys).observed
    nothing = learner.evaluate(replace(toys, truth=unknown, evidence=unknown)).observed
    assert nothing.as_dict() == {"acc_y": None, "f1_y": None}
