"""Clauses over the concepts of single individuals: the same for all of one kind, repeated for each.

A literal is k + 1 for `task.concepts[k]`, -(k + 1) for its negation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from moose.grounding.clauses import Clause, Integers, Origin, Pointers, pack
from moose.grounding.task.task import Task

LocalClauses = list[tuple[Origin, Clause]]


@dataclass(frozen=True, eq=False)
class Sorts:
    """Individuals that have the same concepts and families."""

    sort_of: npt.NDArray[np.int64]
    """For each individual its sort."""
    first: tuple[int, ...]
    """For each sort its first individual."""

    @cached_property
    def members(self) -> tuple[npt.NDArray[np.int64], ...]:
        """The individuals of each sort."""
        return tuple(np.flatnonzero(self.sort_of == sort) for sort in range(len(self.first)))


def sorts_of(task: Task) -> Sorts:
    """Tell individuals apart by what they have; where no kinds are declared, all are of one sort."""
    has = np.concatenate([task.has_concept, task.has_family], axis=1)
    if has.all():
        return Sorts(np.zeros(len(has), dtype=np.int64), (0,))
    _, first, inverse = np.unique(has, axis=0, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # sorts in the order of their first individuals
    return Sorts(rank[inverse.reshape(-1)].astype(np.int64), tuple(sorted(first.tolist())))


@dataclass(frozen=True, eq=False)
class Repeated:
    """Local clauses at every individual, laid end to end."""

    literals: Integers
    starts: Pointers
    origins: list[Origin]


def at_every_individual(
    task: Task, sorts: Sorts, clauses: Sequence[LocalClauses], others: Sequence[tuple[Origin, Clause]]
) -> Repeated:
    """Repeat the clauses of each sort for each of its individuals, in their order, and put others after them."""
    packed = [pack(clause for _, clause in one) for one in clauses]
    width = len(task.concepts)
    if len(clauses) == 1:
        literals, starts = packed[0]
        numbers = np.arange(len(task.individuals), dtype=np.int64)[:, None]
        repeated = (literals + np.sign(literals) * (width * numbers).astype(np.int32)).ravel()
        repeated_starts = (starts[:-1] + len(literals) * numbers).ravel()
    else:
        rows = [packed[sort] for sort in sorts.sort_of.tolist()]
        shifted = [literals + np.sign(literals) * (width * number) for number, (literals, _) in enumerate(rows)]
        ends = np.cumsum([0, *(len(literals) for literals in shifted)])
        repeated = np.concatenate(shifted).astype(np.int32)
        repeated_starts = np.concatenate([starts[:-1] + end for (_, starts), end in zip(rows, ends)]).astype(np.int64)
    literals, starts = pack(clause for _, clause in others)
    origins = [origin for sort in sorts.sort_of.tolist() for origin, _ in clauses[sort]]
    return Repeated(
        np.concatenate([repeated, literals]),
        np.concatenate([repeated_starts, starts + len(repeated)]),
        origins + [origin for origin, _ in others],
    )


def for_each_sort(sorts: Sorts, clauses_at: Callable[[int], LocalClauses]) -> list[LocalClauses]:
    """Return the clauses of each sort, found at its first individual."""
    return [clauses_at(individual) for individual in sorts.first]


def over_concepts_of(task: Task, individual: int, clauses: LocalClauses) -> LocalClauses:
    """Keep the clauses whose concepts the individual's kind has, all of them."""
    has = task.has_concept[individual]
    if has.all():
        return clauses
    return [(origin, clause) for origin, clause in clauses if all(has[abs(literal) - 1] for literal in clause)]


def ground_families(task: Task) -> tuple[tuple[int, ...], ...]:
    """Return the positions of each family's atoms at each individual that has it."""
    positions = {predicate.name: position for position, predicate in enumerate(task.concepts)}
    families = [[positions[name] for name in family] for family in task.families]
    grounded: list[tuple[int, ...]] = []
    for individual, has_family in enumerate(task.has_family.tolist()):
        start = individual * len(task.concepts)
        grounded += (tuple(start + one for one in family) for family, has in zip(families, has_family) if has)
    return tuple(grounded)
