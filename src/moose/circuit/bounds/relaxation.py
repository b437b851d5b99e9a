"""A relaxed theory whose tables are small: mini-buckets (Dechter and Rish 2003).

A bag whose table would be too large forgets variables of its separator, and so do all bags below it: constraints that
mention one of these there are left out. The models of the theory are among those of the relaxed one. What the theory
says of two variables that a bag still knows is kept, also where it followed from a forgotten one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import prod

from moose.circuit.tables.bag_tables import TableTree, build_tables
from moose.circuit.tables.guards import Guards
from moose.circuit.tables.order import EliminationOrder
from moose.circuit.tables.rows import Rows, TooManyRows
from moose.circuit.tables.theory import Constraint, Theory


@dataclass(frozen=True, eq=False)
class Problem:
    """A theory with an elimination order, and for each bag the constraints that it can check."""

    theory: Theory
    sizes: tuple[int, ...]
    order: EliminationOrder
    guards: Guards
    constraints: tuple[tuple[Constraint, ...], ...]
    """By variable: what the theory says, or implies, of the variables of its bag."""
    own: tuple[tuple[Constraint, ...], ...]
    """Those of them that mention the bag's own variable; the others were checked in the bags above."""
    children: tuple[tuple[int, ...], ...]


def make_problem(theory: Theory, order: EliminationOrder, watch: Callable[[], None]) -> Problem:
    """Give each bag its constraints and its children; `watch` is called for each bag, and raises to stop."""
    ranks = {variable: rank for rank, variable in enumerate(order.order)}
    own: list[list[Constraint]] = [[] for _ in theory.variables]
    for constraint in theory.constraints:
        own[min((variable for variable, _ in constraint), key=ranks.__getitem__)].append(constraint)
    children: list[list[int]] = [[] for _ in theory.variables]
    guards = Guards(theory)
    for variable in order.order:
        watch()
        for scope, relation in guards.among((variable, *order.separators[variable])):
            own[variable] += (tuple(zip(scope, values)) for values in relation)
        if (parent := order.parent(variable)) >= 0:
            children[parent].append(variable)
    constraints = tuple(tuple(sorted(set(one))) for one in own)
    mentioning = tuple(
        tuple(one for one in own if any(other == variable for other, _ in one))
        for variable, own in enumerate(constraints)
    )
    return Problem(theory, tuple(theory.sizes), order, guards, constraints, mentioning, tuple(map(tuple, children)))


@dataclass(frozen=True, eq=False)
class Relaxation:
    """The tables of a relaxed theory."""

    tree: TableTree
    separators: tuple[tuple[int, ...], ...]
    """By variable: what its bag still knows of its separator."""
    is_exact: tuple[bool, ...]
    """By variable: whether neither its bag nor one below has forgotten anything."""

    forgotten: tuple[int, ...]
    """The variables that some bag has forgotten."""

    @property
    def row_count(self) -> int:
        """How many rows the tables of all bags have."""
        return sum(len(self.tree.tables[number].value) for number in self.tree.table_of)


def relax(
    problem: Problem, certainty: Sequence[float], most_rows: int, watch: Callable[[int], None], *, table_rows: int
) -> Relaxation:
    """Forget, from the roots down, variables of separators until no table has more than `most_rows` rows.

    That is an estimate; where a table has more than `table_rows` after all, `TooManyRows` is raised.

    `certainty` is how likely the likeliest value of each variable is: what is nearly certain is forgotten first.
    `watch` is called with the rows of all tables so far.
    """
    theory, order = problem.theory, problem.order
    known: list[frozenset[int]] = [frozenset()] * len(theory.variables)
    separators: list[tuple[int, ...]] = [()] * len(theory.variables)
    for variable in reversed(order.order):
        watch(0)
        if separator := order.separators[variable]:
            kept = tuple(one for one in separator if one in known[separator[0]])
            separators[variable] = narrowed(problem, variable, kept, certainty, most_rows)
        known[variable] = frozenset((variable, *separators[variable]))
    parents = tuple(order.parent(one) for one in range(len(known)))
    relaxed = replace(order, separators=tuple(separators), parents=parents)
    told = {
        constraint
        for variable, own in enumerate(problem.constraints)
        for constraint in own
        if known[variable].issuperset(one for one, _ in constraint)
    }
    weaker = Theory(theory.variables, tuple(sorted(told)), theory.facts, theory.hidden)

    def told_rows(_done: int, rows: int, _size: int) -> None:
        watch(rows)

    tree = build_tables(weaker, relaxed, most_rows=table_rows, watch=told_rows, guards=problem.guards)
    is_exact = [False] * len(known)
    for variable in order.order:
        is_exact[variable] = len(separators[variable]) == len(order.separators[variable]) and all(
            is_exact[child] for child in problem.children[variable]
        )
    forgotten = {one for old, new in zip(order.separators, separators) for one in set(old).difference(new)}
    return Relaxation(tree, relaxed.separators, tuple(is_exact), tuple(sorted(forgotten)))


def narrowed(
    problem: Problem, variable: int, separator: tuple[int, ...], certainty: Sequence[float], most_rows: int
) -> tuple[int, ...]:
    """Return what of a separator a bag can know: as many of its least certain variables as fit."""
    bag = (variable, *sorted(separator, key=lambda one: (certainty[one], one)))
    local = {one: position for position, one in enumerate(bag)}
    inside = [one for one in problem.constraints[variable] if all(other in local for other, _ in one)]
    sizes = [problem.sizes[one] for one in bag]
    if prod(sizes) <= most_rows:
        return separator
    constraints = [tuple(sorted((local[other], values) for other, values in one)) for one in inside]
    rows = Rows(sizes, constraints, most_rows)
    kept = set()
    for position, one in enumerate(bag):
        try:
            rows.extend(position)
        except TooManyRows:
            break
        kept.add(one)
    return tuple(one for one in separator if one in kept)
