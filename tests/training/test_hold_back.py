"""Examples that are held back are drawn by the seed, are not learnt from, and say when to stop."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
import torch

from moose.base.errors import MooseError
from moose.learning.examples import Examples
from moose.training.run import PATIENCE, Run, split_off

RUN = Run(regime="mnist1", data="digits", count=40, test_count=10, epochs=1, cover=3.0, hold_back=0.25)


def rows(examples: Examples) -> list[bytes]:
    return [one.numpy().tobytes() for one in examples.inputs]


def test_what_is_held_back_is_not_learnt_from_and_nothing_is_lost() -> None:
    train = RUN.open().train
    learnt, held = split_off(train, 0.25, seed=3)
    assert (len(learnt), len(held)) == (30, 10)
    assert sorted([*rows(learnt), *rows(held)]) == sorted(rows(train))
    for one, other in zip(split_off(train, 0.25, seed=3), (learnt, held)):
        assert torch.equal(one.inputs, other.inputs) and torch.equal(one.evidence, other.evidence)
    assert rows(split_off(train, 0.25, seed=4)[1]) != rows(held)


def test_a_run_judges_by_what_it_holds_back() -> None:
    dataset = RUN.open()
    predictor = RUN.fit(dataset)
    assert RUN.training.patience == PATIENCE
    assert predictor.history[-1].validation_loss is not None
    assert RUN.record(0.0, {"test": predictor.evaluate(dataset.test)})["configuration"]["hold_back"] == 0.25  # type: ignore[index]  # a mapping


def test_a_run_that_holds_nothing_back_is_told_as_before() -> None:
    plain = Run(regime="mnist1", data="digits", count=8, test_count=4, epochs=1)
    dataset = plain.open()
    predictor = plain.fit(dataset)
    assert plain.training.patience is None and predictor.history[-1].validation_loss is None
    assert "hold_back" not in plain.record(0.0, {"test": predictor.evaluate(dataset.test)})["configuration"]  # type: ignore[operator]  # likewise


@pytest.mark.parametrize("share", [-0.1, 1.0, 2.0, float("nan")])
def test_a_share_that_is_none_is_refused(share: float) -> None:
    with pytest.raises(MooseError, match="share of examples to hold back from 0 to below 1"):
        Run(regime="mnist1", data="digits", hold_back=share)


@pytest.mark.parametrize("share", [0.01, 0.99])
def test_a_share_that_leaves_nothing_is_refused(share: float) -> None:
    with pytest.raises(MooseError, match="of 8 examples leaves none on one side"):
        split_off(RUN.open().train.take(slice(0, 8)), share, seed=0)


def sizes(parts: Iterable[Examples]) -> list[int]:
    return [len(part) for part in parts]


@pytest.mark.parametrize(("count", "share"), [(2, 0.5), (7, 0.1), (40, 0.15)])
def test_shares_are_rounded(count: int, share: float) -> None:
    some = RUN.open().train.take(slice(0, count))
    assert sizes(split_off(some, share, seed=0)) == [count - round(share * count), round(share * count)]
