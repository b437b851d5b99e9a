"""Moose: -log WMC(α; p(x), e), exact, through the circuit of ontology and closure (the paper's eq:loss).

From the paper that Moose follows, section 3.4: independent sigmoids for all latent atoms, and α compiled from the
saturated ontology with the closure Φ of its declared families, or from the ontology alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.heads import HEADS, HeadName
from moose.learning.loss.cover import Cover
from moose.learning.loss.likelihood import OBJECTIVES, OPEN_WEIGHTS, PAPER, ObjectiveName, OpenName
from moose.learning.loss.objective import Prepared, WMCObjective
from moose.methods.base.answers import BatchAnswer, answer_of_labels
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_flags
from moose.methods.base.perception import Perception


@dataclass(frozen=True, slots=True)
class Moose(Method):
    """The paper's method."""

    name: ClassVar[str] = "moose"
    before: ClassVar[Mapping[str, object]] = PAPER
    head: HeadName = "sigmoid"
    """Independent sigmoids, or a softmax for each latent family."""
    closure: bool = True
    """Whether declared families are closed; without, the circuit is that of the ontology alone."""
    objective: ObjectiveName = "auto"
    """The likelihood of the evidence given the theory, or the paper's count, which prefers what says little."""
    open_weights: OpenName = "learnt"
    """How likely an observable is that a member of a family leaves open; `half` is the paper's."""

    def __post_init__(self) -> None:
        check_choice(self.name, "objective", self.objective, OBJECTIVES)
        check_choice(self.name, "open_weights", self.open_weights, OPEN_WEIGHTS)
        check_choice(self.name, "head", self.head, HEADS)
        check_flags(self.name, closure=self.closure)

    def model(self, task: Task, perception: Perception, *, seed: int) -> MooseModel:
        """Make the model."""
        return MooseModel(
            task,
            perception,
            seed=seed,
            head=self.head,
            closure=self.closure,
            objective=self.objective,
            open_weights=self.open_weights,
        )


class MooseModel(Model):
    """One network whose outputs weigh the literals of the circuit."""

    takes_kinds = takes_roles = True

    def __init__(  # noqa: PLR0913  # all after the seed are options with a default
        self,
        task: Task,
        perception: Perception,
        *,
        seed: int,
        head: HeadName = "softmax",
        closure: bool = True,
        cover: Cover | None = None,
        objective: ObjectiveName = "auto",
        open_weights: OpenName = "learnt",
    ) -> None:
        super().__init__(task, head=head, objective=objective, open_weights=open_weights)
        self.closure, self.objective = closure, WMCObjective(cover)
        outputs = len(latent_columns(task))
        self.network = perception.network(task, outputs, seed=seed)
        self.network.open_weights = self.make_open_weights()

    def theory(self, task: Task) -> Task:
        """Leave the closure out if that is asked for."""
        return task if self.closure else replace(task, closure=())

    def stages(self) -> Sequence[Stage]:
        """Train the network by -log WMC, less the cover's bonus where there is one."""
        return [Stage(self.network, self.objective, is_likelihood=True)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the circuit's posteriors, and the most probable world where all evidence is labels."""
        return answer_of_labels(self.network, prepared, rows, use_evidence=use_evidence)
