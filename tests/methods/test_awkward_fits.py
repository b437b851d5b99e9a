"""Every method refuses what does not fit, whatever network it has and however it is trained."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.concept_learner import ConceptLearner
from moose.methods.registry import METHODS, make_method
from tests.learning.toys import chain, task_of, toy_encoder, toy_examples

ONCE = Training(epochs=1, batch_size=16)
PERCEPTION = Perception((1, 1, 10), make=lambda outputs, seed: toy_encoder(outputs, seed=seed))


def narrow(outputs: int, seed: int) -> nn.Module:
    return nn.Sequential(nn.Flatten(), nn.Linear(7, outputs))


@pytest.mark.parametrize("method", METHODS)
def test_an_encoder_that_does_not_fit_is_found_out(method: str) -> None:
    examples = toy_examples("mnist1", 8)
    for make, message in (
        (narrow, r"cannot take inputs of 1×1×10"),
        (lambda outputs, seed: toy_encoder(outputs + 1), "expected the encoder to give"),
    ):
        with pytest.raises(MooseError, match=message):
            make_method(method).fit(examples.task, examples, perception=Perception((1, 1, 10), make=make))


@pytest.mark.parametrize("method", METHODS)
def test_a_checkpoint_of_another_task_is_refused(method: str, tmp_path: Path) -> None:
    examples = toy_examples("mnist2", 16, share=0.0)
    turned = replace(examples.task, roles={"succ": [("b", "a")]})
    others = Examples(turned, examples.inputs, examples.evidence, examples.truth)
    predictor = make_method(method).fit(examples.task, examples, training=ONCE, perception=PERCEPTION, folder=tmp_path)
    with pytest.raises(MooseError, match="another training, whose task differs"):
        make_method(method).fit(turned, others, training=ONCE, perception=PERCEPTION, folder=tmp_path)
    wide = Examples(examples.task, torch.zeros(16, 2, 1, 1, 12), examples.evidence, examples.truth)
    with pytest.raises(MooseError, match="cannot take inputs of 1×1×12"):
        predictor.predict(wide)


@pytest.mark.parametrize("method", METHODS)
def test_different_numbers_of_individuals_are_learnt_together(method: str) -> None:
    pairs, triples = toy_examples("mnist2", 16), toy_examples("mnist2", 8, task=chain(3))
    predictor = make_method(method).fit(pairs.task, [pairs, triples], training=ONCE, perception=PERCEPTION)
    assert predictor.predict(triples).posteriors.shape == (8, 3, 14)
    assert predictor.evaluate([pairs, triples]).metrics["acc_f"] is not None


@pytest.mark.parametrize("method", [name for name in METHODS if name != "spl"])  # which learns observed ones too
def test_a_task_without_latent_concepts_has_nothing_to_learn(method: str) -> None:
    task = Task(task_of("mnist1").ontology, ["a"], ["Even", "Odd"], [])
    signs = torch.zeros(4, 1, 2, dtype=torch.int8)
    with pytest.raises(MooseError, match="no latent concept"):
        make_method(method).fit(task, Examples(task, torch.zeros(4, 1, 1, 1, 10), signs, signs), perception=PERCEPTION)


def test_a_folder_of_other_stages_is_refused(tmp_path: Path) -> None:
    examples = toy_examples("mnist2", 16)
    one, two = make_method("moose"), make_method("ensemble", members=2)
    for number, (first, second) in enumerate([(one, two), (two, one)]):
        folder = tmp_path / str(number)
        first.fit(examples.task, examples, training=ONCE, perception=PERCEPTION, folder=folder)
        with pytest.raises(MooseError, match="number of stages differs"):
            second.fit(examples.task, examples, training=ONCE, perception=PERCEPTION, folder=folder)
    with pytest.raises(MooseError, match="number of stages differs"):
        ConceptLearner(examples.task, toy_encoder()).fit(examples, ONCE, folder=tmp_path / "1")


def test_members_that_look_at_each_other_are_not_trained_longer(tmp_path: Path) -> None:
    examples, method = toy_examples("mnist2", 16), make_method("bears", members=2)
    method.fit(examples.task, examples, training=ONCE, perception=PERCEPTION, folder=tmp_path)
    longer = replace(ONCE, epochs=2)
    with pytest.raises(MooseError, match="epochs of each stage"):
        method.fit(examples.task, examples, training=longer, perception=PERCEPTION, folder=tmp_path)


def test_the_seed_of_the_training_counts_where_no_other_is_given() -> None:
    examples, method = toy_examples("mnist2", 16), make_method("moose")
    by_training, by_hand, plain = (
        method.fit(examples.task, examples, training=replace(ONCE, seed=seed), perception=PERCEPTION, seed=given)
        for seed, given in ((7, None), (0, 7), (0, None))
    )
    weights = [next(iter(one.model.parameters())) for one in (by_training, by_hand, plain)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


@pytest.mark.parametrize("method", METHODS)
def test_next_to_nothing_is_learnt_from(method: str) -> None:
    # One class of which nothing is said, and two images of which nothing is observed, one in each batch.
    task = Task(task_of("mnist1").ontology, ["a"], [], ["Even"])
    nothing = torch.zeros(2, 1, 1, dtype=torch.int8)
    examples = Examples(task, torch.rand(2, 1, 1, 1, 10), nothing, nothing)
    training = Training(epochs=1, batch_size=1)
    predictor = make_method(method).fit(task, examples, training=training, perception=PERCEPTION)
    posteriors = predictor.predict(examples).posteriors
    assert ((posteriors >= 0) & (posteriors <= 1)).all() and predictor.history[-1].loss < float("inf")
    with pytest.raises(MooseError, match="finite"):
        predictor.predict(Examples(task, torch.full((2, 1, 1, 1, 10), torch.nan), nothing, nothing))
