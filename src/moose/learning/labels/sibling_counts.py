"""How many of the classes just below a class hold together: none, one, or several; a learnt log odds for the last two.

An ontology often leaves open whether siblings exclude each other, and whether a class is more than the sum of what is
below it; data tell. For each group of siblings two atoms are added to the theory, `some` and `several` of them, each
true just where that many hold, with weights exp(λ) and exp(μ). At λ = μ = 0, where learning begins, nothing has
changed; as μ falls siblings become disjoint, and as λ rises a class must be one of those below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from torch import Tensor

from moose.circuit.circuit import Circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clause, Clauses, Origin, pack
from moose.grounding.task.task import Task
from moose.learning.labels.complete_labels import completion

Siblings = tuple[int, ...]
"""Positions in `task.concepts`."""


def find_siblings(task: Task, *, one_parent: bool = False) -> tuple[Siblings, ...]:
    """Group the latent concepts by what they are just below; those below no other are a group, too.

    A class below several is in several groups, or, with `one_parent`, in none: circuits of the rest stay narrower. Of
    concepts that hold together always, the first stands for all; what can never hold is left out.

    >>> from moose.grounding.task.regimes import regime
    >>> task = regime("mnist1")
    >>> [[task.concepts[one].name for one in group] for group in find_siblings(task)][-1]
    ['D4', 'D6', 'D8', 'D9']
    """
    above = _above(task)
    is_first = above.diagonal() & np.logical_not(np.tril(above & above.T, -1).any(axis=1))
    strict = above & ~above.T & is_first
    steps = strict.astype(np.float32)
    direct = strict & (steps @ steps == 0)
    groups = dict[int, list[int]]()
    for column, concept in enumerate(task.concepts):
        parents = np.flatnonzero(direct[column]).tolist()
        if concept.is_latent and is_first[column] and (len(parents) < 2 or not one_parent):
            for parent in parents or [len(above)]:
                groups.setdefault(parent, []).append(column)
    return tuple(tuple(groups[parent]) for parent in sorted(groups) if len(groups[parent]) > 1)


def _above(task: Task) -> npt.NDArray[np.bool_]:
    """Return for each concept which others hold wherever it does, concept × concept: itself too, if it can.

    What is known of one individual says nothing of a hierarchy, so that all are asked that have both concepts.
    """
    count, people = len(task.concepts), len(task.individuals)
    theory = completion(task)
    above, is_asked = np.ones((count, count), dtype=bool), np.zeros((count, count), dtype=bool)
    for individual, has in enumerate(task.has_concept):
        alone = np.zeros((count, people, count), np.int8)
        alone[has, individual, has] = 1
        here = has[:, None] & has
        above &= (theory.complete_all(alone)[:, individual] > 0) | ~here
        is_asked |= here
    return above & is_asked


@dataclass(frozen=True, eq=False)
class CountColumns:
    """Where the atoms for counts stand in a circuit, and which log odds each has."""

    columns: npt.NDArray[np.int64]
    numbers: npt.NDArray[np.int64]

    def choose(self, log_odds: Tensor) -> Tensor:
        """Return the log odds of each of the atoms."""
        return log_odds[self.numbers]


def add_counts(task: Task, clauses: Clauses, groups: Sequence[Siblings]) -> Clauses:
    """Add `some` and `several` of each group at each individual, true just where at least one and two of it hold.

    Members are counted one after the other, with two atoms for those so far; all but the last two weigh the same
    whether they hold or not.
    """
    atoms, added = list(clauses.atoms), list[Clause]()

    def new(atom: Atom) -> int:
        atoms.append(atom)
        return len(atoms)

    for number, name, members in _counted(task, clauses, groups):
        some, several = members[0], 0
        for place, member in enumerate(members[1:], 1):
            is_last = place == len(members) - 1
            more = new(_atom(2 * number + 1, name, place, is_last=is_last))
            added += [(-some, -member, more), (-more, several, some), (-more, several, member), (-several, more)]
            one = new(_atom(2 * number, name, place, is_last=is_last))
            added += [(-some, one), (-member, one), (-one, some, member)]
            some, several = one, more
    # `several` of a single member is false, and is 0 above: a literal that is left out of what it stands in
    literals, starts = pack([tuple(filter(None, clause)) for clause in added if clause[0]])
    return replace(
        clauses,
        atoms=tuple(atoms),
        kinds=np.concatenate([clauses.kinds, np.full(len(atoms) - len(clauses.atoms), AtomKind.OBSERVABLE, np.int8)]),
        literals=np.concatenate([clauses.literals, literals]),
        starts=np.concatenate([clauses.starts, clauses.starts[-1] + starts[1:]]),
        origins=np.concatenate([clauses.origins, np.full(len(starts) - 1, Origin.ENTAILED, dtype=np.int8)]),
    )


def count_columns(task: Task, circuit: Circuit, groups: Sequence[Siblings]) -> CountColumns:
    """Find the atoms for counts in a circuit."""
    rows = [
        (column, number)
        for number in range(2 * len(groups))
        for name in task.individuals
        if (column := circuit.positions.get(_atom(number, name, 0, is_last=True))) is not None
    ]
    return CountColumns(*np.array(rows, dtype=np.int64).reshape(-1, 2).T)


def _counted(task: Task, clauses: Clauses, groups: Sequence[Siblings]) -> list[tuple[int, str, list[int]]]:
    """Return each group at each individual, with the literals of those members whose truth is not known."""
    found = []
    for number, group in enumerate(groups):
        for name in task.individuals:
            places = [clauses.positions.get(Atom(task.concepts[one].name, (name,))) for one in group]
            members = [place + 1 for place in places if place is not None]
            if len(members) > 1:
                found.append((number, name, members))
    return found


def _atom(number: int, name: str, place: int, *, is_last: bool) -> Atom:
    words = f"{'several' if number % 2 else 'some'} of siblings {number // 2}"
    return Atom(words if is_last else f"{words} up to {place}", (name,))
