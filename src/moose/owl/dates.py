"""The lexical forms of xsd:dateTime, with any year and any fraction of a second."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

from moose.owl.numerals import parse_decimal, parse_integer

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
    match = _DATE_TIME.fullmatch(lexical)
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
