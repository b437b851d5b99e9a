"""In which order to eliminate variables: min-fill and min-degree, ties broken at random, the best of several kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import log2
from random import Random

WIDE = 40
"""Neighbours from which fill-in is no longer counted but taken to be large: counting takes their square."""

Adjacency = list[set[int]]


@dataclass(frozen=True, eq=False)
class EliminationOrder:
    """Variables in the order of elimination, and for each those that its bag shares with the rest."""

    order: tuple[int, ...]
    separators: tuple[tuple[int, ...], ...]
    """By variable; each in the order of elimination, so that the first one's bag is the parent."""
    log_rows: float
    """The logarithm to base 2 of how many rows all tables would have if nothing were inconsistent."""
    method: str
    parents: tuple[int, ...] = ()
    """By variable, -1 for none; where it is not said, the first of the separator."""

    def parent(self, variable: int) -> int:
        """Return the variable whose bag is directly above, -1 at the top."""
        if self.parents:
            return self.parents[variable]
        return self.separators[variable][0] if self.separators[variable] else -1

    @property
    def roots(self) -> list[int]:
        """Return the variables whose bag is at the top of its tree."""
        return [one for one in self.order if self.parent(one) < 0]

    @property
    def width(self) -> int:
        """Return the most variables that a bag shares with the rest."""
        return max(map(len, self.separators), default=0)


def adjacency(count: int, scopes: Sequence[Sequence[int]]) -> Adjacency:
    """Return the neighbours of each variable: those that it stands in a constraint with."""
    near: Adjacency = [set() for _ in range(count)]
    for scope in scopes:
        for variable in scope:
            near[variable].update(scope)
    for variable, around in enumerate(near):
        around.discard(variable)
    return near


def find_order(sizes: Sequence[int], scopes: Sequence[Sequence[int]], *, tries: int) -> EliminationOrder:
    """Return the best of several orders: min-fill, min-degree, then min-fill with ties broken at random."""
    near = adjacency(len(sizes), scopes)
    orders = [eliminate(near, sizes, None, "min-fill")]
    for number in range(1, tries):
        random = Random(number) if number > 1 else None  # noqa: S311
        orders.append(eliminate(near, sizes, random, "min-degree" if number == 1 else "min-fill"))
    return min(orders, key=lambda one: one.log_rows)


def eliminate(near: Adjacency, sizes: Sequence[int], random: Random | None, method: str) -> EliminationOrder:
    """Eliminate variables, each time one that connects the fewest others anew (or has the fewest neighbours)."""
    adjacent = [set(around) for around in near]
    cost = fill_in if method == "min-fill" else degree
    keys = [(cost(adjacent, one), random.random() if random else 0.0) for one in range(len(adjacent))]
    queue = [(*key, one) for one, key in enumerate(keys)]
    heapify(queue)
    ranks = [-1] * len(adjacent)
    order: list[int] = []
    while queue:
        *key, chosen = heappop(queue)
        if ranks[chosen] >= 0 or tuple(key) != keys[chosen]:
            continue
        ranks[chosen] = len(order)
        order.append(chosen)
        for other in touched_by(adjacent, chosen):
            if (new := cost(adjacent, other)) != keys[other][0]:
                keys[other] = (new, random.random() if random else 0.0)
                heappush(queue, (*keys[other], other))
    separators = tuple(tuple(sorted(around, key=ranks.__getitem__)) for around in adjacent)
    rows = [sum(log2(sizes[other]) for other in (one, *separators[one])) for one in range(len(adjacent))]
    return EliminationOrder(tuple(order), separators, log_sum(rows), method)


def touched_by(adjacent: Adjacency, chosen: int) -> set[int]:
    """Eliminate a variable, whose neighbours become neighbours of each other; return whose costs may have changed."""
    around = adjacent[chosen]
    touched = set(around)
    is_clique = True
    for other in around:
        near = adjacent[other]
        near.discard(chosen)
        if not around <= near | {other}:
            is_clique = False
            near |= around
            near.discard(other)
    if not is_clique:
        for other in around:
            if len(adjacent[other]) <= WIDE:
                touched |= adjacent[other]
    return touched


Cost = Callable[[Adjacency, int], int]


def degree(adjacent: Adjacency, variable: int) -> int:
    """Return how many neighbours a variable has."""
    return len(adjacent[variable])


def fill_in(adjacent: Adjacency, variable: int) -> int:
    """Return how many pairs of neighbours are no neighbours of each other; between equals, fewer neighbours count."""
    around = adjacent[variable]
    count = len(around)
    if count > WIDE:
        return 1_000_000_000 + count
    known = sum(len(adjacent[other] & around) for other in around)
    return 1000 * ((count * (count - 1) - known) // 2) + count


def log_sum(logarithms: Sequence[float]) -> float:
    """Return log2 of the sum of 2^x."""
    top = max(logarithms, default=0.0)
    return top + log2(sum(2.0 ** (one - top) for one in logarithms)) if logarithms else 0.0
