"""Fractions as other programs read them."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

DIGITS = 40
"""Significant digits of a decimal that does not end: twice what counters compute with."""


def is_finite_decimal(value: Fraction) -> bool:
    """Tell whether a fraction is a decimal that ends.

    >>> is_finite_decimal(Fraction(3, 40)), is_finite_decimal(Fraction(1, 3))
    (True, False)
    """
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1


def decimal(value: Fraction, digits: int = DIGITS) -> str:
    """Write a fraction as a decimal without exponent: exactly where it ends, else rounded to significant digits.

    >>> decimal(Fraction(3, 40)), decimal(Fraction(1, 3), digits=5), decimal(Fraction(1))
    ('0.075', '0.33333', '1')
    """
    with localcontext() as context:
        # A decimal that ends has at most as many digits behind the point as its denominator has bits.
        exact = value.denominator.bit_length() + len(str(value.numerator))
        context.prec = max(digits, exact) if is_finite_decimal(value) else digits
        return f"{Decimal(value.numerator) / Decimal(value.denominator):f}"
