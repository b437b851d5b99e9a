"""Semirings as values: what `evaluate` adds and multiplies."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Semiring(Generic[Value]):
    """Two operations with their neutral elements; both commute, times distributes over plus, zero absorbs.

    >>> RATIONAL.plus(Fraction(1, 3), Fraction(1, 6))
    Fraction(1, 2)
    """

    plus: Callable[[Value, Value], Value]
    times: Callable[[Value, Value], Value]
    zero: Value
    one: Value


def add_logs(first: float, second: float) -> float:
    """Return log(eˣ + eʸ).

    >>> add_logs(-math.inf, -math.inf), round(add_logs(math.log(3), math.log(5)), 9) == round(math.log(8), 9)
    (-inf, True)
    """
    low, high = min(first, second), max(first, second)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


def _maximum(first: Fraction, second: Fraction) -> Fraction:
    return max(first, second)


def _either(first: bool, second: bool) -> bool:
    return first or second


def _both(first: bool, second: bool) -> bool:
    return first and second


RATIONAL: Semiring[Fraction] = Semiring(operator.add, operator.mul, Fraction(0), Fraction(1))
"""Weighted model counts, exactly."""
LOG: Semiring[float] = Semiring(add_logs, operator.add, -math.inf, 0.0)
"""Weighted model counts by their logarithms."""
COUNT: Semiring[int] = Semiring(operator.add, operator.mul, 0, 1)
"""Model counts."""
MAXIMUM: Semiring[Fraction] = Semiring(_maximum, operator.mul, Fraction(0), Fraction(1))
"""The weight of the heaviest model."""
BOOLEAN: Semiring[bool] = Semiring(_either, _both, False, True)
"""Whether there is a model."""
