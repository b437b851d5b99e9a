"""The names that axioms use, by kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain
from operator import attrgetter
from typing import cast, get_args

from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY_IRI,
    BOTTOM_OBJECT_PROPERTY_IRI,
    NOTHING_IRI,
    THING_IRI,
    TOP_DATA_PROPERTY_IRI,
    TOP_OBJECT_PROPERTY_IRI,
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
        THING_IRI,
        NOTHING_IRI,
        TOP_OBJECT_PROPERTY_IRI,
        BOTTOM_OBJECT_PROPERTY_IRI,
        TOP_DATA_PROPERTY_IRI,
        BOTTOM_DATA_PROPERTY_IRI,
    ]
)

KINDS: tuple[type, ...] = (Class, ObjectProperty, DataProperty, NamedIndividual, Datatype, AnnotationProperty)
LEAVES: tuple[type, ...] = (*get_args(Entity), AnonymousIndividual, Literal)
NODES: tuple[type, ...] = (*get_args(Axiom), *get_args(ClassExpression), *get_args(DataRange), ObjectInverseOf)
# The fields of each kind of value that can hold others; annotations have no logical meaning.
PARTS: dict[type, tuple[str, ...]] = {
    **{
        kind: tuple(field.name for field in fields(kind) if field.name not in ("annotations", "negative"))
        for kind in NODES
    },
    **dict.fromkeys(LEAVES, ()),
}


@dataclass(frozen=True, slots=True)
class Signature:
    """Sorted IRIs of each kind of entity, in the order of `KINDS`, without those that OWL 2 reserves."""

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
    # Level by level, the values of each kind together: half the time of `walk` on a hundred thousand axioms.
    seen: dict[type, set[str]] = {kind: set() for kind in KINDS}
    level: list[object] = [*axioms, *declarations]
    while level:
        by_kind: defaultdict[type, list[object]] = defaultdict(list)
        for value in level:
            by_kind[type(value)].append(value)
        level = []
        for kind, values in by_kind.items():
            if kind in seen:
                seen[kind].update(map(attrgetter("iri"), values))
            elif kind is tuple:
                level.extend(chain.from_iterable(cast("list[tuple[object, ...]]", values)))
            else:
                for part in PARTS.get(kind, ()):
                    # Readers keep one object for one entity: of a million links, most ends are seen here once.
                    column = [*map(attrgetter(part), values)]
                    level.extend(dict(zip(map(id, column), column, strict=True)).values())
    return Signature(*(tuple(sorted(seen[kind] - BUILT_IN)) for kind in KINDS))
