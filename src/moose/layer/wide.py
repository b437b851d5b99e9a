"""Up and down a circuit with numbers of any size, one example at a time: numba compiles these functions.

A number is a mantissa times 2 to the power 256·exponent. Mantissas stay between 2**-128 and 2**128, so that a product of
two never leaves the range of float64, and a term whose exponent is two or more below another's is nothing beside it.
The rows of `mantissas` and `exponents` are values and slopes, and the derivatives of both along a direction.
"""

from __future__ import annotations

import math

import numpy as np

from moose.layer.linear import EMPTY, MARGINALS, NOTHING, SLOPES, WIDE, Bytes, Indices, Integers, Reals, Tensor

Pair = tuple[float, int]

UP, DOWN = 2.0**256, 2.0**-256
LARGEST, LEAST = 2.0**128, 2.0**-128
LARGEST_FLOAT = 1.7976931348623157e308
LN_UP = 177.445678223346  # 256 ln 2
VALUE, SLOPE, VALUE_CHANGE, SLOPE_CHANGE = 0, 1, 2, 3


def settle(mantissa: float, exponent: int) -> Pair:
    """Bring the mantissa back into its range."""
    size = abs(mantissa)
    if size >= LARGEST:
        mantissa *= DOWN
        exponent += 1
    elif size < LEAST and size > 0.0:
        mantissa *= UP
        exponent -= 1
    return mantissa, exponent


def add(first: float, first_exponent: int, second: float, second_exponent: int) -> Pair:
    """Add two numbers."""
    if first == 0.0:
        first_exponent = second_exponent
    elif second == 0.0:
        second_exponent = first_exponent
    difference = second_exponent - first_exponent
    if difference == 0:
        first += second
    elif difference == -1:
        first += second * DOWN
    elif difference == 1:
        first = first * DOWN + second
        first_exponent = second_exponent
    elif difference > 1:
        first = second
        first_exponent = second_exponent
    return settle(first, first_exponent)


def add_product(
    target: int,
    slot: int,
    left: int,
    left_slot: int,
    right: int,
    right_slot: int,
    mantissas: Reals,
    exponents: Integers,
) -> None:
    """Add the product of two stored numbers to a third."""
    product, exponent = settle(
        mantissas[left, left_slot] * mantissas[right, right_slot],
        exponents[left, left_slot] + exponents[right, right_slot],
    )
    mantissas[target, slot], exponents[target, slot] = add(
        mantissas[target, slot], exponents[target, slot], product, exponent
    )


def narrow(mantissa: float, exponent: int) -> float:
    """Return the number as a float, 0 where it is too small for one, infinite where too large."""
    for _ in range(min(abs(exponent), 6)):
        mantissa *= UP if exponent > 0 else DOWN
    return mantissa


def exponential(x: float) -> Pair:
    """Return exp(x) for any x that is not +∞."""
    if x == -math.inf:
        return 0.0, 0
    exponent = math.floor(x / LN_UP + 0.5)
    return settle(math.exp(x - exponent * LN_UP), np.int64(exponent))


def weigh(row: int, log_weights: Tensor, evidence: Bytes, given: Bytes, mantissas: Reals, exponents: Integers) -> float:
    """Store the normalised weights of one example; return the logarithm of what they were divided by."""
    atoms = given.shape[0]
    evidence_row = -1 if evidence.shape[0] == 0 else (row if evidence.shape[0] > 1 else 0)
    scale = 0.0
    for atom in range(atoms):
        positive = np.float64(log_weights[row, atom])
        negative = np.float64(log_weights[row, atoms + atom])
        observed = evidence[evidence_row, atom] if evidence_row >= 0 else 0
        if observed > 0 or given[atom] > 0:
            negative = -math.inf
        if observed < 0 or given[atom] < 0:
            positive = -math.inf
        high = max(positive, negative)
        total = high + math.log1p(math.exp(min(positive, negative) - high)) if high > -math.inf else high
        scale += total
        shift = total if total > -math.inf else 0.0
        mantissas[VALUE, atom], exponents[VALUE, atom] = exponential(positive - shift)
        mantissas[VALUE, atoms + atom], exponents[VALUE, atoms + atom] = exponential(negative - shift)
    for literal in range(2 * atoms):
        exponents[VALUE, literal] = exponents[VALUE, literal] if mantissas[VALUE, literal] > 0.0 else 0
    return scale


def clear(first_slot: int, row: int, mantissas: Reals, exponents: Integers) -> None:
    """Set a row to zero from a slot on."""
    for slot in range(first_slot, mantissas.shape[1]):
        mantissas[row, slot] = 0.0
        exponents[row, slot] = 0


def climb(
    starts: Integers,
    primes: Indices,
    subs: Indices,
    first: int,
    has_change: bool,
    mantissas: Reals,
    exponents: Integers,
) -> None:
    """Evaluate every decision, with its derivative along the direction if there is one."""
    clear(first - 2, VALUE, mantissas, exponents)
    mantissas[VALUE, first - 2] = 1.0
    if has_change:
        clear(first - 2, VALUE_CHANGE, mantissas, exponents)
    for decision in range(starts.shape[0] - 1):
        slot = first + decision
        for element in range(starts[decision], starts[decision + 1]):
            prime, sub = primes[element], subs[element]
            add_product(VALUE, slot, VALUE, prime, VALUE, sub, mantissas, exponents)
            if has_change:
                add_product(VALUE_CHANGE, slot, VALUE_CHANGE, prime, VALUE, sub, mantissas, exponents)
                add_product(VALUE_CHANGE, slot, VALUE, prime, VALUE_CHANGE, sub, mantissas, exponents)


def descend(
    starts: Integers,
    primes: Indices,
    subs: Indices,
    first: int,
    has_change: bool,
    mantissas: Reals,
    exponents: Integers,
) -> None:
    """Pass the slope of the root, set by the caller, down to every slot."""
    for decision in range(starts.shape[0] - 2, -1, -1):
        slot = first + decision
        for element in range(starts[decision], starts[decision + 1]):
            for child, other in ((primes[element], subs[element]), (subs[element], primes[element])):
                add_product(SLOPE, child, SLOPE, slot, VALUE, other, mantissas, exponents)
                if has_change:
                    add_product(SLOPE_CHANGE, child, SLOPE_CHANGE, slot, VALUE, other, mantissas, exponents)
                    add_product(SLOPE_CHANGE, child, SLOPE, slot, VALUE_CHANGE, other, mantissas, exponents)


def invert_root(root: int, mantissas: Reals, exponents: Integers) -> None:
    """Clear the slopes, but set that of the root to 1 / root."""
    clear(0, SLOPE, mantissas, exponents)
    mantissas[SLOPE, root], exponents[SLOPE, root] = settle(1.0 / mantissas[VALUE, root], -exponents[VALUE, root])


def share(slot: int, left: int, right: int, mantissas: Reals, exponents: Integers) -> float:
    """Multiply two stored numbers of one slot."""
    return narrow(mantissas[left, slot] * mantissas[right, slot], exponents[left, slot] + exponents[right, slot])


def write_row(row: int, noise: float, mantissas: Reals, exponents: Integers, marginals: Tensor) -> None:
    """Write the probability of each literal, as `linear.write_marginals` does."""
    atoms = marginals.shape[1] // 2
    for atom in range(atoms):
        other = atoms + atom
        positive = share(atom, VALUE, SLOPE, mantissas, exponents)
        negative = share(other, VALUE, SLOPE, mantissas, exponents)
        free = 1.0 - positive - negative
        free = free if free > noise else 0.0
        positive += free * narrow(mantissas[VALUE, atom], exponents[VALUE, atom])
        negative += free * narrow(mantissas[VALUE, other], exponents[VALUE, other])
        marginals[row, atom] = min(positive, 1.0)
        marginals[row, other] = min(negative, 1.0)


def write_row_slopes(row: int, atoms: int, mantissas: Reals, exponents: Integers, results: Tensor) -> None:
    """Write the slope of log WMC by the probability of each atom; what float64 cannot hold becomes its largest."""
    for atom in range(atoms):
        mantissa, exponent = add(
            mantissas[SLOPE, atom],
            exponents[SLOPE, atom],
            -mantissas[SLOPE, atoms + atom],
            exponents[SLOPE, atoms + atom],
        )
        results[row, atom] = min(max(narrow(mantissa, exponent), -LARGEST_FLOAT), LARGEST_FLOAT)


def count_wide(
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
    wants: int,
    logs: Tensor,
    states: Bytes,
    results: Tensor,
) -> None:
    """Write log WMC, and what else is wanted, of the examples that `linear.count` left."""
    first = 2 * given.shape[0] + 2
    for row in range(log_weights.shape[0]):
        if states[row] == WIDE:
            scale = weigh(row, log_weights, evidence, given, mantissas, exponents)
            climb(starts, primes, subs, first, False, mantissas, exponents)
            if mantissas[VALUE, root] > 0.0:
                logs[row] = scale + (math.log(mantissas[VALUE, root]) + exponents[VALUE, root] * LN_UP)
                if wants != NOTHING:
                    invert_root(root, mantissas, exponents)
                    descend(starts, primes, subs, first, False, mantissas, exponents)
                if wants == MARGINALS:
                    write_row(row, noise, mantissas, exponents, results)
                elif wants == SLOPES:
                    write_row_slopes(row, given.shape[0], mantissas, exponents, results)
            else:
                logs[row] = -math.inf
                states[row] = EMPTY
