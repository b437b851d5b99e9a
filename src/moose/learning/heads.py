"""From a network's outputs to log weights: independent sigmoids (the paper's), or a softmax for each latent family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from moose.errors import MooseError
from moose.layer.weights import log_complement, observed_weights
from moose.learning.binding import Binding, latent_columns, latent_families

HeadName = Literal["sigmoid", "softmax"]
HEADS: tuple[HeadName, ...] = ("sigmoid", "softmax")


class Sides(NamedTuple):
    """log w(X) and log w(¬X), example × individual × latent concept."""

    positive: Tensor
    negative: Tensor


@dataclass(frozen=True, eq=False)
class Head:
    """How outputs are read: which of them, by column, are one softmax together."""

    families: tuple[tuple[int, ...], ...]
    """None for sigmoids throughout; else outputs of each latent family."""
    is_closed: bool
    """Whether the theory says that each family has one and only one member, so that it is one variable."""

    def sides(self, logits: Tensor) -> Sides:
        """Return the log weights of latent atoms.

        A family that the theory closes is one variable with a value for each member: w(X) = p and w(¬X) = 1. A family
        that it does not close has independent members, as in the paper's map: w(¬X) = 1 - p.
        """
        positive, negative = logsigmoid(logits), logsigmoid(-logits)
        for family in self.families:
            members = torch.tensor(family)
            scores = logits.index_select(-1, members).log_softmax(-1)
            others = torch.zeros_like(scores) if self.is_closed else log_complement(scores)
            positive = positive.index_copy(-1, members, scores)
            negative = negative.index_copy(-1, members, others)
        return Sides(positive, negative)

    def probabilities(self, logits: Tensor) -> Tensor:
        """Return what the network alone says of each latent concept."""
        return self.sides(logits).positive.exp()


def make_head(name: str, binding: Binding) -> Head:
    """Make the head of that name for a task."""
    if name not in HEADS:
        raise MooseError(f"expected a head among {', '.join(HEADS)}, but got {name!r}")
    latent = latent_columns(binding.task)
    families = latent_families(binding.task) if name == "softmax" else ()
    return Head(
        tuple(tuple(latent.index(column) for column in family) for family in families), is_closed=binding.is_closed
    )


class Weigher:
    """Put the weights of latent atoms and of all others together, as the layer of a task takes them."""

    def __init__(self, binding: Binding, head: Head) -> None:
        concepts, outputs = len(binding.task.concepts), latent_columns(binding.task)
        output_of = {column: place for place, column in enumerate(outputs)}
        places = dict(zip(binding.circuit_columns.tolist(), binding.flat_places.tolist()))
        columns = binding.layer.columns

        def output(place: int) -> int:
            individual, column = divmod(place, concepts)
            return individual * len(outputs) + output_of[column]

        self.binding, self.head = binding, head
        self.latent = torch.tensor([output(places[column]) for column in columns.latent.tolist()], dtype=torch.int64)
        self.others, self.back = torch.from_numpy(columns.others), torch.from_numpy(columns.back)
        decided = [place for place in np.flatnonzero(binding.fixed).tolist() if place % concepts in output_of]
        self.true = torch.tensor([output(place) for place in decided if binding.fixed[place] > 0], dtype=torch.int64)
        self.false = torch.tensor([output(place) for place in decided if binding.fixed[place] < 0], dtype=torch.int64)

    def log_weights(self, sides: Sides, mask: Tensor) -> Tensor:
        """Return the paper's literal-weight map: the network's word for latent atoms, 1 or 0 if observed, else ½."""
        observed = mask.index_select(-1, self.others) + self.binding.layer.given.index_select(-1, self.others)
        rest = observed_weights(observed, sides.positive)
        both = []
        for mine, other in zip(sides, rest):
            chosen = mine.flatten(1).index_select(-1, self.latent)
            both.append(torch.cat([chosen, other], -1).index_select(-1, self.back))
        return torch.cat(both, -1)

    def decided(self, sides: Sides) -> Tensor | float:
        """Return the log weight of the latent atoms that the theory decides, which are no variables of the circuit."""
        if not len(self.true) and not len(self.false):
            return 0.0
        positive = sides.positive.flatten(1).index_select(-1, self.true).sum(-1)
        return positive + sides.negative.flatten(1).index_select(-1, self.false).sum(-1)
