"""The lexical forms of numbers and of points in time."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from moose.base.errors import MooseError

_INTEGER = re.compile(r"([+-]?)([0-9]+)")
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?")
_RATIONAL = re.compile(r"([+-]?[0-9]+)/([0-9]+)")
_FLOATING = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")
_SPECIAL = {"INF": "inf", "+INF": "inf", "-INF": "-inf", "NaN": "nan"}
_CHUNK = 4000  # Python refuses to read an integer of more than 4,300 digits at once.
# Exact arithmetic takes more than linear time in the digits; a number this long is a slip, or meant to be in the way.
MOST_DIGITS = 20_000


def parse_integer(lexical: str) -> int | None:
    """Return the integer that a lexical form of xsd:integer stands for."""
    match = _INTEGER.fullmatch(_short_enough(lexical))
    if match is None:
        return None
    number = _digits(match[2])
    return -number if match[1] == "-" else number


def parse_decimal(lexical: str) -> Fraction | None:
    """Return the number that a lexical form of xsd:decimal stands for."""
    match = _DECIMAL.fullmatch(_short_enough(lexical))
    if match is None or not (match[2] or match[3]):
        return None
    fraction = match[3] or ""
    number = Fraction(_digits(match[2] + fraction), 10 ** len(fraction))
    return -number if match[1] == "-" else number


def parse_rational(lexical: str) -> Fraction | None:
    """Return the number that a lexical form of owl:rational stands for."""
    match = _RATIONAL.fullmatch(_short_enough(lexical))
    if match is None:
        return None
    numerator, denominator = parse_integer(match[1]), parse_integer(match[2])
    return Fraction(numerator, denominator) if numerator is not None and denominator else None


def parse_double(lexical: str) -> str | None:
    """Return the double that a lexical form stands for, in hexadecimal: it tells -0 from +0, and NaN is itself."""
    if lexical in _SPECIAL:
        return _SPECIAL[lexical]
    return float(lexical).hex() if _FLOATING.fullmatch(_short_enough(lexical)) else None


def parse_float(lexical: str) -> str | None:
    """Return the single-precision number that a lexical form stands for, in hexadecimal."""
    if lexical in _SPECIAL or not _FLOATING.fullmatch(_short_enough(lexical)):
        return _SPECIAL.get(lexical)
    double = float(lexical)
    # Also keeps huge exponents away from exact arithmetic: 1e999999999 is infinite as a double already.
    if double == 0.0 or abs(double) == float("inf"):
        return double.hex()
    return _round_to_single(_exact(lexical), double).hex()


def _round_to_single(number: Fraction, double: float) -> float:
    """Round to 24 significant bits, half to even; going through a double instead would round twice."""
    exponent = max(_binary_exponent(abs(number)) - 23, -149)
    rounded = round(number / Fraction(2) ** exponent) * Fraction(2) ** exponent
    if rounded == 0:
        return -0.0 if double < 0 else 0.0
    if abs(rounded) >= 2**128:
        return float("-inf") if double < 0 else float("inf")
    return float(rounded)


def _binary_exponent(number: Fraction) -> int:
    """Return the k with 2ᵏ ≤ number < 2ᵏ⁺¹."""
    guess = number.numerator.bit_length() - number.denominator.bit_length()
    return guess if number >= Fraction(2) ** guess else guess - 1


def _exact(lexical: str) -> Fraction:
    """Return the exact number of a floating-point lexical form."""
    mantissa, _, exponent = lexical.lower().partition("e")
    number = parse_decimal(mantissa)
    assert number is not None
    # A number that is neither zero nor infinite as a double has few digits here, but perhaps many zeros before them.
    power = parse_integer(exponent or "0")
    assert power is not None
    return number * Fraction(10) ** power


def _short_enough(lexical: str) -> str:
    """Return a lexical form whose value can be computed with, or refuse it."""
    if len(lexical) > MOST_DIGITS:
        raise MooseError(
            f"expected numbers and times of at most {MOST_DIGITS:,} characters, but a literal has {len(lexical):,}: "
            f'"{lexical[:20]}…"; shorten it, or make it an xsd:string'
        )
    return lexical


def _digits(digits: str) -> int:
    number = 0
    for start in range(0, len(digits), _CHUNK):
        chunk = digits[start : start + _CHUNK]
        number = number * 10 ** len(chunk) + int(chunk)
    return number


_DATE_TIME = re.compile(
    r"(?P<year>-?([1-9][0-9]{3,}|0[0-9]{3}))-(?P<month>0[1-9]|1[0-2])-(?P<day>0[1-9]|[12][0-9]|3[01])T"
    r"((?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9](\.[0-9]+)?)|(?P<midnight>24:00:00(\.0+)?))"
    r"(?P<offset>Z|[+-]((0[0-9]|1[0-3]):[0-5][0-9]|14:00))?"
)


class DateTime(NamedTuple):
    """A moment as XML Schema 1.1 counts it: local time, and minutes east of Greenwich (None when not said)."""

    year: int
    month: int
    day: int
    hour: int
    minute: int
    second: Fraction
    offset: int | None


def parse_date_time(lexical: str) -> DateTime | None:
    """Return the moment that a lexical form of xsd:dateTime stands for."""
    match = _DATE_TIME.fullmatch(_short_enough(lexical))
    if match is None:
        return None
    year, second = parse_integer(match["year"]), parse_decimal(match["second"] or "0")
    assert year is not None
    assert second is not None
    month, day = int(match["month"]), int(match["day"])
    if day > _days_in(year, month):
        return None
    if match["midnight"]:
        year, month, day = _next_day(year, month, day)
    return DateTime(
        year, month, day, int(match["hour"] or 0), int(match["minute"] or 0), second, _offset(match["offset"])
    )


def _days_in(year: int, month: int) -> int:
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def _next_day(year: int, month: int, day: int) -> tuple[int, int, int]:
    """Return the date after: 24:00 is the next day's midnight."""
    if day < _days_in(year, month):
        return year, month, day + 1
    return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)


def _offset(text: str | None) -> int | None:
    if text is None or text == "Z":
        return None if text is None else 0
    minutes = int(text[1:3]) * 60 + int(text[4:6])
    return -minutes if text[0] == "-" else minutes
