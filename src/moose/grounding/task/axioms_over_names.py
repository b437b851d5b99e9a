"""Which axioms speak of named individuals alone, so that over a closed domain they are clauses."""

from __future__ import annotations

from collections.abc import Collection

from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DifferentIndividuals,
    DisjointClasses,
    DisjointObjectProperties,
    DisjointUnion,
    EquivalentClasses,
    EquivalentObjectProperties,
    InverseObjectProperties,
    ObjectPropertyAssertion,
    ObjectPropertyCharacteristic,
    ObjectPropertyDomain,
    ObjectPropertyRange,
    SameIndividual,
    SubClassOf,
    SubObjectPropertyOf,
)
from moose.owl.model.expressions import (
    Class,
    NamedIndividual,
    ObjectAllValuesFrom,
    ObjectComplementOf,
    ObjectExactCardinality,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectInverseOf,
    ObjectMaxCardinality,
    ObjectMinCardinality,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.owl.model.signature import walk

AXIOMS = (
    *(SubClassOf, EquivalentClasses, DisjointClasses, DisjointUnion),
    *(SubObjectPropertyOf, EquivalentObjectProperties, DisjointObjectProperties, InverseObjectProperties),
    *(ObjectPropertyDomain, ObjectPropertyRange, ObjectPropertyCharacteristic),
    *(ClassAssertion, ObjectPropertyAssertion, SameIndividual, DifferentIndividuals),
)
PARTS = (
    *(Class, ObjectProperty, ObjectInverseOf, NamedIndividual),
    *(ObjectIntersectionOf, ObjectUnionOf, ObjectComplementOf, ObjectOneOf),
    *(ObjectSomeValuesFrom, ObjectAllValuesFrom, ObjectHasValue, ObjectHasSelf),
    *(ObjectMinCardinality, ObjectMaxCardinality, ObjectExactCardinality),
)


def is_over_names(axiom: Axiom, individuals: Collection[str]) -> bool:
    """Return whether an axiom can be read over named individuals: it has no data, and names nobody else.

    >>> a, b = NamedIndividual("a"), NamedIndividual("b")
    >>> [is_over_names(ClassAssertion(ObjectOneOf((a, b)), a), names) for names in ("ab", "a")]
    [True, False]
    """
    if type(axiom) not in AXIOMS:
        return False
    parts = [part for part in walk(axiom) if part is not axiom]
    return all(
        type(part) in PARTS and (not isinstance(part, NamedIndividual) or part.iri in individuals) for part in parts
    )
