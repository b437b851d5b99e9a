"""Who is told how training goes."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from moose.base.errors import MooseError
from moose.learning import tensor_files
from moose.learning.fit import watchers as watching
from moose.learning.fit.training_loop import Training
from moose.learning.fit.watchers import Bar, Epoch, Step
from moose.methods.concept_learner import ConceptLearner
from tests.learning.toys import task_of, toy_encoder, toy_examples


class Writer:
    """Stands for TensorBoard's, which need not be installed."""

    points: list[tuple[str, float, int]] = []  # noqa: RUF012  # one list for all writers

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def add_scalar(self, name: str, value: float, place: int) -> None:
        self.points.append((name, value, place))

    def flush(self) -> None:
        """Write nothing."""


def test_tensorboard_hears_of_each_epoch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert watching.board_if_installed(None) == ()
    monkeypatch.setattr(watching, "find_spec", lambda _: True)
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", SimpleNamespace(SummaryWriter=Writer))
    learner = ConceptLearner(task_of("mnist1"), toy_encoder())
    learner.fit(toy_examples("mnist1", 8), Training(epochs=2), folder=tmp_path)
    losses = [(value, place) for name, value, place in Writer.points if name == "loss"]
    assert losses == [(epoch.loss, epoch.epoch) for epoch in learner.history]


def test_the_bar_says_loss_and_accuracy() -> None:
    with Bar("learning") as bar:
        bar.step(Step(3, 10, 1, 0.5, None))
        bar.step(Step(4, 10, 1, 0.25, 0.875))
        bar.epoch(Epoch(1, 10, 0.5, None, {}, None, 1.0))
    (task,) = bar._progress.tasks
    assert (task.completed, task.total, task.fields["news"]) == (4, 10, "epoch 1, loss 0.250, accuracy 87.5%")


def test_safetensors_may_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_files, "find_spec", lambda _: None)
    with pytest.raises(MooseError, match=r"needs safetensors.*pip install"):
        ConceptLearner(task_of("mnist1"), toy_encoder()).save(tmp_path)
