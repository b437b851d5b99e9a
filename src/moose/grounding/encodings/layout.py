"""Where the atoms of a task stand: the concepts of each individual, then the roles of each ordered pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations, product

import numpy as np
import numpy.typing as npt

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind
from moose.grounding.task.task import Task
from moose.saturation.recorded.horn import HornClause


@dataclass(frozen=True, eq=False)
class Layout:
    """The atoms of a task in order, and those whose truth is known in advance."""

    task: Task
    atoms: tuple[Atom, ...]
    kinds: npt.NDArray[np.int8]
    """An `AtomKind` for each atom; auxiliary are those of concepts that an individual's kind lacks."""
    fixed: dict[Atom, bool]
    closed_roles: frozenset[str]
    """Roles that hold of the pairs in `fixed` alone."""
    has_loops: bool = False
    """A role may join an individual to itself; not so in the paper."""
    sparse: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    """Roles that join no pairs but some of these, so that the others are no variables."""

    @property
    def concept_count(self) -> int:
        """How many atoms each individual has."""
        return len(self.task.concepts)

    @cached_property
    def positions(self) -> dict[Atom, int]:
        """Where each atom stands."""
        return {atom: position for position, atom in enumerate(self.atoms)}

    def is_fixed(self, atom: Atom) -> bool:
        """Return whether the truth of an atom is known in advance."""
        if atom in self.fixed or len(atom.arguments) != 2:
            return atom in self.fixed
        return atom.predicate in self.closed_roles or self.is_left_out(atom)

    def is_left_out(self, atom: Atom) -> bool:
        """Return whether an atom is of a pair that its role does not join."""
        return (
            atom.predicate in self.sparse
            and len(atom.arguments) == 2
            and atom.arguments not in self.sparse[atom.predicate]
        )

    def literal(self, atom: Atom) -> bool | int:
        """Return the literal of an atom, or its truth where that is known in advance."""
        if self.is_fixed(atom):
            return self.fixed.get(atom, False)
        return self.positions[atom] + 1

    def possible_pairs(self, role: int) -> Iterator[tuple[int, int, tuple[int, ...]]]:
        """Yield the pairs of individuals that a role may join, by number, with the negated role atom as a clause.

        That clause is empty where the role is known to hold.
        """
        name = self.task.role_predicates[role].name
        numbers = {individual: number for number, individual in enumerate(self.task.individuals)}
        if name in self.closed_roles:
            pairs = sorted((numbers[a], numbers[b]) for a, b in self.task.edges[name] if self.has_loops or a != b)
            yield from ((first, second, ()) for first, second in pairs)
            return
        for first, second in pairs_of(self.task.individuals, has_loops=self.has_loops):
            atom = Atom(name, (first, second))
            known = self.fixed.get(atom)
            if known is not False and not self.is_left_out(atom):
                clause = () if known else (-(self.positions[atom] + 1),)
                yield numbers[first], numbers[second], clause


@dataclass(frozen=True)
class Entailments:
    """Horn clauses over the atoms of a layout, and over auxiliary ones that come after them."""

    clauses: list[HornClause]
    auxiliary: tuple[Atom, ...]


def lay_out(
    task: Task,
    *,
    pin_roles: bool,
    has_loops: bool = False,
    sparse: Mapping[str, frozenset[tuple[str, str]]] | None = None,
) -> Layout:
    """Order the atoms of a task; with pinned roles, role atoms whose truth is known are no variables.

    Of a role that is sparse, only the pairs listed are.
    """
    fixed: dict[Atom, bool] = {}
    closed_roles: frozenset[str] = frozenset()
    if pin_roles:
        fixed = {Atom(role, pair): True for role, pairs in task.edges.items() for pair in sorted(pairs)}
        fixed |= {atom: is_true for atom, is_true in task.known.items() if len(atom.arguments) == 2}
        closed_roles = frozenset(task.edges)
    atoms = [Atom(concept.name, (name,)) for name in task.individuals for concept in task.concepts]
    kinds = concept_kinds(task)
    for role in task.role_predicates:
        if role.name not in closed_roles:
            pairs = (Atom(role.name, pair) for pair in pairs_of(task.individuals, has_loops=has_loops))
            listed = (sparse or {}).get(role.name)
            free = [atom for atom in pairs if atom not in fixed and (listed is None or atom.arguments in listed)]
            atoms += free
            kinds += [AtomKind.LATENT_ROLE if role.is_latent else AtomKind.OBSERVABLE] * len(free)
    return Layout(task, tuple(atoms), np.array(kinds, dtype=np.int8), fixed, closed_roles, has_loops, sparse or {})


def pairs_of(individuals: Sequence[str], *, has_loops: bool) -> Iterable[tuple[str, str]]:
    """Return the ordered pairs, those of an individual with itself only on demand."""
    return product(individuals, individuals) if has_loops else permutations(individuals, 2)


def concept_kinds(task: Task) -> list[AtomKind]:
    """Say where the weights of the concepts of each individual come from; a concept that its kind lacks has none."""
    kinds: list[AtomKind] = []
    for has_concept, is_seen in zip(task.has_concept.tolist(), task.has_input.tolist(), strict=True):
        latent = AtomKind.LATENT if is_seen else AtomKind.LATENT_ROLE
        for concept, has in zip(task.concepts, has_concept, strict=True):
            kind = latent if concept.is_latent else AtomKind.OBSERVABLE
            kinds.append(kind if has else AtomKind.AUXILIARY)
    return kinds
