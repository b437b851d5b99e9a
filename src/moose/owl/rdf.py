"""Read OWL 2 from RDF (RDF/XML, Turtle, N-Triples): OWL 2 Mapping to RDF Graphs, section 3."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.document import Document
from moose.owl.functional import paused_collection
from moose.owl.model import Entity
from moose.owl.rdf_annotations import Notes
from moose.owl.rdf_document import Assembly
from moose.owl.rdf_expressions import Expressions
from moose.owl.rdf_graph import RdfSyntax, read_graph
from moose.owl.rdf_kinds import find_kinds
from moose.owl.rdf_shapes import SHAPES
from moose.owl.rdf_unread import Unread


def read_rdf(data: bytes, where: str, *, syntax: RdfSyntax, known: Iterable[Entity] = ()) -> Document:
    """Read a document; `where` names it in error messages, `known` are entities that its imports declare.

    >>> read_rdf(b"<urn:x:o> a <http://www.w3.org/2002/07/owl#Ontology> .", "o.ttl", syntax="turtle").iri
    'urn:x:o'
    """
    with paused_collection():
        graph = read_graph(data, where, syntax=syntax)
        expressions = Expressions(graph, find_kinds(graph, known), where, SHAPES)
        return Assembly(graph, expressions, Notes.of(graph, where), Unread(graph)).document()
