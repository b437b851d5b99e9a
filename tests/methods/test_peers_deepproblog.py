"""Values and gradients of queries against the package `deepproblog`, example by example; `make peers` installs it."""

from __future__ import annotations

from functools import cache

import pytest
import torch

from moose.datasets.base.regimes import ROWS
from moose.datasets.open import open_dataset
from moose.learning.fit.training_loop import Training
from moose.learning.loss.objective import Prepared
from moose.methods.base.perception import Perception
from moose.methods.deepproblog.deepproblog import Deepproblog, ProgramModel
from tests.learning.toys import toy_encoder, toy_examples

for package in ("deepproblog", "problog"):
    pytest.importorskip(package, reason=f"{package} is not installed: make peers")


def toy_network(outputs: int, seed: int) -> torch.nn.Module:
    return toy_encoder(outputs=outputs, seed=seed)


@cache
def prepared_of(regime: str, count: int) -> tuple[ProgramModel, Prepared]:
    name, size = ("digits", None) if ROWS[regime].subject == "digits" else ("pizzas", 16)
    train = open_dataset(name, regime=regime, count=count, test_count=1, size=size).train
    model = Deepproblog().model(train.task, Perception(train.input_shape), seed=0)
    return model, model.prepare(train)


def compare(regime: str, count: int) -> None:
    model, prepared = prepared_of(regime, count)
    generator = torch.Generator().manual_seed(0)
    shape = (count, len(prepared.examples.task.individuals), model.network.outputs)
    logits = (2 * torch.randn(shape, generator=generator, dtype=torch.float64)).requires_grad_()
    everything = slice(None)
    ours = model.log_probabilities(prepared, everything, logits)
    theirs = model.package_log_probabilities(prepared, everything, logits)
    assert ours.detach().numpy() == pytest.approx(theirs.detach().numpy(), rel=1e-9, abs=1e-12)
    slopes, wished = (torch.autograd.grad(one.sum(), logits)[0] for one in (ours, theirs))
    assert slopes.numpy() == pytest.approx(wished.numpy(), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("regime", ROWS)
def test_a_few_queries(regime: str) -> None:
    compare(regime, 6)


@pytest.mark.slow
@pytest.mark.parametrize("regime", ROWS)
def test_many_queries(regime: str) -> None:
    compare(regime, 150)


def test_a_query_without_literals() -> None:
    examples = toy_examples("mnist2", 1, share=0.0)
    model = Deepproblog().model(examples.task, Perception(examples.input_shape, make=toy_network), seed=0)
    prepared, logits = model.prepare(examples), torch.zeros(1, 2, 10, dtype=torch.float64)
    found = model.package_log_probabilities(prepared, slice(None), logits)
    assert float(found.exp()) == pytest.approx(0.1)


def test_training_by_the_package_ends_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    examples = toy_examples("mnist1", 12, share=0.5)
    perception = Perception(examples.input_shape, make=toy_network)
    ours, theirs = (
        Deepproblog(engine).fit(
            examples.task, examples, training=Training(epochs=2, batch_size=6), perception=perception
        )
        for engine in ("vectorised", "package")
    )
    for one, two in zip(ours.model.state_dict().values(), theirs.model.state_dict().values(), strict=True):
        assert one.numpy() == pytest.approx(two.numpy(), rel=1e-4, abs=1e-6)
    assert theirs.predict(examples).posteriors == pytest.approx(ours.predict(examples).posteriors, abs=1e-4)
    assert capsys.readouterr().out == ""
