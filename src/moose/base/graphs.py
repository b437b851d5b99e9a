"""Components of graphs: strong ones of a directed graph by Tarjan's algorithm, those of links by union-find."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)
Neighbours = Callable[[int], Iterable[int]]


def strong_components(roots: Iterable[int], neighbours: Neighbours) -> Iterator[list[int]]:
    """Yield the components that roots lead to, what is depended on before what depends on it (Tarjan 1972).

    >>> graph = {1: [2], 2: [3], 3: [2, 4], 4: []}
    >>> list(strong_components([1], graph.__getitem__))
    [[4], [3, 2], [1]]
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    open_nodes: dict[int, None] = {}
    for root in roots:
        if root in index:
            continue
        path = [(root, iter(tuple(neighbours(root))))]
        index[root] = low[root] = len(index)
        open_nodes[root] = None
        while path:
            node, rest = path[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    open_nodes[other] = None
                    path.append((other, iter(tuple(neighbours(other)))))
                    break
                if other in open_nodes:
                    low[node] = min(low[node], index[other])
            else:
                path.pop()
                if path:
                    low[path[-1][0]] = min(low[path[-1][0]], low[node])
                if low[node] == index[node]:
                    yield list(closed(open_nodes, node))


def closed(open_nodes: dict[int, None], last: int) -> Iterator[int]:
    """Take the nodes of a component off the stack."""
    while True:
        node, _ = open_nodes.popitem()
        yield node
        if node == last:
            return


def component_of(links: Iterable[Sequence[Node]]) -> dict[Node, Node]:
    """Return one node for all that hang together, given which hang together directly (union-find, Tarjan 1975).

    >>> component_of([(1, 2), (3,), (2, 5)])
    {1: 1, 2: 1, 3: 3, 5: 1}
    """
    leader: dict[Node, Node] = {}

    def find(node: Node) -> Node:
        while leader.setdefault(node, node) != node:
            leader[node] = node = leader[leader[node]]  # halves the path
        return node

    for link in links:
        first = find(link[0])
        for node in link[1:]:
            leader[find(node)] = first
    return {node: find(node) for node in leader}
