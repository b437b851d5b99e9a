"""Rows of subsumers by context, and the transitive reduction: plain loops, compiled like the kernel."""

from __future__ import annotations

import numpy as np

from moose.saturation.engine.arrays import Flags, Indices, Integers


def gather_rows(contexts: Indices, concepts: Indices, number: Indices, pointers: Integers, rows: Indices) -> None:
    """Sort subsumptions between numbered concepts into rows, by counting.

    `number` is -1 for concepts to leave out; `pointers` must be zero and is left as pointers into `rows`.
    """
    for entry in range(len(concepts)):
        if number[contexts[entry]] >= 0 and number[concepts[entry]] >= 0:
            pointers[number[contexts[entry]]] += 1
    for row in range(1, len(pointers)):
        pointers[row] += pointers[row - 1]
    for entry in range(len(concepts) - 1, -1, -1):
        if number[contexts[entry]] >= 0 and number[concepts[entry]] >= 0:
            row = number[contexts[entry]]
            pointers[row] -= 1
            rows[pointers[row]] = number[concepts[entry]]


def reduce_rows(pointers: Integers, rows: Indices, marks: Indices, is_direct: Flags) -> None:
    """Flag in each row of a transitive relation the strict successors that no other strict successor has.

    Rows of equivalent members have the same length, those above a member have shorter ones.
    """
    for source in range(len(pointers) - 1):
        start, stop = pointers[source], pointers[source + 1]
        for entry in range(start, stop):
            above = rows[entry]
            height = pointers[above + 1] - pointers[above]
            if height < stop - start:
                for further in range(pointers[above], pointers[above + 1]):
                    higher = rows[further]
                    if pointers[higher + 1] - pointers[higher] < height:
                        marks[higher] = source
        for entry in range(start, stop):
            above = rows[entry]
            if pointers[above + 1] - pointers[above] < stop - start and marks[above] != source:
                is_direct[entry] = True


def empty_rows(members: int, entries: int) -> tuple[Integers, Indices]:
    """Make the arrays that `gather_rows` fills."""
    return np.zeros(members + 1, dtype=np.int64), np.empty(entries, dtype=np.int32)
