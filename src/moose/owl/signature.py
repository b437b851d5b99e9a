"""The names that axioms use, by kind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import get_args

from moose.owl import vocabulary
from moose.owl.axioms import Axiom
from moose.owl.model import (
    AnnotationProperty,
    AnonymousIndividual,
    Class,
    ClassExpression,
    DataProperty,
    DataRange,
    Datatype,
    Entity,
    Literal,
    NamedIndividual,
    ObjectInverseOf,
    ObjectProperty,
)

BUILT_IN = frozenset(
    [
        vocabulary.THING_IRI,
        vocabulary.NOTHING_IRI,
        vocabulary.TOP_OBJECT_PROPERTY_IRI,
        vocabulary.BOTTOM_OBJECT_PROPERTY_IRI,
        vocabulary.TOP_DATA_PROPERTY_IRI,
        vocabulary.BOTTOM_DATA_PROPERTY_IRI,
    ]
)

LEAVES: tuple[type, ...] = (*get_args(Entity), AnonymousIndividual, Literal)
NODES: tuple[type, ...] = (*get_args(Axiom), *get_args(ClassExpression), *get_args(DataRange), ObjectInverseOf)
# The fields of each kind of value that can hold others; annotations have no logical meaning.
PARTS: dict[type, tuple[str, ...]] = {
    **{kind: tuple(field.name for field in fields(kind) if field.name != "annotations") for kind in NODES},
    **dict.fromkeys(LEAVES, ()),
}


@dataclass(frozen=True, slots=True)
class Signature:
    """Sorted IRIs of each kind of entity, without those that OWL 2 reserves."""

    classes: tuple[str, ...] = ()
    object_properties: tuple[str, ...] = ()
    data_properties: tuple[str, ...] = ()
    individuals: tuple[str, ...] = ()
    datatypes: tuple[str, ...] = ()
    annotation_properties: tuple[str, ...] = ()


def walk(value: object) -> Iterator[object]:
    """Yield every model value inside an axiom or expression, itself included, however deep, in no promised order."""
    stack = [value]
    while stack:
        node = stack.pop()
        parts = PARTS.get(type(node))
        if parts is not None:
            yield node
            stack.extend([getattr(node, name) for name in parts])
        elif isinstance(node, tuple):
            stack.extend(node)


def collect_signature(axioms: Iterable[Axiom], declarations: Iterable[Entity] = ()) -> Signature:
    """Return the names that are declared or used in logical axioms."""
    kinds = (Class, ObjectProperty, DataProperty, NamedIndividual, Datatype, AnnotationProperty)
    seen: dict[type, set[str]] = {kind: set() for kind in kinds}
    for entity in declarations:
        seen[type(entity)].add(entity.iri)
    for axiom in axioms:
        for node in walk(axiom):
            if isinstance(node, kinds):
                seen[type(node)].add(node.iri)
    return Signature(*(tuple(sorted(seen[kind] - BUILT_IN)) for kind in kinds))
