"""Bayes' rule: how likely each hypothesis is after the observations of a case."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from moose.base.errors import ContradictoryEvidence, MooseError, UnknownName
from moose.ranking.cases import Case, Observation
from moose.ranking.exact.evidence import Evidence
from moose.ranking.exact.likelihood import Likelihoods, likelihoods
from moose.ranking.exact.listed_evidence import listed_evidence
from moose.ranking.findings import Floats
from moose.ranking.hypotheses import Coins, Hypotheses
from moose.ranking.noise import Listing, Noise


@dataclass(frozen=True, eq=False)
class ObservedCase:
    """A case and the findings that its observations are of: the same finding reported twice is one observation."""

    case: Case
    findings: tuple[int, ...]
    observations: tuple[tuple[Observation, ...], ...]
    """What was observed of each finding: one observation, or two that contradict each other."""
    left_out: tuple[str, ...] = ()
    """Findings that are not known and were left out, where that is wanted."""


def observe(hypotheses: Hypotheses, case: Case, *, skip_unknown: bool = False) -> ObservedCase:
    """Look up the findings of a case."""
    where = f"case {case.name}: " if case.name else ""
    rows: dict[int, list[Observation]] = {}
    left_out = []
    for one in case.observations:
        if one.noise is not None and isinstance(hypotheses.noise, Listing):
            raise MooseError(
                f"{where}expected observations without noise of their own, as a listing says how they come about, but "
                f"{one} has some; leave out the noise, or the listing"
            )
        try:
            number = hypotheses.finding_number(one.finding)
        except UnknownName as error:
            if not skip_unknown:
                raise UnknownName(f"{where}{error}") from None
            left_out.append(one.finding)
            continue
        row = rows.setdefault(number, [])
        if one.is_present not in [other.is_present for other in row]:
            row.append(one)
    return ObservedCase(case, tuple(rows), tuple(map(tuple, rows.values())), tuple(left_out))


def evidence_of(hypotheses: Hypotheses, observed: ObservedCase, *, replaced: Coins | None = None) -> Evidence:
    """Return how likely each observation is if the finding is there, and if not.

    Where a listing says how observations come about, what is listed as present and as excluded counts as present.
    """
    noise = hypotheses.noise
    if isinstance(noise, Listing):
        is_present = np.array([any(one.is_present for one in row) for row in observed.observations], dtype=np.bool_)
        return listed_evidence(hypotheses, noise, observed.findings, is_present, replaced=replaced)
    products = np.array([np.prod([factors(one, noise) for one in row], axis=0) for row in observed.observations])
    if_off, if_on = products.reshape(-1, 2).T
    return Evidence(observed.findings, if_off, if_on)


def factors(one: Observation, noise: Noise) -> tuple[float, float]:
    """Return how likely an observation is if the finding is not there, and if it is."""
    used = one.noise or noise
    if one.is_present:
        return used.reported, 1 - used.missed
    return 1 - used.reported, used.missed


@dataclass(frozen=True, eq=False)
class Posterior:
    """How likely each hypothesis is, given a case, and what that was computed from."""

    hypotheses: Hypotheses
    observed: ObservedCase
    likelihoods: Likelihoods
    probabilities: Floats
    none: float
    """How likely it is that none of the hypotheses holds."""
    log_evidence: float
    """The logarithm of how likely the observations are beforehand, over all hypotheses; of what is sharpened, if so."""
    replaced: Coins = field(default_factory=dict)

    @cached_property
    def evidence(self) -> Evidence:
        """How likely each observation is if the finding is there, and if not."""
        return evidence_of(self.hypotheses, self.observed, replaced=self.replaced)

    @property
    def sharpness(self) -> float:
        """By what the logarithms of likelihoods are divided."""
        return sharpness(self.hypotheses, len(self.observed.findings))

    @cached_property
    def log_without(self) -> Floats:
        """The logarithm of how likely all observations but one are: a row for each that is left out."""
        rows = np.zeros((len(self.observed.findings), self.hypotheses.count))
        for number, component in enumerate(self.likelihoods.components):
            apart = np.delete(self.likelihoods.by_component, number, axis=1).sum(axis=1)
            for position in component:
                rest = self.evidence.only([one for one in component if one != position])
                rows[position] = apart + likelihoods(self.hypotheses, rest, replaced=self.replaced).total
        return rows


def posterior_of(
    hypotheses: Hypotheses, case: Case, *, skip_unknown: bool = False, replaced: Coins | None = None
) -> Posterior:
    """Return how likely each hypothesis is, given a case.

    Some hypotheses may have other coins for this case (`replaced`); one that has none left is no hypothesis.
    """
    observed = observe(hypotheses, case, skip_unknown=skip_unknown)
    evidence = evidence_of(hypotheses, observed, replaced=replaced)
    found = likelihoods(hypotheses, evidence, replaced=replaced)
    gone = [number for number, coins in (replaced or {}).items() if not coins]
    if gone and found.components:
        found.by_component[gone] = -np.inf
    if np.all(found.total[hypotheses.priors > 0] == -np.inf):
        raise impossible(hypotheses, observed, evidence)
    log_weights = log_joints(hypotheses, found.total, evidence)
    log_evidence = log_sum(log_weights)
    shares = np.exp(log_weights - log_evidence)
    made = Posterior(hypotheses, observed, found, shares[:-1], float(shares[-1]), log_evidence, replaced or {})
    vars(made)["evidence"] = evidence
    return made


def log_joints(hypotheses: Hypotheses, total: Floats, evidence: Evidence) -> Floats:
    """Return the logarithm of each hypothesis' weight, given those of the likelihoods; at the end that of none of them.

        P(h | observations) ∝ P(h) · L(h)^(1 / sharpness)

    None of them is what a listing learns the share of: it lists findings as the hypotheses do on average.
    """
    divisor = sharpness(hypotheses, len(evidence.findings))
    found = hypotheses.log_priors + total / divisor
    if not isinstance(hypotheses.noise, Listing) or evidence.log_average is None:
        return np.append(found, -np.inf)
    share = hypotheses.noise.unexplained
    return np.append(found + np.log1p(-share), float(evidence.log_average.sum()) / divisor + np.log(share))


def sharpness(hypotheses: Hypotheses, observations: int) -> float:
    """Return by what the logarithms of likelihoods are divided: 1, unless a listing says that they are too sure."""
    return hypotheses.noise.sharpness(observations) if isinstance(hypotheses.noise, Listing) else 1.0


def log_sum(values: Floats) -> float:
    """Return the logarithm of a sum, from the logarithms of its terms."""
    highest = float(values.max())
    return highest if highest == -np.inf else highest + float(np.log(np.exp(values - highest).sum()))


def impossible(hypotheses: Hypotheses, observed: ObservedCase, evidence: Evidence) -> ContradictoryEvidence:
    """Say that no hypothesis can produce the observations, and which of them alone none can."""
    where = f"case {observed.case.name}: " if observed.case.name else ""
    advice = "allow for noise or a leak, or correct the case"
    for position, row in enumerate(observed.observations):
        alone = likelihoods(hypotheses, evidence.only([position])).total
        if np.all(alone[hypotheses.priors > 0] == -np.inf):
            said = " and ".join(map(str, row))
            return ContradictoryEvidence(
                f"{where}expected observations that some hypothesis can produce, but none can produce {said}; {advice}",
                literals=tuple(map(str, row)),
            )
    return ContradictoryEvidence(
        f"{where}expected observations that some hypothesis can produce, but none can produce all of them; {advice}",
        literals=tuple(str(one) for row in observed.observations for one in row),
    )
