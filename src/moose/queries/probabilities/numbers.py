"""Read probabilities exactly: decimals and fractions as they are written, never by way of a float."""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from math import isfinite

from moose.base.errors import MooseError

Number = str | int | float | Decimal | Fraction
"""What a probability may be given as; a float stands for the shortest decimal that names it, so 0.1 is 1/10."""

DECIMAL = re.compile(r"\+?(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?")
FRACTION = re.compile(r"\+?[0-9]+\s*/\s*[0-9]+")
# A double has 17 digits and an exponent of 308: numbers far beyond that are slips, and slow to compute with.
MOST_CHARACTERS = 1_000
LARGEST_EXPONENT = 1_000


def read_probability(value: Number, where: str) -> Fraction:
    """Return a probability as an exact fraction; `where` says in a message where it stands.

    >>> read_probability("0.3", "line 1"), read_probability("1/3", "line 2"), read_probability("2e-3", "line 3")
    (Fraction(3, 10), Fraction(1, 3), Fraction(1, 500))
    """
    number = _read(value)
    if isinstance(number, str):
        raise MooseError(
            f"{where}: expected a probability from 0 to 1 such as 0.3 or 1/3, but got {_shown(value)}{number}"
        )
    if not 0 <= number <= 1:
        raise MooseError(f"{where}: expected a probability from 0 to 1, but got {_shown(value)}; correct it")
    return number


def _read(value: Number) -> Fraction | str:
    """Return the number, or what to say behind a value that is none."""
    match value:
        case bool():
            return "; write 1 or 0"
        case str():
            return _read_text(value.strip())
        case float() if isfinite(value):
            return Fraction(repr(value))
        case Decimal() if value.is_finite():
            return _read_text(str(value)) if value >= 0 else Fraction(-1)
        case int() | Fraction():
            return Fraction(value)
        case _:
            return ", which is not a number; correct it"


def _read_text(text: str) -> Fraction | str:
    if len(text) > MOST_CHARACTERS:
        return f", which is longer than {MOST_CHARACTERS:,} characters; round it"
    negative = text.startswith("-") and (DECIMAL.fullmatch(text[1:]) or FRACTION.fullmatch(text[1:]))
    if negative:
        return ", which is below 0; correct it"
    if match := DECIMAL.fullmatch(text):
        if abs(int(match["exponent"] or 0)) > LARGEST_EXPONENT:
            return f", whose exponent is beyond {LARGEST_EXPONENT:,}; round it"
        return Fraction(text)
    if FRACTION.fullmatch(text):
        above, _, below = text.partition("/")
        return Fraction(int(above), int(below)) if int(below) else ", which divides by 0; correct it"
    if text.endswith("%"):
        return "; write a percentage as a decimal, 30% as 0.3"
    if re.fullmatch(r"[0-9]*,[0-9]+", text):
        return "; write the decimal mark as a point"
    return ", which is not a number; correct it"


def _shown(value: object) -> str:
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # Python writes no more than 4,300 digits
        return "a number of thousands of digits"
    return text if len(text) <= 40 else f"{text[:39]}…"


def decimal_text(value: Fraction, digits: int = 10) -> str:
    """Return a fraction as a decimal for people, rounded to significant digits; 0 and 1 only if they are exact.

    >>> decimal_text(Fraction(3, 10)), decimal_text(Fraction(1, 3), 4), decimal_text(1 - Fraction(1, 10**30))
    ('0.3', '0.3333', '0.9999999999')
    """
    context = Context(prec=digits, rounding=ROUND_HALF_EVEN)
    quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    if quotient == 1 and value != 1:
        context = Context(prec=digits, rounding=ROUND_DOWN)
        quotient = context.divide(Decimal(value.numerator), Decimal(value.denominator))
    return f"{quotient.normalize(context):g}" if quotient else "0"
