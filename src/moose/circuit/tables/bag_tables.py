"""The tables of bags, made from the leaves of the elimination tree up, then cut down from its roots.

A bag eliminates one variable. Its table has a row for each assignment to that variable and to the separator which the
bag's constraints and its children allow. Bags that look alike, in names local to them, have one table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from moose.circuit.tables.guards import Guards
from moose.circuit.tables.order import EliminationOrder
from moose.circuit.tables.rows import Flags, Numbers, Rows, TooManyRows, Values, codes
from moose.circuit.tables.theory import Relation, Scope, Theory

OWN = 0
"""The local number of the variable that a bag eliminates; those of its separator follow in the order of elimination."""


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of a bag."""

    states: Values
    """Separator × state: the assignments to the separator that some row has, in lexicographic order."""
    state: Numbers
    """For each row its state."""
    value: Values
    """For each row the value of the eliminated variable."""
    links: tuple[Numbers, ...]
    """For each child and each row the child's state."""
    size: int
    """How many values the eliminated variable has."""

    @property
    def byte_count(self) -> int:
        """How much memory it takes."""
        links = sum(link.nbytes for link in self.links)
        return self.states.nbytes + self.state.nbytes + self.value.nbytes + links


Attached = tuple[int, tuple[int, ...]]
"""A child: which states its separator has (by number), and where the separator's variables stand in the upper bag."""
Placed = tuple[tuple[int, ...], Relation]
"""What is known of some variables of a bag, and where these stand in it."""
Problem = tuple[tuple[int, ...], tuple[Placed, ...], tuple[Attached, ...]]
"""Sizes of a bag's variables, what is known of them, and its children: all in local names."""


@dataclass(frozen=True, eq=False)
class TableTree:
    """For each variable the table of its bag, and its children in the order of the table's links."""

    tables: list[Table]
    table_of: list[int]
    children: list[list[int]]
    order: EliminationOrder

    @property
    def roots(self) -> list[int]:
        """Return the variables whose bag is at the top of its tree."""
        return self.order.roots

    @property
    def is_satisfiable(self) -> bool:
        """Return whether every bag has a row."""
        return all(len(self.tables[number].value) for number in self.table_of)


@dataclass(eq=False)
class KnownTables:
    """Tables by the problems that they solve: of one theory, or of several one after another."""

    tables: list[Table] = field(default_factory=list)
    table_of: dict[Problem, int] = field(default_factory=dict)
    interface_of: list[int] = field(default_factory=list)
    """For each table which states its separator has."""
    states: list[Values] = field(default_factory=list)
    interfaces: dict[tuple[tuple[int, ...], bytes], int] = field(default_factory=dict)

    @property
    def row_count(self) -> int:
        """Return how many rows all tables have."""
        return sum(len(table.value) for table in self.tables)

    def solve(self, problem: Problem, most_rows: int) -> int:
        """Return which table solves a problem; make it if there is none."""
        if problem not in self.table_of:
            table = make_table(problem, self.states, most_rows)
            self.table_of[problem] = len(self.tables)
            self.tables.append(table)
            interface = problem[0][1:], table.states.tobytes()
            if interface not in self.interfaces:
                self.interfaces[interface] = len(self.states)
                self.states.append(table.states)
            self.interface_of.append(self.interfaces[interface])
        return self.table_of[problem]


def build_tables(  # noqa: PLR0913 - limits and what is known before are options
    theory: Theory,
    order: EliminationOrder,
    *,
    most_rows: int,
    watch: Callable[[int, int, int], None],
    guards: Guards | None = None,
    known: KnownTables | None = None,
) -> TableTree:
    """Make the table of each bag; `watch` is called with how many are done, and rows and bytes so far.

    `guards` are those of the theory unless others are given, such as those of a stronger one.
    """
    known = known or KnownTables()
    ranks = {variable: rank for rank, variable in enumerate(order.order)}
    own: list[list[tuple[Scope, Relation]]] = [[] for _ in theory.variables]
    for scope, relation in theory.relations.items():
        own[min(scope, key=ranks.__getitem__)].append((scope, relation))
    guards = guards or Guards(theory)
    sizes = theory.sizes
    tree = TableTree(known.tables, [-1] * len(own), [[] for _ in own], order)
    met: dict[int, int] = {}  # children stand in the order in which this theory has met what they show, not others
    rows = size = 0
    for done, variable in enumerate(order.order):
        bag = (variable, *order.separators[variable])
        local = {one: position for position, one in enumerate(bag)}
        placed = {
            (tuple([local[one] for one in scope]), relation) for scope, relation in (*own[variable], *guards.among(bag))
        }
        attached = sorted(
            (met[known.interface_of[tree.table_of[one]]], tuple(local[other] for other in order.separators[one]), one)
            for one in tree.children[variable]
        )
        tree.children[variable][:] = [one for _, _, one in attached]
        below = tuple((known.interface_of[tree.table_of[one]], positions) for _, positions, one in attached)
        problem = tuple(sizes[one] for one in bag), tuple(sorted(placed)), below
        before = len(known.tables)
        try:
            number = tree.table_of[variable] = known.solve(problem, most_rows)
        except TooManyRows as error:
            raise TooManyRows(error.rows, bag) from None
        met.setdefault(known.interface_of[number], len(met))
        rows += len(tree.tables[number].value)
        size += sum(table.byte_count for table in known.tables[before:])
        if (parent := order.parent(variable)) >= 0:
            tree.children[parent].append(variable)
        watch(done + 1, rows, size)
    return tree


def make_table(problem: Problem, states_of: Sequence[Values], most_rows: int) -> Table:
    """Join the children, largest overlap first, and give the variables that are left all their values.

    Children that are attached alike are joined once.
    """
    sizes, placed, attached = problem
    constraints = {tuple(sorted(zip(positions, values))) for positions, relation in placed for values in relation}
    rows = Rows(sizes, sorted(constraints), most_rows)
    numbers = {one: number for number, one in enumerate(dict.fromkeys(attached))}
    waiting = list(numbers)
    while waiting:
        child = max(waiting, key=lambda one: urgency(rows, one[1], states_of[one[0]]))
        waiting.remove(child)
        interface, positions = child
        rows.join(numbers[child], states_of[interface], positions)
    left = [one for one in range(len(sizes)) if one not in rows.columns]
    while left:
        variable = rows.most_constrained(left)
        left.remove(variable)
        rows.extend(variable)
    separator = [rows.columns[position] for position in range(1, len(sizes))]
    code = codes([*separator, rows.columns[OWN]], [*sizes[1:], sizes[OWN]], rows.count)
    sorting = np.argsort(code, kind="stable")
    state_code = codes(separator, sizes[1:], rows.count)[sorting]
    _, first, state = np.unique(state_code, return_index=True, return_inverse=True)
    states = np.array([column[sorting][first] for column in separator], dtype=np.uint16)
    states = states.reshape(len(separator), len(first))
    sorted_links = [rows.links[number][sorting] for number in range(len(numbers))]
    links = tuple(sorted_links[numbers[child]] for child in attached)
    value = rows.columns[OWN][sorting].astype(np.uint16)
    return Table(states, state.reshape(-1), value, links, sizes[OWN])


def urgency(rows: Rows, positions: Sequence[int], states: Values) -> tuple[bool, int, int]:
    """Say how much a child should be joined next: when it only filters; else the more it shares; else a large one."""
    shared = sum(one in rows.columns for one in positions)
    return shared == len(positions) and shared > 0, shared, states.shape[1]


# ── From the roots down ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class CutTable:
    """The rows of a table that bags above can use, by states of the separator that they have."""

    choices: Numbers
    """State × value of the eliminated variable: which combination of the children's states, -1 where there is none."""
    combinations: Numbers
    """Child × combination: the child's state, numbered among those that are left of it."""


@dataclass(frozen=True, eq=False)
class CutTree:
    """For each variable the cut table of its bag."""

    tables: list[CutTable]
    table_of: list[int]


@dataclass(eq=False)
class KnownCuts:
    """Cut tables, by which table was cut and which of its states are used: of trees that share their tables."""

    tables: list[CutTable] = field(default_factory=list)
    table_of: dict[tuple[int, bytes], int] = field(default_factory=dict)
    children: list[list[Flags]] = field(default_factory=list)
    """For each cut table which states of each child its rows use."""

    def cut(self, tree: TableTree, variable: int, used: Flags) -> int:
        """Return which cut table a bag has; make it if there is none."""
        key = tree.table_of[variable], used.tobytes()
        if key not in self.table_of:
            table = tree.tables[key[0]]
            live = np.flatnonzero(used[table.state])
            below = [marked(link[live], tree, child) for link, child in zip(table.links, tree.children[variable])]
            self.table_of[key] = len(self.tables)
            self.tables.append(cut_table(table, live, used, below))
            self.children.append(below)
        return self.table_of[key]


def cut_down(tree: TableTree, known: KnownCuts | None = None) -> CutTree:
    """Leave out, from the roots down, the states that no row above uses."""
    known = known or KnownCuts()
    cut = CutTree(known.tables, [-1] * len(tree.table_of))
    states_used: dict[int, Flags] = {root: np.ones(1, dtype=bool) for root in tree.roots}
    for variable in reversed(tree.order.order):
        number = cut.table_of[variable] = known.cut(tree, variable, states_used.pop(variable))
        states_used |= zip(tree.children[variable], known.children[number])
    return cut


def marked(link: Numbers, tree: TableTree, child: int) -> Flags:
    """Return which states of a child some row uses."""
    flags = np.zeros(tree.tables[tree.table_of[child]].states.shape[1], dtype=bool)
    flags[link] = True
    return flags


def cut_table(table: Table, live: Numbers, used: Flags, below: Sequence[Flags]) -> CutTable:
    """Write the live rows by state and value."""
    renumbered = np.cumsum(used) - 1
    links = [np.cumsum(flags)[link[live]] - 1 for flags, link in zip(below, table.links)]
    spans = [int(flags.sum()) for flags in below]
    code = codes(links, spans, len(live))
    _, first, combination = np.unique(code, return_index=True, return_inverse=True)
    choices = np.full((int(used.sum()), table.size), -1, dtype=np.int64)
    choices[renumbered[table.state[live]], table.value[live]] = combination.reshape(-1)
    combinations = np.array([link[first] for link in links], dtype=np.int64).reshape(len(links), len(first))
    return CutTable(choices, combinations)
