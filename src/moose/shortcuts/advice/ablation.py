"""What each axiom and each clause of the closure is good for: how many maps there would be without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from moose.grounding.clauses import Clauses, Origin, pack
from moose.grounding.encodings.family_closure import family_profiles
from moose.grounding.ground import ground
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model.expressions import Class, Entity, ObjectProperty
from moose.owl.names import Names
from moose.owl.profile.check_profile import check_profile
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.answers.closure import saturate
from moose.shortcuts.count.find_shortcuts import NO_END, ONE_FOR_ALL, Effort, count_maps, solve
from moose.shortcuts.problem.options import Encoder, Showing
from moose.shortcuts.problem.problem import Problem, ShownTask, make_problem
from moose.shortcuts.problem.worlds import restrict

CLOSURE = (Origin.MUTEX, Origin.COVER, Origin.PROFILE, Origin.ONLY)


@dataclass(frozen=True, slots=True)
class Ablation:
    """Something that predictions are held against, and how many maps there would be without it."""

    kind: str
    """`component`, `clause` or `axiom`."""
    name: str
    maps: int
    removes: int
    """How many maps it keeps out by itself."""


def ablate(task: Task, showing: Showing, *, encoder: Encoder = ONE_FOR_ALL, effort: Effort = NO_END) -> list[Ablation]:
    """Count the maps without each component of the grounding, each clause of the closure, and each axiom.

    What is true, and the evidence of it, stays as it is. Where two say the same, neither removes anything by itself.

    >>> import moose
    >>> found = ablate(moose.regime("pizzaC"), Showing(["SpicyPizza"]))
    >>> [one.name for one in found if one.removes][0]
    'SubClassOf(JalapenoPepperTopping SpicyTopping)'
    """
    problem = make_problem([ShownTask(task, showing)], encoder)
    theory = ground(task)
    counted = {clause_set(theory): solve(problem, effort).maps}
    [maps] = counted.values()
    ablations = []
    weaker = [*without_components(task), *without_clauses(theory), *without_axioms(task)]
    for index, (kind, name, clauses) in enumerate(weaker):
        if effort.progress is not None:
            effort.progress(f"counting without {name}", index / len(weaker))
        key = clause_set(clauses)
        if key not in counted:
            counted[key] = count_maps(held_against(problem, clauses), effort)
        ablations.append(Ablation(kind, name, counted[key], counted[key] - maps))
    return ablations


def held_against(problem: Problem, theory: Clauses) -> Problem:
    """Return the same problem with predictions held against a weaker theory, which connects no more individuals."""
    parts = tuple(replace(part, theory=restrict(theory, part.individuals)) for part in problem.parts)
    assert sum(len(part.theory) for part in parts) == len(theory), "a weaker theory connects what was apart"
    return replace(problem, parts=parts)


def without_components(task: Task) -> Iterator[tuple[str, str, Clauses]]:
    """Ground a task without each component that is on."""
    for name in Components().narrowed(task.closure).names:
        if not concerned(task, name):
            continue
        yield "component", name, ground(task, components=Components.without(name))


def concerned(task: Task, component: str) -> bool:
    """Return whether a task has what a component speaks of."""
    if component == "outside_el":
        return bool(task.as_clauses)
    return bool(task.role_predicates if component.endswith("links") else task.families)


def without_clauses(theory: Clauses) -> Iterator[tuple[str, str, Clauses]]:
    """Leave out each clause of the closure, at all individuals together."""
    alike: dict[tuple[str, ...], list[int]] = {}
    for index, origin in enumerate(theory.origins.tolist()):
        if origin in CLOSURE:
            literals = theory.clause(index)
            names = tuple("not " * (one < 0) + theory.atoms[abs(one) - 1].predicate for one in literals)
            alike.setdefault(names, []).append(index)
    for indices in alike.values():
        left_out = set(indices)
        kept = [index for index in range(len(theory)) if index not in left_out]
        flat, starts = pack(theory.clause(index) for index in kept)
        text = theory.clause_text(theory.clause(indices[0]))
        yield "clause", text, replace(theory, literals=flat, starts=starts, origins=theory.origins[kept])


def without_axioms(task: Task) -> Iterator[tuple[str, str, Clauses]]:
    """Ground a task without each axiom of its ontology; what the closure says of families stays as it is."""
    ontology = task.ontology
    display = Names(ontology).display
    # Names stay declared, even where no other axiom mentions them.
    used: list[Entity] = [*map(Class, ontology.classes), *map(ObjectProperty, ontology.object_properties)]
    entities: tuple[Entity, ...] = tuple(dict.fromkeys((*ontology.declarations, *used)))
    profiles = known_profiles(task)
    for axiom in ontology.axioms:
        axioms = tuple(one for one in ontology.axioms if one is not axiom)
        weaker = replace(ontology, axioms=axioms, profile=check_profile(axioms), declarations=entities)
        yield "axiom", render(axiom, display), ground(replace(task, ontology=weaker, profiles=profiles))


def known_profiles(task: Task) -> dict[str, dict[str, bool]]:
    """Return the profiles of the members of families, as the whole ontology has them."""
    closure = saturate(task.ontology)
    names = [concept.name for concept in task.concepts]
    return {
        names[member]: {names[prop]: holds for prop, holds in profile}
        for family, owners in zip(task.families, task.has_family.T)
        for member, profile in family_profiles(task, closure, family, int(owners.argmax())).items()
    }


def clause_set(theory: Clauses) -> frozenset[object]:
    """Return what a theory says, whatever the order."""
    rows = (frozenset((theory.atoms[abs(literal) - 1], literal > 0) for literal in clause) for clause in theory)
    return frozenset([*rows, *theory.fixed.items()])
