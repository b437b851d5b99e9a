"""The tables of the ontology engineer's tools: what they take, beside others where there are others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import median
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


def realisation_table(measured: Measured) -> str:
    """Return what the types of all individuals take, ELK's way and ours."""
    lines = ["| | CPU s | peak MB |", "| --- | ---: | ---: |"]
    for side, name in (("elk", "ELK"), ("moose", "Moose")):
        usage = measured["sides"][side]
        lines.append(f"| {name} | {usage['cpu']:.1f} | {usage['peak_mb']:,.0f} |")
    counts = f"{measured['individuals']:,} individuals, {measured['role_assertions']:,} role assertions"
    same = "the same types" if measured["has_equal_types"] else "not the same types"
    found = f"{measured['types']:,} types, {same}; Moose takes {measured['cpu_ratio']:.3f} of ELK's CPU time"
    return "\n".join([*lines, "", f"{counts}; {found}. {machine_line(measured)}."])


def justifications_table(measured: Measured) -> str:
    """Return how long the first, ten and a hundred justifications take, a line for each goal or kind of goals."""
    cases = measured["cases"]
    lines = ["| goal | first, CPU s | ten | a hundred, or all |", "| --- | ---: | ---: | ---: |"]
    lines += (
        f"| `macrophage ⊑ ⊥`, {state} | {_seconds(cases['macrophage'][state]['times'])} |" for state in ("cold", "warm")
    )
    for name in ("go", "galen"):
        middle = [median(goal["times"][place]["cpu"] for goal in cases[name]["goals"]) for place in range(3)]
        lines.append(
            f"| {len(cases[name]['goals'])} drawn of {name}, median | {_seconds([{'cpu': one} for one in middle])} |"
        )
    load = measured["machine"]["load_average_at_start"]
    return "\n".join([*lines, "", f"{machine_line(measured)}, load average {load} at the start."])


def _seconds(times: Sequence[Measured]) -> str:
    return " | ".join(f"{one['cpu']:.2f}" for one in times)


def explore_table(measured: Measured) -> str:
    """Return how long each kind of answer of the explorer takes."""
    lines = ["| answer | CPU ms, mean | wall ms, median | 95th percentile |", "| --- | ---: | ---: | ---: |"]
    for name, row in measured.items():
        if isinstance(row, Mapping) and "median_ms" in row:
            cells = " | ".join(f"{row[key]:.1f}" for key in ("mean_cpu_ms", "median_ms", "p95_ms"))
            lines.append(f"| {name.replace('_', ' ')} | {cells} |")
    peaks = (measured[name]["peak_mb"] for name in ("memory_at_start", "memory_at_end"))
    memory = "{:,.0f} MB at the start, {:,.0f} MB in all".format(*peaks)
    seconds = f"{measured['start_seconds']:.0f} s ({measured['start_cpu_seconds']:.0f} CPU s)"
    start = f"{measured['classes']:,} classes; ready after {seconds}"
    load = measured["machine"]["load_average_at_start"]
    return "\n".join([*lines, "", f"{start}, {memory}. {machine_line(measured)}, load average {load} at the start."])


def dl_queries_table(measured: Measured) -> str:
    """Return how fast DL queries are answered after classification, a line for each system."""
    lines = [
        "| ontology | by | queries | classify, s | all queries, CPU s | queries a CPU second | same answers |",
        "| --- | --- |" + " ---: |" * 5,
    ]
    for ontology, systems in measured["ontologies"].items():
        for system, row in systems.items():
            name = {"moose": "Moose", "elk": "ELK"}.get(system, system)
            same = "–" if row["same_answers"] is None else f"{row['same_answers']:,}"
            rate = row["queries_per_cpu_second"]
            cells = [f"{row['queries']:,}", f"{row['classify_seconds']:.1f}", f"{row['cpu']:.2f}"]
            lines.append(
                f"| {ontology} | {name} | {' | '.join([*cells, f'{rate:,.{0 if rate > 10 else 2}f}', same])} |"
            )
    load = measured["machine"]["load_average_at_start"]
    told = f"ELK {measured['versions']['ELK']}; {machine_line(measured)}, load average {load} at the start"
    return "\n".join([*lines, "", f"{told}: read CPU seconds; those of classification are of the clock."])


ENGINEER_TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "reasoned": ("reasoned", reasoned_table),
    "engineers_day": ("engineers_day", day_table),
    "round_trips": ("round_trips", round_trips_table),
    "realisation": ("realisation", realisation_table),
    "justifications": ("justifications", justifications_table),
    "explore": ("explore", explore_table),
    "dl_queries": ("dl_queries", dl_queries_table),
}
