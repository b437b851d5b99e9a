"""The arrays that the compiled kernels work on."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float64]
Floats = npt.NDArray[np.floating]
Bytes = npt.NDArray[np.int8]
Integers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]


class Examples(NamedTuple):
    """A batch: example × literal, and example × atom (no row: no evidence; one row: the same for all)."""

    log_weights: Floats
    evidence: Bytes


class Wiring(NamedTuple):
    """The circuit, what is given in it, and how large rounding errors may be."""

    given: Bytes
    starts: Integers
    primes: Indices
    subs: Indices
    root: int
    noise: float


class ProductWiring(NamedTuple):
    """The circuit as sums of products of three slots, and where each slot is a factor (`moose.layer.products`)."""

    given: Bytes
    starts: Integers
    factors: Indices
    use_starts: Integers
    uses: Indices
    root: int
    noise: float


class Tile(NamedTuple):
    """Work space for some examples side by side: slot × example. The width is that of `notes`, which has four rows.

    The notes: log of what the weights were divided by; factors not yet in that; 1 if a weight is too small; work.
    """

    values: Reals
    slopes: Reals
    notes: Reals
    powers: Integers
    power_values: Reals
    """`powers` seen as numbers."""


GIVEN_AT, STARTS_AT, PRIMES_AT, SUBS_AT, VALUES_AT, SLOPES_AT, NOTES_AT, POWERS_AT = range(8)
ATOMS, DECISIONS, ELEMENTS, ROOT, SLOTS, PADDED, WIDTH = range(8, 15)
"""Places in the table that `list_addresses` makes: addresses, then sizes."""


def list_addresses(wiring: Wiring, tile: Tile) -> Integers:
    """List where the arrays of a circuit and of its tile are, and how large; for as long as both are kept."""
    arrays = (
        wiring.given,
        wiring.starts,
        wiring.primes,
        wiring.subs,
        tile.values,
        tile.slopes,
        tile.notes,
        tile.powers,
    )
    if not all(array.flags.c_contiguous for array in arrays):
        raise ValueError("expected arrays without gaps")
    sizes = (len(wiring.given), len(wiring.starts) - 1, len(wiring.primes), wiring.root)
    return np.array([*(one.ctypes.data for one in arrays), *sizes, *tile.values.shape, len(tile.powers)], np.int64)


class ExponentTile(NamedTuple):
    """Work space like a `Tile`, with an exponent for each row of values and of slopes."""

    values: Reals
    slopes: Reals
    value_bits: Integers
    """`values` seen as integers."""
    slope_bits: Integers
    exponents: Integers
    """Values, slopes × slot."""
    lost: Integers
    """For each example whether a number is too far below the others of its row."""
    notes: Reals
    powers: Integers
    power_values: Reals


class Change(NamedTuple):
    """The directions, example × literal, and work space for the changes along them: slot × example."""

    directions: Floats
    values: Reals
    slopes: Reals


class Numbers(NamedTuple):
    """Work space for one example: four rows (value, slope, change of value, change of slope) × slot."""

    mantissas: Reals
    exponents: Integers


class Search(NamedTuple):
    """Work space for one example, slot by slot, and what is found for each: log weight and truth of every atom."""

    values: Reals
    used: Bytes
    logs: Reals
    worlds: Bytes


class Outcome(NamedTuple):
    """What is written for each example: log WMC, what became of it, and whatever else was wanted."""

    logs: Floats
    states: Bytes
    results: Floats
