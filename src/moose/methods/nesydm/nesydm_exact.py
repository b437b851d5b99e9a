"""NeSyDM with exact counts: L_y = (1/t) · -log WMC(α; p_θ(·|x, w_t), e), at every t, through the circuit.

From E. van Krieken, P. Minervini, E. Ponti and A. Vergari, Neurosymbolic diffusion models, NeurIPS 2025, with the
circuit in the place of samples; everything else is in `nesydm`. What is not masked weighs as a point mass. As w0 was
drawn given the evidence, the count is positive whatever is masked.

With `averaged`, the variant that the Moose paper describes: -log WMC(α; q̄, e) with q̄ the mean of the marginals over
vectors w_t at `steps` times. A product of means is not a mean of products, and values that were drawn are part of q̄
without a derivative: another quantity, kept for comparison.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from moose.learning.heads import Sides
from moose.learning.loss.likelihood import weigh
from moose.methods.base.options import check_flags
from moose.methods.nesydm.nesydm import SMALLEST, EvidenceLoss, Nesydm, Noised

MARGIN = 1e-6
"""How near a mean of marginals may come to 0 and 1, where its logarithm has no derivative."""


@dataclass(frozen=True, slots=True)
class NesydmExact(Nesydm):
    """The exact estimator."""

    name: ClassVar[str] = "nesydm-exact"
    averaged: bool = False
    """Count once with mean marginals."""

    def __post_init__(self) -> None:
        Nesydm.__post_init__(self)
        check_flags(self.name, averaged=self.averaged)

    def evidence_loss(self) -> EvidenceLoss:
        """Count exactly."""
        return _Averaged(self.steps) if self.averaged else exact_loss


def exact_loss(noised: Noised) -> tuple[Tensor, Mapping[str, float]]:
    """Return -log WMC of each example, weighed by its time."""
    evidence = noised.variables.evidence(noised.mask, noised.known)
    return -noised.weight * _count(noised, noised.sides, evidence), {}


@dataclass(frozen=True, slots=True)
class _Averaged:
    times: int

    def __call__(self, noised: Noised) -> tuple[Tensor, Mapping[str, float]]:
        """Return -log WMC with mean marginals."""
        variables, rows = noised.variables, len(noised.mask)
        time = (torch.arange(self.times) + 0.5).div(self.times).repeat(rows)
        draws = torch.rand(rows * self.times, variables.count, generator=noised.generator)
        known = variables.masked(noised.values.repeat_interleave(self.times, 0), draws < time.unsqueeze(1))
        predicted = noised.sides_given(known).positive.exp()
        marginals = torch.where(known != 0, (known > 0).to(predicted.dtype), predicted)
        mean = torch.unflatten(marginals, 0, (rows, self.times)).mean(1).clamp(MARGIN, 1 - MARGIN)
        is_family = variables.is_family[variables.variable_of].view(mean.shape[1:])
        negative = torch.where(is_family, torch.zeros_like(mean), (-mean).log1p())
        return -_count(noised, Sides(mean.log(), negative), noised.mask), {}


def _count(noised: Noised, sides: Sides, evidence: Tensor) -> Tensor:
    """Return log WMC; a constant where w0 is inconsistent, which only the paper's resampling draws."""
    weight_map = noised.variables.weight_map
    logs = weigh(weight_map, sides, evidence).log_likelihood()
    return logs.masked_fill(logs.isneginf(), math.log(SMALLEST))
