"""A semantic probabilistic layer: -log P(y | T, x) = -log WMC(T ∧ y; p(x)) + log WMC(T; p(x)) of an example's labels y.

Ahmed, Teso, Chang, Van den Broeck and Vergari, "Semantic Probabilistic Layers for Neuro-Symbolic Learning" (2022,
NeurIPS): what a network says of the labels is multiplied by the constraint and normalised, both by one circuit. Here
the network has a sigmoid for every concept of every individual, observed ones too, and the constraint is the theory T:
ontology, closure and facts. This is the paper's layer with a fully factorised distribution under the constraint, as its
parameters; their circuits whose sums a network weighs as well are not offered, for they are made for one constraint.

Labels are evidence: latent concepts are labelled where examples allow it (`allow_latent=True`). With all labels known
the first count is one world, and the loss is the cross-entropy of what theory leaves possible. Labels that are missing
are summed out, as in moose. What is known of an instance besides, such as the pairs of known roles, is evidence too.

What is predicted is always consistent: the marginals of all concepts are exact, and the most probable world
(`Predictions.worlds`) is a model of the theory. Where a family is closed, its sigmoids come to one softmax.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from moose.grounding.task.task import Task
from moose.learning.loss.objective import Prepared, WMCObjective
from moose.methods.base.answers import BatchAnswer, answer_with_world
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_flags
from moose.methods.base.perception import Perception


@dataclass(frozen=True, slots=True)
class Spl(Method):
    """Labels predicted through the theory."""

    name: ClassVar[str] = "spl"
    closure: bool = True
    """Whether declared families are closed; without, the circuit is that of the ontology alone."""

    def __post_init__(self) -> None:
        check_flags(self.name, closure=self.closure)

    def model(self, task: Task, perception: Perception, *, seed: int) -> SplModel:
        """Make the model."""
        return SplModel(self, task, perception, seed=seed)


class SplModel(Model):
    """One network with an output for each concept, all of which weigh the literals of the circuit."""

    takes_kinds = takes_roles = True
    needs_latent = False

    def __init__(self, method: Spl, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="complete", objective="conditional")
        self.closure = method.closure
        self.network = perception.network(task, len(task.concepts), seed=seed)

    def theory(self, task: Task) -> Task:
        """Leave the closure out if that is asked for."""
        return task if self.closure else replace(task, closure=())

    def stages(self) -> Sequence[Stage]:
        """Train the network by -log P(y | T, x)."""
        return [Stage(self.network, WMCObjective(), is_likelihood=True)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the circuit's posteriors, and the most probable world."""
        return answer_with_world(self.network, prepared, rows, use_evidence=use_evidence)
