"""Up and down a large circuit for many examples at once, each slot with an exponent: numba compiles these functions.

Rows are slots, columns are examples, as in `linear`. A row holds numbers times 2 to the power 64·exponent, the same for
all its columns: the largest of them stays between 2**-32 and 2**32. So counts of hundreds of classes, far below the
range of float64, are found as fast as others. An example in which some number is too far below the others of its row is
left to `scaled`, which has an exponent for each number:

- A product of three numbers that are 0 or at least LEAST_KEPT, scaled down by four exponents, is 0 or a normal float64;
- a part that is five or more exponents below the largest of a sum is at most 2**96 / 2**320: nothing beside SURE.

Slopes go down likewise. There an example is lost, too, whose own part of a sum may be among those that are left out:
where evidence excludes what would make an example far likelier, its slope is huge, and says nothing of its neighbours'.
"""

from __future__ import annotations

import math

import numpy as np

from moose.layer.kernels.arrays import Examples, ExponentTile, Integers, Outcome, ProductWiring, Reals
from moose.layer.kernels.linear import (
    DONE,
    EMPTY,
    EXPONENT_SHIFT,
    LEFT_OVER,
    MARGINALS,
    NOTHING,
    clamp_tile,
    normalise_tile,
    read_tile,
)

Places = tuple[int, bool, int, int, int]
"""A row, whether nothing was added to it yet, and the rows that are multiplied, -1 for none."""

UNIT = 64
UNIT_UP, UNIT_DOWN = 2.0**UNIT, 2.0**-UNIT
LN_UNIT = UNIT * 0.6931471805599453
FAR = 5  # exponents
NO_EXPONENT = -(1 << 40)  # of a row of zeros: no sum of others comes near
LEAST_KEPT, SURE = 2.0**-250, 2.0**-160
FELT = 2.0**-100  # a share of an example's probability from which on it must not be left out
MOST_POWER = 15  # exponents: the largest that `power` gives
LARGEST_BITS, LEAST_BITS, LOST_BITS = (int(np.float64(size).view(np.int64)) for size in (2.0**32, 2.0**-32, LEAST_KEPT))
UNIT_BITS = UNIT << EXPONENT_SHIFT


def silence(width: int, atoms: int, tile: ExponentTile) -> None:
    """Give an example with a weight that is no number zeros instead, so that its neighbours keep their exponents."""
    for column in range(width):
        if math.isnan(tile.notes[0, column]):
            for literal in range(2 * atoms):
                tile.values[literal, column] = 0.0


def settle_row(slot: int, width: int, exponent: int, rows: Reals, bits: Integers) -> int:
    """Bring the largest number of a row into its range; return the row's exponent.

    Positive numbers are in the order of their bits, and comparing integers is what the compiler spreads over columns.
    """
    largest = 0
    for column in range(width):
        largest = max(largest, bits[slot, column])
    if largest == 0:
        return NO_EXPONENT
    while largest < LEAST_BITS:
        for column in range(width):
            rows[slot, column] *= UNIT_UP
        largest += UNIT_BITS
        exponent -= 1
    while largest >= LARGEST_BITS:
        for column in range(width):
            rows[slot, column] *= UNIT_DOWN
        largest -= UNIT_BITS
        exponent += 1
    return exponent


def note_lost(slot: int, width: int, bits: Integers, lost: Integers) -> None:
    """Mark the examples that have a number below LEAST_KEPT, other than 0, in a row."""
    for column in range(width):
        size = bits[slot, column]
        lost[column] |= np.int64(size > 0) & np.int64(size < LOST_BITS)


def scale_of(gap: int) -> float:
    """Return what a number so many exponents below is multiplied by."""
    scale = 1.0
    for _ in range(gap):
        scale *= UNIT_DOWN
    return scale


def add_product_row(places: Places, width: int, scale: float, rows: Reals, values: Reals) -> None:
    """Add to a row the product of another one and of one or two rows of values; the first product replaces it."""
    row, is_first, one, two, three = places
    if three < 0:
        if is_first:
            for column in range(width):
                rows[row, column] = rows[one, column] * values[two, column] * scale
        else:
            for column in range(width):
                rows[row, column] += rows[one, column] * values[two, column] * scale
    elif is_first:
        for column in range(width):
            rows[row, column] = rows[one, column] * values[two, column] * values[three, column] * scale
    else:
        for column in range(width):
            rows[row, column] += rows[one, column] * values[two, column] * values[three, column] * scale


def or_none(slot: int, true: int) -> int:
    """Return -1 for ⊤, by which nothing need be multiplied."""
    return -1 if slot == true else slot


def climb_tile(width: int, wiring: ProductWiring, tile: ExponentTile) -> None:
    """Evaluate every decision, the weights being there: v(decision) = Σₑ Πᵢ v(factorₑᵢ)."""
    atoms = wiring.given.shape[0]
    true, false, first = 2 * atoms, 2 * atoms + 1, 2 * atoms + 2
    values, bits, exponents, factors = tile.values, tile.value_bits, tile.exponents[0], wiring.factors
    for column in range(width):
        values[true, column], values[false, column] = 1.0, 0.0
        tile.lost[column] = 0
    for slot in range(first):
        exponents[slot] = settle_row(slot, width, 0, values, bits)
        note_lost(slot, width, bits, tile.lost)
    for decision in range(wiring.starts.shape[0] - 1):
        slot, start, stop = first + decision, wiring.starts[decision], wiring.starts[decision + 1]
        top = 3 * NO_EXPONENT
        for element in range(start, stop):
            total = exponents[factors[0, element]] + exponents[factors[1, element]] + exponents[factors[2, element]]
            top = max(top, total)
        is_first, has_far = True, False
        for element in range(start, stop):
            total = exponents[factors[0, element]] + exponents[factors[1, element]] + exponents[factors[2, element]]
            if top - total < FAR:
                one, two, three = factors[0, element], factors[1, element], or_none(factors[2, element], true)
                add_product_row((slot, is_first, one, two, three), width, scale_of(top - total), values, values)
                is_first = False
            elif total > NO_EXPONENT // 2:
                has_far = True
        if has_far:
            for column in range(width):
                tile.lost[column] |= np.int64(values[slot, column] < SURE)
        exponents[slot] = settle_row(slot, width, top, values, bits)
        note_lost(slot, width, bits, tile.lost)


def power(exponent: int) -> float:
    """Return 2 to the power 64·exponent, 0 or very large where that is out of range."""
    scale = 1.0
    for _ in range(min(abs(exponent), MOST_POWER)):
        scale *= UNIT_UP if exponent > 0 else UNIT_DOWN
    return 0.0 if exponent < -MOST_POWER else scale


def note_small(slot: int, width: int, is_strict: bool, tile: ExponentTile) -> None:
    """Mark the examples whose slope is below LEAST_KEPT, other than 0, where that matters."""
    if is_strict:
        note_lost(slot, width, tile.slope_bits, tile.lost)
        return
    exponent = tile.exponents[0, slot] + tile.exponents[1, slot]
    scale = power(exponent)
    for column in range(width):
        size = tile.slope_bits[slot, column]
        is_small = np.int64(size > 0) & np.int64(size < LOST_BITS)
        share = tile.values[slot, column] * tile.slopes[slot, column] * scale
        tile.lost[column] |= is_small & np.int64(share > FELT or exponent > MOST_POWER)


def note_far(slot: int, width: int, is_strict: bool, use: tuple[int, int, int], tile: ExponentTile) -> None:
    """Mark the examples that a part far below the largest slope of a row, which is left out, may matter to.

    The slope of a slot times its value is a probability, and so is each part of it: what the example has of its own.
    """
    if is_strict:
        return
    one, two, three = use
    values, exponents = tile.values, tile.exponents[0]
    exponent = tile.exponents[1, one] + exponents[two] + exponents[three] + exponents[slot]
    scale = power(exponent)
    for column in range(width):
        share = (tile.slopes[one, column] * values[two, column]) * (values[three, column] * values[slot, column])
        tile.lost[column] |= np.int64(share * scale > FELT or (share > 0.0 and exponent > MOST_POWER))


def note_far_strictly(slot: int, width: int, tile: ExponentTile) -> None:
    """Mark the examples whose slope is not far above the parts that are left out."""
    for column in range(width):
        tile.lost[column] |= np.int64(tile.slopes[slot, column] < SURE)


def descend_tile(width: int, wiring: ProductWiring, is_strict: bool, tile: ExponentTile) -> None:
    """Find the derivative of log WMC by every slot, from the root's, set by the caller, down; mark lost examples.

    For probabilities, which are slopes times values, only what could be felt in one is lost; where slopes themselves
    are wanted, `is_strict`, whatever is small beside what its neighbours have.
    """
    atoms = wiring.given.shape[0]
    note_small(wiring.root, width, is_strict, tile)
    exponents, slope_exponents, uses = tile.exponents[0], tile.exponents[1], wiring.uses
    for slot in range(tile.values.shape[0] - 1, -1, -1):
        if slot == wiring.root or slot == 2 * atoms or slot == 2 * atoms + 1:
            continue
        top = 3 * NO_EXPONENT
        for use in range(wiring.use_starts[slot], wiring.use_starts[slot + 1]):
            top = max(top, slope_exponents[uses[0, use]] + exponents[uses[1, use]] + exponents[uses[2, use]])
        if top < NO_EXPONENT // 2:
            slope_exponents[slot] = NO_EXPONENT
            for column in range(width):
                tile.slopes[slot, column] = 0.0
            continue
        is_first, has_far = True, False
        for use in range(wiring.use_starts[slot], wiring.use_starts[slot + 1]):
            total = slope_exponents[uses[0, use]] + exponents[uses[1, use]] + exponents[uses[2, use]]
            gap = top - total
            if gap < FAR:
                one, two, three = uses[0, use], uses[1, use], or_none(uses[2, use], 2 * atoms)
                add_product_row((slot, is_first, one, two, three), width, scale_of(gap), tile.slopes, tile.values)
                is_first = False
            elif total > NO_EXPONENT // 2:
                note_far(slot, width, is_strict, (uses[0, use], uses[1, use], uses[2, use]), tile)
                has_far = True
        if has_far and is_strict:
            note_far_strictly(slot, width, tile)
        slope_exponents[slot] = settle_row(slot, width, top, tile.slopes, tile.slope_bits)
        note_small(slot, width, is_strict, tile)


def finish_climb(row: int, width: int, root: int, tile: ExponentTile, outcome: Outcome) -> int:
    """Write the logarithms; say what became of each example; return how many are left to `scaled`."""
    left = 0
    for column in range(width):
        count, scale = tile.values[root, column], tile.notes[0, column]
        outcome.states[row + column] = DONE
        outcome.logs[row + column] = -math.inf
        if math.isnan(scale):
            outcome.logs[row + column] = scale
        elif scale == -math.inf:
            outcome.states[row + column] = EMPTY
        elif tile.notes[2, column] > 0.0 or tile.lost[column] != 0:
            outcome.states[row + column] = LEFT_OVER
            left += 1
        elif count == 0.0:
            outcome.states[row + column] = EMPTY
        else:
            outcome.logs[row + column] = scale + math.log(count) + tile.exponents[0, root] * LN_UNIT
    return left


def start_descent(row: int, width: int, root: int, tile: ExponentTile, outcome: Outcome) -> None:
    """Set the slope of the root to 1 / root: slopes of the logarithm. Decisions above the root have none."""
    for slot in range(root + 1, tile.values.shape[0]):
        tile.exponents[1, slot] = NO_EXPONENT
        for column in range(width):
            tile.slopes[slot, column] = 0.0
    for column in range(width):
        is_done = outcome.states[row + column] == DONE and tile.values[root, column] > 0.0  # or it is not a number
        tile.slopes[root, column] = 1.0 / tile.values[root, column] if is_done else 0.0
    tile.exponents[1, root] = settle_row(root, width, -tile.exponents[0, root], tile.slopes, tile.slope_bits)


def finish_descent(row: int, width: int, tile: ExponentTile, outcome: Outcome) -> int:
    """Leave the examples that were lost on the way down to `scaled`; return how many."""
    left = 0
    for column in range(width):
        is_number = not math.isnan(tile.notes[0, column])
        if tile.lost[column] != 0 and outcome.states[row + column] == DONE and is_number:
            outcome.states[row + column] = LEFT_OVER
            left += 1
    return left


def write_tile_marginals(row: int, width: int, noise: float, tile: ExponentTile, outcome: Outcome) -> None:
    """Write the probability of each literal, as `linear.write_marginals` does."""
    atoms = outcome.results.shape[1] // 2
    values, slopes, notes = tile.values, tile.slopes, tile.notes
    for column in range(width):
        notes[1, column] = 1.0 if outcome.states[row + column] == DONE else 0.0
        notes[1, column] = notes[0, column] if math.isnan(notes[0, column]) else notes[1, column]
    for atom in range(atoms):
        other = atoms + atom
        scale, other_scale = power(tile.exponents[0, atom]), power(tile.exponents[0, other])
        slope_scale = power(tile.exponents[0, atom] + tile.exponents[1, atom])
        other_slope_scale = power(tile.exponents[0, other] + tile.exponents[1, other])
        for column in range(width):
            positive = values[atom, column] * slopes[atom, column] * slope_scale
            negative = values[other, column] * slopes[other, column] * other_slope_scale
            free = 1.0 - positive - negative
            free = free if free > noise else 0.0
            positive += free * values[atom, column] * scale
            negative += free * values[other, column] * other_scale
            slopes[atom, column] = min(1.0, positive) * notes[1, column]
            slopes[other, column] = min(1.0, negative) * notes[1, column]
    for column in range(width):
        for literal in range(2 * atoms):
            outcome.results[row + column, literal] = slopes[literal, column]


def write_tile_slopes(row: int, width: int, atoms: int, tile: ExponentTile, outcome: Outcome) -> None:
    """Write the slope of log WMC by the probability of each atom, as `linear.write_slopes` does."""
    for atom in range(atoms):
        scale, other_scale = power(tile.exponents[1, atom]), power(tile.exponents[1, atoms + atom])
        for column in range(width):
            slope = tile.slopes[atom, column] * scale - tile.slopes[atoms + atom, column] * other_scale
            outcome.results[row + column, atom] = slope if outcome.states[row + column] == DONE else 0.0


def count_in_tiles(examples: Examples, wiring: ProductWiring, tile: ExponentTile, wants: int, outcome: Outcome) -> int:
    """Write log WMC of every example, and what else is wanted of it; return how many are left to `scaled`."""
    atoms, left, count = wiring.given.shape[0], 0, examples.log_weights.shape[0]
    for row in range(0, count, tile.notes.shape[1]):
        width = min(tile.notes.shape[1], count - row)
        read_tile(row, width, examples, tile.values)
        clamp_tile(row, width, examples, wiring.given, tile.values)
        normalise_tile(width, atoms, tile)
        silence(width, atoms, tile)
        climb_tile(width, wiring, tile)
        left += finish_climb(row, width, wiring.root, tile, outcome)
        if wants != NOTHING:
            start_descent(row, width, wiring.root, tile, outcome)
            descend_tile(width, wiring, wants != MARGINALS, tile)
            left += finish_descent(row, width, tile, outcome)
            if wants == MARGINALS:
                write_tile_marginals(row, width, wiring.noise, tile, outcome)
            else:
                write_tile_slopes(row, width, atoms, tile, outcome)
    return left
