"""Canonical labelling: the same numbering for two graphs that differ in names alone.

Nodes have colours, edges have labels and a direction. Colours are refined by what is around (Weisfeiler, Leman 1968);
where nodes stay alike, one of them is told apart and the refinement goes on. In a forest all nodes of one stable colour
can be exchanged, so that any of them will do; elsewhere each is tried, up to a limit.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from moose.base.graphs import component_of

Edge = tuple[int, int, int]
"""Label, source, target."""
Certificate = tuple[tuple[int, ...], tuple[Edge, ...]]
"""Colours and edges after renumbering: equal for two graphs only if these are isomorphic."""

MOST_LEAVES = 200
"""Numberings that are compared of one connected part. Graphs that need more, which are highly regular, still get a
numbering, but one that may depend on the names."""


def canonical_order(colours: Sequence[int], edges: Sequence[Edge]) -> tuple[int, ...]:
    """Return the nodes in an order that depends on the graph alone, not on how it is numbered.

    >>> canonical_order([0, 0, 0], [(0, 2, 0), (0, 0, 1)]), canonical_order([0, 0, 0], [(0, 1, 2), (0, 0, 1)])
    ((2, 0, 1), (0, 1, 2))
    """
    groups = defaultdict[int, list[int]](list)
    root_of = component_of([*((node,) for node in range(len(colours))), *((one, other) for _, one, other in edges)])
    for node in range(len(colours)):
        groups[root_of[node]].append(node)
    own = defaultdict[int, list[Edge]](list)
    for edge in edges:
        own[root_of[edge[1]]].append(edge)
    ordered = [_component_order(colours, nodes, own[root]) for root, nodes in groups.items()]
    ordered.sort(key=lambda nodes: certificate(colours, own[root_of[nodes[0]]], nodes))
    return tuple(node for nodes in ordered for node in nodes)


def certificate(colours: Sequence[int], edges: Sequence[Edge], order: Sequence[int]) -> Certificate:
    """Write a graph in the numbers of an order of its nodes."""
    rank = {node: number for number, node in enumerate(order)}
    return (
        tuple(colours[node] for node in order),
        tuple(sorted((label, rank[source], rank[target]) for label, source, target in edges)),
    )


def _component_order(colours: Sequence[int], nodes: list[int], edges: list[Edge]) -> tuple[int, ...]:
    around: Around = {node: [] for node in nodes}
    for label, source, target in edges:
        around[source].append((2 * label, target))
        around[target].append((2 * label + 1, source))
    pairs = {frozenset((source, target)) for _, source, target in edges if source != target}
    best: tuple[Certificate, tuple[int, ...]] | None = None
    start = _Colouring.of({node: colours[node] for node in nodes})
    for order in islice(_orders(start, around, is_forest=len(pairs) < len(nodes)), MOST_LEAVES):
        written = certificate(colours, edges, order)
        if best is None or written < best[0]:
            best = written, order
    assert best is not None
    return best[1]


Around = dict[int, list[tuple[int, int]]]
"""For each node the labels of its edges, one number for each direction, with the other ends."""


@dataclass
class _Colouring:
    """Nodes by colour. A colour is a number that depends on the graph alone, not on how it is numbered."""

    colour: dict[int, int]
    cells: dict[int, set[int]]
    next_colour: int

    @classmethod
    def of(cls, colour: dict[int, int]) -> _Colouring:
        cells = defaultdict[int, set[int]](set)
        for node, one in colour.items():
            cells[one].add(node)
        return cls(colour, dict(cells), 1 + max(colour.values()))

    def copy(self) -> _Colouring:
        return _Colouring(
            self.colour.copy(), {one: nodes.copy() for one, nodes in self.cells.items()}, self.next_colour
        )

    def move(self, nodes: Iterable[int]) -> None:
        """Give nodes of one cell a new colour."""
        for node in nodes:
            cell = self.cells[self.colour[node]]
            cell.discard(node)
            if not cell:
                del self.cells[self.colour[node]]
            self.colour[node] = self.next_colour
            self.cells.setdefault(self.next_colour, set()).add(node)
        self.next_colour += 1

    def refine(self, around: Around, changed: Iterable[int]) -> None:
        """Tell nodes apart by the colours around them, until that tells no more apart.

        Only neighbours of what has changed are looked at. Those of a cell that have such a neighbour differ from those
        that have none, so that each group of them gets a colour of its own, in the order of what is around them.
        """
        colour = self.colour
        touched = set(changed)
        while touched:
            groups = defaultdict[int, dict[tuple[tuple[int, int], ...], list[int]]](dict)
            for node in touched:
                key = tuple(sorted((label, colour[other]) for label, other in around[node]))
                groups[colour[node]].setdefault(key, []).append(node)
            moved: list[int] = []
            for old in sorted(groups):
                keys = sorted(groups[old])
                if sum(map(len, groups[old].values())) == len(self.cells[old]):
                    sizes = {key: len(nodes) for key, nodes in groups[old].items()}
                    keys.remove(max(keys, key=sizes.__getitem__))  # the largest keeps its colour
                for key in keys:
                    moved += groups[old][key]
                    self.move(groups[old][key])
            touched = {other for node in moved for _, other in around[node]}


def _orders(start: _Colouring, around: Around, *, is_forest: bool) -> Iterator[tuple[int, ...]]:
    """Yield numberings: refine, tell one of the nodes that stay alike apart, and go on."""
    start.refine(around, around)
    waiting = [start]
    while waiting:
        now = waiting.pop()
        alike = min((one for one, nodes in now.cells.items() if len(nodes) > 1), default=None)
        if alike is None:
            yield tuple(sorted(now.colour, key=now.colour.__getitem__))
            continue
        cell = sorted(now.cells[alike])
        if _are_twins(cell, around):
            for node in cell[1:]:
                now.move([node])
            now.refine(around, {other for node in cell for _, other in around[node]})
            waiting.append(now)
            continue
        for node in reversed(cell[:1] if is_forest else cell):
            chosen = now.copy()
            chosen.move([node])
            chosen.refine(around, {other for _, other in around[node]})
            waiting.append(chosen)


def _are_twins(cell: Sequence[int], around: Around) -> bool:
    """Return whether nodes have the very same neighbours, so that any two can change places."""
    first = sorted(around[cell[0]])
    return all(sorted(around[node]) == first for node in cell[1:])
