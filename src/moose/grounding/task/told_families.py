"""Families that the ontology itself declares: concepts of which, by its axioms, every individual has just one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations

from moose.grounding.atoms import Atom
from moose.grounding.task.vocabulary import ToldFamilies, Vocabulary
from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DisjointClasses,
    DisjointUnion,
    EquivalentClasses,
    SubClassOf,
)
from moose.owl.model.expressions import (
    THING,
    Class,
    ClassExpression,
    NamedIndividual,
    ObjectComplementOf,
    ObjectUnionOf,
)
from moose.owl.ontology import Ontology


def told_families(ontology: Ontology, vocabulary: Vocabulary, known: Mapping[Atom, bool]) -> ToldFamilies:
    """Return the families of latent concepts that axioms declare: a disjoint union, or a union of disjoint classes.

    They are of the individuals that are known to be in what is divided: of all if that is ⊤, else of those that a fact
    of the task or an assertion of the ontology puts there.
    """
    latent = {concept.iri: concept.name for concept in vocabulary.concepts.values() if concept.is_latent}
    covers = [
        cover
        for row in ontology.profile.outside
        for cover in covers_of(row.axiom)
        if len(set(cover[1])) > 1 and all(one.iri in latent for one in cover[1])
    ]
    if not covers:
        return {}
    apart = told_apart(ontology.axioms)
    families: ToldFamilies = {}
    for cls, members in covers:
        if all(frozenset(pair) in apart for pair in combinations(members, 2)):
            names = tuple(latent[one.iri] for one in members)
            same = next((family for family in families if set(family) == set(names)), names)
            owners = individuals_in(cls, ontology, vocabulary, known)
            families[same] = families.get(same, frozenset()) | owners
    return families


def covers_of(axiom: Axiom) -> Iterator[tuple[Class, tuple[Class, ...]]]:
    """Yield A ⊑ B ⊔ C ⊔ … of named classes, as an axiom tells it."""
    match axiom:
        case DisjointUnion(cls, operands):
            yield from cover(cls, operands)
        case SubClassOf(sub, ObjectUnionOf(operands)):
            yield from cover(sub, operands)
        case EquivalentClasses(sides):
            for side in sides:
                if isinstance(side, ObjectUnionOf):
                    for other in sides:
                        yield from cover(other, side.operands)


def cover(cls: ClassExpression, operands: Iterable[ClassExpression]) -> Iterator[tuple[Class, tuple[Class, ...]]]:
    """Yield a class and its parts, if all have names."""
    parts = tuple(dict.fromkeys(one for one in operands if isinstance(one, Class)))
    if isinstance(cls, Class) and all(isinstance(one, Class) for one in operands):
        yield cls, parts


def told_apart(axioms: Iterable[Axiom]) -> set[frozenset[Class]]:
    """Return the pairs of named classes that axioms tell disjoint."""
    apart: set[frozenset[Class]] = set()
    for axiom in axioms:
        match axiom:
            case DisjointClasses(operands) | DisjointUnion(_, operands):
                named = (one for one in operands if isinstance(one, Class))
                apart.update(map(frozenset, combinations(named, 2)))
            case SubClassOf(Class() as one, ObjectComplementOf(Class() as other)):
                apart.add(frozenset((one, other)))
    return apart


def individuals_in(
    cls: Class, ontology: Ontology, vocabulary: Vocabulary, known: Mapping[Atom, bool]
) -> frozenset[str]:
    """Return the individuals of a task that are told to be in a class."""
    everybody = frozenset(vocabulary.individuals)
    concept = vocabulary.concepts.get(cls.iri)
    inside = {name for name in everybody if concept is not None and known.get(Atom(concept.name, (name,)))}
    names = {iri: name for name, iri in vocabulary.individuals.items() if iri is not None}
    for axiom in ontology.axioms:
        match axiom:
            case SubClassOf(sub, sup) if sub == THING and sup == cls:
                return everybody
            case EquivalentClasses(operands) if THING in operands and cls in operands:
                return everybody
            case ClassAssertion(asserted, NamedIndividual(iri)) if asserted == cls and iri in names:
                inside.add(names[iri])
    return everybody if cls == THING else frozenset(inside)
