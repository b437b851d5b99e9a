"""Functions such as are compiled: they allocate nothing and raise nothing."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.float64]
FACTOR = 3


class Table(NamedTuple):
    """Arrays and a number under one name, as the kernel's theory is."""

    cells: npt.NDArray[np.int32]
    grid: Grid
    offset: int
    share: float


def scaled(number: int) -> int:
    """Use a constant of the module."""
    return FACTOR * number


def weigh(table: Table, weights: npt.NDArray[np.int64], factor: float, sums: Grid) -> int:
    """Read arrays of several types and layouts, write one, and return a number."""
    total = table.offset
    for row in range(table.grid.shape[0]):
        sums[row] = 0.0
        for column in range(table.grid.shape[1]):
            sums[row] += factor * table.share * table.grid[row, column]
    for position in range(len(table.cells)):
        total += scaled(table.cells[position]) * weights[position]
    return total


def fill(sums: Grid, number: int) -> None:
    """Return nothing."""
    for position in range(len(sums)):
        sums[position] = number


def errors(angles: Grid) -> None:
    """Call what LLVM does not know."""
    for position in range(len(angles)):
        angles[position] = math.erf(angles[position])


def mean(sums: Grid) -> float:
    """Return what is no whole number."""
    return float(sums[0]) / 2
