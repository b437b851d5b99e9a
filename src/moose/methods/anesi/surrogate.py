"""The network in place of the circuit: from beliefs and evidence to the probability of every atom.

It is one function of each individual, of all others together, and of those that known roles lead to and from, some
rounds of them; so one surrogate serves tasks with different numbers of individuals.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.layer.weights import log_complement
from moose.learning.encoders import initialise
from moose.learning.heads import Head
from moose.methods.theory.known_tensors import known_roles

LEAST = 1e-4
"""Beliefs below this look alike to the surrogate."""
LOG_LEAST = -30.0
"""Nothing is less likely than this: a member of a family whose probability is 1 as far as floats go may still fail."""

Answers = Callable[[Tensor, Tensor, Tensor], Tensor]
"""From beliefs, signs of evidence and links to logits, as `Surrogate.forward`."""


class Surrogate(nn.Module):
    """q(X | beliefs, evidence) for every atom X, as logits."""

    def __init__(self, task: Task, latent: int, *, width: int, rounds: int, seed: int) -> None:
        super().__init__()
        self.roles = tuple(role.name for role in task.role_predicates)
        concepts, views = len(task.concepts), 2 + 2 * len(self.roles)
        sizes = [(2 * latent + 2 * concepts, width), *[(views * width, width)] * rounds, (width, concepts)]
        layers = [nn.Linear(*size, device="meta").to_empty(device="cpu") for size in sizes]
        generator = torch.Generator().manual_seed(seed)
        for layer in layers:
            initialise(layer, generator)
        self.first, self.last, self.rounds = layers[0], layers[-1], nn.ModuleList(layers[1:-1])

    def links(self, task: Task) -> Tensor:
        """Return who is led to and from by each known role, in equal shares: direction × individual × individual."""
        strange = [role.name for role in task.role_predicates if role.name not in self.roles]
        if strange:
            raise MooseError(f"expected examples with the roles of the model's task, but they have {strange[0]}")
        known = known_roles(task)[1]
        return torch.cat([_shares(known), _shares(known.mT)])

    def forward(self, beliefs: Tensor, signs: Tensor, links: Tensor) -> Tensor:
        """Return row × individual × concept, from row × individual × latent concept and … × concept."""
        seen = [beliefs, beliefs.clamp_min(LEAST).log(), signs > 0, signs < 0]
        hidden = torch.relu(self.first(torch.cat([one.to(beliefs.dtype) for one in seen], -1)))
        for layer in self.rounds:
            linked = (links.to(hidden.dtype) @ hidden.unsqueeze(1)).unbind(1) if len(links) else ()
            views = [hidden, hidden.mean(1, keepdim=True).expand_as(hidden), *linked]
            hidden = hidden + torch.relu(layer(torch.cat(views, -1)))
        logits: Tensor = self.last(hidden)
        return logits


def _shares(known: Tensor) -> Tensor:
    return known / known.sum(-1, keepdim=True).clamp_min(1.0)


class LogTruths(NamedTuple):
    """log q(X) and log q(¬X), row × individual × concept."""

    holds: Tensor
    fails: Tensor


def log_truths(head: Head, logits: Tensor) -> LogTruths:
    """Read logits: a family that the theory closes is one softmax, any other atom a sigmoid."""
    holds, fails = logsigmoid(logits), logsigmoid(-logits)
    for family in head.families if head.is_closed else ():
        members = torch.tensor([head.outputs[place] for place in family])
        scores = logits.index_select(-1, members).log_softmax(-1)
        holds = holds.index_copy(-1, members, scores)
        fails = fails.index_copy(-1, members, log_complement(scores).clamp_min(LOG_LEAST))
    return LogTruths(holds, fails)


def log_evidence(answers: Answers, head: Head, beliefs: Tensor, evidence: Tensor, links: Tensor) -> Tensor:
    """Return log q(e) = Σ log q(eᵢ | e₁, …, eᵢ₋₁) of each row: literals come in one after the other.

    The evidence is int8, row × individual × concept.
    """
    flat = evidence.flatten(1)
    rank = (flat != 0).cumsum(1)
    most = int(rank[:, -1].max()) if len(rank) else 0
    if not most:
        return beliefs.new_zeros(len(beliefs))
    steps = torch.arange(most).view(-1, 1, 1)
    known = torch.where(rank <= steps, flat, 0).view(most * len(flat), *evidence.shape[1:])
    truths = log_truths(head, answers(beliefs.repeat(most, 1, 1), known, links))
    asked = torch.where(rank == steps + 1, flat, 0).view_as(known)
    logs = torch.where(asked > 0, truths.holds, 0.0) + torch.where(asked < 0, truths.fails, 0.0)
    return logs.flatten(1).sum(1).view(most, len(flat)).sum(0)


def mean_error(head: Head, logits: Tensor, world: Tensor, known: Tensor) -> Tensor:
    """Return -log q of the atoms of worlds, ±1, that were not known: the mean over atoms. Least where q is exact."""
    truths = log_truths(head, logits)
    logs = torch.where(world > 0, truths.holds, truths.fails)
    is_asked = known == 0
    return -torch.where(is_asked, logs, 0.0).sum() / is_asked.sum().clamp_min(1)


def prefixes(evidence: Tensor, uniforms: Tensor) -> Tensor:
    """Return the first few literals of each row of evidence, as many as uniform numbers say, all or none included."""
    flat = evidence.flatten(1)
    rank = (flat != 0).cumsum(1)
    length = (uniforms * (rank[:, -1] + 1)).floor().unsqueeze(1)
    return torch.where(rank <= length, flat, 0).view_as(evidence)


def observed_like(pattern: Tensor, world: Tensor) -> Tensor:
    """Return the literals of worlds that are observed in a pattern, which is evidence of other examples."""
    return torch.where(pattern == 0, 0, world).to(torch.int8)
