"""DL queries after load, Moose beside ELK and whelk-rs in one run: random expressions of an ontology's own shapes.

    python -m bench.dl_queries [NAME …] [--queries 1000] [--seed 7] [--whelk PYTHON] [--data DIR] [--json OUT]

Each side loads and classifies the ontology in a process of its own, answers other queries of the same kind to get warm,
and is then timed on the same queries: all sub-, super- and equivalent classes of each, as names. `--whelk` is the
Python of an environment with py-whelk and py-horned-owl, which can only be asked what is below a named class: each
query is given a name, a few one by one and then all of them at once.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.classify import unpack, versions
from bench.measure import describe_machine, run_measured, write_json
from bench.peers import find_peers
from bench.query_shapes import random_queries
from moose.base.errors import MooseError
from moose.owl.load import load
from moose.owl.model.axioms import Document, EquivalentClasses
from moose.owl.model.expressions import Class, ClassExpression
from moose.owl.syntax.functional.write_functional import write_functional

ROOT = Path(__file__).parent.parent
WARM_UP = 200
WHELK_SINGLES = 5
TARGET = 500.0
"""Queries a second that are wanted of us on go."""

Answers = dict[int, dict[str, frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Timing:
    """What one side took, and how its answers compare with ours."""

    queries: int
    classify_seconds: float
    wall: float
    cpu: float
    queries_per_second: float
    queries_per_cpu_second: float
    same_answers: int | None


def write_queries(expressions: Sequence[ClassExpression], file: Path) -> None:
    """Write queries as an ontology in which each has a name."""
    axioms = [EquivalentClasses((Class(f"urn:query:{number}"), one)) for number, one in enumerate(expressions)]
    file.write_text(str(write_functional(Document(axioms=tuple(axioms)))), "utf-8")


def read_answers(file: Path) -> Answers:
    """Read lines of number, relation and class; what is equivalent is not also above and below."""
    found: dict[int, dict[str, set[str]]] = {}
    for line in file.read_text("utf-8").splitlines():
        number, relation, iri = line.split("\t")
        if not iri.startswith("http://www.w3.org/2002/07/owl#"):
            found.setdefault(int(number), {}).setdefault(relation, set()).add(iri)
    return {
        number: {
            relation: frozenset(iris if relation == "equivalent" else iris - rows.get("equivalent", set()))
            for relation, iris in rows.items()
            if iris - rows.get("equivalent", set()) or relation == "equivalent"
        }
        for number, rows in found.items()
    }


def only_below(answers: Answers) -> Answers:
    """Return what is below or equal, which is all that py-whelk can be asked for."""
    below = {
        number: rows.get("sub", frozenset()) | rows.get("equivalent", frozenset()) for number, rows in answers.items()
    }
    return {number: {"sub": iris} for number, iris in below.items() if iris}


def timing(numbers: Sequence[float], count: int, answers: Answers, ours: Answers) -> Timing:
    """Put together what a side printed, classify, wall and CPU seconds, and how often it agrees with us."""
    classify, wall, cpu = numbers
    same = sum(answers.get(number, {}) == ours.get(number, {}) for number in range(count))
    return Timing(count, classify, wall, cpu, count / wall, count / cpu, same)


def compare(name: str, file: Path, *, options: argparse.Namespace, scratch: Path) -> dict[str, Timing]:
    """Time each side on one ontology."""
    ontology = load(file)
    warm_up, timed = scratch / f"{name}.warm-up.ofn", scratch / f"{name}.queries.ofn"
    write_queries(random_queries(ontology, WARM_UP, options.seed + 1), warm_up)
    write_queries(random_queries(ontology, options.queries, options.seed), timed)
    del ontology
    output = {side: scratch / f"{name}.{side}.tsv" for side in ("moose", "elk", "whelk")}
    _, printed = run_measured(
        [sys.executable, "-m", "bench.dl_alone", *map(str, (file, warm_up, timed, output["moose"]))]
    )
    classify, _, wall, cpu = map(float, printed.split())
    ours = read_answers(output["moose"])
    found = {"moose": timing([classify, wall, cpu], options.queries, ours, ours)}
    peers = find_peers()
    _, printed = run_measured(peers.command("ElkQueries", file, warm_up, timed, output["elk"]))
    found["elk"] = timing(
        [float(number) for number in printed.split()], options.queries, read_answers(output["elk"]), ours
    )
    if options.whelk is not None:
        script = str(ROOT / "bench" / "whelk_alone.py")
        arguments = [str(options.whelk), script, *map(str, (file, timed, output["whelk"], WHELK_SINGLES))]
        _, printed = run_measured(arguments)
        classify, wall, cpu, batch_wall, batch_cpu = map(float, printed.split())
        theirs, below = read_answers(output["whelk"]), only_below(ours)
        found["whelk-rs, one by one"] = Timing(
            WHELK_SINGLES, classify, wall, cpu, WHELK_SINGLES / wall, WHELK_SINGLES / cpu, None
        )
        found["whelk-rs, all at once"] = timing([classify, batch_wall, batch_cpu], options.queries, theirs, below)
    return found


def run(options: argparse.Namespace, console: Console) -> None:
    """Measure each ontology, write the file after each, print the table."""
    about = {"machine": describe_machine(), "versions": versions(find_peers()), "seed": options.seed}
    measured: dict[str, dict[str, Timing]] = {}
    table = Table("ontology", "side", "queries", "a second", "a CPU second", "same answers as ours")
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or ["go"]:
            file = unpack(name, options.data, Path(scratch))
            if file is None:
                console.print(f"{name}: skipped, there is no {name}.ofn.gz in the data folder")
                continue
            measured[name] = compare(name, file, options=options, scratch=Path(scratch))
            for side, one in measured[name].items():
                speed = f"{one.queries_per_second:,.1f}"
                same = "" if one.same_answers is None else f"{one.same_answers}/{one.queries}"
                table.add_row(name, side, str(one.queries), speed, f"{one.queries_per_cpu_second:,.1f}", same)
            sides = {name: {side: asdict(one) for side, one in rows.items()} for name, rows in measured.items()}
            write_json(options.json, {**about, "target_on_go": TARGET, "ontologies": sides})
    console.print(table)


def main() -> None:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(prog="python -m bench.dl_queries", description="DL queries beside ELK and whelk.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="ontologies; by default go")
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--whelk", type=Path, default=None, metavar="PYTHON")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder with ontologies/")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "dl_queries.json")
    try:
        run(parser.parse_args(), Console())
    except MooseError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
