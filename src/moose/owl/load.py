"""Read an ontology document in any syntax, and all that it imports; put several ontologies together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO, TypeVar, cast

from moose.base.errors import MooseError
from moose.owl.files.fetch import fetch, fetch_stream
from moose.owl.files.graphs import Graph, library_of, triples_of
from moose.owl.files.imports import ImportClosure, ImportFinder, read_import_closure
from moose.owl.files.sniff import sniff
from moose.owl.model.annotations import AnnotationAxioms
from moose.owl.model.axioms import AnnotationAssertion, Axiom, Declaration, Document, annotation_set
from moose.owl.model.expressions import Entity
from moose.owl.model.nesting import shallow_enough
from moose.owl.ontology import Ontology, as_document, merge_annotations, merge_documents
from moose.owl.syntax.common.syntax import Syntax
from moose.owl.syntax.functional_syntax import SYNTAX as FUNCTIONAL
from moose.owl.syntax.manchester_syntax import SYNTAX as MANCHESTER
from moose.owl.syntax.obo_syntax import SYNTAX as OBO
from moose.owl.syntax.owlxml_syntax import SYNTAX as OWLXML
from moose.owl.syntax.rdf_syntaxes import NTRIPLES, RDFXML, TURTLE

SYNTAXES: tuple[Syntax, ...] = (FUNCTIONAL, OWLXML, RDFXML, TURTLE, NTRIPLES, OBO, MANCHESTER)
"""Every syntax that is read, in the order in which messages name them and in which they are asked whether a document
is theirs. A new one is a folder of its own and a place here; those that are written have one in `write` too."""

Statement = TypeVar("Statement", Axiom, Declaration, AnnotationAssertion)

Source = str | PathLike[str] | BinaryIO | Graph
"""A file, a stream of bytes such as `sys.stdin.buffer`, or a graph of rdflib, pyoxigraph or owlready2."""

STANDARD_INPUT = Path("-")
"""What messages call a stream; what it imports is looked for in the current folder."""

# ── One document ──────────────────────────────────────────────────────────────────────────────────────────────────


def read_document(path: Path, known: Iterable[Entity] = ()) -> Document:
    """Read one document, in whatever syntax, without its imports; `known` are entities that others declare."""
    return read_bytes(fetch(path), path, known)


def read_bytes(data: bytes, path: Path, known: Iterable[Entity] = ()) -> Document:
    """Read a document that is in memory; `path` names it."""
    return sniff(data, str(path), SYNTAXES).read(data, str(path), known)


# ── A document and its imports ────────────────────────────────────────────────────────────────────────────────────


def load(
    path: Source,
    *,
    imports_from: str | PathLike[str] | None = None,
    catalogue: str | PathLike[str] | None = None,
    ignore_missing_imports: bool = False,
    allow_import_cycles: bool = False,
) -> Ontology:
    """Read an ontology in any OWL syntax, plain or gzip, with its imports from a local folder or catalogue.

    A graph of rdflib, pyoxigraph or owlready2 is read as RDF, its named graphs together.

    >>> import moose
    >>> moose.load(moose.PIZZERIA).iri
    'https://example.org/pizzeria'
    """
    reader = _Reader.of(path)
    finder = ImportFinder(reader.root, SYNTAXES, folder=_path(imports_from), catalogue=_path(catalogue))
    with shallow_enough(str(reader.root)):
        closure = read_import_closure(reader.root, finder, read=reader.read, ignore_missing=ignore_missing_imports)
        if closure.cycles and not allow_import_cycles:
            raise MooseError(
                f"{reader.root}: expected imports without a circle, but they go {' → '.join(closure.cycles[0])}; "
                "take one of these imports out, or allow import cycles to read each document once"
            )
        documents = reader.with_all_declarations(closure)
        return merge_documents(
            documents,
            annotation_source=reader.again(closure.paths, wanted=len(documents)),
            imports=tuple(closure.imports),
            ignored_imports=tuple(dict.fromkeys(closure.ignored)),
            import_cycles=tuple(closure.cycles),
        )


def load_document(
    path: Source,
    *,
    imports_from: str | PathLike[str] | None = None,
    catalogue: str | PathLike[str] | None = None,
) -> Ontology:
    """Read one document; what it imports stays imported, and is looked at, where it is found, for what names are.

    >>> import moose
    >>> len(moose.load_document(moose.PIZZERIA).axioms)
    52
    """
    reader = _Reader.of(path)
    finder = ImportFinder(reader.root, SYNTAXES, folder=_path(imports_from), catalogue=_path(catalogue))
    with shallow_enough(str(reader.root)):
        closure = read_import_closure(reader.root, finder, read=reader.read, ignore_missing=True)
        document = reader.with_all_declarations(closure)[0]
        source = reader.again(closure.paths, wanted=1)
        return merge_documents([document], annotation_source=source, ignored_imports=document.imports)


def merge(ontologies: Sequence[Ontology], *, iri: str | None = None, version_iri: str | None = None) -> Ontology:
    """Put ontologies together: each axiom and annotation once; the header is the first one's, but for an `iri`.

    What one of them imports and another one is, is imported no more. Anonymous individuals are kept apart.
    """
    if not ontologies:
        raise MooseError("expected at least one ontology to merge, but got none; give one")
    documents = [with_annotation_sets(as_document(ontology)) for ontology in ontologies]
    present = {name for one in ontologies for name in (one.iri, one.version_iri) if name}
    present |= {imported.iri for one in ontologies for imported in one.imports}
    left = dict.fromkeys(name for one in ontologies for name in one.ignored_imports if name not in present)
    if iri is not None:
        documents[0] = replace(documents[0], iri=iri, version_iri=version_iri)
    return merge_documents(documents, ignored_imports=tuple(left))


def with_annotation_sets(document: Document) -> Document:
    """Put the annotations of each statement in order, so that the same statement of two documents is one."""
    return replace(
        document,
        declarations=tuple(map(_with_annotation_set, document.declarations)),
        axioms=tuple(map(_with_annotation_set, document.axioms)),
        annotation_assertions=tuple(map(_with_annotation_set, document.annotation_assertions)),
    )


def _with_annotation_set(statement: Statement) -> Statement:
    ordered = annotation_set(statement.annotations)
    return statement if ordered == statement.annotations else replace(statement, annotations=ordered)


# ── Reading again ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads documents by their paths, the first of them perhaps from memory."""

    root: Path
    given: bytes | None = None

    @classmethod
    def of(cls, source: Source) -> _Reader:
        if isinstance(source, str | PathLike):
            return cls(Path(source))
        if not library_of(source) and callable(getattr(source, "read", None)):
            return cls(STANDARD_INPUT, fetch_stream(cast("BinaryIO", source), "the standard input"))
        data, name = triples_of(cast("Graph", source))
        return cls(Path(name), data)

    def fetch(self, path: Path) -> bytes:
        return self.given if self.given is not None and path == self.root else fetch(path)

    def read(self, path: Path, known: Iterable[Entity] = ()) -> Document:
        return read_document(path, known) if self.given is None else read_bytes(self.fetch(path), path, known)

    def with_all_declarations(self, closure: ImportClosure) -> list[Document]:
        """Return the documents, those among several whose names others may type read again.

        Only a declaration tells an assertion from an annotation in RDF, or the kind of a property in Manchester syntax.
        """
        return self._completed(closure.paths, closure.documents)

    def _completed(self, paths: Sequence[Path], read: list[Document]) -> list[Document]:
        if len(read) == 1:
            return read
        known = dict.fromkeys(told.entity for document in read for told in document.declarations)
        documents = []
        for path, document in zip(paths, read, strict=True):
            own = {told.entity for told in document.declarations}
            is_open = not own.issuperset(known) and sniff(self.fetch(path), str(path), SYNTAXES).needs_declarations
            documents.append(self.read(path, known) if is_open else document)
        return documents

    def read_all(self, paths: Sequence[Path]) -> list[Document]:
        """Read documents that have been read before, with the same result."""
        return self._completed(paths, [self.read(path) for path in paths])

    def again(self, paths: Sequence[Path], *, wanted: int) -> _Again | None:
        """Return how to get at the annotations of the first files, or none where they are not all files."""
        stamps = tuple(stamp(path) for path in paths)
        is_kept = self.given is not None or None in stamps
        return None if is_kept else _Again(self, tuple(paths), stamps, wanted)


@dataclass(frozen=True)
class _Again:
    """What files say beside logical axioms, read when it is first asked for and then kept."""

    reader: _Reader
    paths: tuple[Path, ...]
    stamps: tuple[tuple[int, ...] | None, ...]
    wanted: int

    def __call__(self) -> AnnotationAxioms:
        return self._annotations

    @cached_property
    def _annotations(self) -> AnnotationAxioms:
        for path, before in zip(self.paths, self.stamps, strict=True):
            if stamp(path) != before:
                raise MooseError(
                    f"{path}: expected the file that was loaded, to read its annotations, but it has changed since; "
                    "load it again"
                )
        with shallow_enough(str(self.paths[0])):
            return merge_annotations(self.reader.read_all(self.paths)[: self.wanted])


def stamp(path: Path) -> tuple[int, ...] | None:
    """Return by what a file is known to be unchanged; none for a pipe, a device, or what is gone."""
    try:
        found = path.stat()
    except OSError:
        return None
    return (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if S_ISREG(found.st_mode) else None


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)
