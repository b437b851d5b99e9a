"""A run's network, and what its split `valid` is for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import nn

from moose.base.errors import MooseError
from moose.datasets.open import Dataset
from moose.learning.examples import Examples, joined_examples
from moose.training.run import PATIENCE, Run, best_epoch
from tests.learning.toys import task_of

RUN = Run(regime="mnist1", data="digits", by="independent", epochs=1, hidden=(7, 5), dropout=0.5, weight_decay=1e-4)


def vectors(count: int, *, seed: int) -> Examples:
    drawn = torch.Generator().manual_seed(seed)
    evidence = torch.zeros(count, 1, 14, dtype=torch.int8)
    evidence[:, 0, 10] = torch.randint(0, 2, (count,), generator=drawn, dtype=torch.int8) * 2 - 1
    return Examples(TASK, torch.randn(count, 1, 3, generator=drawn), evidence, torch.zeros_like(evidence))


TASK = task_of("mnist1")
DATA = Dataset(
    "digits", "mnist1", {"train": vectors(12, seed=0), "valid": vectors(6, seed=1), "test": vectors(4, seed=2)}
)


def test_layers_and_dropout_are_those_that_are_asked_for() -> None:
    predictor = RUN.fit(DATA)
    layers = list(predictor.model.modules())
    assert [one.out_features for one in layers if isinstance(one, nn.Linear)] == [7, 5, 14]
    assert [one.p for one in layers if isinstance(one, nn.Dropout)] == [0.5, 0.5]
    record = RUN.record(0.0, {"test": predictor.evaluate(DATA.test)})["configuration"]
    assert isinstance(record, dict)
    assert (record["hidden"], record["dropout"], record["weight_decay"]) == ((7, 5), 0.5, 1e-4)
    assert "valid" not in record and "patience" not in record
    assert RUN.training.optimiser(predictor.model).defaults["weight_decay"] == 1e-4


def test_images_have_no_such_layers() -> None:
    with pytest.raises(MooseError, match="feature vectors, but an input is 1×8×8"):
        RUN.perception((1, 8, 8))


def test_valid_tells_when_to_stop() -> None:
    stopping = replace(RUN, valid="stop")
    learnt, held = stopping.split(DATA)
    assert learnt is DATA.train and held is DATA["valid"]
    assert stopping.training.patience == PATIENCE and replace(stopping, patience=2).training.patience == 2
    assert stopping.fit(DATA).history[-1].validation_loss is not None
    assert list(stopping.to_judge(DATA)) == ["train", "valid", "test"]


def test_valid_is_learnt_from() -> None:
    learning = replace(RUN, valid="learn")
    learnt, held = learning.split(DATA)
    assert held is None and learning.training.patience is None
    assert torch.equal(learnt.inputs, torch.cat([DATA.train.inputs, DATA["valid"].inputs]))
    assert torch.equal(learnt.evidence[12:], DATA["valid"].evidence)
    assert list(learning.to_judge(DATA)) == ["train", "test"]


def test_a_second_training_learns_from_all_for_the_best_number_of_epochs(tmp_path: Path) -> None:
    refitting = replace(RUN, valid="refit", epochs=6, patience=6)
    searched = replace(refitting, valid="stop").fit(DATA)
    losses = [epoch.validation_loss or 0.0 for epoch in searched.history]
    best = losses.index(min(losses)) + 1
    assert best_epoch(searched) == best
    plain = replace(refitting, valid="learn", epochs=best).fit(DATA)
    for folder in (None, tmp_path, tmp_path):  # the third goes on where the second ended
        found = refitting.fit(DATA, folder=folder)
        assert [epoch.loss for epoch in found.history] == [epoch.loss for epoch in plain.history]
    assert list(refitting.to_judge(DATA)) == ["train", "test"] and refitting.training.patience is None


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(MooseError, match="stop, learn or refit"):
        Run(regime="mnist1", data="digits", valid="perhaps")
    with pytest.raises(MooseError, match="choose one"):
        Run(regime="mnist1", data="digits", valid="stop", hold_back=0.1)
    with pytest.raises(MooseError, match="dropout from 0 to below 1"):
        replace(RUN, dropout=1.0).perception((3,))
    with pytest.raises(MooseError, match="weight decay"):
        _ = replace(RUN, weight_decay=-1.0).training


def test_groups_of_other_tasks_are_not_joined() -> None:
    other = Examples(task_of("mnist1"), DATA.test.inputs, DATA.test.evidence, DATA.test.truth)
    assert len(joined_examples([DATA.train, DATA.test])) == 16
    if other.task is not TASK:
        with pytest.raises(MooseError, match="of one task"):
            joined_examples([DATA.train, other])
    graphs = Examples(TASK, DATA.test.inputs, DATA.test.evidence, DATA.test.truth, individuals=[["a"]] * 4)
    with pytest.raises(MooseError, match="graphs of their own"):
        joined_examples([DATA.train, graphs])
