"""Unit propagation: the nearest contradiction between literals and clauses, where there is one to be had so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from moose.grounding.clauses import Clauses, Pointers

Reasons = dict[int, int]
"""For each literal that holds, the clause that it follows by; -1 for one that was assumed."""


def clauses_by_atom(clauses: Clauses) -> tuple[Pointers, Pointers]:
    """Return which clauses mention each atom: those of atom k are `members[starts[k]:starts[k + 1]]`."""
    owners = np.repeat(np.arange(len(clauses), dtype=np.int64), np.diff(clauses.starts))
    atoms = np.abs(clauses.literals) - 1
    starts = np.zeros(len(clauses.atoms) + 1, dtype=np.int64)
    np.cumsum(np.bincount(atoms, minlength=len(clauses.atoms)), out=starts[1:])
    return starts, owners[np.argsort(atoms, kind="stable")]


def propagate(clauses: Clauses, literals: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Draw conclusions, nearest first, until two contradict; return the literals and clauses they rest on.

    None where no contradiction is found; there may still be one that takes a distinction of cases.
    """
    reasons: Reasons = {}
    queue: list[int] = []
    for literal, clause in [*((literal, -1) for literal in literals), *_unit_clauses(clauses)]:
        if literal not in reasons:
            reasons[literal] = clause
            queue.append(literal)
        if -literal in reasons:
            return _grounds(clauses, reasons, [literal, -literal])
    starts, members = clauses_by_atom(clauses)
    flat, bounds = clauses.literals.tolist(), clauses.starts.tolist()
    for literal in queue:  # grows while it is read
        atom = abs(literal) - 1
        for index in members[starts[atom] : starts[atom + 1]].tolist():
            clause = flat[bounds[index] : bounds[index + 1]]
            if -literal not in clause:
                continue
            left = {other for other in clause if -other not in reasons}
            if not left:
                used, rest = _grounds(clauses, reasons, [-other for other in clause])
                return used, [*rest, index]
            conclusion = min(left)
            if len(left) == 1 and conclusion not in reasons:
                reasons[conclusion] = index
                queue.append(conclusion)
    return None


def _unit_clauses(clauses: Clauses) -> Iterator[tuple[int, int]]:
    for index in np.flatnonzero(np.diff(clauses.starts) == 1).tolist():
        yield int(clauses.literals[clauses.starts[index]]), index


def _grounds(clauses: Clauses, reasons: Reasons, conclusions: Sequence[int]) -> tuple[list[int], list[int]]:
    """Follow conclusions back to the assumed literals and the clauses that they follow by."""
    assumed, used = list[int](), set[int]()
    seen, pending = set(conclusions), list(conclusions)
    while pending:
        literal = pending.pop()
        index = reasons[literal]
        if index < 0:
            assumed.append(literal)
        elif index not in used:
            used.add(index)
            premises = {-other for other in clauses.clause(index)} - {-literal} - seen
            seen |= premises
            pending += sorted(premises)
    return assumed, sorted(used)
