"""Log-likelihood, its gradient and the expected number of heads of each parameter, over all patterns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.queries.estimate.likelihood import Number, Outcomes
from moose.queries.estimate.parameters import Beta, Parameter

Reals = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Counted(Generic[Number]):
    """What cases say of parameters with some values: how likely they are, and how often each coin fell."""

    log_likelihood: float
    slopes: Sequence[Number]
    """The derivative of the log-likelihood by each parameter."""
    heads: Sequence[Number]
    """The expected number of coins of each parameter that show its axioms to hold."""
    tosses: list[int]
    """The number of its coins that were thrown: one for each case that an axiom can matter for, and for each axiom."""


class Likelihood:
    """Compiled patterns, and which parameter each of their axioms has."""

    def __init__(self, outcomes: Sequence[Outcomes], parameters: Sequence[Parameter]) -> None:
        self.outcomes = outcomes
        self.parameters = parameters
        self._parameter_of = {
            place: number for number, parameter in enumerate(parameters) for place in parameter.positions
        }
        self.tosses = [0] * len(parameters)
        for one in outcomes:
            for axiom in one.axioms:
                self.tosses[self._parameter_of[axiom]] += one.cases

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return sum(one.cases for one in self.outcomes)

    def count(self, values: Sequence[Number], one: Number) -> Counted[Number]:
        """Return what all cases say, with floats or fractions; `one` says which.

        P(e) is linear in the p of each coin, P(e) = p · P₁ + (1 − p) · P₀, so that with its derivative s = P₁ − P₀ the
        posterior of the coin is p · P₁ / P(e) = p + p · (1 − p) · s / P(e). Summed over all cases and coins of a
        parameter, with g the derivative of the log-likelihood, that is p · n + p · (1 − p) · g for n coins.
        """
        zero = one - one  # type: ignore[operator]
        slopes = [zero] * len(self.parameters)
        logarithm = 0.0
        for outcomes in self.outcomes:
            chances = {axiom: values[self._parameter_of[axiom]] for axiom in outcomes.axioms}
            found = outcomes.values(chances, one)
            seeds: dict[int, Number] = {}
            for root, count in zip(outcomes.roots, outcomes.counts, strict=True):
                if not found[root]:
                    raise impossible_now()
                logarithm += count * log(found[root])
                seeds[root] = seeds.get(root, zero) + count / found[root]  # type: ignore[operator]
            for axiom, slope in zip(outcomes.axioms, outcomes.slopes(found, seeds), strict=True):
                slopes[self._parameter_of[axiom]] += slope
        heads = [
            value * tosses + value * (one - value) * slope  # type: ignore[operator]
            for value, tosses, slope in zip(values, self.tosses, slopes, strict=True)
        ]
        return Counted(logarithm, slopes, heads, self.tosses)

    def information(self, values: Sequence[float]) -> Reals:
        """Return the empirical information: the sum over cases of the gradient times itself, (parameter, parameter)."""
        total = np.zeros((len(self.parameters), len(self.parameters)))
        for outcomes in self.outcomes:
            chances = {axiom: values[self._parameter_of[axiom]] for axiom in outcomes.axioms}
            found = outcomes.values(chances, 1.0)
            for root, count in zip(outcomes.roots, outcomes.counts, strict=True):
                gradient = np.zeros(len(self.parameters))
                for axiom, slope in zip(outcomes.axioms, outcomes.slopes(found, {root: 1.0 / found[root]})):
                    gradient[self._parameter_of[axiom]] += slope
                total += count * np.outer(gradient, gradient)
        return total


def log(value: object) -> float:
    """Return the logarithm of a float, or of a fraction however small."""
    if isinstance(value, Fraction):
        return math.log(value.numerator) - math.log(value.denominator)
    assert isinstance(value, float)
    return math.log(value)


def log_prior(values: Sequence[float], parameters: Sequence[Parameter]) -> float:
    """Return the logarithm of the density of the priors, but for a constant."""
    total = 0.0
    for value, parameter in zip(values, parameters, strict=True):
        alpha, beta = parameter.prior
        if parameter.is_learnt and (alpha, beta) != Beta():
            if not 0 < value < 1:
                return -math.inf
            total += (alpha - 1) * math.log(value) + (beta - 1) * math.log1p(-value)
    return total


def maximised(
    counted: Counted[Number], values: Sequence[Number], parameters: Sequence[Parameter], one: Number
) -> list[Number]:
    """Return the likeliest values given expected counts: heads / tosses, with those of the prior.

    A parameter that is fixed, or of which nothing is known, stays as it is.
    """
    result: list[Number] = []
    for value, heads, tosses, parameter in zip(values, counted.heads, counted.tosses, parameters, strict=True):
        number = type(one)  # a prior is a float; with fractions it is taken exactly
        more, fewer = (number(count - 1) for count in parameter.prior)  # type: ignore[call-arg]
        whole = tosses + more + fewer  # type: ignore[operator]
        result.append((heads + more) / whole if parameter.is_learnt and whole else value)  # type: ignore[operator]
    return result


def impossible_now() -> MooseError:
    """Return the error that a case that some world looks like has no weight with these numbers."""
    return MooseError(
        "expected every case to be possible, but one has probability 0 in floating point; "
        "begin with probabilities nearer to 1/2, or observe less in one case"
    )
