"""What is minimised: -log WMC of evidence and theory, less the cover's bonus; and how right the network is so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns, latent_families
from moose.learning.examples import Examples
from moose.learning.heads import WeightMap
from moose.learning.inputs.padded import joined
from moose.learning.loss.cover import Cover
from moose.learning.loss.likelihood import weigh
from moose.learning.roles.pair_network import relate
from moose.learning.tensor_files import digest


@dataclass(frozen=True, eq=False)
class Prepared:
    """Examples that were checked against the theory, with their evidence as the layer takes it."""

    examples: Examples
    weight_map: WeightMap
    mask: Tensor
    labels: Tensor
    """int64, example × individual × latent family: the member that holds, -1 where that is unknown, none or unseen."""
    given: Tensor | None = None
    """int8, example × individual × concept: what is given beforehand, if anything is."""

    def given_at(self, rows: Tensor | slice) -> Tensor | None:
        """Return what is given of some examples."""
        return None if self.given is None else self.given[rows]

    def mask_at(self, rows: Tensor | slice, *, use_evidence: bool) -> Tensor:
        """Return the mask of some examples: all of their evidence, or only what is given."""
        if use_evidence:
            return self.mask[rows]
        if self.given is None:
            return torch.zeros_like(self.mask[rows])
        return self.weight_map.binding.evidence_mask(self.given[rows])

    def __len__(self) -> int:
        return len(self.examples)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a batch came to."""

    loss: Tensor
    """What is told of the batch: the mean of -log WMC, or what another method has in its place."""
    bonus: Tensor | None
    """What is rewarded besides, such as the entropy of the cover, where it was asked for."""
    right: int
    """How many labels the network has right; the truth serves for nothing else."""
    judged: int
    weight: float = 1.0
    """Of the bonus."""
    terms: Mapping[str, float] = field(default_factory=dict)
    """Further numbers for the log."""

    @property
    def total(self) -> Tensor:
        """What is minimised."""
        return self.loss if self.bonus is None else self.loss - self.weight * self.bonus


class Part(NamedTuple):
    """The examples of a batch that are of one shape."""

    prepared: Prepared
    rows: Tensor


class Objective(Protocol):
    """What a training minimises."""

    def __call__(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return what some examples come to after some epochs, parts included; None when nothing is learnt."""


@dataclass(frozen=True, slots=True)
class Unchanging:
    """An objective that is the same after any number of epochs, and when nothing is learnt."""

    loss: Callable[[nn.Module, Prepared, Tensor | slice], Outcome]

    def __call__(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return what some examples come to."""
        del epochs_done
        return self.loss(network, prepared, rows)


@runtime_checkable
class JointObjective(Protocol):
    """An objective that runs the network once for all parts of a batch."""

    def together(self, network: nn.Module, parts: Sequence[Part], epochs_done: float) -> Outcome:
        """Return what a batch of several shapes comes to."""


def joint_outcome(objective: Objective, network: nn.Module, parts: Sequence[Part], epochs_done: float) -> Outcome:
    """Return what a batch comes to: the mean over its examples, of whatever shape they are."""
    if len(parts) == 1:
        return objective(network, *parts[0], epochs_done)
    if isinstance(objective, JointObjective):
        return objective.together(network, parts, epochs_done)
    outcomes = [objective(network, *part, epochs_done) for part in parts]
    total = sum(len(part.rows) for part in parts)
    shares = [len(part.rows) / total for part in parts]
    bonuses = [share * one.bonus for share, one in zip(shares, outcomes) if one.bonus is not None]
    names = dict.fromkeys(name for one in outcomes for name in one.terms)
    return Outcome(
        torch.stack([share * one.loss for share, one in zip(shares, outcomes)]).sum(),
        torch.stack(bonuses).sum() if bonuses else None,
        sum(one.right for one in outcomes),
        sum(one.judged for one in outcomes),
        outcomes[0].weight,
        {name: sum(share * one.terms.get(name, 0.0) for share, one in zip(shares, outcomes)) for name in names},
    )


@dataclass(frozen=True, slots=True)
class WMCObjective:
    """-log WMC, and the cover's bonus while it lasts."""

    cover: Cover | None = None

    def __call__(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return what some examples come to."""
        if self.cover is None or epochs_done is None:
            return measure(network, prepared, rows)
        weight = self.cover.weight_at(epochs_done)
        outcome = measure(network, prepared, rows, self.cover if weight > 0 else None)
        return replace(outcome, weight=weight, terms={"cover_weight": weight})

    def together(self, network: nn.Module, parts: Sequence[Part], epochs_done: float) -> Outcome:
        """Return what a batch of several shapes comes to."""
        if self.cover is None:
            return measure_together(network, parts)
        weight = self.cover.weight_at(epochs_done)
        outcome = measure_together(network, parts, self.cover if weight > 0 else None)
        return replace(outcome, weight=weight, terms={"cover_weight": weight})


def prepare(examples: Examples, weight_map: WeightMap, *, title: str | None = None) -> Prepared:
    """Check the evidence of examples and lay it out; `title` is what errors call these, where it is not their own."""
    if not len(examples):
        raise MooseError("expected at least one example, but got none")
    mask = weight_map.binding.checked_mask(examples, title=title)
    return Prepared(examples, weight_map, mask, family_labels(examples), examples.given_evidence)


def settings_of_examples(task: str, train: Sequence[Prepared], judged: Sequence[Prepared]) -> dict[str, object]:
    """Return what a checkpoint must agree with: the fingerprint of the task, and those of examples.

    Those of the examples' own tasks are left out where all have the task that is learnt.
    """
    settings: dict[str, object] = {"task": task}
    for name, groups in {"set of examples": train, "set of validation examples": judged}.items():
        if groups:
            settings[name] = digest([tensor for group in groups for tensor in _learnt_from(group.examples)])
    tasks = [group.weight_map.binding.fingerprint for group in (*train, *judged)]
    return settings if set(tasks) == {task} else settings | {"tasks of the examples": tasks}


def _learnt_from(examples: Examples) -> list[Tensor]:
    others = (examples.mask, examples.role_evidence, examples.pair_features, examples.given_evidence)
    return [examples.inputs, examples.evidence, *(one for one in others if one is not None)]


def family_labels(examples: Examples) -> Tensor:
    """Return which member of each latent family holds, -1 where the truth does not say that exactly one does."""
    labels = []
    has_input = torch.from_numpy(examples.task.has_input)
    for family in latent_families(examples.task):
        truth = examples.truth[..., list(family)] > 0
        labels.append(torch.where((truth.sum(-1) == 1) & has_input, truth.to(torch.int8).argmax(-1), -1))
    shape = (len(examples), len(examples.task.individuals), 0)
    return torch.stack(labels, -1) if labels else torch.zeros(shape, dtype=torch.int64)


def encode(network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Tensor:
    """Return the network's logits, example × individual × latent concept; 0, which is open, of what has no input.

    Where roles are latent, latent role × second individual comes after the concepts.
    """
    inputs = prepared.examples.network_inputs(rows)
    encoded: Tensor = network(inputs.flatten(0, 1))
    return _at_pairs(network, prepared, rows, torch.unflatten(encoded, 0, inputs.shape[:2]))


def _at_pairs(network: nn.Module, prepared: Prepared, rows: Tensor | slice, encoded: Tensor) -> Tensor:
    """Put what is said of inputs, example × individual with one × …, in its place, and add what is said of pairs."""
    examples, features = prepared.examples, prepared.examples.pair_features
    everybody = at_all_individuals(examples.task, encoded)
    return relate(network, examples.task, everybody, None if features is None else features[rows])


def at_all_individuals(task: Task, logits: Tensor) -> Tensor:
    """Put what is said of individuals with an input, example × these × …, in their places among all individuals."""
    if bool(task.has_input.all()):
        return logits
    seen = torch.from_numpy(np.flatnonzero(task.has_input))
    everybody = logits.new_zeros(len(logits), len(task.individuals), *logits.shape[2:])
    return everybody.index_copy(1, seen, logits)


def measure(network: nn.Module, prepared: Prepared, rows: Tensor | slice, cover: Cover | None = None) -> Outcome:
    """Return what some examples come to, with the bonus if there is a cover."""
    logits = encode(network, prepared, rows)
    loss, families = _count(network, logits, prepared, rows, with_families=cover is not None)
    bonus = cover.bonus(families, prepared.weight_map.binding.family_kinds) if cover and families else None
    right, judged = count_right(prepared, rows, logits.detach())
    return Outcome(loss, bonus, right, judged)


def measure_together(network: nn.Module, parts: Sequence[Part], cover: Cover | None = None) -> Outcome:
    """Return what examples of several shapes come to; their inputs go through the network in one go.

    Individuals of different shapes have nothing to do with each other, so that the cover's means are over all of them.
    """
    inputs = [part.prepared.examples.network_inputs(part.rows) for part in parts]
    sizes = [one.shape[:2] for one in inputs]
    encoded: Tensor = network(joined([one.flatten(0, 1) for one in inputs]))
    losses, right, judged = list[Tensor](), 0, 0
    by_kind = dict[Hashable, list[Tensor]]()
    for part, size, flat in zip(parts, sizes, encoded.split([one.numel() for one in sizes]), strict=True):
        logits = _at_pairs(network, *part, torch.unflatten(flat, 0, size))
        loss, families = _count(network, logits, *part, with_families=cover is not None)
        losses.append(loss * len(part.rows))
        for kind, posterior in zip(part.prepared.weight_map.binding.family_kinds, families):
            by_kind.setdefault(kind, []).append(posterior)
        new_right, new_judged = count_right(*part, logits.detach())
        right, judged = right + new_right, judged + new_judged
    loss = torch.stack(losses).sum() / sum(len(part.rows) for part in parts)
    means = [torch.cat(posteriors) for posteriors in by_kind.values()]
    return Outcome(loss, cover.bonus(means, list(by_kind)) if cover and means else None, right, judged)


def _count(
    network: nn.Module, logits: Tensor, prepared: Prepared, rows: Tensor | slice, *, with_families: bool
) -> tuple[Tensor, list[Tensor]]:
    """Return the mean of -log P(e), and the posteriors of latent families, example × member, if they are wanted."""
    weight_map = prepared.weight_map
    weighed = weigh(weight_map, weight_map.head.sides(logits), prepared.mask[rows], network, prepared.given_at(rows))
    loss = -weighed.log_likelihood().mean()
    if not with_families:
        return loss, []
    posteriors = weighed.posteriors()
    return loss, [posteriors[:, torch.from_numpy(family)] for family in weight_map.binding.families]


def count_right(prepared: Prepared, rows: Tensor | slice, logits: Tensor) -> tuple[int, int]:
    """Count how many labels logits (example × individual × latent concept) have right, and how many are known."""
    task = prepared.examples.task
    outputs = latent_columns(task)
    labels = prepared.labels[rows]
    if not labels.shape[-1]:  # no latent family: judge each latent atom
        truth = prepared.examples.truth[rows]
        if len(outputs) < truth.shape[-1]:
            truth = truth.index_select(-1, torch.tensor(outputs, dtype=torch.int64))
        if not bool(task.has_input.all()):
            truth = truth * torch.from_numpy(task.has_input)[:, None]
        is_true = (logits[..., : len(outputs)] > 0) == (truth > 0)
        return int(is_true.logical_and_(truth != 0).sum()), int(truth.count_nonzero())
    right = 0
    for position, family in enumerate(latent_families(task)):
        members = [outputs.index(column) for column in family]
        right += int((logits[..., members].argmax(-1) == labels[..., position]).sum())
    return right, int((labels >= 0).sum())
