"""What the checker takes an axiom, or a data range, to tell."""

from __future__ import annotations

from collections.abc import Hashable

from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DataPropertyAssertion,
    DataPropertyDomain,
    DataPropertyRange,
    DifferentIndividuals,
    DisjointClasses,
    EquivalentClasses,
    EquivalentDataProperties,
    EquivalentObjectProperties,
    ObjectPropertyAssertion,
    ObjectPropertyCharacteristic,
    ObjectPropertyDomain,
    ObjectPropertyRange,
    SameIndividual,
    SubClassOf,
    SubDataPropertyOf,
    SubObjectPropertyOf,
)
from moose.owl.model.datatypes import ValueSet, is_known, value_of, value_set
from moose.owl.model.expressions import (
    LITERAL,
    NOTHING,
    THING,
    TOP_OBJECT_PROPERTY,
    ClassExpression,
    DataHasValue,
    DataOneOf,
    DataRange,
    DataSomeValuesFrom,
    Datatype,
    Individual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectPropertyExpression,
    ObjectSomeValuesFrom,
)
from moose.saturation.checker.forms import canonical_class, canonical_range, conjuncts, nominal, range_conjuncts
from moose.saturation.proofs.proof import Concept, Role


def tells_inclusion(axiom: Axiom, sub: Concept, sup: Concept) -> bool:
    """Say whether an axiom is, or is by definition, C ⊑ D (or an equivalence that holds it)."""
    match axiom:
        case EquivalentClasses(operands):
            return {sub, sup} <= set(map(canonical_class, operands))
        case SameIndividual(individuals):
            return {sub, sup} <= set(map(nominal, individuals))
    told = told_inclusion(axiom)
    return told is not None and (sub, sup) == tuple(map(canonical_class, told))


def told_inclusion(axiom: Axiom) -> tuple[ClassExpression, ClassExpression] | None:
    """Read an axiom that tells a single concept inclusion."""
    match axiom:
        case SubClassOf(sub, sup):
            return sub, sup
        case ObjectPropertyDomain(role, domain):
            return ObjectSomeValuesFrom(role, THING), domain
        case DataPropertyDomain(data_role, domain):
            return DataSomeValuesFrom((data_role,), LITERAL), domain
        case ObjectPropertyRange(role, concept) if role == TOP_OBJECT_PROPERTY:
            return THING, concept
        case ObjectPropertyCharacteristic("Reflexive", role):
            return THING, ObjectHasSelf(role)
        case ClassAssertion(concept, individual):
            return nominal(individual), concept
        case ObjectPropertyAssertion(role, source, target, negative):
            return assertion(source, ObjectHasValue(role, target), negative)
        case DataPropertyAssertion(data_role, source, literal, negative):
            return assertion(source, DataHasValue(data_role, literal), negative)
    return None


def assertion(source: Individual, claim: ClassExpression, negative: bool) -> tuple[ClassExpression, ClassExpression]:
    """Write that an individual has a filler or, if `negative`, has not."""
    if negative:
        return ObjectIntersectionOf((nominal(source), claim)), NOTHING
    return nominal(source), claim


def tells_disjoint(axiom: Axiom, one: Concept, other: Concept) -> bool:
    """Say whether an axiom lists two concepts, at different places, as sharing nothing."""
    match axiom:
        case DisjointClasses(operands):
            listed = list(map(canonical_class, operands))
        case DifferentIndividuals(individuals):
            listed = list(map(nominal, individuals))
        case _:
            return False
    return listed.count(one) > 1 if one == other else one in listed and other in listed  # type: ignore[arg-type]


def tells_role_inclusion(axiom: Axiom, sub: Role, sup: Role) -> bool:
    """Say whether an axiom tells r ⊑ s, or an equivalence that holds it."""
    match axiom:
        case SubObjectPropertyOf(chain, told):
            return chain == (sub,) and told == sup
        case SubDataPropertyOf(told_sub, told_sup):
            return (told_sub, told_sup) == (sub, sup)
        case EquivalentObjectProperties(operands) | EquivalentDataProperties(operands):
            return {sub, sup} <= set(operands)
    return False


def told_chain(axiom: Axiom) -> tuple[tuple[ObjectPropertyExpression, ...], ObjectPropertyExpression] | None:
    """Read r₁ ∘ … ∘ rₙ ⊑ s with n ≥ 2; a transitive role is r ∘ r ⊑ r."""
    match axiom:
        case SubObjectPropertyOf((_, _, *_) as chain, sup):
            return chain, sup
        case ObjectPropertyCharacteristic("Transitive", role):
            return (role, role), role
    return None


def told_range(axiom: Axiom, role: Role) -> Concept | None:
    """Read the range that an axiom gives a role."""
    match axiom:
        case ObjectPropertyRange(told, concept) if told == role:
            return canonical_class(concept)
        case DataPropertyRange(told_data, data_range) if told_data == role:
            return canonical_range(data_range)
    return None


# ── Data ranges as sets of values: the only use of `moose.owl.model.datatypes` ────────────────────────────────────


def values_in(data_range: DataRange) -> ValueSet | None:
    """Return the values of a canonical data range, none where a literal is ill-typed, None where nothing is known."""
    parts = range_conjuncts(data_range)
    if not all(
        isinstance(part, Datatype) or (isinstance(part, DataOneOf) and len(part.literals) == 1) for part in parts
    ):
        return None
    if any(isinstance(part, DataOneOf) and value_of(part.literals[0]) is None for part in parts):
        return ValueSet.empty()
    return value_set(data_range)


def is_surely_inhabited(data_range: DataRange) -> bool:
    """Say whether a data range surely holds a literal: one value alone, or datatypes of OWL 2 that overlap."""
    values = values_in(data_range)
    if values is None or values.is_empty():
        return False
    return values.single is not None or (not values.values and all(map(is_known, values.datatypes)))


def meaning(concept: Concept) -> Hashable:
    """Return a key that canonical concepts share only if they differ in nothing but the spelling of data ranges."""
    if isinstance(concept, DataRange):
        values = values_in(concept)
        return concept if values is None else values
    return frozenset(map(_meaning_of_conjunct, conjuncts(concept)))


def _meaning_of_conjunct(concept: ClassExpression) -> Hashable:
    match concept:
        case ObjectSomeValuesFrom(role, filler):
            return role, meaning(filler)
        case DataSomeValuesFrom(data_roles, data_range):
            return data_roles, meaning(data_range)
    return concept
