"""The three syntaxes of RDF that ontologies are written in, as the list of syntaxes has them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import RDF, Entity
from moose.owl.syntax.common.syntax import NAME, Opening, Read, Syntax, header_by
from moose.owl.syntax.common.written import Written

if TYPE_CHECKING:
    from moose.owl.syntax.rdf.graph import RdfSyntax

# N-Triples are recognised by this many lines.
_SAMPLE_LINES = 50
_NODE = r"<[^>\s]*+>|_:[^\s<>\".]++(?:\.++[^\s<>\".]++)*+"
_LITERAL = r"\"(?:[^\"\\]|\\.)*+\"(?:@[\w-]++|\s*+\^\^\s*+<[^>\s]*+>)?+"
_TRIPLE_LINE = re.compile(rf"(?:{_NODE})\s*+<[^>\s]*+>\s*+(?:{_NODE}|{_LITERAL})\s*+\.\s*+(?:#.*)?")
_DIRECTIVE = re.compile(r"(?:@prefix|@base)\b|(?:PREFIX|BASE)\s++[^:\s<]*+:?+\s*+<", re.IGNORECASE)
_SUBJECT = re.compile(r"_:\S|\[|\(|[\w.-]*+:[\w.-]++\s++(?:a|[\w.-]*+:[\w.-]++|<[^>]*+>)\s")
_ONTOLOGY = re.compile(
    NAME + r"\s*(?:a|rdf:type|<http://www\.w3\.org/1999/02/22-rdf-syntax-ns#type>)\s*"
    r"(?:owl:Ontology|<http://www\.w3\.org/2002/07/owl#Ontology>)"
)
_VERSION = re.compile(r"(?:owl:versionIRI|<http://www\.w3\.org/2002/07/owl#versionIRI>)\s*" + NAME)
_TURTLE_EXTENSION = ".ttl"


def _is_rdfxml(opening: Opening) -> bool:
    """Return whether the root is rdf:RDF, or a node in a document that declares the namespace of RDF."""
    root = opening.root
    return root is not None and not root.is_html and (root.local == "RDF" or RDF in root.prologue + root.attributes)


def _is_turtle(opening: Opening) -> bool:
    return opening.starts_with(_DIRECTIVE) or (opening.is_iri_first and not _is_ntriples(opening))


def _is_ntriples(opening: Opening) -> bool:
    """Return whether every line seen is one triple; Turtle, which can say all that N-Triples can, has a name first."""
    if not opening.is_iri_first or opening.extension == _TURTLE_EXTENSION:
        return False
    lines = [line.strip() for line in opening.text.split("\n", _SAMPLE_LINES)[:_SAMPLE_LINES]]
    return all(_TRIPLE_LINE.fullmatch(line) for line in lines if line and not line.startswith("#"))


def _reader(syntax: RdfSyntax) -> Read:
    def read(data: bytes, where: str, known: Iterable[Entity]) -> Document:
        from moose.owl.syntax.rdf.read_rdf import read_rdf

        return read_rdf(data, where, syntax=syntax, known=known)

    return read


def _write_rdfxml(document: Document) -> Written:
    from moose.owl.syntax.rdf.writing.rdfxml import write_rdfxml

    return write_rdfxml(document)


def _write_turtle(document: Document) -> Written:
    from moose.owl.syntax.rdf.writing.turtle import write_turtle

    return write_turtle(document)


def _write_ntriples(document: Document) -> Written:
    from moose.owl.syntax.rdf.writing.turtle import write_ntriples

    return write_ntriples(document)


RDFXML = Syntax(
    name="rdfxml",
    title="RDF/XML",
    extensions=(".rdf",),
    opens=_is_rdfxml,
    read=_reader("rdfxml"),
    write=_write_rdfxml,
    header=header_by(
        re.compile(r"<(?:[\w.-]+:)?Ontology\b[^<>]*?\babout\s*+=\s*+[\"']([^\"']*)"),
        re.compile(r"<(?:[\w.-]+:)?versionIRI\b[^<>]*?\bresource\s*+=\s*+[\"']([^\"']*)"),
    ),
    needs_declarations=True,
)
TURTLE = Syntax(
    name="turtle",
    title="Turtle",
    extensions=(_TURTLE_EXTENSION,),
    opens=_is_turtle,
    resembles=lambda opening: opening.starts_with(_SUBJECT),
    read=_reader("turtle"),
    write=_write_turtle,
    header=header_by(_ONTOLOGY, _VERSION),
    needs_declarations=True,
)
NTRIPLES = Syntax(
    name="ntriples",
    title="N-Triples",
    extensions=(".nt",),
    opens=_is_ntriples,
    read=_reader("ntriples"),
    write=_write_ntriples,
    header=header_by(_ONTOLOGY, _VERSION),
    needs_declarations=True,
)
