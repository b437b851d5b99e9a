"""The tables of the ontology engineer's tools: reasoned ontologies, and a day's commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Measured = Mapping[str, Any]


def reasoned_table(measured: Measured) -> str:
    """Return how the asserted hierarchy of `moose reason --reduce` differs from ELK's, a line for each ontology."""
    lines = [
        "| ontology | ELK's direct subsumptions | not written | written beside them | Moose, CPU s | ELK, CPU s |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in measured["ontologies"].items():
        elk = "" if row["elk"] is None else f"{row['elk']['cpu']:.1f}"
        counts = f"{row['edges']:,} | {row['missing']:,} | {row['too_many']:,}"
        lines.append(f"| {name} | {counts} | {row['moose']['cpu']:.1f} | {elk} |")
    versions = sorted({row["against"] for row in measured["ontologies"].values()})
    note = "Moose writes the ontology with its annotations, ELK's runner only the hierarchy."
    return "\n".join([*lines, "", f"Against {', '.join(versions)}; {note}"])


def day_table(measured: Measured) -> str:
    """Return how each command ended on each ontology, and what it took."""
    lines = [
        "| ontology | command | exit code | lines written | CPU s | peak MB |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for step in measured["steps"]:
        usage = step["usage"]
        cost = f"{usage['cpu']:.1f} | {usage['peak_mb']:,.0f}"
        command = f"`{step['command']}`"
        lines.append(f"| {step['ontology']} | {command} | {step['exit_code']} | {step['output_lines']:,} | {cost} |")
    return "\n".join(lines)


ENGINEER_TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "reasoned": ("reasoned", reasoned_table),
    "engineers_day": ("engineers_day", day_table),
}
