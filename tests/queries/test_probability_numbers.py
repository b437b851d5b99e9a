"""Probabilities are read exactly, and what is none is refused."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.queries.probabilities.numbers import decimal_text, read_probability


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.3", Fraction(3, 10)),
        (" .5 ", Fraction(1, 2)),
        ("1.", Fraction(1)),
        ("+0.25", Fraction(1, 4)),
        ("1e-3", Fraction(1, 1000)),
        ("2.5E-1", Fraction(1, 4)),
        ("1/3", Fraction(1, 3)),
        ("2 / 6", Fraction(1, 3)),
        ("0", Fraction(0)),
        ("1", Fraction(1)),
        ("0.1000000000000000055511151231257827", Fraction("0.1000000000000000055511151231257827")),
        (0.1, Fraction(1, 10)),
        (Decimal("0.7"), Fraction(7, 10)),
        (Fraction(2, 7), Fraction(2, 7)),
        (1, Fraction(1)),
    ],
)
def test_numbers_are_exact(text: str | float | Decimal | Fraction, value: Fraction) -> None:
    assert read_probability(text, "here") == value


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("30%", "30% as 0.3"),
        ("0,3", "as a point"),
        ("", "not a number"),
        ("likely", "not a number"),
        ("nan", "not a number"),
        ("inf", "not a number"),
        ("1/0", "divides by 0"),
        ("1/2/3", "not a number"),
        ("0x1", "not a number"),
        ("1_0", "not a number"),
        ("٣", "not a number"),
        ("1e-999999999", "exponent"),
        ("0." + "3" * 2000, "longer than"),
        ("-0.1", "below 0"),
        ("1.5", "from 0 to 1, but got '1.5'"),
        ("3/2", "from 0 to 1"),
        (-0.5, "from 0 to 1"),
        (2, "from 0 to 1"),
        (True, "write 1 or 0"),
        (float("nan"), "not a number"),
        (Decimal(-1), "from 0 to 1"),
        (None, "not a number"),
    ],
)
def test_what_is_no_probability_is_refused(text: str, why: str) -> None:
    with pytest.raises(MooseError, match="here: expected a probability from 0 to 1") as error:
        read_probability(text, "here")
    assert why in str(error.value)
    assert len(str(error.value)) < 200


@given(st.fractions(0, 1))
def test_every_fraction_can_be_written_and_read(value: Fraction) -> None:
    assert read_probability(str(value), "here") == value


@given(st.decimals(0, 1, places=20))
def test_every_decimal_can_be_written_and_read(value: Decimal) -> None:
    assert read_probability(str(value), "here") == Fraction(value)
    assert read_probability(value, "here") == Fraction(value)


@given(st.fractions(0, 1), st.integers(1, 20))
def test_a_decimal_for_people_is_close_and_neither_0_nor_1_by_rounding(value: Fraction, digits: int) -> None:
    shown = Fraction(decimal_text(value, digits))
    assert abs(shown - value) <= value * Fraction(10) ** (1 - digits)
    assert (shown in (0, 1)) == (value in (0, 1))
