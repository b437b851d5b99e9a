"""How numbers are written: one way for the page, Markdown and LaTeX."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_EVEN, Decimal
from typing import NamedTuple

from moose.base.errors import MooseError
from moose.benchmark.report.model.model import Quantity, Unit

MISSING = "–"
"""Stands where nothing was measured."""


class QuantityText(NamedTuple):
    """A quantity as plain text; the minus of a negative number is a hyphen."""

    ours: str
    """`MISSING` where nothing was measured."""
    paper: str
    """Empty where the paper has no such number."""


def write_quantity(quantity: Quantity) -> QuantityText:
    """Write a quantity as text, a percentage without its sign.

    >>> write_quantity(Quantity(0.981, 0.003, count=5, paper=0.746))
    QuantityText(ours='98.1 ± 0.3', paper='74.6')
    >>> write_quantity(Quantity(None))
    QuantityText(ours='–', paper='')
    """
    ours = write_spread(quantity.mean, quantity.deviation, quantity.unit)
    return QuantityText(ours or MISSING, write_spread(quantity.paper, quantity.paper_deviation, quantity.unit))


def write_spread(mean: float | None, deviation: float | None, unit: Unit = "percent") -> str:
    """Write a mean and its standard deviation, both to the mean's places; nothing for None.

    >>> write_spread(1234.0, None, "count"), write_spread(0.0204, 0.001, "seconds")
    ('1,234', '0.020 ± 0.001')
    >>> write_spread(0.8625, 0.0), write_spread(0.86250000000001, 0.0)
    ('86.2 ± 0.0', '86.2 ± 0.0')
    """
    if mean is None:
        return ""
    places = _places(mean, unit)
    factor = 100.0 if unit == "percent" else 1.0
    text = _fixed(mean * factor, places)
    return text if deviation is None else f"{text} ± {_fixed(deviation * factor, places)}"


def round_to(value: float, places: int) -> Decimal:
    """Round half to even, after the noise of sums is gone: else 86.25 would be 86.2 or 86.3, as the last bit has it.

    >>> round_to(86.25, 1) == round_to(86.25000000001, 1) == Decimal("86.2")
    True
    """
    return Decimal(repr(round(value, places + 6))).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)


def _places(mean: float, unit: Unit) -> int:
    if unit == "seconds":  # short times to the millisecond; of long ones nobody reads that
        return 3 if abs(mean) < 1 else 2 if abs(mean) < 10 else 1
    return {"percent": 1, "number": 2, "count": 0}[unit]


def _fixed(value: float, places: int) -> str:
    if not math.isfinite(value):
        raise MooseError(f"expected a finite number in a report, but got {value}; give None where there is none")
    text = f"{round_to(value, places):,.{places}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text  # never -0.0
