"""Go through the imports of a document: read each document once, note what was missing and what goes in a circle."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from moose.base.errors import MissingImport
from moose.owl.files.imports import ImportFinder
from moose.owl.model.document import Document, Imported


@dataclass(slots=True)
class ImportClosure:
    """The documents in the order in which their imports are met, the importing one first."""

    documents: list[Document] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    imports: list[Imported] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    cycles: list[tuple[str, ...]] = field(default_factory=list)

    by_iri: dict[str, int] = field(default_factory=dict)
    by_file: dict[Path, int] = field(default_factory=dict)

    def add(self, path: Path, document: Document) -> int:
        """Append a document and return its place; from now on it is known by its file and by its IRIs."""
        place = len(self.documents)
        self.documents.append(document)
        self.paths.append(path)
        self.by_file[path.resolve()] = place
        for iri in (document.iri, document.version_iri):
            if iri is not None:
                self.by_iri.setdefault(iri, place)
        return place

    def name(self, place: int) -> str:
        """Return the IRI of a document, or its path where it has none."""
        return self.documents[place].iri or str(self.paths[place])


def read_import_closure(
    root: Path, finder: ImportFinder, *, read: Callable[[Path], Document], ignore_missing: bool
) -> ImportClosure:
    """Read a document and, depth first, what it imports. Circles are legal in OWL 2: they are noted, not followed."""
    closure = ImportClosure()
    branch: list[tuple[int, Iterator[str]]] = []

    def enter(path: Path) -> None:
        document = read(path)
        branch.append((closure.add(path, document), iter(document.imports)))

    enter(root)
    while branch:
        here, pending = branch[-1]
        iri = next(pending, None)
        if iri is None:
            branch.pop()
            continue
        place = closure.by_iri.get(iri)
        if place is None:
            try:
                path = finder.find(iri, closure.paths[here])
            except MissingImport:
                if not ignore_missing:
                    raise
                closure.ignored.append(iri)
                continue
            place = closure.by_file.get(path.resolve())
            if place is None:
                closure.imports.append(Imported(iri, str(path)))
                enter(path)
                continue
        unfinished = [known for known, _ in branch]
        if place in unfinished:
            circle = [*unfinished[unfinished.index(place) :], place]
            closure.cycles.append(tuple(closure.name(known) for known in circle))
    return closure
