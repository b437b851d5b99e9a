"""The most probable explanation: the heaviest model."""

from __future__ import annotations

import math
from dataclasses import dataclass

from moose.circuit.atom_mapping import AtomMapping
from moose.circuit.diagram import Diagram
from moose.circuit.inference.evaluate import normalised, scaled_values
from moose.circuit.inference.scaled_numbers import Scaled, scaled_log, scaled_product
from moose.circuit.inference.weights import LiteralWeights


@dataclass(frozen=True, slots=True)
class World:
    """The truth of every atom, and how probable just this is given the evidence."""

    assignment: AtomMapping[bool]
    """By the atom's text; an `Atom` is accepted as a key too."""
    probability: float
    """0.0 where it is too small for a float."""
    log_probability: float


def heaviest(diagram: Diagram, weights: LiteralWeights) -> tuple[list[bool], float, float] | None:
    """Return the heaviest model, its share of the whole, and the logarithm of that; none if the whole weighs nothing.

    Of equal elements the first is taken; an atom that is free takes its likelier value, false if both are as likely.
    """
    normal = normalised(weights)
    if normal is None:
        return None
    proper = normal[0]
    values = scaled_values(diagram, proper)
    whole, whole_exponent = float(values.mantissas[diagram.root]), int(values.exponents[diagram.root])
    if whole == 0.0:
        return None
    likelier = [max(on, off) for on, off in zip(proper.positive, proper.negative)]
    scaled_up = LiteralWeights(
        [on / most for on, most in zip(proper.positive, likelier)],
        [off / most for off, most in zip(proper.negative, likelier)],
    )
    world = [on > off for on, off in zip(proper.positive, proper.negative)]
    for slot in chosen_literals(diagram, scaled_values(diagram, scaled_up, "maximise")):
        world[slot % diagram.atom_count] = slot < diagram.atom_count
    chosen = (pair[not truth] for truth, pair in zip(world, zip(proper.positive, proper.negative)))
    mantissa, exponent = scaled_product(chosen)
    share, below = mantissa / whole, exponent - whole_exponent
    return world, math.ldexp(share, below), scaled_log(share, below)


def chosen_literals(diagram: Diagram, values: Scaled) -> list[int]:
    """Follow the largest element of each decision from the root, and return the literals it leads to."""
    literals, pending = [], [diagram.root]
    mantissas, exponents = values.mantissas, values.exponents
    while pending:
        slot = pending.pop()
        if slot < diagram.true:
            literals.append(slot)
        elif slot >= diagram.first_decision:
            decision = slot - diagram.first_decision
            best, largest = -1, (-math.inf, 0.0)
            for element in range(int(diagram.starts[decision]), int(diagram.starts[decision + 1])):
                prime, sub = int(diagram.primes[element]), int(diagram.subs[element])
                mantissa, shift = math.frexp(float(mantissas[prime] * mantissas[sub]))
                size = (float(exponents[prime] + exponents[sub] + shift), mantissa)
                if mantissa > 0.0 and size > largest:
                    best, largest = element, size
            pending += [int(diagram.primes[best]), int(diagram.subs[best])]
    return literals
