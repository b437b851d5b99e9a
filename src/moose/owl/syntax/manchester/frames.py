"""The frames of Manchester syntax: for each, what its sections say as axioms.

A frame is one row of a table; a section is one entry of that row, made of how its items are read and what axiom an
item makes with the frame's subject. Items may bear annotations, which are read here too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from moose.owl.model import axioms
from moose.owl.model.axioms import Annotation, AnnotationAssertion, Annotations, Axiom
from moose.owl.model.expressions import (
    RDFS,
    AnnotationProperty,
    AnonymousIndividual,
    Class,
    ClassExpression,
    DataProperty,
    Datatype,
    Individual,
    Literal,
    ObjectPropertyExpression,
)
from moose.owl.syntax.manchester.class_expressions import read_class_expression, read_property
from moose.owl.syntax.manchester.cursor import Reader
from moose.owl.syntax.manchester.data_ranges import is_literal, read_data_range, read_list, read_literal

S = TypeVar("S")
T = TypeVar("T")
Statement = Axiom | AnnotationAssertion
Section = Callable[[Reader, S], Iterator[Statement]]
"""Reads what stands behind a section's keyword and yields what it says of the frame's subject."""

Sections = Mapping[str, Section[S]]


def each(read: Callable[[Reader], T], make: Callable[[S, T, Annotations], Statement]) -> Section[S]:
    """Return the section of which every item says something by itself."""

    def section(reader: Reader, subject: S) -> Iterator[Statement]:
        for item, notes in read_annotated(reader, read):
            yield make(subject, item, notes)

    return section


# ── Classes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _disjoint_union(reader: Reader, subject: ClassExpression) -> Iterator[Statement]:
    if not isinstance(subject, Class):
        reader.refuse("expected DisjointUnionOf: under a named class, but the frame is about a class expression")
    annotations = read_annotations(reader)
    yield axioms.DisjointUnion(subject, read_list(reader, read_class_expression), annotations)


def _has_key(reader: Reader, subject: ClassExpression) -> Iterator[Statement]:
    """The specification parts the properties by white space, the OWL API by commas."""
    annotations = read_annotations(reader)
    properties = [read_property(reader)]
    while reader.accept(",") or reader.names.is_name(reader.peek()) or reader.opens_inverse():
        properties.append(read_property(reader))
    attributes = tuple(item for item in properties if isinstance(item, DataProperty))
    roles = tuple(item for item in properties if not isinstance(item, DataProperty))
    yield axioms.HasKey(subject, roles, attributes, annotations)


CLASS: Sections[ClassExpression] = {
    "SubClassOf": each(read_class_expression, axioms.SubClassOf),
    "SuperClassOf": each(read_class_expression, lambda sup, sub, notes: axioms.SubClassOf(sub, sup, notes)),
    "EquivalentTo": each(read_class_expression, lambda one, two, notes: axioms.EquivalentClasses((one, two), notes)),
    "DisjointWith": each(read_class_expression, lambda one, two, notes: axioms.DisjointClasses((one, two), notes)),
    "DisjointUnionOf": _disjoint_union,
    "HasKey": _has_key,
    "Individuals": each(Reader.individual, axioms.ClassAssertion),
}

# ── Properties ────────────────────────────────────────────────────────────────────────────────────────────────────

CHARACTERISTICS = {
    "functional": "Functional",
    "inversefunctional": "InverseFunctional",
    "reflexive": "Reflexive",
    "irreflexive": "Irreflexive",
    "symmetric": "Symmetric",
    "asymmetric": "Asymmetric",
    "antisymmetric": "Asymmetric",  # so OWL 1.1 called it
    "transitive": "Transitive",
}


def _characteristic(reader: Reader) -> str:
    word = CHARACTERISTICS.get(reader.peek().lower())
    if word is None:
        reader.fail("Functional, InverseFunctional, Reflexive, Irreflexive, Symmetric, Asymmetric or Transitive")
    reader.take()
    return word


def _functional(reader: Reader) -> str:
    if reader.peek().lower() != "functional":
        reader.fail("Functional, the one characteristic of data properties")
    return reader.take()


def _chain(reader: Reader) -> tuple[ObjectPropertyExpression, ...]:
    chain = [reader.object_property()]
    while reader.at_word("o"):
        reader.take()
        chain.append(reader.object_property())
    return tuple(chain)


_inverse = each(Reader.object_property, axioms.InverseObjectProperties)

OBJECT_PROPERTY: Sections[ObjectPropertyExpression] = {
    "SubPropertyOf": each(
        Reader.object_property, lambda sub, sup, notes: axioms.SubObjectPropertyOf((sub,), sup, notes)
    ),
    "SuperPropertyOf": each(
        Reader.object_property, lambda sup, sub, notes: axioms.SubObjectPropertyOf((sub,), sup, notes)
    ),
    "SubPropertyChain": each(_chain, lambda sup, chain, notes: axioms.SubObjectPropertyOf(chain, sup, notes)),
    "EquivalentTo": each(
        Reader.object_property, lambda one, two, notes: axioms.EquivalentObjectProperties((one, two), notes)
    ),
    "DisjointWith": each(
        Reader.object_property, lambda one, two, notes: axioms.DisjointObjectProperties((one, two), notes)
    ),
    "InverseOf": _inverse,
    "Inverses": _inverse,
    "Domain": each(read_class_expression, axioms.ObjectPropertyDomain),
    "Range": each(read_class_expression, axioms.ObjectPropertyRange),
    "Characteristics": each(
        _characteristic, lambda role, word, notes: axioms.ObjectPropertyCharacteristic(word, role, notes)
    ),
}

DATA_PROPERTY: Sections[DataProperty] = {
    "SubPropertyOf": each(Reader.data_property, axioms.SubDataPropertyOf),
    "SuperPropertyOf": each(Reader.data_property, lambda sup, sub, notes: axioms.SubDataPropertyOf(sub, sup, notes)),
    "EquivalentTo": each(
        Reader.data_property, lambda one, two, notes: axioms.EquivalentDataProperties((one, two), notes)
    ),
    "DisjointWith": each(
        Reader.data_property, lambda one, two, notes: axioms.DisjointDataProperties((one, two), notes)
    ),
    "Domain": each(read_class_expression, axioms.DataPropertyDomain),
    "Range": each(read_data_range, axioms.DataPropertyRange),
    "Characteristics": each(_functional, lambda role, _, notes: axioms.FunctionalDataProperty(role, notes)),
}


def _annotation_section(word: str) -> Section[AnnotationProperty]:
    """An axiom about annotation properties is read as the annotation that RDF has for it."""
    return each(
        lambda reader: reader.iri("an IRI"),
        lambda subject, value, notes: AnnotationAssertion(RDFS + word, subject.iri, value, notes),
    )


ANNOTATION_PROPERTY: Sections[AnnotationProperty] = {
    "SubPropertyOf": _annotation_section("subPropertyOf"),
    "Domain": _annotation_section("domain"),
    "Range": _annotation_section("range"),
}

# ── Datatypes and individuals ─────────────────────────────────────────────────────────────────────────────────────

DATATYPE: Sections[Datatype] = {"EquivalentTo": each(read_data_range, axioms.DatatypeDefinition)}

Fact = tuple[bool, ObjectPropertyExpression, Individual] | tuple[bool, DataProperty, Literal]


def _fact(reader: Reader) -> Fact:
    negative = reader.opens("not")
    if negative:
        reader.take()
    role = read_property(reader)
    if isinstance(role, DataProperty):
        return negative, role, read_literal(reader)
    if is_literal(reader):
        reader.fail("an individual, because the property is an object property")
    return negative, role, reader.individual()


def _assertion(subject: Individual, fact: Fact, annotations: Annotations) -> Axiom:
    negative, role, value = fact
    if isinstance(role, DataProperty):
        assert isinstance(value, Literal)
        return axioms.DataPropertyAssertion(role, subject, value, negative, annotations)
    assert not isinstance(value, Literal)
    return axioms.ObjectPropertyAssertion(role, subject, value, negative, annotations)


_types: Section[Individual] = each(
    read_class_expression, lambda one, cls, notes: axioms.ClassAssertion(cls, one, notes)
)

INDIVIDUAL: Sections[Individual] = {
    "Types": _types,
    "Type": _types,
    "Facts": each(_fact, _assertion),
    "SameAs": each(Reader.individual, lambda one, two, notes: axioms.SameIndividual((one, two), notes)),
    "DifferentFrom": each(Reader.individual, lambda one, two, notes: axioms.DifferentIndividuals((one, two), notes)),
}


# ── Annotations ───────────────────────────────────────────────────────────────────────────────────────────────────


def read_annotations(reader: Reader, depth: int = 0) -> Annotations:
    """Read `Annotations: p v, …` if it comes; each annotation may bear annotations of its own."""
    reader.check_depth(depth)
    if not reader.accept_section("Annotations"):
        return ()
    annotations = [read_annotation(reader, depth)]
    while reader.accept(","):
        annotations.append(read_annotation(reader, depth))
    return tuple(annotations)


def read_annotation(reader: Reader, depth: int = 0) -> Annotation:
    """Read one annotation, behind those that it bears itself."""
    inner = read_annotations(reader, depth + 1)
    return Annotation(reader.iri("an annotation property"), _value(reader), inner)


def _value(reader: Reader) -> str | Literal | AnonymousIndividual:
    if is_literal(reader):
        return read_literal(reader)
    if reader.peek().startswith("_:"):
        return AnonymousIndividual(reader.take()[2:])
    return reader.iri("a literal, an IRI or a node such as '_:x'")


def read_annotated(reader: Reader, read: Callable[[Reader], T]) -> Iterator[tuple[T, Annotations]]:
    """Read items parted by commas, each behind its annotations."""
    while True:
        annotations = read_annotations(reader)
        yield read(reader), annotations
        if not reader.accept(","):
            return
