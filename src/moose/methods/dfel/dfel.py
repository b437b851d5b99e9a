"""DF-EL: cross-entropy of observed literals + λ·Σ over normal forms of their mean falsity in the logic of products.

    C ⊑ D          C(x) → D(x)                    C ⊓ D ⊑ E      C(x)·D(x) → E(x)
    C ⊑ ∃R.D       C(x) → max_y R(x,y)·D(y)       ∃R.C ⊑ D       max_y R(x,y)·C(y) → D(x)
    R ∘ S ⊑ T      max_y R(x,y)·S(y,z) → T(x,z)   a → b = min(1, b/a)

After Zhao et al. 2025, DF-EL++, as the paper that Moose follows describes it: a product-based fuzzy semantics of EL++
with Goguen's implication, over the normal forms. There concepts are embedded and a knowledge base is completed. Here a
network gives the degree of each concept of each individual, of those that normalisation introduces, and of roles that
are not known; what is observed is learnt by cross-entropy, as in the method elembeddings. Details that the description
leaves open are decided here: falsities are averaged over instances, then over the axioms of a form, and `el_weight` is
λ. Chains, inclusions and ranges of roles count too.

A known role that leads nowhere from an individual has its filler outside the example, and C ⊑ ∃R.D is not asked there.
As with ltn, all latent concepts at 0 satisfy every axiom: EL cannot say that a digit is one of ten. `closure` adds it
for each declared family whose closure the task has: 1 - Π (1 - Cᵢ(x)) is true, and Cᵢ(x)·Cⱼ(x) false.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import torch
from torch import Tensor, nn

from moose.grounding.task.task import Task
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import DECODES, BatchAnswer, Decode, answer_by_concept
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_flags, check_numbers
from moose.methods.base.perception import Perception
from moose.methods.dfel.goguen import Degrees, chain_falsities, normal_form_falsities, range_falsities
from moose.methods.ltn.fuzzy_outputs import OutputPlan, Outputs, chosen
from moose.methods.theory.known_tensors import known_roles
from moose.methods.theory.normal_forms import normal_forms
from moose.methods.theory.observed_literals import axioms_outcome, mean_loss, observed_log_probabilities
from moose.methods.theory.task_axioms import told_axioms


@dataclass(frozen=True, slots=True)
class Dfel(Method):
    """Normal forms in fuzzy logic."""

    name: ClassVar[str] = "df-el"
    el_weight: float = 1.0
    """λ, the weight of the ontology."""
    closure: bool = False
    """Whether declared families have one and only one member."""
    decode: Decode = "own"
    """Whether the network's own degrees are the answer, or the circuit's posteriors with them as weights."""

    def __post_init__(self) -> None:
        check_numbers(self.name, el_weight=self.el_weight)
        check_flags(self.name, closure=self.closure)
        check_choice(self.name, "decode", self.decode, DECODES)

    def model(self, task: Task, perception: Perception, *, seed: int) -> DfelModel:
        """Make the model."""
        return DfelModel(self, task, perception, seed=seed)


class DfelModel(Model):
    """One network with outputs for all concepts of the normal forms, and for unknown roles."""

    def __init__(self, method: Dfel, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head="sigmoid")
        self.method = method
        self.told = told_axioms(task)
        self.forms = normal_forms(self.told)
        self.names = [role.name for role in task.role_predicates]
        free = tuple(name for name in self.names if name not in task.edges)
        self.plan = OutputPlan(self.forms.concepts - 1, (), free)  # ⊤ needs no output
        self.network = ConceptNetwork(perception.encoder(self.plan.size, seed=seed), self.plan.size)

    def stages(self) -> Sequence[Stage]:
        """Train the network by evidence and ontology."""
        return [Stage(self.network, Unchanging(self.objective))]

    def objective(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return the cross-entropy of a batch, and how false the ontology is."""
        outputs = self.plan.read(encode(network, prepared, rows))
        logits = outputs.logits[..., : len(self.task.concepts)]
        abox = mean_loss(observed_log_probabilities(prepared, rows, logits))
        tbox = self.falsity(prepared.examples.task, outputs)
        return axioms_outcome(prepared, rows, logits, (abox, tbox), self.method.el_weight)

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the network's degrees with what is observed in its place, or the circuit's posteriors."""
        logits = self.plan.read(encode(self.network, prepared, rows)).logits[..., : len(self.task.concepts)]
        return answer_by_concept(prepared, rows, logits, self.method.decode, use_evidence=use_evidence)

    def falsity(self, task: Task, outputs: Outputs) -> Tensor:
        """Return the sum over normal forms of the mean falsity of their axioms."""
        degrees = self.degrees(task, outputs)
        kinds = list(normal_form_falsities(self.forms, degrees).values())
        ranges = [one for one in self.told.ranges if one[1] < self.told.named]
        roles = [*chain_falsities(degrees.links, self.told.chains), *range_falsities(degrees, ranges)]
        if roles:
            kinds.append(torch.cat(roles, 1))
        kinds += self._closure_falsities(task, degrees)
        return torch.stack([one.mean() for one in kinds]).sum() if kinds else outputs.logits.sum() * 0.0

    def degrees(self, task: Task, outputs: Outputs) -> Degrees:
        """Return how true concepts and roles are in the examples of a task; known roles are 0 or 1."""
        concepts = outputs.logits.sigmoid()
        before, after = concepts.tensor_split([self.told.named], -1)
        concepts = torch.cat([before, torch.ones_like(concepts[..., :1]), after], -1)
        is_known, known = known_roles(task)
        theirs = [role.name for role in task.role_predicates]
        links = known.to(concepts.dtype).expand(len(concepts), -1, -1, -1)
        predicted = dict(zip(self.plan.free, chosen(outputs.links, self.plan.free)))
        by_role = [
            torch.where(is_known[place], links[:, place], predicted[name]) if name in predicted else links[:, place]
            for place, name in ((theirs.index(name), name) for name in self.names)
        ]
        has_filler = ~is_known | (known > 0)
        order = [theirs.index(name) for name in self.names]
        shape = (len(concepts), 0, concepts.shape[1], concepts.shape[1])
        return Degrees(
            concepts,
            torch.stack(by_role, 1) if by_role else concepts.new_zeros(shape),
            has_filler[order].any(-1),
        )

    def _closure_falsities(self, task: Task, degrees: Degrees) -> Iterator[Tensor]:
        """Yield how false it is that each declared family has some member, and no two."""
        columns = {concept.name: column for column, concept in enumerate(task.concepts)}
        for family in task.families if self.method.closure else ():
            members = degrees.concepts[..., [columns[name] for name in family]]
            if "cover" in task.closure:
                yield (1 - members).prod(-1)
            if "mutex" in task.closure:
                yield torch.stack(
                    [members[..., one] * members[..., two] for one, two in combinations(range(len(family)), 2)]
                )
