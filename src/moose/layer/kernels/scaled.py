"""Up and down a circuit with numbers of any size, one example at a time: numba compiles these functions.

A number is a mantissa times 2 to the power 256·exponent. Mantissas stay between 2**-128 and 2**128, so that a product
of two never leaves the range of float64, and a term whose exponent is lower by two or more is nothing beside another.
The rows of `mantissas` and `exponents` are values and slopes, and the derivatives of both along a direction.
"""

from __future__ import annotations

import math

from moose.layer.kernels.arrays import Examples, Floats, Numbers, Outcome, Wiring
from moose.layer.kernels.linear import EMPTY, LEFT_OVER, MARGINALS, NOTHING, SLOPES

Pair = tuple[float, int]
Place = tuple[int, int]

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


def add_product(target: Place, left: Place, right: Place, numbers: Numbers) -> None:
    """Add the product of two stored numbers to a third."""
    mantissas, exponents = numbers.mantissas, numbers.exponents
    product, exponent = settle(mantissas[left] * mantissas[right], exponents[left] + exponents[right])
    mantissas[target], exponents[target] = add(mantissas[target], exponents[target], product, exponent)


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
    return settle(math.exp(x - exponent * LN_UP), exponent)


def weigh(row: int, examples: Examples, wiring: Wiring, numbers: Numbers) -> float:
    """Store the normalised weights of one example; return the logarithm of what they were divided by."""
    atoms = wiring.given.shape[0]
    rows = examples.evidence.shape[0]
    mantissas, exponents = numbers.mantissas, numbers.exponents
    scale = 0.0
    for atom in range(atoms):
        positive, negative = 1.0 * examples.log_weights[row, atom], 1.0 * examples.log_weights[row, atoms + atom]
        observed = examples.evidence[row if rows > 1 else 0, atom] if rows > 0 else 0
        if observed > 0 or wiring.given[atom] > 0:
            negative = -math.inf
        if observed < 0 or wiring.given[atom] < 0:
            positive = -math.inf
        high = max(positive, negative)
        total = high + math.log1p(math.exp(min(positive, negative) - high)) if high > -math.inf else high
        scale += total
        shift = total if total > -math.inf else 0.0
        mantissas[VALUE, atom], exponents[VALUE, atom] = exponential(positive - shift)
        mantissas[VALUE, atoms + atom], exponents[VALUE, atoms + atom] = exponential(negative - shift)
    return scale


def clear(first_slot: int, row: int, numbers: Numbers) -> None:
    """Set a row to zero from a slot on."""
    for slot in range(first_slot, numbers.mantissas.shape[1]):
        numbers.mantissas[row, slot] = 0.0
        numbers.exponents[row, slot] = 0


def climb(wiring: Wiring, has_change: bool, numbers: Numbers) -> None:
    """Evaluate every decision, the weights being there: the WMC recursion, in numbers of any size.

    v(⊤) = 1, v(⊥) = 0, v(decision) = Σₑ v(primeₑ) · v(subₑ); if there is a direction, with the change along it,
    v′(decision) = Σₑ v′(primeₑ) · v(subₑ) + v(primeₑ) · v′(subₑ).
    """
    first = 2 * wiring.given.shape[0] + 2
    clear(first - 2, VALUE, numbers)
    numbers.mantissas[VALUE, first - 2] = 1.0
    if has_change:
        clear(first - 2, VALUE_CHANGE, numbers)
    for decision in range(wiring.starts.shape[0] - 1):
        slot = first + decision
        for element in range(wiring.starts[decision], wiring.starts[decision + 1]):
            prime, sub = wiring.primes[element], wiring.subs[element]
            add_product((VALUE, slot), (VALUE, prime), (VALUE, sub), numbers)
            if has_change:
                add_product((VALUE_CHANGE, slot), (VALUE_CHANGE, prime), (VALUE, sub), numbers)
                add_product((VALUE_CHANGE, slot), (VALUE, prime), (VALUE_CHANGE, sub), numbers)


def descend(wiring: Wiring, has_change: bool, numbers: Numbers) -> None:
    """Pass the slope of the root, set by the caller, down to every slot."""
    first = 2 * wiring.given.shape[0] + 2
    for decision in range(wiring.starts.shape[0] - 2, -1, -1):
        slot = first + decision
        for element in range(wiring.starts[decision], wiring.starts[decision + 1]):
            prime, sub = wiring.primes[element], wiring.subs[element]
            for child, other in ((prime, sub), (sub, prime)):
                add_product((SLOPE, child), (SLOPE, slot), (VALUE, other), numbers)
                if has_change:
                    add_product((SLOPE_CHANGE, child), (SLOPE_CHANGE, slot), (VALUE, other), numbers)
                    add_product((SLOPE_CHANGE, child), (SLOPE, slot), (VALUE_CHANGE, other), numbers)


def invert_root(root: int, numbers: Numbers) -> None:
    """Clear the slopes, but set that of the root to 1 / root."""
    clear(0, SLOPE, numbers)
    inverse, exponent = settle(1.0 / numbers.mantissas[VALUE, root], -numbers.exponents[VALUE, root])
    numbers.mantissas[SLOPE, root], numbers.exponents[SLOPE, root] = inverse, exponent


def share(left: Place, right: Place, numbers: Numbers) -> float:
    """Multiply two stored numbers."""
    mantissas, exponents = numbers.mantissas, numbers.exponents
    return narrow(mantissas[left] * mantissas[right], exponents[left] + exponents[right])


def write_row(row: int, noise: float, numbers: Numbers, results: Floats) -> None:
    """Write the probability of each literal, as `linear.write_marginals` does."""
    atoms = results.shape[1] // 2
    mantissas, exponents = numbers.mantissas, numbers.exponents
    for atom in range(atoms):
        other = atoms + atom
        positive = share((VALUE, atom), (SLOPE, atom), numbers)
        negative = share((VALUE, other), (SLOPE, other), numbers)
        free = 1.0 - positive - negative
        free = free if free > noise else 0.0
        positive += free * narrow(mantissas[VALUE, atom], exponents[VALUE, atom])
        negative += free * narrow(mantissas[VALUE, other], exponents[VALUE, other])
        results[row, atom] = min(1.0, positive)
        results[row, other] = min(1.0, negative)


def write_row_slopes(row: int, atoms: int, numbers: Numbers, results: Floats) -> None:
    """Write the slope of log WMC by the probability of each atom; what float64 cannot hold becomes its largest."""
    mantissas, exponents = numbers.mantissas, numbers.exponents
    for atom in range(atoms):
        other = atoms + atom
        mantissa, exponent = add(
            mantissas[SLOPE, atom], exponents[SLOPE, atom], -mantissas[SLOPE, other], exponents[SLOPE, other]
        )
        results[row, atom] = min(max(narrow(mantissa, exponent), -LARGEST_FLOAT), LARGEST_FLOAT)


def count_scaled(examples: Examples, wiring: Wiring, numbers: Numbers, wants: int, outcome: Outcome) -> None:
    """Write log WMC, and what else is wanted, of the examples that `linear.count` left."""
    root = wiring.root
    for row in range(examples.log_weights.shape[0]):
        if outcome.states[row] == LEFT_OVER:
            scale = weigh(row, examples, wiring, numbers)
            climb(wiring, False, numbers)
            mantissa, exponent = numbers.mantissas[VALUE, root], numbers.exponents[VALUE, root]
            if mantissa > 0.0:
                outcome.logs[row] = scale + (math.log(mantissa) + exponent * LN_UP)
                if wants != NOTHING:
                    invert_root(root, numbers)
                    descend(wiring, False, numbers)
                if wants == MARGINALS:
                    write_row(row, wiring.noise, numbers, outcome.results)
                elif wants == SLOPES:
                    write_row_slopes(row, wiring.given.shape[0], numbers, outcome.results)
            else:
                outcome.logs[row] = -math.inf
                outcome.states[row] = EMPTY
