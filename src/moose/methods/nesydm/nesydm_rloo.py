"""NeSyDM by samples: L_y = (1/t) · -log of an estimate of P(theory and evidence | w ~ p_θ(·|x, w_t)).

From E. van Krieken, P. Minervini, E. Ponti and A. Vergari, Neurosymbolic diffusion models, NeurIPS 2025; everything
else is in `nesydm`. Of S vectors w_s, R_s is 1 for those that theory and evidence allow:

    ρ = mean_s log p_θ(w_s)·sg(R_s - b_s),  b_s = mean of the other R,  μ = mean_s R_s
    L_y = -(1/t) · log(sg(μ - ρ) + ρ + ε)

(sg takes no derivative.) The value is -log μ and the derivative that of ρ divided by μ: REINFORCE with the
leave-one-out baseline of W. Kool, H. van Hoof and M. Welling, 2019. ρ's derivative is unbiased; its quotient by μ is
consistent. Where theory and evidence allow none of the samples there is nothing to learn from; `satisfied`, in the
log, is the share of those that they allow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.learning.heads import Sides
from moose.methods.nesydm.nesydm import SMALLEST, EvidenceLoss, Nesydm, Noised


@dataclass(frozen=True, slots=True)
class NesydmRloo(Nesydm):
    """The estimator by samples."""

    name: ClassVar[str] = "nesydm-rloo"

    def __post_init__(self) -> None:
        Nesydm.__post_init__(self)
        if self.samples < 2:
            raise MooseError(f"expected at least 2 samples for {self.name}, one of which is the other's baseline")

    def evidence_loss(self) -> EvidenceLoss:
        """Estimate by samples."""
        return _Sampled(self.samples)


@dataclass(frozen=True, slots=True)
class _Sampled:
    samples: int

    def __call__(self, noised: Noised) -> tuple[Tensor, Mapping[str, float]]:
        """Return the estimate for each example."""
        variables, known = noised.variables, noised.known.unsqueeze(1)
        with torch.no_grad():
            drawn = variables.draw_all(noised.sides, self.samples, noised.generator)
            values = torch.where(known != 0, known, drawn)
            rewards = variables.are_consistent(values, noised.mask).to(noised.weight.dtype)
        rho = leave_one_out(noised.sides, values, rewards)
        mean = rewards.mean(1)
        loss = -((mean - rho).detach() + rho + SMALLEST).log()
        return noised.weight * loss, {"satisfied": float(mean.mean())}


def leave_one_out(sides: Sides, values: Tensor, rewards: Tensor) -> Tensor:
    """Return ρ of each example, for values (example × sample × individual × concept) and rewards (example × sample).

    log p is linear in the log weights of atoms, so that samples are summed up before derivatives are taken.
    """
    count = rewards.shape[1]
    others = (rewards.sum(1, keepdim=True) - rewards) / (count - 1)
    shares = ((rewards - others) / count).unsqueeze(1)
    flat = values.flatten(2)
    total = torch.zeros_like(rewards[:, 0])
    for side, sign in zip(sides, (1, -1)):
        weights = torch.bmm(shares, (flat == sign).to(shares.dtype)).squeeze(1)
        total = total + (weights * side.flatten(1)).sum(1)
    return total
