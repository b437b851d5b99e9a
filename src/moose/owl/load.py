"""Read an ontology document in any syntax, and all that it imports."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from pathlib import Path

from moose.base.errors import MooseError
from moose.owl.files.fetch import fetch
from moose.owl.files.imports import ImportClosure, ImportFinder, read_import_closure
from moose.owl.files.sniff import sniff
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import Entity
from moose.owl.model.nesting import shallow_enough
from moose.owl.ontology import Ontology, merge_documents
from moose.owl.syntax.common.syntax import Syntax
from moose.owl.syntax.functional.functional_syntax import SYNTAX as FUNCTIONAL
from moose.owl.syntax.manchester.manchester_syntax import SYNTAX as MANCHESTER
from moose.owl.syntax.obo.obo_syntax import SYNTAX as OBO
from moose.owl.syntax.owlxml.owlxml_syntax import SYNTAX as OWLXML
from moose.owl.syntax.rdf.rdf_syntaxes import NTRIPLES, RDFXML, TURTLE

SYNTAXES: tuple[Syntax, ...] = (FUNCTIONAL, OWLXML, RDFXML, TURTLE, NTRIPLES, OBO, MANCHESTER)
"""Every syntax that is read, in the order in which messages name them and in which they are asked whether a document
is theirs. A new one is a folder of its own and a place here."""

# ── One document ──────────────────────────────────────────────────────────────────────────────────────────────────


def read_document(path: Path, known: Iterable[Entity] = ()) -> Document:
    """Read one document, in whatever syntax, without its imports; `known` are entities that others declare."""
    data = fetch(path)
    return sniff(data, str(path), SYNTAXES).read(data, str(path), known)


# ── A document and its imports ────────────────────────────────────────────────────────────────────────────────────


def load(
    path: str | PathLike[str],
    *,
    imports_from: str | PathLike[str] | None = None,
    catalogue: str | PathLike[str] | None = None,
    ignore_missing_imports: bool = False,
    allow_import_cycles: bool = False,
) -> Ontology:
    """Read an ontology in any OWL syntax, plain or gzip, with its imports from a local folder or catalogue.

    >>> import moose
    >>> moose.load(moose.PIZZERIA).iri
    'https://example.org/pizzeria'
    """
    root = Path(path)
    finder = ImportFinder(root, SYNTAXES, folder=_path(imports_from), catalogue=_path(catalogue))
    with shallow_enough(str(root)):
        closure = read_import_closure(root, finder, read=read_document, ignore_missing=ignore_missing_imports)
        if closure.cycles and not allow_import_cycles:
            raise MooseError(
                f"{root}: expected imports without a circle, but they go {' → '.join(closure.cycles[0])}; "
                "take one of these imports out, or allow import cycles to read each document once"
            )
        return merge_documents(
            read_with_all_declarations(closure),
            imports=tuple(closure.imports),
            ignored_imports=tuple(dict.fromkeys(closure.ignored)),
            import_cycles=tuple(closure.cycles),
        )


def read_with_all_declarations(closure: ImportClosure) -> list[Document]:
    """Return the documents, those among several whose names others may type read again.

    Only a declaration tells an assertion from an annotation in RDF, or the kind of a property in Manchester syntax.
    """
    if len(closure.documents) == 1:
        return closure.documents
    known = dict.fromkeys(told.entity for document in closure.documents for told in document.declarations)
    documents = []
    for path, document in zip(closure.paths, closure.documents, strict=True):
        own = {told.entity for told in document.declarations}
        is_open = not own.issuperset(known) and sniff(fetch(path), str(path), SYNTAXES).needs_declarations
        documents.append(read_document(path, known) if is_open else document)
    return documents


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)
