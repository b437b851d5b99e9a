"""Unit propagation with decisions, and clauses learnt from contradictions, each with those that it follows from.

Of each contradiction a line is learnt: the literal nearest to it that alone explains it on its level, and what that
rests on of the levels below (1-UIP), without the literals that follow from the others. Literals that rest on no
decision become lines of one literal, so that their reasons are named once and not in every line after them.
"""

from __future__ import annotations

from collections.abc import Iterable

Clause = tuple[int, ...]
Line = tuple[Clause, tuple[int, ...]]
"""A clause, and the numbers of clauses that it follows from, in the order in which they propagate."""

DECIDED = -1
"""Stands for the number of a clause, where a literal was decided."""


class ClauseLearning:
    """Clauses, given ones first and then lines, by number; literals that hold, in the order in which they came.

    A list over literals has an entry for 0 and then those of 1, …, n, -n, …, -1, which are Python's negative indices.
    """

    def __init__(self, clauses: Iterable[Clause], variables: int) -> None:
        self.value = [0] * (2 * variables + 1)
        """1 for a literal that holds, -1 for its negation."""
        self.trail: list[int] = []
        self.lines: list[Line] = []
        self._starts: list[int] = []
        self._clauses: list[list[int]] = []
        self._watching: list[list[int]] = [[] for _ in self.value]
        self._reasons = [DECIDED] * (variables + 1)
        self._levels = [0] * (variables + 1)
        self._positions = [0] * (variables + 1)
        self._propagated = 0
        self._units = 0
        self._broken: int | None = None
        for clause in clauses:
            self._add(list(dict.fromkeys(clause)))

    @property
    def level(self) -> int:
        """How many decisions stand."""
        return len(self._starts)

    def decide(self, literal: int) -> None:
        """Let a literal hold, on a level of its own."""
        self._starts.append(len(self.trail))
        self._assign(literal, DECIDED)

    def settle(self) -> bool:
        """Propagate, and learn until nothing contradicts itself; False where the last line is the empty clause."""
        while (conflict := self._propagate()) is not None:
            if not self._starts:
                self._learn_units()
                self.lines.append(((), self._hints([], conflict)))
                return False
            self._learn(conflict)
        if not self._starts:
            self._learn_units()
        return True

    # ── Propagation ───────────────────────────────────────────────────────────────────────────────────────────────

    def _add(self, clause: list[int]) -> int:
        """Add a clause that has no value yet, or whose first literal has none and all others are false."""
        number = len(self._clauses)
        self._clauses.append(clause)
        if len(clause) > 1:
            for literal in clause[:2]:
                self._watching[literal].append(number)
        elif not clause or self.value[clause[0]] < 0:
            self._broken = number
        elif not self.value[clause[0]]:
            self._assign(clause[0], number)
        return number

    def _assign(self, literal: int, reason: int) -> None:
        variable = abs(literal)
        self.value[literal], self.value[-literal] = 1, -1
        self._reasons[variable] = reason
        self._levels[variable] = len(self._starts)
        self._positions[variable] = len(self.trail)
        self.trail.append(literal)

    def _propagate(self) -> int | None:
        """Draw unit steps; return a clause of which no literal is left."""
        value, clauses, trail = self.value, self._clauses, self.trail
        while self._broken is None and self._propagated < len(trail):
            false = -trail[self._propagated]
            self._propagated += 1
            watchers, kept = self._watching[false], list[int]()
            self._watching[false] = kept
            for position, number in enumerate(watchers):
                clause = clauses[number]
                if clause[0] == false:
                    clause[0], clause[1] = clause[1], false
                if value[clause[0]] <= 0 and self._moved(clause, number):
                    continue
                kept.append(number)
                if value[clause[0]] < 0:
                    kept += watchers[position + 1 :]
                    return number
                if not value[clause[0]]:
                    self._assign(clause[0], number)
        return self._broken

    def _moved(self, clause: list[int], number: int) -> bool:
        """Let a clause watch another literal than its second, if one is not false."""
        for index in range(2, len(clause)):
            if self.value[clause[index]] >= 0:
                clause[1], clause[index] = clause[index], clause[1]
                self._watching[clause[1]].append(number)
                return True
        return False

    # ── Learning ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _learn_units(self) -> None:
        """Make a line of each literal that rests on no decision."""
        for literal in self.trail[self._units :]:
            reason = self._reasons[abs(literal)]
            others = [abs(other) for other in self._clauses[reason] if other != literal]
            if others:
                self.lines.append(((literal,), (*(self._reasons[other] for other in others), reason)))
                self._reasons[abs(literal)] = len(self._clauses)
                self._clauses.append([literal])
        self._units = len(self.trail)

    def _learn(self, conflict: int) -> None:
        """Learn a line from a clause that is false, go back to where it says something, and let it say that."""
        literal, resolved, below = self._explained(conflict)
        kept, implied = self._reduced(below)
        hints = self._hints([*resolved, *implied], conflict)
        kept.sort(key=lambda one: -self._positions[abs(one)])
        self._back_to(self._levels[abs(kept[0])] if kept else 0)
        learnt = [-literal, *kept]
        self.lines.append((tuple(learnt), hints))
        number = self._add(learnt)
        if kept:
            self._assign(-literal, number)

    def _explained(self, conflict: int) -> tuple[int, list[int], list[int]]:
        """Return the literal that explains a conflict, the variables after it that do, and false literals below."""
        level, seen = len(self._starts), set[int]()
        resolved, below = list[int](), list[int]()
        waiting, position, number = 0, len(self.trail), conflict
        while True:
            for literal in self._clauses[number]:
                variable = abs(literal)
                if variable not in seen:
                    seen.add(variable)
                    if self._levels[variable] == level:
                        waiting += 1
                    elif self._levels[variable]:
                        below.append(literal)
            position -= 1
            while abs(self.trail[position]) not in seen:
                position -= 1
            waiting -= 1
            if not waiting:
                return self.trail[position], resolved, below
            resolved.append(abs(self.trail[position]))
            number = self._reasons[resolved[-1]]

    def _reduced(self, literals: list[int]) -> tuple[list[int], list[int]]:
        """Return the false literals that do not follow from the others, and the variables of those that do."""
        kept, implied, all_of_them = list[int](), list[int](), set(literals)
        for literal in literals:
            reason = self._reasons[abs(literal)]
            is_implied = reason != DECIDED and all(
                other in all_of_them or other == -literal or not self._levels[abs(other)]
                for other in self._clauses[reason]
            )
            if is_implied:
                implied.append(abs(literal))
            else:
                kept.append(literal)
        return kept, implied

    def _hints(self, variables: list[int], conflict: int) -> tuple[int, ...]:
        """Return the reasons of variables as they propagate, after what holds on level 0, and before the conflict."""
        reasons = [self._reasons[one] for one in sorted(variables, key=self._positions.__getitem__)]
        mentioned = {abs(literal) for number in (*reasons, conflict) for literal in self._clauses[number]}
        facts = sorted(one for one in mentioned if not self._levels[one])
        return (*(self._reasons[one] for one in facts), *reasons, conflict)

    def _back_to(self, level: int) -> None:
        start = self._starts[level]
        for literal in self.trail[start:]:
            self.value[literal] = self.value[-literal] = 0
        del self.trail[start:]
        del self._starts[level:]
        self._propagated = start
