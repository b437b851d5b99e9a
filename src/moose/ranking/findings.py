"""The hierarchy of findings as rows of numbers: what is at or below a finding, and what is at or above it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError

Numbers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Findings:
    """Classes of findings and what each is below, itself included; equivalent classes are one finding.

    >>> findings = hierarchy(["Finding", "Fever", "HighFever"], [[0], [0, 1], [0, 1, 2]])
    >>> findings.below(1).tolist(), findings.above(2).tolist()
    ([1, 2], [0, 1, 2])
    """

    names: tuple[str, ...]
    pointers: Numbers
    ancestors: Numbers
    """The findings at or above each, one after the other."""

    @property
    def count(self) -> int:
        """How many findings there are."""
        return len(self.names)

    def above(self, finding: int) -> Numbers:
        """Return the findings at or above a finding."""
        return self.ancestors[self.pointers[finding] : self.pointers[finding + 1]]

    def below(self, finding: int) -> Numbers:
        """Return the findings at or below a finding."""
        pointers, descendants = self._below
        return descendants[pointers[finding] : pointers[finding + 1]]

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each finding, by its name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def representatives(self) -> Numbers:
        """For each finding the first of those that are equivalent to it."""
        lengths = np.diff(self.pointers)
        owners = np.repeat(np.arange(self.count), lengths)
        is_equal = lengths[self.ancestors] == lengths[owners]
        first = np.arange(self.count)
        np.minimum.at(first, owners[is_equal], self.ancestors[is_equal])
        return first

    @cached_property
    def _below(self) -> tuple[Numbers, Numbers]:
        owners = np.repeat(np.arange(self.count), np.diff(self.pointers))
        order = np.argsort(self.ancestors, kind="stable")
        counts = np.bincount(self.ancestors, minlength=self.count)
        return np.concatenate([[0], np.cumsum(counts)]), owners[order]


def hierarchy(names: Sequence[str], above: Sequence[Sequence[int]]) -> Findings:
    """Return the findings with these names, given the numbers of those at or above each."""
    if len(names) != len(above) or len(set(names)) != len(names):
        raise MooseError(
            f"expected as many different names as rows, but got {len(set(names))} and {len(above)}; give each one name"
        )
    if missing := next((name for number, name in enumerate(names) if number not in above[number]), None):
        raise MooseError(f"expected each finding among those above it, but {missing} is not; add its own number")
    pointers = np.cumsum([0, *map(len, above)])
    return Findings(tuple(names), pointers, np.array([one for row in above for one in row], dtype=np.int64))
