"""Top-k proofs: -log P(⋁ of the k likeliest proofs of what is observed), a bound of -log P(query) from above.

    P(⋁ proofs) = Σ over sets S of proofs of (-1)^(|S|+1) · Π over literals in ⋃ S of their probability

From Huang, Li, Chen, Samel, Naik, Song and Si 2021, "Scallop: From Probabilistic Deductive Databases to Scalable
Differentiable Reasoning", NeurIPS, and Li, Huang and Naik 2023, "Scallop: A Language for Neurosymbolic Programming",
PLDI, where it is the provenance diff-top-k-proofs with k = 3. The program is that of the method deepproblog: networks
weigh which member of each family is drawn, and whether each other latent concept holds; rules prove the rest.

There each fact keeps its k likeliest proofs while rules run. Here all proofs of a query are listed once, and each
example takes the k likeliest of these as its network has them: the same bound where the program loses no proof on the
way, and else a better one. With k as large as the list the loss is that of deepproblog.

Only what training minimises is approximate. The derivative reaches the choices of k proofs, so that a network which is
wrong about an input is not told of proofs that it finds unlikely, and commits sooner. Answers are the circuit's.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

import torch
from torch import Tensor

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.binding import latent_columns
from moose.learning.heads import Sides
from moose.learning.loss.objective import Prepared
from moose.methods.base.method import Method
from moose.methods.base.options import check_counts
from moose.methods.base.perception import Perception
from moose.methods.deepproblog.deepproblog import ProgramModel
from moose.methods.deepproblog.neural_program import NeuralProgram
from moose.methods.top_k.all_proofs import ProofLister
from moose.methods.top_k.union import ProofTable, log_union, proof_table

MOST_TOGETHER = 12
"""The largest k: overlaps of all sets of proofs are summed, which are 2ᵏ."""


@dataclass(frozen=True, slots=True)
class TopK(Method):
    """The k likeliest proofs."""

    name: ClassVar[str] = "top-k"
    k: int = 3
    """How many proofs of an example count."""

    def __post_init__(self) -> None:
        check_counts(self.name, k=self.k)
        if self.k > MOST_TOGETHER:
            raise MooseError(
                f"expected k of {self.name} up to {MOST_TOGETHER}, but got {self.k}; choose deepproblog for all proofs"
            )

    def model(self, task: Task, perception: Perception, *, seed: int) -> ProgramModel:
        """Make the model of the program, with a loss by proofs."""
        return ProgramModel(task, perception, seed=seed, engine=TopProofProver(self.k))


class TopProofProver:
    """Computes the loss; the proofs of each evidence are listed when it is first seen."""

    def __init__(self, k: int) -> None:
        self.k = k
        self._listers = dict[Task, ProofLister]()
        self._tables = dict[tuple[Task, bytes], ProofTable]()

    def __call__(self, program: NeuralProgram, prepared: Prepared, rows: Tensor | slice, sides: Sides) -> Tensor:
        """Return log P(⋁ proofs) of each example."""
        log_weights = self._log_weights(program, prepared, sides)
        evidences, which = prepared.mask[rows].unique(dim=0, return_inverse=True)
        results = log_weights.new_zeros(len(log_weights))
        for number, evidence in enumerate(evidences):
            of_evidence = torch.nonzero(which == number).flatten()
            table = self._table(program, prepared, evidence)
            results = results.index_copy(0, of_evidence, log_union(log_weights[of_evidence], table, self.k))
        return results

    def _table(self, program: NeuralProgram, prepared: Prepared, evidence: Tensor) -> ProofTable:
        """Return the proofs of some evidence, a row of the mask."""
        task = prepared.examples.task
        key = task, evidence.numpy().tobytes()
        if key not in self._tables:
            if task not in self._listers:
                self._listers[task] = ProofLister(program)
            columns = prepared.weight_map.binding.layer.columns.from_clauses
            known = [(position, int(evidence[column])) for position, column in enumerate(columns) if column >= 0]
            observed = [sign * (position + 1) for position, sign in known if sign]
            variables = drawn_variables(program)
            self._tables[key] = proof_table(self._listers[task].query(observed), variables, groups_of(program))
        return self._tables[key]

    def _log_weights(self, program: NeuralProgram, prepared: Prepared, sides: Sides) -> Tensor:
        """Return log weights of what is drawn, then of what is not: example × literal; coins weigh ½."""
        task, theory = prepared.examples.task, program.theory
        latent = [task.concepts[column].name for column in latent_columns(task)]
        places = {
            (who, name): place
            for place, (who, name) in enumerate((who, name) for who in task.individuals for name in latent)
        }
        atoms = [theory.atoms[position] for position in drawn_variables(program)[: -len(program.coins) or None]]
        spoken = torch.tensor([places[atom.arguments[0], atom.predicate] for atom in atoms], dtype=torch.int64)
        both = []
        for side in sides:
            flat = side.flatten(1).index_select(1, spoken)
            both += [flat, flat.new_full((len(flat), len(program.coins)), 0.5).log()]
        return torch.cat(both, 1)


def drawn_variables(program: NeuralProgram) -> list[int]:
    """Return what is drawn: members of families, then other concepts, then coins."""
    return [*chain(*program.disjunctions), *program.facts, *program.coins]


def groups_of(program: NeuralProgram) -> list[int]:
    """Return the family of each of these, or a number of its own."""
    families = [number for number, family in enumerate(program.disjunctions) for _ in family]
    loose = len(program.facts) + len(program.coins)
    return [*families, *range(len(program.disjunctions), len(program.disjunctions) + loose)]
