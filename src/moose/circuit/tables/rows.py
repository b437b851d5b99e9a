"""Rows that grow: assignments to some variables, joined with other tables, extended by a variable, and filtered."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from moose.circuit.tables.theory import Constraint

Values = npt.NDArray[np.uint16]
Numbers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LARGEST_CODE = 1 << 62


class TooManyRows(Exception):
    """A table would have more rows than are allowed."""

    def __init__(self, rows: int, bag: tuple[int, ...] = ()) -> None:
        super().__init__(rows, bag)
        self.rows = rows
        self.bag = bag
        """The variables that the table is about."""


@lru_cache(maxsize=4096)
def members(values: int, size: int) -> Flags:
    """Return a set of values, given as bits, as an array of flags."""
    flags: Flags = np.array([values >> value & 1 == 1 for value in range(size)])
    return flags


def codes(columns: Sequence[Values | Numbers], sizes: Sequence[int], count: int) -> Numbers:
    """Number the combinations of values in columns: equal numbers for equal rows, in lexicographic order."""
    code = np.zeros(count, dtype=np.int64)
    span = 1
    for column, size in zip(columns, sizes):
        if span * size > LARGEST_CODE:
            different, code = np.unique(code, return_inverse=True)
            code, span = code.reshape(-1), len(different)
        code = code * size + column
        span *= size
    return code


class Rows:
    """Assignments to the variables of a bag, column by column, and the state of each child that a row agrees with."""

    def __init__(self, sizes: Sequence[int], constraints: Sequence[Constraint], most: int) -> None:
        self.sizes = sizes
        self.count = 1
        self.columns: dict[int, Values] = {}
        self.links: dict[int, Numbers] = {}
        """For each child that is joined the number of its state."""
        self._most = most
        self._waiting: dict[Constraint, set[int]] = {one: {variable for variable, _ in one} for one in constraints}
        """The constraints that speak of variables without a column, and those variables."""

    def join(self, child: int, states: Values, variables: Sequence[int]) -> None:
        """Keep the rows that agree with a state of a child; variables that are new here come with it."""
        shared = [position for position, one in enumerate(variables) if one in self.columns]
        sizes = [self.sizes[variables[position]] for position in shared]
        mine = [self.columns[variables[position]] for position in shared]
        theirs = [states[position] for position in shared]
        both = [np.concatenate([theirs[number], mine[number]]) for number in range(len(shared))]
        count = states.shape[1]
        code = codes(both, sizes, count + self.count)
        left, right = code[count:], code[:count]
        order = np.argsort(right, kind="stable")
        begin = np.searchsorted(right[order], left, side="left")
        lengths = np.searchsorted(right[order], left, side="right") - begin
        total = int(lengths.sum())
        self._allow(total)
        offsets = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        link = order[np.repeat(begin, lengths) + offsets]
        self._take(np.repeat(np.arange(self.count), lengths))
        self.links[child] = link
        for position, one in enumerate(variables):
            if one not in self.columns:
                self._add(one, states[position][link])
        self._filter()

    def extend(self, variable: int) -> None:
        """Take every row with every value of a variable."""
        size = self.sizes[variable]
        self._allow(self.count * size)
        count = self.count
        self._take(np.tile(np.arange(count), size))
        self._add(variable, np.repeat(np.arange(size, dtype=np.uint16), count))
        self._filter()

    def most_constrained(self, variables: Sequence[int]) -> int:
        """Return the variable that the most constraints wait for alone, of equals the first."""
        alone = [next(iter(missing)) for missing in self._waiting.values() if len(missing) == 1]
        return max(variables, key=lambda one: (alone.count(one), -variables.index(one)))

    def _allow(self, total: int) -> None:
        if total > self._most:
            raise TooManyRows(total)

    def _take(self, positions: Numbers) -> None:
        self.columns = {one: column[positions] for one, column in self.columns.items()}
        self.links = {child: link[positions] for child, link in self.links.items()}
        self.count = len(positions)

    def _add(self, variable: int, column: Values) -> None:
        self.columns[variable] = column
        for missing in self._waiting.values():
            missing.discard(variable)

    def _filter(self) -> None:
        """Leave out the rows that break a constraint all of whose variables have a column."""
        ready = [one for one, missing in self._waiting.items() if not missing]
        if not ready:
            return
        keep = np.ones(self.count, dtype=bool)
        for constraint in ready:
            del self._waiting[constraint]
            satisfied = np.zeros(self.count, dtype=bool)
            for variable, values in constraint:
                satisfied |= members(values, self.sizes[variable])[self.columns[variable]]
            keep &= satisfied
        if not keep.all():
            self._take(np.flatnonzero(keep))
