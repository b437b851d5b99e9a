"""The level of each decision: plain lists for small circuits, arrays and numba for large ones."""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence


def fill_levels(
    starts: Sequence[int], primes: Sequence[int], subs: Sequence[int], first: int, levels: MutableSequence[int]
) -> None:
    """Write the longest way from each decision down to a literal or constant."""
    for decision in range(len(levels)):
        level = 1
        for element in range(starts[decision], starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            if prime >= first and levels[prime - first] >= level:
                level = levels[prime - first] + 1
            if sub >= first and levels[sub - first] >= level:
                level = levels[sub - first] + 1
        levels[decision] = level
