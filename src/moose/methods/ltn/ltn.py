"""Logic tensor networks: 1 - SAT, where SAT is the aggregated truth of all axioms and of what is observed.

From Badreddine, d'Avila Garcez, Serafini and Spranger 2022, "Logic Tensor Networks", Artificial Intelligence 303, as a
baseline of the paper that Moose follows. A truth value for every concept of every individual, observed ones too, comes
from the network; each axiom of the ontology is a formula over individuals:

    C ⊑ D            ∀x. C(x) → D(x)                        C ⊓ D ⊑ E      ∀x. C(x) ∧ D(x) → E(x)
    C ⊑ ∃R.D         ∀x. C(x) → ∃y. R(x,y) ∧ D(y)           C ⊓ D ⊑ ⊥      ∀x. C(x) ∧ D(x) → ⊥
    ∃R.C ⊑ D         ∀x. (∃y. R(x,y) ∧ C(y)) → D(x)         R ∘ S ⊑ T      ∀x,y,z. R(x,y) ∧ S(y,z) → T(x,z)

with a·b for ∧ and 1 - a + a·b for →. ∀ and SAT are the p-mean error, which falls if one instance is false (Badreddine
et al., equation 20); the paper's p-mean, which does not, is `forall = "mean"`. ∃ is the p-mean.

∀ ranges over the individuals of all examples of a batch, ∃ over those of one example, and what is observed is one
formula for each concept and its negation, over those of whom it is observed. The paper aggregates each example by
itself (`over = "example"`) and takes the mean of 1 - SAT; that is an absolute error, whatever p is, where one formula
of an example is false: it leaves a network content to be wrong of a minority.

A role that is known holds or does not; the truth of others comes from the network too. `exists` says what ∃ ranges
over. "universe": the individuals of the example, the paper's choice. An individual that a known role leads nowhere
from then has no filler, so that the axiom denies it every C. "skolem": where known pairs lead from x to some y, these;
elsewhere an element of its own for x and R, of which the network says what holds. It obeys the axioms too, and what
they promise of its own fillers is taken to be so.

EL has no way to say that a digit must be one of ten: all latent concepts false satisfy every axiom, and are found.
`closure` adds, for each declared family, that some member holds and no two do, as far as the task's closure has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, count_right, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_flags
from moose.methods.base.perception import Perception
from moose.methods.ltn.fuzzy import AGGREGATORS, Aggregator
from moose.methods.ltn.fuzzy_outputs import EXISTS, ExistsName, plan_outputs
from moose.methods.ltn.fuzzy_theory import OVERS, FuzzyTheory, Over, Reading


@dataclass(frozen=True, slots=True)
class Ltn(Method):
    """Fuzzy satisfaction."""

    name: ClassVar[str] = "ltn"
    p: int = 4
    """The exponent of all means; the larger, the more the worst (for ∃ the best) instance decides."""
    forall: Aggregator = "error"
    """The p-mean error, or the p-mean, which the paper has."""
    over: Over = "batch"
    """What ∀ ranges over: the individuals of all examples of a batch, or of each example by itself, as in the paper."""
    exists: ExistsName = "universe"
    """Over the individuals of the example, or by Skolem witnesses."""
    closure: bool = False
    """Whether declared families have one and only one member; not in the paper's theory for this method."""
    decode: Decode = "own"
    """Whether the network's own probabilities are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_counts(self.name, p=self.p)
        check_choice(self.name, "forall", self.forall, AGGREGATORS)
        check_choice(self.name, "over", self.over, OVERS)
        check_choice(self.name, "exists", self.exists, EXISTS)
        check_flags(self.name, closure=self.closure)
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> LtnModel:
        """Make the model."""
        return LtnModel(self, task, perception, seed=seed)


class LtnModel(Model):
    """One network with outputs for all concepts, witnesses and unknown roles."""

    def __init__(self, method: Ltn, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.decode = method.decode
        self.reading = Reading(method.over, method.forall, method.exists, method.p, method.closure)
        self._theories = dict[Task, FuzzyTheory]()
        self.plan = plan_outputs(task, self.fuzzy_theory(task).told, method.exists)
        self.network = ConceptNetwork(perception.encoder(self.plan.size, seed=seed), self.plan.size)

    def fuzzy_theory(self, task: Task) -> FuzzyTheory:
        """Return the formulas of the task of some examples."""
        if task not in self._theories:
            self._theories[task] = FuzzyTheory(task, self.reading)
        return self._theories[task]

    def stages(self) -> Sequence[Stage]:
        """Train the network by 1 - SAT."""
        return [Stage(self.network, Unchanging(self.dissatisfaction))]

    def dissatisfaction(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return 1 - SAT; where it is that of examples, their mean."""
        examples = prepared.examples
        outputs = self.plan.read(encode(network, prepared, rows))
        satisfaction = self.fuzzy_theory(examples.task).satisfaction(outputs, examples.evidence[rows])
        latent = outputs.logits.detach().index_select(-1, torch.tensor(latent_columns(self.task)))
        right, judged = count_right(prepared, rows, latent)
        terms = {"axioms": mean_truth(satisfaction.axioms), "evidence": mean_truth(satisfaction.evidence)}
        return Outcome(1 - satisfaction.sat.mean(), None, right, judged, terms=terms)

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the network's probabilities with what is observed in its place, or the circuit's posteriors."""
        logits = self.plan.read(encode(self.network, prepared, rows)).logits
        return answer_by_concept(prepared, rows, logits, self.decode, use_evidence=use_evidence)


def mean_truth(values: Tensor) -> float:
    """Return the mean of truth values for the log; of none, 1."""
    return float(values.detach().mean()) if values.numel() else 1.0
