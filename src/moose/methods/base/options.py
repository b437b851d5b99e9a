"""Checks of what a method is asked to do."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from moose.base.errors import MooseError


def check_numbers(method: str, *, least: float = 0.0, **values: object) -> None:
    """Refuse a number that is not finite or less than what makes sense."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value < inf:
            raise MooseError(f"expected a number of at least {least:g} for {name} of {method}, but got {value!r}")


def check_counts(method: str, **values: object) -> None:
    """Refuse what is not a positive whole number."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise MooseError(f"expected a positive whole number for {name} of {method}, but got {value!r}")


def check_flags(method: str, **values: object) -> None:
    """Refuse what is neither true nor false."""
    for name, value in values.items():
        if not isinstance(value, bool):
            raise MooseError(f"expected true or false for {name} of {method}, but got {value!r}")


def check_choice(method: str, name: str, value: str, among: Sequence[str]) -> None:
    """Refuse a word that is not among those that there are."""
    if value not in among:
        raise MooseError(f"expected {name} of {method} among {', '.join(among)}, but got {value!r}")
