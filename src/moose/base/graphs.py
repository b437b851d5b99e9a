"""Stage 3: strongly connected components of the dependency graph, by Tarjan's algorithm."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

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
