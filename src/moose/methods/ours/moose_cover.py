"""Moose with a cover: -log WMC(α; p(x), e) - λ(t)·H(mean over the batch of P(family | x, e)), a softmax per family.

Ours: the plain objective stops where several members of a family share a label, although the evidence tells them apart.
While labels are being found, the bonus makes a batch in which members are missing costly; then λ falls to 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_families
from moose.learning.heads import HEADS, HeadName
from moose.learning.loss.cover import Cover
from moose.learning.loss.likelihood import OBJECTIVES, OPEN_WEIGHTS, PAPER, ObjectiveName, OpenName
from moose.methods.base.method import Method
from moose.methods.base.options import check_choice, check_flags, check_numbers
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import MooseModel


@dataclass(frozen=True, slots=True)
class MooseCover(Method):
    """Our method."""

    name: ClassVar[str] = "moose-cover"
    before: ClassVar[Mapping[str, object]] = PAPER
    added: ClassVar[frozenset[str]] = frozenset({"head", "is_pooled"})
    cover_weight: float = 3.0
    """λ at the start."""
    cover_epochs: float = 3.0
    """After this many epochs λ is 0."""
    head: HeadName = "softmax"
    """Independent sigmoids, or a softmax for each latent family."""
    is_pooled: bool = False
    """Whether the mean is over all individuals together, rather than for each apart."""
    objective: ObjectiveName = "auto"
    """The likelihood of the evidence given the theory, or the paper's count."""
    open_weights: OpenName = "learnt"
    """How likely an observable is that a member of a family leaves open; `half` is the paper's."""

    def __post_init__(self) -> None:
        check_choice(self.name, "objective", self.objective, OBJECTIVES)
        check_choice(self.name, "open_weights", self.open_weights, OPEN_WEIGHTS)
        check_numbers(self.name, cover_weight=self.cover_weight, cover_epochs=self.cover_epochs)
        check_choice(self.name, "head", self.head, HEADS)
        check_flags(self.name, is_pooled=self.is_pooled)
        Cover(self.cover_weight, self.cover_epochs)

    def model(self, task: Task, perception: Perception, *, seed: int) -> MooseModel:
        """Make the model; without a latent family there is nothing to cover, and it is the plain one."""
        cover = Cover(self.cover_weight, self.cover_epochs, self.is_pooled) if latent_families(task) else None
        return MooseModel(
            task,
            perception,
            seed=seed,
            head=self.head,
            cover=cover,
            objective=self.objective,
            open_weights=self.open_weights,
        )


def check_coverable(task: Task) -> None:
    """Refuse a task without a latent family, where somebody asks for a cover by name."""
    if not latent_families(task):
        raise MooseError(
            "the cover needs a family whose members are all latent, but the task declares none; declare one, or leave "
            "the cover out (--cover 0)"
        )
