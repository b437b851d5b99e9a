"""How marginals change along a direction of the log weights: the second derivative of log WMC times a vector.

Numba compiles these functions. Every value and slope is carried with its change; the rest is as in `linear` and `wide`.
"""

from __future__ import annotations

from moose.layer.linear import (
    DONE,
    WIDE,
    Bytes,
    Indices,
    Integers,
    Reals,
    Tensor,
    clamp_tile,
    finish_up,
    go_down,
    go_up,
    normalise_tile,
    read_tile,
    start_down,
)
from moose.layer.wide import (
    SLOPE,
    SLOPE_CHANGE,
    VALUE,
    VALUE_CHANGE,
    clear,
    climb,
    descend,
    invert_root,
    narrow,
    settle,
    share,
    weigh,
)


def start_change(row: int, width: int, atoms: int, directions: Tensor, values: Reals, changes: Reals) -> None:
    """Set the change of each normalised weight: a pair keeps its sum of 1."""
    for atom in range(atoms):
        other = atoms + atom
        for column in range(width):
            positive, negative = directions[row + column, atom], directions[row + column, other]
            change = values[atom, column] * values[other, column] * (positive - negative)
            changes[atom, column] = change
            changes[other, column] = -change


def go_up_changing(
    width: int, starts: Integers, primes: Indices, subs: Indices, first: int, values: Reals, changes: Reals
) -> None:
    """Derive `linear.go_up` along the direction."""
    for slot in range(first - 2, values.shape[0]):
        for column in range(width):
            changes[slot, column] = 0.0
    for decision in range(starts.shape[0] - 1):
        slot = first + decision
        for element in range(starts[decision], starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            for column in range(width):
                changes[slot, column] += changes[prime, column] * values[sub, column]
            for column in range(width):
                changes[slot, column] += values[prime, column] * changes[sub, column]


def start_down_changing(width: int, root: int, slopes: Reals, changes: Reals, slope_changes: Reals) -> None:
    """Derive `linear.start_down`: the change of 1 / root."""
    for slot in range(slopes.shape[0]):
        for column in range(width):
            slope_changes[slot, column] = 0.0
    for column in range(width):
        slope_changes[root, column] = -changes[root, column] * slopes[root, column] * slopes[root, column]


def go_down_changing(
    width: int,
    starts: Integers,
    primes: Indices,
    subs: Indices,
    values: Reals,
    slopes: Reals,
    changes: Reals,
    slope_changes: Reals,
) -> None:
    """Derive `linear.go_down` along the direction, the slopes being known."""
    first = values.shape[0] - (starts.shape[0] - 1)
    for decision in range(starts.shape[0] - 2, -1, -1):
        slot = first + decision
        for element in range(starts[decision], starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            for column in range(width):
                slope, change = slopes[slot, column], slope_changes[slot, column]
                slope_changes[prime, column] += change * values[sub, column] + slope * changes[sub, column]
            for column in range(width):
                slope, change = slopes[slot, column], slope_changes[slot, column]
                slope_changes[sub, column] += change * values[prime, column] + slope * changes[prime, column]


def write_changes(
    row: int,
    width: int,
    noise: float,
    values: Reals,
    slopes: Reals,
    changes: Reals,
    slope_changes: Reals,
    states: Bytes,
    results: Tensor,
) -> None:
    """Derive `linear.write_marginals` along the direction."""
    atoms = results.shape[1] // 2
    for column in range(width):
        alive = 1.0 if states[row + column] == DONE else 0.0
        for atom in range(atoms):
            other = atoms + atom
            free = 1.0 - values[atom, column] * slopes[atom, column] - values[other, column] * slopes[other, column]
            positive = values[atom, column] * slope_changes[atom, column] + changes[atom, column] * slopes[atom, column]
            negative = (
                values[other, column] * slope_changes[other, column] + changes[other, column] * slopes[other, column]
            )
            is_free = 1.0 if free > noise else 0.0
            free_change = -(positive + negative)
            positive += is_free * (free * changes[atom, column] + free_change * values[atom, column])
            negative += is_free * (free * changes[other, column] + free_change * values[other, column])
            results[row + column, atom] = positive * alive
            results[row + column, other] = negative * alive


def change_marginals(
    log_weights: Tensor,
    evidence: Bytes,
    given: Bytes,
    starts: Integers,
    primes: Indices,
    subs: Indices,
    root: int,
    noise: float,
    values: Reals,
    slopes: Reals,
    changes: Reals,
    slope_changes: Reals,
    notes: Reals,
    powers: Integers,
    power_values: Reals,
    directions: Tensor,
    logs: Tensor,
    states: Bytes,
    results: Tensor,
) -> int:
    """Write the change of the marginals along the directions; return how many examples are left to the wide form."""
    atoms = given.shape[0]
    first = 2 * atoms + 2
    left = 0
    for row in range(0, log_weights.shape[0], notes.shape[1]):
        width = min(notes.shape[1], log_weights.shape[0] - row)
        read_tile(log_weights, row, width, values)
        clamp_tile(evidence, given, row, width, values)
        normalise_tile(width, atoms, values, notes, powers, power_values)
        start_change(row, width, atoms, directions, values, changes)
        go_up(width, starts, primes, subs, first, values)
        go_up_changing(width, starts, primes, subs, first, values, changes)
        left += finish_up(row, width, root, values, notes, logs, states)
        start_down(row, width, root, values, slopes, states)
        start_down_changing(width, root, slopes, changes, slope_changes)
        go_down(width, starts, primes, subs, first, values, slopes)
        go_down_changing(width, starts, primes, subs, values, slopes, changes, slope_changes)
        write_changes(row, width, noise, values, slopes, changes, slope_changes, states, results)
    return left


def start_change_wide(row: int, atoms: int, directions: Tensor, mantissas: Reals, exponents: Integers) -> None:
    """Set the change of each normalised weight of one example."""
    for atom in range(atoms):
        other = atoms + atom
        mantissa, exponent = settle(
            mantissas[VALUE, atom] * mantissas[VALUE, other], exponents[VALUE, atom] + exponents[VALUE, other]
        )
        mantissa, exponent = settle(mantissa * (directions[row, atom] - directions[row, other]), exponent)
        mantissas[VALUE_CHANGE, atom], exponents[VALUE_CHANGE, atom] = mantissa, exponent
        mantissas[VALUE_CHANGE, other], exponents[VALUE_CHANGE, other] = -mantissa, exponent


def change_slope_of_root(root: int, mantissas: Reals, exponents: Integers) -> None:
    """Set the change of 1 / root."""
    clear(0, SLOPE_CHANGE, mantissas, exponents)
    slope, exponent = mantissas[SLOPE, root], exponents[SLOPE, root]
    mantissa, total = settle(-mantissas[VALUE_CHANGE, root] * slope, exponents[VALUE_CHANGE, root] + exponent)
    mantissas[SLOPE_CHANGE, root], exponents[SLOPE_CHANGE, root] = settle(mantissa * slope, total + exponent)


def write_changes_wide(row: int, noise: float, mantissas: Reals, exponents: Integers, results: Tensor) -> None:
    """Derive `wide.write_row` along the direction."""
    atoms = results.shape[1] // 2
    for atom in range(atoms):
        other = atoms + atom
        free = 1.0 - share(atom, VALUE, SLOPE, mantissas, exponents) - share(other, VALUE, SLOPE, mantissas, exponents)
        positive = share(atom, VALUE, SLOPE_CHANGE, mantissas, exponents)
        positive += share(atom, VALUE_CHANGE, SLOPE, mantissas, exponents)
        negative = share(other, VALUE, SLOPE_CHANGE, mantissas, exponents)
        negative += share(other, VALUE_CHANGE, SLOPE, mantissas, exponents)
        if free > noise:
            change = free * narrow(mantissas[VALUE_CHANGE, atom], exponents[VALUE_CHANGE, atom])
            free_change = -(positive + negative)
            positive += change + free_change * narrow(mantissas[VALUE, atom], exponents[VALUE, atom])
            negative += -change + free_change * narrow(mantissas[VALUE, other], exponents[VALUE, other])
        results[row, atom] = positive
        results[row, other] = negative


def change_marginals_wide(
    log_weights: Tensor,
    evidence: Bytes,
    given: Bytes,
    starts: Integers,
    primes: Indices,
    subs: Indices,
    root: int,
    noise: float,
    mantissas: Reals,
    exponents: Integers,
    directions: Tensor,
    states: Bytes,
    results: Tensor,
) -> None:
    """Write the change of the marginals of the examples that `change_marginals` left."""
    atoms = given.shape[0]
    first = 2 * atoms + 2
    for row in range(log_weights.shape[0]):
        if states[row] == WIDE:
            weigh(row, log_weights, evidence, given, mantissas, exponents)
            start_change_wide(row, atoms, directions, mantissas, exponents)
            climb(starts, primes, subs, first, True, mantissas, exponents)
            if mantissas[VALUE, root] > 0.0:
                invert_root(root, mantissas, exponents)
                change_slope_of_root(root, mantissas, exponents)
                descend(starts, primes, subs, first, True, mantissas, exponents)
                write_changes_wide(row, noise, mantissas, exponents, results)
