"""Counts far below the range of floating point, and circuits of very many levels."""

from __future__ import annotations

import math

import pytest
import torch

from moose.layer.layer import WMCLayer
from moose.layer.schedule import make_schedule
from tests.layer.examples import chain_circuit, mask, pair_layers, random_log_weights

EXECUTORS = ["fused", "torch"]


@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_a_count_of_ten_to_the_minus_3000(kind: torch.dtype) -> None:
    # Ten atoms that must all hold, each with probability 1e-300.
    size = 10
    log_p = -300 * math.log(10)
    weights = torch.cat([torch.full((1, size), log_p), torch.zeros(1, size)], 1).to(kind)
    for layer in pair_layers([(k,) for k in range(1, size + 1)], size):
        log = layer(weights)
        assert log.dtype == kind
        torch.testing.assert_close(log, torch.tensor([size * log_p], dtype=kind))
        torch.testing.assert_close(layer.posteriors(weights), torch.ones(1, size, dtype=kind))


@pytest.mark.parametrize("executor", EXECUTORS)
def test_tiny_and_ordinary_examples_in_one_batch(executor: str) -> None:
    # X1 ∨ X2: the smaller of two tiny parts still shows in the posterior.
    layer = pair_layers([(1, 2)], 2)[executor == "torch"]
    rows = [[-2000.0, -2001.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0], [-5000.0, -1.0, 0.0, -4.0]]
    weights = torch.tensor(rows, dtype=torch.float64, requires_grad=True)
    logs = layer(weights)
    expected = [-2000.0 + math.log1p(math.exp(-1.0)), math.log(3.0), -1.0]
    torch.testing.assert_close(logs, torch.tensor(expected, dtype=torch.float64))
    posteriors = layer.posteriors(weights)
    share = 1 / (1 + math.exp(-1.0))
    torch.testing.assert_close(posteriors[0], torch.tensor([share, 1 - share], dtype=torch.float64))
    assert torch.autograd.gradcheck(layer, weights)
    assert torch.autograd.gradgradcheck(layer, weights)


def test_weights_close_to_zero_and_one_keep_their_digits() -> None:
    for layer in pair_layers([(1,)], 1):
        tiny = layer(torch.tensor([[-800.0, 0.0]], dtype=torch.float64))
        assert tiny.item() == -800.0
        almost = layer(torch.tensor([[math.log1p(-1e-14), math.log(1e-14)]], dtype=torch.float64))
        assert almost.item() == pytest.approx(-1e-14, rel=1e-2)


def test_a_slope_that_no_float_holds_is_the_largest() -> None:
    for layer in pair_layers([(1, 2), (1, 3)], 3):
        probabilities = torch.tensor([[0.0, 1e-200, 1e-200]], dtype=torch.float64, requires_grad=True)
        logs = layer.from_probabilities(probabilities)
        assert logs.item() == pytest.approx(2 * math.log(1e-200))
        (slope,) = torch.autograd.grad(logs.sum(), probabilities)
        assert not slope.isnan().any() and slope[0, 0] > 1e300


@pytest.mark.parametrize("executor", EXECUTORS)
def test_many_levels(executor: str) -> None:
    length = 12_000 if executor == "fused" else 600
    layer = WMCLayer(chain_circuit(length), executor=executor)  # type: ignore[arg-type]
    assert layer.program.depth == length - 1
    # A chain of implications of n atoms has n + 1 models, and its log weights may be anything.
    weights = torch.full((2, 2 * length), math.log(0.5), dtype=torch.float64)
    weights[1, :length] = -2.0
    weights.requires_grad_()
    logs = layer(weights)
    assert logs[0].item() == pytest.approx(math.log(length + 1) - length * math.log(2.0), rel=1e-12)
    slopes = torch.autograd.grad(logs.sum(), weights)[0]
    torch.testing.assert_close(slopes[0, 0].item(), 1 / (length + 1), rtol=1e-8, atol=1e-12)
    torch.testing.assert_close((slopes[:, :length] + slopes[:, length:]), torch.ones(2, length, dtype=torch.float64))


def test_the_executors_agree_on_a_deep_circuit() -> None:
    circuit = chain_circuit(300)
    weights = random_log_weights(3, 300, seed=1, spread=3.0)
    evidence = mask([{}, {100: True}, {100: True, 200: False}], 300)
    fused, plain = (WMCLayer(circuit, executor=executor) for executor in ("fused", "torch"))
    torch.testing.assert_close(fused(weights, evidence), plain(weights, evidence))
    torch.testing.assert_close(fused.posteriors(weights, evidence), plain.posteriors(weights, evidence))
    assert fused(weights, evidence).isneginf().tolist() == [False, False, True]


def test_the_work_of_the_steps_grows_with_the_size_of_the_circuit() -> None:
    def work(length: int) -> int:
        plan = make_schedule(WMCLayer(chain_circuit(length), executor="torch").program)
        return sum(step.leaves.size + step.primes.size + step.keeps.size for step in plan.steps)

    assert work(400) <= 2.1 * work(200)
