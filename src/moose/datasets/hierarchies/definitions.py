"""Terms that are never labelled and are reached by their definitions: C ≡ D ⊓ ∃part_of.P, from the Gene Ontology.

Each restriction of a definition gets a name and becomes a concept of the task. Genes are annotated with the process or
component P as well, and that is the label of ∃part_of.P; of C itself, and of what stands below it, nothing is said.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from moose.datasets.hierarchies.hierarchy import Hierarchy, Signs, ancestors, make_hierarchy, spread_up
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.names import short_name
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.saturation.answers.taxonomy import classify

ROLES = {"BFO_0000050": "part_of", "BFO_0000051": "has_part", "BFO_0000066": "occurs_in"}
"""What the relations of definitions are called."""
RESTRICTION_IRI = "urn:moose:"
TERM = "GO:"
"""How the name of a term begins; that of a restriction does not."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """∃role.filler, with a name."""

    role: str
    filler: str

    @property
    def name(self) -> str:
        """Such as part_of_GO_0060078."""
        role = short_name(self.role)
        return f"{ROLES.get(role, role)}_{short_name(self.filler)}"

    @property
    def expression(self) -> ObjectSomeValuesFrom:
        """The restriction in OWL."""
        return ObjectSomeValuesFrom(ObjectProperty(self.role), Class(self.filler))


@dataclass(frozen=True, slots=True)
class Definition:
    """term ≡ genus ⊓ … ⊓ restriction ⊓ …, all by IRI."""

    term: str
    genus: tuple[str, ...]
    restrictions: tuple[Restriction, ...]

    @property
    def axiom(self) -> ax.EquivalentClasses:
        """The definition in OWL."""
        parts: list[ClassExpression] = [*map(Class, self.genus), *(one.expression for one in self.restrictions)]
        return ax.EquivalentClasses((Class(self.term), ObjectIntersectionOf(tuple(parts))))


def find_definitions(ontology: Ontology, terms: Collection[str], root: str) -> list[Definition]:
    """Return the definitions of some terms by others and by restrictions, sorted; the root in them says nothing."""
    found: dict[str, Definition] = {}
    for axiom in ontology.axioms:
        if not isinstance(axiom, ax.EquivalentClasses) or len(axiom.operands) != 2:
            continue
        term, meaning = sorted(axiom.operands, key=lambda one: not isinstance(one, Class))
        if isinstance(term, Class) and term.iri in terms and isinstance(meaning, ObjectIntersectionOf):
            definition = _read_definition(term.iri, meaning.operands, root)
            if definition is not None and set(definition.genus) <= set(terms):
                found.setdefault(term.iri, definition)
    return [found[term] for term in sorted(found)]


def _read_definition(term: str, parts: Iterable[ClassExpression], root: str) -> Definition | None:
    genus, restrictions = [], []
    for part in parts:
        if isinstance(part, Class):
            genus += [part.iri] if part.iri != root else []
        elif (
            isinstance(part, ObjectSomeValuesFrom)
            and isinstance(part.filler, Class)
            and isinstance(part.property, ObjectProperty)
        ):
            restrictions.append(Restriction(part.property.iri, part.filler.iri))
        else:
            return None
    return Definition(term, tuple(genus), tuple(restrictions)) if restrictions and genus else None


def background_axioms(ontology: Ontology, definitions: Sequence[Definition], terms: Collection[str]) -> list[ax.Axiom]:
    """Return what the ontology says of the fillers and of the terms' own restrictions: all that bears on definitions.

    The hierarchy of the terms themselves is not taken from it: labels follow that of their own date.
    """
    roles = {one.role for definition in definitions for one in definition.restrictions}
    above: dict[str, list[ax.SubClassOf]] = {}
    for axiom in ontology.axioms:
        if isinstance(axiom, ax.SubClassOf) and isinstance(axiom.sub, Class) and _above(axiom.sup, roles):
            above.setdefault(axiom.sub.iri, []).append(axiom)
    fillers = {one.filler for definition in definitions for one in definition.restrictions}
    told = [one for term in sorted(terms) for one in above.get(term, ()) if not isinstance(one.sup, Class)]
    stack = sorted({*fillers, *(target for one in told if (target := _above(one.sup, roles)))} - set(terms))
    seen = set(stack)
    while stack:
        for one in above.get(stack.pop(), ()):
            told.append(one)
            target = _above(one.sup, roles)
            if target and target not in seen and target not in terms:
                seen.add(target)
                stack.append(target)
    return [*told, *(one for one in ontology.axioms if _is_about(one, roles))]


def _above(sup: ClassExpression, roles: Collection[str]) -> str | None:
    """Return the class that something is below, or has by one of the roles."""
    if isinstance(sup, ObjectSomeValuesFrom) and isinstance(sup.property, ObjectProperty) and sup.property.iri in roles:
        sup = sup.filler
    return sup.iri if isinstance(sup, Class) else None


def _is_about(axiom: ax.Axiom, roles: Collection[str]) -> bool:
    if isinstance(axiom, ax.ObjectPropertyCharacteristic):
        named: tuple[object, ...] = (axiom.property,)
    elif isinstance(axiom, ax.SubObjectPropertyOf):
        named = (*axiom.chain, axiom.sup)
    else:
        return False
    return all(isinstance(one, ObjectProperty) and one.iri in roles for one in named)


@dataclass(frozen=True, slots=True, eq=False)
class DefinedTerms:
    """A hierarchy with restrictions among its classes, and the terms of it that definitions reach."""

    ontology: Ontology
    hierarchy: Hierarchy
    """What follows among terms and restrictions, by name."""
    definitions: tuple[tuple[int, tuple[int, ...]], ...]
    """A term and what it is the intersection of, by their places in the hierarchy."""
    restrictions: Mapping[str, str]
    """The term that is the filler of each named restriction."""
    is_unseen: NDArray[np.bool_]
    """Defined terms, and all that stand below them."""

    @property
    def unseen_names(self) -> set[str]:
        """The terms of which nothing is said."""
        return {name for name, is_unseen in zip(self.hierarchy.names, self.is_unseen.tolist()) if is_unseen}


def define_terms(
    base: Hierarchy, definitions: Sequence[Definition], background: Iterable[ax.Axiom], iri: Callable[[str], str]
) -> DefinedTerms:
    """Add the restrictions of definitions to a hierarchy, with all that follows for its classes."""
    names = {iri(name): name for name in base.names}
    restrictions = {one.name: one for definition in definitions for one in definition.restrictions}
    names |= {RESTRICTION_IRI + name: name for name in restrictions}
    classes = [Class(iri(name)) for name in base.names]
    told: list[ax.Axiom] = [
        *(ax.SubClassOf(classes[low], classes[high]) for low, highs in enumerate(base.parents) for high in highs),
        *(definition.axiom for definition in definitions),
        *(
            ax.EquivalentClasses((Class(RESTRICTION_IRI + name), one.expression))
            for name, one in sorted(restrictions.items())
        ),
        *background,
    ]
    ontology = ontology_from_axioms(dict.fromkeys(told), declarations=classes)
    taxonomy = classify(ontology)
    above = {names[low]: {names[high] for high in taxonomy.ancestors(low) if high in names} for low in names}
    direct = {low: highs.difference(*(above[high] for high in highs)) for low, highs in above.items()}
    hierarchy = make_hierarchy(above, [(low, high) for low, highs in direct.items() for high in highs])
    place = {name: number for number, name in enumerate(hierarchy.names)}
    placed = tuple(
        (
            place[names[one.term]],
            (*(place[names[genus]] for genus in one.genus), *(place[part.name] for part in one.restrictions)),
        )
        for one in definitions
    )
    is_unseen = np.zeros(len(hierarchy), dtype=bool)
    for term, _ in placed:
        is_unseen |= ancestors(hierarchy)[:, term]
    fillers = {name: short_name(one.filler).replace("_", ":", 1) for name, one in restrictions.items()}
    return DefinedTerms(ontology, hierarchy, placed, fillers, is_unseen)


def reached_labels(defined: DefinedTerms, labels: Signs) -> NDArray[np.bool_]:
    """Return row × class: what holds by the labels, the hierarchy and the definitions."""
    holds = labels.T > 0
    spread_up(defined.hierarchy, holds)
    for _ in defined.definitions:  # a defined term may be part of another definition
        before = int(holds.sum())
        for term, parts in defined.definitions:
            holds[term] |= holds[list(parts)].all(axis=0)
        spread_up(defined.hierarchy, holds)
        if int(holds.sum()) == before:
            break
    return holds.T


def consistent_labels(defined: DefinedTerms, labels: Signs) -> Signs:
    """Leave open what contradicts a definition: annotations do not keep to definitions everywhere.

    Where all parts of a definition hold and its term, or something above it, is said not to, the restrictions are left
    open; where they follow from other labels, what is said not to hold is. Labels are row × class; 0 is open.
    """
    result, above = labels.copy(), ancestors(defined.hierarchy)
    reached = reached_labels(defined, labels)
    for term, parts in defined.definitions:
        is_wrong = reached[:, list(parts)].all(axis=1) & (labels[:, above[term]] < 0).any(axis=1)
        for part in parts:
            if defined.hierarchy.names[part] in defined.restrictions:
                result[is_wrong, part] = 0
    result[reached_labels(defined, result) & (result < 0)] = 0
    return result
