"""The loop over classes and their subclasses: plain functions, compiled by numba, that allocate nothing."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.floating]
Signs = npt.NDArray[np.int8]
Positions = npt.NDArray[np.int64]


def find_winners(values: Reals, labels: Signs, starts: Positions, members: Positions, winners: Positions) -> None:
    """Find, row by row, which subclass of each class has the largest value; of equals the class itself, then the first.

    A class with the label +1 is compared with those of its subclasses that have it too, any other with all.
    """
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            winner = column
            largest = values[row, column]
            is_positive = labels[row, column] > 0
            for place in range(starts[column], starts[column + 1]):
                other = members[place]
                if values[row, other] > largest and (not is_positive or labels[row, other] > 0):
                    winner = other
                    largest = values[row, other]
            winners[row, column] = winner
