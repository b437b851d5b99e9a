"""Refute that the clauses hold and the diagram does not: clauses, each with those that it follows from by unit steps.

A solver finds learnt clauses; here each is given the clauses that make it false step by step ("hints"), so that a
checker needs no search, and what the refutation does not need is left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from moose.base.errors import MooseError

MOST_CONFLICTS = 2_000_000
"""The solver gives up after so many: a refutation of that size would take hours to write and to check."""

Clause = tuple[int, ...]
Line = tuple[Clause, tuple[int, ...]]
"""A clause, and the numbers of clauses that it follows from, in the order in which they propagate."""


def refute(clauses: Sequence[Clause]) -> list[Line]:
    """Return lines that end in the empty clause; the clauses given are numbered from 0, the lines after them."""
    learnt = learnt_clauses(clauses)
    propagator = Propagator()
    for clause in clauses:
        propagator.add(clause)
    lines: list[Line] = []
    for clause in (*learnt, ()):
        hints = propagator.follows(clause)
        if hints is None:
            continue  # a clause that rests on more than unit steps; the solver's last ones do without it or fail below
        lines.append((clause, hints))
        propagator.add(clause)
        if not clause:
            return trimmed(lines, len(clauses))
    raise MooseError("the solver's refutation could not be followed; please report this circuit")


def learnt_clauses(clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses that a solver learns until it finds that the given ones have no model."""
    from pysat.solvers import Solver

    with Solver("glucose4", bootstrap_with=[list(clause) for clause in clauses if clause], with_proof=True) as solver:
        solver.conf_budget(MOST_CONFLICTS)
        answer = () in clauses or solver.solve_limited()
        if answer is None:
            raise MooseError("the circuit is too large to certify: its refutation takes too long; use it without one")
        if answer and () not in clauses:
            raise MooseError("the clauses have a model that the circuit lacks; please report this circuit")
        lines = solver.get_proof() or []
    learnt = [line.split() for line in lines if line and not line.startswith("d")]
    return [tuple(int(literal) for literal in line[:-1]) for line in learnt if line[:-1]]


class Propagator:
    """Clauses with two watched literals each, and what follows from literals by unit steps."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = []
        self._watching: dict[int, list[int]] = {}
        self._units: list[int] = []

    def add(self, clause: Clause) -> None:
        """Add a clause; its number is how many there were."""
        number = len(self.clauses)
        self.clauses.append(list(dict.fromkeys(clause)))
        if len(self.clauses[-1]) < 2:
            self._units.append(number)
        for literal in self.clauses[-1][:2]:
            self._watching.setdefault(literal, []).append(number)

    def follows(self, clause: Clause) -> tuple[int, ...] | None:
        """Return the clauses by which a clause follows from unit steps alone, or None where it does not."""
        reasons: dict[int, int] = {-literal: -1 for literal in clause}
        trail = list(reasons)
        conflict = self._first_conflict(reasons, trail)
        position = 0
        while conflict is None and position < len(trail):
            conflict = self._propagate(trail[position], reasons, trail)
            position += 1
        return None if conflict is None else self._hints(conflict, reasons, trail)

    def _first_conflict(self, reasons: dict[int, int], trail: list[int]) -> int | None:
        for number in self._units:
            row = self.clauses[number]
            if not row or -row[0] in reasons:
                return number
            if row[0] not in reasons:
                reasons[row[0]] = number
                trail.append(row[0])
        return None

    def _propagate(self, literal: int, reasons: dict[int, int], trail: list[int]) -> int | None:
        """Let every clause that watches the negation look for another literal; return one that has none left."""
        watching = self._watching.get(-literal, [])
        kept: list[int] = []
        for position, number in enumerate(watching):
            row = self.clauses[number]
            if len(row) < 2:
                kept.append(number)
                continue
            if row[0] == -literal:
                row[0], row[1] = row[1], row[0]
            if row[0] in reasons:
                kept.append(number)
                continue
            other = next((index for index in range(2, len(row)) if -row[index] not in reasons), None)
            if other is not None:
                row[1], row[other] = row[other], row[1]
                self._watching.setdefault(row[1], []).append(number)
                continue
            kept.append(number)
            if -row[0] in reasons:
                self._watching[-literal] = kept + watching[position + 1 :]
                return number
            reasons[row[0]] = number
            trail.append(row[0])
        self._watching[-literal] = kept
        return None

    def _hints(self, conflict: int, reasons: dict[int, int], trail: list[int]) -> tuple[int, ...]:
        """Return the reasons that a conflict rests on, in the order in which they propagated."""
        needed = set(self.clauses[conflict])
        hints = [conflict]
        for literal in reversed(trail):
            reason = reasons[literal]
            if -literal in needed and reason >= 0:
                hints.append(reason)
                needed.update(each for each in self.clauses[reason] if each != literal)
        return tuple(reversed(hints))


def trimmed(lines: list[Line], given: int) -> list[Line]:
    """Leave out the lines that the last one does not rest on, and number the others anew."""
    needed = {given + len(lines) - 1}
    for position in range(len(lines) - 1, -1, -1):
        if given + position in needed:
            needed.update(lines[position][1])
    kept = [position for position in range(len(lines)) if given + position in needed]
    new = {given + old: given + position for position, old in enumerate(kept)}
    return [(lines[old][0], tuple(new.get(hint, hint) for hint in lines[old][1])) for old in kept]
