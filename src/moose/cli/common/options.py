"""The arguments that several commands take, and the ontology they name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from moose.cli.common.messages import say

if TYPE_CHECKING:
    from moose.owl.ontology import Ontology

File = Annotated[Path, typer.Argument(metavar="FILE", help="An ontology in any OWL syntax, plain or gzip.")]
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


@dataclass(frozen=True, slots=True)
class Source:
    """Which ontology to read, and where its imports may be."""

    file: Path
    imports_from: Path | None = None
    catalogue: Path | None = None
    ignore_missing_imports: bool = False
    allow_import_cycles: bool = False

    def read(self) -> Ontology:
        """Load the ontology, and say what was left out or goes in a circle."""
        from moose.owl.load import load

        ontology = load(
            self.file,
            imports_from=self.imports_from,
            catalogue=self.catalogue,
            ignore_missing_imports=self.ignore_missing_imports,
            allow_import_cycles=self.allow_import_cycles,
        )
        for iri in ontology.ignored_imports:
            say(f"{self.file}: goes on without the import <{iri}>, which was not found")
        for cycle in ontology.import_cycles:
            say(f"{self.file}: the imports go in a circle ({' → '.join(cycle)}); each document was read once")
        return ontology
