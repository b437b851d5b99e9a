"""Names that an ontology uses and nowhere declares, although it declares most: the commonest slip of the pen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from moose.owl.model.axioms import ClassAssertion
from moose.owl.model.expressions import (
    STANDARD_PREFIXES,
    Class,
    DataProperty,
    Datatype,
    NamedIndividual,
    ObjectProperty,
)
from moose.owl.names import KIND_NAMES, Names, short_name
from moose.owl.ontology import Ontology

Named = Class | ObjectProperty | DataProperty | Datatype | NamedIndividual

MOST_COMPARED_NAMES = 5
"""For how many names close ones are looked for: each is compared with up to two thousand."""


@dataclass(frozen=True, slots=True)
class UndeclaredName:
    """A name that is used as one kind of entity and not declared as such."""

    entity: Named
    other_kind: str | None = None
    """What it is declared as instead, e.g. "an individual"."""
    close: tuple[str, ...] = ()
    """Declared names that look like it, as people read them; looked for only for the first names."""

    @property
    def kind(self) -> str:
        """Return what it is used as, e.g. "a class"."""
        return KIND_NAMES[type(self.entity)]


def undeclared_names(ontology: Ontology) -> tuple[UndeclaredName, ...]:
    """Return the names that are used but not declared, those first that look like the ontology's own.

    There are none where fewer names are declared than not, or where an import that may declare them was not read. Of
    individuals, which OWL 2 lets be used without a declaration, those count that no class is asserted of either.

    >>> from moose.owl.make import make_ontology
    >>> told = ["Wheel SubClassOf hasPart some Tire"]
    >>> declared = [Class("Wheel"), Class("Tyre"), ObjectProperty("hasPart")]
    >>> [(name.entity.iri, name.close) for name in undeclared_names(make_ontology(told, declarations=declared))]
    [('Tire', ('Tyre',))]
    """
    if not ontology.declarations or ontology.ignored_imports:
        return ()
    declared: dict[type, set[str]] = {kind: set() for kind in KIND_NAMES}
    for entity in ontology.declarations:
        declared[type(entity)].add(entity.iri)
    found = [*_logical(ontology, declared), *_individuals(ontology, declared)]
    if not found:
        return ()
    own = {_namespace(entity.iri) for entity in ontology.declarations}
    found.sort(key=lambda entity: _namespace(entity.iri) not in own)
    # The same names and labels, of what is declared alone.
    known = Names(replace(ontology, axioms=()))
    return tuple(
        UndeclaredName(entity, _other_kind(entity, declared), _close(known, entity, position))
        for position, entity in enumerate(found)
    )


BUILT_IN_NAMESPACES = tuple(STANDARD_PREFIXES.values())


def _logical(ontology: Ontology, declared: dict[type, set[str]]) -> list[Named]:
    """Return the undeclared classes, properties and datatypes, if fewer than are declared."""
    signature = ontology.signature
    used: dict[type[Named], tuple[str, ...]] = {
        Class: signature.classes,
        ObjectProperty: signature.object_properties,
        DataProperty: signature.data_properties,
        Datatype: signature.datatypes,
    }
    found = [kind(iri) for kind, iris in used.items() for iri in iris if iri not in declared[kind]]
    found = [entity for entity in found if not entity.iri.startswith(BUILT_IN_NAMESPACES)]
    return found if len(found) < sum(len(declared[kind]) for kind in used) else []


def _individuals(ontology: Ontology, declared: dict[type, set[str]]) -> list[Named]:
    """Return the individuals that are neither declared nor asserted to be of a class, if fewer than are declared."""
    known = declared[NamedIndividual]
    if not known or known.issuperset(ontology.individuals):
        return []
    typed = {axiom.individual for axiom in ontology.axioms if isinstance(axiom, ClassAssertion)}
    unknown = [NamedIndividual(iri) for iri in ontology.individuals if iri not in known]
    found: list[Named] = [entity for entity in unknown if entity not in typed]
    return found if len(found) < len(known) else []


def _namespace(iri: str) -> str:
    return iri.removesuffix(short_name(iri))


def _other_kind(entity: Named, declared: dict[type, set[str]]) -> str | None:
    return next((name for kind, name in KIND_NAMES.items() if entity.iri in declared[kind]), None)


def _close(known: Names, entity: Named, position: int) -> tuple[str, ...]:
    return tuple(known.close(type(entity), f"<{entity.iri}>")) if position < MOST_COMPARED_NAMES else ()
