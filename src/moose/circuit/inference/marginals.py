"""All posterior marginals by one pass up and one pass down."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import normalised, scaled_values, slot_values
from moose.circuit.inference.executor import as_lists, run
from moose.circuit.inference.semirings import RATIONAL
from moose.circuit.inference.weights import ONE, ZERO, LiteralWeights

Reals = npt.NDArray[np.float64]

ROUNDING = 1e-12
"""A probability that an atom is free below this is taken for the rounding error of 1 - (on + off)."""


def element_shares(diagram: Diagram, proper: LiteralWeights) -> Reals | None:
    """Return how likely each element is, given its decision; none if the whole weighs nothing. Weights sum to one."""
    values = scaled_values(diagram, proper)
    if values.mantissas[diagram.root] == 0.0:
        return None
    shares = np.zeros(diagram.element_count)
    run(diagram, "divide_up", values.mantissas, values.exponents, shares)
    return shares


def marginals(diagram: Diagram, weights: LiteralWeights) -> Reals | None:
    """Return the posterior of every atom, to about twelve decimals; none if the whole weighs nothing.

    Downward from the root, each slot gets the probability that a model uses it. What the two literals of an atom do
    not use, the atom is free in: there it keeps its prior.
    """
    normal = normalised(weights)
    shares = None if normal is None else element_shares(diagram, normal[0])
    if normal is None or shares is None:
        return None
    flows = np.zeros(diagram.slot_count)
    flows[diagram.root] = 1.0
    run(diagram, "flow_down", shares, flows)
    on, off = flows[: diagram.atom_count], flows[diagram.atom_count : 2 * diagram.atom_count]
    free = 1.0 - on - off
    free[free < ROUNDING] = 0.0
    on = on + free * np.array([float(weight) for weight in normal[0].positive])
    off = off + free * np.array([float(weight) for weight in normal[0].negative])
    return np.asarray(on / (on + off), dtype=np.float64)  # exactly 1 where the negation has no flow at all


def exact_marginals(diagram: Diagram, weights: LiteralWeights) -> list[Fraction] | None:
    """Return the posterior of every atom exactly; none if the whole weighs nothing."""
    normal = normalised(weights)
    if normal is None:
        return None
    proper = normal[0]
    values = slot_values(diagram, RATIONAL, proper.positive, proper.negative)
    if values[diagram.root] == 0:
        return None
    flows = [ZERO] * diagram.slot_count
    flows[diagram.root] = ONE
    starts, primes, subs = as_lists(diagram)
    for slot in range(diagram.slot_count - 1, diagram.first_decision - 1, -1):
        if flows[slot]:
            rate = flows[slot] / values[slot]
            decision = slot - diagram.first_decision
            for element in range(starts[decision], starts[decision + 1]):
                part = rate * values[primes[element]] * values[subs[element]]
                flows[primes[element]] += part
                flows[subs[element]] += part
    count = diagram.atom_count
    return [flows[k] + (ONE - flows[k] - flows[count + k]) * proper.positive[k] for k in range(count)]
