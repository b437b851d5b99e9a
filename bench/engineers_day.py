"""An ontology engineer's day on real ontologies: how each command that builds ended, what it gave and what it cost.

    python -m bench.engineers_day [NAME …] [--data DIR] [--json bench/results/engineers_day.json]

Each command runs as a process of its own, from the file on disk to its output on disk. The file is written after each,
so that a run that was stopped goes on where it was with `--resume`.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.classify import our_command
from bench.measure import Usage, describe_machine, write_json

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True, slots=True)
class Subject:
    """A real ontology, a query about it, the terms of a module, and a property to materialise."""

    file: str
    query: str
    terms: tuple[str, ...]
    materialise: str
    goal: str


SUBJECTS = {
    "cells": Subject(
        "scale/cells/cl-blood_and_immune_upper_slim-2026-06-08.obo.gz",
        "leukocyte and 'capable of' some phagocytosis",
        ("CL:0000235", "CL:0000084"),
        "part of",
        "macrophage SubClassOf leukocyte",
    ),
    "uberon": Subject(
        "ontologies/uberon.ofn.gz",
        "BFO:0000050 some UBERON:0002405",
        ("UBERON:0002107", "UBERON:0000955"),
        "BFO:0000050",
        "UBERON:0000955 SubClassOf UBERON:0000062",
    ),
    "go": Subject(
        "ontologies/go.ofn.gz",
        "GO:0008150 and BFO:0000050 some GO:0006955",
        ("GO:0006955", "GO:0006909"),
        "BFO:0000050",
        "GO:0006909 SubClassOf GO:0008150",
    ),
    "hp": Subject(
        "scale/hpo/hp-2025-01-16.obo.gz",
        "'Abnormality of the liver' and 'Abnormality of the spleen'",
        ("HP:0001392", "HP:0001250"),
        "",
        "Hepatosplenomegaly SubClassOf Splenomegaly",
    ),
}


@dataclass(frozen=True, slots=True)
class Step:
    """One command on one ontology: how it ended, how much it wrote, what it took."""

    ontology: str
    command: str
    exit_code: int
    output_lines: int
    output_mb: float
    says: str
    usage: Usage


def commands(subject: Subject, source: Path, folder: Path) -> Iterator[tuple[str, list[str], Path]]:
    """Yield the name, the arguments and the output of each command, in the order of a day."""
    file = str(source)

    def to(name: str) -> tuple[list[str], Path]:
        return ["-o", str(folder / name)], folder / name

    options, output = to("check.txt")
    yield "check", ["check", file], output
    options, output = to("query.tsv")
    yield "dl", ["dl", file, subject.query, "--names", "label", *options], output
    options, output = to("release.ofn")
    stop = ["--fail-on", "unsatisfiable,equivalent"]
    yield "reason --fail-on", ["reason", file, *stop, *options], output
    options, output = to("reduced.ofn")
    more = ["--materialise", subject.materialise] if subject.materialise else []
    yield "reason --reduce --mark --materialise", ["reason", file, "--reduce", "--mark", *more, *options], output
    options, output = to("why.md")
    yield "explain", ["explain", file, subject.goal, "--format", "markdown", *options], output
    options, output = to("sets.txt")
    yield "explain --justifications", ["explain", file, subject.goal, "--justifications", "3", *options], output
    terms = [argument for term in subject.terms for argument in ("--term", term)]
    for method in ("bot", "star"):
        options, output = to(f"{method}.owl")
        yield f"extract --method {method}", ["extract", file, *terms, "--method", method, *options], output
    options, output = to("converted.obo")
    yield "convert to OBO", ["convert", file, str(output)], output
    options, output = to("converted.owl")
    yield "convert to RDF/XML", ["convert", file, str(output)], output
    options, output = to("merged.ofn")
    yield "merge", ["merge", file, str(folder / "bot.owl"), *options], output
    options, output = to("changes.md")
    yield "diff", ["diff", file, str(folder / "reduced.ofn"), "--format", "markdown", *options], output


def run(name: str, command: str, arguments: list[str], output: Path) -> Step:
    """Run one command to its end, whatever its exit code."""
    errors = output.with_suffix(".errors")
    with errors.open("w+") as complaints, output.with_suffix(".printed").open("w+") as printed:
        start = time.perf_counter()
        process = subprocess.Popen(
            [*our_command(), *arguments], stdin=subprocess.DEVNULL, stdout=printed, stderr=complaints
        )
        _, status, rusage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
    peak = rusage.ru_maxrss * (1 if platform.system() == "Darwin" else 1024) / 1e6
    written = output if output.exists() else output.with_suffix(".printed")
    said = errors.read_text("utf-8").replace(f"{output.parent}{os.sep}", "").strip().splitlines()
    return Step(
        name,
        command,
        process.returncode,
        written.read_bytes().count(b"\n"),
        round(written.stat().st_size / 1e6, 3),
        said[0][:200] if said else "",
        Usage(round(wall, 2), round(rusage.ru_utime + rusage.ru_stime, 2), round(peak, 1)),
    )


def one_day(name: str, data: Path, folder: Path, done: set[tuple[str, str]]) -> Iterator[Step]:
    """Run every command on one ontology; those done before only where a later one needs their output."""
    subject = SUBJECTS[name]
    source = folder / Path(subject.file).name
    source.symlink_to((data / subject.file).resolve())
    needed = {"reason --reduce --mark --materialise": "diff", "extract --method bot": "merge"}
    for command, arguments, output in commands(subject, source, folder):
        later = needed.get(command)
        if (name, command) not in done:
            yield run(name, command, arguments, output)
        elif later is not None and (name, later) not in done:
            run(name, command, arguments, output)


def table_of(steps: list[Step]) -> Table:
    """Return the steps as a table for the terminal."""
    table = Table("ontology", "command", "exit", "lines", "CPU s", "peak MB")
    for step in steps:
        usage = step.usage
        row = (step.ontology, step.command, str(step.exit_code), f"{step.output_lines:,}")
        table.add_row(*row, f"{usage.cpu:.2f}", f"{usage.peak_mb:.0f}")
    return table


def read_steps(file: Path) -> list[Step]:
    """Read the steps of a run that was stopped."""
    if not file.exists():
        return []
    rows = json.loads(file.read_text("utf-8"))["steps"]
    return [Step(**{**row, "usage": Usage(**row["usage"])}) for row in rows]


def main() -> None:
    """Read the options, run, write the file after each command, print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.engineers_day", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"ontologies; by default {', '.join(SUBJECTS)}")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "engineers_day.json")
    parser.add_argument("--resume", action="store_true", help="keep what the file has, and do the rest")
    parser.add_argument("--keep", type=Path, help="a folder for the outputs, to look at")
    options = parser.parse_args()
    steps = read_steps(options.json) if options.resume else []
    done = {(step.ontology, step.command) for step in steps}
    console = Console()
    for name in options.names or SUBJECTS:
        if name not in SUBJECTS:
            sys.exit(f"expected one of {', '.join(SUBJECTS)}, but got {name}")
        if not (options.data / SUBJECTS[name].file).exists():
            console.print(f"{name}: skipped, there is no {SUBJECTS[name].file} in the data folder")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) if options.keep is None else options.keep / name
            folder.mkdir(parents=True, exist_ok=True)
            for step in one_day(name, options.data, folder, done):
                steps.append(step)
                steps.sort(key=lambda one: [*SUBJECTS].index(one.ontology))
                rows = [asdict(one) for one in steps]
                write_json(options.json, {"machine": describe_machine(), "steps": rows})
                console.print(f"{step.ontology}: {step.command}: {step.exit_code}, {step.usage.cpu:.1f} s")
    console.print(table_of(steps))


if __name__ == "__main__":
    main()
