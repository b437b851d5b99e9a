"""The stanzas of an OBO file, each about one term, relation or instance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from moose.owl.model.axioms import AnnotationAssertion, Axiom, Declaration, UnreadAxiom
from moose.owl.model.expressions import AnnotationProperty, Class, Literal, NamedIndividual, ObjectProperty
from moose.owl.syntax.obo.annotation_clauses import NAMESPACE, deprecate, is_annotation, read_annotation
from moose.owl.syntax.obo.clauses import Clause, Stanza, first_word, parse_value, refuse
from moose.owl.syntax.obo.identifiers import Identifiers
from moose.owl.syntax.obo.relation_clauses import INSTANCE, METADATA, TYPEDEF
from moose.owl.syntax.obo.term_clauses import TERM, Reading, Source, define, unread

S = TypeVar("S", Class, ObjectProperty, AnnotationProperty, NamedIndividual)
Statement = Axiom | Declaration | AnnotationAssertion


def read_stanzas(stanzas: list[Stanza], names: Identifiers, where: str, namespace: str) -> Iterator[Statement]:
    """Return what the stanzas say; a stanza without a namespace is in the default one."""
    relations = frozenset(names.relation(_identifier(stanza)) for stanza in stanzas if stanza.heading == "Typedef")
    tags = _flagged(stanzas, names, "is_metadata_tag")
    source = Source(where, names, _flagged(stanzas, names, "is_class_level"), relations - tags)
    for stanza in stanzas:
        if stanza.heading not in ("Term", "Typedef", "Instance"):
            written = "; ".join(f"{clause.tag}: {clause.value}" for clause in stanza.clauses)
            yield UnreadAxiom(
                f"[{stanza.heading}] {written}", "only [Term], [Typedef] and [Instance] stanzas are known"
            )
            continue
        subject = _subject(stanza, source)
        yield Declaration(subject)
        yield from _statements(stanza, subject, source)
        if namespace and not any(clause.tag == "namespace" for clause in stanza.clauses):
            yield AnnotationAssertion(NAMESPACE, subject.iri, Literal(namespace))


def _flagged(stanzas: list[Stanza], names: Identifiers, flag: str) -> frozenset[str]:
    """Return the relations whose stanza sets a flag."""
    return frozenset(
        names.relation(_identifier(stanza))
        for stanza in stanzas
        if stanza.heading == "Typedef"
        and any(clause.tag == flag and first_word(clause) == "true" for clause in stanza.clauses)
    )


def _identifier(stanza: Stanza) -> str:
    return next((first_word(clause) for clause in stanza.clauses if clause.tag == "id"), "")


def _subject(stanza: Stanza, source: Source) -> Class | ObjectProperty | AnnotationProperty | NamedIndividual:
    """Return what a stanza is about, which its one `id:` says."""
    found = [clause for clause in stanza.clauses if clause.tag == "id"]
    if not found:
        refuse(source.where, stanza.line, f"expected 'id: …' under [{stanza.heading}], but there is none")
    if len(found) > 1:
        refuse(source.where, found[1].line, "expected a new heading before a second 'id:', but none came")
    words = parse_value(found[0], source.where).of("word")
    if len(words) != 1:
        source.fail(found[0], "'id: ' and one identifier")
    if stanza.heading == "Term":
        return source.cls(words[0])
    if stanza.heading == "Instance":
        return NamedIndividual(source.names.entity(words[0]))
    role = source.role(words[0])
    return role if role.iri in source.relations else AnnotationProperty(role.iri)


def _statements(
    stanza: Stanza, subject: Class | ObjectProperty | AnnotationProperty | NamedIndividual, source: Source
) -> Iterator[Statement]:
    if isinstance(subject, ObjectProperty):
        yield from _clauses(stanza.clauses, subject, TYPEDEF, source)
    elif isinstance(subject, AnnotationProperty):
        yield from _clauses(stanza.clauses, subject, METADATA, source)
    elif isinstance(subject, NamedIndividual):
        yield from _clauses(stanza.clauses, subject, INSTANCE, source)
    else:
        yield from _term(stanza.clauses, subject, source)


def _clauses(
    clauses: tuple[Clause, ...], subject: S, readings: Mapping[str, Reading[S]], source: Source
) -> Iterator[Statement]:
    for clause in clauses:
        reading = readings.get(clause.tag)
        if reading is not None:
            yield from reading(source, subject, clause)
        elif is_annotation(clause.tag):
            yield from read_annotation(subject.iri, clause, source.names)
        else:
            yield unread(subject.iri, clause, f"the tag '{clause.tag}' is not known here")


def _term(clauses: tuple[Clause, ...], cls: Class, source: Source) -> Iterator[Statement]:
    for tag in ("intersection_of", "union_of"):
        group = [clause for clause in clauses if clause.tag == tag]
        if group:
            yield define(source, cls, group, is_union=tag == "union_of")
    others = tuple(clause for clause in clauses if clause.tag not in ("intersection_of", "union_of"))
    yield from _clauses(others, cls, TERM, source)
    for clause in clauses:
        if clause.tag == "alt_id":
            old = source.cls(first_word(clause))
            yield Declaration(old)
            yield from deprecate(old.iri, cls.iri)
