"""Unit propagation in many examples, one after the other: plain functions, compiled by numba, that allocate nothing."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Signs = npt.NDArray[np.int8]
Literals = npt.NDArray[np.int32]
Pointers = npt.NDArray[np.int64]


class ClauseArrays(NamedTuple):
    """Clauses end to end, and which of them have a literal: those of atom k, then those of its negation, and so on."""

    literals: Literals
    starts: Pointers
    use_starts: Pointers
    """Where the clauses of atom k start at 2k, those of its negation at 2k + 1."""
    uses: Pointers


VIOLATED = 0x7FFFFFFF
"""In place of a literal: all of a clause's are false."""


def last_open(literals: Literals, start: int, stop: int, signs: Signs) -> int:
    """Return the one literal of a clause that is open; 0 if it holds or has several open ones."""
    found = 0
    for place in range(start, stop):
        literal = literals[place]
        sign = signs[abs(literal) - 1]
        if sign == 0 and found == 0:
            found = literal
        elif sign == 0 or (sign > 0) == (literal > 0):
            return 0
    return found if found != 0 else VIOLATED


def complete_row(signs: Signs, theory: ClauseArrays, queue: Pointers) -> int:
    """Add to one row what the clauses leave no choice about; return whether it contradicts them."""
    known = 0
    for atom in range(signs.shape[0]):
        if signs[atom] != 0:
            queue[known] = atom
            known += 1
    done = 0
    while done < known:
        atom = queue[done]
        done += 1
        denied = 2 * atom + (1 if signs[atom] > 0 else 0)
        for place in range(theory.use_starts[denied], theory.use_starts[denied + 1]):
            clause = theory.uses[place]
            literal = last_open(theory.literals, theory.starts[clause], theory.starts[clause + 1], signs)
            if literal == VIOLATED:
                return 1
            if literal != 0:
                signs[abs(literal) - 1] = 1 if literal > 0 else -1
                queue[known] = abs(literal) - 1
                known += 1
    return 0


def complete_rows(signs: Signs, theory: ClauseArrays, queue: Pointers, clashes: Signs) -> None:
    """Add to each row, over atoms, what the clauses leave no choice about; note where a row contradicts them.

    The queue has room for all atoms.
    """
    for row in range(signs.shape[0]):
        clashes[row] = complete_row(signs[row], theory, queue)
