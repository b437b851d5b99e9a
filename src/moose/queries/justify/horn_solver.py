"""Whether a Horn program concludes the goal from some axioms, thousands of times a second."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from moose.queries.program.program import GOAL

Clause = tuple[Collection[int], int]
"""Body → head."""


class HornSolver:
    """Horn clauses in a SAT solver, where unit propagation finds their least model; more can be added.

    >>> solver = HornSolver([((1, 7), 8), ((8, 2), GOAL)], axioms=[1, 2, 7])
    >>> solver.holds([1, 2]), solver.holds([1, 2, 7])
    (False, True)
    >>> solver.add([1])
    >>> solver.holds([1, 2])
    True
    """

    def __init__(self, clauses: Iterable[Clause], axioms: Collection[int]) -> None:
        """Take clauses, and which of their atoms are axioms."""
        from pysat.solvers import Solver

        self._numbers: dict[int, int] = {}
        rows = [
            [*(-self._number(atom) for atom in body), *([] if head == GOAL else [self._number(head)])]
            for body, head in clauses
        ]
        self._is_certain = [] in rows
        self._solver = Solver("glucose4", bootstrap_with=[row for row in rows if row])
        self._literals = {axiom: self._number(axiom) for axiom in axioms}

    def _number(self, atom: int) -> int:
        return self._numbers.setdefault(atom, len(self._numbers) + 1)

    def add(self, axioms: Collection[int]) -> None:
        """Add that some axioms together entail the goal."""
        self._is_certain = self._is_certain or not axioms
        self._literals |= {axiom: self._number(axiom) for axiom in axioms}
        if axioms:
            self._solver.add_clause([-self._literals[axiom] for axiom in axioms])

    def holds(self, axioms: Collection[int]) -> bool:
        """Return whether the goal is concluded from these axioms."""
        if self._is_certain:
            return True
        literals = self._literals
        known = [literals[axiom] for axiom in axioms if axiom in literals]
        is_consistent, _ = self._solver.propagate(assumptions=known)
        return not is_consistent
