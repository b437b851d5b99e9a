"""How likely evidence is, by the circuit: WMC(T ∧ e) as the paper has it, or divided by WMC(T).

The paper's count prefers members that say little: each observable that a member leaves open has two worlds. Divided by
the count of the theory alone it is the likelihood of the evidence given the theory.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Literal

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.binding import latent_families
from moose.learning.heads import Sides, WeightMap
from moose.learning.open_weights import OpenWeights, SiblingOdds

ObjectiveName = Literal["auto", "conditional", "paper"]
"""`auto` is `conditional` where a family, a role or every concept is latent, and else the paper's."""
OBJECTIVES: tuple[ObjectiveName, ...] = ("auto", "conditional", "paper")
OpenName = Literal["learnt", "half"]
OPEN_WEIGHTS: tuple[OpenName, ...] = ("learnt", "half")
"""How likely an observable is that a member of a family leaves open."""
PAPER: dict[str, object] = {"objective": "paper", "open_weights": "half"}
"""What all results had before there was a choice."""


def is_usually_conditional(task: Task) -> bool:
    """Return whether `auto` is `conditional`: a family or a role is latent, or all evidence is labels.

    Concepts of no family need not be right by themselves where the theory's count is divided by (decision 26). But
    where no concept is observed, none is explained by another, and the likelihood is that of a semantic layer.
    """
    return bool(latent_families(task) or task.read_roles) or all(concept.is_latent for concept in task.concepts)


@dataclass(frozen=True, eq=False)
class Weighed:
    """What a network says of a batch, as the circuit takes it."""

    weight_map: WeightMap
    sides: Sides
    """Of latent atoms, as they are weighed."""
    log_weights: Tensor
    mask: Tensor
    log_theory: Tensor | None
    """log of what the count is divided by; None for the paper's objective."""

    def log_likelihood(self) -> Tensor:
        """Return log WMC(T ∧ e), or log P(e | T), of each example."""
        logs: Tensor = self.weight_map.binding.layer(self.log_weights, self.mask)
        return logs if self.log_theory is None else logs - self.log_theory

    def posteriors(self) -> Tensor:
        """Return the probability of each atom of the circuit given theory and evidence."""
        return self.weight_map.binding.layer.posteriors(self.log_weights, self.mask)

    def literal_posteriors(self) -> Tensor:
        """Return the probability of each atom of the circuit given theory and evidence, then that of each negation."""
        return self.weight_map.binding.layer.literal_posteriors(self.log_weights, self.mask)

    def chances(self) -> Tensor:
        """Return w(X)·w(¬X) of each atom, its weights normalised: how much it could be either by itself."""
        positive, negative = self.log_weights.detach().tensor_split(2, dim=-1)
        return (positive + negative - 2 * torch.logaddexp(positive, negative)).exp()


def weigh(
    weight_map: WeightMap, sides: Sides, mask: Tensor, network: nn.Module | None = None, given: Tensor | None = None
) -> Weighed:
    """Weigh the literals of the circuit by what a network says, and by its open weights where it has some.

    What is given, example × individual × concept, is in the mask, too; it belongs to what the count is divided by.
    """
    alone, task = weight_map.alone, weight_map.binding.task
    if alone is None:
        return Weighed(weight_map, sides, weight_map.log_weights(sides, mask), mask, None)
    odds = log_odds(network)
    balance = alone.shares(task, odds) if given is None else None
    observed = mask if given is None else torch.where(weight_map.binding.evidence_mask(given) == 0, mask, 0)
    # what is observed weighs 1, but ½ in the theory alone; so does what the task settles by what is known
    settled = alone.open_count(task) - weight_map.open_count
    log_theory = ((observed.index_select(-1, weight_map.others) != 0).sum(-1) + settled) * log(2.0)
    if balance is None:
        log_theory = log_theory + alone.log_total(task, sides, odds, given)
    else:
        shares, total = (one.to(sides.positive.dtype) for one in balance)
        log_theory = log_theory + total + log_possible(sides.positive, shares)
        sides = Sides(sides.positive - shares.masked_fill(shares.isneginf(), 0.0), sides.negative)
    return Weighed(weight_map, sides, weight_map.log_weights(sides, mask, odds), mask, log_theory)


def log_possible(log_probabilities: Tensor, shares: Tensor) -> Tensor:
    """Return log of how likely a network finds the members that can be, over all individuals of each example."""
    is_impossible = shares.isneginf()
    if not bool(is_impossible.any()):
        return log_probabilities.new_zeros(())
    lost = log_probabilities.exp().masked_fill(~is_impossible, 0.0).sum(-1)
    return torch.log1p(-lost.clamp_max(1.0 - torch.finfo(lost.dtype).eps)).sum(-1)


def log_odds(network: nn.Module | None) -> Tensor | None:
    """Return the open weights of a network, if it has some."""
    open_weights = getattr(network, "open_weights", None)
    return open_weights() if isinstance(open_weights, OpenWeights | SiblingOdds) else None
