"""The steps of `elimination.py` for thousands of hypotheses at once. Plain functions that numba compiles.

They allocate nothing and import nothing but mathematics; `likelihood.py` prepares the arrays.
"""

from __future__ import annotations

from math import exp, expm1, log

from moose.ranking.findings import Floats, Numbers

IMPOSSIBLE = float("-inf")
SMALL = 1e-150
"""Below this the states are scaled up, so that no weight is lost to the smallest float."""


def throw(table: Floats, size: int, turned_on: int, log_off: float) -> None:
    """Throw a group: on, it turns findings on."""
    off, on = exp(log_off), -expm1(log_off)
    for state in range(size):
        weight = table[state]
        if weight != 0.0:
            target = state | turned_on
            if target != state:
                table[state] = weight * off
                table[target] += weight * on


def settle(  # noqa: PLR0913, PLR0917  # numba takes arrays, no records
    table: Floats, size: int, slot: int, turned_on: int, if_on: float, if_off: float
) -> None:
    """Multiply by the probability of what was observed of a finding, and forget it."""
    for state in range(size):
        if state & slot == 0:
            table[state] *= if_off
    if slot != 0:
        for state in range(size):
            weight = table[state]
            if state & slot != 0 and weight != 0.0:
                table[state] = 0.0
                table[(state & ~slot) | turned_on] += weight * if_on


def scale(table: Floats, size: int) -> float:
    """Make the weights add up to one if they are small, and return the logarithm of what they were divided by."""
    total = 0.0
    for state in range(size):
        total += table[state]
    if total >= SMALL or total == 0.0:
        return 0.0
    for state in range(size):
        table[state] /= total
    return log(total)


def component(  # noqa: PLR0913, PLR0917  # see settle
    row: int,
    steps: Numbers,
    first: int,
    last: int,
    log_off: Floats,
    leak: Floats,
    factors: Floats,
    table: Floats,
    size: int,
) -> float:
    """Return the logarithm of how likely the observations of one component are under one hypothesis."""
    for state in range(size):
        table[state] = 0.0
    table[0] = 1.0
    scaled = 0.0
    for step in range(first, last):
        index = steps[step, 1]
        if steps[step, 0] == 0:
            throw(table, size, steps[step, 3], leak[index] + log_off[row, index])
        else:
            settle(table, size, steps[step, 2], steps[step, 3], factors[index, 1], factors[index, 0])
            scaled += scale(table, size)
    return scaled + log(table[0]) if table[0] > 0.0 else IMPOSSIBLE


def is_touched(row: int, steps: Numbers, first: int, last: int, log_off: Floats) -> bool:
    """Return whether a hypothesis has a coin of its own in a component."""
    for step in range(first, last):  # noqa: SIM110  # numba knows no generators
        if steps[step, 0] == 0 and log_off[row, steps[step, 1]] != 0.0:
            return True
    return False


def all_components(  # noqa: PLR0913, PLR0917  # see settle
    steps: Numbers, bounds: Numbers, log_off: Floats, leak: Floats, factors: Floats, table: Floats, found: Floats
) -> None:
    """Fill in the logarithms by hypothesis and component; the last row of `log_off` is a hypothesis without coins."""
    rows = log_off.shape[0] - 1
    for one in range(bounds.shape[0]):
        first, last, size = bounds[one, 0], bounds[one, 1], bounds[one, 2]
        background = component(rows, steps, first, last, log_off, leak, factors, table, size)
        for row in range(rows):
            if is_touched(row, steps, first, last, log_off):
                found[row, one] = component(row, steps, first, last, log_off, leak, factors, table, size)
            else:
                found[row, one] = background
