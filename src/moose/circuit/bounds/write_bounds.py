"""Write kept and relaxed states as two circuits: one whose models are among the theory's, one that has them all.

Both are sums of products as `tables.to_diagram` writes them: a state is a decision, a row is the literal of its value
times the slots of the states that it leads to.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from moose.circuit.bounds.relaxation import Problem
from moose.circuit.bounds.search import Found, Link
from moose.circuit.diagram_builder import Builder, Slots
from moose.circuit.tables.rows import Flags, Numbers, Values, codes
from moose.circuit.tables.to_diagram import MergedTable, Written, literal_slot, value_slots, write_classes


def write_bound(problem: Problem, found: Found, positions: Slots, *, is_upper: bool) -> Written:
    """Write one of the circuits."""
    theory, relaxation, kept = problem.theory, found.relaxation, found.kept
    tree = relaxation.tree
    atom_count = int(positions.max(initial=-1)) + 1
    builder, false = Builder(atom_count), 2 * atom_count + 1
    used = used_states(problem, found, is_upper=is_upper)
    relaxed: dict[int, Slots] = {}
    own: dict[int, Slots] = {}
    rows = 0
    for variable in problem.order.order:
        if variable not in used and variable not in kept:
            continue
        literals = value_slots(builder, theory, variable, positions)
        writer = StateWriter(builder, literals, is_boolean=len(theory.variables[variable]) == 1)
        if variable in used:
            table = tree.tables[tree.table_of[variable]]
            live = np.flatnonzero(used[variable][table.state])
            factors = [relaxed[child][link[live]] for child, link in zip(tree.children[variable], table.links)]
            relaxed[variable] = writer.write(table.state[live], table.value[live], factors, table.states.shape[1])
        if variable in kept:
            bag = kept[variable]
            factors = [factor(link, own.get(link.child), relaxed.get(link.child), false) for link in bag.links]
            own[variable] = writer.write(bag.state, bag.value, factors, bag.states.shape[1])
        rows += writer.rows
    none = np.full(1, false, dtype=np.int64)
    at_roots = relaxed_roots(problem, found, is_upper=is_upper)
    tops = [(relaxed if root in at_roots else own).get(root, none) for root in problem.order.roots]
    facts = [np.array([literal_slot(literal, positions, atom_count)], dtype=np.int64) for literal in theory.facts]
    if any(top[0] == false for top in tops):
        return Written(Builder(atom_count).diagram(false), 0)
    root = int(builder.product([*tops, *facts])[0]) if tops or facts else 2 * atom_count
    return Written(builder.diagram(root), rows)


def factor(link: Link, own: Slots | None, relaxed: Slots | None, false: int) -> Slots:
    """Return the slot that each row leads to in a child: a kept state's, else the relaxed one's if that is written."""
    slots = np.full(len(link.kept), false, dtype=np.int64) if own is None else own[link.kept]
    slots[link.missing] = false if relaxed is None else relaxed[link.relaxed]
    return slots


def relaxed_roots(problem: Problem, found: Found, *, is_upper: bool) -> set[int]:
    """Return the roots of which the relaxed state is written: exact ones, and from above those with none kept."""
    exact = found.relaxation.is_exact
    return {root for root in problem.order.roots if exact[root] or (is_upper and root not in found.kept)}


def used_states(problem: Problem, found: Found, *, is_upper: bool) -> dict[int, Flags]:
    """Mark the relaxed states that rows of kept states lead to, and those below; for a lower bound only exact ones."""
    relaxation, kept = found.relaxation, found.kept
    tree = relaxation.tree
    used: dict[int, Flags] = {}

    def mark(variable: int, states: Numbers) -> None:
        if len(states):
            count = tree.tables[tree.table_of[variable]].states.shape[1]
            used.setdefault(variable, np.zeros(count, dtype=bool))[states] = True

    for root in relaxed_roots(problem, found, is_upper=is_upper):
        mark(root, np.arange(tree.tables[tree.table_of[root]].states.shape[1]))
    for bag in kept.values():
        for link in bag.links:
            if relaxation.is_exact[link.child] or is_upper:
                mark(link.child, link.relaxed)
    for variable in reversed(problem.order.order):
        if variable in used:
            table = tree.tables[tree.table_of[variable]]
            live = used[variable][table.state]
            for child, states in zip(tree.children[variable], table.links):
                mark(child, states[live])
    return used


class StateWriter:
    """Writes states of one bag."""

    def __init__(self, builder: Builder, literals: Slots, *, is_boolean: bool) -> None:
        self.rows = 0
        self._builder = builder
        self._literals = literals
        self._is_boolean = is_boolean

    def write(self, state: Numbers, value: Values, factors: Sequence[Slots], count: int) -> Slots:
        """Write states by their rows, and return their slots; one without a row that can hold is ⊥."""
        false = 2 * self._builder.atom_count + 1
        slots = np.full(count, false, dtype=np.int64)
        if factors:
            possible = np.flatnonzero(np.all([one != false for one in factors], axis=0))
            state, value, factors = state[possible], value[possible], [one[possible] for one in factors]
        if not len(state):
            return slots
        live, number = np.unique(state, return_inverse=True)
        _, first, combination = np.unique(
            codes(factors, [self._builder.next_slot] * len(factors), len(state)), return_index=True, return_inverse=True
        )
        choices = np.full((len(live), len(self._literals)), -1, dtype=np.int64)
        choices[number.reshape(-1), value] = combination.reshape(-1)
        code = codes([*(choices.T + 1)], [len(first) + 1] * choices.shape[1], len(choices))
        _, representative, class_of = np.unique(code, return_index=True, return_inverse=True)
        different = choices[representative]
        is_free = (different == different[:, :1]).all(axis=1) & self._is_boolean
        merged = MergedTable(class_of.reshape(-1), different, np.zeros((0, len(first)), np.int64), is_free)
        self.rows += merged.row_count
        true = np.full(1, 2 * self._builder.atom_count, dtype=np.int64)
        products = self._builder.product([one[first] for one in factors]) if factors else true
        slots[live] = write_classes(self._builder, merged.layout, self._literals, products)[merged.class_of]
        return slots
