"""Arrays of whole numbers: each number once, and runs of consecutive ones."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

Numbers = TypeVar("Numbers", bound=npt.NDArray[np.integer[Any]])


def distinct(numbers: Numbers) -> Numbers:
    """Return numbers sorted, each once; np.unique hashes, which takes longer, and loads a package of its own.

    >>> distinct(np.array([2, 1, 2])).tolist()
    [1, 2]
    """
    ordered: Any = np.sort(numbers)
    picked: Numbers = ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered
    return picked


def consecutive(starts: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the numbers of all runs start, start + 1, … of given lengths, one behind the other.

    >>> consecutive(np.array([5, 0, 9]), np.array([2, 0, 3])).tolist()
    [5, 6, 9, 10, 11]
    """
    before = np.cumsum(lengths) - lengths
    numbers: npt.NDArray[np.int64] = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return numbers
