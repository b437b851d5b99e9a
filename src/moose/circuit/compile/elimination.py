"""In which order to eliminate individuals, and the tree of bags that the order makes."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush


@dataclass(frozen=True, slots=True)
class Bag:
    """Individuals that are treated together: its own, which are done with here, and the separator to the rest."""

    own: tuple[int, ...]
    separator: tuple[int, ...]

    @property
    def members(self) -> tuple[int, ...]:
        """Its own individuals, then the separator, each in the order of elimination."""
        return self.own + self.separator


def eliminate(count: int, cliques: Iterable[Collection[int]], *, is_low: bool = False) -> list[Bag]:
    """Eliminate the individual with the fewest neighbours, again and again; children come before parents.

    Of several, the one with the lowest tree below it goes first. So a chain is rolled up from both ends. If the tree
    is to be low, one neighbour or two is all the same, and every second link of a chain is taken out, then every
    second of what is left: its tree is logarithmically high, but its separators have two individuals instead of one.
    `cliques` are the sets of individuals that speak of each other.

    >>> [bag.members for bag in eliminate(5, [(0, 1), (1, 2), (2, 3), (3, 4)])]
    [(0, 1), (4, 3), (1, 2), (3, 2), (2,)]
    >>> [bag.members for bag in eliminate(5, [(0, 1), (1, 2), (2, 3), (3, 4)], is_low=True)]
    [(0, 1), (4, 3), (2, 1, 3), (1, 3), (3,)]
    """
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for clique in cliques:
        for individual in clique:
            neighbours[individual].update(clique)
    for individual, around in enumerate(neighbours):
        around.discard(individual)
    heights = [0] * count
    ranks = [-1] * count

    def urgency(individual: int) -> tuple[bool, int, int, int]:
        degree, height = len(neighbours[individual]), heights[individual]
        return (degree > 2, height, degree, individual) if is_low else (False, degree, height, individual)

    queue = [urgency(individual) for individual in range(count)]
    heapify(queue)
    order: list[tuple[int, set[int]]] = []
    while queue:
        entry = heappop(queue)
        chosen = entry[-1]
        if ranks[chosen] >= 0 or entry != urgency(chosen):
            continue  # an entry from before something near it was eliminated
        around = neighbours[chosen]
        ranks[chosen] = len(order)
        order.append((chosen, around))
        for other in around:
            near = neighbours[other]
            near.discard(chosen)
            if len(around) > 1:
                near.update(around)
                near.discard(other)
            heights[other] = max(heights[other], heights[chosen] + 1)
            heappush(queue, urgency(other))
    return [Bag((chosen,), tuple(sorted(around, key=ranks.__getitem__))) for chosen, around in order]


def merge(bags: list[Bag], wanted: Collection[int]) -> list[Bag]:
    """Take a bag and its parent as one where the parent lies within it and the bag's individual is wanted.

    So a clique whose roles are unknown becomes one bag instead of a chain of ever smaller ones. A parent takes in one
    child only: no bag grows beyond the largest there was.
    """
    home = {bag.own[0]: index for index, bag in enumerate(bags)}
    merged: list[Bag | None] = list(bags)
    for index, bag in enumerate(bags):
        current = merged[index]
        if current is None or not current.separator or bag.own[0] not in wanted:
            continue
        parent = home[current.separator[0]]
        above = merged[parent]
        if above is not None and len(above.own) == 1 and above.separator == current.separator[1:]:
            merged[index] = None
            merged[parent] = Bag((*current.own, *above.own), above.separator)
    return [bag for bag in merged if bag is not None]


def height(bags: list[Bag]) -> int:
    """Return how many bags stand above each other at most.

    >>> height([Bag((0,), (1,)), Bag((1,), ())])
    2
    """
    heights: dict[int, int] = {}
    for bag in bags:
        here = 1 + max((heights.get(individual, 0) for individual in bag.own), default=0)
        for individual in bag.separator[:1]:
            heights[individual] = max(heights.get(individual, 0), here)
        heights.update(dict.fromkeys(bag.own, here))
    return max(heights.values(), default=0)
