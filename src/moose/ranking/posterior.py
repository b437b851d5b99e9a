"""Bayes' rule: how likely each hypothesis is after the observations of a case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from moose.base.errors import ContradictoryEvidence
from moose.ranking.cases import Case, ObservedCase, observe
from moose.ranking.exact.likelihood import Coins, Likelihoods, likelihoods
from moose.ranking.findings import Floats
from moose.ranking.hypotheses import Hypotheses


@dataclass(frozen=True, eq=False)
class Posterior:
    """How likely each hypothesis is, given a case, and what that was computed from."""

    hypotheses: Hypotheses
    observed: ObservedCase
    likelihoods: Likelihoods
    probabilities: Floats
    log_evidence: float
    """The logarithm of how likely the observations are beforehand, over all hypotheses."""

    @cached_property
    def log_without(self) -> Floats:
        """The logarithm of how likely all observations but one are: a row for each that is left out."""
        rows = np.zeros((len(self.observed.evidence.findings), self.hypotheses.count))
        for number, component in enumerate(self.likelihoods.components):
            apart = np.delete(self.likelihoods.by_component, number, axis=1).sum(axis=1)
            for position in component:
                rest = self.observed.evidence.only([one for one in component if one != position])
                rows[position] = apart + likelihoods(self.hypotheses, rest).total
        return rows


def posterior_of(
    hypotheses: Hypotheses,
    case: Case,
    *,
    skip_unknown: bool = False,
    replaced: Coins | None = None,
    temperature: float = 1.0,
) -> Posterior:
    """Return how likely each hypothesis is, given a case.

    A temperature above 1 makes the likelihoods weigh less, where they are known to be too sure.
    """
    observed = observe(hypotheses, case, skip_unknown=skip_unknown)
    found = likelihoods(hypotheses, observed.evidence, replaced=replaced)
    with np.errstate(divide="ignore"):
        log_joint = np.log(hypotheses.priors) + found.total / temperature
    highest = float(log_joint.max())
    if highest == -np.inf:
        raise impossible(hypotheses, observed)
    weights = np.exp(log_joint - highest)
    total = float(weights.sum())
    return Posterior(hypotheses, observed, found, weights / total, highest + float(np.log(total)))


def impossible(hypotheses: Hypotheses, observed: ObservedCase) -> ContradictoryEvidence:
    """Say that no hypothesis can produce the observations, and which of them alone none can."""
    where = f"case {observed.case.name}: " if observed.case.name else ""
    advice = "allow for noise or a leak, or correct the case"
    for position, row in enumerate(observed.observations):
        alone = likelihoods(hypotheses, observed.evidence.only([position])).total
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
