"""Compute a value of an expression from the values of its parts, however deep it is nested."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Node = TypeVar("Node")
Result = TypeVar("Result")


def fold(
    root: Node, parts: Callable[[Node], Sequence[Node]], combine: Callable[[Node, list[Result]], Result]
) -> Result:
    """Return `combine(node, values of its parts)` at the root, without recursion.

    >>> def parts(node):
    ...     return node if isinstance(node, tuple) else ()
    >>> fold((1, (2, 3)), parts, lambda node, values: sum(values) or node)
    6
    """
    stack: list[tuple[Node, int]] = [(root, -1)]
    results: list[Result] = []
    while stack:
        node, count = stack.pop()
        if count < 0:
            children = parts(node)
            stack.append((node, len(children)))
            stack.extend((child, -1) for child in reversed(children))
        else:
            values = results[len(results) - count :]
            del results[len(results) - count :]
            results.append(combine(node, values))
    return results[0]
