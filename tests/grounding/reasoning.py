"""What the reasoner says of individuals, to hold against what a grounding says."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, ClassAssertion, ObjectPropertyAssertion
from moose.owl.model.expressions import Class, NamedIndividual, ObjectProperty
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.saturation.answers.realise import realise
from moose.saturation.recorded.horn import FALSUM, HornClause
from tests.saturation.random_ontologies import CLASSES, INDIVIDUALS, NAMESPACE, ROLES

NOTHING_ASSUMED = Components.just()


def short(iri: str) -> str:
    """Return the name at the end of an IRI."""
    return iri.removeprefix(NAMESPACE)


def make(axioms: Iterable[Axiom], individuals: Iterable[NamedIndividual]) -> Ontology:
    """Make an ontology that knows the classes and roles of the random ones, and these individuals."""
    return ontology_from_axioms(axioms, declarations=(*CLASSES, *ROLES, *individuals))


def draw_task(source: random.Random, axioms: Sequence[Axiom], *, fresh: bool) -> Task:
    """Choose what a task speaks of; individuals that the ontology does not declare where they are to be fresh."""
    ontology = make(axioms, () if fresh else INDIVIDUALS)
    names = [short(one.iri) + "_new" * fresh for one in source.sample(INDIVIDUALS, source.randint(1, 3))]
    concepts = source.sample(CLASSES, source.randint(1, 5))
    roles = source.sample(ROLES, source.randint(0, 2))
    words = [*(short(one.iri) for one in concepts), *(short(one.iri) for one in roles)]
    return Task(ontology, names, words, [])


def entailed_atoms(task: Task, atoms: Sequence[Atom], evidence: Iterable[Atom]) -> set[Atom] | None:
    """Ask the reasoner which atoms follow from positive evidence; None for a contradiction."""
    individuals = [NamedIndividual(NAMESPACE + name) for name in task.individuals]
    known = [NamedIndividual(iri) for iri in task.ontology.individuals]
    realisation = realise(make([*task.ontology.axioms, *map(asserted, evidence)], [*known, *individuals]))
    if not realisation.is_consistent:
        return None
    types = {(short(cls), (short(one),)) for one, cls in realisation.types()}
    roles = {(short(role), (short(one), short(other))) for one, role, other in realisation.role_assertions()}
    return {atom for atom in atoms if (atom.predicate, atom.arguments) in types | roles}


def asserted(atom: Atom) -> Axiom:
    """Turn an atom into an assertion."""
    one, *other = (NamedIndividual(NAMESPACE + name) for name in atom.arguments)
    if other:
        return ObjectPropertyAssertion(ObjectProperty(NAMESPACE + atom.predicate), one, other[0])
    return ClassAssertion(Class(NAMESPACE + atom.predicate), one)


def task_atoms(clauses: Clauses) -> list[Atom]:
    """Return the atoms that are not auxiliary."""
    return [atom for atom, kind in zip(clauses.atoms, clauses.kinds, strict=True) if kind != AtomKind.AUXILIARY]


def as_horn(clauses: Clauses) -> list[HornClause]:
    """Read clauses with at most one positive literal as body and head."""
    found = []
    for clause in clauses:
        heads = [literal - 1 for literal in clause if literal > 0]
        assert len(heads) <= 1
        found.append((frozenset(-literal - 1 for literal in clause if literal < 0), heads[0] if heads else FALSUM))
    return found


def ground_entailed(task: Task) -> Clauses:
    """Ground a task with nothing assumed beyond the ontology."""
    return ground(task, components=NOTHING_ASSUMED)
