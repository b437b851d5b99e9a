"""The cheapest models of a diagram, where every literal has a cost: how maps that err least are listed first."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush, merge
from itertools import islice

from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import evaluate
from moose.circuit.inference.semirings import Semiring

Thread = tuple["Thread", "Thread"] | int | None
"""Literals, as a tree of pairs, so that they are shared and not copied."""
Option = tuple[int, Thread]
"""A cost, and the literals that cost it."""
Options = tuple[Option, ...]


def cheapest_models(
    diagram: Diagram, positive: Sequence[int], negative: Sequence[int], count: int
) -> list[tuple[int, list[bool]]]:
    """Return the cheapest models, cheapest first, each with its cost: the sum of the costs of its literals.

    >>> import numpy as np
    >>> one_literal = Diagram(2, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32), root=0)
    >>> cheapest_models(one_literal, [2, 1], [0, 0], 5)
    [(2, [True, False]), (3, [True, True])]
    """
    if count == 0:
        return []
    semiring: Semiring[Options] = Semiring(
        lambda first, second: _cheaper(first, second, count),
        lambda first, second: _together(first, second, count),
        (),
        ((0, None),),
    )
    size = diagram.atom_count
    options = evaluate(
        diagram,
        semiring,
        [((cost, atom),) for atom, cost in enumerate(positive)],
        [((cost, size + atom),) for atom, cost in enumerate(negative)],
    )
    return [(cost, _model(thread, size)) for cost, thread in options]


def _cheaper(first: Options, second: Options, count: int) -> Options:
    """Return the cheapest of two lists."""
    if not (first and second):
        return first or second
    return tuple(islice(merge(first, second, key=lambda option: option[0]), count))


def _together(first: Options, second: Options, count: int) -> Options:
    """Return the cheapest ways to take one of each: from the corner outwards."""
    if not (first and second):
        return ()
    if len(first) == len(second) == 1:
        return ((first[0][0] + second[0][0], (first[0][1], second[0][1])),)
    cheapest: list[Option] = []
    border = [(first[0][0] + second[0][0], 0, 0)]
    while border and len(cheapest) < count:
        cost, row, column = heappop(border)
        cheapest.append((cost, (first[row][1], second[column][1])))
        if column + 1 < len(second):
            heappush(border, (first[row][0] + second[column + 1][0], row, column + 1))
        if column == 0 and row + 1 < len(first):
            heappush(border, (first[row + 1][0] + second[0][0], row + 1, 0))
    return tuple(cheapest)


def _model(thread: Thread, size: int) -> list[bool]:
    model = [False] * size
    pending = [thread]
    while pending:
        one = pending.pop()
        if isinstance(one, tuple):
            pending += one
        elif one is not None and one < size:
            model[one] = True
    return model
