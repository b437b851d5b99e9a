"""Where a value stands on an axis, and which values are written beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from moose.base.errors import MooseError


@dataclass(frozen=True, slots=True)
class Axis:
    """A linear axis: values from `low` to `high` stand from `start` to `end` of the drawing."""

    low: float
    high: float
    start: float
    end: float

    def __post_init__(self) -> None:
        if not self.low < self.high:
            raise MooseError(f"expected an axis from a smaller to a larger value, but got {self.low} to {self.high}")

    def coordinate(self, value: float) -> float:
        """Return where a value stands; one beyond the axis stands at its end."""
        within = min(max(value, self.low), self.high)
        return self.start + (within - self.low) / (self.high - self.low) * (self.end - self.start)


def spanning(values: Sequence[float], bounds: tuple[float, float], *, most: int = 6) -> tuple[float, ...]:
    """Return round values around the given ones, none beyond the bounds: where an axis begins, ends and is marked.

    >>> spanning([31.0, 79.1], (0.0, 100.0))
    (30.0, 40.0, 50.0, 60.0, 70.0, 80.0)
    >>> spanning([100.0], (0.0, 100.0))
    (99.0, 99.2, 99.4, 99.6, 99.8, 100.0)
    """
    low, high = min(values), max(values)
    if high - low < 1.0:  # one point, or all but one: still an axis of some length
        low, high = max(bounds[0], low - 0.5), min(bounds[1], high + 0.5)
        low, high = (high - 1.0, high) if high == bounds[1] else (low, low + 1.0)
    step = _step(high - low, most)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    marked = [round(count * step, 6) for count in range(first, last + 1)]
    return tuple(mark for mark in marked if bounds[0] <= mark <= bounds[1])


def _step(length: float, most: int) -> float:
    """Return the smallest of 1, 2, 5, 10, … of a power of ten that cuts a length into no more than `most` parts."""
    power = 10.0 ** math.floor(math.log10(length / most))
    return next(factor * power for factor in (1.0, 2.0, 5.0, 10.0, 20.0) if length / (factor * power) <= most)
