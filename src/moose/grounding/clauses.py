"""Clauses over ground atoms: what grounding makes and the compiler takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from moose.grounding.atoms import Atom, parse_atom, parse_literals


@dataclass(frozen=True, slots=True)
class Assumption:
    """One thing taken for granted, and what it gives up against OWL's open world (the paper's table of assumptions)."""

    name: str
    """A short name: "named individuals", "role pinning", "reverse links", "family", "profiles", …"""
    statement: str
    """What is assumed here, with the names that it concerns."""
    departure: str
    """What the open-world reading would allow that this one does not."""

    def __str__(self) -> str:
        return f"{self.name}: {self.statement} ({self.departure})"


Clause = tuple[int, ...]
"""Literals, of which one holds."""
Integers = npt.NDArray[np.int32]
Pointers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Origin(IntEnum):
    """Where a clause comes from; the first four and the closure Φ are the paper's."""

    SUBSUMPTION = 0  # AtomSub: A ⊑ B
    DISJOINTNESS = 1  # Disj: A₁ ⊓ … ⊓ Aₙ ⊑ ⊥
    UNSATISFIABLE = 2  # Unsat: A ⊑ ⊥
    LINK = 3  # Links, forward: A ⊑ ∃R.B read as A(a) ∧ R(a,b) → B(b); an assumption, not entailed
    REVERSE_LINK = 4  # Links, reverse: R(a,b) ∧ B(b) → A(a); an assumption, not entailed
    MUTEX = 5  # Φ: two members of a family exclude each other
    COVER = 6  # Φ: some member of a family holds
    PROFILE = 7  # Φ: who has the properties of some members is one of them
    ENTAILED = 8  # any other ground clause that follows from the ontology
    FACT = 9  # a literal that the task or the ontology asserts
    ONLY = 10  # Φ: a member of a family has only the properties of its profile
    NAMED_INDIVIDUALS = 11  # an axiom outside OWL 2 EL, or any in a closed domain, over the named individuals
    CLOSED_WORLD = 12  # of a program, not of the theory: an atom holds only if one of its rules derives it


class AtomKind(IntEnum):
    """Where the weight of an atom comes from (the paper's table 1)."""

    LATENT = 0  # a latent concept: the network's output
    OBSERVABLE = 1  # an observable concept or role: evidence, else ½
    LATENT_ROLE = 2  # a latent role, or a latent concept of an individual that no network sees: ½
    AUXILIARY = 3  # a complex concept, or one that task or kind does not have; the compiler quantifies it away


@dataclass(frozen=True, eq=False)
class Clauses:
    """A propositional theory whose variables are ground atoms.

    Literals are written as in DIMACS: k + 1 for `atoms[k]`, -(k + 1) for its negation. Clause i is
    `literals[starts[i]:starts[i + 1]]`.
    """

    atoms: tuple[Atom, ...]
    kinds: npt.NDArray[np.int8]
    """An `AtomKind` for each atom."""
    literals: Integers
    starts: Pointers
    origins: npt.NDArray[np.int8]
    """An `Origin` for each clause."""
    fixed: dict[Atom, bool]
    """Atoms whose truth is known in advance, so that they are no variables: pinned roles, and what follows outright."""
    given: tuple[int, ...]
    """Literals that hold in every instance but were left as variables (the paper's encoding of known roles)."""
    families: tuple[tuple[int, ...], ...]
    """Each declared family at each individual: the positions of its atoms in `atoms`."""
    assumptions: tuple[Assumption, ...]
    closed_roles: frozenset[str] = frozenset()
    """Roles that hold of the pairs in `fixed` alone; all other pairs, too many to list, are known to be false."""

    read_literals: Callable[[str], list[tuple[Atom, bool]]] = parse_literals
    """How texts are read: in any spelling that the task knows, or, in a theory from a file, as atoms are printed."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        flat, starts = self.literals.tolist(), self.starts.tolist()
        for start, stop in pairwise(starts):
            yield tuple(flat[start:stop])

    def __repr__(self) -> str:
        return f"Clauses(atoms={len(self.atoms)}, clauses={len(self)})"

    def clause(self, index: int) -> tuple[int, ...]:
        """Return one clause."""
        return tuple(self.literals[self.starts[index] : self.starts[index + 1]].tolist())

    @cached_property
    def positions(self) -> dict[Atom, int]:
        """Where each atom stands in `atoms`."""
        return {atom: position for position, atom in enumerate(self.atoms)}

    @cached_property
    def individuals(self) -> frozenset[str]:
        """Every individual that an atom speaks of."""
        return frozenset(name for atom in (*self.atoms, *self.fixed) for name in atom.arguments)

    def read_atom(self, text: object) -> Atom:
        """Return the atom that a text stands for."""
        parse_atom(text)
        [(atom, _)] = self.read_literals(str(text))
        return atom

    def known_truth(self, atom: Atom) -> bool | None:
        """Return the truth of an atom that is known in advance, or None for a variable or an unknown atom."""
        truth = self.fixed.get(atom)
        if truth is None and atom.predicate in self.closed_roles and self.individuals.issuperset(atom.arguments):
            return False if len(atom.arguments) == 2 else None
        return truth

    def literal_text(self, literal: int) -> str:
        """Spell a literal: `Even(a)`, `not Even(a)`."""
        atom = str(self.atoms[abs(literal) - 1])
        return atom if literal > 0 else f"not {atom}"

    def clause_text(self, clause: Sequence[int]) -> str:
        """Spell a clause as an implication: `D2(a) → Even(a)`."""
        body = " ∧ ".join(str(self.atoms[-literal - 1]) for literal in clause if literal < 0)
        head = " ∨ ".join(str(self.atoms[literal - 1]) for literal in clause if literal > 0)
        return f"{body} → {head or '⊥'}" if body else head or "⊥"


def pack(clauses: Iterable[Sequence[int]]) -> tuple[Integers, Pointers]:
    """Lay clauses end to end: literals, and where each clause starts.

    >>> pack([(1, 2), (-1,)])[1].tolist()
    [0, 2, 3]
    """
    rows = list(clauses)
    starts = np.zeros(len(rows) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=starts[1:])
    return np.array([literal for row in rows for literal in row], dtype=np.int32), starts


def with_definitions(clauses: Clauses, atoms: Sequence[Atom], definitions: Iterable[Sequence[int]]) -> Clauses:
    """Add observable atoms that others define, and the clauses that define them."""
    literals, starts = pack(definitions)
    return replace(
        clauses,
        atoms=(*clauses.atoms, *atoms),
        kinds=np.concatenate([clauses.kinds, np.full(len(atoms), AtomKind.OBSERVABLE, dtype=np.int8)]),
        literals=np.concatenate([clauses.literals, literals]),
        starts=np.concatenate([clauses.starts, clauses.starts[-1] + starts[1:]]),
        origins=np.concatenate([clauses.origins, np.full(len(starts) - 1, Origin.ENTAILED, dtype=np.int8)]),
    )


def clauses_from_lists(atoms: Sequence[Atom], clauses: Iterable[Sequence[int]]) -> Clauses:
    """Make a plain theory from DIMACS-like lists: no families, nothing fixed, every atom observable.

    >>> a, b = Atom("A", ("x",)), Atom("B", ("x",))
    >>> clauses_from_lists([a, b], [(-1, 2)])
    Clauses(atoms=2, clauses=1)
    """
    literals, starts = pack(clauses)
    return Clauses(
        atoms=tuple(atoms),
        kinds=np.full(len(atoms), AtomKind.OBSERVABLE, dtype=np.int8),
        literals=literals,
        starts=starts,
        origins=np.full(len(starts) - 1, Origin.ENTAILED, dtype=np.int8),
        fixed={},
        given=(),
        families=(),
        assumptions=(),
    )
