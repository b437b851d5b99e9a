"""What is minimised: -log WMC of evidence and theory, less the cover's bonus; and how right the network is so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.binding import latent_columns, latent_families
from moose.learning.cover import Cover
from moose.learning.examples import Examples
from moose.learning.heads import WeightMap
from moose.learning.tensor_files import digest


@dataclass(frozen=True, eq=False)
class Prepared:
    """Examples that were checked against the theory, with their evidence as the layer takes it."""

    examples: Examples
    weight_map: WeightMap
    mask: Tensor
    labels: Tensor
    """int64, example × individual × latent family: the member that holds, -1 where that is unknown or none."""

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


class Objective(Protocol):
    """What a training minimises."""

    def __call__(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return what some examples come to after some epochs, parts included; None when nothing is learnt."""


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


def prepare(examples: Examples, weight_map: WeightMap) -> Prepared:
    """Check the evidence of examples and lay it out."""
    if not len(examples):
        raise MooseError("expected at least one example, but got none")
    return Prepared(examples, weight_map, weight_map.binding.checked_mask(examples), family_labels(examples))


def settings_of_examples(task: str, train: Sequence[Prepared], judged: Sequence[Prepared]) -> dict[str, object]:
    """Return what a checkpoint must agree with: the fingerprint of the task, and those of examples.

    Those of the examples' own tasks are left out where all have the task that is learnt.
    """
    settings: dict[str, object] = {"task": task}
    for name, groups in {"set of examples": train, "set of validation examples": judged}.items():
        if groups:
            tensors = [tensor for group in groups for tensor in (group.examples.inputs, group.examples.evidence)]
            settings[name] = digest(tensors)
    tasks = [group.weight_map.binding.fingerprint for group in (*train, *judged)]
    return settings if set(tasks) == {task} else settings | {"tasks of the examples": tasks}


def family_labels(examples: Examples) -> Tensor:
    """Return which member of each latent family holds, -1 where the truth does not say that exactly one does."""
    labels = []
    for family in latent_families(examples.task):
        truth = examples.truth[..., list(family)] > 0
        labels.append(torch.where(truth.sum(-1) == 1, truth.to(torch.int8).argmax(-1), -1))
    shape = (len(examples), len(examples.task.individuals), 0)
    return torch.stack(labels, -1) if labels else torch.zeros(shape, dtype=torch.int64)


def encode(network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Tensor:
    """Return the network's logits, example × individual × latent concept."""
    inputs = prepared.examples.scaled_inputs(rows)
    logits: Tensor = network(inputs.flatten(0, 1))
    return torch.unflatten(logits, 0, inputs.shape[:2])


def measure(network: nn.Module, prepared: Prepared, rows: Tensor | slice, cover: Cover | None = None) -> Outcome:
    """Return what some examples come to, with the bonus if there is a cover."""
    logits = encode(network, prepared, rows)
    weight_map, mask = prepared.weight_map, prepared.mask[rows]
    layer = weight_map.binding.layer
    log_weights = weight_map.log_weights(weight_map.head.sides(logits), mask)
    loss = layer.loss(log_weights, mask)
    bonus = None
    if cover is not None:
        posteriors = layer.posteriors(log_weights, mask)
        families = weight_map.binding.families
        bonus = cover.bonus(
            [posteriors[:, torch.from_numpy(family)] for family in families], weight_map.binding.family_kinds
        )
    right, judged = count_right(prepared, rows, logits.detach())
    return Outcome(loss, bonus, right, judged)


def count_right(prepared: Prepared, rows: Tensor | slice, logits: Tensor) -> tuple[int, int]:
    """Count how many labels logits (example × individual × latent concept) have right, and how many are known."""
    task = prepared.examples.task
    outputs = latent_columns(task)
    labels = prepared.labels[rows]
    if not labels.shape[-1]:  # no latent family: judge each latent atom
        truth = prepared.examples.truth[rows][..., list(outputs)]
        is_known = truth != 0
        return int(((logits > 0) == (truth > 0))[is_known].sum()), int(is_known.sum())
    right = 0
    for position, family in enumerate(latent_families(task)):
        members = [outputs.index(column) for column in family]
        right += int((logits[..., members].argmax(-1) == labels[..., position]).sum())
    return right, int((labels >= 0).sum())
