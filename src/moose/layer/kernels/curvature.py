"""How marginals change along a direction of the log weights: the second derivative of log WMC times a vector.

Numba compiles these functions. Every value and slope is carried with its change; the rest is as in `linear`, `scaled`.
"""

from __future__ import annotations

from moose.layer.kernels.arrays import Change, Examples, Floats, Numbers, Outcome, Reals, Tile, Wiring
from moose.layer.kernels.linear import DONE, LEFT_OVER, count_tile, go_down, start_down
from moose.layer.kernels.scaled import (
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


def start_change(row: int, width: int, atoms: int, values: Reals, change: Change) -> None:
    """Set the change of each normalised weight: a pair keeps its sum of 1."""
    for atom in range(atoms):
        other = atoms + atom
        for column in range(width):
            along = change.directions[row + column, atom] - change.directions[row + column, other]
            change.values[atom, column] = values[atom, column] * values[other, column] * along
            change.values[other, column] = -change.values[atom, column]


def go_up_changing(width: int, wiring: Wiring, values: Reals, changes: Reals) -> None:
    """Derive `linear.go_up` along the direction."""
    first = 2 * wiring.given.shape[0] + 2
    for slot in range(first - 2, values.shape[0]):
        for column in range(width):
            changes[slot, column] = 0.0
    for decision in range(wiring.starts.shape[0] - 1):
        slot = first + decision
        for element in range(wiring.starts[decision], wiring.starts[decision + 1]):
            prime, sub = wiring.primes[element], wiring.subs[element]
            for column in range(width):
                changes[slot, column] += changes[prime, column] * values[sub, column]
            for column in range(width):
                changes[slot, column] += values[prime, column] * changes[sub, column]


def start_down_changing(width: int, root: int, slopes: Reals, change: Change) -> None:
    """Derive `linear.start_down`: the change of 1 / root."""
    for slot in range(slopes.shape[0]):
        for column in range(width):
            change.slopes[slot, column] = 0.0
    for column in range(width):
        change.slopes[root, column] = -change.values[root, column] * slopes[root, column] * slopes[root, column]


def go_down_changing(width: int, wiring: Wiring, tile: Tile, change: Change) -> None:
    """Derive `linear.go_down` along the direction, the slopes being known."""
    first = 2 * wiring.given.shape[0] + 2
    for decision in range(wiring.starts.shape[0] - 2, -1, -1):
        slot = first + decision
        for element in range(wiring.starts[decision], wiring.starts[decision + 1]):
            prime, sub = wiring.primes[element], wiring.subs[element]
            for child, other in ((prime, sub), (sub, prime)):
                for column in range(width):
                    change.slopes[child, column] += (
                        change.slopes[slot, column] * tile.values[other, column]
                        + tile.slopes[slot, column] * change.values[other, column]
                    )


def write_changes(row: int, noise: float, tile: Tile, change: Change, outcome: Outcome) -> None:
    """Derive `linear.write_marginals` along the direction."""
    atoms = outcome.results.shape[1] // 2
    for column in range(min(tile.notes.shape[1], outcome.results.shape[0] - row)):
        is_done = 1.0 if outcome.states[row + column] == DONE else 0.0
        for atom in range(atoms):
            other = atoms + atom
            value, other_value = tile.values[atom, column], tile.values[other, column]
            slope, other_slope = tile.slopes[atom, column], tile.slopes[other, column]
            along = change.values[atom, column]
            positive = value * change.slopes[atom, column] + along * slope
            negative = other_value * change.slopes[other, column] - along * other_slope
            free = 1.0 - value * slope - other_value * other_slope
            is_free = 1.0 if free > noise else 0.0
            free_change = -(positive + negative)
            positive += is_free * (free * along + free_change * value)
            negative += is_free * (-free * along + free_change * other_value)
            outcome.results[row + column, atom] = positive * is_done
            outcome.results[row + column, other] = negative * is_done


def change_marginals(examples: Examples, wiring: Wiring, tile: Tile, change: Change, outcome: Outcome) -> int:
    """Write the change of the marginals along the directions; return how many examples are left to `scaled`."""
    left = 0
    for row in range(0, examples.log_weights.shape[0], tile.notes.shape[1]):
        width = min(tile.notes.shape[1], examples.log_weights.shape[0] - row)
        left += count_tile(row, examples, wiring, tile, outcome)
        start_change(row, width, wiring.given.shape[0], tile.values, change)
        go_up_changing(width, wiring, tile.values, change.values)
        start_down(row, width, wiring.root, tile, outcome)
        start_down_changing(width, wiring.root, tile.slopes, change)
        go_down(width, wiring, tile.values, tile.slopes)
        go_down_changing(width, wiring, tile, change)
        write_changes(row, wiring.noise, tile, change, outcome)
    return left


def start_change_scaled(row: int, atoms: int, directions: Floats, numbers: Numbers) -> None:
    """Set the change of each normalised weight of one example."""
    mantissas, exponents = numbers.mantissas, numbers.exponents
    for atom in range(atoms):
        other = atoms + atom
        mantissa, exponent = settle(
            mantissas[VALUE, atom] * mantissas[VALUE, other], exponents[VALUE, atom] + exponents[VALUE, other]
        )
        mantissa, exponent = settle(mantissa * (directions[row, atom] - directions[row, other]), exponent)
        mantissas[VALUE_CHANGE, atom], exponents[VALUE_CHANGE, atom] = mantissa, exponent
        mantissas[VALUE_CHANGE, other], exponents[VALUE_CHANGE, other] = -mantissa, exponent


def change_slope_of_root(root: int, numbers: Numbers) -> None:
    """Set the change of 1 / root."""
    clear(0, SLOPE_CHANGE, numbers)
    mantissas, exponents = numbers.mantissas, numbers.exponents
    slope, exponent = mantissas[SLOPE, root], exponents[SLOPE, root]
    mantissa, total = settle(-mantissas[VALUE_CHANGE, root] * slope, exponents[VALUE_CHANGE, root] + exponent)
    mantissas[SLOPE_CHANGE, root], exponents[SLOPE_CHANGE, root] = settle(mantissa * slope, total + exponent)


def write_changes_scaled(row: int, noise: float, numbers: Numbers, results: Floats) -> None:
    """Derive `scaled.write_row` along the direction."""
    atoms = results.shape[1] // 2
    mantissas, exponents = numbers.mantissas, numbers.exponents
    for atom in range(atoms):
        other = atoms + atom
        free = 1.0 - share((VALUE, atom), (SLOPE, atom), numbers) - share((VALUE, other), (SLOPE, other), numbers)
        positive = share((VALUE, atom), (SLOPE_CHANGE, atom), numbers)
        positive += share((VALUE_CHANGE, atom), (SLOPE, atom), numbers)
        negative = share((VALUE, other), (SLOPE_CHANGE, other), numbers)
        negative += share((VALUE_CHANGE, other), (SLOPE, other), numbers)
        if free > noise:
            along = free * narrow(mantissas[VALUE_CHANGE, atom], exponents[VALUE_CHANGE, atom])
            free_change = -(positive + negative)
            positive += along + free_change * narrow(mantissas[VALUE, atom], exponents[VALUE, atom])
            negative += -along + free_change * narrow(mantissas[VALUE, other], exponents[VALUE, other])
        results[row, atom] = positive
        results[row, other] = negative


def change_marginals_scaled(
    examples: Examples, wiring: Wiring, numbers: Numbers, directions: Floats, outcome: Outcome
) -> None:
    """Write the change of the marginals of the examples that `change_marginals` left."""
    for row in range(examples.log_weights.shape[0]):
        if outcome.states[row] == LEFT_OVER:
            weigh(row, examples, wiring, numbers)
            start_change_scaled(row, wiring.given.shape[0], directions, numbers)
            climb(wiring, True, numbers)
            if numbers.mantissas[VALUE, wiring.root] > 0.0:
                invert_root(wiring.root, numbers)
                change_slope_of_root(wiring.root, numbers)
                descend(wiring, True, numbers)
                write_changes_scaled(row, wiring.noise, numbers, outcome.results)
