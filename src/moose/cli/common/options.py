"""The arguments of the commands that read an ontology, and how it is read; some are other commands' too."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from moose.base.errors import MooseError
from moose.cli.common.messages import say

if TYPE_CHECKING:
    from moose.base.processes.parallel import Workers
    from moose.owl.ontology import Ontology

File = Annotated[
    Path, typer.Argument(metavar="FILE", help="An ontology in any OWL syntax, plain or gzip; - is the input.")
]
Output = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="OUT", help="Write here instead of the standard output.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object for programs.")]
ImportsFrom = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Look for imported ontologies here, not beside FILE.")
]
CatalogueFile = Annotated[
    Path | None, typer.Option("--catalogue", metavar="XML", help="An XML catalogue, else catalog-v001.xml beside FILE.")
]
Certificate = Annotated[
    Path | None,
    typer.Option(metavar="JSON", help="Write what `moose verify` needs to check the answer without this program."),
]
IgnoreMissing = Annotated[
    bool, typer.Option("--ignore-missing-imports", help="Go on without imports that are not found.")
]
AllowCycles = Annotated[
    bool, typer.Option("--allow-import-cycles", help="Read documents that import each other, each once.")
]

UNITS = {"ms": 0.001, "s": 1.0, "": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
DURATION = re.compile(r"(?P<count>[0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(?P<unit>[a-z]*)")


@dataclass(frozen=True, slots=True)
class Processes:
    """Who works; the same options as `moose bench run` has."""

    jobs: Annotated[int, typer.Option(metavar="N", min=1, help="Processes at a time.")] = 1
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Use this Ray cluster.")] = None

    def workers(self) -> Workers:
        """Return who works."""
        from moose.base.processes.parallel import Workers

        return Workers(self.jobs, self.cluster)


@dataclass(frozen=True, slots=True)
class Imports:
    """How the ontologies are found that an ontology imports."""

    imports_from: ImportsFrom = None
    catalogue: CatalogueFile = None
    ignore_missing_imports: IgnoreMissing = False
    allow_import_cycles: AllowCycles = False

    def read(self, file: Path) -> Ontology:
        """Load an ontology, and say what was left out or goes in a circle."""
        from moose.owl.load import load

        ontology = load(
            source_of(file),
            imports_from=self.imports_from,
            catalogue=self.catalogue,
            ignore_missing_imports=self.ignore_missing_imports,
            allow_import_cycles=self.allow_import_cycles,
        )
        for iri in ontology.ignored_imports:
            say(f"{file}: goes on without the import <{iri}>, which was not found")
        for cycle in ontology.import_cycles:
            say(f"{file}: the imports go in a circle ({' → '.join(cycle)}); each document was read once")
        return ontology


def source_of(file: Path) -> Path | BinaryIO:
    """Return what to read: a file, or for - the standard input."""
    if str(file) != "-":
        return file
    if sys.stdin is None:
        raise MooseError("expected an ontology on the standard input, but it is closed; name a file instead of -")
    return sys.stdin.buffer


def read_duration(text: str | None, option: str = "--limit") -> float | None:
    """Return a duration such as 10s, 500ms or 2m in seconds.

    >>> read_duration("1.5m"), read_duration("10"), read_duration(None)
    (90.0, 10.0, None)
    """
    if text is None:
        return None
    match = DURATION.fullmatch(text.strip())
    if match is None or match["unit"] not in UNITS or float(match["count"]) == 0:
        raise MooseError(f"{option}: expected a time such as 10s, 500ms or 2m, but got {text!r}; write it like that")
    return float(match["count"]) * UNITS[match["unit"]]
