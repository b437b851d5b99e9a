"""The true worlds that a regime can show, one part of the individuals at a time, found by a SAT solver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from moose.base.errors import InconsistentOntology, LimitReached
from moose.circuit.compile.scopes import connected
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clause, Clauses, pack
from moose.shortcuts.problem.states import State

if TYPE_CHECKING:
    from pysat.solvers import Solver

SOLVER = "glucose4"
MOST_WORLDS = 20_000
"""Worlds of one part; each is a copy of the theory in the constraints of a map."""


@dataclass(frozen=True, slots=True)
class TrueWorld:
    """What is true of the individuals of a part: their latent states, and the observed atoms."""

    states: tuple[tuple[str, State], ...]
    """Each individual with its state."""
    observed: tuple[tuple[Atom, bool], ...]
    roles: frozenset[Atom] = frozenset()
    """The pairs that are in latent roles that are read."""


@dataclass(frozen=True, eq=False)
class Part:
    """Individuals that nothing connects with the others, and two theories of them."""

    individuals: tuple[str, ...]
    truth: Clauses
    """What the worlds obey."""
    theory: Clauses
    """What predictions are held against; the same, unless something is left out to see what it was good for."""


def split(truth: Clauses, theory: Clauses, individuals: Sequence[str], roles: Sequence[str] = ()) -> list[Part]:
    """Part the individuals into those that clauses of either theory connect, or a role that is read from pairs.

    Auxiliary atoms may speak of contexts, individuals without a name; these connect as others do.
    """
    contexts = (name for clauses in (truth, theory) for atom in clauses.atoms for name in atom.arguments)
    positions = {name: position for position, name in enumerate(dict.fromkeys((*individuals, *contexts)))}
    edges = list[tuple[int, int]]()
    for clauses in (truth, theory):
        for clause in clauses:
            owners = {positions[name] for name in spoken_of(clauses, clause)}
            first = min(owners, default=0)
            edges += ((first, other) for other in owners - {first})
        for atom in read_pairs(clauses, roles):
            edges.append((positions[atom.arguments[0]], positions[atom.arguments[1]]))
    lefts, rights = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    roots = connected(len(positions), lefts, rights).tolist()
    groups: dict[int, list[str]] = {}
    for name, root in zip(individuals, roots):
        groups.setdefault(root, []).append(name)
    return [Part(tuple(group), restrict(truth, group), restrict(theory, group)) for group in groups.values()]


def restrict(clauses: Clauses, individuals: Sequence[str]) -> Clauses:
    """Keep the atoms and clauses that speak of some individuals alone; the rest has nothing to do with them."""
    chosen = with_contexts(clauses, individuals)
    kept = [position for position, atom in enumerate(clauses.atoms) if chosen.issuperset(atom.arguments)]
    renumbered = {position + 1: number + 1 for number, position in enumerate(kept)}
    rows = [
        (index, tuple(renumbered[abs(literal)] * (1 if literal > 0 else -1) for literal in clause))
        for index, clause in enumerate(clauses)
        if all(abs(literal) in renumbered for literal in clause)
    ]
    literals, starts = pack(row for _, row in rows)
    return replace(
        clauses,
        atoms=tuple(clauses.atoms[position] for position in kept),
        kinds=clauses.kinds[kept],
        literals=literals,
        starts=starts,
        origins=clauses.origins[[index for index, _ in rows]],
        fixed={atom: truth for atom, truth in clauses.fixed.items() if chosen.issuperset(atom.arguments)},
        given=tuple(
            renumbered[abs(literal)] * (1 if literal > 0 else -1)
            for literal in clauses.given
            if abs(literal) in renumbered
        ),
        families=tuple(
            tuple(renumbered[position + 1] - 1 for position in family)
            for family in clauses.families
            if all(position + 1 in renumbered for position in family)
        ),
    )


def spoken_of(clauses: Clauses, clause: Clause) -> set[str]:
    """Return the individuals and contexts that a clause speaks of."""
    return {name for literal in clause for name in clauses.atoms[abs(literal) - 1].arguments}


def with_contexts(clauses: Clauses, individuals: Sequence[str]) -> set[str]:
    """Add to some individuals the contexts that clauses tie to them, directly or by others."""
    chosen, kinds = set(individuals), clauses.kinds.tolist()
    named = {name for atom, kind in zip(clauses.atoms, kinds) if kind != AtomKind.AUXILIARY for name in atom.arguments}
    scopes = [scope for scope in (spoken_of(clauses, clause) for clause in clauses) if not scope <= named]
    while reached := [scope for scope in scopes if not scope.isdisjoint(chosen)]:
        chosen.update(name for scope in reached for name in scope if name not in named)
        scopes = [scope for scope in scopes if scope.isdisjoint(chosen)]
    return chosen


def read_concepts(clauses: Clauses, individuals: Sequence[str], latent: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the latent concepts that an encoder reads of each individual; who has none, or no input, is left out.

    A latent concept without an input is open, and one that a kind lacks is no atom: no map predicts either.
    """
    known, kinds = set(latent), clauses.kinds.tolist()
    read: dict[str, list[str]] = {name: [] for name in individuals}
    for atom in clauses.fixed:
        if len(atom.arguments) == 1 and atom.predicate in known:
            read[atom.arguments[0]].append(atom.predicate)
    for atom, kind in zip(clauses.atoms, kinds):
        if kind == AtomKind.LATENT and atom.predicate in known:
            read[atom.arguments[0]].append(atom.predicate)
    order = {name: number for number, name in enumerate(latent)}
    return {one: tuple(sorted(names, key=order.__getitem__)) for one, names in read.items() if names}


def read_pairs(clauses: Clauses, roles: Sequence[str]) -> list[Atom]:
    """Return the atoms of roles that a network reads from pairs; a pair whose truth is known in advance is not read."""
    known = set(roles)
    kinds = clauses.kinds.tolist() if known else ()
    return [
        atom
        for atom, kind in zip(clauses.atoms, kinds)
        if kind == AtomKind.LATENT_ROLE and len(atom.arguments) == 2 and atom.predicate in known
    ]


def find_worlds(
    part: Part, latent: Sequence[str], observed: Sequence[str], roles: Sequence[str] = ()
) -> list[TrueWorld]:
    """List the worlds of a part: every joint latent state that the theory allows, with what can be observed of it.

    Roles that are read from pairs belong to the state.

    What does not follow from the latent state is taken not to hold, as data sets do; where that cannot be, each way in
    which it can be is a world of its own.
    """
    from pysat.solvers import Solver

    clauses = part.truth
    read = read_concepts(clauses, part.individuals, latent)
    hidden = [Atom(name, (individual,)) for individual, names in read.items() for name in names]
    related = read_pairs(clauses, roles)
    settled = frozenset(atom for atom, truth in clauses.fixed.items() if truth and atom.predicate in roles)
    shown = set(observed)
    there = [atom for atom, kind in zip(clauses.atoms, clauses.kinds.tolist()) if kind != AtomKind.AUXILIARY]
    visible = [atom for atom in (*there, *clauses.fixed) if atom.predicate in shown]
    worlds: list[TrueWorld] = []
    with Solver(SOLVER, bootstrap_with=[list(clause) for clause in clauses]) as solver:
        for literal in clauses.given:
            solver.add_clause([literal])
        for values in extensions(solver, clauses, [*hidden, *related], ()):
            states = tuple(
                (
                    individual,
                    frozenset(atom.predicate for atom in hidden if values[atom] and atom.arguments[0] == individual),
                )
                for individual in read
            )
            seen = _observations(solver, clauses, visible, _literals(clauses, values))
            held = settled.union(atom for atom in related if values[atom])
            worlds += [TrueWorld(states, tuple({**values, **one}.items()), held) for one in seen]
            if len(worlds) > MOST_WORLDS:
                raise LimitReached(
                    f"the individuals {', '.join(part.individuals)} have more than {MOST_WORLDS:,} worlds, too many to "
                    "go through; count under the evidence of a data set, or leave out individuals or concepts"
                )
    if not worlds:
        raise InconsistentOntology("the task has no world: its theory, families and known roles contradict each other")
    return worlds


def _observations(
    solver: Solver, clauses: Clauses, atoms: Sequence[Atom], assumed: tuple[int, ...]
) -> Iterator[dict[Atom, bool]]:
    """Yield what can be seen of a latent state: what follows holds, and the rest does not, if it can be so."""
    settled: dict[Atom, bool] = {}
    for atom in atoms:
        position = clauses.positions.get(atom)
        if position is None:
            settled[atom] = clauses.fixed[atom]
        else:
            settled[atom] = not solver.solve(assumptions=[*assumed, -position - 1])
    if solver.solve(assumptions=[*assumed, *_literals(clauses, settled)]):
        yield settled
    else:
        yield from extensions(solver, clauses, atoms, assumed)


def _literals(clauses: Clauses, values: dict[Atom, bool]) -> tuple[int, ...]:
    positions = clauses.positions
    return tuple((positions[atom] + 1) * (1 if truth else -1) for atom, truth in values.items() if atom in positions)


def extensions(
    solver: Solver, clauses: Clauses, atoms: Sequence[Atom], assumed: tuple[int, ...]
) -> Iterator[dict[Atom, bool]]:
    """Yield every assignment of some atoms that extends to a model, those with earlier atoms true first."""
    known = {atom: clauses.fixed[atom] for atom in atoms if atom not in clauses.positions}
    order = [clauses.positions[atom] + 1 for atom in atoms if atom in clauses.positions]
    if not solver.solve(assumptions=list(assumed)):
        return
    agenda: list[tuple[int, ...]] = [()]
    while agenda:
        chosen = agenda.pop()
        if len(chosen) == len(order):
            values = {clauses.atoms[abs(literal) - 1]: literal > 0 for literal in chosen}
            yield {atom: known[atom] if atom in known else values[atom] for atom in atoms}
            continue
        variable = order[len(chosen)]
        agenda += [
            (*chosen, literal)
            for literal in (-variable, variable)  # the last is taken up first
            if solver.solve(assumptions=[*assumed, *chosen, literal])
        ]


def completions(clauses: Clauses, atoms: Sequence[Atom], evidence: dict[Atom, bool]) -> Iterator[dict[Atom, bool]]:
    """Yield every assignment of some atoms that theory and evidence allow."""
    from pysat.solvers import Solver

    if any(clauses.known_truth(atom) == (not truth) for atom, truth in evidence.items()):
        return
    with Solver(SOLVER, bootstrap_with=[list(clause) for clause in clauses]) as solver:
        yield from extensions(solver, clauses, atoms, (*clauses.given, *_literals(clauses, evidence)))


def has_one_member(part: Part, family: Sequence[str]) -> bool:
    """Return whether predictions are held to one and only one member of a family at each individual."""
    from pysat.solvers import Solver

    clauses = part.theory
    read = read_concepts(clauses, part.individuals, family)
    if any(len(names) < len(family) for names in read.values()):
        return False
    ground = [[Atom(name, (individual,)) for name in family] for individual in read]
    with Solver(SOLVER, bootstrap_with=[list(clause) for clause in clauses]) as solver:
        for members in ground:
            if any(atom not in clauses.positions for atom in members):
                return False
            numbers = [clauses.positions[atom] + 1 for atom in members]
            wrong = [[-number for number in numbers], *([one, other] for one, other in combinations(numbers, 2))]
            if any(solver.solve(assumptions=literals) for literals in wrong):
                return False
    return True
