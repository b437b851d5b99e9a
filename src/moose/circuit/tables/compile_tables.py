"""Compile clauses by tables: `compile_tables`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from moose.base.errors import LimitReached
from moose.circuit.diagram import Diagram
from moose.circuit.diagram_builder import Builder
from moose.circuit.limits import MOST_ROWS
from moose.circuit.tables.bag_tables import KnownCuts, KnownTables, build_tables, cut_down
from moose.circuit.tables.order import EliminationOrder, find_order, keep_on
from moose.circuit.tables.rows import TooManyRows
from moose.circuit.tables.theory import Theory, make_theory
from moose.circuit.tables.to_diagram import KnownMerges, merge_states, write_diagram
from moose.grounding.clauses import AtomKind, Clauses

MOST_TRIES, STEPS = 6, 80_000
"""Elimination orders that are tried, and how many neighbours these may have in all: about half a second. What a better
order saves, the first few save most of. Counted, not timed, so that the same clauses have the same circuit."""
SHOWN = 8
"""How many atoms an error names."""


class TooWide(LimitReached):
    """So many atoms hang together that their table would be too large."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A diagram, how large it is, and how wide the order was."""

    diagram: Diagram
    rows: int
    width: int
    method: str

    def __str__(self) -> str:
        return f"tables: {self.rows:,} rows, width {self.width} by {self.method}"


@dataclass(frozen=True, eq=False)
class Known:
    """What theories that were compiled before have left: their tables, as they were made, cut and merged."""

    tables: KnownTables = field(default_factory=KnownTables)
    cuts: KnownCuts = field(default_factory=KnownCuts)
    merges: KnownMerges = field(default_factory=KnownMerges)


def compile_tables(
    clauses: Clauses,
    *,
    most_rows: int = MOST_ROWS,
    watch: Callable[[int, int, int, int], None] | None = None,
    known: Known | None = None,
) -> Compiled:
    """Compile clauses; `watch` is called with bags done, all bags, and rows and bytes so far.

    Known tables are not made again; there the first elimination order is taken, for many theories are to be compiled.

    Raises `NotDetermined` where an auxiliary atom must be quantified, `TooWide` where a table gets too large.
    """
    is_visible = clauses.kinds != AtomKind.AUXILIARY
    positions = (np.cumsum(is_visible) - 1).astype(np.int64)
    atom_count = int(is_visible.sum())
    theory = make_theory(clauses)
    if theory is None:
        return Compiled(Builder(atom_count).diagram(2 * atom_count + 1), 0, 0, "unit propagation")

    def told(done: int, rows: int, size: int) -> None:
        if watch is not None:
            watch(done, len(theory.variables), rows, size)

    order = order_of(theory, most_tries=MOST_TRIES if known is None else 1, watch=lambda: told(0, 0, 0))
    known = known or Known()
    try:
        tree = build_tables(theory, order, most_rows=most_rows, watch=told, known=known.tables)
    except TooManyRows as error:
        raise too_wide(clauses, theory, error, most_rows, order.log_rows) from None
    if not tree.is_satisfiable:
        return Compiled(Builder(atom_count).diagram(2 * atom_count + 1), 0, order.width, order.method)
    merged = merge_states(theory, tree, cut_down(tree, known.cuts), known.merges)
    written = write_diagram(theory, tree, merged, positions, atom_count)
    return Compiled(written.diagram, written.rows, order.width, order.method)


def order_of(theory: Theory, *, most_tries: int = MOST_TRIES, watch: Callable[[], None] = keep_on) -> EliminationOrder:
    """Return an elimination order for a theory; `watch` is called again and again, and raises to stop."""
    scopes = theory.relations
    steps = len(theory.variables) + sum(len(relation) * len(scope) ** 2 for scope, relation in scopes.items())
    return find_order(theory.sizes, list(scopes), tries=max(1, min(most_tries, STEPS // max(1, steps))), watch=watch)


def too_wide(clauses: Clauses, theory: Theory, error: TooManyRows, most_rows: int, log_rows: float) -> TooWide:
    """Say how many rows there would be, which atoms hang together, and what would help."""
    atoms = [clauses.atoms[atom] for variable in error.bag for atom in theory.variables[variable]]
    individuals = {name for atom in atoms for name in atom.arguments}
    shown = ", ".join(map(str, atoms[:SHOWN])) + (", …" if len(atoms) > SHOWN else "")
    help_by = ["leave out some of these concepts" if len(individuals) < 2 else "leave out some of these individuals"]
    if any(len(atom.arguments) == 2 for atom in atoms):
        help_by.append("fix the truth of roles in advance")
    help_by.append("take bounds (moose.compile_bounds, --bounds)")
    return TooWide(
        f"{len(error.bag)} variables hang together ({shown}), whose table would have {error.rows:,} rows or more, "
        f"{most_rows:,} are allowed (--size-limit, moose.Limits(size=…)); all tables together would have up to "
        f"2^{log_rows:.0f} rows, fewer where clauses exclude some: {' or '.join(help_by)}"
    )
