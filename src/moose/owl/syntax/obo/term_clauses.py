"""What the clauses of an OBO file say in OWL, after the mapping of OBO flat file format 1.4.

Each tag that carries logic is one entry of the table of its stanza. What OWL 2 cannot say becomes an `UnreadAxiom`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeVar

from moose.owl.model import axioms
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Annotations, Axiom, UnreadAxiom
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    NamedIndividual,
    ObjectAllValuesFrom,
    ObjectExactCardinality,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectMaxCardinality,
    ObjectMinCardinality,
    ObjectProperty,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.owl.syntax.obo.annotation_clauses import qualifier_annotations
from moose.owl.syntax.obo.clauses import Clause, Value, parse_value, refuse
from moose.owl.syntax.obo.identifiers import Identifiers

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Source:
    """The file that is read: its name for messages, its names, and which relations relate classes as such."""

    where: str
    names: Identifiers
    class_level: frozenset[str]
    relations: frozenset[str]
    tags: frozenset[str] = frozenset()
    """Metadata tags: properties of annotations, wherever their stanza stands."""

    def words(self, clause: Clause, count: int, form: str) -> tuple[tuple[str, ...], Value]:
        """Return the identifiers of a clause, which must be that many and nothing else."""
        value = parse_value(clause, self.where)
        words = value.of("word")
        if len(words) != count or len(value.parts) != count:
            self.fail(clause, f"'{clause.tag}: {form}'")
        return words, value

    def notes(self, value: Value) -> Annotations:
        """Return the annotations that the qualifiers of a clause make."""
        return qualifier_annotations(value, self.names)

    def fail(self, clause: Clause, expected: str) -> NoReturn:
        """Raise the error that a clause is not what it should be."""
        refuse(self.where, clause.line, f"expected {expected}, but '{clause.tag}: {clause.value[:60]}' came")

    def cls(self, identifier: str) -> Class:
        """Return the class of an identifier."""
        return Class(self.names.entity(identifier))

    def role(self, identifier: str) -> ObjectProperty:
        """Return the relation of an identifier."""
        return ObjectProperty(self.names.relation(identifier))

    def is_tag(self, identifier: str) -> bool:
        """Return whether a relation is a metadata tag, which carries no logic."""
        return self.names.relation(identifier) in self.tags

    def annotate(self, subject: str, value: Value) -> AnnotationAssertion:
        """Return what `tag identifier` says of a subject."""
        tag, target = value.of("word")
        return AnnotationAssertion(self.names.relation(tag), subject, self.names.entity(target), self.notes(value))


Reading = Callable[[Source, S, Clause], Iterator[Axiom | AnnotationAssertion]]
"""Says what one clause means for the subject of its stanza."""


def unread(identifier: str, clause: Clause, reason: str) -> UnreadAxiom:
    """Keep a clause that OWL 2 cannot express."""
    return UnreadAxiom(f"{identifier} {clause.tag}: {clause.value}", reason)


# ── Terms ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _restriction(source: Source, clause: Clause, value: Value) -> ClassExpression:
    """Read `relation class` with its qualifiers: ∃r.C unless they count, or say `all_only`."""
    words = value.of("word")
    role, filler = source.role(words[0]), source.cls(words[1])
    if role.iri in source.class_level:
        return ObjectHasValue(role, NamedIndividual(filler.iri))
    qualifiers = dict(value.qualifiers)
    parts: list[ClassExpression] = []
    for key, make in _COUNTS.items():
        if key in qualifiers:
            parts.append(make(_number(source, clause, qualifiers[key]), role, filler))
    if qualifiers.get("all_only") == "true":
        parts.append(ObjectAllValuesFrom(role, filler))
    if qualifiers.get("all_some") == "true" or not parts:
        parts.append(ObjectSomeValuesFrom(role, filler))
    return parts[0] if len(parts) == 1 else ObjectIntersectionOf(tuple(parts))


_COUNTS: dict[str, Callable[[int, ObjectProperty, Class], ClassExpression]] = {
    "cardinality": ObjectExactCardinality,
    "minCardinality": ObjectMinCardinality,
    "maxCardinality": ObjectMaxCardinality,
}


def _number(source: Source, clause: Clause, text: str) -> int:
    # A longer number counts more than any ontology has, and int() refuses thousands of digits.
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        source.fail(clause, f"a whole number of at most nine digits instead of {text[:30]!r}")
    return int(text)


def _narrowed(source: Source, cls: Class, clause: Clause, value: Value) -> ClassExpression:
    """Return the subject of a clause: the class or, under `gci_…` qualifiers, the part of it they speak about."""
    qualifiers = dict(value.qualifiers)
    relation, filler = qualifiers.get("gci_relation"), qualifiers.get("gci_filler")
    if relation is None and filler is None:
        return cls
    if relation is None or filler is None:
        source.fail(clause, "gci_relation and gci_filler together")
    return ObjectIntersectionOf((cls, ObjectSomeValuesFrom(source.role(relation), source.cls(filler))))


def _is_a(source: Source, cls: Class, clause: Clause) -> Iterator[Axiom]:
    words, value = source.words(clause, 1, "CLASS")
    yield axioms.SubClassOf(_narrowed(source, cls, clause, value), source.cls(words[0]), source.notes(value))


def _relationship(source: Source, cls: Class, clause: Clause) -> Iterator[Axiom | AnnotationAssertion]:
    words, value = source.words(clause, 2, "RELATION CLASS")
    if source.is_tag(words[0]):
        yield source.annotate(cls.iri, value)
        return
    restriction = _restriction(source, clause, value)
    yield axioms.SubClassOf(_narrowed(source, cls, clause, value), restriction, source.notes(value))


def _class_pair(make: Callable[[tuple[ClassExpression, ...], Annotations], Axiom]) -> Reading[Class]:
    def read(source: Source, cls: Class, clause: Clause) -> Iterator[Axiom]:
        words, value = source.words(clause, 1, "CLASS")
        yield make((_narrowed(source, cls, clause, value), source.cls(words[0])), source.notes(value))

    return read


TERM: Mapping[str, Reading[Class]] = {
    "is_a": _is_a,
    "relationship": _relationship,
    "disjoint_from": _class_pair(axioms.DisjointClasses),
    "equivalent_to": _class_pair(axioms.EquivalentClasses),
}


def define(
    source: Source, cls: Class, clauses: list[Clause], *, is_union: bool
) -> Iterator[Axiom | AnnotationAssertion]:
    """Read all the `intersection_of` or `union_of` clauses of a term, which together define it.

    A metadata tag among them is an annotation. It cannot define, so that the rest is only what the term is below.
    """
    operands: list[ClassExpression] = []
    notes: list[Annotation] = []
    tagged: list[Clause] = []
    for clause in clauses:
        value = parse_value(clause, source.where)
        words = value.of("word")
        if len(words) != len(value.parts) or not 1 <= len(words) <= (1 if is_union else 2):
            source.fail(clause, f"'{clause.tag}: CLASS'" + ("" if is_union else f" or '{clause.tag}: RELATION CLASS'"))
        if any(key.startswith("gci_") for key, _ in value.qualifiers):
            yield unread(cls.iri, clause, "gci_relation and gci_filler cannot narrow a definition, which is not read")
            return
        if len(words) == 2 and source.is_tag(words[0]):
            yield source.annotate(cls.iri, value)
            tagged.append(clause)
            continue
        operands.append(source.cls(words[0]) if len(words) == 1 else _restriction(source, clause, value))
        notes += source.notes(value)
    if operands:
        definition = operands[0]
        if len(operands) > 1:
            definition = ObjectUnionOf(tuple(operands)) if is_union else ObjectIntersectionOf(tuple(operands))
        if not tagged:
            yield axioms.EquivalentClasses((cls, definition), tuple(notes))
            return
        yield axioms.SubClassOf(cls, definition, tuple(notes))
    yield unread(
        cls.iri, tagged[0], "a metadata tag is an annotation and defines nothing: the other parts are necessary"
    )
