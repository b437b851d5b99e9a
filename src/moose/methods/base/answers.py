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
from moose.learning.roles.role_tensors import from_columns, known_truths

Decode = Literal["own", "circuit"]
DECODES: tuple[Decode, ...] = ("own", "circuit")
"""Of a method with a probability for every concept: whether these are the answer, or the circuit's posteriors."""


class BatchAnswer(NamedTuple):
    """What a model answers of some examples."""

    posteriors: Tensor
    """example × individual × concept, columns as `task.concepts`."""
    network: Tensor
    """example × individual × latent concept: the network's own word of each individual, without theory and evidence."""
    roles: Tensor | None = None
    """example × role × individual × individual, as `task.role_predicates`; None if no role is latent."""
    role_network: Tensor | None = None
    """example × latent role × individual × individual: the pair network's own word."""
    worlds: Tensor | None = None
    """int8, as the posteriors: +1 for what holds in the most probable world, -1 for what does not; None if not asked
    for."""


def answer_of(network: nn.Module, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
    """Return the circuit's posteriors with one network's outputs as weights."""
    sides = prepared.weight_map.head.sides(encode(network, prepared, rows).double())
    marginals = circuit_marginals(prepared, rows, sides, network, use_evidence=use_evidence)
    return answer_from(prepared, marginals, sides.positive.exp())


def answer_of_labels(network: nn.Module, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
    """Return the circuit's posteriors, and where every concept is latent the most probable world as well."""
    is_latent = all(concept.is_latent for concept in prepared.examples.task.concepts)
    answer = answer_with_world if is_latent else answer_of
    return answer(network, prepared, rows, use_evidence=use_evidence)


def answer_with_world(network: nn.Module, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
    """Return the same, and the most probable world, which theory and evidence allow."""
    binding = prepared.weight_map.binding
    sides = prepared.weight_map.head.sides(encode(network, prepared, rows).double())
    mask = prepared.mask_at(rows, use_evidence=use_evidence)
    weighed = weigh(prepared.weight_map, sides, mask, network, prepared.given_at(rows))
    answer = answer_from(prepared, weighed.posteriors().clamp(0.0, 1.0), sides.positive.exp())
    holds = binding.layer.most_probable(weighed.log_weights, weighed.mask).holds
    signs = binding.by_concept(2.0 * holds - 1.0).nan_to_num(0.0)
    return answer._replace(worlds=signs.to(torch.int8))


def answer_from(prepared: Prepared, marginals: Tensor, network: Tensor) -> BatchAnswer:
    """Sort the posteriors of all atoms, and the network's word: concepts, then the pairs of latent roles.

    Latent concepts come before observed ones, of which the network's own word is not told.
    """
    task, binding = prepared.examples.task, prepared.weight_map.binding
    own, pairs = network.tensor_split([len(prepared.weight_map.head.outputs)], -1)
    own = own[..., : len(latent_columns(task))]
    if not task.read_roles:
        return BatchAnswer(binding.by_concept(marginals), own)
    return BatchAnswer(binding.by_concept(marginals), own, binding.by_role(marginals), from_columns(pairs))


def mean_answer(networks: Iterable[nn.Module], prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
    """Return the mean of the members' posteriors; each has its own count, for the count of a mean is another thing."""
    answers = [answer_of(network, prepared, rows, use_evidence=use_evidence) for network in networks]
    means = [None if parts[0] is None else torch.stack(parts).mean(0) for parts in zip(*answers, strict=True)]
    return BatchAnswer(*means)  # type: ignore[arg-type]  # the first two are there


def answer_by_concept(
    prepared: Prepared, rows: slice, logits: Tensor, decode: Decode, *, use_evidence: bool
) -> BatchAnswer:
    """Return the probabilities with what is observed in its place, or the circuit's posteriors with them as weights.

    The logits are example × individual × concept, observed concepts too, then the pairs of latent roles.
    """
    logits, task = logits.double(), prepared.examples.task
    latent = torch.tensor(latent_columns(task), dtype=torch.int64)
    concepts, pairs = logits.tensor_split([len(task.concepts)], -1)
    own = concepts.sigmoid()
    network = torch.cat([own.index_select(-1, latent), pairs.sigmoid()], -1)
    if decode == "circuit":
        return answer_from(prepared, decoded(prepared, rows, logits, use_evidence=use_evidence), network)
    posteriors = clamped(prepared, rows, own, use_evidence=use_evidence)
    if not task.read_roles:
        return BatchAnswer(posteriors, network)
    spoken = from_columns(pairs.sigmoid())
    roles = clamped_roles(prepared, rows, spoken, use_evidence=use_evidence)
    return BatchAnswer(posteriors, own.index_select(-1, latent), roles, spoken)


def circuit_posteriors(
    prepared: Prepared, rows: slice, sides: Sides, network: nn.Module | None = None, *, use_evidence: bool
) -> Tensor:
    """Return P(C(a) | input, theory, and the evidence if it is used), example × individual × concept.

    The sides are log w(X) and log w(¬X) of the latent atoms, example × individual × latent concept, best in float64.
    """
    marginals = circuit_marginals(prepared, rows, sides, network, use_evidence=use_evidence)
    return prepared.weight_map.binding.by_concept(marginals)


def circuit_marginals(
    prepared: Prepared, rows: slice, sides: Sides, network: nn.Module | None = None, *, use_evidence: bool
) -> Tensor:
    """Return the same for every atom of the circuit, example × atom."""
    mask = prepared.mask_at(rows, use_evidence=use_evidence)
    return weigh(prepared.weight_map, sides, mask, network, prepared.given_at(rows)).posteriors().clamp(0.0, 1.0)


def decoded(prepared: Prepared, rows: slice, logits: Tensor, *, use_evidence: bool) -> Tensor:
    """Return the circuit's posteriors of all atoms with a probability for every concept and latent role as weights.

    Roles that are not latent weigh ½.
    """
    binding = prepared.weight_map.binding
    mask = prepared.mask_at(rows, use_evidence=use_evidence)
    people = len(binding.task.individuals)
    pairs = binding.role_columns[list(binding.task.read_roles)].transpose(1, 0, 2).reshape(people, -1)
    every = np.concatenate([binding.circuit_columns.reshape(people, -1), pairs], 1).flatten()
    places = torch.from_numpy(np.flatnonzero(every >= 0))
    columns = torch.from_numpy(every)[places]
    half = torch.full(mask.shape, -math.log(2.0), dtype=logits.dtype)
    sides = [half.index_copy(1, columns, logsigmoid(sign * logits).flatten(1)[:, places]) for sign in (1, -1)]
    return binding.layer.posteriors(torch.cat(sides, 1), mask).clamp(0.0, 1.0)


def clamped(prepared: Prepared, rows: slice, probabilities: Tensor, *, use_evidence: bool) -> Tensor:
    """Return probabilities, example × individual × concept, with what is observed at 0 or 1 if evidence is used.

    That is all that evidence does in a method without logic. What is given is used always.
    """
    evidence = prepared.examples.evidence[rows] if use_evidence else prepared.given_at(rows)
    if evidence is None:
        return probabilities
    observed = (evidence > 0).to(probabilities.dtype)
    return torch.where(evidence == 0, probabilities, observed)


def clamped_roles(prepared: Prepared, rows: slice, probabilities: Tensor, *, use_evidence: bool) -> Tensor:
    """Return what a method without logic says of all roles: latent ones from example × latent role × pair.

    Known pairs are at 0 or 1, and so is what is observed if evidence is used; roles that nobody speaks of are at ½.
    """
    task, evidence = prepared.examples.task, prepared.examples.role_evidence
    known = torch.from_numpy(known_truths(task)).to(probabilities.dtype)
    everything = torch.full((len(probabilities), *known.shape), 0.5, dtype=probabilities.dtype)
    everything[:, list(task.read_roles)] = probabilities
    everything = torch.where(known.isnan(), everything, known)
    if evidence is None or not use_evidence:
        return everything
    return torch.where(evidence[rows] == 0, everything, (evidence[rows] > 0).to(everything.dtype))
