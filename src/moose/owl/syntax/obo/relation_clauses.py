"""What the clauses of `[Typedef]` and `[Instance]` stanzas say in OWL, after the mapping of OBO format 1.4."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from moose.owl.model import axioms
from moose.owl.model.axioms import AnnotationAssertion, Annotations, Axiom
from moose.owl.model.expressions import RDFS, XSD, AnnotationProperty, Literal, NamedIndividual, ObjectProperty
from moose.owl.syntax.obo.annotation_clauses import read_annotation
from moose.owl.syntax.obo.clauses import Clause, parse_value
from moose.owl.syntax.obo.identifiers import OBO_IN_OWL
from moose.owl.syntax.obo.term_clauses import Reading, Source, unread

TAG_IN_LOGIC = "a metadata tag is a property of annotations, of which relations say nothing"

# ── Relations ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _pair(make: Callable[[ObjectProperty, ObjectProperty, Annotations], Axiom]) -> Reading[ObjectProperty]:
    def read(source: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom]:
        words, value = source.words(clause, 1, "RELATION")
        if source.is_tag(words[0]):
            yield unread(role.iri, clause, TAG_IN_LOGIC)
            return
        yield make(role, source.role(words[0]), source.notes(value))

    return read


def _chain(source: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom]:
    value = parse_value(clause, source.where)
    words = value.of("word")
    if len(words) < 2 or len(words) != len(value.parts):
        source.fail(clause, f"'{clause.tag}: RELATION RELATION'")
    if any(map(source.is_tag, words)):
        yield unread(role.iri, clause, TAG_IN_LOGIC)
        return
    yield axioms.SubObjectPropertyOf(tuple(map(source.role, words)), role, source.notes(value))


def _equivalent_chain(source: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom]:
    yield from _chain(source, role, clause)
    yield unread(role.iri, clause, "OWL 2 says that a chain is part of a relation, but not the other way round")


def _domain(source: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom]:
    words, value = source.words(clause, 1, "CLASS")
    yield axioms.ObjectPropertyDomain(role, source.cls(words[0]), source.notes(value))


def _range(source: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom]:
    words, value = source.words(clause, 1, "CLASS")
    if source.names.entity(words[0]).startswith(XSD):
        yield unread(role.iri, clause, "a relation between individuals has no range of literals")
    else:
        yield axioms.ObjectPropertyRange(role, source.cls(words[0]), source.notes(value))


def _flag(make: Callable[[ObjectProperty, Clause, Annotations], Axiom]) -> Reading[ObjectProperty]:
    """Return the reading of a clause that says `true`, or `false`, which asserts nothing."""

    def read(source: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom | AnnotationAssertion]:
        words, value = source.words(clause, 1, "true")
        if words[0] == "true":
            yield make(role, clause, source.notes(value))
        elif words[0] == "false":
            yield AnnotationAssertion(OBO_IN_OWL + clause.tag, role.iri, Literal("false", XSD + "boolean"))
        else:
            source.fail(clause, f"'{clause.tag}: true' or '{clause.tag}: false'")

    return read


def _characteristic(word: str) -> Reading[ObjectProperty]:
    return _flag(lambda role, _, notes: axioms.ObjectPropertyCharacteristic(word, role, notes))


def _inexpressible(reason: str) -> Reading[ObjectProperty]:
    def read(_: Source, role: ObjectProperty, clause: Clause) -> Iterator[Axiom]:
        yield unread(role.iri, clause, reason)

    return read


TYPEDEF: Mapping[str, Reading[ObjectProperty]] = {
    "is_a": _pair(lambda sub, sup, notes: axioms.SubObjectPropertyOf((sub,), sup, notes)),
    "equivalent_to": _pair(lambda one, two, notes: axioms.EquivalentObjectProperties((one, two), notes)),
    "disjoint_from": _pair(lambda one, two, notes: axioms.DisjointObjectProperties((one, two), notes)),
    "inverse_of": _pair(axioms.InverseObjectProperties),
    "transitive_over": _pair(lambda role, over, notes: axioms.SubObjectPropertyOf((role, over), role, notes)),
    "holds_over_chain": _chain,
    "equivalent_to_chain": _equivalent_chain,
    "domain": _domain,
    "range": _range,
    "is_transitive": _characteristic("Transitive"),
    "is_reflexive": _characteristic("Reflexive"),
    "is_symmetric": _characteristic("Symmetric"),
    "is_asymmetric": _characteristic("Asymmetric"),
    "is_functional": _characteristic("Functional"),
    "is_inverse_functional": _characteristic("InverseFunctional"),
    "is_anti_symmetric": _flag(
        lambda role, clause, _: unread(role.iri, clause, "OWL 2 has no antisymmetric relations")
    ),
    "disjoint_over": _inexpressible("OWL 2 has no disjointness over a relation"),
    "intersection_of": _inexpressible("OWL 2 has no intersections of relations"),
    "union_of": _inexpressible("OWL 2 has no unions of relations"),
    "relationship": _inexpressible("OWL 2 has no relations between relations"),
}

# ── Annotation properties ─────────────────────────────────────────────────────────────────────────────────────────


def _annotation_axiom(word: str) -> Reading[AnnotationProperty]:
    def read(source: Source, tag: AnnotationProperty, clause: Clause) -> Iterator[AnnotationAssertion]:
        words, value = source.words(clause, 1, "NAME")
        target = source.names.relation(words[0])
        yield AnnotationAssertion(RDFS + word, tag.iri, target, source.notes(value))

    return read


METADATA: Mapping[str, Reading[AnnotationProperty]] = {
    "is_a": _annotation_axiom("subPropertyOf"),
    "domain": _annotation_axiom("domain"),
    "range": _annotation_axiom("range"),
}

# ── Instances ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _instance_of(source: Source, one: NamedIndividual, clause: Clause) -> Iterator[Axiom]:
    words, value = source.words(clause, 1, "CLASS")
    yield axioms.ClassAssertion(source.cls(words[0]), one, source.notes(value))


def _relationship(source: Source, one: NamedIndividual, clause: Clause) -> Iterator[Axiom | AnnotationAssertion]:
    words, value = source.words(clause, 2, "RELATION INSTANCE")
    if source.is_tag(words[0]):
        yield source.annotate(one.iri, value)
        return
    other = NamedIndividual(source.names.entity(words[1]))
    yield axioms.ObjectPropertyAssertion(source.role(words[0]), one, other, annotations=source.notes(value))


def _property_value(source: Source, one: NamedIndividual, clause: Clause) -> Iterator[Axiom | AnnotationAssertion]:
    """Before format 1.4, this is how instances were related; it still is where the relation has a stanza."""
    value = parse_value(clause, source.where)
    words = value.of("word")
    if not words or source.names.relation(words[0]) not in source.relations:
        yield from read_annotation(one.iri, clause, source.names)
    elif value.of("string"):
        yield unread(one.iri, clause, "a relation between individuals has no literals as values")
    else:
        yield from _relationship(source, one, clause)


INSTANCE: Mapping[str, Reading[NamedIndividual]] = {
    "instance_of": _instance_of,
    "relationship": _relationship,
    "property_value": _property_value,
}
