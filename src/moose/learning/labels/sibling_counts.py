"""How many of the classes just below a class hold together: none, one, or several; a learnt log odds for the last two.

An ontology often leaves open whether siblings exclude each other, and whether a class is more than the sum of what is
below it; data tell. For each group of siblings two atoms are added to the theory, `some` and `several` of them, each
true just where that many hold, with weights exp(λ) and exp(μ). At λ = μ = 0, where learning begins, nothing has
changed; as μ falls siblings become disjoint, and as λ rises a class must be one of those below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from torch import Tensor

from moose.circuit.circuit import Circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clause, Clauses, with_definitions
from moose.grounding.task.task import Task
from moose.learning.labels.complete_labels import completion
from moose.learning.loss.theory_alone import kinds_alone

Siblings = tuple[int, ...]
"""Positions in `task.concepts`."""


class Groups(NamedTuple):
    """Groups of siblings."""

    every: tuple[Siblings, ...]
    """A class that is just below several others is in the group of each."""
    of_trees: tuple[Siblings, ...]
    """The same without such classes, so that circuits stay narrow."""
    above: tuple[int | None, ...]
    """The class, by its position too, that the members of each group of `every` are just below; None for no class."""
    above_of_trees: tuple[int | None, ...]


def find_siblings(task: Task) -> Groups:
    """Group the latent concepts by what they are just below, as unit propagation sees it; the rest are a group, too.

    Of concepts that hold together always, the first stands for all; what can never hold is left out. What is known of
    the individuals of the task has no part in this.

    >>> from moose.grounding.task.regimes import regime
    >>> task = regime("mnist1")
    >>> [[task.concepts[one].name for one in group] for group in find_siblings(task).every][-1]
    ['D4', 'D6', 'D8', 'D9']
    """
    above = _above(task)
    is_first = above.diagonal() & np.logical_not(np.tril(above & above.T, -1).any(axis=1))
    strict = above & ~above.T & is_first
    steps = strict.astype(np.float32)
    direct = strict & (steps @ steps == 0)
    every, of_trees = dict[int, list[int]](), dict[int, list[int]]()
    for column, concept in enumerate(task.concepts):
        if concept.is_latent and is_first[column]:
            parents = np.flatnonzero(direct[column]).tolist() or [len(above)]
            for parent in parents:
                every.setdefault(parent, []).append(column)
                of_trees.setdefault(parent, [])
            if len(parents) == 1:
                of_trees[parents[0]].append(column)
    keys, keys_of_trees = ([key for key in sorted(one) if len(one[key]) > 1] for one in (every, of_trees))
    return Groups(
        every=tuple(tuple(every[key]) for key in keys),
        of_trees=tuple(tuple(of_trees[key]) for key in keys_of_trees),
        above=tuple(None if key == len(above) else key for key in keys),
        above_of_trees=tuple(None if key == len(above) else key for key in keys_of_trees),
    )


def _above(task: Task) -> npt.NDArray[np.bool_]:
    """Return for each concept which others hold wherever it does, concept × concept: itself too, if it can."""
    count = len(task.concepts)
    above, is_asked = np.ones((count, count), dtype=bool), np.zeros((count, count), dtype=bool)
    for alone in kinds_alone(task).values():
        has = alone.has_concept[0]
        signs = np.zeros((count, 1, count), np.int8)
        signs[has, 0, has] = 1
        here = has[:, None] & has
        above &= (completion(alone).complete_all(signs)[:, 0] > 0) | ~here
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

    Members that an individual's kind has are counted one after the other, with two atoms for those so far; all but the
    last two weigh the same whether they hold or not.
    """
    atoms, added = list[Atom](), list[Clause]()

    def new(atom: Atom) -> int:
        atoms.append(atom)
        return len(clauses.atoms) + len(atoms)

    for number, name, (first, *rest) in _counted(task, clauses, groups):
        if not rest:
            one = new(_atom(2 * number, name, 0, is_last=True))
            added += [(-first, one), (-one, first)]
        some, several = first, list[int]()  # of those so far; there cannot be several before the second
        for place, member in enumerate(rest, 1):
            is_last = place == len(rest)
            more = new(_atom(2 * number + 1, name, place, is_last=is_last))
            added += [(-some, -member, more), (-more, *several, some), (-more, *several, member)]
            added += [(-two, more) for two in several]
            one = new(_atom(2 * number, name, place, is_last=is_last))
            added += [(-some, one), (-member, one), (-one, some, member)]
            some, several = one, [more]
    return with_definitions(clauses, atoms, added)


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
    """Return each group at each individual, with the literals of the members that it has."""
    found = []
    for number, group in enumerate(groups):
        for name, has in zip(task.individuals, task.has_concept, strict=True):
            atoms = [Atom(task.concepts[one].name, (name,)) for one in group if has[one]]
            members = [clauses.positions[atom] + 1 for atom in atoms if atom in clauses.positions]
            if members:
                found.append((number, name, members))
    return found


def _atom(number: int, name: str, place: int, *, is_last: bool) -> Atom:
    words = f"{'several' if number % 2 else 'some'} of siblings {number // 2}"
    return Atom(words if is_last else f"{words} up to {place}", (name,))
