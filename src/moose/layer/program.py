"""What both executors run: a diagram's arrays, and how deep it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.circuit.diagram import Diagram
from moose.layer.kernels import levels as level_loops

Indices = npt.NDArray[np.int32]
Pointers = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.int8]

COMPILE_FROM = 50_000  # elements; fewer take less time in plain Python than the compiled code takes to load


@dataclass(frozen=True, eq=False)
class Program:
    """A diagram, the literals that always hold, and the level of each decision."""

    diagram: Diagram
    given: Bytes
    """For each atom +1 if it is given, -1 if its negation is, else 0."""
    levels: Indices
    """For each decision the longest way down to a literal."""

    @property
    def depth(self) -> int:
        """How many levels of decisions there are."""
        return int(self.levels.max(initial=0))

    @property
    def noise(self) -> float:
        """How far rounding may put a probability of 0 or 1 off: each level may add one error."""
        return float(np.finfo(np.float64).eps) * (16 + self.depth)


def make_program(circuit: Circuit) -> Program:
    """Lay out what the executors need of a circuit."""
    diagram = circuit.diagram
    given = np.zeros(diagram.atom_count, dtype=np.int8)
    for literal in circuit.clauses.given:
        atom, sign = circuit.clauses.atoms[abs(literal) - 1], 1 if literal > 0 else -1
        position = circuit.positions[atom]
        if given[position] == -sign:
            raise MooseError(f"the clauses give both {atom} and not {atom}; keep one")
        given[position] = sign
    tidy = Diagram(
        atom_count=diagram.atom_count,
        starts=np.ascontiguousarray(diagram.starts, dtype=np.int64),
        primes=np.ascontiguousarray(diagram.primes, dtype=np.int32),
        subs=np.ascontiguousarray(diagram.subs, dtype=np.int32),
        root=int(diagram.root),
    )
    return Program(tidy, given, find_levels(tidy))


def find_levels(diagram: Diagram) -> Indices:
    """Find the longest way from each decision down to a literal."""
    levels = np.zeros(diagram.decision_count, dtype=np.int32)
    if diagram.element_count < COMPILE_FROM:
        plain = levels.tolist()
        level_loops.fill_levels(
            diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist(), diagram.first_decision, plain
        )
        return np.array(plain, dtype=np.int32)
    compiled_levels()(diagram.starts, diagram.primes, diagram.subs, diagram.first_decision, levels)
    return levels


@cache
def compiled_levels() -> Callable[..., None]:
    """Compile the loop over levels."""
    from moose.base.compiled.numba_compilation import compile_functions

    return cast(Callable[..., None], compile_functions([level_loops], ["fill_levels"])["fill_levels"])
