"""Where a training of labels starts and when it stops: base rates, and AU(PRC) of the labels that are shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.evaluation.role_metrics import average_precision
from moose.learning.examples import Examples
from moose.learning.fit.base_rates import last_layer, start_at_base_rates
from moose.learning.fit.training_loop import Training, mean_loss
from moose.learning.labels.complete_labels import complete_examples
from moose.learning.network import ConceptNetwork
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method
from tests.grounding.tasks import ontology_of
from tests.searching import examples as searches

METHODS = ("moose", "max-constraint", "semantic-loss")
NAMES = ["A", "B", "C"]


def task_of_chain() -> Task:
    with TemporaryDirectory() as folder:
        ontology = ontology_of(Path(folder), "SubClassOf(:B :A) SubClassOf(:C :A)")
    return Task(ontology, ["x"], [], NAMES)


TASK = task_of_chain()


def rows_of(labels: list[tuple[int, int, int]], *, seed: int = 0) -> Examples:
    signs = torch.tensor(labels, dtype=torch.int8)[:, None]
    inputs = torch.randn(len(labels), 1, 4, generator=torch.Generator().manual_seed(seed))
    return Examples(TASK, inputs, signs, torch.where(signs == 0, -1, signs), allow_latent=True)


def drawn_rows(count: int, *, seed: int) -> Examples:
    """Rows whose features say what holds, of which some labels are hidden."""
    generator = np.random.default_rng(seed)
    inputs = generator.normal(size=(count, 1, 4)).astype(np.float32)
    holds = np.stack(
        [inputs[:, 0, 0] > -0.5, inputs[:, 0, 0] > 0.3, (inputs[:, 0, 0] > -0.5) & (inputs[:, 0, 1] > 0)], 1
    )
    truth = np.where(holds, 1, -1).astype(np.int8)[:, None]
    shown = np.where(generator.random(truth.shape) < 0.6, truth, 0).astype(np.int8)
    return complete_examples(Examples(TASK, *map(torch.from_numpy, (inputs, shown, truth)), allow_latent=True))


def predictor_of(name: str, examples: Examples) -> Predictor:
    method, perception = make_method(name), Perception((4,))
    predictor = Predictor(method, method.model(TASK, perception, seed=0), perception)
    predictor.look_at(examples)
    return predictor


@pytest.mark.parametrize("name", METHODS)
def test_training_starts_at_the_base_rates(name: str) -> None:
    # 10 rows: A holds of 6, B of 3, C of 1
    labels = [(1, 1, 1)] + [(1, 1, -1)] * 2 + [(1, -1, -1)] * 3 + [(-1, -1, -1)] * 4
    examples = rows_of(labels)
    predictor = predictor_of(name, examples)
    network = predictor.model.stages()[0].network
    weights = {key: value.clone() for key, value in network.state_dict().items()}
    last = last_layer(network)
    biases = next(key for key, value in network.named_parameters() if value is last.bias)
    start_at_base_rates(network, lambda: predictor.loss(examples))
    changed = [key for key, value in network.state_dict().items() if not torch.equal(value, weights[key])]
    assert changed == [biases]
    assert all(parameter.requires_grad and parameter.grad is None for parameter in network.parameters())
    with torch.no_grad():
        last.weight.zero_()
    found = predictor.predict(examples, evidence=False)
    # the semantic loss asks of the network itself what the others ask of it together with the theory
    said = (found.network if name == "semantic-loss" else found.posteriors)[0, 0]
    assert np.allclose(said, [0.6, 0.3, 0.1], atol=0.03)


LABELS = st.sampled_from([(1, 1, 1), (1, 1, -1), (1, -1, -1), (-1, -1, -1), (1, 0, 0), (0, -1, 0), (0, 0, 0)])


@given(st.lists(LABELS, min_size=1, max_size=12), st.sampled_from(METHODS))
@searches(4)
def test_a_start_at_base_rates_never_has_a_larger_loss(labels: list[tuple[int, int, int]], name: str) -> None:
    examples = rows_of(labels)
    predictor = predictor_of(name, examples)
    stage = predictor.model.stages()[0]
    last = last_layer(stage.network)
    prepared = [one for _, one in predictor.model.prepare_shapes(examples)]

    def loss_of_biases() -> float:
        kept = last.weight.detach().clone()
        with torch.no_grad():
            last.weight.zero_()
        found = mean_loss(stage.network, prepared, stage.objective)
        with torch.no_grad():
            last.weight.copy_(kept)
        return found

    before = loss_of_biases()
    start_at_base_rates(stage.network, lambda: predictor.loss(examples))
    assert loss_of_biases() <= before + 1e-3


def test_an_encoder_without_such_a_layer_is_refused() -> None:
    class Odd(nn.Module):
        def forward(self, inputs: Tensor) -> Tensor:
            return inputs[:, :3]

    with pytest.raises(MooseError, match="biases of a full layer"):
        last_layer(ConceptNetwork(Odd(), 3))


@pytest.mark.parametrize("name", ["moose", "max-constraint"])
def test_the_best_epoch_is_that_of_the_best_ranking(name: str, tmp_path: Path) -> None:
    train, valid = drawn_rows(40, seed=0), drawn_rows(30, seed=1)
    training = Training(epochs=6, batch_size=8, learning_rate=0.03, patience=6, stop_by="au_prc", base_rates=True)
    fitted = make_method(name).fit(TASK, train, training=training, validation=valid, seed=0)
    errors = [epoch.validation_loss or 0.0 for epoch in fitted.history]
    best = errors.index(min(errors)) + 1
    alone = replace(training, epochs=best, patience=None, stop_by="loss")
    again = make_method(name).fit(TASK, train, training=alone, seed=0)
    said = again.predict(valid, evidence=False).posteriors
    shown = valid.evidence.numpy()
    found = average_precision(said[shown != 0].astype(np.float64), shown[shown != 0] > 0)
    assert found is not None and errors[best - 1] == pytest.approx(1 - found, abs=1e-6)
    # one that was interrupted goes on, and comes to the same
    make_method(name).fit(TASK, train, training=replace(training, epochs=2), validation=valid, seed=0, folder=tmp_path)
    resumed = make_method(name).fit(TASK, train, training=training, validation=valid, seed=0, folder=tmp_path)
    assert [epoch.validation_loss for epoch in resumed.history] == errors
    assert np.array_equal(fitted.predict(valid).posteriors, resumed.predict(valid).posteriors)


def test_what_cannot_be_ranked_is_refused() -> None:
    training = Training(epochs=1, patience=1, stop_by="au_prc")
    positive = rows_of([(1, 0, 0), (1, 1, 0)])
    with pytest.raises(MooseError, match="labels that hold and labels that do not"):
        make_method("moose").fit(TASK, positive, training=training, validation=positive)
    mixed = rows_of([(1, 0, 0), (-1, -1, -1)])
    with pytest.raises(MooseError, match="5 stages"):
        make_method("ensemble", head="sigmoid").fit(TASK, mixed, training=training, validation=mixed)
    with pytest.raises(MooseError, match="loss or au_prc, but got 'auc'"):
        Training(stop_by="auc")  # type: ignore[arg-type]
