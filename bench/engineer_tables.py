"""The tables of the ontology engineer's tools: reasoned ontologies, round trips, and a day's commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bench.measure import machine_line

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


def round_trips_table(measured: Measured) -> str:
    """Return what is lost by writing and reading again, a line for each ontology."""
    by_name: dict[str, list[Measured]] = {}
    for row in measured["rows"]:
        by_name.setdefault(row["ontology"], []).append(row)
    lines = [
        "| ontology | statements | syntaxes | lost or added, read by Moose | by the OWLAPI | CPU s to write, in all |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, rows in by_name.items():
        ours = sum(row["lost"] + row["added"] for row in rows)
        known = [row for row in rows if row["owlapi_lost"] is not None]
        theirs = sum(row["owlapi_lost"] + row["owlapi_added"] for row in known)
        shown = f"{theirs} (in {len(known)})" if known else "–"
        seconds = sum(row["write_cpu"] for row in rows)
        lines.append(f"| {name} | {rows[0]['statements']:,} | {len(rows)} | {ours} | {shown} | {seconds:.1f} |")
    versions, load = measured["versions"], measured["machine"]["load_average_at_start"]
    peer = f"OWLAPI {versions['OWLAPI']}, which has no parser of N-Triples here; " if versions else ""
    return "\n".join([*lines, "", f"{peer}{machine_line(measured)}, load average {load} at the start."])


ENGINEER_TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "reasoned": ("reasoned", reasoned_table),
    "engineers_day": ("engineers_day", day_table),
    "round_trips": ("round_trips", round_trips_table),
}
