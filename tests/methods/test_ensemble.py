"""An ensemble is the mean of what its members would say, each trained by itself."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from moose.base.errors import MooseError
from moose.learning.fit.training_loop import Training
from moose.learning.loss.cover import Cover
from moose.learning.loss.objective import encode
from moose.methods.base.answers import answer_of, circuit_posteriors
from moose.methods.base.perception import Perception, member_seeds
from moose.methods.ensemble import Ensemble, EnsembleModel
from moose.methods.ours.moose import Moose
from tests.learning.toys import task_of, toy_encoder, toy_examples

TWICE = Training(epochs=2, batch_size=16, learning_rate=0.02)


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs, seed=seed)


PERCEPTION = Perception((1, 1, 10), make=toy_network)


def same_weights(one: nn.Module, other: nn.Module) -> bool:
    return all(torch.equal(mine, its) for mine, its in zip(one.parameters(), other.parameters(), strict=True))


@pytest.mark.parametrize("head", ["sigmoid", "softmax"])
def test_one_member_is_the_plain_method(head: str) -> None:
    examples = toy_examples("mnist2", 48)
    ensemble, plain = (
        method.fit(examples.task, examples, seed=5, training=TWICE, perception=PERCEPTION)
        for method in (Ensemble(members=1, head=head), Moose(head=head))  # type: ignore[arg-type]
    )
    for use in (True, False):
        found, wanted = (one.predict(examples, evidence=use) for one in (ensemble, plain))
        assert np.array_equal(found.posteriors, wanted.posteriors)
        assert np.array_equal(found.network, wanted.network, equal_nan=True)


@pytest.mark.parametrize("use", [True, False])
def test_posteriors_are_averaged_not_counted_from_averages(use: bool) -> None:
    examples, rows = toy_examples("mnist2", 24, share=0.3), slice(0, 24)
    predictor = Ensemble(members=3).fit(examples.task, examples, training=TWICE, perception=PERCEPTION)
    model = predictor.model
    assert isinstance(model, EnsembleModel)
    prepared = model.prepare(examples)
    with torch.no_grad():
        said = [answer_of(member, prepared, rows, use_evidence=use) for member in model.members]
        probabilities = sum(encode(member, prepared, rows).double().softmax(-1) for member in model.members) / 3
        assert isinstance(probabilities, torch.Tensor)
        sides = prepared.weight_map.head.sides(probabilities.log())
        counted = circuit_posteriors(prepared, rows, sides, use_evidence=use).numpy()
    found = predictor.predict(examples, evidence=use)
    assert found.posteriors == pytest.approx(sum(one.posteriors.numpy() for one in said) / 3, abs=1e-6)
    assert found.network[..., :10] == pytest.approx(probabilities.numpy(), abs=1e-6)
    assert np.abs(found.posteriors - counted).max() > 1e-3


def test_members_are_distinct_and_not_shared_by_neighbouring_seeds() -> None:
    seeds = [seed for first in range(20) for seed in member_seeds(first, 5)]
    assert len(set(seeds)) == len(seeds)
    assert member_seeds(3, 4) == member_seeds(3, 5)[:4]
    model = Ensemble().model(task_of("mnist1"), PERCEPTION, seed=0)
    assert len(model.stages()) == 5
    assert not any(same_weights(model.members[0], other) for other in model.members[1:])


@pytest.mark.parametrize(
    ("regime", "options", "cover"),
    [
        ("mnist1", {}, None),
        ("mnist1", {"cover_weight": 2.0, "cover_epochs": 4.0}, Cover(2.0, 4.0)),
        ("mnist1", {"cover_weight": 2.0, "cover_epochs": 0}, None),
        ("pizzaA", {"cover_weight": 2.0}, None),
    ],
)
def test_the_cover_is_there_if_asked_for_and_there_is_a_family(
    regime: str, options: dict[str, float], cover: Cover | None
) -> None:
    model = Ensemble(members=2, **options).model(task_of(regime), PERCEPTION, seed=0)  # type: ignore[arg-type]
    assert model.objective.cover == cover


@pytest.mark.parametrize(
    "options", [{"members": 0}, {"members": 2.5}, {"head": "tanh"}, {"cover_weight": -1.0}, {"cover_epochs": "3"}]
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match=f"{next(iter(options))}.*ensemble"):
        Ensemble(**options)  # type: ignore[arg-type]
