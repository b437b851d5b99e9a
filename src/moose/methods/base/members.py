"""Several networks that learn the same task: their first weights, and the mean of what they say."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch
from torch import nn

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.network import ConceptNetwork
from moose.learning.objective import Prepared, encode
from moose.methods.base.model import Said, circuit_posteriors
from moose.methods.base.perception import Perception


def make_members(task: Task, perception: Perception, *, count: int, seed: int) -> nn.ModuleList:
    """Make so many networks with an output for each latent concept, each with first weights of its own."""
    outputs = len(latent_columns(task))
    encoders = [perception.encoder(outputs, seed=own) for own in member_seeds(seed, count)]
    return nn.ModuleList(ConceptNetwork(encoder, outputs) for encoder in encoders)


def member_seeds(seed: int, count: int) -> tuple[int, ...]:
    """Return a seed for each member; the first is the given one, so that a single member is the plain method.

    The others are drawn, because neighbours would be shared by the ensembles of two neighbouring seeds.

    >>> member_seeds(7, 3)
    (7, 2083679832, 3939563265)
    """
    drawn = np.random.SeedSequence(seed).generate_state(count - 1) if count > 1 else ()
    return (seed, *(int(state) for state in drawn))


def answer_of(network: nn.Module, prepared: Prepared, rows: slice, *, use_evidence: bool) -> Said:
    """Return the circuit's posteriors with one network's outputs as weights."""
    sides = prepared.weigher.head.sides(encode(network, prepared, rows).double())
    posteriors = circuit_posteriors(prepared, rows, sides, use_evidence=use_evidence)
    return Said(posteriors, sides.positive.exp())


def mean_answer(networks: Iterable[nn.Module], prepared: Prepared, rows: slice, *, use_evidence: bool) -> Said:
    """Return the mean of the members' posteriors; each has its own count, for the count of a mean is another thing."""
    said = [answer_of(network, prepared, rows, use_evidence=use_evidence) for network in networks]
    return Said(*(torch.stack(parts).mean(0) for parts in zip(*said, strict=True)))
