"""Maximal sets of which a monotone condition fails, minimal ones of which it holds, trying many elements at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeVar

Element = TypeVar("Element")
Condition = Callable[[Collection[Element]], bool]
"""Holds of every collection that has a part of which it holds."""


def grown(start: Collection[Element], more: Sequence[Element], holds: Condition[Element]) -> list[Element]:
    """Add elements to those at the start as long as a condition does not hold; return all.

    >>> grown([1], [2, 3, 4], lambda some: {1, 3} <= set(some))
    [1, 2, 4]
    """
    world = list(start)
    stack = [more]
    while stack:
        block = stack.pop()
        if not holds([*world, *block]):
            world += block
        elif len(block) > 1:
            middle = len(block) // 2
            stack += (block[middle:], block[:middle])
    return world


def shrunk(elements: Sequence[Element], holds: Condition[Element], *, kept: Sequence[Element] = ()) -> list[Element]:
    """Leave out elements, but for some to keep, as long as a condition holds of the rest; the first go first.

    >>> shrunk([1, 2, 3, 4], lambda some: len(some) >= 2)
    [3, 4]
    """
    needed = list(kept)
    stack = [elements]
    while stack:
        block = stack.pop()
        others = [element for rest in stack for element in rest]
        if not holds([*needed, *others]):
            if len(block) == 1:
                needed += block
            else:
                middle = len(block) // 2
                stack += (block[middle:], block[:middle])
    return needed
