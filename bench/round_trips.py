"""Round trips: every writer's output, read again by Moose and by the OWLAPI, gives the same axioms and annotations.

    python -m bench.round_trips [NAME …] [--data DIR] [--json bench/results/round_trips.json]

Of the golden ontologies, and of go, uberon, hp, the cells slim and envo; rows of those that are not named
stay. The OWLAPI takes part where Java and its jars are (`python -m bench.peers install`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import process_time
from typing import Any

import moose
from bench.measure import describe_machine, write_json
from bench.peers import Peers, PeersAbsentError, find_peers
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import AnnotationAssertion, Declaration
from moose.owl.model.expressions import OWL
from moose.owl.ontology import Ontology
from moose.owl.write import WRITTEN

ENDINGS = {"functional": ".ofn", "owlxml": ".owx", "rdfxml": ".owl", "turtle": ".ttl", "ntriples": ".nt", "obo": ".obo"}
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"

# ── The same axioms and annotations ───────────────────────────────────────────────────────────────────────────────

SETS = (ax.DisjointClasses, ax.DisjointObjectProperties, ax.DisjointDataProperties, ax.DifferentIndividuals)
CHAINS = (ax.EquivalentClasses, ax.EquivalentObjectProperties, ax.EquivalentDataProperties, ax.SameIndividual)


def said(ontology: Ontology) -> set[object]:
    """Return all that an ontology says, without what the structure of OWL 2 leaves open: the order of sets."""
    notes = ontology.annotations
    statements = (*ontology.axioms, *notes.assertions, *map(_header, notes.header), *map(Declaration, _named(ontology)))
    return {one for statement in statements for one in canonical(statement)}


def _header(note: ax.Annotation) -> AnnotationAssertion:
    return AnnotationAssertion(note.property, "the ontology", note.value, note.annotations)


def _named(ontology: Ontology) -> Iterator[owl.Entity]:
    """Yield every entity: RDF and OBO declare what is only used."""
    names = ontology.signature
    yield from (owl.Class(iri) for iri in names.classes)
    yield from (owl.ObjectProperty(iri) for iri in names.object_properties)
    yield from (owl.DataProperty(iri) for iri in names.data_properties)
    yield from (owl.NamedIndividual(iri) for iri in names.individuals)


def canonical(statement: object) -> Iterator[object]:
    """Yield a statement in one form: sets sorted, chains of equivalents in pairs, one anonymous individual."""
    plain: Any = _rebuild(statement)
    if isinstance(plain, CHAINS):
        members = getattr(plain, "operands", ()) or getattr(plain, "individuals", ())
        for pair in pairwise(members):
            yield type(plain)(tuple(sorted(pair, key=repr)), plain.annotations)
    elif isinstance(plain, SETS):
        members = getattr(plain, "operands", ()) or getattr(plain, "individuals", ())
        yield type(plain)(tuple(sorted(members, key=repr)), plain.annotations)
    else:
        yield plain


def _abbreviated(literal: owl.Literal) -> owl.Literal:
    """Return a literal in one form: "chat@fr"^^rdf:PlainLiteral is "chat"@fr, and languages are in small letters."""
    text, at, language = literal.lexical.rpartition("@")
    if literal.datatype == owl.PLAIN_LITERAL_IRI and at:
        return owl.Literal(text, owl.LANGUAGE_STRING_IRI, language.lower()) if language else owl.Literal(text)
    return replace(literal, language=literal.language.lower()) if literal.language else literal


def _rebuild(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_rebuild, value))
    if isinstance(value, owl.AnonymousIndividual):
        return owl.AnonymousIndividual("x")
    if isinstance(value, owl.Literal):
        return _abbreviated(value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {field.name: _rebuild(getattr(value, field.name)) for field in fields(value)}
    if "annotations" in parts:
        parts["annotations"] = tuple(sorted(set(parts["annotations"]), key=repr))
    return type(value)(**parts)


ADDED_BY_OBO = frozenset([OBO_IN_OWL + "id", OBO_IN_OWL + "is_metadata_tag", OBO_IN_OWL + "hasOBOFormatVersion"])


@dataclass(frozen=True, slots=True)
class Difference:
    """What one side says and the other does not; and what every OBO file says, whether asked to or not."""

    statements: int
    lost: list[str]
    added: list[str]
    added_by_obo: int = 0


def difference(before: Ontology, after: Ontology, syntax: str) -> Difference:
    """Compare what two ontologies say."""
    first, second = said(before), said(after)
    lost, added = first - second, second - first
    if syntax in ("rdfxml", "turtle", "ntriples") and lost:
        # In RDF an axiom with annotations is one without them too.
        lost -= {_bare(other) for other in first if _notes(other)}
    by_obo = {one for one in added if syntax == "obo" and _is_added_by_obo(one)}
    return Difference(len(first), _some(lost), _some(added - by_obo), len(by_obo))


def _some(statements: Iterable[object]) -> list[str]:
    return sorted(repr(one) for one in statements)


def _notes(statement: object) -> object:
    return getattr(statement, "annotations", ())


def _bare(statement: Any) -> object:
    return replace(statement, annotations=())


def _is_added_by_obo(statement: object) -> bool:
    if isinstance(statement, AnnotationAssertion):
        is_version = statement.property == OWL + "versionInfo" and statement.subject == "the ontology"
        return statement.property in ADDED_BY_OBO or is_version
    return False


@dataclass(frozen=True, slots=True)
class Row:
    """One ontology in one syntax, or several."""

    ontology: str
    syntax: str
    megabytes: float = 0.0
    write_cpu: float = 0.0
    read_cpu: float = 0.0
    statements: int = 0
    unwritten: int = 0
    lost: int = 0
    added: int = 0
    added_by_obo: int = 0
    owlapi_statements: int | None = None
    owlapi_lost: int | None = None
    owlapi_added: int | None = None
    examples: tuple[str, ...] = ()


SUMMED = ("megabytes", "write_cpu", "read_cpu", "statements", "unwritten", "lost", "added", "added_by_obo")
MOST_SHOWN = 3


def together(row: Row, more: Row) -> Row:
    """Add up two rows."""
    sums: dict[str, Any] = {name: round(getattr(row, name) + getattr(more, name), 3) for name in SUMMED}
    return replace(row, **sums, examples=(*row.examples, *more.examples))


def with_owlapi(row: Row, found: Difference, name: str) -> Row:
    """Add what the OWLAPI says."""
    shown = [f"OWLAPI, {name} - {one}" for one in found.lost[:MOST_SHOWN]]
    shown += [f"OWLAPI, {name} + {one}" for one in found.added[:MOST_SHOWN]]
    return replace(
        row,
        owlapi_statements=(row.owlapi_statements or 0) + found.statements,
        owlapi_lost=(row.owlapi_lost or 0) + len(found.lost),
        owlapi_added=(row.owlapi_added or 0) + len(found.added),
        examples=(*row.examples, *shown),
    )


# ── By the OWLAPI ─────────────────────────────────────────────────────────────────────────────────────────────────

BY_OWLAPI = ("functional", "owlxml", "rdfxml", "turtle", "obo")
"""The jars have no parser of N-Triples."""


def owlapi_lines(peers: Peers, files: Iterable[Path], folder: Path) -> dict[Path, set[str]]:
    """Return what the OWLAPI reads in each file, a line for each statement."""
    outputs = {file: folder / f"{file.name}.lines" for file in files}
    pairs = [argument for file, lines in outputs.items() for argument in (file, lines)]
    subprocess.run(peers.command("Statements", *pairs), check=True, capture_output=True, text=True)
    return {file: set(lines.read_text("utf-8").splitlines()) for file, lines in outputs.items()}


VERSION_IN_OBO = "<http://purl.obolibrary.org/obo/owl_versionInfo>"
"""What the OWLAPI makes of `owl:versionInfo` in an OBO file that somebody else wrote; ours have its IRI in full."""


def owlapi_difference(first: set[str], second: set[str], syntax: str) -> Difference:
    """Compare what the OWLAPI read; declarations that RDF and OBO add are no loss."""
    first = {line.replace(VERSION_IN_OBO, "owl:versionInfo") for line in without_texts(first)}
    second = without_texts(second)
    added = {line for line in second - first if not line.startswith("Declared ")}
    by_obo = {line for line in added if syntax == "obo" and any(f"<{iri}>" in line for iri in ADDED_BY_OWLAPI)}
    return Difference(len(first), sorted(first - second), sorted(added - by_obo), len(by_obo))


REPLACED_BY = re.compile(r'(.*<http://purl.obolibrary.org/obo/IAO_0100001> \S+ )"(\w+):(\w+)"(\^\^xsd:string)?(\).*)')


def without_texts(lines: set[str]) -> set[str]:
    """Leave out what the OWLAPI reads of `replaced_by` in OBO, an identifier as a text, where `alt_id` says it, too.

    Whether an old class whose identifier is an `alt_id` has that clause besides makes no statement of OWL.
    """
    matches = {line: REPLACED_BY.fullmatch(line) for line in lines if "IAO_0100001" in line}
    place = "<http://purl.obolibrary.org/obo/"
    said = {line: f"{one[1]}{place}{one[2]}_{one[3]}>{one[5]}" for line, one in matches.items() if one}
    return {line for line in lines if said.get(line) not in lines}


ADDED_BY_OWLAPI = ADDED_BY_OBO | {OBO_IN_OWL + "shorthand"}

# ── Golden ontologies ─────────────────────────────────────────────────────────────────────────────────────────────


def golden_files() -> list[Path]:
    """Return the small ontologies, one for each construct, that the tests have."""
    return sorted((Path(__file__).parent.parent / "tests" / "golden").glob("*.ofn"))


def run_golden(folder: Path, peers: Peers | None) -> Iterator[Row]:
    """Make the round trip of every golden ontology, all of a syntax in one row."""
    rows = {syntax.name: Row("golden", syntax.name) for syntax in WRITTEN}
    pairs: list[tuple[str, Path, Path]] = []
    for source in golden_files():
        ontology = moose.load(source)
        for syntax, row in rows.items():
            rows[syntax] = together(row, round_trip(source.stem, ontology, syntax, folder))
            pairs.append((syntax, source, folder / f"{source.stem}{ENDINGS[syntax]}"))
    if peers is not None:
        compared = [pair for pair in pairs if pair[0] in BY_OWLAPI]
        read = owlapi_lines(peers, {file for _, *files in compared for file in files}, folder)
        for syntax, source, written in compared:
            found = owlapi_difference(read[source], read[written], syntax)
            rows[syntax] = with_owlapi(rows[syntax], found, source.stem)
    yield from rows.values()


# ── Real ontologies ───────────────────────────────────────────────────────────────────────────────────────────────

SHARED = Path(__file__).parent.parent.parent / "shared" / "data"
ONTOLOGIES = {
    "cells": "scale/cells/cl-blood_and_immune_upper_slim-2026-06-08.obo.gz",
    "envo": "ontologies/envo.ofn.gz",
    "uberon": "ontologies/uberon.ofn.gz",
    "hp": "scale/hpo/hp-2025-01-16.obo.gz",
    "go": "ontologies/go.ofn.gz",
}


def run(name: str, source: Path, folder: Path, peers: Peers | None) -> Iterator[Row]:
    """Write an ontology in every syntax, and read it again."""
    ontology = moose.load(source)
    plain = folder / f"{name}-source{source.with_suffix('').suffix}"
    plain.write_bytes(gzip.decompress(source.read_bytes()))
    rows = [round_trip(name, ontology, syntax.name, folder) for syntax in WRITTEN]
    if peers is None:
        yield from rows
        return
    files = {syntax: folder / f"{name}{ENDINGS[syntax]}" for syntax in BY_OWLAPI}
    read = owlapi_lines(peers, [plain, *files.values()], folder)
    for row in rows:
        if row.syntax not in files:
            yield row
            continue
        # OBO has its own idea of what some clauses mean: there the file that was read is compared with the one written.
        reference = plain if plain.suffix in (".ofn", files[row.syntax].suffix) else files["functional"]
        found = owlapi_difference(read[reference], read[files[row.syntax]], row.syntax)
        yield with_owlapi(row, found, name)


def round_trip(name: str, ontology: Ontology, syntax: str, folder: Path) -> Row:
    """Write an ontology in one syntax and read it again."""
    path = folder / f"{name}{ENDINGS[syntax]}"
    start = process_time()
    unwritten = moose.write(ontology, path, syntax)
    written = process_time()
    back = moose.load(path)
    read = process_time()
    found = difference(ontology, back, syntax)
    return Row(
        name,
        syntax,
        round(path.stat().st_size / 1e6, 2),
        round(written - start, 2),
        round(read - written, 2),
        found.statements,
        len(unwritten),
        len(found.lost),
        len(found.added),
        found.added_by_obo,
        examples=(*(f"- {one}" for one in found.lost[:MOST_SHOWN]), *(f"+ {one}" for one in found.added[:MOST_SHOWN])),
    )


def kept_rows(file: Path | None) -> list[Row]:
    """Return the rows of a run before, so that single ontologies can be measured again."""
    if file is None or not file.exists():
        return []
    return [Row(**{**row, "examples": tuple(row["examples"])}) for row in json.loads(file.read_text("utf-8"))["rows"]]


def main() -> None:
    """Make all round trips and write what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["golden", *ONTOLOGIES])
    parser.add_argument("--data", type=Path, default=SHARED)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    try:
        peers: Peers | None = find_peers()
    except PeersAbsentError as absent:
        print(absent, file=sys.stderr)
        peers = None
    rows = [row for row in kept_rows(options.json) if row.ontology not in options.names]
    for name in options.names:
        with tempfile.TemporaryDirectory() as folder:
            trips = run_golden if name == "golden" else partial(run, name, options.data / ONTOLOGIES[name])
            for row in trips(Path(folder), peers):
                rows.append(row)
                print(row, flush=True)
        if options.json is not None:
            versions = peers.versions if peers else {}
            write_json(
                options.json, {"versions": versions, "machine": describe_machine(), "rows": [*map(asdict, rows)]}
            )


if __name__ == "__main__":
    main()
