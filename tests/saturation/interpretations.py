"""Small random interpretations: the semantics of OWL 2 EL read straight from its specification.

A rule is sound if its conclusion is true wherever its premises and axioms are; here that can be tried out.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from moose.owl.model.axioms import Axiom, FunctionalDataProperty, HasKey, ObjectPropertyRange
from moose.owl.model.axioms import DataPropertyRange as DataRangeAxiom
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    Class,
    ClassExpression,
    DataHasValue,
    DataOneOf,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    Entity,
    Literal,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.saturation.proofs.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption
from tests.saturation.naive_data import INTEGER, is_within
from tests.saturation.naive_reading import chains_of, inclusions_of, nominal, role_inclusions_of

VALUES = (Literal("x"), Literal("two words"), Literal("1", INTEGER.iri), Literal("-1", INTEGER.iri))
Pairs = set[tuple[object, object]]


@dataclass
class Interpretation:
    """A domain 0 … n-1 and what each name stands for in it."""

    domain: range
    classes: dict[Class, set[int]] = field(default_factory=lambda: defaultdict(set))
    roles: dict[Role, Pairs] = field(default_factory=lambda: defaultdict(set))
    individuals: dict[NamedIndividual, int] = field(default_factory=lambda: defaultdict(int))


def random_interpretation(source: random.Random, names: Iterable[Entity]) -> Interpretation:
    """Draw an interpretation of the names, on one to three elements, sparse or dense."""
    domain, density = range(source.randint(1, 3)), source.choice([0.2, 0.5, 0.8])
    found = Interpretation(domain)
    for name in sorted(set(names), key=repr):
        match name:
            case Class():
                found.classes[name] = {x for x in domain if source.random() < density}
            case ObjectProperty():
                found.roles[name] = {(x, y) for x in domain for y in domain if source.random() < density}
            case DataProperty():
                found.roles[name] = {(x, v) for x in domain for v in VALUES if source.random() < density / 2}
            case NamedIndividual():
                found.individuals[name] = source.choice(domain)
    found.classes |= {THING: set(domain), NOTHING: set()}
    found.roles |= {BOTTOM_OBJECT_PROPERTY: set(), TOP_OBJECT_PROPERTY: {(x, y) for x in domain for y in domain}}
    found.roles |= {BOTTOM_DATA_PROPERTY: set(), TOP_DATA_PROPERTY: {(x, v) for x in domain for v in VALUES}}
    return found


def extension(world: Interpretation, concept: Concept) -> set[object]:
    """Return the elements of a class, or the literals of a data range."""
    if isinstance(concept, DataRange):
        return {value for value in VALUES if is_within(frozenset([DataOneOf((value,))]), concept)}
    return {element for element in world.domain if is_instance(world, element, concept)}


def is_instance(world: Interpretation, element: int, concept: ClassExpression) -> bool:
    """Say whether an element is in a class."""
    match concept:
        case Class():
            return element in world.classes[concept]
        case ObjectOneOf((NamedIndividual() as individual,)):
            return element == world.individuals[individual]
        case ObjectIntersectionOf(operands):
            return all(is_instance(world, element, operand) for operand in operands)
        case ObjectUnionOf(operands):
            return any(is_instance(world, element, operand) for operand in operands)
        case ObjectSomeValuesFrom(ObjectProperty() as role, filler):
            return any((element, other) in world.roles[role] for other in extension(world, filler))
        case ObjectHasValue(role, individual):
            return is_instance(world, element, ObjectSomeValuesFrom(role, nominal(individual)))
        case ObjectHasSelf(ObjectProperty() as role):
            return (element, element) in world.roles[role]
        case DataSomeValuesFrom((data_role,), data_range):
            return any((element, value) in world.roles[data_role] for value in extension(world, data_range))
        case DataHasValue(data_role, literal):
            return is_instance(world, element, DataSomeValuesFrom((data_role,), DataOneOf((literal,))))
    raise NotImplementedError(concept)


def is_true_fact(world: Interpretation, fact: Fact) -> bool:
    """Say whether a fact of a proof is true."""
    match fact:
        case Subsumption(sub, sup):
            return extension(world, sub) <= extension(world, sup)
        case Link(source, role, target):
            fillers = extension(world, target)
            return all(any((x, y) in world.roles[role] for y in fillers) for x in extension(world, source))
        case RoleInclusion(sub_role, sup_role):
            return world.roles[sub_role] <= world.roles[sup_role]
        case NonEmpty(concept):
            return bool(extension(world, concept))


def is_true_axiom(world: Interpretation, axiom: Axiom) -> bool:
    """Say whether an axiom is true."""
    match axiom:
        case ObjectPropertyRange(ObjectProperty() as role, concept):
            return {y for _, y in world.roles[role]} <= extension(world, concept)
        case DataRangeAxiom(data_role, data_range):
            return {v for _, v in world.roles[data_role]} <= extension(world, data_range)
        case FunctionalDataProperty(data_role):
            return len(world.roles[data_role]) == len({x for x, _ in world.roles[data_role]})
        case HasKey():
            return is_key(world, axiom)
    return (
        all(is_true_fact(world, Subsumption(sub, sup)) for sub, sup in inclusions_of(axiom))
        and all(world.roles[sub] <= world.roles[sup] for sub, sup in role_inclusions_of(axiom))
        and all(compose(world, chain) <= world.roles[sup] for chain, sup in chains_of(axiom))
    )


def compose(world: Interpretation, chain: Iterable[ObjectProperty]) -> Pairs:
    """Return the pairs that a chain of roles links."""
    pairs: Pairs = {(x, x) for x in world.domain}
    for role in chain:
        pairs = {(x, z) for x, y in pairs for y2, z in world.roles[role] if y == y2}
    return pairs


def is_key(world: Interpretation, axiom: HasKey) -> bool:
    """Say whether different named elements of the class differ on some property, as far as named fillers go."""
    named = set(world.individuals.values())
    fillers: list[tuple[object, set[object]]] = [(role, set(named)) for role in axiom.object_properties]
    fillers += [(role, set(VALUES)) for role in axiom.data_properties]
    for one, other in combinations(named & extension(world, axiom.cls), 2):
        if all(
            any({(one, filler), (other, filler)} <= world.roles[role] for filler in choice)  # type: ignore[index]
            for role, choice in fillers
        ):
            return False
    return True
