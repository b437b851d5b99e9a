"""What a trained method says of examples; with and without their evidence."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.evaluation.evaluate import Evaluation, Judged, evaluate
from moose.learning.examples import Examples
from moose.learning.fit.watchers import Epoch
from moose.learning.network import taking
from moose.learning.prediction import Predictions, in_parts
from moose.methods.base.model import Model

if TYPE_CHECKING:
    from moose.methods.base.method import Method, Perception


class Predictor:
    """A trained method."""

    def __init__(self, method: Method, model: Model, perception: Perception) -> None:
        self.method, self.model, self.perception = method, model, perception
        self.history: tuple[Epoch, ...] = ()
        """The epochs of training, all stages one after the other."""

    def __repr__(self) -> str:
        return f"Predictor({self.method.name}, {self.task!r})"

    @property
    def task(self) -> Task:
        """The task that it was trained on."""
        return self.model.task

    @property
    def seconds(self) -> float:
        """How long the epochs took."""
        return sum(epoch.seconds for epoch in self.history)

    def predict(self, examples: Examples, *, evidence: bool = True) -> Predictions:
        """Return the posteriors of all concepts of all individuals, given the evidence or without it."""
        prepared, task = self.model.prepare(examples), examples.task
        shape = (len(examples), len(task.individuals), len(task.concepts))
        posteriors, network = np.zeros(shape, np.float32), np.full(shape, np.nan, np.float32)
        latent = list(latent_columns(task))
        self.model.eval()
        with torch.no_grad(), taking(examples.input_shape):
            for rows in in_parts(len(examples)):
                said = self.model.answer(prepared, rows, use_evidence=evidence)
                posteriors[rows] = said.posteriors.numpy()
                network[rows, :, latent] = said.network.numpy()
        return Predictions(task, posteriors, network)

    def evaluate(self, examples: Examples | Sequence[Examples]) -> Evaluation:
        """Return how right and how well calibrated the predictions are."""
        groups = [examples] if isinstance(examples, Examples) else list(examples)
        judged = list[Judged]()
        for group in groups:
            given, without = (self.predict(group, evidence=use) for use in (True, False))
            judged.append((group, given, without))
        return evaluate(judged)

    def save(self, folder: Path | str) -> None:
        """Write the weights, the method with its options, and the task."""
        from moose.methods.files import save_predictor

        save_predictor(self, Path(folder))
