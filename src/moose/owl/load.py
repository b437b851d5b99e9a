"""Read an ontology document and all that it imports."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from moose.errors import MooseError
from moose.owl.document import Document
from moose.owl.fetch import fetch
from moose.owl.import_closure import read_import_closure
from moose.owl.imports import ImportFinder
from moose.owl.merge import merge_documents, shallow_enough
from moose.owl.ontology import Ontology
from moose.owl.sniff import Syntax, sniff

# ── One document ──────────────────────────────────────────────────────────────────────────────────────────────────


def read_document(path: Path) -> Document:
    """Read one document, in whatever syntax, without its imports."""
    data = fetch(path)
    return READERS[sniff(data, str(path))](data, str(path))


# Each reader is imported when it is first needed: a functional-syntax file loads neither pyoxigraph nor pyhornedowl.


def _functional(data: bytes, where: str) -> Document:
    from moose.owl.functional import read_functional

    return read_functional(data.decode("utf-8"), where)


def _owlxml(data: bytes, where: str) -> Document:
    from moose.owl.owlxml import read_owlxml

    return read_owlxml(data, where)


def _rdfxml(data: bytes, where: str) -> Document:
    from moose.owl.rdf import read_rdf

    return read_rdf(data, where, syntax="rdfxml")


def _turtle(data: bytes, where: str) -> Document:
    from moose.owl.rdf import read_rdf

    return read_rdf(data, where, syntax="turtle")


def _ntriples(data: bytes, where: str) -> Document:
    from moose.owl.rdf import read_rdf

    return read_rdf(data, where, syntax="ntriples")


def _obo(data: bytes, where: str) -> Document:
    from moose.owl.obo import read_obo

    return read_obo(data.decode("utf-8"), where)


def _manchester(data: bytes, where: str) -> Document:
    from moose.owl.manchester import read_manchester

    return read_manchester(data.decode("utf-8"), where)


READERS: dict[Syntax, Callable[[bytes, str], Document]] = {
    "functional": _functional,
    "owlxml": _owlxml,
    "rdfxml": _rdfxml,
    "turtle": _turtle,
    "ntriples": _ntriples,
    "obo": _obo,
    "manchester": _manchester,
}

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
    finder = ImportFinder(root, folder=_path(imports_from), catalogue=_path(catalogue))
    with shallow_enough(str(root)):
        closure = read_import_closure(root, finder, read=read_document, ignore_missing=ignore_missing_imports)
        if closure.cycles and not allow_import_cycles:
            raise MooseError(
                f"{root}: expected imports without a circle, but they go {' → '.join(closure.cycles[0])}; "
                "take one of these imports out, or allow import cycles to read each document once"
            )
        return merge_documents(
            closure.documents,
            imports=tuple(closure.imports),
            ignored_imports=tuple(dict.fromkeys(closure.ignored)),
            import_cycles=tuple(closure.cycles),
        )


def _path(given: str | PathLike[str] | None) -> Path | None:
    return None if given is None else Path(given)
