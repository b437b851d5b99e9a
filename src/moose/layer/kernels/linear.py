"""Up and down a circuit for many examples at once, in plain floating point: numba compiles these functions.

Rows are slots, columns are examples. Weights are normalised, so no value exceeds 1. A value below the range of float64
is lost here; `count` then leaves the example to `moose.layer.kernels.scaled`, which keeps an exponent apart.
"""

from __future__ import annotations

import math

import numpy as np

from moose.layer.kernels.arrays import (
    Bytes,
    Examples,
    ExponentTile,
    Floats,
    Indices,
    Integers,
    Outcome,
    Reals,
    Tile,
    Wiring,
)

DONE, LEFT_OVER, EMPTY = 0, 1, 2  # what became of an example: counted, left to `scaled`, without a model
NOTHING, MARGINALS, SLOPES = 0, 1, 2  # what is wanted besides log WMC

# Below this a sum may have lost parts to underflow: parts under 1e-308 cannot matter beside it, 1e9 of them included.
SMALLEST = 1e-200
# The exponential is taken of differences above this; farther ones, unless infinite, are left to `scaled`.
FARTHEST = -460.0
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.693145751953125, 1.4286068203094172e-06  # ln 2 in two parts, the first with few digits
EXPONENT_BIAS, EXPONENT_SHIFT = 1023, 52  # of float64
FOLD = 512  # atoms after which the product of (1 + e) is folded into the logarithm: 2**512 is within range


def fraction_exponential(x: float) -> float:
    """Return exp(x) for |x| ≤ ln 2 / 2 by its series, which the compiler spreads over the examples."""
    p = 1.0 / 6227020800.0
    p = p * x + 1.0 / 479001600.0
    p = p * x + 1.0 / 39916800.0
    p = p * x + 1.0 / 3628800.0
    p = p * x + 1.0 / 362880.0
    p = p * x + 1.0 / 40320.0
    p = p * x + 1.0 / 5040.0
    p = p * x + 1.0 / 720.0
    p = p * x + 1.0 / 120.0
    p = p * x + 1.0 / 24.0
    p = p * x + 1.0 / 6.0
    p = p * x + 0.5
    p = p * x + 1.0
    return p * x + 1.0


def scale_rows(rows: Reals, factors: Reals, result: Reals) -> None:
    """Write each row times its factor."""
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            result[row, column] = rows[row, column] * factors[row]


def read_tile(row: int, width: int, examples: Examples, values: Reals) -> None:
    """Copy examples into columns."""
    for column in range(width):
        for literal in range(examples.log_weights.shape[1]):
            values[literal, column] = examples.log_weights[row + column, literal]


def clamp_tile(row: int, width: int, examples: Examples, given: Bytes, values: Reals) -> None:
    """Give what is observed not to hold the weight 0."""
    atoms, rows = given.shape[0], examples.evidence.shape[0]
    for atom in range(atoms):
        if given[atom] != 0:
            literal = atom + atoms if given[atom] > 0 else atom
            for column in range(width):
                values[literal, column] = -math.inf
        if rows > 0:
            for column in range(width):
                observed = examples.evidence[row + column if rows > 1 else 0, atom]
                if observed > 0:
                    values[atoms + atom, column] = -math.inf
                elif observed < 0:
                    values[atom, column] = -math.inf


def normalise_tile(width: int, atoms: int, tile: Tile | ExponentTile) -> None:
    """Turn each pair of log weights into weights that sum to 1; note the sum's logarithm, and who is too far apart."""
    notes = tile.notes
    for column in range(width):
        notes[0, column] = 0.0
        notes[1, column] = 1.0
        notes[2, column] = 0.0
    for atom in range(atoms):
        take_exponentials(atom, width, atoms, tile)
        normalise_pair(atom, width, atoms, tile)
        if atom % FOLD == FOLD - 1:
            fold(width, notes)
    fold(width, notes)


def take_exponentials(atom: int, width: int, atoms: int, tile: Tile | ExponentTile) -> None:
    """Take the exponential of the difference of an atom's log weights: a fraction in the notes times a power of 2."""
    other = atoms + atom
    for column in range(width):
        positive, negative = tile.values[atom, column], tile.values[other, column]
        high, low = max(negative, positive), min(positive, negative)
        # The sum is not a number when either is not, and that must be seen in the result.
        high = positive + negative if math.isnan(positive) or math.isnan(negative) else high
        tile.notes[0, column] += high
        gap = low - high
        gap = max(FARTHEST, gap)
        power = math.floor(gap * LOG2_E + 0.5)
        tile.powers[column] = (np.int64(power) + EXPONENT_BIAS) << EXPONENT_SHIFT
        tile.notes[3, column] = fraction_exponential((gap - power * LN2_HIGH) - power * LN2_LOW)


def normalise_pair(atom: int, width: int, atoms: int, tile: Tile | ExponentTile) -> None:
    """Turn the log weights of an atom into weights that sum to 1, by the exponentials just taken."""
    other = atoms + atom
    for column in range(width):
        positive, negative = tile.values[atom, column], tile.values[other, column]
        gap = negative - positive if positive > negative else positive - negative
        ratio = tile.notes[3, column] * tile.power_values[column] if gap > FARTHEST else 0.0
        is_far = 1.0 if gap <= FARTHEST and gap > -math.inf else 0.0
        tile.notes[2, column] = max(tile.notes[2, column], is_far)
        tile.notes[1, column] *= 1.0 + ratio
        larger = 1.0 / (1.0 + ratio)
        smaller = ratio * larger
        tile.values[atom, column] = larger if positive >= negative else smaller
        tile.values[other, column] = smaller if positive >= negative else larger


def fold(width: int, notes: Reals) -> None:
    """Move the product into the logarithm."""
    for column in range(width):
        notes[0, column] += math.log(notes[1, column])
        notes[1, column] = 1.0


def go_up(width: int, wiring: Wiring, values: Reals) -> None:
    """Evaluate every decision, the weights being there: the WMC recursion, for all examples of a tile.

    v(⊤) = 1, v(⊥) = 0, v(decision) = Σₑ v(primeₑ) · v(subₑ).
    """
    first = 2 * wiring.given.shape[0] + 2
    starts, primes, subs = wiring.starts, wiring.primes, wiring.subs
    for column in range(width):
        values[first - 2, column] = 1.0
        values[first - 1, column] = 0.0
    for decision in range(starts.shape[0] - 1):
        slot, start = first + decision, starts[decision]
        prime, sub = primes[start], subs[start]  # a decision has at least one element, and most have no other
        for column in range(width):
            values[slot, column] = values[prime, column] * values[sub, column]
        for element in range(start + 1, starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            for column in range(width):
                values[slot, column] += values[prime, column] * values[sub, column]


def go_down(width: int, wiring: Wiring, values: Reals, slopes: Reals) -> None:
    """Pass the derivative of the root, set by the caller, down to every slot."""
    first = 2 * wiring.given.shape[0] + 2
    starts, primes, subs = wiring.starts, wiring.primes, wiring.subs
    for decision in range(starts.shape[0] - 2, -1, -1):
        slot = first + decision
        for element in range(starts[decision], starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            for column in range(width):
                slope = slopes[slot, column]
                slopes[prime, column] += slope * values[sub, column]
                slopes[sub, column] += slope * values[prime, column]


def finish_up(row: int, width: int, root: int, tile: Tile, outcome: Outcome) -> int:
    """Write the logarithms; say what became of each example; return how many are left to `scaled`."""
    left = 0
    for column in range(width):
        count, scale = tile.values[root, column], tile.notes[0, column]
        outcome.states[row + column] = DONE
        outcome.logs[row + column] = scale + math.log(count) if count > 0.0 else -math.inf
        if scale == -math.inf:
            outcome.states[row + column] = EMPTY
        elif math.isnan(scale):
            outcome.logs[row + column] = scale
        elif tile.notes[2, column] > 0.0 or count < SMALLEST:
            outcome.states[row + column] = LEFT_OVER
            left += 1
    return left


def start_down(row: int, width: int, root: int, tile: Tile, outcome: Outcome) -> None:
    """Set every slope to 0, but that of the root to 1 / root: slopes of the logarithm."""
    for slot in range(tile.values.shape[0]):
        for column in range(width):
            tile.slopes[slot, column] = 0.0
    for column in range(width):
        if outcome.states[row + column] == DONE:
            tile.slopes[root, column] = 1.0 / tile.values[root, column]


def write_marginals(row: int, width: int, noise: float, tile: Tile, outcome: Outcome) -> None:
    """Write the probability of each literal given theory and evidence, the slope of log WMC by its log weight.

    An atom that some disjuncts do not mention is free there: that share of the probability, 1 less the mentioned ones,
    goes to its literals by their weights. A share below the `noise` of rounding is none.
    """
    atoms = outcome.results.shape[1] // 2
    values, slopes, notes = tile.values, tile.slopes, tile.notes
    for column in range(width):
        notes[1, column] = 1.0 if outcome.states[row + column] == DONE else 0.0
        notes[1, column] = notes[0, column] if math.isnan(notes[0, column]) else notes[1, column]
    for atom in range(atoms):
        other = atoms + atom
        for column in range(width):
            positive = values[atom, column] * slopes[atom, column]
            negative = values[other, column] * slopes[other, column]
            free = 1.0 - positive - negative
            free = free if free > noise else 0.0
            positive += free * values[atom, column]
            negative += free * values[other, column]
            slopes[atom, column] = min(1.0, positive) * notes[1, column]
            slopes[other, column] = min(1.0, negative) * notes[1, column]
    for column in range(width):
        for literal in range(2 * atoms):
            outcome.results[row + column, literal] = slopes[literal, column]


def write_slopes(row: int, width: int, atoms: int, slopes: Reals, outcome: Outcome) -> None:
    """Write the slope of log WMC by the probability of each atom: (WMC given X − WMC given ¬X) / WMC."""
    for column in range(width):
        for atom in range(atoms):
            slope = slopes[atom, column] - slopes[atoms + atom, column]
            outcome.results[row + column, atom] = slope if outcome.states[row + column] == DONE else 0.0


def count_tile(row: int, examples: Examples, wiring: Wiring, tile: Tile, outcome: Outcome) -> int:
    """Write log WMC of the examples from a row on, as many as fit; return how many are left to `scaled`."""
    width = min(tile.notes.shape[1], examples.log_weights.shape[0] - row)
    read_tile(row, width, examples, tile.values)
    clamp_tile(row, width, examples, wiring.given, tile.values)
    normalise_tile(width, wiring.given.shape[0], tile)
    go_up(width, wiring, tile.values)
    return finish_up(row, width, wiring.root, tile, outcome)


# The entry has its arrays apart: to take them out of tuples would cost numba 2 μs a call, of some 15.
def count(  # noqa: PLR0913, PLR0917
    log_weights: Floats,
    evidence: Bytes,
    given: Bytes,
    starts: Integers,
    primes: Indices,
    subs: Indices,
    root: int,
    noise: float,
    values: Reals,
    slopes: Reals,
    notes: Reals,
    powers: Integers,
    power_values: Reals,
    wants: int,
    logs: Floats,
    states: Bytes,
    results: Floats,
) -> int:
    """Write log WMC of every example, and what else is wanted of it; return how many are left to `scaled`."""
    examples, wiring = Examples(log_weights, evidence), Wiring(given, starts, primes, subs, root, noise)
    tile, outcome = Tile(values, slopes, notes, powers, power_values), Outcome(logs, states, results)
    left = 0
    for row in range(0, log_weights.shape[0], notes.shape[1]):
        width = min(notes.shape[1], log_weights.shape[0] - row)
        left += count_tile(row, examples, wiring, tile, outcome)
        if wants != NOTHING:
            start_down(row, width, root, tile, outcome)
            go_down(width, wiring, values, slopes)
        if wants == MARGINALS:
            write_marginals(row, width, noise, tile, outcome)
        elif wants == SLOPES:
            write_slopes(row, width, given.shape[0], slopes, outcome)
    return left
