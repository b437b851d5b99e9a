"""The entities of axioms, by their kinds."""

from __future__ import annotations

from collections.abc import Iterable

from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    AnnotationProperty,
    Class,
    DataProperty,
    Datatype,
    Entity,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.model.signature import collect_signature


def entities_of(axioms: Iterable[Axiom], declared: Iterable[Entity]) -> list[Entity]:
    """Return the entities of axioms, and others that are declared, each once."""
    signature = collect_signature(tuple(axioms), tuple(declared))
    return [
        *map(Class, signature.classes),
        *map(ObjectProperty, signature.object_properties),
        *map(DataProperty, signature.data_properties),
        *map(NamedIndividual, signature.individuals),
        *map(Datatype, signature.datatypes),
        *map(AnnotationProperty, signature.annotation_properties),
    ]
