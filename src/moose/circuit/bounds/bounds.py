"""Bounds: two circuits, one below and one above the theory, asked together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from moose.circuit import question
from moose.circuit.atom_mapping import AtomMapping
from moose.circuit.bounds.interval import Interval, Stage
from moose.circuit.bounds.rounding import EPSILON, log_count, marginal_margin, roundings
from moose.circuit.circuit import Circuit
from moose.circuit.clash import find_clash
from moose.circuit.inference.entailment import entailed_atoms
from moose.circuit.inference.marginals import marginals
from moose.circuit.inference.weights import Weights
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
    `BoundsLayer` trains on them. Evidence and weights are written as for a `Circuit`.

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
        """Whether both circuits have the models of the theory and no other."""
        return self.lower is self.upper

    def __repr__(self) -> str:
        sizes = f"lower={self.lower.statistics.size}, upper={self.upper.statistics.size}"
        return f"Bounds(atoms={len(self.lower.atoms)}, {sizes}, gap={self.stages[-1].log_wmc.gap:.3g})"

    def log_wmc(self, weights: Weights | None = None, evidence: Evidence | None = None) -> Interval:
        """Return bounds of the natural logarithm of the weighted model count; -inf where it may be, or is, zero."""
        asked = question.ask(self.upper, evidence, weights)
        low = log_count(self.lower.diagram, asked.weights, self._roundings[0])
        high = log_count(self.upper.diagram, asked.weights, self._roundings[1])
        return Interval(low.least, high.most)

    def posterior(self, evidence: Evidence | None = None, weights: Weights | None = None) -> AtomMapping[Interval]:
        """Return bounds of the probability of every atom given the evidence.

        With L and U the counts of the two circuits, P(A | e) is at least L(A ∧ e) / (L(A ∧ e) + U(¬A ∧ e)), and at most
        U(A ∧ e) / (U(A ∧ e) + L(¬A ∧ e)). Evidence that contradicts the theory raises `ContradictoryEvidence`.
        """
        asked = question.ask(self.upper, evidence, weights)
        excluded = asked.excluded()
        certain = entailed_atoms(self.upper.diagram, excluded)
        high = marginals(self.upper.diagram, asked.weights)
        if certain is None or high is None:
            raise asked.no_weight()
        low = marginals(self.lower.diagram, asked.weights)
        gap = self.log_wmc(weights, evidence).gap
        if low is None or gap > LARGEST_GAP:
            if find_clash(self.clauses, question.as_literals(self.upper, excluded)) is not None:
                raise asked.no_weight()
            low, gap = high, math.inf  # of the lower circuit nothing is left to go by
        enclosing = Enclosing(math.exp(gap), *self._margins)
        values = [enclosing.probability(below, above) for below, above in zip(low.tolist(), high.tolist())]
        for position, truth in certain.items():
            values[position] = CERTAIN if truth else IMPOSSIBLE
        return self.upper.by_atom(values, IMPOSSIBLE, CERTAIN)

    @cached_property
    def _roundings(self) -> tuple[int, int]:
        return roundings(self.lower.diagram), roundings(self.upper.diagram)

    @cached_property
    def _margins(self) -> tuple[float, float]:
        low, high = self._roundings
        return marginal_margin(self.lower.diagram, low), marginal_margin(self.upper.diagram, high)


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
