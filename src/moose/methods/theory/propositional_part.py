"""What an ontology says outright in concepts alone: A ⊑ B, A ⊓ B ⊑ C, A ⊓ B ⊑ ⊥ and disjointness; or nothing at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, DisjointClasses, EquivalentClasses, SubClassOf
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    DataProperty,
    Entity,
    NamedIndividual,
    ObjectIntersectionOf,
    ObjectProperty,
)
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Profile


def stated_task(task: Task, *, closure: bool) -> Task:
    """Return the task over what its ontology says outright in concepts; with the closure of its families, or without.

    Individuals, concepts, known roles and facts are the same, so that the same examples serve.
    """
    components = task.closure if closure else ()
    return replace(task, ontology=stated_ontology(task.ontology), closure=components)


def bare_task(task: Task) -> Task:
    """Return the task over an ontology that says nothing, without closure: any evidence is possible.

    >>> import moose
    >>> len(bare_task(moose.regime("mnist2")).ontology.axioms)
    0
    """
    return replace(task, ontology=_with_axioms(task.ontology, ()), closure=())


def stated_ontology(ontology: Ontology) -> Ontology:
    """Return an ontology of NF1 and NF2 axioms alone, with all names of the one it is taken from.

    >>> import moose
    >>> len(stated_ontology(moose.regime("mnist2").ontology).axioms)
    65
    """
    return _with_axioms(ontology, [kept for axiom in ontology.profile.el_axioms for kept in propositional(axiom)])


def _with_axioms(ontology: Ontology, chosen: Sequence[Axiom]) -> Ontology:
    """Return an ontology of these axioms alone, with all names of the one it is taken from."""
    axioms, names = tuple(chosen), ontology.signature
    declared: list[Entity] = [Class(iri) for iri in names.classes]
    declared += [ObjectProperty(iri) for iri in names.object_properties]
    declared += [DataProperty(iri) for iri in names.data_properties]
    declared += [NamedIndividual(iri) for iri in names.individuals]
    return replace(ontology, axioms=axioms, profile=Profile(axioms), declarations=tuple(declared))


def propositional(axiom: Axiom) -> Iterator[Axiom]:
    """Yield what an axiom says without roles, individuals and values; nothing for one that is about these."""
    match axiom:
        case SubClassOf(sub, sup):
            yield from _inclusions(sub, sup)
        case EquivalentClasses(operands):
            for sub, sup in permutations(operands, 2):
                yield from _inclusions(sub, sup)
        case DisjointClasses(operands):
            plain = tuple(operand for operand in operands if _is_plain(operand))
            if len(plain) > 1:
                yield DisjointClasses(plain)


def _inclusions(sub: ClassExpression, sup: ClassExpression) -> Iterator[Axiom]:
    """Yield sub ⊑ A for each A that sup is a conjunction of; what else it demands is left out."""
    if _is_plain(sub):
        yield from (SubClassOf(sub, part) for part in _conjuncts(sup) if isinstance(part, Class))


def _is_plain(expression: ClassExpression) -> bool:
    return all(isinstance(part, Class) for part in _conjuncts(expression))


def _conjuncts(expression: ClassExpression) -> Iterator[ClassExpression]:
    """Yield the parts of a conjunction, from left to right and however deep it is nested."""
    waiting = [expression]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ObjectIntersectionOf):
            waiting += reversed(part.operands)
        else:
            yield part
