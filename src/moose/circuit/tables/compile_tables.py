"""Compile clauses by tables: `compile_tables`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.diagram_builder import Builder
from moose.circuit.tables.bag_tables import build_tables, cut_down
from moose.circuit.tables.order import EliminationOrder, find_order
from moose.circuit.tables.theory import Theory, make_theory
from moose.circuit.tables.to_diagram import write_diagram
from moose.grounding.clauses import AtomKind, Clauses

TRIES = 6
SECONDS = 0.5
"""For elimination orders: most of what a better one saves is saved by the first few."""
MOST_ROWS = 4_000_000
"""Of one table: some hundred megabytes."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A diagram, how large it is, and how wide the order was."""

    diagram: Diagram
    rows: int
    width: int
    method: str

    def __str__(self) -> str:
        return f"tables: {self.rows:,} rows, width {self.width} by {self.method}"


def compile_tables(
    clauses: Clauses, *, most_rows: int = MOST_ROWS, watch: Callable[[int, int, int], None] | None = None
) -> Compiled:
    """Compile clauses; `watch` is called with bags done, all bags and rows so far.

    Raises `NotDetermined` where an auxiliary atom must be quantified, `TooManyRows` where a table gets too large.
    """
    is_visible = clauses.kinds != AtomKind.AUXILIARY
    positions = (np.cumsum(is_visible) - 1).astype(np.int64)
    atom_count = int(is_visible.sum())
    theory = make_theory(clauses)
    if theory is None:
        return Compiled(Builder(atom_count).diagram(2 * atom_count + 1), 0, 0, "unit propagation")
    order = order_of(theory)

    def told(done: int, rows: int) -> None:
        if watch is not None:
            watch(done, len(theory.variables), rows)

    tree = build_tables(theory, order, most_rows=most_rows, watch=told)
    if not tree.is_satisfiable:
        return Compiled(Builder(atom_count).diagram(2 * atom_count + 1), 0, order.width, order.method)
    written = write_diagram(theory, tree, cut_down(tree), positions, atom_count)
    return Compiled(written.diagram, written.rows, order.width, order.method)


def order_of(theory: Theory) -> EliminationOrder:
    """Return an elimination order for a theory."""
    scopes = [[variable for variable, _ in constraint] for constraint in theory.constraints]
    return find_order(theory.sizes, scopes, tries=TRIES, seconds=SECONDS)
