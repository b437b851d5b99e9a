"""How the checker writes concepts and facts: in one way only, so that equal meanings by form are equal values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    LITERAL,
    NOTHING,
    THING,
    ClassExpression,
    DataHasValue,
    DataIntersectionOf,
    DataOneOf,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    Individual,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectSomeValuesFrom,
)
from moose.saturation.proofs.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption


@dataclass(frozen=True, slots=True)
class Step:
    """One inference with its facts in canonical form, and the assumption of its proof."""

    premises: tuple[Fact, ...]
    axioms: tuple[Axiom, ...]
    conclusion: Fact
    assumption: Concept | None = None


Rule = Callable[[Step], bool]


def some(role: Role, filler: Concept) -> ClassExpression | None:
    """Write ∃r.D or ∃d.D, or return None where role and filler do not fit together."""
    if isinstance(role, DataProperty):
        return DataSomeValuesFrom((role,), filler) if isinstance(filler, DataRange) else None
    return None if isinstance(filler, DataRange) else ObjectSomeValuesFrom(role, filler)


# ── One way of writing ────────────────────────────────────────────────────────────────────────────────────────────


def canonical(concept: Concept) -> Concept:
    """Write a concept so that equal operands in any order and grouping, and both spellings of ∃r.{a}, are one value."""
    return canonical_range(concept) if isinstance(concept, DataRange) else canonical_class(concept)


def canonical_class(concept: ClassExpression) -> ClassExpression:
    """Write a class in the canonical way; what is outside OWL 2 EL is left as it stands."""
    match concept:
        case ObjectIntersectionOf(operands):
            return intersect_classes(map(canonical_class, operands))
        case ObjectHasValue(role, individual):
            return ObjectSomeValuesFrom(role, nominal(individual))
        case ObjectSomeValuesFrom(role, filler):
            return ObjectSomeValuesFrom(role, canonical_class(filler))
        case DataHasValue(data_role, literal):
            return DataSomeValuesFrom((data_role,), DataOneOf((literal,)))
        case DataSomeValuesFrom(data_roles, data_range):
            return DataSomeValuesFrom(data_roles, canonical_range(data_range))
    return concept


def canonical_range(data_range: DataRange) -> DataRange:
    """Write a data range in the canonical way."""
    if isinstance(data_range, DataIntersectionOf):
        return intersect_ranges(map(canonical_range, data_range.operands))
    return data_range


def intersect_classes(concepts: Iterable[ClassExpression]) -> ClassExpression:
    """Write C ⊓ D ⊓ … for canonical classes: flat, without ⊤ and repetition, sorted."""
    parts = sorted({part for concept in concepts for part in conjuncts(concept)}, key=repr)
    return ObjectIntersectionOf(tuple(parts)) if len(parts) > 1 else (parts or [THING])[0]


def intersect_ranges(ranges: Iterable[DataRange]) -> DataRange:
    """Write the intersection of canonical data ranges: flat, without rdfs:Literal and repetition, sorted."""
    parts = sorted({part for data_range in ranges for part in range_conjuncts(data_range)}, key=repr)
    return DataIntersectionOf(tuple(parts)) if len(parts) > 1 else (parts or [LITERAL])[0]


def intersect(concepts: Iterable[Concept]) -> Concept | None:
    """Write the intersection of canonical concepts, or return None where classes and data ranges are mixed."""
    concepts = list(concepts)
    ranges = [concept for concept in concepts if isinstance(concept, DataRange)]
    classes = [concept for concept in concepts if not isinstance(concept, DataRange)]
    if ranges and classes:
        return None
    return intersect_ranges(ranges) if ranges else intersect_classes(classes)


def conjuncts(concept: ClassExpression) -> frozenset[ClassExpression]:
    """Take a canonical class apart; ⊤ has no part."""
    if isinstance(concept, ObjectIntersectionOf):
        return frozenset(concept.operands)
    return frozenset() if concept == THING else frozenset([concept])


def range_conjuncts(data_range: DataRange) -> frozenset[DataRange]:
    """Take a canonical data range apart; rdfs:Literal has no part."""
    if isinstance(data_range, DataIntersectionOf):
        return frozenset(data_range.operands)
    return frozenset() if data_range == LITERAL else frozenset([data_range])


def nominal(individual: Individual) -> ObjectOneOf:
    """{a}"""
    return ObjectOneOf((individual,))


def canonical_fact(fact: Fact) -> Fact:
    """Write the concepts of a fact in the canonical way."""
    match fact:
        case Subsumption(sub, sup):
            return Subsumption(canonical(sub), canonical(sup))
        case Link(source, role, target):
            return Link(canonical(source), role, canonical(target))
        case NonEmpty(concept):
            return NonEmpty(canonical(concept))
    return fact


def is_well_typed(fact: Fact) -> bool:
    """Say whether a fact speaks of classes and roles, or of data ranges and data properties, where each belongs."""
    match fact:
        case Subsumption(sub, sup):  # an empty data range is written D ⊑ owl:Nothing
            return isinstance(sup, DataRange) == isinstance(sub, DataRange) or (
                isinstance(sub, DataRange) and sup == NOTHING
            )
        case Link(source, role, target):
            return not isinstance(source, DataRange) and isinstance(target, DataRange) == isinstance(role, DataProperty)
        case RoleInclusion(sub_role, sup_role):
            return isinstance(sub_role, DataProperty) == isinstance(sup_role, DataProperty)
        case NonEmpty(concept):
            return not isinstance(concept, DataRange)
