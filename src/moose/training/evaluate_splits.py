"""Judge a predictor on every split but that to learn from: all metrics, and what figures of them need."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from moose.grounding.predicted_atoms import predicted_atoms
from moose.learning.binding import latent_columns, latent_families
from moose.learning.evaluation import metrics
from moose.learning.evaluation.evaluate import View, evaluate, has_free_labels
from moose.learning.evaluation.label_metrics import information_content

if TYPE_CHECKING:
    import numpy.typing as npt

    from moose.datasets.open import Dataset
    from moose.grounding.task.task import Task
    from moose.learning.evaluation.evaluate import Evaluation
    from moose.learning.evaluation.label_metrics import Information
    from moose.learning.evaluation.metrics import Reliability
    from moose.learning.examples import Examples
    from moose.learning.prediction import Predictions

Found = dict[str, object]
VIEWS = ("metrics", "metrics_without_evidence", "metrics_network")
"""Given the evidence, without it, and by the network alone: as records name them."""


class Predicts(Protocol):
    """What can be judged: a trained method, or a baseline."""

    def predict(self, examples: Examples, *, evidence: bool = True) -> Predictions:
        """Return the posteriors of all concepts of all individuals, given the evidence or without it."""


def judge(predictor: Predicts, dataset: Dataset) -> Found:
    """Return the metrics of all splits in all views, and their details."""
    found, details = Found(), Found()
    information = information_of(dataset)
    for split in dataset:
        if split == "train":
            continue
        evaluation, details[split] = judge_split(predictor, dataset[split], information)
        scores = evaluation.as_dict()
        found |= scores if split == "test" else {f"{split}_split": scores}
    task = dataset.test.task
    families = [[task.concepts[column].name for column in family] for family in latent_families(task)]
    return {"families": families, **found, "details": details}


def information_of(dataset: Dataset) -> Information | None:
    """Return how much each concept tells, by the labels to learn from; none where there are no free labels."""
    task = dataset.train.task
    return information_content(task, dataset.train.truth.numpy()) if has_free_labels(task) else None


def judge_split(
    predictor: Predicts, examples: Examples, information: Information | None = None
) -> tuple[Evaluation, Found]:
    """Return the evaluation of one split, and the details of each view."""
    given = predictor.predict(examples)
    without = predictor.predict(examples, evidence=False) if examples.has_evidence else given
    evaluation = evaluate([(examples, given, without)], information=information)
    views = (evaluation.given_evidence, evaluation.without_evidence, evaluation.network)
    probabilities = (given.posteriors, without.posteriors, given.network)
    truth = examples.truth.numpy()
    details = {
        name: describe(view, examples.task, probabilities=said, truth=truth)
        for name, view, said in zip(VIEWS, views, probabilities)
    }
    return evaluation, dict(details)


def describe(view: View, task: Task, *, probabilities: npt.NDArray[np.float32], truth: npt.NDArray[np.int8]) -> Found:
    """Return reliability, confusion and counts for each latent concept."""
    latent = list(latent_columns(task))
    said = probabilities.reshape(-1, probabilities.shape[-1])[:, latent].astype(np.float64)
    true = np.where(np.isnan(said), 0, truth.reshape(-1, truth.shape[-1])[:, latent])  # what nothing is said of
    known = true != 0
    atoms, holds = said[known], true[known] > 0
    confidence, is_right = np.maximum(atoms, 1.0 - atoms), predicted_atoms(atoms) == holds
    return {
        "reliability": as_lists(view.reliability),
        "reliability_atom": as_lists(metrics.reliability(confidence, is_right)),
        "confusions": [matrix.tolist() for matrix in view.confusions],
        "concepts": {
            task.concepts[column].name: outcomes(predicted_atoms(said[:, place]), true[:, place])
            for place, column in enumerate(latent)
        },
    }


def outcomes(predicted: npt.NDArray[np.bool_], truth: npt.NDArray[np.int8]) -> list[int]:
    """Count true positives, false positives, false negatives and true negatives; what is unknown counts nowhere.

    >>> outcomes(np.array([True, True, False, False, True]), np.array([1, -1, 1, -1, 0], dtype=np.int8))
    [1, 1, 1, 1]
    """
    pairs = ((True, 1), (True, -1), (False, 1), (False, -1))
    return [int(((predicted == said) & (truth == true)).sum()) for said, true in pairs]


def as_lists(reliability: Reliability) -> dict[str, list[float]]:
    """Return the bins as plain numbers."""
    return {name: numbers.tolist() for name, numbers in reliability._asdict().items()}
