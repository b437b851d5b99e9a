"""An ensemble: P(C(a) | x, e) = 1/K · Σ_k P_k(C(a) | x, e), where member k minimises -log WMC(α; p_k(x), e) by itself.

Deep ensembles (Lakshminarayanan, Pritzel and Blundell, 2017, NeurIPS) over the circuit. Members differ in their first
weights and in the order of the examples, and in nothing else. Where the evidence leaves several readings of the inputs,
members that settled on different ones make the mean as doubtful as it should be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from moose.grounding.task.task import Task
from moose.learning.binding import latent_families
from moose.learning.heads import HEADS, HeadName
from moose.learning.loss.cover import Cover
from moose.learning.loss.likelihood import OBJECTIVES, OPEN_WEIGHTS, PAPER, ObjectiveName, OpenName
from moose.learning.loss.objective import Prepared, WMCObjective
from moose.methods.base.answers import BatchAnswer, mean_answer
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_numbers
from moose.methods.base.perception import Perception, make_members


@dataclass(frozen=True, slots=True)
class Ensemble(Method):
    """Members that learn apart."""

    name: ClassVar[str] = "ensemble"
    before: ClassVar[Mapping[str, object]] = PAPER
    members: int = 5
    """K."""
    head: HeadName = "softmax"
    """Independent sigmoids, or a softmax for each latent family."""
    cover_weight: float = 0.0
    """λ of the cover at the start, as in moose-cover; 0 for none."""
    cover_epochs: float = 3.0
    """After this many epochs λ is 0; 0 for no cover."""
    objective: ObjectiveName = "auto"
    """The likelihood of the evidence given the theory, or the paper's count."""
    open_weights: OpenName = "learnt"
    """How likely an observable is that a member of a family leaves open; `half` is the paper's."""

    def __post_init__(self) -> None:
        check_choice(self.name, "objective", self.objective, OBJECTIVES)
        check_choice(self.name, "open_weights", self.open_weights, OPEN_WEIGHTS)
        check_counts(self.name, members=self.members)
        check_choice(self.name, "head", self.head, HEADS)
        check_numbers(self.name, cover_weight=self.cover_weight, cover_epochs=self.cover_epochs)

    def model(self, task: Task, perception: Perception, *, seed: int) -> EnsembleModel:
        """Make the members; without a latent family there is nothing to cover."""
        return EnsembleModel(self, task, perception, seed=seed)


class EnsembleModel(Model):
    """Networks that are trained one after the other, and know nothing of each other."""

    takes_kinds = takes_roles = True

    def __init__(self, method: Ensemble, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head=method.head, objective=method.objective, open_weights=method.open_weights)
        has_cover = min(method.cover_weight, method.cover_epochs) > 0 and latent_families(task)
        self.objective = WMCObjective(Cover(method.cover_weight, method.cover_epochs) if has_cover else None)
        self.members = make_members(
            task, perception, count=method.members, seed=seed, open_weights=self.make_open_weights
        )

    def stages(self) -> Sequence[Stage]:
        """Train each member by -log WMC, less the cover's bonus where there is one."""
        return [Stage(member, self.objective, is_likelihood=True) for member in self.members]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the mean of the members' posteriors."""
        return mean_answer(self.members, prepared, rows, use_evidence=use_evidence)
