"""From axioms to clauses over the atoms of a task."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clause
from moose.grounding.named_individuals.axiom_formulas import Domain, Individuals, axiom_instances
from moose.grounding.named_individuals.formulas import ClauseWriter, Formula
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, without_annotations
from moose.owl.model.nesting import shallow_enough
from moose.owl.model.signature import collect_signature
from moose.owl.names import Names
from moose.owl.syntax.functional.write_functional import render


@dataclass(frozen=True)
class NamedClauses:
    """Clauses over the atoms of a task, and over auxiliary ones that come after them."""

    clauses: Sequence[Clause]
    auxiliary: tuple[Atom, ...]


def widened(task: Task, axioms: Iterable[Axiom], roles_needed: Collection[str]) -> Task:
    """Return the task with every class, and each needed role, of some axioms observed, after what it has itself."""
    names = collect_signature(axioms)
    concepts = {concept.iri for concept in task.concepts}
    roles = {role.iri for role in task.role_predicates}
    more = [f"Class({iri})" for iri in names.classes if iri not in concepts]
    more += [f"ObjectProperty({iri})" for iri in names.object_properties if iri in roles_needed and iri not in roles]
    return replace(task, observed=[*task.observed, *more]) if more else task


def ground_axioms(
    axioms: Iterable[Axiom], task: Task, *, literal: Callable[[Atom], bool | int], atom_count: int, is_open: bool
) -> NamedClauses:
    """Write axioms as clauses; the task has all their classes and individuals, and the roles that may join these.

    `literal` gives the number, or the truth, of an atom of the task; auxiliary atoms come after the last of them.
    """
    auxiliary: list[Atom] = []
    label: list[tuple[str, Individuals]] = [("", ())]
    counts: dict[tuple[str, Individuals], int] = {}

    def fresh() -> int:
        text, individuals = label[0]
        counts[label[0]] = number = counts.get(label[0], 0) + 1
        auxiliary.append(Atom(f"part {number} of {text}", individuals))
        return atom_count + len(auxiliary)

    domain = domain_of(task, literal, is_open=is_open)
    writer = ClauseWriter(fresh)
    display = Names(task.ontology).display
    with shallow_enough("the ontology"):
        for axiom in dict.fromkeys(map(without_annotations, axioms)):
            text = render(axiom, display)
            for individuals, formula in axiom_instances(axiom, domain):
                label[0] = text, individuals
                writer.write(formula)
    return NamedClauses(list(writer.clauses), tuple(auxiliary))


def domain_of(task: Task, literal: Callable[[Atom], bool | int], *, is_open: bool) -> Domain:
    """Return the individuals of a task, with its atoms by the IRIs of their predicates."""
    concepts = {concept.iri: concept.name for concept in task.concepts}
    roles = {role.iri: role.name for role in task.role_predicates}

    def atom(iri: str, individuals: Individuals) -> Formula:
        if len(individuals) == 1:
            return literal(Atom(concepts[iri], individuals))
        return iri in roles and literal(Atom(roles[iri], individuals))

    named = {iri: name for name, iri in task.iris.items() if iri is not None}
    return Domain(task.individuals, named, atom, is_open)
