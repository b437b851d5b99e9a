"""The entailed encoding (option `full`): every ground clause that the ontology entails, the Links reading, and Φ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from moose.base.errors import MooseError
from moose.grounding.clauses import AtomKind, Clauses, Origin, pack
from moose.grounding.encodings.assumption_table import assumptions_of
from moose.grounding.encodings.entailments import entailments
from moose.grounding.encodings.family_closure import Clause, closure_clauses
from moose.grounding.encodings.layout import Layout, lay_out
from moose.grounding.encodings.lifted import is_liftable, lifted_entailments
from moose.grounding.encodings.paper import at_every_individual, ground_families, link_clauses
from moose.grounding.encodings.shapes import LinkTriple, link_triples, saturated
from moose.grounding.evidence import shortened
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.saturation.recorded.horn import FALSUM, HornClause


def ground_entailed(task: Task, components: Components, *, pin_roles: bool) -> Clauses:
    """Ground a task so that, without Links and Φ, evidence entails just what the reasoner derives from it."""
    closure = saturated(task)
    layout = lay_out(task, pin_roles=pin_roles, has_loops=True)
    links = link_triples(task, closure)
    unary: list[tuple[Origin, Clause]] = []
    if is_liftable(task):
        alike, entailed = lifted_entailments(task, layout)
        unary += [classified(clause, concept_count=len(task.concepts)) for clause in alike]
    else:
        entailed = entailments(task, layout)
    if (frozenset(), FALSUM) in entailed.clauses:
        raise contradiction(task)
    unary += closure_clauses(task, closure, components)
    others = [classified(clause, concept_count=len(task.concepts)) for clause in entailed.clauses]
    others += link_clauses(layout, links, components)
    others += facts(task, layout)
    literals, starts = at_every_individual(task, [clause for _, clause in unary], pack(clause for _, clause in others))
    origins = [origin for origin, _ in unary] * len(task.individuals) + [origin for origin, _ in others]
    auxiliary = np.full(len(entailed.auxiliary), AtomKind.AUXILIARY, dtype=np.int8)
    has_profiles = any(origin == Origin.PROFILE for origin, _ in unary)
    return Clauses(
        atoms=(*layout.atoms, *entailed.auxiliary),
        kinds=np.concatenate([layout.kinds, auxiliary]),
        literals=literals,
        starts=starts,
        origins=np.array(origins, dtype=np.int8),
        fixed=layout.fixed,
        given=() if pin_roles else known_pairs(task, layout),
        families=ground_families(task),
        assumptions=assumptions_of(
            task, components, pinned=sorted(task.edges), links=used_links(links, others), has_profiles=has_profiles
        ),
        closed_roles=layout.closed_roles,
    )


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
