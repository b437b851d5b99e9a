"""Axioms sorted by the rule of the naive reasoner that uses them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from itertools import combinations, permutations

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
    FunctionalDataProperty,
    HasKey,
    ObjectPropertyAssertion,
    ObjectPropertyCharacteristic,
    ObjectPropertyDomain,
    ObjectPropertyRange,
    SameIndividual,
    SubClassOf,
    SubDataPropertyOf,
    SubObjectPropertyOf,
)
from moose.owl.model.expressions import (
    LITERAL,
    NOTHING,
    THING,
    ClassExpression,
    DataHasValue,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    Entity,
    Individual,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)

Role = ObjectProperty | DataProperty


@dataclass(frozen=True)
class Ontology:
    """The axioms, read apart by the rule that uses them."""

    inclusions: list[tuple[ClassExpression, ClassExpression]]
    above: dict[Role, set[Role]]
    chains: list[tuple[tuple[ObjectProperty, ...], ObjectProperty]]
    object_ranges: list[tuple[Role, ClassExpression]]
    data_ranges: list[tuple[Role, DataRange]]
    keys: list[HasKey]
    functional: list[DataProperty]
    individuals: set[Individual]


def entities(thing: object) -> Iterator[Entity]:
    """Yield every named thing in an axiom, an expression, or a collection of these."""
    if isinstance(thing, Entity):
        yield thing
    elif is_dataclass(thing):
        for one in fields(thing):
            yield from entities(getattr(thing, one.name))
    elif isinstance(thing, list | tuple):
        for part in thing:
            yield from entities(part)


def nominal(individual: Individual) -> ObjectOneOf:
    """{a}"""
    return ObjectOneOf((individual,))


def both(*concepts: ClassExpression) -> ClassExpression:
    """C ⊓ D"""
    return ObjectIntersectionOf(concepts)


def inclusions_of(axiom: Axiom) -> Iterator[tuple[ClassExpression, ClassExpression]]:
    """Write an axiom about classes or individuals as concept inclusions."""
    match axiom:
        case SubClassOf(sub, sup):
            yield sub, sup
        case EquivalentClasses(operands):
            yield from permutations(operands, 2)
        case DisjointClasses(operands):
            yield from ((both(one, other), NOTHING) for one, other in combinations(operands, 2))
        case ObjectPropertyDomain(role, domain):
            yield ObjectSomeValuesFrom(role, THING), domain
        case DataPropertyDomain(data_role, domain):
            yield DataSomeValuesFrom((data_role,), LITERAL), domain
        case ObjectPropertyCharacteristic("Reflexive", role):
            yield THING, ObjectHasSelf(role)
        case SameIndividual(individuals):
            yield from permutations(map(nominal, individuals), 2)
        case DifferentIndividuals(individuals):
            yield from ((both(nominal(one), nominal(other)), NOTHING) for one, other in combinations(individuals, 2))
        case ClassAssertion(concept, individual):
            yield nominal(individual), concept
        case ObjectPropertyAssertion(role, source, target, negative):
            has = ObjectHasValue(role, target)
            yield (both(nominal(source), has), NOTHING) if negative else (nominal(source), has)
        case DataPropertyAssertion(data_role, source, literal, negative):
            has_literal = DataHasValue(data_role, literal)
            yield (both(nominal(source), has_literal), NOTHING) if negative else (nominal(source), has_literal)


def role_inclusions_of(axiom: Axiom) -> Iterator[tuple[Role, Role]]:
    """Write an axiom about roles as plain role inclusions."""
    match axiom:
        case SubObjectPropertyOf((ObjectProperty() as sub,), ObjectProperty() as sup):
            yield sub, sup
        case SubDataPropertyOf(sub, sup):
            yield sub, sup
        case EquivalentObjectProperties(operands):
            yield from permutations([one for one in operands if isinstance(one, ObjectProperty)], 2)
        case EquivalentDataProperties(operands):
            yield from permutations(operands, 2)


def chains_of(axiom: Axiom) -> Iterator[tuple[tuple[ObjectProperty, ...], ObjectProperty]]:
    """Write an axiom about roles as chains of two or more."""
    match axiom:
        case SubObjectPropertyOf((_, _, *_) as chain, ObjectProperty() as sup):
            yield tuple(role for role in chain if isinstance(role, ObjectProperty)), sup
        case ObjectPropertyCharacteristic("Transitive", ObjectProperty() as role):
            yield (role, role), role


def superroles(axioms: list[Axiom]) -> dict[Role, set[Role]]:
    """Find the roles above each role, itself included."""
    above: dict[Role, set[Role]] = {role: {role} for role in entities(axioms) if isinstance(role, Role)}
    for _ in above:
        for sub, sup in (pair for axiom in axioms for pair in role_inclusions_of(axiom)):
            for supers in above.values():
                supers.update([sup] if sub in supers else [])
    return above


def read(axioms: Iterable[Axiom]) -> Ontology:
    """Sort the axioms by the rule that uses them."""
    axioms = list(axioms)
    return Ontology(
        inclusions=[pair for axiom in axioms for pair in inclusions_of(axiom)],
        above=superroles(axioms),
        chains=[chain for axiom in axioms for chain in chains_of(axiom)],
        object_ranges=[
            (axiom.property, axiom.range)
            for axiom in axioms
            if isinstance(axiom, ObjectPropertyRange) and isinstance(axiom.property, ObjectProperty)
        ],
        data_ranges=[(axiom.property, axiom.range) for axiom in axioms if isinstance(axiom, DataPropertyRange)],
        keys=[axiom for axiom in axioms if isinstance(axiom, HasKey)],
        functional=[axiom.property for axiom in axioms if isinstance(axiom, FunctionalDataProperty)],
        individuals={one for one in entities(axioms) if isinstance(one, NamedIndividual)},
    )
