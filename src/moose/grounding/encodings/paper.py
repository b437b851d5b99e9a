"""The paper's encoding: AtomSub, Disj, Unsat and Links over the closure, and Φ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Assumption, Clause, Clauses, Origin
from moose.grounding.encodings.assumption_table import Used, assumptions_of
from moose.grounding.encodings.family_closure import closure_clauses
from moose.grounding.encodings.layout import Layout, lay_out
from moose.grounding.encodings.local_clauses import (
    at_every_individual,
    for_each_sort,
    ground_families,
    over_concepts_of,
    sorts_of,
)
from moose.grounding.encodings.shapes import (
    LinkTriple,
    atomic_disjointness,
    atomic_subsumptions,
    link_triples,
    saturated,
    unsatisfiable_concepts,
)
from moose.grounding.task.components import Components
from moose.grounding.task.task import Task
from moose.saturation.answers.closure import Closure

FOUR_SHAPES = Assumption(
    "the paper's encoding",
    "of the ontology only A ⊑ B, A₁ ⊓ … ⊓ Aₙ ⊑ ⊥, A ⊑ ⊥ and A ⊑ ∃R.B over the task's names become clauses",
    "not an assumption but an omission: what axioms of other shapes entail of the individuals is not derived",
)


def ground_paper(task: Task, components: Components, *, pin_roles: bool) -> Clauses:
    """Ground a task as the paper does; roles that are known stay variables unless they are to be pinned."""
    refuse_loops(task)
    closure = saturated(task)
    links = link_triples(task, closure)
    layout = lay_out(task, pin_roles=pin_roles)
    sorts, shapes = sorts_of(task), list(extracted(task, closure))
    unary = for_each_sort(
        sorts,
        lambda one: [*over_concepts_of(task, one, shapes), *closure_clauses(task, closure, components, one)],
    )
    binary = list(link_clauses(layout, links, components))
    repeated = at_every_individual(task, sorts, unary, binary)
    has_profiles = any(origin in (Origin.PROFILE, Origin.ONLY) for clauses in unary for origin, _ in clauses)
    pinned = sorted(layout.closed_roles)
    return Clauses(
        atoms=layout.atoms,
        kinds=layout.kinds,
        literals=repeated.literals,
        starts=repeated.starts,
        origins=np.array(repeated.origins, dtype=np.int8),
        fixed=layout.fixed,
        given=given_literals(task, layout),
        families=ground_families(task),
        assumptions=(
            *assumptions_of(task, components, Used(pinned, links if binary else [], has_profiles=has_profiles)),
            FOUR_SHAPES,
        ),
        closed_roles=layout.closed_roles,
        read_literals=task.literals,
    )


def extracted(task: Task, closure: Closure) -> Iterator[tuple[Origin, Clause]]:
    """Yield AtomSub, Disj and Unsat as clauses over the concepts of one individual."""
    for sub, sup in atomic_subsumptions(task, closure):
        yield Origin.SUBSUMPTION, (-(sub + 1), sup + 1)
    for members in atomic_disjointness(task, closure):
        yield Origin.DISJOINTNESS, tuple(-(member + 1) for member in members)
    for concept in unsatisfiable_concepts(task, closure):
        yield Origin.UNSATISFIABLE, (-(concept + 1),)


def link_clauses(
    layout: Layout, links: Sequence[LinkTriple], components: Components
) -> Iterator[tuple[Origin, Clause]]:
    """Yield the clauses of Links for each ordered pair of two individuals that the role may join.

    A ⊑ ∃R.B    a ≠ b                     A ⊑ ∃R.B is A's only R-link    a ≠ b
    ──────────────────────────            ──────────────────────────────────────
    ¬A(a) ∨ ¬R(a,b) ∨ B(b)                ¬R(a,b) ∨ ¬B(b) ∨ A(a)
    """
    for link in links:
        for first, second, role in layout.possible_pairs(link.role):
            source = first * layout.concept_count + link.source + 1
            target = second * layout.concept_count + link.target + 1
            if source == target:
                continue  # A(a) → A(a): of an individual that a role joins to itself
            if not (layout.task.has_concept[first, link.source] and layout.task.has_concept[second, link.target]):
                continue  # as if the concept were not declared
            if components.links:
                yield Origin.LINK, (-source, *role, target)
            if components.reverse_links and link.is_single:
                yield Origin.REVERSE_LINK, (*role, -target, source)


def refuse_loops(task: Task) -> None:
    """Refuse what the paper's encoding has no atom for: a role that joins an individual to itself."""
    known = [Atom(role, pair) for role, pairs in task.edges.items() for pair in sorted(pairs)]
    for atom in (*known, *task.known):
        if len(atom.arguments) == len(set(atom.arguments)):
            continue
        raise MooseError(f"the paper's encoding has no atom {atom}: its roles join two individuals; ground in full")


def given_literals(task: Task, layout: Layout) -> tuple[int, ...]:
    """Return what holds in every instance and was left as a variable: pairs of known roles, and facts."""
    pairs = {Atom(role, pair): True for role, joined in task.edges.items() for pair in sorted(joined)}
    literals = []
    for atom, is_true in (pairs | task.known).items():
        if not layout.is_fixed(atom):
            position = layout.positions[atom]
            literals.append(position + 1 if is_true else -(position + 1))
    return tuple(literals)
