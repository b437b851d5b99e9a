"""Refute that the clauses hold and the diagram does not: clauses, each with those that it follows from by unit steps.

The diagram says where to look. To see that a decision follows from what is decided so far, it is assumed not to hold;
each of its products is then tried in turn, its first side by deciding literals, its second side as the next goal. What
is learnt from the contradiction says under which literals the decision holds, so that it is not looked into again where
these hold. So there are about as many lines as products, where a solver that does not know the diagram learns many
times more.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from moose.base.errors import MooseError
from moose.certificates.make.clause_learning import Clause, ClauseLearning, Line
from moose.circuit.diagram import Diagram

MOST_LINES = 1_000_000
"""More would take hours to find and to check."""


def refute(clauses: Sequence[Clause], diagram: Diagram, auxiliary: int) -> list[Line]:
    """Return lines that end in the empty clause; they are numbered after the clauses and those of `negated`."""
    denied = negated(diagram, auxiliary)
    search = Search(clauses, denied, diagram, auxiliary)
    while search.learning.settle():
        if len(search.learning.lines) > MOST_LINES:
            raise MooseError("the circuit is too large to certify: its refutation takes too long; use it without one")
        search.learning.decide(search.next_decision())
    return trimmed(search.learning.lines, len(clauses) + len(denied))


def literal_of(slot: int, diagram: Diagram, auxiliary: int) -> int:
    """Return a slot as a literal: atoms are numbered first, then the auxiliary ones, then decisions."""
    if slot < diagram.atom_count:
        return slot + 1
    if slot < diagram.true:
        return -(slot - diagram.atom_count + 1)
    return slot - diagram.first_decision + diagram.atom_count + auxiliary + 1


def negated(diagram: Diagram, auxiliary: int) -> list[Clause]:
    """Return clauses that hold, for some values of the decisions, wherever the diagram does not.

    For each element p ∧ s of a decision d: ¬p ∨ ¬s ∨ d, with ⊤ left out; last, that the root does not hold.
    """
    starts, primes, subs = diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()
    rows: list[Clause] = []
    for decision, (start, stop) in enumerate(pairwise(starts)):
        head = literal_of(diagram.first_decision + decision, diagram, auxiliary)
        for element in range(start, stop):
            sides = [side for side in (primes[element], subs[element]) if side != diagram.true]
            rows.append((*(-literal_of(side, diagram, auxiliary) for side in sides), head))
    if diagram.root != diagram.false:
        rows.append((-literal_of(diagram.root, diagram, auxiliary),))
    return rows


class Search:
    """What is to be decided next: goals, each a slot that follows from what was decided before it."""

    def __init__(self, clauses: Sequence[Clause], denied: Sequence[Clause], diagram: Diagram, auxiliary: int) -> None:
        atoms = diagram.atom_count + auxiliary
        self.learning = ClauseLearning([*clauses, *denied], atoms + diagram.decision_count)
        self._true, self._first, self._root = diagram.true, diagram.first_decision, diagram.root
        self._literals = [literal_of(slot, diagram, auxiliary) for slot in range(diagram.slot_count)]
        self._literals[diagram.true] = self._literals[diagram.false] = 0
        starts, primes, subs = diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()
        self._elements = [list(zip(primes[start:stop], subs[start:stop])) for start, stop in pairwise(starts)]
        self._goals: list[tuple[int, int]] = []
        self._atoms = range(1, atoms + 1)
        self._with: dict[int, list[Clause]] = {}
        for clause in clauses:
            for literal in clause:
                self._with.setdefault(literal, []).append(clause)

    def holds(self, slot: int) -> bool:
        """Return whether a slot is known to hold."""
        return slot == self._true or self.learning.value[self._literals[slot]] > 0

    def next_decision(self) -> int:
        """Return the literal to be decided next."""
        value, level = self.learning.value, self.learning.level
        while self._goals and (self._goals[-1][1] > level or self.holds(self._goals[-1][0])):
            self._goals.pop()
        goal = self._goals[-1][0] if self._goals else self._root
        while True:
            literal = self._literals[goal]
            elements = self._elements[goal - self._first] if goal >= self._first else []
            if literal and not value[literal] and len(elements) != 1:
                return -literal
            for prime, sub in elements:
                decision = 0 if len(elements) == 1 else self.opening(prime)
                if decision:
                    return decision
                if decision == 0:
                    goal = sub if self.holds(prime) else prime
                    break
            else:
                return self.nearest_atom()
            self._goals.append((goal, level))

    def opening(self, slot: int) -> int | None:
        """Return a literal by which a slot comes to hold: 0 where it does, none where it cannot any more."""
        value, known, stack = self.learning.value, dict[int, int | None](), [slot]
        while stack:
            one = stack[-1]
            if self.holds(one):
                known[one] = 0
            elif one < self._first:
                known[one] = None if value[self._literals[one]] < 0 else self._literals[one]
            else:
                pending = self._combine(one, known)
                if pending is not None:
                    stack.append(pending)
                    continue
            stack.pop()
        return known[slot]

    def _combine(self, slot: int, known: dict[int, int | None]) -> int | None:
        """Find how a decision comes to hold from what is known of its elements; or return a slot to look at first."""
        for sides in self._elements[slot - self._first]:
            decisions = []
            for side in sides:
                if side not in known:
                    return side
                if known[side] is None:
                    break
                decisions.append(known[side])
            else:
                known[slot] = decisions[0] or decisions[1]
                return None
        known[slot] = None
        return None

    def nearest_atom(self) -> int:
        """Return a literal of a clause that was made shorter lately, where the diagram does not say what to decide."""
        value = self.learning.value
        for literal in reversed(self.learning.trail):
            for clause in self._with.get(-literal, ()):
                if all(value[other] <= 0 for other in clause):
                    return next(other for other in clause if not value[other])
        atom = next((atom for atom in self._atoms if not value[atom]), None)
        if atom is None:
            raise MooseError("the clauses have a model that the circuit lacks; please report this circuit")
        return atom


def trimmed(lines: list[Line], given: int) -> list[Line]:
    """Leave out the lines that the last one does not rest on, and number the others anew."""
    needed = {given + len(lines) - 1}
    for position in range(len(lines) - 1, -1, -1):
        if given + position in needed:
            needed.update(lines[position][1])
    kept = [position for position in range(len(lines)) if given + position in needed]
    new = {given + old: given + position for position, old in enumerate(kept)}
    return [(lines[old][0], tuple(new.get(hint, hint) for hint in lines[old][1])) for old in kept]
