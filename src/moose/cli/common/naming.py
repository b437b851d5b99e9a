"""How commands show the names of entities: `--names` and `--language`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from moose.owl.names import Names
    from moose.owl.ontology import Ontology


class ShownNames(StrEnum):
    """What can be asked for; without it, labels stand where local names tell nothing, as CL_0000084 does."""

    iri = "iri"
    curie = "curie"
    label = "label"


NamesOption = Annotated[
    ShownNames | None,
    typer.Option(
        "--names",
        help="Show names so; else short names, with labels where these are mere numbers.",
    ),
]
LanguageOption = Annotated[str, typer.Option("--language", metavar="TAG", help="Labels in this language, e.g. de.")]


@dataclass(frozen=True, slots=True)
class Naming:
    """How names are shown."""

    names: NamesOption = None
    language: LanguageOption = ""

    def of(self, ontology: Ontology) -> Names:
        """Return the names of an ontology, as they are to be shown."""
        from moose.owl.names import Names

        return Names(ontology, self.names.value if self.names else "auto", language=self.language)

    def in_lines(self, ontology: Ontology, output: Path | None) -> Callable[[str], str] | None:
        """Return how names are shown in lines of data: None for bare IRIs, unless asked for or on a terminal."""
        is_for_people = output is None and sys.stdout is not None and sys.stdout.isatty()
        if self.names is None and not self.language and not is_for_people:
            return None
        return None if self.names is ShownNames.iri else self.of(ontology).show
