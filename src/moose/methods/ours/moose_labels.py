"""Moose by labels: -(1 - s) log P(e | T) - s Σ log P(l | T) over the labels l of the evidence e, exact given theory T.

Ours: to the joint likelihood of `moose` it adds a composite one (Lindsay 1988; Varin, Reid and Firth 2011) of the
posteriors that the circuit gives. Answers are the same function of what the network says, and as consistent; what
differs is which part of it an example teaches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.labels.complete_labels import complete_examples
from moose.learning.loss.label_likelihood import LabelLikelihood
from moose.learning.loss.objective import Prepared, Unchanging
from moose.methods.base.method import Method
from moose.methods.base.model import Stage
from moose.methods.base.options import check_numbers
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import MooseModel


@dataclass(frozen=True, slots=True)
class MooseLabels(Method):
    """Every label counts for what is said of its own class."""

    name: ClassVar[str] = "moose-labels"
    share: float = 0.3
    """s: 0 is the joint likelihood alone, 1 that of each label by itself."""

    def __post_init__(self) -> None:
        check_numbers(self.name, share=self.share)
        if self.share > 1:
            raise MooseError(f"expected share of {self.name} between 0 and 1, but got {self.share!r}")

    def model(self, task: Task, perception: Perception, *, seed: int) -> MooseLabelsModel:
        """Make the model."""
        return MooseLabelsModel(task, perception, seed=seed, share=self.share)


class MooseLabelsModel(MooseModel):
    """The network of `moose`, to which every label counts by itself, too."""

    takes_roles = False

    def __init__(self, task: Task, perception: Perception, *, seed: int, share: float) -> None:
        super().__init__(task, perception, seed=seed, head="sigmoid", objective="conditional")
        self.share = share

    def prepare(self, examples: Examples) -> Prepared:
        """Add the labels that follow from those that there are, so that it does not matter which of them were said."""
        return super().prepare(complete_examples(examples))

    def stages(self) -> Sequence[Stage]:
        """Train the network by both likelihoods."""
        return [Stage(self.network, Unchanging(LabelLikelihood(self.share)), is_likelihood=True)]
