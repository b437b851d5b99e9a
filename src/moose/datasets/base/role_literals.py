"""Literals of pairs, such as `not succ(a,b)`, in a table: evidence and truth of roles that are not known in advance."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.grounding.atoms import Atom
from moose.grounding.task.task import Task

Signs = NDArray[np.int8]


def pair_literals(text: str, task: Task) -> list[tuple[Atom, bool]]:
    """Return the literals of a text that speak of pairs, in the names of a task."""
    return [(atom, is_true) for atom, is_true in task.literals(text) if len(atom.arguments) == 2]


def pair_signs(text: str, task: Task, *, known: Collection[str]) -> Signs:
    """Read the literals of pairs as role × individual × individual: +1, -1, and 0 for what is not said.

    Those of roles that are known in advance are refused: their pairs are structure, and stand elsewhere.
    """
    roles = {role.name: number for number, role in enumerate(task.role_predicates)}
    people = {name: number for number, name in enumerate(task.individuals)}
    signs = np.zeros((len(roles), len(people), len(people)), dtype=np.int8)
    for atom, is_true in pair_literals(text, task):
        if atom.predicate in known or roles.keys() <= set(known):
            raise MooseError(
                f"expected concepts of individuals, but got {atom}; known roles belong under roles or into the task"
            )
        if atom.predicate not in roles:
            raise task.vocabulary.unknown_role(atom.predicate, "a role of the task")
        for name in atom.arguments:
            if name not in people:
                raise unknown_word("an individual of the task", name, tuple(people))
        slot = (roles[atom.predicate], *(people[name] for name in atom.arguments))
        sign = 1 if is_true else -1
        if signs[slot] == -sign:
            raise MooseError(f"{atom} is said to hold and not to hold")
        signs[slot] = sign
    return signs


def stacked(signs: Sequence[Signs]) -> Signs | None:
    """Return example × role × individual × individual; None where no example says anything."""
    return np.stack(signs) if any(one.any() for one in signs) else None
