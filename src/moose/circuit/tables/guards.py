"""Constraints that follow from the theory among the variables of a bag, so that its table has no row in vain.

A constraint belongs to the bag that eliminates the first of its variables. Bags below that one know two of the others,
perhaps, and would keep rows that break it, or what follows from it, until they are cut down.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from moose.circuit.tables.theory import Relation, Scope, Theory

MOST_STEPS = 2_000_000
"""Of the search for implied literals, in all: beyond, only what is told is used."""

FALSE, TRUE = 1, 2
"""The sets of one truth value of a Boolean variable, as bits."""


class Guards:
    """Constraints between two variables: told ones, and implications between Boolean variables that follow."""

    def __init__(self, theory: Theory) -> None:
        self._told: dict[int, dict[int, Relation]] = {}
        self._implied: dict[int, list[int]] = {}
        for scope, relation in theory.relations.items():
            if len(scope) == 2:
                first, second = scope
                self._told.setdefault(first, {})[second] = relation
                for values, others in relation if is_boolean(theory, *scope) else ():
                    one, two = literal(first, values), literal(second, others)
                    self._implied.setdefault(one ^ 1, []).append(two)
                    self._implied.setdefault(two ^ 1, []).append(one)
        self._linked = {literal >> 1 for literal in self._implied}
        """The variables of which one has a literal that implies another."""
        self._reached: dict[int, set[int]] = {}
        self._steps = 0

    def among(self, bag: Sequence[int]) -> Iterator[tuple[Scope, Relation]]:
        """Yield what is known of two variables of a bag, in any order."""
        near = {variable for variable in bag if variable in self._told or variable in self._linked}
        inside = set(bag) if near else near
        for first in near:
            told = self._told.get(first, {})
            for second in inside.intersection(told):
                yield (first, second), told[second]
        literals = {2 * variable + sign for variable in near & self._linked for sign in (0, 1)}
        for one in literals:
            for two in literals & self._follows(one):
                if one >> 1 != two >> 1:
                    (first, values), (second, others) = sorted(
                        [(one >> 1, FALSE if one & 1 else TRUE), (two >> 1, TRUE if two & 1 else FALSE)]
                    )
                    yield (first, second), ((values, others),)

    def _follows(self, start: int) -> set[int]:
        """Return the literals that a literal implies."""
        reached = self._reached.get(start)
        if reached is None:
            reached = self._reached[start] = set()
            stack = list(self._implied.get(start, ())) if self._steps < MOST_STEPS else []
            while stack:
                one = stack.pop()
                if one not in reached:
                    reached.add(one)
                    self._steps += 1
                    stack.extend(self._implied.get(one, ()))
        return reached


def literal(variable: int, values: int) -> int:
    """Return the literal that holds for a truth value: 2v + 1 for v, 2v for not v."""
    return 2 * variable + (values == TRUE)


def is_boolean(theory: Theory, *variables: int) -> bool:
    """Return whether variables are no families."""
    return all(len(theory.variables[one]) == 1 for one in variables)
