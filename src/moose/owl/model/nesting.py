"""Deeply nested expressions: fold them without recursion, and say it plainly where recursion ran out of stack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from moose.base.errors import MooseError

# Hashing, comparing and printing frozen values recurses, up to four interpreter levels for each level of nesting;
# with 150 levels that stays within Python's default limit of 1000, under a test runner too. Real ontologies nest < 30.
MAX_NESTING = 150
TOO_DEEP = f"expected at most {MAX_NESTING} levels of nesting, but this is nested deeper; give names to its parts"

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


@contextmanager
def shallow_enough(where: str) -> Iterator[None]:
    """Turn an expression too deep for Python's stack into an error a user can act on."""
    try:
        yield
    except RecursionError:
        raise MooseError(
            f"{where}: expected class expressions nested at most some hundred levels deep, but one is deeper; "
            "name the inner parts by classes of their own"
        ) from None
