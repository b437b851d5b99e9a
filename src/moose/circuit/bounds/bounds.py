"""Bounds: two circuits, one below and one above the theory, asked together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from moose.circuit import question
from moose.circuit.atom_mapping import AtomMapping
from moose.circuit.bounds.interval import Interval, Stage
from moose.circuit.bounds.rounding import EPSILON, log_count, marginal_margin, roundings
from moose.circuit.circuit import Circuit
from moose.circuit.clash import ClausePropagation, find_clash
from moose.circuit.inference.entailment import entailed_atoms
from moose.circuit.inference.marginals import marginals
from moose.circuit.inference.weights import ZERO, LiteralWeights, Weights
from moose.grounding.clauses import Clauses
from moose.grounding.evidence import Evidence

LARGEST_GAP = 700.0
"""Of log WMC, up to which U / L is a float."""
ROUNDED = 16 * EPSILON
"""More than the handful of roundings by which bounds are put together."""
CERTAIN, IMPOSSIBLE = Interval(1.0, 1.0), Interval(0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Bounds:
    """Certified bounds on what a circuit would say, where that circuit would be too large: `compile_bounds(clauses)`.

    Every model of `lower` is one of the theory, every model of the theory is one of `upper`. So their weighted model
    counts enclose the theory's, whatever the weights and the evidence, and both are circuits like any other: a
    `BoundsLayer` trains on them. Evidence and weights are written as for a `Circuit`. What `compile_bounds` was told as
    evidence is given: the theory is the one with it, and it counts as evidence in every question.

    >>> from moose.circuit.bounds.compile_bounds import compile_bounds
    >>> from moose.grounding.atoms import Atom
    >>> from moose.grounding.clauses import clauses_from_lists
    >>> rain, wet = Atom("Rain", ("a",)), Atom("Wet", ("a",))
    >>> bounds = compile_bounds(clauses_from_lists([rain, wet], [(-1, 2)]))
    >>> math.log(0.75) in bounds.log_wmc(), bounds.log_wmc().gap < 1e-12
    (True, True)
    >>> print(bounds.posterior(["Wet(a)"])["Rain(a)"])
    [0.5, 0.5]
    """

    lower: Circuit
    """A circuit of some models of the theory."""
    upper: Circuit
    """A circuit that has all models of the theory, and others. Where what is left of the theory does not determine
    auxiliary atoms, it may count a model more than once."""
    stages: tuple[Stage, ...]
    """How the bounds were tightened."""

    @property
    def clauses(self) -> Clauses:
        """The theory."""
        return self.lower.clauses

    @property
    def is_exact(self) -> bool:
        """Whether both circuits have the models of the theory and no other, so that they agree on every question.

        Bounds that are not exact may still agree to rounding error for the weights that they were tightened for: that
        says `log_wmc().gap`. For others they may not.
        """
        return self.lower is self.upper

    def __repr__(self) -> str:
        sizes = f"lower={self.lower.statistics.size}, upper={self.upper.statistics.size}"
        return f"Bounds(atoms={len(self.lower.atoms)}, {sizes}, gap={self.stages[-1].log_wmc.gap:.3g})"

    def log_wmc(self, weights: Weights | None = None, evidence: Evidence | None = None) -> Interval:
        """Return bounds of the natural logarithm of the weighted model count; -inf where it may be, or is, zero."""
        asked = question.ask(self.upper, evidence, weights)
        entailed = self._entailed(asked)
        if entailed is None:
            return Interval(-math.inf, -math.inf)
        return self._log_count(without_negations(asked.weights, entailed))

    def posterior(self, evidence: Evidence | None = None, weights: Weights | None = None) -> AtomMapping[Interval]:
        """Return bounds of the probability of every atom given the evidence.

        With L and U the counts of the two circuits, P(A | e) is at least L(A ∧ e) / (L(A ∧ e) + U(¬A ∧ e)), and at most
        U(A ∧ e) / (U(A ∧ e) + L(¬A ∧ e)). What follows from the evidence by unit propagation is certain, and e has it
        too. Evidence that contradicts the theory raises `ContradictoryEvidence`.
        """
        asked = question.ask(self.upper, evidence, weights)
        entailed = self._entailed(asked)
        if entailed is None:
            raise asked.no_weight()
        narrowed = without_negations(asked.weights, entailed)
        certain = entailed_atoms(self.upper.diagram, entailed)
        high = marginals(self.upper.diagram, narrowed)
        if certain is None or high is None:
            raise asked.no_weight()
        low = marginals(self.lower.diagram, narrowed)
        gap = self._log_count(narrowed).gap
        if low is None or gap > LARGEST_GAP:
            if find_clash(self.clauses, question.as_literals(self.upper, asked.excluded())) is not None:
                raise asked.no_weight()
            low, gap = high, math.inf  # of the lower circuit nothing is left to go by
        enclosing = Enclosing(math.exp(gap), *self._margins)
        values = [enclosing.probability(below, above) for below, above in zip(low.tolist(), high.tolist())]
        for position, truth in certain.items():
            values[position] = CERTAIN if truth else IMPOSSIBLE
        return self.upper.by_atom(values, IMPOSSIBLE, CERTAIN)

    def _log_count(self, weights: LiteralWeights) -> Interval:
        low = log_count(self.lower.diagram, weights, self._roundings[0])
        high = log_count(self.upper.diagram, weights, self._roundings[1])
        return Interval(low.least, high.most)

    def _entailed(self, asked: question.Question) -> dict[int, bool] | None:
        """Return what is observed or weighs 0, and what follows by unit propagation; none if that contradicts itself.

        A model of the theory that agrees with the evidence has all of it, so that it may be asked of both circuits.
        """
        excluded = asked.excluded()
        result = self._propagation.from_literals(question.as_literals(self.upper, excluded))
        if result.clashing:
            return None
        atoms, positions = self.clauses.atoms, self.upper.positions
        followed = {atoms[abs(literal) - 1]: literal > 0 for literal in result.reasons}
        return excluded | {positions[atom]: truth for atom, truth in followed.items() if atom in positions}

    @cached_property
    def _propagation(self) -> ClausePropagation:
        return ClausePropagation(self.clauses)

    @cached_property
    def _roundings(self) -> tuple[int, int]:
        return roundings(self.lower.diagram), roundings(self.upper.diagram)

    @cached_property
    def _margins(self) -> tuple[float, float]:
        low, high = self._roundings
        return marginal_margin(self.lower.diagram, low), marginal_margin(self.upper.diagram, high)


def without_negations(weights: LiteralWeights, certain: Mapping[int, bool]) -> LiteralWeights:
    """Give the negation of what is certain no weight; the weight of what is certain stays."""
    positive, negative = list(weights.positive), list(weights.negative)
    for position, truth in certain.items():
        (negative if truth else positive)[position] = ZERO
    return LiteralWeights(positive, negative)


class Enclosing(NamedTuple):
    """What bounds of a probability are made of: U / L, and how far off the marginals of both circuits may be."""

    ratio: float
    low_margin: float
    high_margin: float

    def probability(self, low: float, high: float) -> Interval:
        """Return bounds of a probability from the marginals of the two circuits."""
        if math.isinf(self.ratio):
            return Interval(0.0, 1.0)
        ratio = self.ratio * (1 + ROUNDED)
        least, most = max(0.0, low - self.low_margin), min(1.0, high + self.high_margin)
        others_least, others_most = max(0.0, 1 - low - self.low_margin), min(1.0, 1 - high + self.high_margin)
        lower = least / (least + others_most * ratio) if least > 0 else 0.0
        upper = most * ratio / (most * ratio + others_least)
        return Interval(lower * (1 - ROUNDED), min(1.0, upper * (1 + ROUNDED)))
