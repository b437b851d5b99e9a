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


def eliminate(count: int, cliques: Iterable[Collection[int]]) -> list[Bag]:
    """Eliminate the individual with the fewest neighbours, again and again; children come before parents.

    Of several, the one with the lowest tree below it goes first: so the tree stays low, a chain is rolled up from
    both ends. `cliques` are the sets of individuals that speak of each other.

    >>> [bag.members for bag in eliminate(3, [(0, 1), (1, 2)])]
    [(0, 1), (2, 1), (1,)]
    """
    neighbours: list[set[int]] = [set() for _ in range(count)]
    for clique in cliques:
        for individual in clique:
            neighbours[individual].update(clique)
    for individual, around in enumerate(neighbours):
        around.discard(individual)
    heights = [0] * count
    ranks = [-1] * count
    queue = [(len(around), 0, individual) for individual, around in enumerate(neighbours)]
    heapify(queue)
    order: list[tuple[int, set[int]]] = []
    while queue:
        degree, height, chosen = heappop(queue)
        around = neighbours[chosen]
        if ranks[chosen] >= 0 or degree != len(around) or height != heights[chosen]:
            continue  # an entry from before something near it was eliminated
        ranks[chosen] = len(order)
        order.append((chosen, around))
        for other in around:
            near = neighbours[other]
            near.discard(chosen)
            if len(around) > 1:
                near.update(around)
                near.discard(other)
            heights[other] = max(heights[other], heights[chosen] + 1)
            heappush(queue, (len(near), heights[other], other))
    return [Bag((chosen,), tuple(sorted(around, key=ranks.__getitem__))) for chosen, around in order]


def merge(bags: list[Bag], wanted: Collection[int]) -> list[Bag]:
    """Take a bag and its parent as one where the parent lies within it and the bag's individual is wanted.

    So a clique whose roles are unknown becomes one bag instead of a chain of ever smaller ones. A parent takes in one
    child only: no bag grows beyond the largest there was.
    """
    home = {bag.own[0]: place for place, bag in enumerate(bags)}
    merged: list[Bag | None] = list(bags)
    for place, bag in enumerate(bags):
        current = merged[place]
        if current is None or not current.separator or bag.own[0] not in wanted:
            continue
        parent = home[current.separator[0]]
        above = merged[parent]
        if above is not None and len(above.own) == 1 and above.separator == current.separator[1:]:
            merged[place] = None
            merged[parent] = Bag((*current.own, *above.own), above.separator)
    return [bag for bag in merged if bag is not None]
