"""The weights of literals: read from what users write, and clamped by evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational, Real

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses
from moose.grounding.evidence import unknown_atom

Number = Fraction | float | str
Weight = Number | tuple[Number, Number]
Weights = Mapping[str | Atom, Weight] | Mapping[str, Weight] | Mapping[Atom, Weight]
"""The probability of each atom, or the pair (weight of the atom, weight of its negation); ½ for atoms not named."""

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


@dataclass(frozen=True, eq=False)
class LiteralWeights:
    """What each literal weighs, exactly: the literal of atom k `positive[k]`, its negation `negative[k]`."""

    positive: Sequence[Fraction]
    negative: Sequence[Fraction]

    def __len__(self) -> int:
        return len(self.positive)

    def clamped(self, evidence: Mapping[int, bool]) -> LiteralWeights:
        """Give what is observed weight one and its negation weight zero (the paper's table 1)."""
        if not evidence:
            return self
        positive, negative = list(self.positive), list(self.negative)
        for position, truth in evidence.items():
            positive[position], negative[position] = (ONE, ZERO) if truth else (ZERO, ONE)
        return LiteralWeights(positive, negative)

    def sums(self) -> list[Fraction]:
        """Return what an atom weighs where it is free."""
        return [ONE if _are_complements(on, off) else on + off for on, off in zip(self.positive, self.negative)]


def _are_complements(on: Fraction, off: Fraction) -> bool:
    """Return whether two weights sum to one, without the cost of adding fractions."""
    return on.denominator == off.denominator and on.numerator + off.numerator == on.denominator


def even_weights(atom_count: int) -> LiteralWeights:
    """Return weight ½ for every literal."""
    return LiteralWeights((HALF,) * atom_count, (HALF,) * atom_count)


def read_weights(clauses: Clauses, positions: Mapping[Atom, int], weights: Weights | None) -> LiteralWeights:
    """Check weights as users write them, and lay them out by position.

    The weight of an atom whose truth is fixed is accepted and not used: like one that is observed, it weighs 1.
    """
    if not isinstance(weights, Mapping | None):
        raise MooseError(f"expected weights such as {{'Even(a)': 0.9}}, but got {weights!r}")
    positive, negative = [HALF] * len(positions), [HALF] * len(positions)
    seen: dict[Atom, tuple[object, tuple[Fraction, Fraction]]] = {}
    for key, value in (weights or {}).items():
        atom = key if isinstance(key, Atom) else clauses.read_atom(key)
        pair = _pair(atom, value)
        earlier = seen.setdefault(atom, (value, pair))
        if earlier[1] != pair:
            raise MooseError(f"the weights say both {earlier[0]} and {value} of {atom}; keep one")
        if atom in positions:
            positive[positions[atom]], negative[positions[atom]] = pair
        elif clauses.known_truth(atom) is None:
            raise unknown_atom(clauses, atom)
    return LiteralWeights(positive, negative)


def _pair(atom: Atom, value: object) -> tuple[Fraction, Fraction]:
    """Read the weight of an atom and of its negation."""
    if isinstance(value, tuple | list):
        if len(value) != 2:
            raise MooseError(f"expected a pair of weights for {atom} and not {atom}, but got {value!r}")
        return _weight(atom, value[0]), _weight(atom, value[1])
    probability = _weight(atom, value)
    if probability > 1:
        raise MooseError(
            f"the probability of {atom} must lie between 0 and 1, but is {value}; "
            "write a pair (weight, weight of the negation) for weights that do not sum to one"
        )
    return probability, ONE - probability


EXACT = re.compile(r"\d{1,100}(\.\d{0,100}|/0*[1-9]\d{0,99})?")
"""A decimal or a fraction, which is taken exactly; a float is the binary fraction that it is."""


def _weight(atom: Atom, value: object) -> Fraction:
    if (isinstance(value, str) and EXACT.fullmatch(value)) or (isinstance(value, float) and math.isfinite(value)):
        number = Fraction(value)
    elif isinstance(value, Rational):
        number = Fraction(int(value.numerator), int(value.denominator))
    elif isinstance(value, Real) and math.isfinite(value):
        number = Fraction(float(value))
    else:
        raise MooseError(
            f'expected a number, or a text such as "0.9" or "1/3", as the weight of {atom}, but got {value!r}'
        )
    if number < 0:
        raise MooseError(f"the weight of {atom} must not be negative, but is {value}")
    return number
