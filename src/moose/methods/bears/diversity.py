"""How a member of an ensemble differs from those before it: over which variables, by how much, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import torch
from torch import Tensor, nn

from moose.layer.weights import log_complement
from moose.learning.binding import latent_columns, latent_families
from moose.learning.heads import Sides, WeightMap
from moose.learning.loss.likelihood import Weighed, weigh
from moose.learning.loss.objective import Prepared, encode
from moose.learning.prediction import in_parts

Over = Literal["atoms", "family", "posterior"]
OVERS: tuple[Over, ...] = ("atoms", "family", "posterior")


@dataclass(frozen=True, eq=False)
class WeightedBatch:
    """What a network says of a batch, as the circuit takes it."""

    weight_map: WeightMap
    logits: Tensor
    sides: Sides
    """As the network says it, before it is weighed."""
    weighed: Weighed

    @classmethod
    def of(
        cls, logits: Tensor, prepared: Prepared, rows: Tensor | slice, network: nn.Module | None = None
    ) -> WeightedBatch:
        """Read the logits of some examples."""
        weight_map = prepared.weight_map
        sides = weight_map.head.sides(logits)
        return cls(weight_map, logits, sides, weigh(weight_map, sides, prepared.mask[rows], network))

    @classmethod
    def by(cls, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> WeightedBatch:
        """Run a network on some examples."""
        return cls.of(encode(network, prepared, rows), prepared, rows, network)


def log_values(batch: WeightedBatch, over: Over) -> Tensor:
    """Return log P of each value of each variable, example × individual × value.

    A variable is a latent atom with two values or, except over atoms, a latent family with a value for each member. The
    posterior of a family that the theory does not close is no distribution over it, so there its members stand alone.
    """
    task = batch.weight_map.binding.task
    columns = latent_columns(task)
    families = tuple(tuple(columns.index(member) for member in family) for family in latent_families(task))
    if over == "family":
        head = replace(batch.weight_map.head, families=families, is_closed=True)
        return _joined(head.sides(batch.logits), families)
    if over == "atoms":  # the head's own w(¬X) may be 1, where a family is one variable of the circuit
        return torch.cat([batch.sides.positive, log_complement(batch.sides.positive)], -1)
    binding = batch.weight_map.binding
    latent = binding.circuit_columns.reshape(len(task.individuals), -1)[:, list(columns)]
    posteriors = batch.weighed.posteriors()[:, torch.from_numpy(latent)].clamp(0.0, 1.0)
    return _joined(Sides(_log(posteriors), _log(1 - posteriors)), families if binding.is_closed else ())


def _joined(logs: Sides, families: Sequence[Sequence[int]]) -> Tensor:
    """Lay out the values: members of families, then all other atoms, both ways."""
    members = [member for family in families for member in family]
    others = [column for column in range(logs.positive.shape[-1]) if column not in members]
    return torch.cat([logs.positive[..., members], logs.positive[..., others], logs.negative[..., others]], -1)


def entropy(logs: Tensor) -> Tensor:
    """Return the entropy of the variables of an example, summed; the mean over examples.

    >>> entropy(torch.tensor([[[0.5, 0.5, 1.0, 0.0]]]).log()).item() == torch.tensor(2.0).log().item()
    True
    """
    finite = _bounded(logs)
    return -(finite.exp() * finite).sum((1, 2)).mean()


def divergence(logs: Tensor, others: Tensor, count: int) -> Tensor:
    """Return KL(p ‖ mean of p and `count` others), summed over the variables of an example; the mean over examples.

    The others are given by the mean of their probabilities. However far from them, a variable comes to log(count + 1)
    at most.

    >>> divergence(torch.tensor([[[1.0, 0.0]]]).log(), torch.tensor([[[0.0, 1.0]]]), 1).item()
    0.6931471824645996
    """
    finite = _bounded(logs)
    own = finite.exp()
    mean = (own + count * others) / (count + 1)
    return (own * (finite - _log(mean))).sum((1, 2)).mean()


def _log(values: Tensor) -> Tensor:
    """Return the logarithm, with one that is finite for 0 too."""
    return values.clamp_min(torch.finfo(values.dtype).tiny).log()


def _bounded(logs: Tensor) -> Tensor:
    """Replace -∞ by a number so low that its exponential counts for nothing."""
    return logs.clamp_min(torch.tensor(torch.finfo(logs.dtype).tiny).log().item())


@dataclass(slots=True)
class Predecessors:
    """What members that are no longer trained say of the examples that others learn from; each is asked once.

    Inputs and evidence are the same in every epoch, and so is what a frozen member says of them.
    """

    members: Sequence[nn.Module]
    over: Over
    _sums: dict[Prepared, tuple[int, Tensor]] = field(default_factory=dict)

    def mean(self, prepared: Prepared, count: int) -> Tensor:
        """Return the mean of the probabilities that the first `count` members give: example × individual × value."""
        asked, total = self._sums.get(prepared, (0, torch.zeros(())))
        assert asked <= count  # stages are trained in order
        for member in list(self.members)[asked:count]:
            total = total + self._ask(member, prepared)
        self._sums[prepared] = count, total
        return total / count

    def _ask(self, member: nn.Module, prepared: Prepared) -> Tensor:
        member.eval()
        with torch.no_grad():
            parts = [
                log_values(WeightedBatch.by(member, prepared, rows), self.over).exp()
                for rows in in_parts(len(prepared))
            ]
        return torch.cat(parts)
