"""The class hierarchy as rows of numbers, and what is least or greatest in a set of its members."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from moose.saturation.engine.arrays import Flags, Indices, Integers


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


def consecutive(starts: Integers, lengths: Integers) -> Integers:
    """Return the numbers of all runs start, start + 1, … of given lengths, one behind the other.

    >>> consecutive(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist()
    [5, 6, 9, 10, 11]
    """
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    numbers: Integers = np.arange(total) + np.repeat(starts - (ends - lengths), lengths)
    return numbers
