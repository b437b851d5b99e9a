"""The learner of the façade: it learns, it says what is wrong with its input, it is saved and loaded."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.task.task import Task
from moose.grounding.task.task_file import task_text
from moose.learning.encoders import ConvolutionalEncoder, mnist_encoder, pizza_encoder
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.heads import HeadName
from moose.learning.loss.cover import Cover
from moose.learning.model_files import ontology_text
from moose.learning.network import ConceptNetwork
from moose.learning.tensor_files import read_tensors, write_tensors
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.concept_learner import ConceptLearner
from moose.methods.load_predictor import load_predictor
from moose.methods.ours.moose import Moose
from moose.methods.ours.moose_cover import MooseCover
from moose.methods.registry import make_method
from moose.methods.settings import find_settings
from tests.learning.toys import task_of, toy_encoder, toy_examples

TRAINING = Training(epochs=12, batch_size=32, learning_rate=0.02)
FIRST_KEYS = ("input_shape", "batch_norm", "is_bundled")
"""What the first format of predictors said of perception, beside the method."""


def small_images(task: Task) -> Examples:
    """Return three images of noise, of which nothing is known."""
    individuals = len(task.individuals)
    zeros = torch.zeros(3, individuals, len(task.concepts), dtype=torch.int8)
    return Examples(task, torch.rand(3, individuals, 1, 8, 8, generator=torch.Generator()), zeros, zeros)


@pytest.mark.parametrize("name", ["mnist2", "mnist3"])
def test_digits_that_are_never_shown_are_learnt(name: str) -> None:
    learner = ConceptLearner(task_of(name), toy_encoder(), cover=Cover(3, 4))
    found = learner.fit(toy_examples(name, 400), TRAINING).evaluate(toy_examples(name, 200, seed=8))
    for view in (found.given_evidence, found.without_evidence, found.network):
        scores = view.scores
        assert scores.acc_f is not None and scores.acc_f > 0.95
        assert scores.ece is not None and scores.ece < 0.1
    assert found.network.scores.collapse == 0.0
    assert (learner.method, ConceptLearner(task_of(name), toy_encoder(), cover=None).method) == ("moose-cover", "moose")


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
    with pytest.raises(ContradictoryEvidence, match=r"example 7,654 \(and that of example 9,000\)"):
        ConceptLearner(task_of("mnist2"), toy_encoder()).predict(examples)


def test_a_contradiction_across_individuals_is_named() -> None:
    examples = toy_examples(count=3, share=0.0)
    columns = {concept.name: column for column, concept in enumerate(examples.task.concepts)}
    examples.evidence[1, :, columns["Even"]] = 1
    with pytest.raises(ContradictoryEvidence, match=r"example 1 contradicts the theory: Even\(a\), Even\(b\)"):
        ConceptLearner(task_of("mnist2"), toy_encoder()).fit(examples, TRAINING)


def test_other_mistakes_are_named() -> None:
    task = task_of("mnist2")
    with pytest.raises(MooseError, match="expected head of moose among sigmoid, softmax, but got 'linear'"):
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


@pytest.mark.parametrize("name", ["mnist2", "pizzaB"])
def test_what_is_saved_is_loaded(tmp_path: Path, name: str) -> None:
    task = task_of(name)
    outputs = sum(concept.is_latent for concept in task.concepts)
    learner = ConceptLearner(task, mnist_encoder(outputs, input_shape=(1, 8, 8), batch_norm=True), cover=Cover(2, 1))
    examples = small_images(task)
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
    with pytest.raises(MooseError, match="no such folder"):
        ConceptLearner.load(tmp_path / "nowhere")


def predictor_of(method: str, examples: Examples) -> Predictor:
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    return make_method(method).fit(examples.task, examples, training=Training(epochs=1), perception=perception)


@pytest.mark.parametrize("method", ["moose", "moose-cover"])
def test_what_the_method_saved_is_a_learner_and_the_other_way_round(tmp_path: Path, method: str) -> None:
    examples = toy_examples(count=8)
    fitted = predictor_of(method, examples)
    fitted.save(tmp_path / "predictor")
    learner = ConceptLearner.load(tmp_path / "predictor", toy_encoder())
    assert learner.method == method
    learner.save(tmp_path / "learner")
    again = load_predictor(tmp_path / "learner", lambda outputs, seed: toy_encoder(outputs, seed=seed))
    assert again.method == fitted.method
    wanted = fitted.predict(examples).posteriors
    assert np.array_equal(learner.predict(examples).posteriors, wanted)
    assert np.array_equal(again.predict(examples).posteriors, wanted)


def test_the_model_of_another_method_is_told_apart(tmp_path: Path) -> None:
    predictor_of("independent", toy_examples(count=8)).save(tmp_path)
    with pytest.raises(MooseError, match=r"but it is one of independent; read it with moose\.load_predictor"):
        ConceptLearner.load(tmp_path, toy_encoder(14))


def test_the_method_learns_as_the_learner_does() -> None:
    examples = toy_examples(count=32)
    training = Training(epochs=2, batch_size=16, seed=3)
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    for method, cover in ((Moose(head="softmax"), None), (MooseCover(2.0, 1.0), Cover(2.0, 1.0))):
        learner = ConceptLearner(examples.task, toy_encoder(seed=3), cover=cover).fit(examples, training)
        fitted = method.fit(examples.task, examples, training=training, perception=perception)
        assert [epoch.loss for epoch in learner.history] == [epoch.loss for epoch in fitted.history]
        assert learner.evaluate(examples).as_dict() == fitted.evaluate(examples).as_dict()


def save_as_before(folder: Path, learner: ConceptLearner) -> None:
    """Write a learner in the format that it had of its own."""
    encoder, features = learner.network.encoder, None
    if isinstance(encoder, ConceptNetwork):
        encoder, features = encoder.encoder, encoder.features
    prefix = "" if features is None else "encoder."
    facts = {
        "format": 1,
        "task": learner.binding.fingerprint,
        "head": learner.head,
        "cover": None if learner.cover is None else asdict(learner.cover),
        "features": features,
        "encoder": asdict(encoder.plan) if isinstance(encoder, ConvolutionalEncoder) else None,
    }
    tensors = {name.removeprefix(prefix): tensor for name, tensor in learner.network.state_dict().items()}
    (folder / "ontology.ofn").write_text(ontology_text(learner.task))
    (folder / "task.toml").write_text(task_text(learner.task, ontology="ontology.ofn"))
    write_tensors(folder / "model.safetensors", tensors, facts)


@pytest.mark.parametrize(
    ("cover", "head", "outputs", "features"),
    [(None, "sigmoid", 10, None), (Cover(2, 1, is_pooled=True), "softmax", 10, None), (None, "softmax", 7, 7)],
)
def test_folders_of_the_old_format_are_read(
    tmp_path: Path, cover: Cover | None, head: HeadName, outputs: int, features: int | None
) -> None:
    task = task_of("mnist2")
    encoder = mnist_encoder(outputs, input_shape=(1, 8, 8), batch_norm=True, seed=4)
    learner = ConceptLearner(task, encoder, head=head, cover=cover, features=features, seed=5)
    examples = small_images(task)
    save_as_before(tmp_path, learner)
    loaded = ConceptLearner.load(tmp_path)
    assert (loaded.method, loaded.head, loaded.cover) == (learner.method, head, cover)
    assert np.array_equal(loaded.predict(examples).posteriors, learner.predict(examples).posteriors)
    assert load_predictor(tmp_path).perception.input_shape == (1, 8, 8)


def test_an_encoder_of_ones_own_in_the_old_format_is_given_again(tmp_path: Path) -> None:
    learner = ConceptLearner(task_of("mnist1"), toy_encoder(seed=4))
    save_as_before(tmp_path, learner)
    with pytest.raises(MooseError, match="give it with encoder="):
        ConceptLearner.load(tmp_path)
    examples = toy_examples("mnist1", 4)
    loaded = ConceptLearner.load(tmp_path, toy_encoder(seed=0))
    assert np.array_equal(loaded.predict(examples).posteriors, learner.predict(examples).posteriors)


def test_the_first_format_of_predictors_is_read(tmp_path: Path) -> None:
    predictor = make_method("moose").fit(
        task := task_of("mnist1"), small_images(task), training=Training(epochs=1), perception=Perception((1, 8, 8))
    )
    predictor.save(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors, facts = read_tensors(path)
    perception = facts.pop("perception")
    assert isinstance(perception, dict)
    write_tensors(path, tensors, facts | {"format": 1} | {key: perception[key] for key in FIRST_KEYS})
    wanted = predictor.predict(small_images(task)).posteriors
    assert np.array_equal(load_predictor(tmp_path).predict(small_images(task)).posteriors, wanted)


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    ConceptLearner(task_of("mnist1"), toy_encoder()).save(tmp_path)
    path = tmp_path / "model.safetensors"
    tensors, facts = read_tensors(path)
    write_tensors(path, tensors, facts | {"format": 9})
    with pytest.raises(
        MooseError, match=r"safetensors: expected a model of format 2 .* it is of format 9; read it with"
    ):
        ConceptLearner.load(tmp_path, toy_encoder())


def test_the_checkpoint_of_the_old_learner_is_refused_in_words(tmp_path: Path) -> None:
    examples, training = toy_examples("mnist1", 8), Training(epochs=1)
    ConceptLearner(task_of("mnist1"), toy_encoder()).fit(examples, training, folder=tmp_path)
    path = tmp_path / "checkpoint.safetensors"
    tensors, facts = read_tensors(path)
    settings = facts["settings"]
    assert isinstance(settings, dict)
    old = {"head": "softmax", "cover": None} | {
        key: value for key, value in settings.items() if key not in ("method", "options", "stage")
    }
    write_tensors(path, tensors, facts | {"settings": old})
    with pytest.raises(MooseError, match=r"the ConceptLearner of an earlier Moose wrote.*remove it to begin anew"):
        ConceptLearner(task_of("mnist1"), toy_encoder()).fit(examples, training, folder=tmp_path)


def test_options_that_were_added_later_leave_the_others_as_they_were() -> None:
    paper = {"objective": "paper", "open_weights": "half"}
    old = {"cover_weight": 3.0, "cover_epochs": 3.0}
    new = {"objective": "auto", "open_weights": "learnt"}
    assert MooseCover(objective="paper", open_weights="half").options == old
    assert make_method("moose-cover", head="sigmoid", **paper).options == old | {"head": "sigmoid"}
    assert MooseCover().options == old | new
    assert make_method("moose-cover", **MooseCover(2.0, is_pooled=True).options) == MooseCover(2.0, is_pooled=True)
    assert make_method("moose", **paper).options == {"head": "sigmoid", "closure": True}
    assert Moose().options == {"head": "sigmoid", "closure": True} | new


def test_results_of_the_paper_keep_their_names() -> None:
    for name in ("moose", "moose-cover", "ensemble", "bears", "moose-honest", "nesydm-exact", "nesydm-rloo"):
        options = find_settings(name, "mnist1").method.options
        assert "objective" not in options and "open_weights" not in options


def test_a_bundled_encoder_of_another_plan_is_built_again(tmp_path: Path) -> None:
    """The encoder for pizzas, on images so small that Moose itself would choose the one for digits."""
    task = task_of("mnist1")
    shape = (1, 16, 16)
    learner = ConceptLearner(task, pizza_encoder(10, input_shape=shape, seed=3))
    learner.save(tmp_path)
    zeros = torch.zeros(2, 1, len(task.concepts), dtype=torch.int8)
    examples = Examples(task, torch.rand(2, 1, *shape, generator=torch.Generator()), zeros, zeros)
    loaded = load_predictor(tmp_path)
    assert loaded.perception.input_shape == shape
    assert np.array_equal(loaded.predict(examples).posteriors, learner.predict(examples).posteriors)


def test_a_perception_without_shape_needs_an_encoder() -> None:
    with pytest.raises(MooseError, match="expected the shape of the inputs"):
        Perception(None)
