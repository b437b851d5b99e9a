"""Why a hypothesis is likely or not: by how many bits each observation and each axiom speaks for or against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from moose.ranking.cases import Observation
from moose.ranking.exact.likelihood import likelihoods
from moose.ranking.hypotheses import Coin
from moose.ranking.noise import Listing
from moose.ranking.posterior import Posterior, evidence_of, log_joints, log_sum, sharpness

BIT = float(np.log(2.0))


@dataclass(frozen=True, slots=True)
class ObservationReason:
    """What the observations of one finding say, given all the others: bits above 0 speak for the hypothesis."""

    observations: tuple[Observation, ...]
    bits: float
    """log₂ P(hypothesis | all observations) − log₂ P(hypothesis | the others)."""
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
    axioms = axiom_reasons(posterior, number)
    return Reasons(
        posterior.hypotheses.names[number],
        tuple(sorted(seen, key=lambda one: -abs(one.bits))),
        tuple(sorted(axioms, key=lambda one: -abs(one.bits))),
    )


def observation_reasons(posterior: Posterior, number: int) -> list[ObservationReason]:
    """Return what each observation says of a hypothesis, given the other observations."""
    hypotheses = posterior.hypotheses
    own = float(posterior.likelihoods.total[number])
    found = []
    for position, observations in enumerate(posterior.observed.observations):
        without, rest = posterior.log_without[position], posterior.evidence.without(position)
        log_rest = log_sum(log_joints(hypotheses, without, rest))
        before = float(without[number]) / sharpness(hypotheses, len(rest.findings))
        if own > -np.inf:
            bits = own / posterior.sharpness - before - posterior.log_evidence + log_rest
            found.append(ObservationReason(observations, bits / BIT, float(np.exp(own - without[number]))))
        else:
            found.append(ObservationReason(observations, -np.inf, 0.0))
    return found


STEP = 1e-4
"""By how much a frequency is changed where the likelihood is not linear in it."""


def axiom_reasons(posterior: Posterior, number: int) -> list[AxiomReason]:
    """Return what each axiom of a hypothesis that has to do with the observations contributes.

    The hypothesis without an axiom, and with the axiom less and more frequent, are weighed as if they were hypotheses
    too: from never to always, as the likelihood is linear in between, unless a listing says otherwise.
    """
    hypotheses, observed = posterior.hypotheses, posterior.observed
    coins = list(posterior.replaced.get(number, hypotheses.coins_of.get(number, ())))
    above = [set(hypotheses.findings.above(coin.finding).tolist()) for coin in coins]
    seen = set(observed.findings)
    concerned = [position for position, row in enumerate(above) if row & seen]
    if not concerned:
        return []
    step = STEP if isinstance(hypotheses.noise, Listing) else 1.0
    ranges = [(max(0.0, one.frequency - step), min(1.0, one.frequency + step)) for one in coins]
    variants = [coins]
    for place in concerned:
        variants.append([*coins[:place], *coins[place + 1 :]])
        variants += [changed(coins, place, value) for value in ranges[place]]
    family = hypotheses.variants(variants)
    total, *rest = likelihoods(family, evidence_of(family, observed)).total.tolist()
    found = []
    for place, (without, low, high) in zip(concerned, batched(rest, 3), strict=True):
        width = ranges[place][1] - ranges[place][0]
        slope = (np.exp(high - total) - np.exp(low - total)) / width if total > -np.inf else np.inf
        found.append(AxiomReason(coins[place], bits_between(total, without), float(slope)))
    return found


def bits_between(one: float, other: float) -> float:
    """Return the difference of two logarithms in bits; of what is impossible either way, none."""
    return 0.0 if one == other == -np.inf else (one - other) / BIT


def batched(values: Sequence[float], size: int) -> Iterator[Sequence[float]]:
    """Yield values, some at a time."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def changed(coins: Sequence[Coin], place: int, frequency: float) -> list[Coin]:
    """Return coins with another frequency for one of them."""
    return [*coins[:place], replace(coins[place], frequency=frequency), *coins[place + 1 :]]


def compare_hypotheses(posterior: Posterior, first: str, second: str) -> Comparison:
    """Return by how much each group of observations that hang together speaks for the first of two hypotheses."""
    hypotheses = posterior.hypotheses
    one, other = hypotheses.number_of(first), hypotheses.number_of(second)
    rows = posterior.likelihoods.by_component
    with np.errstate(divide="ignore", invalid="ignore"):
        bits = (rows[one] - rows[other]) / posterior.sharpness / BIT
        prior_bits = float(np.log2(hypotheses.priors[one]) - np.log2(hypotheses.priors[other]))
    differences = [
        Difference(tuple(each for place in component for each in posterior.observed.observations[place]), float(value))
        for component, value in zip(posterior.likelihoods.components, bits)
    ]
    differences.sort(key=lambda each: -abs(each.bits))
    return Comparison(hypotheses.names[one], hypotheses.names[other], prior_bits, tuple(differences))
