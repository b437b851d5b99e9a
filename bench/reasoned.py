"""`moose reason --reduce` beside ELK: is the hierarchy that it asserts ELK's direct hierarchy, and what does it cost?

    python -m bench.reasoned [NAME …] [--data DIR] [--json OUT]

ELK's side is a process that reads the same file and writes the direct hierarchy; `robot reason` does the same with ELK
and writes an ontology. Ours is the command, from its start to the ontology on disk. Where Java is absent, ELK's stored
answers of the data folder are compared with, and nothing is timed beside ours.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.classify import our_command, unpack
from bench.measure import Usage, describe_machine, run_measured, write_json
from bench.peers import Peers, PeersAbsentError, find_peers
from moose.base.errors import MooseError
from moose.owl.load import load
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import NOTHING, THING, Class
from moose.saturation.answers.taxonomy import rows_of_pairs

ROOT = Path(__file__).parent.parent
NAMES = ("pato", "envo", "uberon", "galen", "go")

Edges = set[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The edges of one ontology, and what each side took."""

    edges: int
    missing: int
    too_many: int
    against: str
    moose: Usage
    elk: Usage | None


def read_edges(lines: list[str]) -> Edges:
    """Read lines of a class and a class above it, without owl:Thing and owl:Nothing."""
    pairs = {(sub, sup) for sub, sup in (line.split("\t") for line in lines)}
    return {pair for pair in pairs if pair[0] != pair[1] and not {THING.iri, NOTHING.iri} & set(pair)}


def direct(closure: Edges) -> Edges:
    """Return the direct edges of a closure, and those of equivalent classes."""
    rows = rows_of_pairs(sorted({one for pair in closure for one in pair}), closure)
    found = {
        (name, rows.names[above])
        for number, name in enumerate(rows.names)
        for above in rows.above[rows.row(number)][rows.is_direct[rows.row(number)]].tolist()
    }
    return found | {(sub, sup) for sub, sup in closure if (sup, sub) in closure}


def asserted(file: Path) -> Edges:
    """Return the edges between named classes that an ontology asserts."""
    return {
        (axiom.sub.iri, axiom.sup.iri)
        for axiom in load(file).axioms
        if isinstance(axiom, SubClassOf) and isinstance(axiom.sub, Class) and isinstance(axiom.sup, Class)
    }


def elk_edges(name: str, file: Path, data: Path, peers: Peers | None) -> tuple[Edges, Usage | None]:
    """Return ELK's direct edges, those of equivalent classes both ways, and what they took."""
    if peers is None:
        with gzip.open(data / "oracle" / f"{name}.subs.tsv.gz", "rt", encoding="utf-8") as stream:
            return direct(read_edges(stream.read().splitlines())), None
    output = file.with_suffix(".elk.tsv")
    usage, _ = run_measured(peers.command("ElkTaxonomy", file, output))
    return read_edges(output.read_text("utf-8").splitlines()), usage


def compare(name: str, file: Path, data: Path, peers: Peers | None) -> Comparison:
    """Compare one ontology."""
    theirs, elk = elk_edges(name, file, data, peers)
    output = file.with_suffix(".reasoned.ofn")
    usage, _ = run_measured([*our_command(), "reason", str(file), "--reduce", "-o", str(output)])
    told = {pair for pair in asserted(output) if not {THING.iri, NOTHING.iri} & set(pair)}
    one_way = {(sub, sup) for sub, sup in theirs if (sup, sub) not in theirs}  # equivalences may be told as such
    against = "stored answers" if peers is None else f"ELK {peers.versions['ELK']}"
    return Comparison(len(one_way), len(one_way - told), len(told - theirs), against, usage, elk)


def run(options: argparse.Namespace, console: Console) -> None:
    """Compare each ontology, write the file after each, print the table."""
    try:
        peers = find_peers()
    except PeersAbsentError as absent:
        console.print(str(absent))
        peers = None
    found: dict[str, Comparison] = {}
    table = Table("ontology", "direct edges", "missing", "too many", "ours: CPU s", "ELK: CPU s")
    with tempfile.TemporaryDirectory() as scratch:
        for name in options.names or NAMES:
            file = unpack(name, options.data, Path(scratch))
            if file is None:
                console.print(f"{name}: skipped, there is no {name}.ofn.gz in the data folder")
                continue
            one = found[name] = compare(name, file, options.data, peers)
            cpu = "" if one.elk is None else f"{one.elk.cpu:.2f}"
            table.add_row(name, f"{one.edges:,}", str(one.missing), str(one.too_many), f"{one.moose.cpu:.2f}", cpu)
            rows = {name: asdict(one) for name, one in found.items()}
            write_json(options.json, {"machine": describe_machine(), "ontologies": rows})
    console.print(table)


def main() -> None:
    """Read the options and compare."""
    parser = argparse.ArgumentParser(prog="python -m bench.reasoned", description="moose reason beside ELK.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"ontologies; by default {', '.join(NAMES)}")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder with ontologies/")
    parser.add_argument("--json", type=Path, default=ROOT / "bench" / "results" / "reasoned.json")
    try:
        run(parser.parse_args(), Console())
    except MooseError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
