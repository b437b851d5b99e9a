"""From a network's outputs to log weights: independent sigmoids (the paper's), or a softmax for each latent family.

Where labels are complete, a network has an output for observed concepts too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, cast, get_args

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.layer.weights import log_complement, observed_weights
from moose.learning.binding import Binding, latent_columns, latent_families
from moose.learning.open_weights import LearntColumns

HeadName = Literal["sigmoid", "softmax", "complete"]
"""`complete` has a sigmoid for every concept, observed ones too; a method decides that, not its user."""
HEADS: tuple[HeadName, ...] = ("sigmoid", "softmax")
"""Among which the user of a method may choose."""


class Sides(NamedTuple):
    """log w(X) and log w(¬X), example × individual × concept of an output, then latent role × second individual."""

    positive: Tensor
    negative: Tensor


@dataclass(frozen=True, eq=False)
class Head:
    """How outputs are read: of which concepts they are, and which of them are one softmax together."""

    name: HeadName
    outputs: tuple[int, ...]
    """The columns, in `task.concepts`, of the concepts that have an output."""
    families: tuple[tuple[int, ...], ...]
    """None for sigmoids throughout; else outputs of each latent family."""
    is_closed: bool
    """Whether the theory says that each family has one and only one member, so that it is one variable."""

    def sides(self, logits: Tensor) -> Sides:
        """Return the log weights of the atoms that have an output.

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


def make_head(name: str, binding: Binding) -> Head:
    """Make the head of that name for a task."""
    if name not in get_args(HeadName):
        raise MooseError(f"expected a head among {', '.join(get_args(HeadName))}, but got {name!r}")
    task = binding.task
    outputs = tuple(range(len(task.concepts))) if name == "complete" else latent_columns(task)
    families = latent_families(task) if name == "softmax" else ()
    places = tuple(tuple(outputs.index(column) for column in family) for family in families)
    return Head(cast(HeadName, name), outputs, places, is_closed=binding.is_closed)


class Alone(Protocol):
    """The theory without anything that is known of an instance: `moose.learning.loss.theory_alone`."""

    def open_count(self, task: Task) -> int:
        """Return how many atoms besides the latent ones are to be weighed."""

    def shares(self, task: Task, log_odds: Tensor | None) -> tuple[Tensor, Tensor] | None:
        """Return log P(member) with all members alike, individual × latent concept, and log WMC then."""

    def log_total(self, task: Task, sides: Sides, log_odds: Tensor | None, given: Tensor | None = None) -> Tensor:
        """Return log WMC for what a network says, and what is given, of each example."""


class WeightMap:
    """Put the weights of atoms that have an output and of all others together, as the layer of a task takes them."""

    def __init__(self, binding: Binding, head: Head, alone: Alone | None = None) -> None:
        self.alone = alone
        people = len(binding.task.individuals)
        read = binding.circuit_columns.reshape(people, -1)[:, list(head.outputs)]
        if roles := list(binding.task.read_roles):  # laid out as `as_columns` does
            pairs = binding.role_columns[roles].transpose(1, 0, 2).reshape(people, -1)
            read = np.concatenate([read, pairs], 1)
        position_of = {column: position for position, column in enumerate(read.flatten().tolist()) if column >= 0}
        weighed = np.sort(read[read >= 0])
        others = np.setdiff1d(np.arange(binding.layer.atom_count), weighed)
        back = np.argsort(np.concatenate([weighed, others]))
        self.binding, self.head = binding, head
        self.spoken = torch.tensor([position_of[column] for column in weighed.tolist()], dtype=torch.int64)
        self.others, self.back = torch.from_numpy(others), torch.from_numpy(back)

    @property
    def open_count(self) -> int:
        """How many atoms there are besides those that have an output and those for pairs."""
        return len(self.others) - (0 if self.binding.pairs is None else len(self.binding.pairs.columns))

    def log_weights(self, sides: Sides, mask: Tensor, log_odds: Tensor | None = None) -> Tensor:
        """Return the paper's literal-weight map: the network's word where it has one, 1 or 0 if observed, else ½.

        With log odds, concept × concept, an observable that a member of a family leaves open has those of the pair.
        """
        observed = mask.index_select(-1, self.others) + self.binding.layer.given.index_select(-1, self.others)
        rest = observed_weights(observed, sides.positive)
        both = []
        for mine, other in zip(sides, rest):
            chosen = mine.flatten(1).index_select(-1, self.spoken)
            both.append(torch.cat([chosen, other], -1).index_select(-1, self.back))
        pairs = self.binding.pairs
        if pairs is not None:
            both[0] = _at(both[0], pairs, 0.0 if log_odds is None else pairs.choose(log_odds))
            both[1] = _at(both[1], pairs, 0.0)
        return torch.cat(both, -1)


def _at(weights: Tensor, pairs: LearntColumns, values: Tensor | float) -> Tensor:
    """Return weights with those of pairs in their place."""
    given = torch.as_tensor(values, dtype=weights.dtype)
    return weights.index_copy(-1, torch.from_numpy(pairs.columns), given.expand(len(weights), len(pairs.columns)))
