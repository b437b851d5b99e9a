"""Measure how compilation and the layer grow with the number of individuals.

    python -m bench.scaling [--runs 3] [--most 10000] [--json OUT]

Successor chains and random trees of digits with known roles: from the task through grounding and compilation to a
forward and backward pass of the layer. Then few digits whose roles are left open, in the paper's encoding. Every
measurement is a fresh process; of each case one run goes before those that count. Two plots stand beside the file.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.measure import Spread, describe_machine, run_measured, write_json
from bench.scaling_alone import BATCH
from bench.scaling_plots import plot_free, plot_pinned
from moose.base.errors import MooseError

ROOT = Path(__file__).parent.parent
COUNTS = (10, 100, 1000, 10_000)
SHAPES = ("chain", "tree")
FREE_COUNTS = (2, 3, 4)
FREE_WAYS = ("plain", "balanced", "structure")
MEASURES = ("ground_seconds", "compile_seconds", "compile_cpu_seconds", "layer_seconds", "peak_mb")

Case = Mapping[str, object]


def measure(arguments: Sequence[str], runs: int) -> dict[str, object]:
    """Run a case several times, the first uncounted: spreads of what varies, the rest as it is."""
    rows: list[dict[str, object]] = []
    for turn in range(runs + 1):
        usage, printed = run_measured([sys.executable, "-m", "bench.scaling_alone", *arguments])
        if turn > 0:
            rows.append(json.loads(printed) | {"peak_mb": usage.peak_mb})
    varying = {name: [middle(row[name]) for row in rows] for name in MEASURES if name in rows[0]}
    spreads: dict[str, object] = {name: asdict(Spread.of(values)) for name, values in varying.items()}
    return {name: value for name, value in rows[0].items() if name not in MEASURES} | spreads


def exponent(cases: Mapping[int, Case], measure_name: str) -> float | None:
    """Fit log y = a + b · log n by least squares and return b; the middle of a spread counts."""
    points = [(math.log(count), math.log(middle(case[measure_name]))) for count, case in cases.items()]
    if len(points) < 2:
        return None
    mean_x, mean_y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    across = sum((x - mean_x) * (y - mean_y) for x, y in points)
    along: float = sum((x - mean_x) ** 2 for x, _ in points)
    return across / along


def middle(value: object) -> float:
    """Return a number, or the middle of a spread."""
    if isinstance(value, Mapping):
        return float(value["middle"])
    assert isinstance(value, int | float)
    return float(value)


def exponents(cases: Mapping[int, Case]) -> dict[str, float | None]:
    """Fit all counts, and for compilation also the two largest alone, where starting up no longer matters."""
    names = ("size", "compile_seconds", "compile_cpu_seconds", "layer_seconds")
    largest = dict(list(cases.items())[-2:])
    fitted = {name: exponent(cases, name) for name in names}
    return fitted | {f"{name}, two largest": exponent(largest, name) for name in names[1:]}


def show(pinned: Mapping[str, Mapping[int, Case]], free: Mapping[int, Mapping[str, Case]], console: Console) -> None:
    """Print what was measured."""
    headings = ("size", "levels", "ground s", "compile s", "CPU s", "layer s")
    table = Table("roles known", "individuals", "atoms", "clauses", *headings)
    for shape, cases in pinned.items():
        for count, case in cases.items():
            cells = [str(case[name]) for name in ("atoms", "clauses", "size", "levels")]
            seconds = [f"{middle(case[name]):.3f}" for name in MEASURES[:4]]
            table.add_row(shape, str(count), *cells, *seconds)
        for name, value in exponents(cases).items():
            console.print(f"{shape}: exponent of {name}: {value if value is None else round(value, 3)}")
    console.print(table)
    table = Table("roles open", "way", "atoms", "clauses", "size", "compile s")
    for count, ways in free.items():
        for way, case in ways.items():
            took = f"{middle(case['compile_seconds']):.2f}" if "compile_seconds" in case else str(case["stopped"])
            table.add_row(str(count), way, str(case["atoms"]), str(case["clauses"]), str(case.get("size")), took)
    console.print(table)


def versions() -> dict[str, str]:
    """List the versions of everything measured."""
    return {"Python": platform.python_version()} | {
        name: metadata.version(name) for name in ("numpy", "numba", "torch", "pysdd")
    }


def run(options: argparse.Namespace, console: Console) -> None:
    """Measure every case and write the file after each."""
    about = {"machine": describe_machine(), "versions": versions(), "settings": {"runs": options.runs, "batch": BATCH}}
    pinned: dict[str, dict[int, Case]] = {shape: {} for shape in SHAPES}
    free: dict[int, dict[str, Case]] = {count: {} for count in FREE_COUNTS}

    def write() -> None:
        fitted = {shape: exponents(cases) for shape, cases in pinned.items() if len(cases) > 1}
        write_json(options.json, {**about, "pinned": pinned, "exponents": fitted, "free": free})

    for count in (count for count in COUNTS if count <= options.most):
        for shape in SHAPES:
            with console.status(f"measuring a {shape} of {count}"):
                pinned[shape][count] = measure(["pinned", shape, str(count)], options.runs)
            write()
    for count in FREE_COUNTS:
        for way in FREE_WAYS:
            with console.status(f"measuring {count} with open roles, {way}"):
                free[count][way] = measure(["free", str(count), way], options.runs)
            write()
    show(pinned, free, console)
    plot_pinned(pinned, options.json.with_name("scaling_pinned.svg"))
    plot_free(free, options.json.with_name("scaling_free.svg"))


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.scaling", description="Growth with the individuals.")
    parser.add_argument("--runs", type=int, default=3, help="repetitions counted, after one that is not")
    parser.add_argument("--most", type=int, default=COUNTS[-1], help="individuals with known roles at most")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "scaling.json")
    try:
        run(parser.parse_args(), Console())
    except MooseError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
