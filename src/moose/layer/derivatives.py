"""Derivatives of what an executor counts, found by its own passes and not operation by operation."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count as numbers
from typing import Any, Protocol
from weakref import WeakValueDictionary

import torch
from torch import Tensor
from torch.library import custom_op

from moose.base.errors import MooseError
from moose.layer import torch_executor as plain
from moose.layer.kernels.linear import MARGINALS, NOTHING, SLOPES
from moose.layer.program import Program

is_transforming = torch._C._are_functorch_transforms_active  # torch has no public way to ask for vmap, grad and jvp


class Runner(Protocol):
    """An executor with a circuit: examples are rows, the columns of weights are literals."""

    @property
    def program(self) -> Program:
        """The circuit."""

    @property
    def plain_arguments(self) -> tuple[Tensor, int, plain.TorchWiring]:
        """What the functions of `torch_executor`, which any transform takes, need besides weights and evidence."""

    def run(self, log_weights: Tensor, evidence: Tensor | None, wants: int) -> tuple[Tensor, Tensor]:
        """Return log WMC of each example and what else is wanted: marginals of literals, slopes by probabilities."""

    def scale(self, marginals: Tensor, slope: Tensor) -> Tensor:
        """Return the marginals of each example times its slope; neither is differentiated."""

    def change(self, log_weights: Tensor, evidence: Tensor | None, directions: Tensor) -> Tensor:
        """Return how the marginals change along directions of the log weights."""


class LogCount(torch.autograd.Function):
    """log WMC; its derivative by a literal's log weight is the probability of the literal."""

    @staticmethod
    def forward(ctx: Any, log_weights: Tensor, evidence: Tensor | None, runner: Runner) -> Tensor:
        """Count, and keep the marginals, which the same pass finds."""
        logs, marginals = runner.run(log_weights, evidence, MARGINALS)
        # Only second derivatives need the weights. `save_for_backward` would cost every call 2 μs, of some 60.
        ctx.kept = marginals, log_weights, log_weights._version, evidence, runner
        return logs

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        """Multiply the marginals by the slope; differentiably, if asked."""
        marginals, log_weights, version, evidence, runner = ctx.kept
        if torch.is_grad_enabled():
            if log_weights._version != version:
                raise MooseError("the log weights were changed in place after the layer saw them; give it a copy")
            return find_marginals(log_weights, evidence, runner) * slope.unsqueeze(1), None, None
        if is_transforming():
            return marginals * slope.unsqueeze(1), None, None
        return runner.scale(marginals, slope), None, None


class Marginals(torch.autograd.Function):
    """The probability of each literal, which is differentiable itself."""

    @staticmethod
    def forward(ctx: Any, log_weights: Tensor, evidence: Tensor | None, runner: Runner) -> Tensor:
        """Count and keep the marginals only."""
        _, marginals = runner.run(log_weights, evidence, MARGINALS)
        ctx.save_for_backward(log_weights)
        ctx.evidence, ctx.runner = evidence, runner
        return marginals

    @staticmethod
    def backward(ctx: Any, direction: Tensor) -> tuple[Tensor, None, None]:
        """Apply the second derivative of log WMC, which is symmetric; by torch operations if more are to follow."""
        (log_weights,) = ctx.saved_tensors
        if not torch.is_grad_enabled():
            return ctx.runner.change(log_weights, ctx.evidence, direction), None, None
        marginals = plain.marginals(log_weights, ctx.evidence, *ctx.runner.plain_arguments)
        return torch.autograd.grad(marginals, log_weights, direction, create_graph=True)[0], None, None


class LogCountOfProbabilities(torch.autograd.Function):
    """log WMC for the weights p and 1 - p, in float64; its derivative is (WMC given X - WMC given ¬X) / WMC."""

    @staticmethod
    def forward(ctx: Any, probabilities: Tensor, evidence: Tensor | None, runner: Runner) -> Tensor:
        """Count, and keep the derivative."""
        log_weights = torch.cat([probabilities.log(), (-probabilities).log1p()], 1)
        logs, slopes = runner.run(log_weights, evidence, SLOPES)
        given = torch.from_numpy(runner.program.given)
        observed = given if evidence is None else given + evidence
        # The pair of an observed atom is w and 0, whose sum w is no part of the circuit: its logarithm has slope 1 / w.
        slopes = torch.where(observed > 0, 1 / probabilities, slopes)
        slopes = torch.where(observed < 0, 1 / (probabilities - 1), slopes)
        ctx.save_for_backward(probabilities)
        ctx.kept = torch.where(logs.isneginf().unsqueeze(1), 0.0, slopes), evidence, runner
        return logs

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None]:
        """Multiply; by torch operations if the result is to be differentiated again."""
        slopes, evidence, runner = ctx.kept
        if not torch.is_grad_enabled():
            return slopes * slope.unsqueeze(1), None, None
        (probabilities,) = ctx.saved_tensors
        logs = plain.count_probabilities(probabilities, evidence, *runner.plain_arguments)
        return torch.autograd.grad(logs, probabilities, slope, create_graph=True)[0], None, None


# `Function.apply` first looks for functorch's transforms. The layer has done so, and that takes 3 μs of some 50.
apply_directly: Callable[..., Tensor] = super(torch.autograd.Function, LogCount).apply
find_marginals: Callable[..., Tensor] = Marginals.apply
count_exactly: Callable[..., Tensor] = LogCountOfProbabilities.apply


def count(runner: Runner, log_weights: Tensor, evidence: Tensor | None) -> Tensor:
    """Return log WMC, with its graph only where one is wanted."""
    if log_weights.requires_grad and torch.is_grad_enabled():
        return apply_directly(log_weights, evidence, runner)
    return runner.run(log_weights, evidence, NOTHING)[0]


def marginals(runner: Runner, log_weights: Tensor, evidence: Tensor | None) -> Tensor:
    """Return the probability of every literal, with its graph only where one is wanted."""
    if log_weights.requires_grad and torch.is_grad_enabled():
        return find_marginals(log_weights, evidence, runner)
    return runner.run(log_weights, evidence, MARGINALS)[1]


def count_probabilities(runner: Runner, probabilities: Tensor, evidence: Tensor | None) -> Tensor:
    """Return log WMC for the weights p and 1 - p."""
    exact = probabilities.to(torch.float64)
    return count_exactly(exact, evidence, runner).to(probabilities.dtype)


# ── Under torch.compile ───────────────────────────────────────────────────────────────────────────────────────────
# An executor is one operator of the compiled graph, and not hundreds of operations to be compiled one by one. Operators
# take tensors and numbers only, so that an executor goes by its number.

_RUNNERS = WeakValueDictionary[int, Runner]()
_NUMBERS = numbers()


def register(runner: Runner) -> int:
    """Give an executor the number by which the operators know it."""
    number = next(_NUMBERS)
    _RUNNERS[number] = runner
    return number


@custom_op("moose::count", mutates_args=())
def count_operator(log_weights: Tensor, evidence: Tensor | None, number: int) -> tuple[Tensor, Tensor]:
    """Return log WMC, and the marginals for its derivative, which have none themselves."""
    return _RUNNERS[number].run(log_weights, evidence, MARGINALS)


@custom_op("moose::marginals", mutates_args=())
def marginals_operator(log_weights: Tensor, evidence: Tensor | None, number: int) -> Tensor:
    """Return the probability of every literal."""
    return _RUNNERS[number].run(log_weights, evidence, MARGINALS)[1]


@custom_op("moose::change", mutates_args=())
def change_operator(log_weights: Tensor, evidence: Tensor | None, directions: Tensor, number: int) -> Tensor:
    """Return how the marginals change along directions of the log weights."""
    return _RUNNERS[number].change(log_weights, evidence, directions)


@custom_op("moose::scale", mutates_args=())
def scale_operator(marginals: Tensor, slope: Tensor, number: int) -> Tensor:
    """Return the marginals of each example times its slope; torch would build a kernel for that, which takes long."""
    return _RUNNERS[number].scale(marginals, slope)


def _keep_marginals(ctx: Any, inputs: tuple[Tensor, Tensor | None, int], output: tuple[Tensor, Tensor]) -> None:
    ctx.save_for_backward(output[1])
    ctx.number = inputs[2]


def _count_backward(ctx: Any, slope: Tensor, _: Tensor) -> tuple[Tensor, None, None]:
    return scale_operator(*ctx.saved_tensors, slope, ctx.number), None, None


def _keep_inputs(ctx: Any, inputs: tuple[Tensor, Tensor | None, int], output: Tensor) -> None:
    del output
    ctx.save_for_backward(*inputs[:2])
    ctx.number = inputs[2]


def _marginals_backward(ctx: Any, directions: Tensor) -> tuple[Tensor, None, None]:
    return change_operator(*ctx.saved_tensors, directions, ctx.number), None, None


count_operator.register_fake(lambda weights, *_: (weights.new_empty(weights.shape[0]), torch.empty_like(weights)))
marginals_operator.register_fake(lambda weights, *_: torch.empty_like(weights))
change_operator.register_fake(lambda weights, *_: torch.empty_like(weights))
scale_operator.register_fake(lambda marginals, *_: torch.empty_like(marginals))
count_operator.register_autograd(_count_backward, setup_context=_keep_marginals)
marginals_operator.register_autograd(_marginals_backward, setup_context=_keep_inputs)
