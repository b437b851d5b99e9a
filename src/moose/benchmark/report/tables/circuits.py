"""How large the circuits are, and how long they take to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Table, Unit
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.model.titles import regime_title
from moose.benchmark.store.records import Record

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper, StatedCircuit

WAYS = {"default": "Moose's own way", "paper": "The paper's way"}
COUNTED = (("atoms", "Atoms"), ("clauses", "Clauses"), ("nodes", "Nodes"), ("size", "Elements"))
COLUMNS = (
    *(Column(title) for _, title in COUNTED),
    Column("Models"),
    Column("Seconds"),
    Column("Seconds, paper"),
)


def circuit_table(results: Results, paper: Paper, key: str = "circuits") -> Table:
    """Return the sizes of each circuit, a block for each way to compile."""
    lines = tuple(
        Line(regime_title(regime), _entries(record, paper.circuit(regime)), WAYS.get(row, row))
        for row in results.listing.rows
        for regime in results.listing.regimes
        for record in results.of(regime=regime, method=row)
    )
    ways = "; ".join(
        f"{WAYS.get(row, row)}: encoding {shape['encoding']}, vtree {shape['vtree']}"
        for row in results.listing.rows
        for shape in [record["configuration"] for record in results.of(method=row)][:1]
    )
    note = (
        f"{ways}. Seconds are the middle of the repetitions, on the machine named above; the paper has a range over "
        "all its runs. What it calls nodes are elements. The paper's numbers of individuals and atoms are of its own "
        "tasks, which need not be ours."
    )
    return Table(key, "Circuits", "Regime", COLUMNS, lines, note, "tab:repro")


def _entries(record: Record, stated: StatedCircuit | None) -> tuple[Entry, ...]:
    from moose.shortcuts.count.count_text import count_text

    circuit = record["circuit"]
    theirs: dict[str, float] = {}
    if stated is not None:  # what the paper calls nodes are PySDD's elements
        theirs = {"atoms": stated.atoms, "clauses": stated.clauses, "size": stated.nodes}
    seconds = None if stated is None else stated.seconds
    return (
        *(_count(float(circuit[key]), theirs.get(key)) for key, _ in COUNTED),
        count_text(int(circuit["models"])),
        _count(float(circuit["seconds"]["middle"]), None, "seconds"),
        "" if seconds is None else f"{seconds[0]:.2f}–{seconds[1]:.2f}",
    )


def _count(value: float, stated: float | None, unit: Unit = "count") -> Quantity:
    return Quantity(value, count=1, paper=stated, unit=unit)
