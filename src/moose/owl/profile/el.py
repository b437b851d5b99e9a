"""What is inside OWL 2 EL (W3C, OWL 2 Profiles, section 2.2): literals, data ranges, class expressions, axioms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import (
    EL_DATATYPES,
    LANGUAGE_STRING_IRI,
    STRING_IRI,
    TOP_DATA_PROPERTY,
    Class,
    ClassExpression,
    DataHasValue,
    DataIntersectionOf,
    DataOneOf,
    DataRange,
    DataSomeValuesFrom,
    Datatype,
    Literal,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.model.literals import is_ill_typed


def is_el_literal(literal: Literal) -> bool:
    """Return whether a literal has a datatype of OWL 2 EL and a lexical form of that datatype."""
    if literal.datatype == STRING_IRI and not literal.language:
        return True
    # The text that rdf:langString types is rdf:PlainLiteral's.
    is_admitted = literal.datatype in EL_DATATYPES or literal.datatype == LANGUAGE_STRING_IRI
    return is_admitted and not is_ill_typed(literal)


def is_el_range(data_range: DataRange) -> bool:
    """Return whether a data range is in OWL 2 EL."""
    stack = [data_range]
    while stack:
        match stack.pop():
            case Datatype(iri) if iri in EL_DATATYPES:
                pass
            case DataIntersectionOf(operands):
                stack.extend(operands)
            case DataOneOf((literal,)) if is_el_literal(literal):
                pass
            case _:
                return False
    return True


def is_el(expression: ClassExpression) -> bool:
    """Return whether a class expression is in OWL 2 EL."""
    stack = [expression]
    while stack:
        current = stack.pop()
        kind = type(current)
        if kind is Class:
            continue
        if kind is ObjectIntersectionOf:
            stack.extend(current.operands)  # type: ignore[union-attr]  # told apart by `kind`, for speed
        elif kind is ObjectSomeValuesFrom:
            if type(current.property) is not ObjectProperty:  # type: ignore[union-attr]
                return False
            stack.append(current.filler)  # type: ignore[union-attr]
        elif not _is_el_leaf(current):
            return False
    return True


def _is_el_leaf(expression: ClassExpression) -> bool:
    """Return whether an expression without class expressions inside it is in OWL 2 EL."""
    match expression:
        case ObjectOneOf((NamedIndividual(),)) | ObjectHasSelf(ObjectProperty()):
            return True
        case ObjectHasValue(ObjectProperty(), NamedIndividual()):
            return True
        case DataSomeValuesFrom((_,), data_range):
            return is_el_range(data_range)
        case DataHasValue(_, literal):
            return is_el_literal(literal)
    return False


# ── Axioms ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _are_el(expressions: Sequence[ClassExpression]) -> bool:
    return all(type(expression) is Class or is_el(expression) for expression in expressions)


def _are_named(properties: Sequence[object]) -> bool:
    return all(type(role) is ObjectProperty for role in properties)


def _have_names(individuals: Sequence[object]) -> bool:
    return all(type(individual) is NamedIndividual for individual in individuals)


def _is_el_inclusion(axiom: ax.SubClassOf) -> bool:
    return (type(axiom.sub) is Class or is_el(axiom.sub)) and (type(axiom.sup) is Class or is_el(axiom.sup))


def _is_el_key(axiom: ax.HasKey) -> bool:
    return is_el(axiom.cls) and _are_named(axiom.object_properties) and not says_all_data(axiom)


def _is_el_chain(axiom: ax.SubObjectPropertyOf) -> bool:
    return _are_named((*axiom.chain, axiom.sup))


def _is_el_characteristic(axiom: ax.ObjectPropertyCharacteristic) -> bool:
    return axiom.characteristic in ("Reflexive", "Transitive") and type(axiom.property) is ObjectProperty


def _is_el_domain(axiom: ax.ObjectPropertyDomain) -> bool:
    return type(axiom.property) is ObjectProperty and is_el(axiom.domain)


def _is_el_object_range(axiom: ax.ObjectPropertyRange) -> bool:
    return type(axiom.property) is ObjectProperty and is_el(axiom.range)


def _is_el_type(axiom: ax.ClassAssertion) -> bool:
    return type(axiom.individual) is NamedIndividual and is_el(axiom.cls)


def _is_el_link(axiom: ax.ObjectPropertyAssertion) -> bool:
    is_between_names = type(axiom.source) is NamedIndividual and type(axiom.target) is NamedIndividual
    return is_between_names and type(axiom.property) is ObjectProperty


def _is_el_value(axiom: ax.DataPropertyAssertion) -> bool:
    return type(axiom.source) is NamedIndividual and is_el_literal(axiom.literal)


def says_all_data(axiom: ax.Axiom) -> bool:
    """Return whether an axiom speaks of owl:topDataProperty where OWL 2 has it only as a super-property."""
    match axiom:
        case ax.SubDataPropertyOf(sub, sup):
            return sub == TOP_DATA_PROPERTY != sup
        case ax.EquivalentDataProperties(operands) | ax.HasKey(_, _, operands):
            return TOP_DATA_PROPERTY in operands
        case ax.DataPropertyRange(role) | ax.FunctionalDataProperty(role):
            return role == TOP_DATA_PROPERTY
    return False


def _is_el_data_axiom(axiom: ax.Axiom) -> bool:
    return not says_all_data(axiom)


# An axiom of a type that is not listed is outside OWL 2 EL whatever it says. The key is the type that the check takes.
AXIOM_CHECKS: dict[type, Callable[[Any], bool]] = {
    ax.SubClassOf: _is_el_inclusion,
    ax.EquivalentClasses: lambda axiom: _are_el(axiom.operands),
    ax.DisjointClasses: lambda axiom: _are_el(axiom.operands),
    ax.HasKey: _is_el_key,
    ax.SubObjectPropertyOf: _is_el_chain,
    ax.EquivalentObjectProperties: lambda axiom: _are_named(axiom.operands),
    ax.ObjectPropertyDomain: _is_el_domain,
    ax.ObjectPropertyRange: _is_el_object_range,
    ax.ObjectPropertyCharacteristic: _is_el_characteristic,
    ax.SubDataPropertyOf: _is_el_data_axiom,
    ax.EquivalentDataProperties: _is_el_data_axiom,
    ax.DataPropertyDomain: lambda axiom: is_el(axiom.domain),
    ax.DataPropertyRange: lambda axiom: is_el_range(axiom.range) and not says_all_data(axiom),
    ax.FunctionalDataProperty: _is_el_data_axiom,
    ax.SameIndividual: lambda axiom: _have_names(axiom.individuals),
    ax.DifferentIndividuals: lambda axiom: _have_names(axiom.individuals),
    ax.ClassAssertion: _is_el_type,
    ax.ObjectPropertyAssertion: _is_el_link,
    ax.DataPropertyAssertion: _is_el_value,
}


def is_el_axiom(axiom: ax.Axiom) -> bool:
    """Return whether an axiom, taken alone, is in OWL 2 EL."""
    check = AXIOM_CHECKS.get(type(axiom))
    return check is not None and check(axiom)
