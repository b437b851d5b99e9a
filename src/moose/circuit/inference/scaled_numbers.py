"""Scaled numbers: mantissa · 2^exponent, so that nothing underflows."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, eq=False)
class Scaled:
    """Many numbers, each `mantissas[k] · 2^exponents[k]`, the mantissa in [½, 1) or 0."""

    mantissas: npt.NDArray[np.float64]
    exponents: npt.NDArray[np.int64]

    def log(self, position: int) -> float:
        """Return the natural logarithm of one of them."""
        return scaled_log(float(self.mantissas[position]), int(self.exponents[position]))


def scaled_log(mantissa: float, exponent: int) -> float:
    """Return the natural logarithm, -inf for zero."""
    return math.log(mantissa) + exponent * math.log(2) if mantissa > 0.0 else -math.inf


def scale(number: Fraction) -> tuple[float, int]:
    """Split a number that is not negative, however small or large.

    >>> scale(Fraction(3, 8)), scale(Fraction(1, 2**5000))
    ((0.75, -1), (0.5, -4999))
    """
    if number == 0:
        return 0.0, 0
    above, below = number.numerator, number.denominator
    shift = above.bit_length() - below.bit_length()
    ratio = above / (below << shift) if shift > 0 else (above << -shift) / below  # between ½ and 2, rounded once
    mantissa, more = math.frexp(ratio)
    return mantissa, shift + more


def scale_all(numbers: Iterable[Fraction]) -> Scaled:
    """Split many numbers, equal ones once."""
    known: dict[tuple[int, int], tuple[float, int]] = {}  # integers are hashed much faster than fractions
    pairs = []
    for number in numbers:
        key = (number.numerator, number.denominator)
        if key not in known:
            known[key] = scale(number)
        pairs.append(known[key])
    mantissas = np.array([mantissa for mantissa, _ in pairs], dtype=np.float64)
    return Scaled(mantissas, np.array([exponent for _, exponent in pairs], dtype=np.int64))


def scaled_product(numbers: Iterable[Fraction]) -> tuple[float, int]:
    """Multiply numbers as a scaled number.

    >>> scaled_product([Fraction(1, 4), Fraction(3, 2)])
    (0.75, -1)
    """
    mantissa, exponent = 0.5, 1
    for number in numbers:
        factor, factor_exponent = scale(number)
        mantissa, shift = math.frexp(mantissa * factor)
        exponent += factor_exponent + shift
    return mantissa, exponent
