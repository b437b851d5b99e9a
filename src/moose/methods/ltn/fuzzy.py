"""Fuzzy logic: the product t-norm with its sum and Reichenbach's implication, and means that stand for quantifiers.

From Badreddine, d'Avila Garcez, Serafini and Spranger 2022, "Logic Tensor Networks", Artificial Intelligence 303,
sections 2.4 and 3.1; truth values lie between 0 and 1.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor

Aggregator = Literal["error", "mean"]
AGGREGATORS: tuple[Aggregator, ...] = ("error", "mean")

EPSILON = 1e-4
"""How far values are moved from where the derivative of a root has no bound (section 3.1.4 there)."""


def conjunction(first: Tensor, second: Tensor) -> Tensor:
    """a ∧ b = a·b"""
    return first * second


def disjunction(first: Tensor, second: Tensor) -> Tensor:
    """a ∨ b = a + b - a·b"""
    return first + second - first * second


def implication(first: Tensor, second: Tensor) -> Tensor:
    """a → b = 1 - a + a·b"""
    return 1 - first + first * second


def any_of(values: Tensor, dim: int = -1) -> Tensor:
    """v₁ ∨ … ∨ vₙ = 1 - Π (1 - vᵢ)"""
    return 1 - (1 - values).prod(dim)


def p_mean(values: Tensor, p: float, *, where: Tensor | None = None) -> Tensor:
    """Return (mean of vᵖ)^(1/p) over the last dimension: near the largest value, so it stands for ∃.

    Where `where` is false, a value does not count; where none counts, the result is that of falsity.

    >>> round(p_mean(torch.tensor([1.0, 1.0, 1.0, 0.0]), 4).item(), 2)
    0.93
    """
    powers = ((1 - EPSILON) * values + EPSILON) ** p
    if where is None:
        return powers.mean(-1) ** (1 / p)
    counts = where.sum(-1)
    total = torch.where(where, powers, 0.0).sum(-1)
    return torch.where(counts > 0, total / counts.clamp_min(1), EPSILON**p) ** (1 / p)


def p_mean_error(values: Tensor, p: float, *, where: Tensor | None = None) -> Tensor:
    """Return 1 - (mean of (1 - v)ᵖ)^(1/p) over the last dimension: near the least value, so it stands for ∀.

    >>> round(p_mean_error(torch.tensor([1.0, 1.0, 1.0, 0.0]), 4).item(), 2)
    0.29
    """
    return 1 - p_mean(1 - values, p, where=where)


def for_all(values: Tensor, aggregator: Aggregator, p: float, *, where: Tensor | None = None) -> Tensor:
    """Aggregate by the p-mean error, or by the p-mean as the paper has it."""
    return (p_mean_error if aggregator == "error" else p_mean)(values, p, where=where)
