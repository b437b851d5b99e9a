"""How far rounding can put a count or a probability off, so that bounds can be widened by that much.

A model of a circuit chooses one element in each decision that it visits; let there be at most V of these, with at most
n elements each. All numbers are positive, so relative errors do not grow in sums and add up in products: with u = 2⁻⁵³
for each of V + 1 literals, one product and up to n sums (and what is too small to be added) in each decision, the count
is right up to a factor of (1 + u)^k with k = (V + 1)(n + 3). Logarithms and conversions add a few u of their own size.

Going down, the share of an element is v(prime) · v(sub) / v(decision); along a path from the root the values of
decisions cancel, which leaves those of the siblings, whose errors are part of k, and three roundings a decision. What
flows into a slot is a sum, over all of the path at most of twice as many summands as there are elements. So flows are
right up to a factor of (1 + u)^(5k + 2 · elements).
"""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import normalised, scaled_values
from moose.circuit.inference.executor import run
from moose.circuit.inference.marginals import ROUNDING
from moose.circuit.inference.scaled_numbers import scale_all, scaled_log
from moose.circuit.inference.weights import LiteralWeights

EPSILON = sys.float_info.epsilon
"""2u: twice what a rounding takes, so that terms of second order are covered."""


class Rounded(NamedTuple):
    """A number, and how far it is from the true one at most."""

    value: float
    margin: float

    @property
    def least(self) -> float:
        """The true number is not below this."""
        return math.nextafter(self.value - self.margin, -math.inf)

    @property
    def most(self) -> float:
        """The true number is not above this; nothing is nothing."""
        return self.value if self.value == -math.inf else math.nextafter(self.value + self.margin, math.inf)


def roundings(diagram: Diagram) -> int:
    """Return k: how many roundings the count of a model goes through at most."""
    visits = np.zeros(diagram.slot_count, dtype=np.int64)
    run(diagram, "measure", visits)
    widest = int(np.diff(diagram.starts).max(initial=0))
    return (int(visits[diagram.root]) + 1) * (widest + 3)


def log_count(diagram: Diagram, weights: LiteralWeights, count: int) -> Rounded:
    """Return log WMC and how far off it may be, given how many roundings there are."""
    normal = normalised(weights)
    if normal is None:
        return Rounded(-math.inf, 0.0)
    proper, sums = normal
    values = scaled_values(diagram, proper)
    mantissa, exponent = float(values.mantissas[diagram.root]), int(values.exponents[diagram.root])
    if mantissa == 0.0:
        return Rounded(-math.inf, 0.0)
    loose = scale_all(total for total in sums if total != 1)
    factors = math.fsum(scaled_log(one, 0) for one in loose.mantissas.tolist())
    powers = exponent + int(loose.exponents.sum())
    logarithm = math.log(mantissa) + factors + powers * math.log(2)
    size = abs(logarithm) + abs(factors) + abs(powers) + len(loose.mantissas) + 1
    return Rounded(logarithm, EPSILON * (count + 4 * size))


def marginal_margin(diagram: Diagram, count: int) -> float:
    """Return how far off marginals may be: a literal's flow, and the prior where neither literal of an atom is used."""
    return 8 * EPSILON * (5 * count + 2 * diagram.element_count + 4) + 4 * ROUNDING
