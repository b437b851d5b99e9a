"""The entailed encoding (option `full`): every ground clause that the ontology entails, the Links reading, and Φ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from moose.base.errors import MooseError
from moose.base.suggestions import shortened
from moose.grounding.clauses import AtomKind, Clause, Clauses, Origin
from moose.grounding.encodings.assumption_table import Used, assumptions_of
from moose.grounding.encodings.entailments import entailments
from moose.grounding.encodings.family_closure import closure_clauses
from moose.grounding.encodings.layout import Layout, lay_out
from moose.grounding.encodings.lifted import is_liftable, lifted_entailments
from moose.grounding.encodings.local_clauses import (
    Repeated,
    Sorts,
    at_every_individual,
    for_each_sort,
    ground_families,
    sorts_of,
)
from moose.grounding.encodings.paper import link_clauses
from moose.grounding.encodings.shapes import LinkTriple, link_triples, saturated
from moose.grounding.named_individuals.ground_axioms import ground_axioms, widened
from moose.grounding.named_individuals.joined_pairs import Matrix, joined_pairs
from moose.grounding.task.axioms_over_names import is_over_names
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom
from moose.owl.model.signature import collect_signature
from moose.owl.modules.unused import axioms_for_names
from moose.saturation.recorded.horn import FALSUM, HornClause, eliminate


def ground_entailed(task: Task, components: Components, *, pin_roles: bool) -> Clauses:
    """Ground a task so that, without Links, Φ and axioms outside EL, evidence entails just what the reasoner derives.

    Axioms that are read over the named individuals may speak of what the task does not declare. It is grounded with
    that as if it were declared, and then numbered anew: what was added comes last, and is auxiliary.
    """
    axioms = axioms_over_names(task, components)
    pairs = joined_pairs(task, pin_roles=pin_roles) if axioms and not components.closed_domain else {}
    wide = widened(task, axioms, [role for role in task.ontology.object_properties if is_joining(pairs, role)])
    layout = lay_out(wide, pin_roles=pin_roles, has_loops=True, sparse=sparse_roles(task, wide, pairs))
    clauses = ground_wide(task, layout, axioms, components)
    return clauses if wide is task else narrowed(clauses, lay_out(task, pin_roles=pin_roles, has_loops=True))


def is_joining(pairs: Mapping[str, Matrix], role: str) -> bool:
    """Return whether a role may join some pair; it may join any if nothing is said of it, as in a closed domain."""
    return role not in pairs or bool(pairs[role].any())


def sparse_roles(task: Task, wide: Task, pairs: Mapping[str, Matrix]) -> dict[str, frozenset[tuple[str, str]]]:
    """Return the pairs of roles that a wider task adds, where these are not all."""
    own = {role.iri for role in task.role_predicates}
    names = task.individuals
    return {
        role.name: frozenset((names[one], names[other]) for one, other in np.argwhere(pairs[role.iri]).tolist())
        for role in wide.role_predicates
        if role.iri not in own and role.iri in pairs and not pairs[role.iri].all()
    }


def axioms_over_names(task: Task, components: Components) -> tuple[Axiom, ...]:
    """Return the axioms to be read over the named individuals: those outside OWL 2 EL, or all that can matter."""
    if components.closed_domain:
        known = {iri for iri in task.iris.values() if iri is not None}
        return tuple(axiom for axiom in axioms_for_names(task.ontology, task.names) if is_over_names(axiom, known))
    return tuple(row.axiom for row in task.as_clauses) if components.outside_el else ()


def narrowed(clauses: Clauses, layout: Layout) -> Clauses:
    """Number the atoms of a layout first, as it does, and make the others auxiliary."""
    others = [atom for atom in clauses.atoms if atom not in layout.positions]
    atoms = (*layout.atoms, *others)
    numbers = {atom: number for number, atom in enumerate(atoms, start=1)}
    new = np.array([0, *(numbers[atom] for atom in clauses.atoms)], dtype=np.int32)
    auxiliary = np.full(len(others), AtomKind.AUXILIARY, dtype=np.int8)
    return replace(
        clauses,
        atoms=atoms,
        kinds=np.concatenate([layout.kinds, auxiliary]),
        literals=np.sign(clauses.literals) * new[np.abs(clauses.literals)],
        given=tuple(int(np.sign(one) * new[abs(one)]) for one in clauses.given),
        families=tuple(tuple(int(new[one + 1]) - 1 for one in family) for family in clauses.families),
    )


def ground_wide(task: Task, layout: Layout, axioms: Sequence[Axiom], components: Components) -> Clauses:
    """Ground a task in the layout of a wider one, which has all that some axioms over named individuals speak of.

    Links and Φ are the task's own: what was added takes no part in them.
    """
    closure, wide = saturated(task), layout.task
    links = link_triples(task, closure)
    alike: list[HornClause] = []
    if is_liftable(wide):
        alike, entailed = lifted_entailments(wide, layout)
    else:
        entailed = entailments(wide, layout, are_different=bool(axioms))
    atom_count = len(layout.atoms) + len(entailed.auxiliary)
    closed = ground_axioms(
        axioms, wide, literal=layout.literal, atom_count=atom_count, is_open=not components.closed_domain
    )
    if (frozenset(), FALSUM) in entailed.clauses or () in closed.clauses:
        raise contradiction(task, are_axioms_read=() in closed.clauses)
    sorts = sorts_of(wide)
    local, joining = without_absent(wide, sorts, alike, entailed.clauses, kept=collect_signature(axioms).classes)
    families = for_each_sort(sorts, lambda one: closure_clauses(task, closure, components, one))
    concept_count = layout.concept_count
    unary = [
        [*(classified(clause, concept_count=concept_count) for clause in clauses), *closing]
        for clauses, closing in zip(local, families, strict=True)
    ]
    others = [classified(clause, concept_count=concept_count) for clause in joining]
    others += link_clauses(layout, [in_wider(link, task, wide) for link in links], components)
    others += facts(wide, layout)
    repeated = at_every_individual(wide, sorts, unary, others)
    if closed.clauses:
        others += ((Origin.NAMED_INDIVIDUALS, clause) for clause in not_said(closed.clauses, repeated))
        repeated = at_every_individual(wide, sorts, unary, others)
    auxiliary = (*entailed.auxiliary, *closed.auxiliary)
    has_profiles = any(origin in (Origin.PROFILE, Origin.ONLY) for clauses in unary for origin, _ in clauses)
    return Clauses(
        atoms=(*layout.atoms, *auxiliary),
        kinds=np.concatenate([layout.kinds, np.full(len(auxiliary), AtomKind.AUXILIARY, dtype=np.int8)]),
        literals=repeated.literals,
        starts=repeated.starts,
        origins=np.array(repeated.origins, dtype=np.int8),
        fixed=layout.fixed,
        given=known_pairs(wide, layout),
        families=ground_families(wide),
        assumptions=assumptions_of(
            task,
            components,
            Used(sorted(task.edges), used_links(links, others), has_profiles=has_profiles, closed=axioms),
        ),
        closed_roles=layout.closed_roles,
        read_literals=task.literals,
    )


def not_said(clauses: Sequence[Clause], earlier: Repeated) -> list[Clause]:
    """Leave out the clauses that stand among earlier ones, such as the members of a family that is declared."""
    literals, starts = earlier.literals.tolist(), earlier.starts.tolist()
    said = {frozenset(literals[start:stop]) for start, stop in pairwise(starts)}
    return [clause for clause in clauses if frozenset(clause) not in said]


def in_wider(link: LinkTriple, task: Task, wide: Task) -> LinkTriple:
    """Return a link with its role numbered as in a wider task, whose concepts begin with those of the task."""
    return link if wide is task else replace(link, role=wide.role_predicates.index(task.role_predicates[link.role]))


def without_absent(
    task: Task, sorts: Sorts, alike: list[HornClause], joining: list[HornClause], *, kept: Collection[str] = ()
) -> tuple[list[list[HornClause]], list[HornClause]]:
    """Do without the concepts that a kind lacks, as without any that the task does not declare, but for those kept.

    In: clauses over the concepts of one individual, which hold of all, and the others. Out: those of each sort, and the
    others. What goes through a concept that is left out stays: of A ⊑ B ⊑ C, without B, A ⊑ C.
    """
    width = len(task.concepts)
    if task.has_concept.all():
        return [alike], joining
    is_absent = ~task.has_concept & ~np.isin([one.iri for one in task.concepts], list(kept))
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


def contradiction(task: Task, *, are_axioms_read: bool) -> MooseError:
    """Say that there is nothing to compile."""
    said = shortened([*task.edges, *map(str, task.known)])
    if are_axioms_read:
        return MooseError(
            f"expected axioms that {shortened(task.individuals)} can meet, which are taken to be different, but the "
            "ontology and what the task says contradict each other; list other individuals or pairs, or leave the "
            "component outside_el out, and closed_domain out of the closure"
        )
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
