"""Every document that can be written as RDF comes back as it was, but for what RDF does not say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from typing import Any

import pyoxigraph
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import OWL, XSD
from moose.owl.syntax.rdf.read_rdf import read_rdf
from tests.owl import strategies
from tests.owl.horned import read_horned
from tests.owl.rdf_writer import write_ntriples
from tests.owl.strategies import annotation_assertions, axioms, some

KINDS: dict[type, str] = {
    owl.Class: "class",
    owl.Datatype: "datatype",
    owl.ObjectProperty: "role",
    owl.DataProperty: "data",
    owl.AnnotationProperty: "annotation",
    owl.NamedIndividual: "individual",
}
SYMMETRIC = (ax.DisjointClasses, ax.DisjointObjectProperties, ax.DisjointDataProperties, ax.DifferentIndividuals)
CHAINED = (ax.EquivalentClasses, ax.EquivalentObjectProperties, ax.EquivalentDataProperties, ax.SameIndividual)
SINGLE = (owl.ObjectIntersectionOf, owl.ObjectUnionOf, owl.DataIntersectionOf, owl.DataUnionOf)


def rebuild(value: Any, change: Callable[[Any], Any]) -> Any:
    """Apply a change to a value and all its parts, innermost first."""
    if isinstance(value, tuple):
        return tuple(rebuild(part, change) for part in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: rebuild(getattr(value, field.name), change) for field in fields(value)}
        return change(replace(value, **parts))
    return value


# ── What OWL 2 DL asks of a document that is written as RDF ───────────────────────────────────────────────────────


def apart(value: Any) -> Any:
    """Give each kind of entity names of its own, except those that OWL 2 reserves for the kind."""
    if type(value) in KINDS and not value.iri.startswith((XSD, OWL)):
        return replace(value, iri=f"http://example.org/{KINDS[type(value)]}/{_local(value.iri)}")
    if type(value) in KINDS and value.iri.startswith(OWL):
        is_class = value.iri in (owl.THING.iri, owl.NOTHING.iri)
        fits = isinstance(value, owl.Class) if is_class else isinstance(value, owl.ObjectProperty)
        return value if fits else replace(value, iri=f"http://example.org/{KINDS[type(value)]}/own")
    if isinstance(value, owl.DatatypeRestriction):
        return replace(value, facets=tuple((XSD + "pattern", literal) for _, literal in value.facets))
    if isinstance(value, owl.Literal):
        # The parser below writes all language tags in lower case, as RDF 1.1 lets it.
        return replace(value, language=value.language.lower())
    if isinstance(value, (ax.Annotation, ax.AnnotationAssertion)):
        value = replace(value, property=f"http://example.org/annotation/{_local(value.property)}")
        if isinstance(value, ax.AnnotationAssertion) and isinstance(value.subject, str):
            value = replace(value, subject=f"http://example.org/subject/{_local(value.subject)}")
    if hasattr(value, "annotations"):
        first = {(note.property, note.value): note for note in reversed(value.annotations)}
        value = replace(value, annotations=tuple(reversed(first.values())))
    return value


def _local(iri: str) -> str:
    return "".join(c if c.isalnum() else f"{ord(c):x}" for c in iri)


def entities(value: Any) -> Iterator[owl.Entity]:
    found: list[owl.Entity] = []

    def note(part: Any) -> Any:
        if type(part) in KINDS and not part.iri.startswith((XSD, OWL)):
            found.append(part)
        elif isinstance(part, owl.Literal) and part.datatype.startswith("http://example.org/"):
            pass  # a literal may have a datatype that nobody declares
        elif isinstance(part, (ax.Annotation, ax.AnnotationAssertion)):
            found.append(owl.AnnotationProperty(part.property))
        return part

    rebuild(value, note)
    yield from dict.fromkeys(found)


def sayable(axiom: ax.Axiom) -> bool:
    """Leave out rules, and what RDF has no triples for or cannot tell from something else."""
    match axiom:
        case ax.UnreadAxiom() | ax.InverseObjectProperties(owl.ObjectInverseOf()):
            return False
        case ax.InverseObjectProperties(_, owl.ObjectInverseOf()):
            return True
        case ax.HasKey(_, (), ()):
            return False
    return True


# ── What RDF does not say ─────────────────────────────────────────────────────────────────────────────────────────


def normal(value: Any) -> Any:
    """Write a value as RDF brings it back: one anonymous individual, no conjunctions of one, no inverse assertions."""
    if isinstance(value, owl.AnonymousIndividual):
        return owl.AnonymousIndividual("x")
    if isinstance(value, SINGLE) and len(value.operands) == 1:
        return value.operands[0]
    match value:
        case ax.ObjectPropertyAssertion(owl.ObjectInverseOf(role), source, target, False):
            value = replace(value, property=role, source=target, target=source)
    if hasattr(value, "annotations"):
        return replace(value, annotations=tuple(sorted(value.annotations, key=repr)))
    return value


def said(statements: tuple[Any, ...]) -> set[Any]:
    """Return the axioms that are said, equivalences in pairs, without those that stand there annotated as well."""
    found: set[Any] = set()
    for axiom in rebuild(statements, normal):
        if isinstance(axiom, CHAINED):
            members = getattr(axiom, "operands", ()) or getattr(axiom, "individuals", ())
            found.update(type(axiom)(pair, axiom.annotations) for pair in pairwise(members))
        else:
            found.add(axiom)
    # An n-ary axiom with annotations is a node of its own and does not replace the one without.
    nodes = (*SYMMETRIC, ax.ObjectPropertyAssertion, ax.DataPropertyAssertion)
    annotated = {
        replace(axiom, annotations=()) for axiom in found if axiom.annotations and not isinstance(axiom, nodes)
    }
    plain = {axiom for axiom in found if isinstance(axiom, nodes) and axiom.annotations and _is_one_triple(axiom)}
    return found - annotated - {replace(axiom, annotations=()) for axiom in plain}


def _is_one_triple(axiom: Any) -> bool:
    members = getattr(axiom, "operands", ()) or getattr(axiom, "individuals", ())
    return len(members) == 2 or (not members and not axiom.negative)


def written(found: tuple[ax.Axiom, ...], more: tuple[ax.AnnotationAssertion, ...] = ()) -> Document:
    kept = tuple(axiom for axiom in rebuild(found, apart) if sayable(axiom))
    notes = rebuild(more, apart)
    declared = tuple(ax.Declaration(entity) for entity in entities((kept, notes)))
    return Document(iri="http://example.org/o", declarations=declared, axioms=kept, annotation_assertions=notes)


@settings(max_examples=150)
@given(some(axioms()))
def test_axioms_come_back_from_ntriples(found: tuple[ax.Axiom, ...]) -> None:
    document = written(found)
    back = read_rdf(write_ntriples(document), "o.nt", syntax="ntriples")
    assert said(back.axioms) == said(document.axioms)
    assert set(back.declarations) == set(document.declarations)
    assert back.annotation_assertions == () and back.annotations == ()


@given(some(axioms()))
def test_axioms_come_back_from_turtle_and_rdfxml(found: tuple[ax.Axiom, ...]) -> None:
    document = written(found)
    triples = write_ntriples(document)
    for format_, syntax in ((pyoxigraph.RdfFormat.TURTLE, "turtle"), (pyoxigraph.RdfFormat.RDF_XML, "rdfxml")):
        parsed = pyoxigraph.parse(triples, pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
        data = pyoxigraph.serialize(parsed, format=format_) or b""
        assert said(read_rdf(data, "o", syntax=syntax).axioms) == said(document.axioms)  # type: ignore[arg-type]


@given(some(annotation_assertions, 0), some(strategies.notes, 0))
def test_annotations_come_back(found: tuple[ax.AnnotationAssertion, ...], notes: tuple[ax.Annotations, ...]) -> None:
    holder = ax.SubClassOf(owl.THING, owl.THING, tuple(note for each in notes for note in each))
    document = replace(written((), found), annotations=rebuild(holder, apart).annotations)
    back = read_rdf(write_ntriples(document), "o.nt", syntax="ntriples")
    assert not back.axioms
    assert said(back.annotation_assertions) == said(document.annotation_assertions)
    assert set(rebuild(back.annotations, normal)) == set(rebuild(document.annotations, normal))


# ── A second opinion ──────────────────────────────────────────────────────────────────────────────────────────────


def kept_by_horned(axiom: ax.Axiom) -> bool:
    """Say whether py-horned-owl reads such an axiom from RDF: see `tests.owl.horned` for what it loses."""
    text = repr(axiom)
    is_node = isinstance(axiom, SYMMETRIC) and not _is_one_triple(axiom)
    return not is_node and "AnonymousIndividual" not in text and not axiom.annotations


@settings(max_examples=25)
@given(st.lists(axioms().filter(kept_by_horned), min_size=1, max_size=3).map(tuple))
def test_py_horned_owl_agrees(found: tuple[ax.Axiom, ...]) -> None:
    document = written(found)
    parsed = pyoxigraph.parse(write_ntriples(document), pyoxigraph.RdfFormat.N_TRIPLES, lenient=True)
    data = pyoxigraph.serialize(parsed, format=pyoxigraph.RdfFormat.RDF_XML) or b""
    theirs = said(read_horned(data.decode(), "o.rdf", syntax="rdf").axioms)
    assert theirs <= said(read_rdf(data, "o.rdf", syntax="rdfxml").axioms)
