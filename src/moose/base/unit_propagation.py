"""Unit propagation: what clauses leave no choice about, and why.

A clause of which all literals but one are false makes the last one true:

    ¬L₁  …  ¬Lₙ      L₁ ∨ … ∨ Lₙ ∨ L
    ────────────────────────────────
                   L

Literals are numbers as in DIMACS: -k is the negation of k. `propagate` reads clauses through two functions, so that
they may be lists or arrays; `simplify_clauses` is for lists of clauses, and keeps what is left of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

Clause = tuple[int, ...]

ASSUMED = -1
"""The reason of a literal that follows from no clause, but was put in."""


class Theory(NamedTuple):
    """Clauses by index, and the indices of the clauses in which a literal stands."""

    clause: Callable[[int], Collection[int]]
    clauses_with: Callable[[int], Iterable[int]]


class Propagation(NamedTuple):
    """What was derived, and where it contradicts itself."""

    reasons: dict[int, int]
    """For each literal that holds the clause that it follows by, or `ASSUMED`; in the order of derivation."""
    clashing: tuple[int, ...] = ()
    """Literals that hold but cannot do so together; none without a contradiction."""
    violated: int | None = None
    """The clause that says so, where they are not just each other's negation."""

    def premises(self, theory: Theory) -> tuple[list[int], list[int]]:
        """Follow the clashing literals back to the assumed ones and to the clauses that they follow by."""
        assumed, used = list[int](), set[int]()
        seen, pending = set(self.clashing), list(self.clashing)
        while pending:
            literal = pending.pop()
            index = self.reasons[literal]
            if index == ASSUMED:
                assumed.append(literal)
            elif index not in used:
                used.add(index)
                before = {-other for other in theory.clause(index)} - {-literal} - seen
                seen |= before
                pending += sorted(before)
        return assumed, [*sorted(used), *([] if self.violated is None else [self.violated])]


def propagate(theory: Theory, facts: Iterable[tuple[int, int]]) -> Propagation:
    """Draw conclusions, nearest first, from facts (a literal and its reason) until there are no more or two contradict.

    Where no contradiction is found there may still be one that takes a distinction of cases. Clauses of one literal
    must be among the facts; there must be no empty clause.
    """
    reasons: dict[int, int] = {}
    queue: list[int] = []
    for literal, reason in facts:
        if literal not in reasons:
            reasons[literal] = reason
            queue.append(literal)
        if -literal in reasons:
            return Propagation(reasons, (literal, -literal))
    for literal in queue:  # grows while it is read
        for index in theory.clauses_with(-literal):
            clause = theory.clause(index)
            last = 0  # the one literal that is not false
            for other in clause:
                if -other not in reasons and other != last:
                    if last:
                        break
                    last = other
            else:
                if not last:
                    return Propagation(reasons, tuple(-other for other in clause), index)
                if last not in reasons:
                    reasons[last] = index
                    queue.append(last)
    return Propagation(reasons)


def simplify_clauses(clauses: Iterable[Sequence[int]]) -> tuple[set[int], list[Clause]] | None:
    """Return the literals that hold by unit propagation, and what the clauses come to; none if they contradict.

    >>> simplify_clauses([(1,), (-1, 2), (2, 3), (3, 4)])
    ({1, 2}, [(3, 4)])
    """
    distinct = dict.fromkeys(map(sorted_clause, clauses))
    rows = [row for row in distinct if not is_tautology(row)]
    if () in distinct:
        return None
    units = [(row[0], index) for index, row in enumerate(rows) if len(row) == 1]
    if not units:
        return set(), rows
    uses: dict[int, list[int]] = {}
    for index, row in enumerate(rows):
        for literal in row:
            uses.setdefault(literal, []).append(index)
    result = propagate(Theory(rows.__getitem__, lambda literal: uses.get(literal, ())), units)
    if result.clashing:
        return None
    holds = set(result.reasons)
    fails = {-literal for literal in holds}
    rest = (row for row in rows if holds.isdisjoint(row))
    shortened = (row if fails.isdisjoint(row) else tuple(one for one in row if one not in fails) for row in rest)
    return holds, list(dict.fromkeys(shortened))


def sorted_clause(clause: Sequence[int]) -> Clause:
    """Return a clause with its literals in order, each once; the short ones, which most are, without much ado."""
    if len(clause) == 2:
        first, second = clause
        if first != second:
            return (first, second) if first < second else (second, first)
    return tuple(sorted(set(clause)))


def is_tautology(row: Clause) -> bool:
    """Return whether a sorted clause has a literal and its negation."""
    if len(row) == 2:
        return row[0] == -row[1]
    return len(row) > 2 and row[0] < 0 < row[-1] and any(-literal in row for literal in row if literal > 0)
