"""The semantic loss: -log WMC(β; p(x), e), where β holds only what the ontology says outright in concepts.

Xu, Zhang, Friedman, Liang and Van den Broeck, "A Semantic Loss Function for Deep Learning with Symbolic Knowledge"
(2018, ICML), for an ontology that nobody reasoned over: one clause at each individual for each axiom A ⊑ B, A ⊓ B ⊑ C,
A ⊓ B ⊑ ⊥ (the normal forms NF1 and NF2) and each disjointness, as they are told; no saturation, no roles, no closure.

To count models is to reason, so β entails all that follows from these clauses by propositional logic, told or not, also
through concepts that the task does not declare. What is lost against moose is what goes through roles (D1 ⊑ ∃succ.D2
with a known successor, chains, domains and ranges), what is asserted of named individuals, and the closure. Where no
axiom is about roles, as in the pizza regimes and on mnist1, β is the theory of moose without closure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.heads import HEADS, HeadName
from moose.learning.loss.objective import Prepared, WMCObjective
from moose.methods.base.answers import BatchAnswer, answer_of_labels
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_flags
from moose.methods.base.perception import Perception
from moose.methods.theory.propositional_part import stated_task


@dataclass(frozen=True, slots=True)
class SemanticLoss(Method):
    """Model counting without description logic."""

    name: ClassVar[str] = "semantic-loss"
    closure: bool = False
    """Whether declared families are closed nevertheless."""
    head: HeadName = "sigmoid"
    """Independent sigmoids, or a softmax for each latent family."""

    def __post_init__(self) -> None:
        check_flags(self.name, closure=self.closure)
        check_choice(self.name, "head", self.head, HEADS)

    def model(self, task: Task, perception: Perception, *, seed: int) -> SemanticLossModel:
        """Make the model."""
        return SemanticLossModel(self, task, perception, seed=seed)


class SemanticLossModel(Model):
    """One network whose outputs weigh the literals of a smaller circuit."""

    takes_kinds = takes_roles = True

    def __init__(self, method: SemanticLoss, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head=method.head)
        self.closure = method.closure
        outputs = len(latent_columns(task))
        self.network = perception.network(task, outputs, seed=seed)

    def theory(self, task: Task) -> Task:
        """Keep what is said outright."""
        return stated_task(task, closure=self.closure)

    def stages(self) -> Sequence[Stage]:
        """Train the network by -log WMC."""
        return [Stage(self.network, WMCObjective())]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the posteriors of the smaller circuit, and its most probable world where all evidence is labels."""
        return answer_of_labels(self.network, prepared, rows, use_evidence=use_evidence)
