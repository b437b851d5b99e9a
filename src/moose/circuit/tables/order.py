"""In which order to eliminate variables: min-fill and min-degree, ties broken at random, the best of several kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from math import log2
from random import Random

import numpy as np

WIDE = 40
"""Neighbours from which fill-in is no longer counted but taken to be large: counting takes their square."""
MOST_PACKED = 20_000
"""Variables whose neighbours are kept as bits where all that are left are wide: 50 megabytes."""
ONES = np.array([byte.bit_count() for byte in range(256)], dtype=np.uint8)
"""How many bits of a byte are set."""

Adjacency = list[set[int]]
Watch = Callable[[], None]
"""Is called again and again while an order is looked for, and raises to stop that."""


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


def keep_on() -> None:
    """Never stop: the default."""


def find_order(
    sizes: Sequence[int], scopes: Sequence[Sequence[int]], *, tries: int, watch: Watch = keep_on
) -> EliminationOrder:
    """Return the best of several orders: min-fill, min-degree, then min-fill with ties broken at random."""
    near = adjacency(len(sizes), scopes)
    orders = [eliminate(near, sizes, None, "min-fill", watch)]
    for number in range(1, tries):
        random = Random(number) if number > 1 else None  # noqa: S311
        orders.append(eliminate(near, sizes, random, "min-degree" if number == 1 else "min-fill", watch))
    return min(orders, key=lambda one: one.log_rows)


def eliminate(
    near: Adjacency, sizes: Sequence[int], random: Random | None, method: str, watch: Watch = keep_on
) -> EliminationOrder:
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
        watch()
        if len(adjacent[chosen]) > WIDE and len(adjacent) - len(order) <= MOST_PACKED:
            rest = [one for one, rank in enumerate(ranks) if rank < 0]
            order += eliminate_wide(adjacent, rest, random, watch)
            break
        ranks[chosen] = len(order)
        order.append(chosen)
        for other in touched_by(adjacent, chosen):
            if (new := cost(adjacent, other)) != keys[other][0]:
                keys[other] = (new, random.random() if random else 0.0)
                heappush(queue, (*keys[other], other))
    return as_order(order, adjacent, sizes, method, watch)


def as_order(
    order: Sequence[int], adjacent: Adjacency, sizes: Sequence[int], method: str, watch: Watch
) -> EliminationOrder:
    """Sort separators, and estimate the rows."""
    ranks = [0] * len(order)
    for rank, variable in enumerate(order):
        ranks[variable] = rank
    bits = [log2(size) for size in sizes]
    separators, rows = list[tuple[int, ...]](), list[float]()
    for variable, around in enumerate(adjacent):
        watch()
        separators.append(tuple(sorted(around, key=ranks.__getitem__)))
        rows.append(bits[variable] + sum(bits[other] for other in around))
    return EliminationOrder(tuple(order), tuple(separators), log_sum(rows), method)


def eliminate_wide(adjacent: Adjacency, rest: Sequence[int], random: Random | None, watch: Watch) -> list[int]:
    """Eliminate variables all of which have many neighbours, those with the fewest first: sets are rows of bits."""
    count = len(rest)
    position = {variable: number for number, variable in enumerate(rest)}
    flags = np.zeros((count, -(-count // 64) * 64), dtype=bool)
    for number, variable in enumerate(rest):
        flags[number, [number, *(position[other] for other in adjacent[variable])]] = True  # also itself
    near = np.packbits(flags, axis=1)
    words = near.view(np.uint64)
    tie = np.array(random.sample(range(count), count) if random else range(count), dtype=np.int64)
    gone = np.iinfo(np.int64).max
    keys = ONES[near].sum(axis=1, dtype=np.int64) * count + tie
    order: list[int] = []
    while len(order) < count:
        watch()
        chosen = int(keys.argmin())
        around = np.flatnonzero(np.unpackbits(near[chosen])[:count])
        around = around[around != chosen]
        if len(around) == count - len(order) - 1:  # from here on all are neighbours of each other
            last = [chosen, *around[np.argsort(tie[around])].tolist()]
            for number, one in enumerate(last):
                adjacent[rest[one]] = {rest[other] for other in last[number + 1 :]}
            return [*order, *(rest[one] for one in last)]
        order.append(rest[chosen])
        adjacent[rest[chosen]] = {rest[other] for other in around.tolist()}
        keys[chosen] = gone
        words[around] |= words[chosen]
        near[around, chosen // 8] &= ~np.uint8(128 >> chosen % 8)
        keys[around] = ONES[near[around]].sum(axis=1, dtype=np.int64) * count + tie[around]
    return order


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
