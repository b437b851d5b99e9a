"""The loops over a diagram: upward for counts, downward for marginals, in numbers that cannot underflow.

A *scaled* number is mantissa · 2^exponent in two arrays, the mantissa in [½, 1) or 0. Products and sums of such numbers
keep the relative precision of a float however small they get, which logarithms do not: at log WMC = -100,000 a
logarithm has lost five digits.

This file is plain Python. It runs as it stands, on lists, for small diagrams; `executor.py` compiles the same functions
with numba for large ones. Nothing in here allocates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = list[int] | npt.NDArray[np.int64] | npt.NDArray[np.int32]
Reals = list[float] | npt.NDArray[np.float64]
Bits = list[int] | npt.NDArray[np.uint64]
"""Sets as bits: `width` words for each slot; one word of any size in a list."""


class Wiring(NamedTuple):
    """The arrays of a diagram, and the slot of its first decision."""

    starts: Integers
    primes: Integers
    subs: Integers
    first: int


NOTHING = -(1 << 62)
"""Below every exponent."""
NEGLIGIBLE = -1100
"""A summand this many binary digits below another is less than the smallest float beside it."""


def add_up(wiring: Wiring, mantissas: Reals, exponents: Integers) -> None:
    """Fill in the value of each decision, those of literals and constants being there: the WMC recursion, scaled.

    v(decision) = Σₑ v(primeₑ) · v(subₑ), the sum taken relative to its largest summand.
    """
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        top = NOTHING
        for element in range(starts[decision], starts[decision + 1]):
            if mantissas[primes[element]] * mantissas[subs[element]] > 0.0:
                top = max(top, exponents[primes[element]] + exponents[subs[element]])
        total = 0.0
        for element in range(starts[decision], starts[decision + 1]):
            product = mantissas[primes[element]] * mantissas[subs[element]]
            if product > 0.0:
                below = exponents[primes[element]] + exponents[subs[element]] - top
                if below > NEGLIGIBLE:
                    total += math.ldexp(product, below)
        mantissa, shift = math.frexp(total)
        mantissas[first + decision] = mantissa
        exponents[first + decision] = top + shift if total > 0.0 else 0


def maximise(wiring: Wiring, mantissas: Reals, exponents: Integers) -> None:
    """Fill in the value of each decision: the largest over its elements of prime times sub."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        best, best_exponent = 0.0, 0
        for element in range(starts[decision], starts[decision + 1]):
            product, shift = math.frexp(mantissas[primes[element]] * mantissas[subs[element]])
            exponent = exponents[primes[element]] + exponents[subs[element]] + shift
            if product > 0.0 and (
                best == 0.0 or exponent > best_exponent or (exponent == best_exponent and product > best)
            ):
                best, best_exponent = product, exponent
        mantissas[first + decision] = best
        exponents[first + decision] = best_exponent


def divide_up(
    wiring: Wiring,
    mantissas: Reals,
    exponents: Integers,
    shares: Reals,
) -> None:
    """Fill in the share of each element in the value of its decision, once the values are known."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        whole, whole_exponent = mantissas[first + decision], exponents[first + decision]
        for element in range(starts[decision], starts[decision + 1]):
            product = mantissas[primes[element]] * mantissas[subs[element]]
            shares[element] = 0.0
            if product > 0.0:
                below = exponents[primes[element]] + exponents[subs[element]] - whole_exponent
                if below > NEGLIGIBLE:
                    shares[element] = math.ldexp(product / whole, below)


def flow_down(wiring: Wiring, shares: Reals, flows: Reals) -> None:
    """Pass the flow of each decision on to its elements by their shares: how likely each slot is to be used."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 2, -1, -1):
        flow = flows[first + decision]
        if flow > 0.0:
            for element in range(starts[decision], starts[decision + 1]):
                part = flow * shares[element]
                flows[primes[element]] += part
                flows[subs[element]] += part


def satisfy(wiring: Wiring, possible: Integers) -> None:
    """Mark each decision that has an element of two marked slots."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        is_possible = 0
        for element in range(starts[decision], starts[decision + 1]):
            if possible[primes[element]] and possible[subs[element]]:
                is_possible = 1
                break
        possible[first + decision] = is_possible


def reach(wiring: Wiring, possible: Integers, used: Integers) -> None:
    """Mark the slots that some model of the root uses, downward from those marked before."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 2, -1, -1):
        if used[first + decision]:
            for element in range(starts[decision], starts[decision + 1]):
                if possible[primes[element]] and possible[subs[element]]:
                    used[primes[element]] = 1
                    used[subs[element]] = 1


def draw(
    wiring: Wiring,
    shares: Reals,
    uniforms: Reals,
    stack: Integers,
    used: Integers,
) -> int:
    """Choose an element in each decision reached from the slot `stack[0]`; return how many literals `used` then holds.

    Each decision takes the next of the uniform numbers.
    """
    starts, primes, subs, first = wiring
    size, drawn, literal_count = 1, 0, 0
    while size > 0:
        size -= 1
        slot = stack[size]
        if slot < first - 2:
            used[literal_count] = slot
            literal_count += 1
        elif slot >= first:
            decision = slot - first
            left = uniforms[drawn]
            drawn += 1
            chosen = -1
            for element in range(starts[decision], starts[decision + 1]):
                if shares[element] > 0.0:
                    chosen = (
                        element  # rounding may leave a little beyond the last share: the last possible one takes it
                    )
                    left -= shares[element]
                    if left < 0.0:
                        break
            stack[size] = primes[chosen]
            stack[size + 1] = subs[chosen]
            size += 2
    return literal_count


def measure(wiring: Wiring, visits: Integers) -> None:
    """Fill in how many decisions one choice of elements below each slot can visit at most."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        most = 0
        for element in range(starts[decision], starts[decision + 1]):
            most = max(most, visits[primes[element]] + visits[subs[element]])
        visits[first + decision] = most + 1


def agree(wiring: Wiring, possible: Integers, width: int, bits: Bits) -> None:
    """Fill in the literals that every model of each slot uses: those of both sides, common to all possible elements."""
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        own = (first + decision) * width
        is_first = True
        for element in range(starts[decision], starts[decision + 1]):
            if possible[primes[element]] and possible[subs[element]]:
                left, right = primes[element] * width, subs[element] * width
                for word in range(width):
                    both = bits[left + word] | bits[right + word]
                    bits[own + word] = both if is_first else bits[own + word] & both
                is_first = False


def gather(wiring: Wiring, width: int, bits: Bits, faults: Integers) -> None:
    """Fill in the atoms that each slot mentions.

    `faults[0]` becomes 1 + the first element whose sides share an atom, `faults[1]` 1 + the first decision whose
    elements mention different atoms.
    """
    starts, primes, subs, first = wiring
    for decision in range(len(starts) - 1):
        own = (first + decision) * width
        for element in range(starts[decision], starts[decision + 1]):
            left, right = primes[element] * width, subs[element] * width
            for word in range(width):
                both = bits[left + word] | bits[right + word]
                if bits[left + word] & bits[right + word] and faults[0] == 0:
                    faults[0] = element + 1
                if element > starts[decision] and both != bits[own + word] and faults[1] == 0:
                    faults[1] = decision + 1
                bits[own + word] |= both
