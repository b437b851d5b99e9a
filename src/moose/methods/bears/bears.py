"""BEARS: L(k) = -log WMC(α; p_k(x), e) - γ1·KL(p_k ‖ 1/k · Σ_{j≤k} p_j) - γ2·H(p_k) for the k-th of K members.

After Marconato, Bortolotti, van Krieken, Vergari, Passerini and Teso, "BEARS Make Neuro-Symbolic Models Aware of their
Reasoning Shortcuts" (2024, UAI). Members are trained one after the other and then frozen. All of them must explain the
evidence; a new one is paid for reading the inputs in another way than the mean of those before it, and for not being
surer than it need be. What they then say together, the mean of their posteriors, is unsure where readings differ.

The paper that Moose follows prints both terms with a plus before them, which for a loss asks for members that are alike
and sure; `sign = "printed"` is that reading, for comparison.

KL and H are sums over the variables of an example, `over` says which: "atoms", a Bernoulli for each latent atom;
"family", a categorical for each latent family and Bernoullis for other latent atoms; "posterior", the same of the
circuit's posterior given the evidence, in which only readings that theory and evidence allow can differ. In regimes
without a latent family the first two are one. Where the evidence settles all latent atoms, as it does on pizzaA, the
third leaves nothing to differ in, and members are those of an ensemble.

The two terms pull apart: entropy alone makes each member honest by itself, equally sure of all readings that are left,
and divergence pays a member for settling on one. Which of them wins depends on γ1 / γ2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.heads import HEADS, HeadName
from moose.learning.loss.likelihood import OBJECTIVES, OPEN_WEIGHTS, PAPER, ObjectiveName, OpenName
from moose.learning.loss.objective import Outcome, Prepared, count_right
from moose.methods.base.answers import BatchAnswer, mean_answer
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_numbers
from moose.methods.base.perception import Perception, make_members
from moose.methods.bears.diversity import OVERS, Over, Predecessors, WeightedBatch, divergence, entropy, log_values

Sign = Literal["right", "printed"]
SIGNS: tuple[Sign, ...] = ("right", "printed")


@dataclass(frozen=True, slots=True)
class Bears(Method):
    """Members each of which is made to differ from those before it."""

    name: ClassVar[str] = "bears"
    before: ClassVar[Mapping[str, object]] = PAPER
    members: int = 5
    """K."""
    gamma1: float = 1.0
    """The weight of the divergence."""
    gamma2: float = 0.1
    """The weight of the entropy."""
    sign: Sign = "right"
    """Whether divergence and entropy are rewarded, or as printed."""
    over: Over = "posterior"
    """The variables in which members are to differ; this choice gave the best likelihood on mnist1."""
    head: HeadName = "softmax"
    """Independent sigmoids, or a softmax for each latent family."""
    objective: ObjectiveName = "auto"
    """The likelihood of the evidence given the theory, or the paper's count."""
    open_weights: OpenName = "learnt"
    """How likely an observable is that a member of a family leaves open; `half` is the paper's."""

    def __post_init__(self) -> None:
        check_choice(self.name, "objective", self.objective, OBJECTIVES)
        check_choice(self.name, "open_weights", self.open_weights, OPEN_WEIGHTS)
        check_counts(self.name, members=self.members)
        check_numbers(self.name, gamma1=self.gamma1, gamma2=self.gamma2)
        check_choice(self.name, "over", self.over, OVERS)
        check_choice(self.name, "sign", self.sign, SIGNS)
        check_choice(self.name, "head", self.head, HEADS)

    def model(self, task: Task, perception: Perception, *, seed: int) -> BearsModel:
        """Make the members."""
        return BearsModel(self, task, perception, seed=seed)


class BearsModel(Model):
    """Networks that are trained one after the other, each against those before it."""

    def __init__(self, method: Bears, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head=method.head, objective=method.objective, open_weights=method.open_weights)
        self.method = method
        self.members = make_members(
            task, perception, count=method.members, seed=seed, open_weights=self.make_open_weights
        )

    def stages(self) -> Sequence[Stage]:
        """Train each member against the mean of those before it."""
        before = Predecessors(tuple(self.members), self.method.over)
        return [Stage(member, Differing(self.method, number, before)) for number, member in enumerate(self.members)]

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the mean of the members' posteriors."""
        return mean_answer(self.members, prepared, rows, use_evidence=use_evidence)


@dataclass(frozen=True, eq=False)
class Differing:
    """-log WMC, less what is paid for being different and unsure."""

    method: Bears
    number: int
    """How many members there are before this one."""
    before: Predecessors

    def __call__(
        self, network: nn.Module, prepared: Prepared, rows: Tensor | slice, epochs_done: float | None
    ) -> Outcome:
        """Return what some examples come to; where nothing is learnt, by -log WMC alone."""
        batch = WeightedBatch.by(network, prepared, rows)
        loss = -batch.weighed.log_likelihood().mean()
        right, judged = count_right(prepared, rows, batch.logits.detach())
        if epochs_done is None:
            return Outcome(loss, None, right, judged)
        logs = log_values(batch, self.method.over)
        doubt, distance = entropy(logs), torch.zeros(())
        if self.number:  # the first would be compared with itself
            distance = divergence(logs, self.before.mean(prepared, self.number)[rows], self.number)
        bonus = self.method.gamma1 * distance + self.method.gamma2 * doubt
        terms = {"divergence": float(distance.detach()), "entropy": float(doubt.detach())}
        return Outcome(loss, bonus, right, judged, weight=1.0 if self.method.sign == "right" else -1.0, terms=terms)
