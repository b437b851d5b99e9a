"""Trainings that go wrong late, or go on in a folder that is not theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.evaluation import metrics
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.loss.cover import Cover
from moose.learning.tensor_files import read_tensors
from moose.methods.concept_learner import ConceptLearner
from tests.grounding.tasks import ontology_of
from tests.learning.toys import task_of, toy_encoder, toy_examples

TWO = Training(epochs=2, batch_size=16)


class Spoiled(torch.autograd.Function):
    """Leaves values as they are and makes their derivatives NaN."""

    @staticmethod
    def forward(_: object, values: Tensor) -> Tensor:
        return values.clone()

    @staticmethod
    def backward(_: object, slopes: Tensor) -> Tensor:
        return slopes * float("nan")


class Spoiling(nn.Module):
    """Spoils the derivatives of one step, or what it says when it is judged."""

    def __init__(self, *, step: int | None = None, judged: bool = False) -> None:
        super().__init__()
        self.inner, self.steps, self.step, self.judged = toy_encoder(), 0, step, judged

    def forward(self, images: Tensor) -> Tensor:
        found: Tensor = self.inner(images)
        if self.training:
            self.steps += 1
            return cast(Tensor, Spoiled.apply(found)) if self.steps == self.step else found  # type: ignore[no-untyped-call]
        return found * float("nan") if self.judged and self.steps else found


def learner(encoder: nn.Module | None = None, task: Task | None = None) -> ConceptLearner:
    return ConceptLearner(task or task_of("mnist2"), encoder or toy_encoder())


def test_weights_that_the_last_step_spoils_are_not_kept(tmp_path: Path) -> None:
    examples, spoiled = toy_examples("mnist2", 64), learner(Spoiling(step=8))
    with pytest.raises(MooseError, match=r"weight is not finite at step 8 \(epoch 2\).*after epoch 1.*is kept"):
        spoiled.fit(examples, TWO, folder=tmp_path)
    assert all(bool(weight.isfinite().all()) for weight in spoiled.network.parameters())
    tensors, facts = read_tensors(tmp_path / "checkpoint.safetensors")
    assert facts["epoch"] == 1
    assert all(bool(tensor.isfinite().all()) for tensor in tensors.values() if tensor.is_floating_point())


def test_a_validation_loss_that_is_not_a_number_is_never_the_best() -> None:
    examples = toy_examples("mnist2", 32)
    with pytest.raises(MooseError, match=r"loss on the validation examples is nan at step 2 \(epoch 1\)"):
        learner(Spoiling(judged=True)).fit(examples, replace(TWO, patience=1), validation=examples)


class Drawing(nn.Module):
    """Draws numbers even when nothing is learnt."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = toy_encoder()

    def forward(self, images: Tensor) -> Tensor:
        return nn.functional.dropout(self.inner(images), 0.5, training=True)


def test_validation_leaves_the_random_state_alone() -> None:
    examples, losses = toy_examples("mnist2", 32), []
    for seed in (1, 2):
        fitted = learner(Drawing())
        torch.manual_seed(seed)
        before = torch.random.get_rng_state()
        losses.append([epoch.validation_loss for epoch in fitted.fit(examples, TWO, validation=examples).history])
        assert torch.equal(before, torch.random.get_rng_state())
    assert losses[0] == losses[1]


def test_fewer_epochs_than_there_were_are_refused(tmp_path: Path) -> None:
    examples = toy_examples("mnist2", 32)
    learner().fit(examples, TWO, folder=tmp_path)
    with pytest.raises(MooseError, match="has a training of 2 epochs, but 1 are asked for"):
        learner().fit(examples, TWO, epochs=1, folder=tmp_path)


def test_other_validation_examples_are_refused(tmp_path: Path) -> None:
    examples = toy_examples("mnist2", 32)
    learner().fit(examples, TWO, validation=toy_examples("mnist2", 16, seed=1), folder=tmp_path)
    for validation in ((), toy_examples("mnist2", 16, seed=2)):
        with pytest.raises(MooseError, match="whose set of validation examples differs"):
            learner().fit(examples, TWO, validation=validation, folder=tmp_path)


def test_examples_of_another_task_are_refused(tmp_path: Path) -> None:
    examples, task = toy_examples("mnist2", 16, share=0.0), task_of("mnist2")
    turned = replace(task, roles={"succ": [("b", "a")]})
    other = Examples(turned, examples.inputs, examples.evidence, examples.truth)
    learner().fit([examples, examples], TWO, folder=tmp_path)
    with pytest.raises(MooseError, match="whose tasks of the examples differs"):
        learner().fit([examples, other], TWO, folder=tmp_path)


def test_other_families_are_refused() -> None:
    examples, task = toy_examples("mnist2", 16), task_of("mnist2")
    bare = replace(task, families=(), closure=(), profiles=None)
    with pytest.raises(MooseError, match="latent families"):
        learner().predict(Examples(bare, examples.inputs, examples.evidence, examples.truth))


def test_numbers_of_a_group_of_parameters_are_settings(tmp_path: Path) -> None:
    def training(rate: float) -> Training:
        return replace(TWO, make_optimiser=lambda weights: torch.optim.SGD([{"params": weights, "lr": rate}], lr=0.5))

    examples = toy_examples("mnist2", 16)
    learner().fit(examples, training(0.1), folder=tmp_path)
    with pytest.raises(MooseError, match="whose optimiser differs"):
        learner().fit(examples, training(0.2), folder=tmp_path)


@pytest.mark.parametrize("make", [torch.optim.LBFGS, lambda weights: 3])
def test_what_cannot_step_is_no_optimiser(make: object) -> None:
    with pytest.raises(MooseError, match=r"optimiser that takes one step .* but got (LBFGS|int)"):
        learner().fit(toy_examples("mnist2", 8), replace(TWO, make_optimiser=make))  # type: ignore[arg-type]


@pytest.mark.parametrize("settings", [{"seed": 1.5}, {"seed": "x"}, {"epochs": True}, {"learning_rate": "x"}])
def test_settings_of_the_wrong_type_are_named(settings: dict[str, object]) -> None:
    with pytest.raises(MooseError, match=next(iter(settings)).replace("_", " ")):
        Training(**settings)  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="weight of the cover"):
        Cover(weight="x")  # type: ignore[arg-type]


def test_a_batch_of_one_that_cannot_be_normalised_is_named() -> None:
    encoder = nn.Sequential(nn.Flatten(), nn.BatchNorm1d(10), toy_encoder())
    with pytest.raises(MooseError, match=r"batch of one input.*single one over of 17"):
        learner(encoder, task_of("mnist1")).fit(toy_examples("mnist1", 17), TWO)


def test_every_group_is_tried_on_the_encoder() -> None:
    examples = toy_examples("mnist2", 8)
    wide = Examples(examples.task, torch.zeros(8, 2, 1, 1, 12), examples.evidence, examples.truth)
    with pytest.raises(MooseError, match="cannot take inputs of 1×1×12"):
        learner().fit([examples, wide], TWO)


def test_nothing_cannot_be_evaluated() -> None:
    with pytest.raises(MooseError, match="examples to evaluate on"):
        learner().evaluate([])


def test_two_families_of_one_size_are_pooled_apart(tmp_path: Path) -> None:
    names = ["Red", "Green", "Wet", "Dry"]
    ontology = ontology_of(tmp_path, " ".join(f"Declaration(Class(:{name}))" for name in names))
    task = Task(ontology, ["a", "b"], [], names, [["Red", "Green"], ["Wet", "Dry"]])
    made = ConceptLearner(task, toy_encoder(4), cover=Cover(is_pooled=True))
    kinds = made.binding.family_kinds
    assert sorted(kinds) == [("Red", "Green")] * 2 + [("Wet", "Dry")] * 2
    first, second = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    sure = [first if kind == ("Red", "Green") else second for kind in kinds]
    assert Cover(is_pooled=True).bonus(sure, kinds).item() == pytest.approx(0.0, abs=1e-6)


def test_bins_are_closed_on_the_right_in_single_precision() -> None:
    confidence = np.linspace(0.1, 1.0, 10).astype(np.float32).astype(np.float64)
    assert metrics.reliability(confidence, np.ones(10, bool)).counts.tolist() == [1] * 10
