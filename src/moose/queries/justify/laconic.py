"""Laconic justifications: axioms cut into parts, so that only what is needed of each is left.

A ⊑ B ⊓ ∃r.(C ⊓ D) becomes A ⊑ B, A ⊑ ∃r.X, X ⊑ C, X ⊑ D with a fresh X that stands nowhere else: the same follows in
the old names, and to leave a part out is to weaken the axiom by a ⊤ in its place. So the justifications by parts, put
together again, are the laconic ones (Horridge, Parsia, Sattler 2008, *Laconic and precise justifications in OWL*).
Left-hand sides, chains and data ranges stay whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import combinations, permutations
from typing import TypeGuard

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import Ontology, ontology_from_axioms

FRESH = "urn:moose:filler:"
"""Where the names of fillers stand that axioms were cut at."""
MOST_OPERANDS = 50
"""Up to which an axiom about several things is cut into what it says of each two; there are as many as the square."""


class Parts:
    """The parts of axioms, as an ontology, and the way back."""

    def __init__(self, several: Iterable[ax.Axiom]) -> None:
        self._fresh: dict[tuple[object, ...], owl.Class] = {}
        told = [part for axiom in several for part in self._parts(axiom)]
        self.ontology: Ontology = ontology_from_axioms(told)

    def joined(self, parts: Collection[ax.Axiom]) -> tuple[ax.Axiom, ...]:
        """Put parts together: each fresh name becomes what is said of it, or ⊤."""
        said: dict[owl.Class, list[owl.ClassExpression]] = {}
        for part in parts:
            if isinstance(part, ax.SubClassOf) and is_fresh(part.sub):
                said.setdefault(part.sub, []).append(part.sup)

        def filled(concept: owl.ClassExpression) -> owl.ClassExpression:
            if isinstance(concept, owl.ObjectSomeValuesFrom) and is_fresh(concept.filler):
                inside = [filled(one) for one in said.get(concept.filler, ())]
                return owl.ObjectSomeValuesFrom(concept.property, conjunction(inside))
            return concept

        return tuple(
            told_with(part, filled(sup)) if (sup := told_of(part)) is not None else part
            for part in parts
            if not (isinstance(part, ax.SubClassOf) and is_fresh(part.sub))
        )

    def _parts(self, axiom: ax.Axiom) -> Iterator[ax.Axiom]:
        for small in simple(axiom):
            sup = told_of(small)
            if sup is None:
                yield small
            else:
                for concept in conjuncts(sup):
                    yield from self._cut(small, concept, (told_with(small, owl.THING),))

    def _cut(self, axiom: ax.Axiom, concept: owl.ClassExpression, path: tuple[object, ...]) -> Iterator[ax.Axiom]:
        """Cut C ⊑ ∃r.D at D; `path` says where C stands."""
        if isinstance(concept, owl.ObjectHasValue):
            concept = owl.ObjectSomeValuesFrom(concept.property, owl.ObjectOneOf((concept.individual,)))
        if not isinstance(concept, owl.ObjectSomeValuesFrom) or concept.filler == owl.THING:
            yield told_with(axiom, concept)
            return
        here = (*path, concept)
        fresh = self._fresh.setdefault(here, owl.Class(f"{FRESH}{len(self._fresh)}"))
        yield told_with(axiom, owl.ObjectSomeValuesFrom(concept.property, fresh))
        for part in conjuncts(concept.filler):
            yield from self._cut(ax.SubClassOf(fresh, owl.THING), part, here)


def is_fresh(concept: object) -> TypeGuard[owl.Class]:
    """Return whether a class is one that an axiom was cut at."""
    return isinstance(concept, owl.Class) and concept.iri.startswith(FRESH)


def conjuncts(concept: owl.ClassExpression) -> Iterator[owl.ClassExpression]:
    """Yield the conjuncts of a conjunction, those of conjuncts in place of these; of anything else, itself."""
    if isinstance(concept, owl.ObjectIntersectionOf):
        for operand in concept.operands:
            yield from conjuncts(operand)
    else:
        yield concept


def conjunction(parts: list[owl.ClassExpression]) -> owl.ClassExpression:
    """Return the conjunction of some expressions; of none, ⊤."""
    if len(parts) == 1:
        return parts[0]
    return owl.ObjectIntersectionOf(tuple(parts)) if parts else owl.THING


def told_of(axiom: ax.Axiom) -> owl.ClassExpression | None:
    """Return the right-hand side of an axiom that says what something is, or None."""
    match axiom:
        case ax.SubClassOf(_, sup) | ax.ClassAssertion(sup, _):
            return sup
        case ax.ObjectPropertyDomain(_, sup) | ax.ObjectPropertyRange(_, sup) | ax.DataPropertyDomain(_, sup):
            return sup
    return None


def told_with(axiom: ax.Axiom, sup: owl.ClassExpression) -> ax.Axiom:
    """Return an axiom with another right-hand side, without annotations."""
    match axiom:
        case ax.SubClassOf(sub, _):
            return ax.SubClassOf(sub, sup)
        case ax.ClassAssertion(_, individual):
            return ax.ClassAssertion(sup, individual)
        case ax.ObjectPropertyDomain(role, _):
            return ax.ObjectPropertyDomain(role, sup)
        case ax.ObjectPropertyRange(role, _):
            return ax.ObjectPropertyRange(role, sup)
        case ax.DataPropertyDomain(role, _):
            return ax.DataPropertyDomain(role, sup)
    raise AssertionError("has no right-hand side")


def simple(axiom: ax.Axiom) -> Iterator[ax.Axiom]:
    """Yield what an axiom about several things, not very many, says of each two."""
    several = getattr(axiom, "operands", getattr(axiom, "individuals", ()))
    match axiom:
        case _ if len(several) > MOST_OPERANDS:
            yield ax.without_annotations(axiom)
        case ax.EquivalentClasses(operands):
            yield from (ax.SubClassOf(one, two) for one, two in permutations(operands, 2))
        case ax.DisjointClasses(operands):
            yield from map(ax.DisjointClasses, combinations(operands, 2))
        case ax.EquivalentObjectProperties(operands):
            yield from (ax.SubObjectPropertyOf((one,), two) for one, two in permutations(operands, 2))
        case ax.EquivalentDataProperties(operands):
            yield from (ax.SubDataPropertyOf(one, two) for one, two in permutations(operands, 2))
        case ax.SameIndividual(individuals):
            yield from map(ax.SameIndividual, combinations(individuals, 2))
        case ax.DifferentIndividuals(individuals):
            yield from map(ax.DifferentIndividuals, combinations(individuals, 2))
        case _:
            yield ax.without_annotations(axiom)
