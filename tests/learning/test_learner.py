"""The learner as a whole: it learns, it says what is wrong with its input, it is saved and loaded."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.task.task import Task
from moose.learning.cover import Cover
from moose.learning.encoders import mnist_encoder, pizza_encoder
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.learner import ConceptLearner
from tests.learning.toys import task_of, toy_encoder, toy_examples

TRAINING = Training(epochs=12, batch_size=32, learning_rate=0.02)


@pytest.mark.parametrize("name", ["mnist2", "mnist3"])
def test_digits_that_are_never_shown_are_learnt(name: str) -> None:
    learner = ConceptLearner(task_of(name), toy_encoder(), cover=Cover(3, 4))
    found = learner.fit(toy_examples(name, 400), TRAINING).evaluate(toy_examples(name, 200, seed=8))
    for view in (found.given_evidence, found.without_evidence, found.network):
        scores = view.scores
        assert scores.acc_f is not None and scores.acc_f > 0.95
        assert scores.ece is not None and scores.ece < 0.1
    assert found.network.scores.collapse == 0.0
    assert (learner.method, ConceptLearner(task_of(name), toy_encoder()).method) == ("moose-cover", "moose-softmax")


def test_evidence_helps_or_is_left_out() -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder())
    examples = toy_examples("mnist1", 50, share=1.0)
    given, alone = learner.predict(examples), learner.predict(examples, evidence=False)
    assert np.array_equal(given.network, alone.network, equal_nan=True)
    assert np.isnan(given.network[:, :, 10:]).all()
    digits = examples.truth[:, 0, :10].argmax(1)
    of_its_own = torch.isin(digits, torch.tensor([0, 1, 2, 9])).numpy()
    assert given.posteriors[of_its_own, 0, digits[of_its_own]] == pytest.approx(1.0)
    assert alone.posteriors[:, 0, :10].max() < 0.9


def test_features_get_a_layer_on_top() -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder(7), features=7)
    learner.fit(toy_examples("mnist1", 20), TRAINING, epochs=1)
    assert learner.predict(toy_examples("mnist1", 3)).posteriors.shape == (3, 1, 14)


@pytest.mark.parametrize(
    ("encoder", "features", "message"),
    [
        (toy_encoder(9), None, r"to give 10 numbers for each input \(a logit for each latent.*shape \(4, 9\)"),
        (toy_encoder(10), 7, r"to give 7 numbers for each input \(the features.*shape \(4, 10\)"),
        (nn.Identity(), None, r"shape \(4, 1, 1, 10\)"),
        (mnist_encoder(10), None, "the encoder cannot take inputs of 1×1×10"),
    ],
)
def test_an_encoder_that_does_not_fit_is_found_out(encoder: nn.Module, features: int | None, message: str) -> None:
    learner = ConceptLearner(task_of("mnist2"), encoder, features=features)
    with pytest.raises(MooseError, match=message):
        learner.fit(toy_examples(count=8), TRAINING)


def test_one_contradiction_in_ten_thousand_is_named() -> None:
    examples = toy_examples(count=10_000)
    examples.evidence[7_654] = 0
    columns = {concept.name: column for column, concept in enumerate(examples.task.concepts)}
    examples.evidence[7_654, 0, columns["Even"]] = 1
    examples.evidence[7_654, 0, columns["Odd"]] = 1
    with pytest.raises(
        ContradictoryEvidence, match=r"evidence of example 7,654 contradicts.*Even\(a\), Odd\(a\)"
    ) as said:
        ConceptLearner(task_of("mnist2"), toy_encoder()).fit(examples, TRAINING)
    assert set(said.value.literals) == {"Even(a)", "Odd(a)"}
    examples.evidence[9_000] = examples.evidence[7_654]
    with pytest.raises(ContradictoryEvidence, match=r"example 7,654 \(and that of 1 more\)"):
        ConceptLearner(task_of("mnist2"), toy_encoder()).predict(examples)


def test_a_contradiction_across_individuals_is_named() -> None:
    examples = toy_examples(count=3, share=0.0)
    columns = {concept.name: column for column, concept in enumerate(examples.task.concepts)}
    examples.evidence[1, :, columns["Even"]] = 1
    with pytest.raises(ContradictoryEvidence, match=r"example 1 contradicts the theory: Even\(a\), Even\(b\)"):
        ConceptLearner(task_of("mnist2"), toy_encoder()).fit(examples, TRAINING)


def test_other_mistakes_are_named() -> None:
    task = task_of("mnist2")
    with pytest.raises(MooseError, match="expected a head among sigmoid, softmax, but got 'linear'"):
        ConceptLearner(task, toy_encoder(), head="linear")  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="the cover needs a family whose members are all latent"):
        ConceptLearner(task_of("pizzaA"), pizza_encoder(16), cover=Cover())
    with pytest.raises(MooseError, match="expected a positive number for weight of the cover"):
        Cover(weight=0)
    with pytest.raises(MooseError, match="at least one example"):
        ConceptLearner(task, toy_encoder()).fit(toy_examples(count=0), TRAINING)
    with pytest.raises(MooseError, match="expected examples to learn from"):
        ConceptLearner(task, toy_encoder()).fit([], TRAINING)
    with pytest.raises(MooseError, match="no latent concept"):
        ConceptLearner(Task(task.ontology, ["a"], observed=["Even"], latent=[]), toy_encoder())
    with pytest.raises(MooseError, match="expected images of at least 4 pixels a side"):
        mnist_encoder(10, input_shape=(1, 3, 8))
    empty = torch.zeros(1, 1, 26, dtype=torch.int8)
    pizza = Examples(task_of("pizzaA"), torch.zeros(1, 1, 1, 1, 10), empty, empty)
    with pytest.raises(MooseError, match=r"over the concepts of the task that is learnt.*\(AnchovyTopping\)"):
        ConceptLearner(task, toy_encoder()).predict(pizza)


@pytest.mark.parametrize(("name", "individuals"), [("mnist2", 2), ("pizzaB", 1)])
def test_what_is_saved_is_loaded(tmp_path: Path, name: str, individuals: int) -> None:
    task = task_of(name)
    outputs = sum(concept.is_latent for concept in task.concepts)
    learner = ConceptLearner(task, mnist_encoder(outputs, input_shape=(1, 8, 8), batch_norm=True), cover=Cover(2, 1))
    zeros = torch.zeros(3, individuals, len(task.concepts), dtype=torch.int8)
    examples = Examples(task, torch.rand(3, individuals, 1, 8, 8, generator=torch.Generator()), zeros, zeros)
    learner.fit(examples, TRAINING, epochs=1).save(tmp_path)
    loaded = ConceptLearner.load(tmp_path)
    assert (loaded.head, loaded.cover, repr(loaded.task)) == (learner.head, learner.cover, repr(task))
    assert loaded.binding.fingerprint == learner.binding.fingerprint
    assert np.array_equal(loaded.predict(examples).posteriors, learner.predict(examples).posteriors)


def test_an_encoder_of_ones_own_is_given_again(tmp_path: Path) -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder(seed=4), head="sigmoid")
    learner.save(tmp_path)
    with pytest.raises(MooseError, match="give it with encoder="):
        ConceptLearner.load(tmp_path)
    with pytest.raises(MooseError, match="holds the weights of another network"):
        ConceptLearner.load(tmp_path, nn.Sequential(toy_encoder(10), nn.Linear(10, 10)))
    examples = toy_examples("mnist1", 4)
    loaded = ConceptLearner.load(tmp_path, toy_encoder(seed=0))
    assert np.array_equal(loaded.predict(examples).posteriors, learner.predict(examples).posteriors)


def test_a_task_that_was_changed_is_noticed(tmp_path: Path) -> None:
    ConceptLearner(task_of("mnist2"), mnist_encoder(10)).save(tmp_path)
    path = tmp_path / "task.toml"
    path.write_text(path.read_text().replace('["a", "b"]]', '["b", "a"]]'))
    with pytest.raises(MooseError, match=r"task\.toml or ontology\.ofn has changed"):
        ConceptLearner.load(tmp_path)
    with pytest.raises(MooseError, match="no such file"):
        ConceptLearner.load(tmp_path / "nowhere")


def test_what_a_predictor_saved_is_told_apart(tmp_path: Path) -> None:
    from moose.methods.base.method import Perception
    from moose.methods.registry import make_method

    examples = toy_examples(count=8)
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    fitted = make_method("moose").fit(examples.task, examples, training=Training(epochs=1), perception=perception)
    fitted.save(tmp_path)
    with pytest.raises(MooseError, match="load_predictor"):
        ConceptLearner.load(tmp_path, toy_encoder())
