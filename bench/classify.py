"""Classify the same ontologies with ELK and with Moose, in turns, and compare CPU seconds and memory.

    python -m bench.classify [NAME …] [--data DIR] [--runs 3] [--warm-up 15] [--json OUT]

End to end: a fresh process from its start to the direct taxonomy written as TSV. Alone: classification of an ontology
already in memory, warm (ELK in one JVM after a warm-up, with one worker and with its default number). Both get the same
plain functional-syntax file.
"""

from __future__ import annotations

import argparse
import gzip
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.measure import Spread, Usage, describe_machine, run_measured, write_json
from bench.peers import Peers, PeersAbsentError, find_peers
from moose.base.errors import MooseError

ROOT = Path(__file__).parent.parent
NAMES = ("pizza", "pato", "envo", "uberon", "galen", "go")
ALONE_REPETITIONS = 2  # in each process; there are as many processes as runs
ELK_WORKERS = {"elk_1_worker": "1", "elk_default": "0"}
MEMORY_TARGET = 1.5
END_TO_END_TARGETS = {"go": 1 / 10, "galen": 1 / 10, "uberon": 1 / 10}
ALONE_TARGETS = {"pizza": 1, "pato": 1, "envo": 1, "go": 1 / 5, "uberon": 1 / 5, "galen": 1 / 2}


@dataclass(frozen=True, slots=True)
class Settings:
    """How often and how long to measure."""

    runs: int
    warm_up_seconds: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """Ours divided by ELK's, and the most it should be."""

    measure: str
    value: float
    target: float | None

    def __str__(self) -> str:
        if self.target is None:
            return f"{self.value:.2f}"
        return f"{self.value:.2f} ≤ {self.target:.2f} {'yes' if self.value <= self.target else 'NO'}"


@dataclass(frozen=True, slots=True)
class Comparison:
    """All measurements of one ontology: side → measure → spread."""

    name: str
    end_to_end: dict[str, dict[str, Spread]]
    alone: dict[str, dict[str, Spread]]
    has_equal_edges: bool

    def ratios(self) -> Iterator[Ratio]:
        """Divide our medians by ELK's; alone, by the better of its two numbers of workers."""
        elk, ours = self.end_to_end["elk"], self.end_to_end["moose"]
        yield Ratio("end to end CPU", ours["cpu"].middle / elk["cpu"].middle, END_TO_END_TARGETS.get(self.name))
        yield Ratio("end to end wall", ours["wall"].middle / elk["wall"].middle, None)
        yield Ratio("end to end memory", ours["peak_mb"].middle / elk["peak_mb"].middle, MEMORY_TARGET)
        for measure, label in (("cpu", "CPU"), ("wall", "wall")):
            best = min(self.alone[side][measure].middle for side in ELK_WORKERS)
            ours_alone = self.alone["moose"][measure].middle
            yield Ratio(f"alone {label}", ours_alone / best, ALONE_TARGETS.get(self.name))


# ── Measuring ─────────────────────────────────────────────────────────────────────────────────────────────────────


def compare(name: str, file: Path, *, peers: Peers, settings: Settings) -> Comparison:
    """Measure one ontology, ELK and ours in turns."""
    outputs = {"elk": file.with_suffix(".elk.tsv"), "moose": file.with_suffix(".moose.tsv")}
    commands = {
        "elk": peers.command("ElkTaxonomy", file, outputs["elk"]),
        "moose": [*our_command(), "classify", str(file), "-o", str(outputs["moose"])],
    }
    usages: dict[str, list[Usage]] = {side: [] for side in commands}
    for turn in range(settings.runs + 1):  # the first fills the disk's and numba's caches and is not counted
        for side, command in commands.items():
            usage, _ = run_measured(command)
            if turn > 0:
                usages[side].append(usage)
    has_equal_edges = set(outputs["elk"].open()) == set(outputs["moose"].open())
    end_to_end = {side: _spreads([asdict(usage) for usage in taken]) for side, taken in usages.items()}
    return Comparison(name, end_to_end, compare_alone(file, peers=peers, settings=settings), has_equal_edges)


def compare_alone(file: Path, *, peers: Peers, settings: Settings) -> dict[str, dict[str, Spread]]:
    """Measure classification after loading, ELK and ours in turns."""
    repetitions = str(ALONE_REPETITIONS)
    commands = {
        side: peers.command("ElkAlone", file, workers, str(settings.warm_up_seconds), repetitions)
        for side, workers in ELK_WORKERS.items()
    }
    commands["moose"] = [sys.executable, "-m", "bench.alone", str(file), repetitions]
    commands["moose, from axioms"] = [*commands["moose"], "--from-axioms"]
    rows: dict[str, list[dict[str, float]]] = {side: [] for side in commands}
    for _ in range(settings.runs):
        for side, command in commands.items():
            _, printed = run_measured(command)
            rows[side] += [dict(zip(("wall", "cpu"), map(float, line.split()))) for line in printed.splitlines()]
    return {side: _spreads(taken) for side, taken in rows.items()}


def our_command() -> list[str]:
    """Give what the console script `moose` runs, for this very Python."""
    return [sys.executable, "-c", "import sys; from moose.cli import main; sys.exit(main())"]


def _spreads(rows: list[dict[str, float]]) -> dict[str, Spread]:
    return {measure: Spread.of([row[measure] for row in rows]) for measure in rows[0]}


# ── Reporting ─────────────────────────────────────────────────────────────────────────────────────────────────────


def show(comparisons: list[Comparison], console: Console) -> None:
    """Print what was measured, then the ratios beside their targets."""
    measured = Table("ontology", "what", "side", "CPU s", "wall s", "peak MB", title="median (smallest-largest)")
    ratios = Table("ontology", "measure", "ours / ELK", title="ratios of medians, and the most they should be")
    for one in comparisons:
        for what, sides in (("end to end", one.end_to_end), ("alone", one.alone)):
            for side, spreads in sides.items():
                peak = f"{spreads['peak_mb'].middle:.0f}" if "peak_mb" in spreads else ""
                measured.add_row(one.name, what, side, str(spreads["cpu"]), str(spreads["wall"]), peak)
        for ratio in one.ratios():
            ratios.add_row(one.name, ratio.measure, str(ratio))
        ratios.add_row(one.name, "the same edges", "yes" if one.has_equal_edges else "NO", end_section=True)
    console.print(measured, ratios)


def as_json(comparisons: list[Comparison], settings: Settings, about: dict[str, object]) -> dict[str, object]:
    """Put together everything needed to read the numbers later."""
    ontologies = {
        one.name: {
            "end_to_end": {
                side: {m: asdict(s) for m, s in spreads.items()} for side, spreads in one.end_to_end.items()
            },
            "alone": {side: {m: asdict(s) for m, s in spreads.items()} for side, spreads in one.alone.items()},
            "ratios": [asdict(ratio) for ratio in one.ratios()],
            "has_equal_edges": one.has_equal_edges,
        }
        for one in comparisons
    }
    return {**about, "settings": asdict(settings) | {"alone_repetitions": ALONE_REPETITIONS}, "ontologies": ontologies}


def versions(peers: Peers) -> dict[str, str]:
    """List the versions of everything measured."""
    ours = {name: metadata.version(name) for name in ("numpy", "numba")}
    try:
        ours["moose-el"] = metadata.version("moose-el")
    except metadata.PackageNotFoundError:
        ours["moose-el"] = "not installed"
    return {"Python": platform.python_version(), **ours, **peers.versions}


# ── The command ───────────────────────────────────────────────────────────────────────────────────────────────────


def unpack(name: str, data: Path, scratch: Path) -> Path | None:
    """Put the plain file into the scratch folder; give None where the data folder does not hold it."""
    packed = data / "ontologies" / f"{name}.ofn.gz"
    if not packed.exists():
        return None
    plain = scratch / f"{name}.ofn"
    with gzip.open(packed) as source, plain.open("wb") as target:
        shutil.copyfileobj(source, target)
    return plain


def run(options: argparse.Namespace, console: Console) -> None:
    """Measure each ontology asked for, print the tables and write the file after each."""
    peers, settings = find_peers(), Settings(options.runs, options.warm_up)
    about: dict[str, object] = {"machine": describe_machine(), "versions": versions(peers)}
    comparisons: list[Comparison] = []
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or NAMES:
            file = unpack(name, options.data, Path(scratch))
            if file is None:
                console.print(f"{name}: skipped, there is no {name}.ofn.gz in the data folder")
                continue
            with console.status(f"measuring {name}"):
                comparisons.append(compare(name, file, peers=peers, settings=settings))
            write_json(options.json, as_json(comparisons, settings, about))
    if comparisons:
        show(comparisons, console)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.classify", description="Moose beside ELK.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"ontologies; by default {', '.join(NAMES)}")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder with ontologies/")
    parser.add_argument("--runs", type=int, default=3, help="repetitions counted, after one that is not")
    parser.add_argument("--warm-up", type=float, default=15.0, help="seconds ELK's JVM warms up for `alone`")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "classify.json")
    try:
        run(parser.parse_args(), Console())
    except (MooseError, PeersAbsentError) as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
