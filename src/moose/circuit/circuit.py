"""The circuit: a diagram whose atoms have names, and what it was compiled from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from moose.circuit.diagram import Diagram
from moose.grounding.assumptions import Assumption
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses


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


@dataclass(frozen=True, eq=False)
class Circuit:
    """An exact circuit of a grounded theory: `compile_circuit(ground(task))`."""

    clauses: Clauses
    """What was compiled."""
    atoms: tuple[Atom, ...]
    """The variables of the diagram: the atoms of the clauses that are not auxiliary, in the same order."""
    diagram: Diagram
    statistics: Statistics

    @property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What every answer of this circuit rests on besides the ontology."""
        return self.clauses.assumptions

    @cached_property
    def positions(self) -> dict[Atom, int]:
        """Where each atom stands in `atoms`."""
        return {atom: position for position, atom in enumerate(self.atoms)}
