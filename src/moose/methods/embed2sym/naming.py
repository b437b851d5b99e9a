"""Which latent concepts hold in each cluster: a MaxSAT problem over theory and evidence.

    x(k, C)     C holds of all inputs in the cluster k
    r(s)        the sight s is not explained

A sight is what some examples have in common: the clusters of their individuals, and their evidence. Where a clause of
the theory has the literal ±C(a), a sight puts ±x(k, C) in its place, k the cluster of a. Each clause, with what is
observed put in, is to hold or the sight is not explained (hard: clause ∨ r(s)); what is not explained costs as much as
there are examples (soft: ¬r(s)). A latent family has one member in each cluster (hard) and, where there are as many
clusters as members, each member names one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import torch
from torch import Tensor

from moose.grounding.clauses import AtomKind, Clauses
from moose.learning.binding import Binding

Clause = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sight:
    """What some examples have in common."""

    clusters: tuple[int, ...]
    """Of each individual."""
    evidence: tuple[int, ...]
    """As the mask has it, for each atom of the circuit."""


@dataclass(frozen=True, eq=False)
class Names:
    """What was found."""

    holds: Tensor
    """bool, cluster × latent concept."""
    explained: Tensor
    """float, cluster: the share of its inputs in sights that are explained."""
    cost: int
    """How many examples are not."""


@dataclass(eq=False)
class NamingProblem:
    """Clauses for the solver, made sight by sight."""

    clusters: int
    concepts: Sequence[str]
    """The latent ones."""
    hard: list[Clause] = field(default_factory=list)
    soft: dict[int, int] = field(default_factory=dict)
    """r(s) and how many examples it stands for."""
    sights: dict[int, Sight] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._last = self.clusters * len(self.concepts)

    def holds(self, cluster: int, concept: str) -> int:
        """x(k, C)"""
        return cluster * len(self.concepts) + self.concepts.index(concept) + 1

    def new(self) -> int:
        """Return a variable that nothing else has."""
        self._last += 1
        return self._last

    def add_family(self, members: Sequence[str]) -> None:
        """Say that each cluster has one member, and each member one cluster where there are as many."""
        rows = [[self.holds(cluster, member) for member in members] for cluster in range(self.clusters)]
        columns = [list(column) for column in zip(*rows)] if len(members) == self.clusters else []
        for group in (*rows, *columns):
            self.hard.append(tuple(group))
            self.hard += [(-one, -other) for one, other in combinations(group, 2)]

    def add_sight(self, binding: Binding, sight: Sight, count: int) -> None:
        """Add what a sight says."""
        unexplained = self.new()
        self.soft[unexplained], self.sights[unexplained] = count, sight
        clauses, given = binding.layer.circuit.clauses, binding.layer.given.tolist()
        columns = binding.layer.columns.from_clauses.tolist()
        known = [0 if column < 0 else sight.evidence[column] or given[column] for column in columns]
        cluster_of = dict(zip(binding.task.individuals, sight.clusters, strict=True))
        variables = dict[int, int]()
        for position, kind in enumerate(clauses.kinds):
            atom = clauses.atoms[position]
            if kind == AtomKind.LATENT and atom.predicate in self.concepts:
                variables[position] = self.holds(cluster_of[atom.arguments[0]], atom.predicate)
        for position, sign in enumerate(known):
            if sign and position in variables:
                self.hard.append((sign * variables[position], unexplained))
        for clause in reduced(clauses, known):
            for literal in clause:
                if abs(literal) - 1 not in variables:
                    variables[abs(literal) - 1] = self.new()
            self.hard.append((*(_signed(variables[abs(one) - 1], one) for one in clause), unexplained))

    def solve(self) -> Names:
        """Find names that leave as few examples as possible unexplained; of equal ones, whichever comes first."""
        from pysat.examples.rc2 import RC2Stratified
        from pysat.formula import WCNF

        problem = WCNF()
        problem.extend(self.hard)
        problem.extend([(-one,) for one in self.soft], weights=list(self.soft.values()))
        with RC2Stratified(problem) as solver:
            model = solver.compute()
        assert model is not None, "with nothing explained every problem has a solution"
        true = {literal for literal in model if literal > 0}
        holds = [[self.holds(cluster, name) in true for name in self.concepts] for cluster in range(self.clusters)]
        return Names(
            torch.tensor(holds), self._explained(true), sum(self.soft[one] for one in self.soft if one in true)
        )

    def _explained(self, true: set[int]) -> Tensor:
        """Return the share of each cluster's inputs in sights that are explained; of none, 0."""
        all_inputs, explained = Counter[int](), Counter[int]()
        for unexplained, sight in self.sights.items():
            for cluster in sight.clusters:
                all_inputs[cluster] += self.soft[unexplained]
                explained[cluster] += 0 if unexplained in true else self.soft[unexplained]
        return torch.tensor([explained[one] / max(1, all_inputs[one]) for one in range(self.clusters)])


def reduced(clauses: Clauses, known: Sequence[int]) -> Iterator[Clause]:
    """Yield the clauses that what is known does not satisfy, without the literals that it makes false."""
    for clause in clauses:
        signs = [(literal, known[abs(literal) - 1] * (1 if literal > 0 else -1)) for literal in clause]
        if all(sign <= 0 for _, sign in signs):
            yield tuple(literal for literal, sign in signs if not sign)


def _signed(variable: int, like: int) -> int:
    return variable if like > 0 else -variable


def frequent_sights(clusters: Tensor, masks: Tensor, most: int) -> list[tuple[Sight, int]]:
    """Count sights, example × individual and example × atom, and return those that occur most often."""
    sights = Counter(
        Sight(tuple(of_individuals), tuple(evidence))
        for of_individuals, evidence in zip(clusters.tolist(), masks.tolist(), strict=True)
    )
    return sights.most_common(most)


def closed_families(binding: Binding) -> Iterable[tuple[str, ...]]:
    """Return the latent families of a task that have one and only one member."""
    return dict.fromkeys(binding.family_kinds) if binding.is_closed else ()


def probabilities(names: Names, families: Iterable[Sequence[int]]) -> Tensor:
    """Return how far each name is to be believed: cluster × latent concept.

    A cluster whose inputs are all explained has 1 for what holds, and none has less than ½. Else the rest is for the
    other members of a family in equal shares, or for the contrary. Families are columns.
    """
    share = names.explained.clamp(0.5, 1.0).unsqueeze(1)
    chances = torch.where(names.holds, share, 1 - share)
    for family in map(list, families):
        others = ((1 - share) / max(1, len(family) - 1)).expand(-1, len(family))
        chances[:, family] = torch.where(names.holds[:, family], share.expand(-1, len(family)), others)
    return chances
