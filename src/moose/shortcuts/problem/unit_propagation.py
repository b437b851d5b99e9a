"""Unit propagation: settle what clauses leave no choice about, and keep the rest."""

from __future__ import annotations

from collections.abc import Iterable

Clause = tuple[int, ...]


def settle(clauses: Iterable[Clause]) -> tuple[set[int], list[Clause]] | None:
    """Return the literals that hold by unit propagation, and what the clauses come to; none if they contradict.

    >>> settle([(1,), (-1, 2), (2, 3), (3, 4)])
    ({1, 2}, [(3, 4)])
    """
    rows = [frozenset(clause) for clause in dict.fromkeys(tuple(sorted(clause)) for clause in clauses)]
    rows = [row for row in rows if not any(-literal in row for literal in row)]
    uses: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        for literal in row:
            uses.setdefault(literal, []).append(index)
    left = [len(row) for row in rows]
    holds: set[int] = set()
    queue = [literal for row in rows if len(row) == 1 for literal in row]
    if any(not row for row in rows):
        return None
    while queue:
        literal = queue.pop()
        if literal in holds:
            continue
        if -literal in holds:
            return None
        holds.add(literal)
        for index in uses.get(-literal, ()):
            left[index] -= 1
            if left[index] == 0:
                return None
            if left[index] == 1 and holds.isdisjoint(rows[index]):
                queue += (other for other in rows[index] if -other not in holds)
    rest = (row for row in rows if holds.isdisjoint(row))
    shortened = (tuple(sorted(literal for literal in row if -literal not in holds)) for row in rest)
    return holds, list(dict.fromkeys(shortened))
