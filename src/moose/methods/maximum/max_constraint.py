"""The max-constraint module: a class is as likely as the likeliest of its subclasses, and learns through that.

Giunchiglia and Lukasiewicz, "Coherent Hierarchical Multi-Label Classification Networks" (2020, NeurIPS): of outputs h,
a sigmoid for each class, the probability of a class A is the largest h_B with B ⊑ A, so that no prediction contradicts
the hierarchy. The loss (their MCLoss) is cross-entropy in which a class with a positive label has the largest h_B with
B ⊑ A *and a positive label for B*, so that nothing is learnt from a wrong reason:

    -Σ [y_A = 1] log max {h_B : B ⊑ A, y_B = 1} - Σ [y_A = 0] log (1 - max {h_B : B ⊑ A})

The classes are the concepts of the task, observed ones too, at each individual by itself; B ⊑ A is what the ontology
entails. Labels that are missing have no part in the sums, but first those are added that follow from the others by the
theory. Nothing else of the theory is used: two disjoint classes may both be predicted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.examples import Examples
from moose.learning.labels.complete_labels import complete_examples
from moose.learning.loss.objective import Outcome, Prepared, count_right, encode
from moose.methods.base.answers import BatchAnswer, clamped
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.perception import Perception
from moose.methods.maximum.descendants import Descendants, descendants
from moose.methods.theory.propositional_part import bare_task


@dataclass(frozen=True, slots=True)
class MaxConstraint(Method):
    """Cross-entropy through the maximum over subclasses."""

    name: ClassVar[str] = "max-constraint"

    def model(self, task: Task, perception: Perception, *, seed: int) -> MaximumModel:
        """Make the model."""
        return MaximumModel(task, perception, seed=seed, through_maximum=True)


class MaximumModel(Model):
    """One network with an output for each concept, and the maximum over subclasses in what it predicts."""

    def __init__(self, task: Task, perception: Perception, *, seed: int, through_maximum: bool) -> None:
        super().__init__(task, head="sigmoid")
        self.descendants = descendants(task)
        self.objective = MaximumObjective(self.descendants if through_maximum else None)
        self.network = perception.network(task, len(task.concepts), seed=seed)

    def theory(self, task: Task) -> Task:
        """Leave all axioms out, so that nothing is compiled."""
        return bare_task(task)

    def prepare(self, examples: Examples) -> Prepared:
        """Add the labels that follow from those that there are."""
        return super().prepare(complete_examples(examples))

    def stages(self) -> Sequence[Stage]:
        """Train the network by cross-entropy."""
        return [Stage(self.network, self.objective, is_likelihood=True)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the maxima, with what is observed in its place."""
        logits = encode(self.network, prepared, rows).double()
        latent = torch.tensor(latent_columns(prepared.examples.task), dtype=torch.int64)
        largest = self.descendants.maximum(logits).sigmoid()
        posteriors = clamped(prepared, rows, largest, use_evidence=use_evidence)
        return BatchAnswer(posteriors, logits.sigmoid().index_select(-1, latent))


@dataclass(frozen=True, eq=False)
class MaximumObjective:
    """Cross-entropy of the labels that are known, summed over classes; the mean over examples."""

    descendants: Descendants | None
    """What the maximum is taken over; each class by itself if None."""

    def __call__(
        self,
        network: nn.Module,
        prepared: Prepared,
        rows: Tensor | slice,
        epochs_done: float | None,  # noqa: ARG002  # an objective is told
    ) -> Outcome:
        """Return what some examples come to."""
        logits, labels = encode(network, prepared, rows), prepared.examples.evidence[rows]
        read = logits if self.descendants is None else self.descendants.maximum(logits, labels)
        signs = labels.to(logits.dtype)
        # What is not observed has the factor 0, so that a batch without labels has a loss of 0 and no slope.
        loss = -(logsigmoid(signs * read) * signs.abs()).sum((1, 2)).mean()
        latent = torch.tensor(latent_columns(prepared.examples.task), dtype=torch.int64)
        right, judged = count_right(prepared, rows, logits.detach().index_select(-1, latent))
        return Outcome(loss, None, right, judged)
