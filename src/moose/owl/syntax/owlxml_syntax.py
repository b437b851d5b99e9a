"""OWL/XML, as the list of syntaxes has it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import Entity
from moose.owl.syntax.common.syntax import Opening, Syntax, header_by
from moose.owl.syntax.common.written import Written

_RDF_ABOUT = re.compile(r"\brdf:about\b")


def _opens(opening: Opening) -> bool:
    """Return whether the root is an Ontology, and not one that RDF/XML has without rdf:RDF around it."""
    root = opening.root
    return root is not None and root.local == "Ontology" and not root.is_html and not _RDF_ABOUT.search(root.attributes)


def _read(data: bytes, where: str, _known: Iterable[Entity]) -> Document:
    from moose.owl.syntax.owlxml.read_owlxml import read_owlxml

    return read_owlxml(data, where)


def _write(document: Document) -> Written:
    from moose.owl.syntax.owlxml.write_owlxml import write_owlxml

    return write_owlxml(document)


SYNTAX = Syntax(
    name="owlxml",
    title="OWL/XML",
    extensions=(".owx",),
    opens=_opens,
    read=_read,
    write=_write,
    header=header_by(re.compile(r"\b(?:ontology|version)IRI\s*=\s*[\"']([^\"']*)")),
)
