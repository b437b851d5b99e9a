"""The paper's extractors: what a closure says in shapes over the named concepts and roles of a task.

Concepts and roles are numbered as in `task.concepts` and `task.role_predicates`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from moose.base.errors import InconsistentOntology
from moose.grounding.task.task import Task
from moose.owl.model.expressions import ObjectProperty
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.answers.closure import Closure, closure_of_form, saturate


@dataclass(frozen=True, slots=True)
class LinkTriple:
    """A ⊑ ∃R.B, derived for named A and B."""

    source: int
    role: int
    target: int
    is_single: bool
    """A has no other R-link, so that the reverse clause is deterministic."""


def saturated(task: Task) -> Closure:
    """Saturate the ontology of a task, which must have a model."""
    closure = saturate(task.ontology)
    if not closure.is_consistent:
        raise InconsistentOntology("the ontology is inconsistent, so everything follows and nothing can be grounded")
    return closure


def concept_numbers(task: Task, form: NormalForm) -> dict[int, int]:
    """Return the position in the task of each concept of the normal form that it declares."""
    numbered = ((form.class_number(predicate.iri), position) for position, predicate in enumerate(task.concepts))
    return {number: position for number, position in numbered if number is not None}


def role_numbers(task: Task, form: NormalForm) -> dict[int, int]:
    """Return the position in the task of each role of the normal form that it declares."""
    numbers = {role: number for number, role in enumerate(form.roles)}
    numbered = ((numbers.get(ObjectProperty(role.iri)), position) for position, role in enumerate(task.role_predicates))
    return {number: position for number, position in numbered if number is not None}


def atomic_subsumptions(task: Task, closure: Closure) -> list[tuple[int, int]]:
    """AtomSub: every derived A ⊑ B between two concepts of the task."""
    positions = concept_numbers(task, closure.form)
    pairs = (
        (position, positions[int(sup)])
        for number, position in positions.items()
        for sup in closure.world_of(number).subsumers(number)
        if sup != number and int(sup) in positions
    )
    return sorted(pairs)


def impossible_concepts(task: Task) -> tuple[str, ...]:
    """Return the concepts of a task that are unsatisfiable by the ontology; none are if that has no model at all."""
    closure = saturate(task.ontology)
    found = unsatisfiable_concepts(task, closure) if closure.is_consistent else []
    return tuple(task.concepts[position].name for position in found)


def unsatisfiable_concepts(task: Task, closure: Closure) -> list[int]:
    """Unsat: every concept of the task that is below ⊥."""
    numbers = concept_numbers(task, closure.form)
    return sorted(position for number, position in numbers.items() if not closure.is_satisfiable(number))


def atomic_disjointness(task: Task, closure: Closure) -> list[tuple[int, ...]]:
    """Disj: every A₁ ⊓ … ⊓ Aₙ ⊑ ⊥, told or derived, over two or more concepts of the task, flat."""
    form = closure.form
    positions = concept_numbers(task, form)
    disjoint: dict[tuple[int, ...], None] = {}
    for conjuncts in told_apart(task, closure):
        flat = {part for concept in conjuncts for part in flatten(form, concept)}
        if len(flat) > 1 and flat <= positions.keys():
            disjoint[tuple(sorted(positions[part] for part in flat))] = None
    return sorted(disjoint, key=lambda members: (len(members), members))


def told_apart(task: Task, closure: Closure) -> Iterator[tuple[int, ...]]:
    """Yield concepts that share no element: told disjoint, or a conjunction of the ontology that is below ⊥."""
    form = closure.form
    for members, _ in form.disjoint:
        yield from combinations(members, 2)
    named = set(concept_numbers(task, form))
    conjunctions = np.flatnonzero(form.kinds == Kind.CONJUNCTION).tolist()
    ours = [concept for concept in conjunctions if named.issuperset(flatten(form, concept))]
    if ours:
        beside = closure_of_form(form, roots=ours)
        yield from ((concept,) for concept in ours if not beside.is_satisfiable(concept))


def flatten(form: NormalForm, concept: int) -> Iterator[int]:
    """Yield the conjuncts of a concept, however they are nested."""
    if form.kinds[concept] == Kind.CONJUNCTION:
        yield from flatten(form, int(form.first[concept]))
        yield from flatten(form, int(form.second[concept]))
    else:
        yield concept


def link_triples(task: Task, closure: Closure) -> list[LinkTriple]:
    """Links: every derived A → R → B between two concepts of the task, by a role of the task."""
    concepts, roles = concept_numbers(task, closure.form), role_numbers(task, closure.form)
    fillers = named_fillers(closure.form)
    targets: dict[tuple[int, int], set[int]] = {}
    for number, position in concepts.items():
        for role, target in zip(*closure.world_of(number).links_from(number), strict=True):
            above = np.flatnonzero(closure.form.is_subrole[role]).tolist()
            for sup, filler in product(above, fillers.get(int(target), [int(target)])):
                if sup in roles and filler in concepts:
                    targets.setdefault((roles[sup], position), set()).add(concepts[filler])
    return [
        LinkTriple(source, role, target, is_single=len(linked) == 1)
        for (role, source), linked in sorted(targets.items())
        for target in sorted(linked)
    ]


def named_fillers(form: NormalForm) -> dict[int, list[int]]:
    """Return the fillers that the target of a link was made of: a link to D ⊓ the ranges of r is one to D."""
    fillers: dict[int, list[int]] = {}
    for some in np.flatnonzero(form.some_target >= 0).tolist():
        target, filler = int(form.some_target[some]), int(form.second[some])
        if target != filler:
            fillers.setdefault(target, [target]).append(filler)
    return fillers
