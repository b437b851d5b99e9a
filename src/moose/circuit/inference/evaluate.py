"""Counts: weighted model counts, exact and in log space, model counts, and the same in any semiring.

`slot_values` is the WMC recursion. It holds of a diagram that is not smooth where an atom's two weights sum to one: so
weights are normalised first (`normalised`), or, in a semiring without division, the diagram is smoothed (`smoothed`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.inference.executor import as_lists, run
from moose.circuit.inference.scaled_numbers import Scaled, scale_all, scaled_log
from moose.circuit.inference.semirings import RATIONAL, Semiring
from moose.circuit.inference.weights import ONE, ZERO, LiteralWeights


class _Growing:
    """A diagram that grows, and for sets of atoms (as bits of an integer) the slot that leaves them all free."""

    def __init__(self, atom_count: int) -> None:
        self.atom_count = atom_count
        self.starts = [0]
        self.primes: list[int] = []
        self.subs: list[int] = []
        self.free: dict[int, int] = {0: 2 * atom_count}

    def decision(self, elements: list[tuple[int, int]]) -> int:
        for prime, sub in elements:
            self.primes.append(prime)
            self.subs.append(sub)
        self.starts.append(len(self.primes))
        return 2 * self.atom_count + len(self.starts)

    def leave_free(self, gap: int) -> int:
        """Return a slot that is true whatever these atoms are, and mentions each of them: ⋀ (X ∨ ¬X)."""
        pending = []
        while gap not in self.free:
            pending.append(gap)
            gap &= gap - 1  # without its lowest atom
        rest = self.free[gap]
        for wider in reversed(pending):
            atom = (wider & -wider).bit_length() - 1
            rest = self.decision([(atom, rest), (self.atom_count + atom, rest)])
            self.free[wider] = rest
        return rest

    def conjunction(self, slot: int, gap: int) -> int:
        """Return the slot with these atoms mentioned too."""
        if not gap:
            return slot
        free = self.leave_free(gap)
        return free if slot == 2 * self.atom_count else self.decision([(slot, free)])

    def diagram(self, root: int) -> Diagram:
        primes, subs = np.array(self.primes, dtype=np.int32), np.array(self.subs, dtype=np.int32)
        return Diagram(self.atom_count, np.array(self.starts, dtype=np.int64), primes, subs, root)


def smoothed(diagram: Diagram) -> Diagram:
    """Return an equivalent diagram that is smooth; takes up to slots × atoms bits while it works.

    >>> nothing = np.zeros(0, np.int32)
    >>> smoothed(Diagram(2, np.zeros(1, np.int64), nothing, nothing, 0)).decision_count  # X₀ becomes X₀ ∧ (X₁ ∨ ¬X₁)
    2
    """
    growing = _Growing(diagram.atom_count)
    atoms = range(diagram.atom_count)
    scopes = [*(1 << atom for atom in atoms), *(1 << atom for atom in atoms), 0, 0]
    slots = list(range(diagram.first_decision))
    starts, primes, subs = as_lists(diagram)
    for decision in range(diagram.decision_count):
        elements = range(starts[decision], starts[decision + 1])
        scope = 0
        for element in elements:
            scope |= scopes[primes[element]] | scopes[subs[element]]
        filled = []
        for element in elements:
            gap = scope & ~(scopes[primes[element]] | scopes[subs[element]])
            filled.append((slots[primes[element]], growing.conjunction(slots[subs[element]], gap)))
        scopes.append(scope)
        slots.append(growing.decision(filled))
    if diagram.root == diagram.false:
        return growing.diagram(diagram.false)
    missing = ((1 << diagram.atom_count) - 1) & ~scopes[diagram.root]
    return growing.diagram(growing.conjunction(slots[diagram.root], missing))


Value = TypeVar("Value")


def evaluate(
    diagram: Diagram, semiring: Semiring[Value], positive: Sequence[Value], negative: Sequence[Value]
) -> Value:
    """Add up, over all models, the product of the values of its literals.

    Where a value and that of its negation add up to `one`, a free atom makes no difference; otherwise the diagram is
    smoothed first, which any semiring allows.

    >>> from moose.circuit.inference.semirings import COUNT
    >>> one_literal = Diagram(3, np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(0, np.int32), root=0)
    >>> evaluate(one_literal, COUNT, [1, 1, 1], [1, 1, 1])
    4
    """
    if any(semiring.plus(on, off) != semiring.one for on, off in zip(positive, negative)):
        diagram = smoothed(diagram)
    return slot_values(diagram, semiring, positive, negative)[diagram.root]


def slot_values(
    diagram: Diagram, semiring: Semiring[Value], positive: Sequence[Value], negative: Sequence[Value]
) -> list[Value]:
    """Return the value of every slot: the WMC recursion, over any semiring.

        v(X) = w(X)    v(¬X) = w(¬X)    v(⊤) = 1    v(⊥) = 0    v(decision) = Σₑ v(primeₑ) · v(subₑ)

    Atoms that a slot does not mention are not counted in.
    """
    plus, times = semiring.plus, semiring.times
    values = [*positive, *negative, semiring.one, semiring.zero]
    starts, primes, subs = as_lists(diagram)
    for decision in range(diagram.decision_count):
        total = semiring.zero
        for element in range(starts[decision], starts[decision + 1]):
            total = plus(total, times(values[primes[element]], values[subs[element]]))
        values.append(total)
    return values


def normalised(weights: LiteralWeights) -> tuple[LiteralWeights, list[Fraction]] | None:
    """Divide each pair of weights by its sum, and return the sums; none if a sum is zero, as then every world weighs 0.

    A free atom then counts 1, so that the diagram need not be smooth.
    """
    sums = weights.sums()
    if ZERO in sums:
        return None
    if all(total is ONE or total == 1 for total in sums):
        return weights, sums
    positive = [on if total == 1 else on / total for on, total in zip(weights.positive, sums)]
    return LiteralWeights(positive, [ONE - on for on in positive]), sums


def wmc(diagram: Diagram, weights: LiteralWeights) -> Fraction:
    """Return the weighted model count exactly."""
    normal = normalised(weights)
    if normal is None:
        return ZERO
    proper, sums = normal
    value = slot_values(diagram, RATIONAL, proper.positive, proper.negative)[diagram.root]
    return value * math.prod((total for total in sums if total != 1), start=ONE)


def log_wmc(diagram: Diagram, weights: LiteralWeights) -> float:
    """Return the natural logarithm of the weighted model count, -inf where it is zero."""
    normal = normalised(weights)
    if normal is None:
        return -math.inf
    proper, sums = normal
    loose = scale_all(total for total in sums if total != 1)
    factors = math.fsum(scaled_log(mantissa, 0) for mantissa in loose.mantissas.tolist())
    return scaled_values(diagram, proper).log(diagram.root) + factors + int(loose.exponents.sum()) * math.log(2)


def scaled_values(diagram: Diagram, weights: LiteralWeights, kernel: str = "add_up") -> Scaled:
    """Return the value of every slot as a scaled number; `kernel` says whether elements are added up or maximised."""
    literals = scale_all([*weights.positive, *weights.negative, ONE, ZERO])
    values = Scaled(np.zeros(diagram.slot_count), np.zeros(diagram.slot_count, dtype=np.int64))
    values.mantissas[: diagram.first_decision] = literals.mantissas
    values.exponents[: diagram.first_decision] = literals.exponents
    run(diagram, kernel, values.mantissas, values.exponents)
    return values


def model_count(diagram: Diagram, evidence: dict[int, bool]) -> int:
    """Count the models that agree with the evidence on some atoms.

    Counted as a share of all worlds, n/2^k: an atom that is not mentioned then needs no factor.
    """

    def plus(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
        (low, fewer), (high, more) = (first, second) if first[1] <= second[1] else (second, first)
        return (low << more - fewer) + high, more

    def times(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
        return first[0] * second[0], first[1] + second[1]

    shares = Semiring(plus, times, (0, 0), (1, 0))
    known = {True: (1, 0), False: (0, 0), None: (1, 1)}
    atoms = range(diagram.atom_count)
    positive = [known[evidence.get(atom)] for atom in atoms]
    negative = [known[None if atom not in evidence else not evidence[atom]] for atom in atoms]
    count, exponent = slot_values(diagram, shares, positive, negative)[diagram.root]
    return count << diagram.atom_count - len(evidence) - exponent
