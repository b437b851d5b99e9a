"""Masked diffusion over latent variables: how much is masked, and the way back, conditioned on theory and evidence.

In continuous time, t ~ U(0, 1), each of d variables is masked with probability t, and a loss that depends on what is
masked is divided by t. Given that n are masked, all sets of n are alike, and the integral over time is a number:

    ∫ (1/t) · C(d, n) · t^n · (1 - t)^(d - n) dt = 1/n

so that the same loss is a sum over n of the mean over sets of n variables, divided by n. Drawing n with a probability
in proportion to 1/n gives every draw one and the same weight, 1 + 1/2 + … + 1/d, where 1/t has no bound at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from torch import Tensor

from moose.learning.heads import Sides
from moose.learning.loss.likelihood import weigh
from moose.methods.base.latent_variables import LatentVariables

Times = Literal["integrated", "drawn"]
TIMES: tuple[Times, ...] = ("integrated", "drawn")
EARLIEST = 1e-2
"""1/t is cut here where times are drawn: below, hardly anything is masked, and what is would outweigh a whole batch."""


class Masking(NamedTuple):
    """What is masked in each example, and what its loss then weighs."""

    is_masked: Tensor
    """bool, example × variable."""
    weight: Tensor
    """example."""


def draw_masks(examples: int, variables: int, times: Times, generator: torch.Generator) -> Masking:
    """Draw what is masked: by time, or with time integrated out."""
    if times == "drawn":
        time = torch.rand(examples, generator=generator)
        is_masked = torch.rand(examples, variables, generator=generator) < time.unsqueeze(1)
        return Masking(is_masked, torch.where(is_masked.any(1), 1 / time.clamp_min(EARLIEST), torch.zeros(examples)))
    shares = 1 / torch.arange(1, variables + 1, dtype=torch.float64)
    number = 1 + torch.multinomial(shares, examples, replacement=True, generator=generator)
    rank = torch.rand(examples, variables, generator=generator).argsort(1).argsort(1)
    return Masking(rank < number.unsqueeze(1), torch.full((examples,), float(shares.sum())))


@dataclass(frozen=True, eq=False)
class Path:
    """How masked vectors are filled, one variable after the other."""

    orders: Tensor
    """int64, row × variable: which variable comes when; each order is as likely as any other."""
    uniforms: Tensor
    """row × variable: what decides the value of each."""
    steps: int
    """How often at most the network is asked; between, variables are drawn from what it said last."""

    def asks_at(self, position: int) -> bool:
        """Return whether the network is asked before the variable at that position is drawn."""
        count = self.orders.shape[1]
        return count <= self.steps or position * self.steps // count != (position - 1) * self.steps // count


@dataclass(frozen=True, slots=True)
class Resampling:
    """How values are drawn without exact posteriors."""

    proposals: int
    """The paper's K."""
    beta: float
    """How strongly those that are consistent are preferred."""
    generator: torch.Generator


class Filled(NamedTuple):
    """Vectors without a mask, and the distributions that they were drawn from."""

    known: Tensor
    """int8, row × individual × latent concept."""
    latent: Tensor
    """row × individual × latent concept: the probability of each atom when its variable was drawn."""
    others: Tensor
    """row × atom of the circuit: probabilities given all but the last variable."""


def fill(
    variables: LatentVariables,
    first: tuple[Sides, Tensor],
    sides_given: Callable[[Tensor], Sides],
    mask: Tensor,
    path: Path,
) -> Filled:
    """Fill vectors in which all is masked: the first-hitting sampler, in which one variable at a time is unmasked.

    Each is drawn from its marginal in the product distribution that the network says of the masked ones, conditioned by
    the circuit on theory, evidence and all that is not masked. `first` is what the network says when all is masked
    (log weights), with the circuit's posteriors; `sides_given` is the network. As only one value is taken from each
    joint distribution, its marginal is all of it that counts, and no draw is ever thrown away.
    """
    (sides, posteriors), weight_map = first, variables.weight_map
    known = variables.free(len(mask))
    latent = torch.zeros(known.shape, dtype=posteriors.dtype).flatten(1)
    for position in range(variables.count):
        if position:
            if path.asks_at(position):
                sides = sides_given(known)
            evidence = variables.evidence(mask, known)
            posteriors = weigh(weight_map, variables.settled(sides, known), evidence).posteriors()
        own = posteriors.index_select(1, variables.circuit_columns)
        drawn = variables.draw_one(own, path.orders[:, position], path.uniforms[:, position])
        latent = torch.where(drawn != 0, own, latent)
        known = torch.where(drawn.view_as(known) != 0, drawn.view_as(known), known)
    return Filled(known, latent.view(known.shape), posteriors)


def fill_by_resampling(
    variables: LatentVariables,
    sides_given: Callable[[Tensor], Sides],
    mask: Tensor,
    path: Path,
    resampling: Resampling,
) -> Tensor:
    """Fill vectors as the paper does, without the circuit's posteriors: int8, row × individual × latent concept.

    For each variable, proposals for all that is masked are drawn from the network, and one of them is taken with a
    probability in proportion to 1 if theory and evidence allow it and to exp(-β) if not, so that the vectors need not
    be consistent. With β and the number of proposals beyond all bounds the draw is that of `fill`.
    """
    known, sides = variables.free(len(mask)), None
    for position in range(variables.count):
        if sides is None or path.asks_at(position):
            sides = sides_given(known)
        proposals = variables.draw_all(sides, resampling.proposals, resampling.generator)
        proposals = torch.where(known.unsqueeze(1) != 0, known.unsqueeze(1), proposals)
        weights = torch.where(variables.are_consistent(proposals, mask), 1.0, math.exp(-resampling.beta))
        taken = torch.multinomial(weights, 1, generator=resampling.generator)
        values = proposals[torch.arange(len(known)), taken.squeeze(1)]
        is_now = (variables.variable_of == path.orders[:, position].unsqueeze(1)).view_as(known)
        known = torch.where(is_now, values, known)
    return known


def random_path(rows: int, variables: int, steps: int, generator: torch.Generator) -> Path:
    """Draw a path for each row."""
    orders = torch.rand(rows, variables, generator=generator).argsort(1)
    return Path(orders, torch.rand(rows, variables, generator=generator), steps)


def spread_path(samples: int, variables: int, steps: int, generator: torch.Generator) -> Path:
    """Draw paths that are spread evenly.

    Orders come with all their rotations, so that each variable is as often first as any other, and of the numbers of a
    column one lies in each of `samples` equal parts of (0, 1).
    """
    orders = torch.rand(-(-samples // variables), variables, generator=generator).argsort(1)
    turned = torch.stack([orders.roll(turn, 1) for turn in range(variables)], 1).flatten(0, 1)
    strata = torch.rand(samples, variables, generator=generator).argsort(0)
    uniforms = (strata + torch.rand(samples, variables, dtype=torch.float64, generator=generator)) / samples
    return Path(turned[:samples], uniforms, steps)


def repeat_path(path: Path, examples: int) -> Path:
    """Give each of several examples the same paths: what is said of one depends on no other."""
    return Path(path.orders.repeat(examples, 1), path.uniforms.repeat(examples, 1), path.steps)
