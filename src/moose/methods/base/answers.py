"""What a model answers of some examples: from one network or several, by the circuit or concept by concept."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from moose.learning.binding import latent_columns
from moose.learning.heads import Sides
from moose.learning.loss.likelihood import weigh
from moose.learning.loss.objective import Prepared, encode

Decode = Literal["own", "circuit"]
DECODES: tuple[Decode, ...] = ("own", "circuit")
"""Of a method with a probability for every concept: whether these are the answer, or the circuit's posteriors."""


class BatchAnswer(NamedTuple):
    """What a model answers of some examples."""

    posteriors: Tensor
    """example × individual × concept, columns as `task.concepts`."""
    network: Tensor
    """example × individual × latent concept: the network's own word of each individual, without theory and evidence."""


def answer_of(network: nn.Module, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
    """Return the circuit's posteriors with one network's outputs as weights."""
    sides = prepared.weight_map.head.sides(encode(network, prepared, rows).double())
    posteriors = circuit_posteriors(prepared, rows, sides, network, use_evidence=use_evidence)
    return BatchAnswer(posteriors, sides.positive.exp())


def mean_answer(networks: Iterable[nn.Module], prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
    """Return the mean of the members' posteriors; each has its own count, for the count of a mean is another thing."""
    answers = [answer_of(network, prepared, rows, use_evidence=use_evidence) for network in networks]
    return BatchAnswer(*(torch.stack(parts).mean(0) for parts in zip(*answers, strict=True)))


def answer_by_concept(
    prepared: Prepared, rows: slice, logits: Tensor, decode: Decode, *, use_evidence: bool
) -> BatchAnswer:
    """Return the probabilities with what is observed in its place, or the circuit's posteriors with them as weights.

    The logits are example × individual × concept, observed concepts too.
    """
    logits = logits.double()
    own = logits.sigmoid()
    if decode == "own":
        posteriors = clamped(prepared, rows, own, use_evidence=use_evidence)
    else:
        posteriors = decoded(prepared, rows, logits, use_evidence=use_evidence)
    return BatchAnswer(posteriors, own.index_select(-1, torch.tensor(latent_columns(prepared.examples.task))))


def circuit_posteriors(
    prepared: Prepared, rows: slice, sides: Sides, network: nn.Module | None = None, *, use_evidence: bool
) -> Tensor:
    """Return P(C(a) | input, theory, and the evidence if it is used), example × individual × concept.

    The sides are log w(X) and log w(¬X) of the latent atoms, example × individual × latent concept, best in float64.
    """
    mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
    weighed = weigh(prepared.weight_map, sides, mask, network)
    return prepared.weight_map.binding.by_concept(weighed.posteriors().clamp(0.0, 1.0))


def decoded(prepared: Prepared, rows: slice, logits: Tensor, *, use_evidence: bool) -> Tensor:
    """Return the circuit's posteriors with a probability for every concept as weights, ½ for roles."""
    binding = prepared.weight_map.binding
    mask = prepared.mask[rows] if use_evidence else torch.zeros_like(prepared.mask[rows])
    places = torch.from_numpy(np.flatnonzero(binding.circuit_columns >= 0))
    columns = torch.from_numpy(binding.circuit_columns)[places]
    half = torch.full(mask.shape, -math.log(2.0), dtype=logits.dtype)
    sides = [half.index_copy(1, columns, logsigmoid(sign * logits).flatten(1)[:, places]) for sign in (1, -1)]
    return binding.by_concept(binding.layer.posteriors(torch.cat(sides, 1), mask).clamp(0.0, 1.0))


def clamped(prepared: Prepared, rows: slice, probabilities: Tensor, *, use_evidence: bool) -> Tensor:
    """Return probabilities, example × individual × concept, with what is observed at 0 or 1 if evidence is used.

    That is all that evidence does in a method without logic.
    """
    if not use_evidence:
        return probabilities
    evidence = prepared.examples.evidence[rows]
    observed = (evidence > 0).to(probabilities.dtype)
    return torch.where(evidence == 0, probabilities, observed)
