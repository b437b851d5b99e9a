"""ILR: ‖t̂ - t‖₁ over latent atoms, where t̂ = ILR(t; T ∧ e) is what refinement makes of the network's truth values t.

From Daniele, van Krieken, Serafini and van Harmelen 2023, "Refining neural network predictions using background
knowledge", Machine Learning 112; `refinement` has the functions of each logic. T are the clauses that moose compiles:
the grounded theory with the closure of its families. The atoms of a clause have these truth values before refinement:

    t(X) = p_X(x) if X is latent        t(X) = 1 or 0 if X is observed or known        t(X) = ½ if nobody speaks of X

What is observed is held: refinement changes all others as little as it takes until theory and evidence are true.

There the last layer's outcome is compared with labels. Latent concepts have none, so what is minimised is how far
refinement had to go, through the layer and with its derivative. It is 0 where the network's word satisfies theory and
evidence by itself. Predictions are refined values: those of fuzzy logic, not posteriors. With the Gödel logic each
step makes one literal of a clause true, so that a family ends at one member; the Łukasiewicz logic is content with all
members of a family at equal shares. Where refinement does not end in the steps that it has, clauses stay false
(`terms.satisfied` of each epoch has their share); the circuit's most probable world never does that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import Binding, latent_columns
from moose.learning.heads import HEADS, HeadName, WeightMap
from moose.learning.loss.objective import Outcome, Prepared, Unchanging, count_right, encode
from moose.learning.network import ConceptNetwork
from moose.methods.base.answers import BatchAnswer
from moose.methods.base.method import Method
from moose.methods.base.model import Model, Stage
from moose.methods.base.options import check_choice, check_counts, check_flags, check_numbers
from moose.methods.base.perception import Perception
from moose.methods.ilr.refinement import LOGICS, ClauseTable, Logic, Refinement, clause_table, refine, satisfied


@dataclass(frozen=True, slots=True)
class Ilr(Method):
    """Truth values that are refined."""

    name: ClassVar[str] = "ilr"
    head: HeadName = "softmax"
    """A softmax for each latent family, or independent sigmoids."""
    logic: Logic = "godel"
    """The t-norm: Gödel's, the product, or Łukasiewicz's."""
    steps: int = 10
    """How many times all clauses are refined."""
    share: float = 1.0
    """α, the share of the way to truth that a clause goes in one step."""
    refine_answers: bool = True
    """Whether predictions are refined; otherwise they are what the network says, with evidence in its place."""

    def __post_init__(self) -> None:
        check_choice(self.name, "head", self.head, HEADS)
        check_choice(self.name, "logic", self.logic, LOGICS)
        check_counts(self.name, steps=self.steps)
        check_numbers(self.name, share=self.share)
        check_flags(self.name, refine_answers=self.refine_answers)
        if not 0 < self.share <= 1:
            raise MooseError(f"expected a share of ilr above 0 and at most 1, but got {self.share}")

    def model(self, task: Task, perception: Perception, *, seed: int) -> IlrModel:
        """Make the model."""
        return IlrModel(self, task, perception, seed=seed)


class IlrModel(Model):
    """One network whose outputs are truth values."""

    def __init__(self, method: Ilr, task: Task, perception: Perception, *, seed: int) -> None:
        super().__init__(task, head=method.head)
        self.method = method
        self._tables = dict[Task, ClauseTable]()
        outputs = len(latent_columns(task))
        self.network = ConceptNetwork(perception.encoder(outputs, seed=seed), outputs)

    def stages(self) -> Sequence[Stage]:
        """Train the network by how far refinement has to go."""
        return [Stage(self.network, Unchanging(self.distance))]

    def distance(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return the sum of what refinement changes in the latent atoms of an example; the mean over examples."""
        logits = encode(network, prepared, rows)
        before, held = self.truths(prepared, self.said(prepared, logits), prepared.mask[rows])
        after = self.refined(prepared, before, held)
        loss = (after - before)[:, prepared.weight_map.binding.layer.columns.latent].abs().sum(1).mean()
        right, judged = count_right(prepared, rows, logits.detach())
        share = satisfied(after.detach(), self.table(prepared)).mean()
        return Outcome(loss, None, right, judged, terms={"satisfied": float(share)})

    def answer(self, prepared: Prepared, rows: slice, *, use_evidence: bool) -> BatchAnswer:
        """Return the refined truth values."""
        logits = encode(self.network, prepared, rows)
        own = self.said(prepared, logits)
        truths, held = self.truths(prepared, own, prepared.mask_at(rows, use_evidence=use_evidence))
        if self.method.refine_answers:
            truths = self.refined(prepared, truths, held)
        binding = prepared.weight_map.binding
        return BatchAnswer(binding.by_concept(truths[:, : binding.layer.atom_count]), own)

    def said(self, prepared: Prepared, logits: Tensor) -> Tensor:
        """Return what the network says of latent atoms: example × individual × latent concept."""
        return prepared.weight_map.head.sides(logits).positive.exp()

    def truths(self, prepared: Prepared, said: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return truth values before refinement, and which are held."""
        return first_truths(prepared.weight_map, self.table(prepared), said, mask)

    def refined(self, prepared: Prepared, truths: Tensor, held: Tensor) -> Tensor:
        """Return truth values after refinement."""
        how = Refinement(self.method.logic, self.method.steps, self.method.share)
        return refine(truths, held, self.table(prepared), how).clamp(0.0, 1.0)

    def table(self, prepared: Prepared) -> ClauseTable:
        """Return the clauses of the task of some examples."""
        task = prepared.examples.task
        if task not in self._tables:
            self._tables[task] = circuit_clauses(prepared.weight_map.binding)
        return self._tables[task]


def first_truths(weight_map: WeightMap, table: ClauseTable, said: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """Return truth values before refinement, and which are held: example × atom, auxiliary ones last."""
    layer = weight_map.binding.layer
    known = mask + layer.given
    others = torch.full((len(mask), len(weight_map.others)), 0.5, dtype=said.dtype)
    own = said.flatten(1).index_select(1, weight_map.spoken)
    truths = torch.cat([own, others], 1).index_select(1, weight_map.back)
    truths = torch.where(known == 0, truths, (known > 0).to(truths.dtype))
    auxiliary = table.atoms - layer.atom_count
    return (
        torch.cat([truths, truths.new_full((len(truths), auxiliary), 0.5)], 1),
        torch.cat([known != 0, torch.zeros(len(truths), auxiliary, dtype=torch.bool)], 1),
    )


def circuit_clauses(binding: Binding) -> ClauseTable:
    """Return the clauses that a circuit was compiled from, over its atoms and then those that it has no column for."""
    clauses, columns = binding.layer.circuit.clauses, binding.layer.columns.from_clauses.tolist()
    auxiliary = iter(range(binding.layer.atom_count, binding.layer.atom_count + len(columns)))
    atom_of = [column if column >= 0 else next(auxiliary) for column in columns]
    renamed = [tuple((atom_of[abs(one) - 1] + 1) * (1 if one > 0 else -1) for one in clause) for clause in clauses]
    return clause_table(renamed, binding.layer.atom_count + sum(column < 0 for column in columns))
