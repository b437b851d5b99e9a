"""Moose by labels: -Σ log P(l | T) over the observed labels l, each by its exact posterior given the theory T.

Ours: a composite likelihood (Lindsay 1988; Varin, Reid and Firth 2011) of the posteriors that the circuit gives, in
place of the joint likelihood -log P(e | T) that `moose` has. Answers are the same function of what the network says,
and as consistent; what differs is which part of it an example teaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.labels.complete_labels import complete_examples
from moose.learning.loss.label_likelihood import label_likelihood
from moose.learning.loss.objective import Prepared, Unchanging
from moose.methods.base.method import Method
from moose.methods.base.model import Stage
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import MooseModel


@dataclass(frozen=True, slots=True)
class MooseLabels(Method):
    """Every label counts for what is said of its own class."""

    name: ClassVar[str] = "moose-labels"

    def model(self, task: Task, perception: Perception, *, seed: int) -> MooseLabelsModel:
        """Make the model."""
        return MooseLabelsModel(task, perception, seed=seed, head="sigmoid", objective="conditional")


class MooseLabelsModel(MooseModel):
    """The network of `moose`, learnt label by label."""

    def prepare(self, examples: Examples) -> Prepared:
        """Add the labels that follow from those that there are, so that it does not matter which of them were said."""
        return super().prepare(complete_examples(examples))

    def stages(self) -> Sequence[Stage]:
        """Train the network by the likelihood of each label."""
        return [Stage(self.network, Unchanging(label_likelihood), is_likelihood=True)]
