"""The layer of bounds: what the two circuits count, for a batch, with derivatives that are right."""

from __future__ import annotations

import pytest
import torch

from moose.base.errors import MooseError
from moose.circuit.bounds.bounds import Bounds
from moose.circuit.bounds.compile_bounds import compile_bounds
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Limits
from moose.layer.bounds_layer import BoundsLayer
from moose.layer.layer import WMCLayer
from tests.circuit.test_bounds import grid

THEORY = grid(4)


def loose_bounds() -> Bounds:
    bounds = compile_bounds(THEORY, limits=Limits(size=1))
    assert not bounds.is_exact
    return bounds


def weights(batch: int) -> torch.Tensor:
    drawn = torch.Generator().manual_seed(0)
    logits = torch.randn(batch, len(THEORY.atoms), generator=drawn, dtype=torch.float64)
    return torch.cat([logits.sigmoid().log(), (-logits).sigmoid().log()], 1).requires_grad_()


@pytest.mark.parametrize("executor", ["fused", "torch"])
def test_the_count_of_each_example_is_between_the_bounds(executor: str) -> None:
    exact = WMCLayer(compile_circuit(THEORY))
    layer = BoundsLayer(loose_bounds(), executor=executor)  # type: ignore[arg-type]
    evidence = exact.evidence([["C(i0.0)"], ["not C(i1.1)"], []])
    log_weights = weights(3)
    found, true = layer(log_weights, evidence), exact(log_weights, evidence)
    assert (found.lower <= true + 1e-12).all() and (true <= found.upper + 1e-12).all()
    assert (found.gap > 0).any()
    assert layer.loss(log_weights, evidence) >= exact.loss(log_weights, evidence) - 1e-12
    normalised = (exact(log_weights) - true).mean()
    assert layer.loss(log_weights, evidence, normalised=True) >= normalised - 1e-12


@pytest.mark.parametrize("executor", ["fused", "torch"])
def test_gradients_of_both_bounds_are_right(executor: str) -> None:
    layer = BoundsLayer(loose_bounds(), executor=executor)  # type: ignore[arg-type]
    evidence = layer.lower.evidence([["not C(i1.1)"], []])
    log_weights = weights(2)
    assert layer(log_weights, evidence).lower.isfinite().all()
    torch.autograd.gradcheck(lambda one: layer(one, evidence).lower, (log_weights,))
    torch.autograd.gradcheck(lambda one: layer(one, evidence).upper, (log_weights,))
    torch.autograd.gradcheck(lambda one: layer.loss(one, evidence, normalised=True), (log_weights,))


def test_training_on_the_bound_trains_the_true_loss_down() -> None:
    exact, layer = WMCLayer(compile_circuit(THEORY)), BoundsLayer(loose_bounds())
    logits = torch.zeros(1, len(THEORY.atoms), dtype=torch.float64, requires_grad=True)
    evidence = exact.evidence([["C(i0.0)", "not C(i1.1)"]])
    optimiser = torch.optim.SGD([logits], lr=0.5)

    def as_weights() -> torch.Tensor:
        return torch.cat([logits.sigmoid().log(), (-logits).sigmoid().log()], 1)

    losses = []
    for _ in range(30):
        optimiser.zero_grad()
        layer.loss(as_weights(), evidence).backward()
        optimiser.step()
        losses.append(float(exact.loss(as_weights(), evidence).detach()))
    assert losses[-1] < losses[0] / 2


def test_exact_bounds_share_one_circuit() -> None:
    layer = BoundsLayer(compile_bounds(THEORY))
    found = layer(weights(2))
    assert layer.lower is layer.upper and (found.gap == 0).all()


def test_what_is_no_bounds_is_refused() -> None:
    with pytest.raises(MooseError, match=r"moose\.compile_bounds"):
        BoundsLayer(compile_circuit(THEORY))  # type: ignore[arg-type]
