"""The entailed encoding (option `full`): every ground clause that the ontology entails, the Links reading, and Φ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from moose.base.errors import MooseError
from moose.grounding.clauses import AtomKind, Clause, Clauses, Origin
from moose.grounding.encodings.assumption_table import assumptions_of
from moose.grounding.encodings.entailments import entailments
from moose.grounding.encodings.family_closure import closure_clauses
from moose.grounding.encodings.layout import Layout, lay_out
from moose.grounding.encodings.lifted import is_liftable, lifted_entailments
from moose.grounding.encodings.local_clauses import Sorts, at_every_individual, for_each_sort, ground_families, sorts_of
from moose.grounding.encodings.paper import link_clauses
from moose.grounding.encodings.shapes import LinkTriple, link_triples, saturated
from moose.grounding.evidence import shortened
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.saturation.recorded.horn import FALSUM, HornClause, eliminate


def ground_entailed(task: Task, components: Components, *, pin_roles: bool) -> Clauses:
    """Ground a task so that, without Links and Φ, evidence entails just what the reasoner derives from it."""
    closure = saturated(task)
    layout = lay_out(task, pin_roles=pin_roles, has_loops=True)
    links = link_triples(task, closure)
    alike: list[HornClause] = []
    if is_liftable(task):
        alike, entailed = lifted_entailments(task, layout)
    else:
        entailed = entailments(task, layout)
    if (frozenset(), FALSUM) in entailed.clauses:
        raise contradiction(task)
    sorts = sorts_of(task)
    local, joining = without_absent(task, sorts, alike, entailed.clauses)
    unary = [
        [*(classified(clause, concept_count=len(task.concepts)) for clause in clauses), *closed]
        for clauses, closed in zip(
            local, for_each_sort(sorts, lambda one: closure_clauses(task, closure, components, one)), strict=True
        )
    ]
    others = [classified(clause, concept_count=len(task.concepts)) for clause in joining]
    others += link_clauses(layout, links, components)
    others += facts(task, layout)
    repeated = at_every_individual(task, sorts, unary, others)
    auxiliary = np.full(len(entailed.auxiliary), AtomKind.AUXILIARY, dtype=np.int8)
    has_profiles = any(origin in (Origin.PROFILE, Origin.ONLY) for clauses in unary for origin, _ in clauses)
    return Clauses(
        atoms=(*layout.atoms, *entailed.auxiliary),
        kinds=np.concatenate([layout.kinds, auxiliary]),
        literals=repeated.literals,
        starts=repeated.starts,
        origins=np.array(repeated.origins, dtype=np.int8),
        fixed=layout.fixed,
        given=() if pin_roles else known_pairs(task, layout),
        families=ground_families(task),
        assumptions=assumptions_of(
            task, components, pinned=sorted(task.edges), links=used_links(links, others), has_profiles=has_profiles
        ),
        closed_roles=layout.closed_roles,
    )


def without_absent(
    task: Task, sorts: Sorts, alike: list[HornClause], joining: list[HornClause]
) -> tuple[list[list[HornClause]], list[HornClause]]:
    """Do without the concepts that a kind lacks, as without any that the task does not declare.

    In: clauses over the concepts of one individual, which hold of all, and the others. Out: those of each sort, and the
    others. What goes through a concept that is left out stays: of A ⊑ B ⊑ C, without B, A ⊑ C.
    """
    width = len(task.concepts)
    if task.has_concept.all():
        return [alike], joining
    is_absent = ~task.has_concept
    joined = {divmod(atom, width) for body, head in joining for atom in (*body, head) if 0 <= atom < is_absent.size}
    shared = [(one, concept) for one, concept in joined if is_absent[one, concept]]
    if not shared:
        absent_at = [frozenset(np.flatnonzero(is_absent[first]).tolist()) for first in sorts.first]
        return [eliminate(alike, absent.__contains__) for absent in absent_at], joining
    shifted = [
        (frozenset(number * width + one for one in body), head if head == FALSUM else number * width + head)
        for number in range(len(task.individuals))
        for body, head in alike
    ]
    everywhere = frozenset(np.flatnonzero(is_absent).tolist())
    return [[] for _ in sorts.first], eliminate([*shifted, *joining], everywhere.__contains__)


def used_links(links: Sequence[LinkTriple], clauses: Sequence[tuple[Origin, Clause]]) -> Sequence[LinkTriple]:
    """Return the links if any of them became a clause."""
    return links if any(origin in (Origin.LINK, Origin.REVERSE_LINK) for origin, _ in clauses) else []


def contradiction(task: Task) -> MooseError:
    """Say that there is nothing to compile."""
    said = shortened([*task.edges, *map(str, task.known)])
    return MooseError(
        f"expected roles and facts that fit the ontology, but its axioms and what the task says of {said} "
        "contradict each other; list other pairs, or leave the role free as observed or latent"
    )


def classified(clause: HornClause, *, concept_count: int) -> tuple[Origin, Clause]:
    """Turn a Horn clause over positions into literals, and say what shape it has."""
    body, head = clause
    literals = tuple(-(atom + 1) for atom in sorted(body))
    if not body:
        return Origin.FACT, (head + 1,)
    if head != FALSUM:
        origin = Origin.SUBSUMPTION if len(body) == 1 and is_local(body | {head}, concept_count) else Origin.ENTAILED
        return origin, (*literals, head + 1)
    if len(body) == 1:
        return Origin.UNSATISFIABLE, literals
    return Origin.DISJOINTNESS if is_local(body, concept_count) else Origin.ENTAILED, literals


def is_local(atoms: frozenset[int], concept_count: int) -> bool:
    """Return whether atoms are concepts of one individual (positions of roles come after all of these)."""
    return len({atom // concept_count for atom in atoms}) == 1 if concept_count else False


def facts(task: Task, layout: Layout) -> Iterator[tuple[Origin, Clause]]:
    """Yield the facts of a task that are about variables."""
    for atom, is_true in task.known.items():
        if not layout.is_fixed(atom):
            literal = layout.positions[atom] + 1
            yield Origin.FACT, (literal if is_true else -literal,)


def known_pairs(task: Task, layout: Layout) -> tuple[int, ...]:
    """Return the pairs of known roles, and their absence elsewhere, as literals."""
    return tuple(
        position + 1 if atom.arguments in task.edges[atom.predicate] else -(position + 1)
        for position, atom in enumerate(layout.atoms)
        if len(atom.arguments) == 2 and atom.predicate in task.edges
    )
