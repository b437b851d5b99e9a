"""What every registered method must do, in every regime. A new method is found here by itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import torch

from moose.base.errors import MooseError
from moose.datasets.base.regimes import ROWS
from moose.datasets.open import Dataset, open_dataset
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.fit.watchers import Epoch, Step
from moose.methods.base.method import Method, Predictor
from moose.methods.base.perception import Perception
from moose.methods.load_predictor import load_predictor
from moose.methods.registry import METHODS, find_method, make_method
from moose.methods.settings import find_settings, read_settings
from tests.learning.toys import task_of, toy_encoder, toy_examples

ONCE = Training(epochs=1, batch_size=16)


@cache
def data_of(regime: str) -> Dataset:
    """A few real or drawn images."""
    name, size = ("digits", None) if ROWS[regime].subject == "digits" else ("pizzas", 32)
    return open_dataset(name, regime=regime, count=32, test_count=12, size=size)


QUICK = {"owl2vec": {"depth": 2, "negatives": 5, "word_epochs": 2}}
"""Options of methods that take seconds at their defaults, and whose contract does not depend on them."""


def quick(name: str) -> Method:
    """Make a method that learns quickly."""
    return make_method(name, **QUICK.get(name, {}))


@cache
def trained(method: str, regime: str) -> Predictor:
    train = data_of(regime).train
    return quick(method).fit(train.task, train, seed=3, training=ONCE)


def posteriors(predictor: Predictor, examples: Examples) -> npt.NDArray[np.float32]:
    return predictor.predict(examples).posteriors


@pytest.mark.parametrize("regime", ROWS)
@pytest.mark.parametrize("method", METHODS)
def test_predicts_probabilities_of_every_concept(method: str, regime: str) -> None:
    data, predictor = data_of(regime), trained(method, regime)
    assert np.isfinite([epoch.loss for epoch in predictor.history]).all()
    for split in data:
        examples = data[split]
        for use in (True, False):
            found = predictor.predict(examples, evidence=use)
            assert found.posteriors.shape == tuple(examples.truth.shape)
            assert ((found.posteriors >= 0) & (found.posteriors <= 1)).all()
            is_latent = np.array([concept.is_latent for concept in examples.task.concepts])
            assert np.isfinite(found.network[..., is_latent]).all()
            assert ((found.network >= 0) & (found.network <= 1))[..., is_latent].all()
            assert np.isnan(found.network[..., ~is_latent]).all()
        metrics = predictor.evaluate(examples).metrics
        assert metrics["acc_c"] is not None and 0 <= metrics["acc_c"] <= 1


@pytest.mark.parametrize("regime", ROWS)
@pytest.mark.parametrize("method", METHODS)
def test_evidence_is_believed(method: str, regime: str) -> None:
    examples = data_of(regime).test
    given = posteriors(trained(method, regime), examples)
    evidence = examples.evidence.numpy()
    assert given[evidence > 0] == pytest.approx(1.0, abs=1e-5)
    assert given[evidence < 0] == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("regime", ["mnist2", pytest.param("pizzaB", marks=pytest.mark.slow)])
@pytest.mark.parametrize("method", METHODS)
def test_the_seed_decides(method: str, regime: str) -> None:
    data, before = data_of(regime), torch.random.get_rng_state()
    first = trained(method, regime)
    torch.manual_seed(99)
    again, other = (quick(method).fit(data.train.task, data.train, seed=seed, training=ONCE) for seed in (3, 4))
    torch.random.set_rng_state(before)
    for one, two in zip(first.model.state_dict().values(), again.model.state_dict().values(), strict=True):
        assert torch.equal(one, two)
    assert (posteriors(first, data.test) == posteriors(again, data.test)).all()
    assert (first.predict(data.test).network != other.predict(data.test).network).any()


@pytest.mark.parametrize("regime", ["mnist2", "pizzaB"])
@pytest.mark.parametrize("method", METHODS)
def test_a_saved_predictor_says_the_same(method: str, regime: str, tmp_path: Path) -> None:
    predictor, examples = trained(method, regime), data_of(regime).test
    predictor.save(tmp_path)
    loaded = load_predictor(tmp_path)
    assert loaded.method == predictor.method
    for use in (True, False):
        found, wanted = (one.predict(examples, evidence=use) for one in (loaded, predictor))
        assert (found.posteriors == wanted.posteriors).all()
        assert np.array_equal(found.network, wanted.network, equal_nan=True)


def toys(count: int = 64) -> tuple[Task, Examples, Perception]:
    """Pairs of digits, each a bright pixel, and a network that sees them at once."""
    examples = toy_examples("mnist2", count)
    return task_of("mnist2"), examples, Perception(examples.input_shape, make=toy_network)


def toy_network(outputs: int, seed: int) -> torch.nn.Module:
    return toy_encoder(outputs=outputs, seed=seed)


@pytest.mark.parametrize("method", METHODS)
def test_the_loss_falls_on_an_easy_task(method: str) -> None:
    task, examples, perception = toys()
    training = Training(epochs=8, batch_size=16, learning_rate=0.02)
    history = quick(method).fit(task, examples, training=training, perception=perception).history
    for start in range(0, len(history), 8):  # each stage for itself
        losses = [epoch.loss for epoch in history[start : start + 8]]
        assert np.mean(losses[-3:]) < losses[0]


class Stop(Exception):
    pass


class Interruption:
    """Ends a training in the middle, as a kill would."""

    def __init__(self, after: int) -> None:
        self.left = after

    def step(self, report: Step) -> None:
        """Count down."""
        self.left -= 1
        if self.left < 0:
            raise Stop

    def epoch(self, report: Epoch) -> None:
        """Hear nothing."""


@pytest.mark.parametrize("method", METHODS)
def test_an_interrupted_training_ends_the_same(method: str, tmp_path: Path) -> None:
    task, examples, perception = toys(32)
    training = Training(epochs=2, batch_size=16)
    whole = quick(method).fit(task, examples, training=training, perception=perception)
    steps = len(whole.history) * 2
    with pytest.raises(Stop):
        quick(method).fit(
            task,
            examples,
            training=training,
            perception=perception,
            folder=tmp_path,
            watchers=[Interruption(steps * 3 // 4 - 1)],
        )
    resumed = quick(method).fit(task, examples, training=training, perception=perception, folder=tmp_path)
    assert [epoch.loss for epoch in resumed.history] == [epoch.loss for epoch in whole.history]
    for one, two in zip(whole.model.state_dict().values(), resumed.model.state_dict().values(), strict=True):
        assert torch.equal(one, two)


@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_option_is_named(method: str) -> None:
    with pytest.raises(MooseError, match="gamma9"):
        make_method(method, gamma9=1)


@pytest.mark.parametrize("method", METHODS)
def test_examples_of_other_concepts_are_refused(method: str) -> None:
    predictor = trained(method, "mnist1")
    with pytest.raises(MooseError, match="concepts"):
        predictor.predict(data_of("pizzaC").test)


def test_an_unknown_method_is_named() -> None:
    with pytest.raises(MooseError, match=r"beers.*bears"):
        find_method("beers")


def test_an_unknown_group_of_settings_is_named() -> None:
    with pytest.raises(MooseError, match=r"a group of settings, but got 'moose-sibling'; .*moose-siblings"):
        find_settings("moose-siblings", "mnist1", group="moose-sibling")


@pytest.mark.parametrize("regime", ROWS)
@pytest.mark.parametrize("method", METHODS)
def test_settings_of_every_cell_are_sound(method: str, regime: str) -> None:
    for source in ("paper", "ours"):
        assert find_settings(method, regime, source).method.name == method


def test_whatever_differs_from_the_paper_has_a_reason() -> None:
    for name, group in read_settings().items():
        assert name in ("shared", "moose-siblings-together", *METHODS)
        ours = group.get("ours", {})
        assert isinstance(ours, dict)
        tables = [ours, *(table for table in ours.values() if isinstance(table, dict))]
        for table in tables:
            has_values = any(not isinstance(value, dict) for key, value in table.items() if key != "why")
            assert not has_values or table.get("why"), f"{name}: {table}"
