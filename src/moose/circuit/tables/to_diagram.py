"""Write tables as a diagram: states that come to the same are one decision, whose elements are rows.

A row is the literal of its value, times the decisions that the children have for its combination of their states. A
Boolean variable that makes no difference is left free.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.diagram_builder import Builder, Slots
from moose.circuit.tables.bag_tables import CutTable, CutTree, TableTree
from moose.circuit.tables.rows import Numbers, codes
from moose.circuit.tables.theory import Theory


@dataclass(frozen=True, eq=False)
class MergedTable:
    """The classes of a bag's states that have the same rows."""

    class_of: Numbers
    """For each state its class."""
    choices: Numbers
    """Class × value: which combination of the children's classes, -1 where there is none."""
    combinations: Numbers
    """Child × combination: the child's class."""
    is_free: Numbers
    """For each class whether a Boolean variable makes no difference there."""

    @property
    def row_count(self) -> int:
        """Return how many products it takes."""
        return int((self.choices >= 0).sum() - self.is_free.sum())


def merge_states(cut: CutTree) -> list[MergedTable]:
    """Find the classes of each cut table, children first."""
    merged: list[MergedTable | None] = [None] * len(cut.tables)
    for number in sorted(range(len(cut.tables)), key=lambda one: cut.tables[one].table):
        table = cut.tables[number]
        below = []
        for child in table.children:
            known = merged[child]
            assert known is not None, "the table of a child is older than that of its parent"
            below.append(known)
        merged[number] = merge_table(table, below)
    return [one for one in merged if one is not None]


def merge_table(table: CutTable, below: list[MergedTable]) -> MergedTable:
    """Write combinations by the children's classes, and find the states that then have the same choices."""
    classes = [one.class_of[states] for one, states in zip(below, table.combinations)]
    spans = [len(one.choices) for one in below]
    _, first, combination = np.unique(
        codes(classes, spans, table.combinations.shape[1]), return_index=True, return_inverse=True
    )
    combination = combination.reshape(-1)
    choices = np.where(table.choices >= 0, combination[table.choices], -1) if len(combination) else table.choices
    different, class_of = np.unique(choices, axis=0, return_inverse=True)
    combinations = np.array([one[first] for one in classes], dtype=np.int64).reshape(len(classes), len(first))
    is_free = (different == different[:, :1]).all(axis=1) & (different.shape[1] == 2)
    return MergedTable(class_of.reshape(-1), different, combinations, is_free)


@dataclass(frozen=True, eq=False)
class Written:
    """A diagram, and how many rows its decisions have."""

    diagram: Diagram
    rows: int


def write_diagram(theory: Theory, tree: TableTree, cut: CutTree, positions: Slots, atom_count: int) -> Written:
    """Write the circuit; `positions` says which of the diagram's atoms each atom of the theory is."""
    builder = Builder(atom_count)
    merged = merge_states(cut)
    slots: dict[int, Slots] = {}
    rows = 0
    for variable in tree.order.order:
        table = merged[cut.table_of[variable]]
        literals = value_slots(builder, theory, variable, positions)
        factors = [slots.pop(child)[states] for child, states in zip(tree.children[variable], table.combinations)]
        products = builder.product(np.stack(factors)) if factors else np.full(1, 2 * atom_count, dtype=np.int64)
        slots[variable] = write_classes(
            builder, table, literals, products, is_family=len(theory.variables[variable]) > 1
        )
        rows += table.row_count
    tops = [slots[root][:1] for root in tree.roots]
    facts = [literal_slot(literal, positions, atom_count) for literal in theory.facts]
    everything = [*tops, *(np.array([slot], dtype=np.int64) for slot in facts)]
    root = int(builder.product(np.stack(everything))[0]) if everything else 2 * atom_count
    return Written(builder.diagram(root), rows)


def write_classes(builder: Builder, table: MergedTable, literals: Slots, products: Slots, *, is_family: bool) -> Slots:
    """Write a decision for each class; return where the classes are."""
    true = 2 * builder.atom_count
    result = np.full(len(table.choices), -1, dtype=np.int64)
    is_free = table.is_free & (not is_family)
    result[is_free] = products[table.choices[is_free, 0]]
    counts = (table.choices >= 0).sum(axis=1)
    single = np.flatnonzero((counts == 1) & ~is_free)
    value = (table.choices[single] >= 0).argmax(axis=1)
    left, right = literals[value], products[table.choices[single, value]]
    result[single] = np.where(left == true, right, left)
    is_product = (left != true) & (right != true)
    several = np.flatnonzero((counts > 1) & ~is_free)
    result[single[is_product]] = builder.next_slot + np.arange(int(is_product.sum()))
    builder.add(np.ones(int(is_product.sum()), dtype=np.int64), left[is_product], right[is_product])
    result[several] = builder.next_slot + np.arange(len(several))
    rows, values = np.nonzero(table.choices[several] >= 0)
    builder.add(counts[several], literals[values], products[table.choices[several][rows, values]])
    return result


def value_slots(builder: Builder, theory: Theory, variable: int, positions: Slots) -> Slots:
    """Return what says, for each value of a variable, that it has that value; of a hidden one that says nothing."""
    atoms = positions[list(theory.variables[variable])]
    count = builder.atom_count
    if variable in theory.hidden:
        return np.full(2, 2 * count, dtype=np.int64)
    if len(atoms) == 1:
        return np.array([count + atoms[0], atoms[0]], dtype=np.int64)
    return family_slots(builder, atoms)


def family_slots(builder: Builder, atoms: Slots) -> Slots:
    """Write, for each member of a family, that it holds and no other does: what excludes those before it is shared."""
    count, size = builder.atom_count, len(atoms)
    one = np.ones(1, dtype=np.int64)

    def product(left: int, right: int) -> int:
        slot = builder.next_slot
        builder.add(one, np.array([left], dtype=np.int64), np.array([right], dtype=np.int64))
        return slot

    none = [int(count + atom) for atom in atoms]
    before, after = list(none), list(none)
    for position in range(1, size):
        before[position] = product(before[position - 1], none[position])
    for position in range(size - 2, -1, -1):
        after[position] = product(none[position], after[position + 1])
    result = []
    for position, atom in enumerate(atoms.tolist()):
        slot = atom
        if position > 0:
            slot = product(slot, before[position - 1])
        if position < size - 1:
            slot = product(slot, after[position + 1])
        result.append(slot)
    return np.array(result, dtype=np.int64)


def literal_slot(literal: int, positions: Slots, atom_count: int) -> int:
    """Return the slot of a literal of the theory."""
    position = int(positions[abs(literal) - 1])
    return position if literal > 0 else atom_count + position
