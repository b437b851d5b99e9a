"""Which individuals each atom and each clause speaks of, as arrays: whole theories are split up without a slow loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from moose.base.integer_arrays import distinct
from moose.circuit.tables.definitions import define_auxiliary
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, Flags

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scopes:
    """The theory by numbers.

    Two atoms that no chain of clauses connects have nothing to do with each other, so the same individual counts as
    several when its atoms fall apart.
    """

    predicates: Numbers
    """For each atom the number of its predicate."""
    firsts: Numbers
    """For each atom its individual, or its first."""
    seconds: Numbers
    """For each atom of two individuals the second; -1 for the others."""
    individual_count: int
    atoms: Numbers
    """For each literal its atom."""
    signs: Numbers
    """For each literal 0 when it is positive and 1 when it is negated."""
    clause_of: Numbers
    """For each literal its clause."""
    used: Numbers
    """The atoms that occur in clauses, ascending."""
    quantified: frozenset[int]
    """The predicates of atoms to quantify away."""
    determined: frozenset[int]
    """The predicates of auxiliary atoms that the others determine: they may stand in separators, but are not shown."""
    groups: Numbers
    """For each clause the first clause of its group: clauses that share a quantified atom must stay together."""

    @cached_property
    def cliques(self) -> list[tuple[int, ...]]:
        """The sets of two or more individuals that a group of clauses speaks of, each once."""
        return list(_cliques(self))


def find_scopes(clauses: Clauses) -> Scopes:
    """Number predicates and individuals, and find the clauses that belong together.

    Clauses that determine auxiliary atoms are added.
    """
    clauses, is_determined = define_auxiliary(clauses)
    is_quantified = (clauses.kinds == AtomKind.AUXILIARY) & ~is_determined
    manners = is_quantified + 2 * is_determined.astype(int)
    literals = clauses.literals.astype(np.int64)
    atoms = np.abs(literals) - 1
    clause_of = np.repeat(np.arange(len(clauses), dtype=np.int64), np.diff(clauses.starts))
    predicates, firsts, seconds = _name_numbers(clauses.atoms, manners.tolist())
    neighbours = np.flatnonzero(clause_of[1:] == clause_of[:-1])
    components = connected(len(clauses.atoms), atoms[neighbours], atoms[neighbours + 1])
    count = max(firsts.max(initial=-1), seconds.max(initial=-1)) + 1
    spread = np.concatenate([components * count + firsts, np.where(seconds >= 0, components * count + seconds, -1)])
    known, numbers = np.unique(spread, return_inverse=True)
    numbers = numbers.reshape(-1).astype(np.int64) - int(len(known) > 0 and known[0] == -1)
    return Scopes(
        predicates=predicates,
        firsts=numbers[: len(firsts)],
        seconds=numbers[len(firsts) :],
        individual_count=int(numbers.max(initial=-1)) + 1,
        atoms=atoms,
        signs=(literals < 0).astype(np.int64),
        clause_of=clause_of,
        used=np.flatnonzero(np.bincount(atoms, minlength=len(clauses.atoms))),
        quantified=frozenset(predicates[is_quantified].tolist()),
        determined=frozenset(predicates[is_determined].tolist()),
        groups=_groups(len(clauses), atoms, clause_of, is_quantified),
    )


def _name_numbers(atoms: Sequence[Atom], manners: Sequence[int]) -> tuple[Numbers, Numbers, Numbers]:
    """Number predicates and individuals in the order of their first mention.

    Atoms of a predicate that are to be treated in different manners count as of different predicates.
    An atom that is no concept of one individual and no role between two stands alone, as if it were an individual.
    """
    predicates: dict[tuple[str, int], int] = {}
    individuals: dict[object, int] = {}
    rows = np.full((3, len(atoms)), -1, dtype=np.int64)
    triples = []
    for atom, manner in zip(atoms, manners):
        predicate = predicates.setdefault((atom.predicate, manner), len(predicates))
        if len(atom.arguments) == 1:
            triples.append((predicate, individuals.setdefault(atom.arguments[0], len(individuals)), -1))
        elif len(atom.arguments) == 2:
            first, second = (individuals.setdefault(name, len(individuals)) for name in atom.arguments)
            triples.append((predicate, first, second))
        else:
            triples.append((predicate, individuals.setdefault(atom, len(individuals)), -1))
    if triples:
        rows[:] = np.array(triples, dtype=np.int64).T
    return rows[0], rows[1], rows[2]


def _groups(clause_count: int, atoms: Numbers, clause_of: Numbers, is_quantified: Flags) -> Numbers:
    """Join clauses that share a quantified atom."""
    indices = np.flatnonzero(is_quantified[atoms])
    if len(indices) == 0:
        return np.arange(clause_count, dtype=np.int64)
    first_clause = np.full(len(is_quantified), clause_count, dtype=np.int64)
    np.minimum.at(first_clause, atoms[indices], clause_of[indices])
    return connected(clause_count, clause_of[indices], first_clause[atoms[indices]])


def _cliques(scopes: Scopes) -> Iterator[tuple[int, ...]]:
    """Yield the cliques."""
    group = scopes.groups[scopes.clause_of]
    seconds = scopes.seconds[scopes.atoms]
    has_second = seconds >= 0
    pairs = np.concatenate(
        [
            group * scopes.individual_count + scopes.firsts[scopes.atoms],
            group[has_second] * scopes.individual_count + seconds[has_second],
        ]
    )
    owners, individuals = np.divmod(distinct(pairs), max(1, scopes.individual_count))
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    lengths = np.diff(starts, append=len(owners))
    two = starts[lengths == 2]
    yield from map(tuple, np.unique(np.stack([individuals[two], individuals[two + 1]], axis=1), axis=0).tolist())
    wide = np.flatnonzero(lengths > 2)
    yield from sorted({tuple(individuals[starts[g] : starts[g] + lengths[g]].tolist()) for g in wide})


def connected(count: int, lefts: Numbers, rights: Numbers) -> Numbers:
    """Return for each of `count` things the smallest that edges connect it with.

    >>> connected(5, np.array([1, 4]), np.array([3, 3])).tolist()
    [0, 1, 2, 1, 1]
    """
    labels = np.arange(count, dtype=np.int64)
    while len(lefts):
        low, high = np.minimum(labels[lefts], labels[rights]), np.maximum(labels[lefts], labels[rights])
        is_open = low < high
        lefts, rights = lefts[is_open], rights[is_open]
        # Each label that is not smallest among its neighbours takes a smaller one: at most half of them are left.
        np.minimum.at(labels, high[is_open], low[is_open])
        while True:
            further = labels[labels]
            if np.array_equal(further, labels):
                break
            labels = further
    return labels
