"""Quantify auxiliary atoms away from clauses, one after the other, writing down what is left after each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moose.base.errors import MooseError

Clause = frozenset[int]
Step = tuple[int, list[Clause]]
"""A variable, and clauses that say what the clauses before said of all others."""

MOST_CLAUSES = 20_000
"""More clauses than this after a step would take long to write, and longer to check."""


def eliminate(clauses: Iterable[Sequence[int]], variables: Iterable[int]) -> list[Step]:
    """Eliminate variables by resolution, at each step the one with the fewest resolvents."""
    left = reduced(frozenset(clause) for clause in clauses)
    waiting = set(variables)
    steps: list[Step] = []
    while waiting:
        variable = min(waiting, key=lambda each: (resolvent_count(left, each), each))
        waiting.remove(variable)
        kept = [clause for clause in left if variable not in clause and -variable not in clause]
        if len(kept) + resolvent_count(left, variable) > MOST_CLAUSES:
            raise MooseError("the circuit cannot be certified: its auxiliary atoms take too many clauses to eliminate")
        left = reduced([*kept, *resolvents(left, variable)])
        steps.append((variable, left))
    return steps


def resolvent_count(clauses: list[Clause], variable: int) -> int:
    """Bound how many resolvents there are on a variable."""
    return sum(variable in clause for clause in clauses) * sum(-variable in clause for clause in clauses)


def resolvents(clauses: list[Clause], variable: int) -> Iterable[Clause]:
    """Yield the resolvents on a variable."""
    negative = [clause - {-variable} for clause in clauses if -variable in clause]
    for clause in clauses:
        if variable in clause:
            yield from ((clause - {variable}) | other for other in negative)


def reduced(clauses: Iterable[Clause]) -> list[Clause]:
    """Leave out tautologies, and clauses that another one says more strongly."""
    kept: list[Clause] = []
    by_literal: dict[int, list[Clause]] = {}
    for clause in sorted(set(clauses), key=lambda each: (len(each), sorted(each))):
        if any(-literal in clause for literal in clause):
            continue
        if not any(other <= clause for literal in clause for other in by_literal.get(literal, ())):
            kept.append(clause)
            for literal in clause:
                by_literal.setdefault(literal, []).append(clause)
    return kept if not kept or kept[0] else [frozenset()]
