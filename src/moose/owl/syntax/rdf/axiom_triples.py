"""Read the axioms that are single triples: OWL 2 Mapping to RDF, table 16, except what rdf:type says."""

from __future__ import annotations

from collections.abc import Callable

from moose.owl.model import axioms
from moose.owl.model import expressions as model
from moose.owl.model.axioms import AnnotationAssertion, Annotations, Axiom
from moose.owl.model.expressions import AnnotationProperty, DataProperty, ObjectProperty
from moose.owl.syntax.rdf.expression_nodes import (
    Broken,
    Expressions,
    Statement,
    Told,
    annotation_assertion,
    common_kind,
    disjoint_properties,
)
from moose.owl.syntax.rdf.graph import Term, is_blank, show
from moose.owl.syntax.rdf.rdf_vocabulary import (
    DESCRIPTIONS,
    DIFFERENT_FROM,
    DISJOINT_PROPERTY,
    DISJOINT_UNION,
    DISJOINT_WITH,
    DOMAIN,
    EQUIVALENT_CLASS,
    EQUIVALENT_PROPERTY,
    EXPRESSION_PARTS,
    FIRST,
    HAS_KEY,
    INVERSE_OF,
    OLD_CHAIN,
    ON_DATATYPE,
    ON_PROPERTIES,
    ON_PROPERTY,
    PROPERTY_CHAIN,
    RANGE,
    SAME_AS,
    SUB_CLASS,
    SUB_PROPERTY,
    Kind,
)

Reader = Callable[[Expressions, str, Term, Annotations], Statement]
"""Reads a triple, given its subject, its object and its annotations; raises `Broken` where it stands for no axiom."""

# ── Classes and datatypes ─────────────────────────────────────────────────────────────────────────────────────────


def _sub_class_of(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    return axioms.SubClassOf(read.cls(subject), read.cls(value), notes)


def _equivalent_class(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    is_open = not is_blank(subject) and not read.kinds.is_class(subject)
    if is_open and (read.kinds.is_datatype(subject) or read.is_data(read.value(value))):
        return _definition(read, subject, read.data_range(value), notes)
    return axioms.EquivalentClasses((read.cls(subject), read.cls(value)), notes)


def _definition(read: Expressions, subject: str, range_: model.DataRange, notes: Annotations) -> Axiom:
    return axioms.DatatypeDefinition(read.entity(model.Datatype, subject), range_, notes)


def _disjoint_with(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    return axioms.DisjointClasses((read.cls(subject), read.cls(value)), notes)


def _disjoint_union(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    cls = read.cls(subject)
    if not isinstance(cls, model.Class):
        raise Broken("only a named class is a disjoint union")
    return axioms.DisjointUnion(cls, tuple(read.cls(item) for item in read.items(value)), notes)


def _has_key(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    roles, data = [], []
    for item in read.items(value):
        if isinstance(item, str) and read.kinds.of(item)[:1] == (DataProperty,):
            data.append(read.data_property(item))
        else:
            roles.append(read.role(item))
    return axioms.HasKey(read.cls(subject), tuple(roles), tuple(data), notes)


def _described(word: str) -> Reader:
    """Return the reader of a description on a named class or datatype, which is short for an equivalence."""

    def build(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
        return _equivalence(read, subject, {word: value}, notes)

    return build


def _described_by_all(read: Expressions, subject: str, _value: Term, notes: Annotations) -> Axiom:
    """Read a restriction or a datatype with facets that has a name (OWL 2 asks for a blank node)."""
    return _equivalence(read, subject, read.parts(subject, EXPRESSION_PARTS - DESCRIPTIONS - {INVERSE_OF}), notes)


def _equivalence(read: Expressions, subject: str, told: Told, notes: Annotations) -> Axiom:
    value = read.described(subject, told)
    read.used.add(subject)
    if read.is_data(value):
        return _definition(read, subject, read.as_data_range(value), notes)
    return axioms.EquivalentClasses((read.cls(subject), read.as_class(value)), notes)


# ── Properties ────────────────────────────────────────────────────────────────────────────────────────────────────


def _sub_property_of(read: Expressions, subject: str, value: Term, notes: Annotations) -> Statement:
    chain = read.graph.objects(subject, OLD_CHAIN)
    if chain or read.graph.objects(subject, FIRST):  # a chain as drafts of OWL 2 had it
        roles = tuple(read.role(item) for item in read.items(chain[0] if chain else subject))
        read.used.add(subject)
        return axioms.SubObjectPropertyOf(roles, read.role(value), notes)
    kind = common_kind(read, subject, value)
    if kind is ObjectProperty:
        return axioms.SubObjectPropertyOf((read.role(subject),), read.role(value), notes)
    if kind is DataProperty:
        return axioms.SubDataPropertyOf(read.data_property(subject), read.data_property(value), notes)
    return about_annotations(SUB_PROPERTY, subject, value, notes)


def about_annotations(word: str, subject: str, value: Term, notes: Annotations) -> AnnotationAssertion:
    """Read a triple that says something of an annotation property, without logical meaning."""
    if not isinstance(value, str) or is_blank(value):
        raise Broken(f"{show(value)} stands where the name of a property or class belongs")
    return AnnotationAssertion(word, subject, value, notes)


def _property_chain(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    roles = tuple(read.role(item) for item in read.items(value))
    if not roles:
        raise Broken("a property chain is empty")
    return axioms.SubObjectPropertyOf(roles, read.role(subject), notes)


def _equivalent_property(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    kind = common_kind(read, subject, value)
    if kind is DataProperty:
        operands = (read.data_property(subject), read.data_property(value))
        return axioms.EquivalentDataProperties(operands, notes)
    if kind is AnnotationProperty:
        raise Broken("OWL 2 has no equivalence of annotation properties")
    return axioms.EquivalentObjectProperties((read.role(subject), read.role(value)), notes)


def _disjoint_property(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    return disjoint_properties(read, [subject, value], notes)


def _inverse_of(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    return axioms.InverseObjectProperties(read.role(subject), read.role(value), notes)


def _domain(read: Expressions, subject: str, value: Term, notes: Annotations) -> Statement:
    kind = common_kind(read, subject)
    if kind is ObjectProperty:
        return axioms.ObjectPropertyDomain(read.role(subject), read.cls(value), notes)
    if kind is DataProperty:
        return axioms.DataPropertyDomain(read.data_property(subject), read.cls(value), notes)
    return about_annotations(DOMAIN, subject, value, notes)


def _range(read: Expressions, subject: str, value: Term, notes: Annotations) -> Statement:
    kind = common_kind(read, subject)
    is_data = DataProperty in read.kinds.of(subject) and read.is_data(read.value(value))
    if kind is DataProperty or is_data:
        return axioms.DataPropertyRange(read.data_property(subject), read.data_range(value), notes)
    if kind is ObjectProperty:
        return axioms.ObjectPropertyRange(read.role(subject), read.cls(value), notes)
    return about_annotations(RANGE, subject, value, notes)


# ── Individuals ───────────────────────────────────────────────────────────────────────────────────────────────────


def _same_as(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    return axioms.SameIndividual((read.individual(subject), read.individual(value)), notes)


def _different_from(read: Expressions, subject: str, value: Term, notes: Annotations) -> Axiom:
    return axioms.DifferentIndividuals((read.individual(subject), read.individual(value)), notes)


def assertion(word: str, kinds: tuple[Kind, ...]) -> Reader:
    """Return the reader of triples with a property of the document's own, by the kinds it is known as."""

    def build(read: Expressions, subject: str, value: Term, notes: Annotations) -> Statement:
        is_literal = isinstance(value, model.Literal)
        if isinstance(value, model.Literal) and DataProperty in kinds:
            return axioms.DataPropertyAssertion(
                read.entity(DataProperty, word), read.individual(subject), value, annotations=notes
            )
        if not is_literal and ObjectProperty in kinds:
            return axioms.ObjectPropertyAssertion(
                read.entity(ObjectProperty, word),
                read.individual(subject),
                read.individual(value),
                annotations=notes,
            )
        if AnnotationProperty not in kinds:
            kind, needed = ("an object", "an individual") if is_literal else ("a data", "a literal")
            raise Broken(f"{show(word)} is {kind} property and needs {needed}, but has {show(value)}")
        return annotation_assertion(word, subject, value, notes)

    return build


# ── The table ─────────────────────────────────────────────────────────────────────────────────────────────────────

READERS: dict[str, Reader] = {
    SUB_CLASS: _sub_class_of,
    EQUIVALENT_CLASS: _equivalent_class,
    DISJOINT_WITH: _disjoint_with,
    DISJOINT_UNION: _disjoint_union,
    HAS_KEY: _has_key,
    SUB_PROPERTY: _sub_property_of,
    PROPERTY_CHAIN: _property_chain,
    EQUIVALENT_PROPERTY: _equivalent_property,
    DISJOINT_PROPERTY: _disjoint_property,
    INVERSE_OF: _inverse_of,
    DOMAIN: _domain,
    RANGE: _range,
    SAME_AS: _same_as,
    DIFFERENT_FROM: _different_from,
}
READERS_ON_NAMES: dict[str, Reader] = {
    **{word: _described(word) for word in sorted(DESCRIPTIONS)},
    **dict.fromkeys((ON_PROPERTY, ON_PROPERTIES, ON_DATATYPE), _described_by_all),
}
"""Words that are structure on a blank node, and axioms on a name."""
