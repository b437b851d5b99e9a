"""Why a hypothesis is likely or not: by how many bits each observation and each axiom speaks for or against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from moose.ranking.cases import Observation
from moose.ranking.exact.likelihood import Evidence, likelihoods
from moose.ranking.findings import Floats
from moose.ranking.hypotheses import Coin, Hypotheses, make_hypotheses
from moose.ranking.posterior import Posterior

BIT = float(np.log(2.0))


@dataclass(frozen=True, slots=True)
class ObservationReason:
    """What the observations of one finding say, given all the others: bits above 0 speak for the hypothesis."""

    observations: tuple[Observation, ...]
    bits: float
    """log₂ P(observation | the others, hypothesis) − log₂ P(observation | the others)."""
    probability: float
    """P(observation | the others, hypothesis)."""


@dataclass(frozen=True, slots=True)
class AxiomReason:
    """What an axiom of the hypothesis contributes: bits above 0 make the observations more likely."""

    coin: Coin
    bits: float
    """log₂ P(observations | hypothesis) − log₂ P(observations | the hypothesis without this axiom)."""
    sensitivity: float
    """The derivative of ln P(observations | hypothesis) by the frequency."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a hypothesis is where it is: observations and axioms, the weightiest first."""

    hypothesis: str
    observations: tuple[ObservationReason, ...]
    axioms: tuple[AxiomReason, ...]


@dataclass(frozen=True, slots=True)
class Difference:
    """Observations that hang together, and by how many bits they speak for the first of two hypotheses."""

    observations: tuple[Observation, ...]
    bits: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two hypotheses: the bits of the priors and of all observations add up to the logarithm of their odds."""

    first: str
    second: str
    prior_bits: float
    differences: tuple[Difference, ...]

    @property
    def bits(self) -> float:
        """log₂ P(first | observations) / P(second | observations)."""
        return self.prior_bits + sum(one.bits for one in self.differences)


def reasons_of(posterior: Posterior, hypothesis: str) -> Reasons:
    """Return what speaks for and against a hypothesis."""
    number = posterior.hypotheses.number_of(hypothesis)
    seen = observation_reasons(posterior, number)
    axioms = axiom_reasons(posterior.hypotheses, posterior.observed.evidence, number)
    return Reasons(
        posterior.hypotheses.names[number],
        tuple(sorted(seen, key=lambda one: -abs(one.bits))),
        tuple(sorted(axioms, key=lambda one: -abs(one.bits))),
    )


def observation_reasons(posterior: Posterior, number: int) -> list[ObservationReason]:
    """Return what each observation says of a hypothesis, given the other observations."""
    own = float(posterior.likelihoods.total[number])
    with np.errstate(divide="ignore"):
        log_priors = np.log(posterior.hypotheses.priors)
    found = []
    for observations, without in zip(posterior.observed.observations, posterior.log_without):
        given_others = own - float(without[number]) if own > -np.inf else -np.inf
        expected = posterior.log_evidence - log_sum(log_priors + without)
        found.append(ObservationReason(observations, (given_others - expected) / BIT, float(np.exp(given_others))))
    return found


def log_sum(values: Floats) -> float:
    """Return the logarithm of a sum, from the logarithms of its terms."""
    highest = float(values.max())
    return highest if highest == -np.inf else highest + float(np.log(np.exp(values - highest).sum()))


def axiom_reasons(hypotheses: Hypotheses, evidence: Evidence, number: int) -> list[AxiomReason]:
    """Return what each axiom of a hypothesis that has to do with the observations contributes.

    The hypothesis without an axiom, and with the axiom made certain, are ranked as if they were hypotheses too.
    """
    coins = hypotheses.coins_of.get(number, ())
    above = [set(hypotheses.findings.above(coin.finding).tolist()) for coin in coins]
    seen = set(evidence.findings)
    concerned = [position for position, row in enumerate(above) if row & seen]
    if not concerned:
        return []
    whole = [coins[position] for position in concerned]
    variants = [whole, *(changed(whole, one, 0.0) for one in whole), *(changed(whole, one, 1.0) for one in whole)]
    family = make_hypotheses(
        hypotheses.findings,
        [str(variant) for variant in range(len(variants))],
        [Coin(variant, one.finding, one.frequency) for variant, row in enumerate(variants) for one in row],
        leak=hypotheses.leak,
        noise=hypotheses.noise,
    )
    totals = likelihoods(family, evidence).total
    off, on = totals[1 : len(whole) + 1], totals[len(whole) + 1 :]
    slopes = np.exp(on - totals[0]) - np.exp(off - totals[0]) if totals[0] > -np.inf else np.full(len(whole), np.inf)
    return [
        AxiomReason(coin, float((totals[0] - off[place]) / BIT), float(slopes[place]))
        for place, coin in enumerate(whole)
    ]


def changed(coins: Sequence[Coin], one: Coin, frequency: float) -> list[Coin]:
    """Return coins with another frequency for one of them."""
    return [Coin(each.hypothesis, each.finding, frequency) if each is one else each for each in coins]


def compare_hypotheses(posterior: Posterior, first: str, second: str) -> Comparison:
    """Return by how much each group of observations that hang together speaks for the first of two hypotheses."""
    hypotheses = posterior.hypotheses
    one, other = hypotheses.number_of(first), hypotheses.number_of(second)
    rows = posterior.likelihoods.by_component
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = (rows[one] - rows[other]) / BIT
        prior_bits = float(np.log2(hypotheses.priors[one]) - np.log2(hypotheses.priors[other]))
    differences = [
        Difference(tuple(each for place in component for each in posterior.observed.observations[place]), float(value))
        for component, value in zip(posterior.likelihoods.components, bits)
    ]
    differences.sort(key=lambda each: -abs(each.bits))
    return Comparison(hypotheses.names[one], hypotheses.names[other], prior_bits, tuple(differences))
