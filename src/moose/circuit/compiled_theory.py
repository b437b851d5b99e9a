"""What a compiler hands on: a diagram, the clauses that it was made of, and what that took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses


@dataclass(frozen=True, slots=True)
class Statistics:
    """What a compilation made and took."""

    atoms: int
    clauses: int
    size: int
    """Elements of all decision nodes, those with a false sub included: `size()` of PySDD, "SDD nodes" in the paper."""
    nodes: int
    """Decision nodes."""
    seconds: float
    vtree: str


class CompiledTheory(Protocol):
    """What `question` and `files` read of a circuit; `Circuit`, which asks them, is one, so they cannot name it."""

    @property
    def clauses(self) -> Clauses:
        """What was compiled."""

    @property
    def atoms(self) -> tuple[Atom, ...]:
        """The variables of the diagram."""

    @property
    def positions(self) -> dict[Atom, int]:
        """The index of each atom in `atoms`."""

    @property
    def diagram(self) -> Diagram:
        """What it was compiled to."""

    @property
    def statistics(self) -> Statistics:
        """What it took."""


def visible_atoms(clauses: Clauses) -> tuple[Atom, ...]:
    """Return the atoms that are not auxiliary: the variables of the diagram that clauses are compiled to."""
    is_visible = (clauses.kinds != AtomKind.AUXILIARY).tolist()
    return tuple(atom for atom, visible in zip(clauses.atoms, is_visible) if visible)
