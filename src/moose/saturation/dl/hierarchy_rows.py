"""The class hierarchy as rows of numbers, and what is least or greatest in a set of its members."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from moose.base.integer_arrays import consecutive
from moose.saturation.engine.arrays import Flags, Indices, Integers

ROWS_AT_ONCE = 1 << 12
"""Classes whose pairs are in memory at a time."""


@dataclass(frozen=True)
class Rows:
    """For each satisfiable named class, in the order of IRIs, the named classes that it is below, itself included."""

    names: tuple[str, ...]
    pointers: Integers
    above: Indices
    is_direct: Flags

    def row(self, number: int) -> slice:
        """Return where a class's entries stand."""
        return slice(int(self.pointers[number]), int(self.pointers[number + 1]))

    @cached_property
    def heights(self) -> Integers:
        """How many classes each class is below; equivalent ones have equally many, those above fewer."""
        return np.diff(self.pointers)

    @cached_property
    def name_array(self) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
        """The names, to be picked by an array of numbers."""
        return np.array(self.names, dtype=object)

    def names_of(self, numbers: Indices) -> tuple[str, ...]:
        """Return the names of classes, sorted."""
        picked: list[str] = self.name_array[np.sort(numbers)].tolist()
        return tuple(picked)

    def pairs(self, *, closure: bool) -> Iterator[tuple[str, str]]:
        """Yield the names of each class and of those above it, sorted: the direct and equivalent ones, or all."""
        size = len(self.names)
        for first in range(0, size, ROWS_AT_ONCE):
            last = min(first + ROWS_AT_ONCE, size)
            entries = slice(self.pointers[first], self.pointers[last])
            below = np.repeat(np.arange(first, last), self.heights[first:last])
            above = self.above[entries]
            is_wanted = above != below
            if not closure:
                is_wanted &= self.is_direct[entries] | (self.heights[above] == self.heights[below])
            lows, highs = np.divmod(np.sort(below[is_wanted] * size + above[is_wanted]), size)
            yield from zip(self.name_array[lows].tolist(), self.name_array[highs].tolist(), strict=True)

    def least(self, numbers: Indices) -> Indices:
        """Return those of some classes that are not strictly above another of them."""
        is_above = np.zeros(len(self.names), dtype=np.bool_)
        for number in numbers.tolist():
            above = self.above[self.row(number)]
            is_above[above[self.heights[above] < self.heights[number]]] = True
        return numbers[~is_above[numbers]]

    def greatest(self, numbers: Indices) -> Indices:
        """Return those of some classes, with whatever is below them, that are directly below none of them."""
        direct_pointers, parents = self._parents
        starts = direct_pointers[numbers]
        lengths = direct_pointers[numbers + 1] - starts
        is_member = np.zeros(len(self.names), dtype=np.bool_)
        is_member[numbers] = True
        has_parent = is_member[parents[consecutive(starts, lengths)]]
        children = np.repeat(np.arange(len(numbers)), lengths)
        is_below = np.zeros(len(numbers), dtype=np.bool_)
        is_below[children[has_parent]] = True
        return numbers[~is_below]

    @cached_property
    def _parents(self) -> tuple[Integers, Indices]:
        """Return the direct entries alone, as pointers and rows."""
        before = np.concatenate([[0], np.cumsum(self.is_direct)])
        return before[self.pointers], self.above[self.is_direct]
