"""Write tables as a diagram: states that come to the same are one decision, whose elements are rows.

A row is the literal of its value, times the decisions that the children have for its combination of their states. A
Boolean variable that makes no difference is left free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.diagram_builder import Builder, Slots
from moose.circuit.tables.bag_tables import CutTable, CutTree, TableTree
from moose.circuit.tables.rows import Flags, Numbers, codes
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
    is_free: Flags
    """For each class whether a Boolean variable makes no difference there."""

    @cached_property
    def row_count(self) -> int:
        """Return how many products it takes."""
        return int((self.choices >= 0).sum() - self.is_free.sum())

    @cached_property
    def layout(self) -> Layout:
        """Return what is written for each class."""
        counts = (self.choices >= 0).sum(axis=1)
        free = np.flatnonzero(self.is_free)
        single, several = np.flatnonzero((counts == 1) & ~self.is_free), np.flatnonzero((counts > 1) & ~self.is_free)
        value = (self.choices[single] >= 0).argmax(axis=1)
        rows, values = np.nonzero(self.choices[several] >= 0)
        return Layout(
            class_count=len(counts),
            free=free,
            free_products=self.choices[free, 0],
            single=single,
            single_values=value,
            single_products=self.choices[single, value],
            several=several,
            lengths=counts[several],
            values=values,
            products=self.choices[several][rows, values],
        )


@dataclass(frozen=True, eq=False)
class Layout:
    """What is written for the classes of a bag: nothing but the children's product, one row, or several."""

    class_count: int
    free: Numbers
    free_products: Numbers
    single: Numbers
    single_values: Numbers
    single_products: Numbers
    several: Numbers
    lengths: Numbers
    values: Numbers
    """For each row of these its value."""
    products: Numbers
    """For each row of these its combination."""


@dataclass(eq=False)
class KnownMerges:
    """Merged tables, by what was merged: of trees that share their cut tables."""

    tables: dict[tuple[int, ...], MergedTable] = field(default_factory=dict)
    partitions: dict[bytes, int] = field(default_factory=dict)
    """Ways in which states fall into classes."""


def merge_states(theory: Theory, tree: TableTree, cut: CutTree, known: KnownMerges) -> list[MergedTable]:
    """Find the classes of each bag, children first; bags that look alike have one table."""
    partition_of = [-1] * len(cut.table_of)
    merged: list[MergedTable | None] = [None] * len(cut.table_of)
    for variable in tree.order.order:
        children = tree.children[variable]
        is_boolean = len(theory.variables[variable]) == 1
        key = (cut.table_of[variable], int(is_boolean), *(partition_of[child] for child in children))
        if key not in known.tables:
            below = [one for child in children if (one := merged[child]) is not None]
            known.tables[key] = merge_table(cut.tables[key[0]], below, is_boolean=is_boolean)
        table = merged[variable] = known.tables[key]
        partition_of[variable] = known.partitions.setdefault(table.class_of.tobytes(), len(known.partitions))
    return [one for one in merged if one is not None]


def merge_table(table: CutTable, below: list[MergedTable], *, is_boolean: bool) -> MergedTable:
    """Write combinations by the children's classes, and find the states that then have the same choices."""
    classes = [one.class_of[states] for one, states in zip(below, table.combinations)]
    spans = [len(one.choices) for one in below]
    _, first, combination = np.unique(
        codes(classes, spans, table.combinations.shape[1]), return_index=True, return_inverse=True
    )
    combination = combination.reshape(-1)
    choices = np.where(table.choices >= 0, combination[table.choices], -1) if len(combination) else table.choices
    code = codes([*(choices.T + 1)], [len(first) + 1] * choices.shape[1], len(choices))
    _, representative, class_of = np.unique(code, return_index=True, return_inverse=True)
    different = choices[representative]
    combinations = np.array([one[first] for one in classes], dtype=np.int64).reshape(len(classes), len(first))
    is_free = (different == different[:, :1]).all(axis=1) & is_boolean
    return MergedTable(class_of.reshape(-1), different, combinations, is_free)


@dataclass(frozen=True, eq=False)
class Written:
    """A diagram, and how many rows its decisions have."""

    diagram: Diagram
    rows: int


def write_diagram(
    theory: Theory, tree: TableTree, merged: Sequence[MergedTable], positions: Slots, atom_count: int
) -> Written:
    """Write the circuit; `positions` says which of the diagram's atoms each atom of the theory is."""
    builder = Builder(atom_count)
    slots: dict[int, Slots] = {}
    rows = 0
    for variable in tree.order.order:
        table = merged[variable]
        literals = value_slots(builder, theory, variable, positions)
        factors = [slots.pop(child)[states] for child, states in zip(tree.children[variable], table.combinations)]
        products = builder.product(factors) if factors else np.full(1, 2 * atom_count, dtype=np.int64)
        slots[variable] = write_classes(builder, table.layout, literals, products)
        rows += table.row_count
    tops = [slots[root][:1] for root in tree.roots]
    facts = [literal_slot(literal, positions, atom_count) for literal in theory.facts]
    everything = [*tops, *(np.array([slot], dtype=np.int64) for slot in facts)]
    root = int(builder.product(everything)[0]) if everything else 2 * atom_count
    return Written(builder.diagram(root), rows)


def write_classes(builder: Builder, layout: Layout, literals: Slots, products: Slots) -> Slots:
    """Write a decision for each class; return where the classes are."""
    result = np.empty(layout.class_count, dtype=np.int64)
    if len(layout.free):
        result[layout.free] = products[layout.free_products]
    if len(layout.single):
        result[layout.single] = builder.pairs(literals[layout.single_values], products[layout.single_products])
    if len(layout.several):
        result[layout.several] = builder.next_slot + np.arange(len(layout.several))
        builder.add(layout.lengths, literals[layout.values], products[layout.products])
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
    size, base = len(atoms), builder.next_slot
    none = builder.atom_count + atoms
    # That none of the first members holds, two of them or more up to all but one; the same from the last.
    before, after = base + np.arange(size - 2), base + size - 2 + np.arange(size - 2)
    first = none[:1], none[-1:]
    preceding, following = np.concatenate([first[0], before]), np.concatenate([first[1], after])
    members = base + 2 * (size - 2) + np.arange(2 * (size - 2) + 2)
    ends, starts = members[: size - 1], members[size - 1 :]
    # A member with those before it, but the first; then all but the last with those after it.
    alone = np.concatenate([atoms[:1], ends[:-1]])
    left = [preceding[:-1], following[:-1], atoms[1:], alone]
    right = [none[1:-1], none[-2:0:-1], preceding, following[::-1]]
    builder.add(
        np.ones(4 * size - 6, dtype=np.int64),
        np.concatenate(left).astype(np.int64),
        np.concatenate(right).astype(np.int64),
    )
    return np.concatenate([starts, ends[-1:]]).astype(np.int64)


def literal_slot(literal: int, positions: Slots, atom_count: int) -> int:
    """Return the slot of a literal of the theory."""
    position = int(positions[abs(literal) - 1])
    return position if literal > 0 else atom_count + position
