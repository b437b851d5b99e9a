"""Moose by labels against plain enumeration of worlds: each label counts by its own probability."""

from __future__ import annotations

import math
from itertools import product

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.ours.moose_labels import MooseLabels
from tests.methods.test_spl import SIZE, Drawn, Says, hierarchies, is_world, labelled, share, task_drawn
from tests.searching import examples as searches


def predictor_of(task: Task, share: float) -> Predictor:
    perception = Perception(None, make=lambda _outputs, _seed: Says())
    method = MooseLabels(share)
    return Predictor(method, method.model(task, perception, seed=0), perception)


class Spoken(nn.Module):
    """A network that always says the same."""

    def __init__(self, logits: Tensor) -> None:
        super().__init__()
        self.logits = logits

    def forward(self, inputs: Tensor) -> Tensor:
        del inputs
        return self.logits


@searches(40)
@given(hierarchies(), st.sampled_from([0.0, 0.3, 1.0]))
def test_loss_is_that_of_each_label_in_all_worlds(drawn: Drawn, share_of_labels: float) -> None:
    drawn = drawn._replace(latent=SIZE)
    task = task_drawn(drawn)
    models = [one for one in product((False, True), repeat=SIZE) if is_world(one, drawn.inclusions, drawn.disjoint)]
    signs = [
        [(1 if holds else -1) * seen for holds, seen in zip(world, shown)]
        for world, shown in zip(drawn.worlds, drawn.shown)
    ]
    known = labelled(task, drawn.logits, torch.tensor(signs, dtype=torch.int8)[:, None])
    expected = 0.0
    for logits, own in zip(drawn.logits, signs):
        whole = sum(share(world, logits) for world in models)
        agreeing = [
            world for world in models if all(not sign or holds == (sign > 0) for holds, sign in zip(world, own))
        ]
        joint = sum(share(world, logits) for world in agreeing) / whole
        expected -= (1 - share_of_labels) * math.log(joint) / len(signs)
        for column in range(SIZE):
            values = {world[column] for world in agreeing}  # one value: observed, or entailed by what is
            if len(values) == 1:
                (value,) = values
                part = sum(share(world, logits) for world in models if world[column] == value)
                expected -= share_of_labels * math.log(part / whole) / len(signs)
    assert float(predictor_of(task, share_of_labels).loss(known)) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("shift", [0.0, -3.0, 12.0])
def test_the_slope_is_that_of_the_loss_at_small_steps(shift: float) -> None:
    chain = [(below, below - 1) for below in range(1, SIZE)]
    drawn = Drawn(
        chain, [], SIZE, [[shift + 0.3 * column for column in range(SIZE)]], [(True,) * SIZE], [[True] * SIZE]
    )
    task = task_drawn(drawn)
    model = predictor_of(task, 0.6).model
    signs = torch.tensor([[[1, 1, -1, 0, 0]]], dtype=torch.int8)
    prepared = model.prepare(labelled(task, drawn.logits, signs))

    def loss(logits: Tensor) -> Tensor:
        objective = model.stages()[0].objective
        return objective(Spoken(logits), prepared, slice(None), None).loss

    logits = torch.tensor(drawn.logits, dtype=torch.float64, requires_grad=True)
    (slope,) = torch.autograd.grad(loss(logits), logits)
    for column in range(SIZE):
        step = torch.zeros_like(logits)
        step[0, column] = 1e-4
        with torch.no_grad():
            difference = float(loss(logits + step) - loss(logits - step)) / 2e-4
        assert float(slope[0, column]) == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize("share_of_labels", [-0.1, 1.5, float("nan"), True])
def test_a_share_is_a_share(share_of_labels: float) -> None:
    with pytest.raises(MooseError, match="share of moose-labels"):
        MooseLabels(share_of_labels)


@pytest.mark.parametrize("share_of_labels", [0.0, 0.3, 1.0])
def test_what_is_all_but_impossible_still_has_a_slope(share_of_labels: float) -> None:
    drawn = Drawn([(1, 0), (2, 1)], [], SIZE, [[0.0] * SIZE], [(True,) * SIZE], [[True] * SIZE])
    task = task_drawn(drawn)
    model = predictor_of(task, share_of_labels).model
    prepared = model.prepare(labelled(task, drawn.logits, torch.tensor([[[1, 0, 0, 0, 0]]], dtype=torch.int8)))
    logits = torch.tensor([[-800.0, 0.0, 0.0, 0.0, 0.0]], dtype=torch.float64, requires_grad=True)
    loss = model.stages()[0].objective(Spoken(logits), prepared, slice(None), None).loss
    (slope,) = torch.autograd.grad(loss, logits)
    assert bool(loss.isfinite()) and bool(slope.isfinite().all()) and float(slope[0, 0]) < -0.9
