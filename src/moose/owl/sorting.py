"""Put the statements of a document into an order that depends on what they say only, those of one entity together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Annotation, Annotations, Document
from moose.owl.syntax.functional.write_functional import render

T = TypeVar("T", ax.Axiom, ax.Declaration, ax.AnnotationAssertion)

KINDS: tuple[type, ...] = (
    model.AnnotationProperty,
    model.Datatype,
    model.ObjectProperty,
    model.DataProperty,
    model.Class,
    model.NamedIndividual,
    model.AnonymousIndividual,
)
ORDER: dict[type, int] = {kind: position for position, kind in enumerate(KINDS)}
REST = len(KINDS)
"""Statements about expressions, after all entities."""


def sorted_document(document: Document) -> Document:
    """Return a document with everything sorted and said once: header, declarations, axioms by what they are about."""
    return replace(
        document,
        imports=tuple(sorted(set(document.imports))),
        annotations=sorted_annotations(document.annotations),
        declarations=tuple(sorted(_once(document.declarations), key=_declared)),
        axioms=tuple(sorted(_once(document.axioms), key=axiom_key)),
        annotation_assertions=tuple(sorted(_once(document.annotation_assertions), key=assertion_key)),
        prefixes=dict(sorted(document.prefixes.items())),
    )


def sorted_annotations(annotations: Annotations) -> Annotations:
    """Return annotations sorted, each with its own sorted too."""
    if not annotations:
        return ()
    settled = [Annotation(note.property, note.value, sorted_annotations(note.annotations)) for note in annotations]
    return tuple(sorted(dict.fromkeys(settled), key=render))


def _once(statements: Iterable[T]) -> Iterable[T]:
    """Return statements with their annotations sorted, those that then are alike once."""
    return dict.fromkeys(map(_settled, statements))


def _settled(statement: T) -> T:
    """Return a statement with its annotations sorted."""
    notes = statement.annotations
    return replace(statement, annotations=sorted_annotations(notes)) if notes else statement


def _declared(declaration: ax.Declaration) -> tuple[int, str, str]:
    entity = declaration.entity
    return ORDER[type(entity)], entity.iri, render(declaration)


def axiom_key(axiom: ax.Axiom) -> tuple[int, str, str]:
    """Return what an axiom is sorted by: what it is about, and then its text without annotations, and with them."""
    about = subject(axiom)
    text = render(axiom)
    if about is None:
        return REST, "", text
    return ORDER[type(about)], about.node if isinstance(about, model.AnonymousIndividual) else about.iri, text


def assertion_key(assertion: ax.AnnotationAssertion) -> tuple[int, str, str, str, str]:
    """Return what an annotation assertion is sorted by: its subject, its property, its value."""
    about, value = assertion.subject, assertion.value
    first = (0, about) if isinstance(about, str) else (1, about.node)
    notes = " ".join(map(render, assertion.annotations)) if assertion.annotations else ""
    if isinstance(value, model.Literal):
        return *first, assertion.property, value.lexical, f"{value.datatype} {value.language} {notes}"
    return *first, assertion.property, value if isinstance(value, str) else f"_:{value.node}", notes


# ── What an axiom is about ────────────────────────────────────────────────────────────────────────────────────────

_FIRST: dict[type, str] = {
    ax.SubClassOf: "sub",
    ax.DisjointUnion: "cls",
    ax.HasKey: "cls",
    ax.DatatypeDefinition: "datatype",
    ax.InverseObjectProperties: "first",
    ax.SubDataPropertyOf: "sub",
    ax.ClassAssertion: "individual",
    **dict.fromkeys((ax.ObjectPropertyAssertion, ax.DataPropertyAssertion), "source"),
    **dict.fromkeys((ax.ObjectPropertyDomain, ax.ObjectPropertyRange, ax.ObjectPropertyCharacteristic), "property"),
    **dict.fromkeys((ax.DataPropertyDomain, ax.DataPropertyRange, ax.FunctionalDataProperty), "property"),
    **dict.fromkeys((ax.EquivalentClasses, ax.EquivalentObjectProperties, ax.EquivalentDataProperties), "operands"),
    **dict.fromkeys((ax.DisjointClasses, ax.DisjointObjectProperties, ax.DisjointDataProperties), "operands"),
    **dict.fromkeys((ax.SameIndividual, ax.DifferentIndividuals), "individuals"),
}
_TOGETHER = (ax.DisjointClasses, ax.DisjointObjectProperties, ax.DisjointDataProperties, ax.DifferentIndividuals)


def subject(axiom: ax.Axiom) -> model.Entity | model.AnonymousIndividual | None:
    """Return the entity that an axiom is about; none where that is an expression, or all of many alike."""
    if isinstance(axiom, ax.UnreadAxiom):
        return None
    if isinstance(axiom, ax.SubObjectPropertyOf):
        value: object = axiom.chain[0] if len(axiom.chain) == 1 else axiom.sup
    else:
        value = getattr(axiom, _FIRST[type(axiom)])
    if isinstance(value, tuple):
        if isinstance(axiom, _TOGETHER) and len(value) > 2:
            return None
        value = next((part for part in value if type(part) in ORDER), value[0])
    if isinstance(value, model.ObjectInverseOf):
        value = value.property
    return value if type(value) in ORDER else None  # type: ignore[return-value]  # ORDER has just these types
