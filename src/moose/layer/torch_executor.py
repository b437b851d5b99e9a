"""The torch executor: a circuit in plain torch operations, for any device and under every transform of torch.

A value is m·exp(c) with c constant: rescaling moves size from m to c without touching derivatives, so that nothing
underflows, and weights of exactly 0 keep their exact derivatives of every order, because no logarithm is taken of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from torch import Tensor

from moose.layer.schedule import Schedule


class ScaledTensor(NamedTuple):
    """Numbers m·exp(c); c takes no part in differentiation."""

    m: Tensor
    c: Tensor


class StepShape(NamedTuple):
    """A step's positions: leaf count, decisions × elements, and how many earlier decisions it passes on."""

    leaf_count: int
    shape: tuple[int, int]
    keep_count: int


class TorchWiring(NamedTuple):
    """All steps of a circuit, their positions end to end, so that they are few tensors to keep and move."""

    steps: tuple[StepShape, ...]
    root: int
    leaves: Tensor
    primes: Tensor
    subs: Tensor
    keeps: Tensor

    def to(self, device: torch.device) -> TorchWiring:
        """Return the same on a device."""
        moved = (one.to(device) for one in (self.leaves, self.primes, self.subs, self.keeps))
        return TorchWiring(self.steps, self.root, *moved)


def working_type(like: Tensor) -> torch.dtype:
    """Return float64, in which logarithms of tiny counts keep their digits, or what the device has."""
    return torch.float32 if like.device.type == "mps" else torch.float64


def rescale(m: Tensor, c: Tensor) -> ScaledTensor:
    """Move the size of m into c, where m is not 0."""
    size = m.detach()
    size = torch.where(size > 0, size, torch.ones_like(size))
    return ScaledTensor(m / size, c + size.log())


def add_up(terms: ScaledTensor) -> ScaledTensor:
    """Sum over dimension 1."""
    c = terms.c
    alive = torch.where(terms.m.detach() > 0, c, torch.full_like(c, -math.inf)).amax(1)
    top = torch.where(alive > -math.inf, alive, c.amax(1))
    # A term that is 0 may have any size of c; what it would exceed the others by is cut where exp would overflow.
    factor = (c - top.unsqueeze(1)).clamp(max=80.0 if c.dtype == torch.float32 else 700.0).exp()
    return rescale((terms.m * factor).sum(1), top)


def pick(scaled: ScaledTensor, index: Tensor) -> ScaledTensor:
    """Look rows up."""
    return ScaledTensor(scaled.m.index_select(0, index), scaled.c.index_select(0, index))


def join(first: ScaledTensor, second: ScaledTensor) -> ScaledTensor:
    """Put rows after rows."""
    return ScaledTensor(torch.cat([first.m, second.m]), torch.cat([first.c, second.c]))


def evaluate(weights: ScaledTensor, root: int, wiring: TorchWiring) -> ScaledTensor:
    """Return the value of the root slot: the WMC recursion, a step of many decisions at a time.

    v(⊤) = 1, v(⊥) = 0, v(decision) = Σₑ v(primeₑ) · v(subₑ). The first dimension of the weights is the literals.
    """
    row = (1, *weights.c.shape[1:])
    one, zero = weights.c.new_ones(row), weights.c.new_zeros(row)
    literals = join(weights, ScaledTensor(torch.cat([one, zero]), torch.cat([zero, zero])))
    if root < len(literals.m):
        return ScaledTensor(literals.m[root], literals.c[root])
    asked = pick(literals, wiring.leaves)
    counts = [step.leaf_count for step in wiring.steps]
    sizes = [step.shape[0] * step.shape[1] for step in wiring.steps]
    positions = (torch.split(wiring.primes, sizes), torch.split(wiring.subs, sizes))
    keeps = torch.split(wiring.keeps, [step.keep_count for step in wiring.steps])
    passed_on = ScaledTensor(weights.m[:0], weights.c[:0])
    for step, m, c, primes, subs, keep in zip(
        wiring.steps, torch.split(asked.m, counts), torch.split(asked.c, counts), *positions, keeps
    ):
        inputs = join(ScaledTensor(m, c), passed_on)
        left, right = pick(inputs, primes), pick(inputs, subs)
        products = ScaledTensor(
            torch.unflatten(left.m * right.m, 0, step.shape), torch.unflatten(left.c + right.c, 0, step.shape)
        )
        passed_on = join(pick(passed_on, keep), add_up(products))
    return ScaledTensor(passed_on.m[wiring.root], passed_on.c[wiring.root])


def clamp(log_weights: Tensor, evidence: Tensor | None, given: Tensor) -> tuple[Tensor, Tensor]:
    """Return the log weights of atoms and negations, -∞ for what is observed not to hold."""
    atoms = given.shape[0]
    positive, negative = log_weights[..., :atoms], log_weights[..., atoms:]
    is_true, is_false = given > 0, given < 0
    if evidence is not None:
        is_true, is_false = is_true | (evidence > 0), is_false | (evidence < 0)
    return positive.masked_fill(is_false, -math.inf), negative.masked_fill(is_true, -math.inf)


def log_sum(positive: Tensor, negative: Tensor) -> Tensor:
    """Return the logarithm of the sum of two exponentials; -∞ with derivative 0 if both are 0."""
    high = torch.maximum(positive, negative).detach()
    high = torch.where(high == -math.inf, torch.zeros_like(high), high)
    total = (positive - high).exp() + (negative - high).exp()
    is_zero = total == 0
    logarithm = torch.where(is_zero, torch.ones_like(total), total).log() + high
    return torch.where(is_zero, torch.full_like(logarithm, -math.inf), logarithm)


def weights_from_logs(positive: Tensor, negative: Tensor) -> tuple[ScaledTensor, Tensor]:
    """Normalise each pair; return the weights, literals first, and the logarithm of what they were divided by."""
    sums = log_sum(positive, negative)
    shift = torch.where(sums == -math.inf, torch.zeros_like(sums), sums)
    logs = torch.cat([positive - shift, negative - shift], -1).movedim(-1, 0)
    c = logs.detach()
    c = torch.where(c == -math.inf, torch.zeros_like(c), c)
    return ScaledTensor((logs - c).exp(), c), sums


def log_count(value: ScaledTensor, sums: Tensor) -> Tensor:
    """Return log WMC; -∞ with derivative 0 where there is no model."""
    is_empty = (value.m.detach() == 0) | (sums.detach() == -math.inf).any(-1)
    safe = torch.where(is_empty, torch.ones_like(value.m), value.m).log() + value.c
    total = safe + torch.where(is_empty.unsqueeze(-1), torch.zeros_like(sums), sums).sum(-1)
    return torch.where(is_empty, torch.full_like(total, -math.inf), total)


def count(log_weights: Tensor, evidence: Tensor | None, given: Tensor, root: int, wiring: TorchWiring) -> Tensor:
    """Return log WMC; the last dimension of the log weights is the literals."""
    exact = log_weights.to(working_type(log_weights))
    weights, sums = weights_from_logs(*clamp(exact, evidence, given))
    return log_count(evaluate(weights, root, wiring), sums).to(log_weights.dtype)


def marginals(log_weights: Tensor, evidence: Tensor | None, given: Tensor, root: int, wiring: TorchWiring) -> Tensor:
    """Return the probability of every literal: the derivative of log WMC by its log weight."""
    slope: Tensor = torch.func.grad(lambda x: count(x, evidence, given, root, wiring).sum())(log_weights)
    return slope.clamp(0.0, 1.0)


def count_probabilities(
    probabilities: Tensor, evidence: Tensor | None, given: Tensor, root: int, wiring: TorchWiring
) -> Tensor:
    """Return log WMC for the weights p and 1 - p, with exact derivatives where p is 0 or 1."""
    exact = probabilities.to(working_type(probabilities))
    is_true, is_false = given > 0, given < 0
    if evidence is not None:
        is_true, is_false = is_true | (evidence > 0), is_false | (evidence < 0)
    # What is observed is divided out, as every pair is: the pair becomes 1 and 0, its sum stays in the result.
    one, zero = torch.ones_like(exact), torch.zeros_like(exact)
    observed = torch.where(is_true, exact, one) * torch.where(is_false, 1 - exact, one)
    observed = torch.where(is_true & is_false, zero, observed)
    is_zero = observed.detach() == 0
    sums = torch.where(is_zero, one, observed).log()
    sums = torch.where(is_zero, torch.full_like(sums, -math.inf), sums)
    positive = torch.where(is_true, one, torch.where(is_false, zero, exact))
    pairs = torch.cat([positive, 1 - positive], -1).movedim(-1, 0)
    return log_count(evaluate(rescale(pairs, torch.zeros_like(pairs)), root, wiring), sums).to(probabilities.dtype)


def make_wiring(schedule: Schedule) -> TorchWiring:
    """Turn a plan into tensors."""

    def flat(name: str) -> Tensor:
        parts = [torch.from_numpy(getattr(step, name)).flatten() for step in schedule.steps]
        return torch.cat(parts) if parts else torch.zeros(0, dtype=torch.int64)

    shapes = [(step.primes.shape[0], step.primes.shape[1]) for step in schedule.steps]
    steps = tuple(StepShape(len(step.leaves), shape, len(step.keeps)) for step, shape in zip(schedule.steps, shapes))
    return TorchWiring(steps, schedule.root, flat("leaves"), flat("primes"), flat("subs"), flat("keeps"))
