"""The tables of garments and of the other worlds, from what was measured alone."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import fmean
from typing import Any

from bench.measure import machine_line

Measured = Mapping[str, Any]
METRICS = ("network", "given", "ece")
HEAD = ("network alone", "given the evidence", "ECE of the network", "seeds")


def garments_table(measured: Measured) -> str:
    """Return a line for each network, number of epochs and way to learn."""
    lines = [f"| network, epochs | way to learn | {' | '.join(HEAD)} |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    rows = [(*_parts(name), runs) for name, runs in measured["rows"].items()]
    for where in dict.fromkeys(where for where, _, _ in rows):
        lines += [f"| {where} | {way} | {_cells(runs)} |" for own, way, runs in rows if own == where]
    told = f"Means over seeds, in per cent; one to three literals tell {measured['bits']:.2f} bits of a garment"
    return "\n".join([*lines, "", f"{told}; {machine_line(measured)}."])


def garment_methods_table(measured: Measured) -> str:
    """Return a line for each method, with what a training costs; then the methods that refuse the task."""
    lines = [f"| method | {' | '.join(HEAD)} | CPU s |", "| --- |" + " ---: |" * (len(HEAD) + 1)]
    refused = list[str]()
    for name, runs in measured["rows"].items():
        if any("refused" in run for run in runs):
            refused.append(f"`{name}`")
            continue
        seconds = [run["cpu_seconds"] for run in runs]
        cost = f"{min(seconds):.0f}–{max(seconds):.0f}" if len(seconds) > 1 else f"{seconds[0]:.0f}"
        lines.append(f"| {name} | {_cells(runs)} | {cost} |")
    told = f"In per cent; {measured['settings']['epochs']} epochs of 5,000 images; {machine_line(measured)}."
    return "\n".join([*lines, "", told + (f" Refused by {', '.join(refused)}." if refused else "")])


def worlds_table(measured: Measured) -> str:
    """Return a line for each world and way to learn."""
    lines = [f"| world | way to learn | {' | '.join(HEAD)} |", "| --- | --- | ---: | ---: | ---: | ---: |"]
    for world, ways in measured["worlds"].items():
        lines += [f"| {world} | {way} | {_cells(runs)} |" for way, runs in ways.items() if runs]
    told = "Means over seeds, in per cent; – where the evidence contradicts what the way takes for granted"
    return "\n".join([*lines, "", f"{told}; {machine_line(measured)}."])


def _parts(name: str) -> tuple[str, str]:
    """Take the name of a row apart: the way to learn may have a comma of its own."""
    way, epochs, network = name.rsplit(", ", 2)
    return f"{network}, {epochs}", way


def _cells(runs: list[dict[str, float] | None]) -> str:
    return " | ".join([*(_mean(runs, metric) for metric in METRICS), str(len(runs))])


def _mean(runs: list[dict[str, float] | None], metric: str) -> str:
    values = [run[metric] for run in runs if run is not None and metric in run]
    return f"{100 * fmean(values):.1f}" if values and len(values) == len(runs) else "–"
