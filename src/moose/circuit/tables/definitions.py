"""Auxiliary atoms that the others determine, once it is said that they hold only where they must.

An auxiliary atom X that is the one auxiliary head of its clauses, B₁ → X, …, Bₘ → X, may be taken to be false where no
body holds: to make it true helps no clause. With X → B₁ ∨ … ∨ Bₘ added it is a function of the others, and needs no
quantifier, which would tie all its clauses together: to count models over all atoms is to count them over the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from math import prod

import numpy as np

from moose.grounding.clauses import AtomKind, Clauses, Flags, Origin, pack

MOST_CLAUSES = 64  # that say X → B₁ ∨ … ∨ Bₘ; where it takes more, X is quantified

Bodies = list[tuple[int, ...]]


def define_auxiliary(clauses: Clauses) -> tuple[Clauses, Flags]:
    """Add the clauses that determine auxiliary atoms; say which of the atoms they determine."""
    is_determined = np.zeros(len(clauses.atoms), dtype=bool)
    is_auxiliary = clauses.kinds == AtomKind.AUXILIARY
    if not is_auxiliary.any():
        return clauses, is_determined
    bodies = _bodies(clauses, is_auxiliary)
    determined = _determined(bodies, is_auxiliary)
    is_determined[determined] = True
    added = [clause for atom in determined for clause in _only_if(atom, bodies[atom])]
    literals, starts = pack(added)
    extended = replace(
        clauses,
        literals=np.concatenate([clauses.literals, literals]),
        starts=np.concatenate([clauses.starts, clauses.starts[-1] + starts[1:]]),
        origins=np.concatenate([clauses.origins, np.full(len(added), Origin.ENTAILED, np.int8)]),
    )
    return extended, is_determined


def _bodies(clauses: Clauses, is_auxiliary: Flags) -> dict[int, Bodies]:
    """Return the bodies of each auxiliary atom that never shares a head with another, if they are few enough."""
    bodies: dict[int, Bodies] = {atom: [] for atom in np.flatnonzero(is_auxiliary).tolist()}
    heads_at = np.flatnonzero(is_auxiliary[np.abs(clauses.literals) - 1] & (clauses.literals > 0))
    for number in np.unique(np.searchsorted(clauses.starts, heads_at, side="right") - 1).tolist():
        clause = set(clauses.clause(number))
        if any(-literal in clause for literal in clause):
            continue  # always true
        heads = [literal for literal in clause if literal > 0 and is_auxiliary[literal - 1]]
        for head in heads:
            if len(heads) > 1:
                bodies.pop(head - 1, None)
            elif head - 1 in bodies:
                bodies[head - 1].append(tuple(sorted(-literal for literal in clause - {head})))
    return {atom: own for atom, own in bodies.items() if prod(map(len, own)) <= MOST_CLAUSES}


def _determined(bodies: Mapping[int, Bodies], is_auxiliary: Flags) -> list[int]:
    """Return the atoms whose bodies speak of visible atoms and of determined ones only, without a circle."""
    users: dict[int, list[int]] = {}
    missing: dict[int, int] = {}
    for atom, own in bodies.items():
        needed = {abs(literal) - 1 for body in own for literal in body}
        needed = {other for other in needed if is_auxiliary[other]}
        missing[atom] = len(needed)
        for other in needed:
            users.setdefault(other, []).append(atom)
    determined = [atom for atom, count in missing.items() if count == 0]
    for atom in determined:  # grows on the way
        for user in users.get(atom, ()):
            missing[user] -= 1
            if missing[user] == 0:
                determined.append(user)
    return determined


def _only_if(atom: int, bodies: Bodies) -> Iterator[tuple[int, ...]]:
    """Yield clauses that say X → B₁ ∨ … ∨ Bₘ: one for each choice of a literal from every body."""
    for choice in product(*sorted(set(bodies))):
        yield (-atom - 1, *choice)
