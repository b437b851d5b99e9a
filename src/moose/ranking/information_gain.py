"""What to observe next: by how many bits the answer is expected to narrow the hypotheses down, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from moose.base.errors import MooseError
from moose.ranking.cases import finding_number
from moose.ranking.exact.likelihood import likelihoods
from moose.ranking.findings import Floats, Numbers
from moose.ranking.posterior import Posterior

LEADING_SHARE = 0.95
MOST_LEADING = 20
"""Unless candidates are given, the findings of the hypotheses that hold this share are asked for, at most this many."""


@dataclass(frozen=True, slots=True)
class Question:
    """A finding to look for, and what is expected of it."""

    finding: str
    gain: float
    """The mutual information, in bits, of the hypothesis and the answer."""
    probability: float
    """How likely it is to be reported present."""
    cost: float = 1.0

    @property
    def gain_per_cost(self) -> float:
        """Bits for each unit of cost."""
        return self.gain / self.cost


def questions_of(
    posterior: Posterior,
    *,
    most: int | None = 10,
    candidates: Iterable[str] | None = None,
    costs: Mapping[str, float] | None = None,
) -> tuple[Question, ...]:
    """Return what to observe next, the most bits for its cost first; exact over all hypotheses.

    Without candidates, these are the findings that the leading hypotheses bring with them.
    """
    hypotheses = posterior.hypotheses
    if candidates is None:
        numbers = leading_findings(posterior)
    else:
        numbers = list(dict.fromkeys(finding_number(hypotheses, one) for one in candidates))
    prices = cost_of(posterior, costs or {})
    seen = set(posterior.observed.evidence.findings)
    owners = component_of_finding(posterior)
    found = []
    for number in numbers:
        if number not in seen:
            gain, probability = expected_gain(posterior, answer_probabilities(posterior, number, owners))
            found.append(Question(hypotheses.findings.names[number], gain, probability, prices.get(number, 1.0)))
    found.sort(key=lambda one: (-one.gain_per_cost, one.finding))
    return tuple(found[:most])


def cost_of(posterior: Posterior, costs: Mapping[str, float]) -> dict[int, float]:
    """Return the costs by the numbers of findings."""
    for name, cost in costs.items():
        if not 0 < cost < np.inf:
            raise MooseError(f"expected a cost above 0, but {name} has {cost}; correct it")
    return {finding_number(posterior.hypotheses, name): cost for name, cost in costs.items()}


def leading_findings(posterior: Posterior) -> list[int]:
    """Return the findings of the hypotheses that hold most of the probability."""
    order = np.argsort(-posterior.probabilities, kind="stable")
    count = int(np.searchsorted(np.cumsum(posterior.probabilities[order]), LEADING_SHARE)) + 1
    rows: Sequence[int] = order[: min(count, MOST_LEADING)].tolist()
    representatives = posterior.hypotheses.findings.representatives
    coins = [coin for number in rows for coin in posterior.hypotheses.coins_of.get(number, ())]
    return list(dict.fromkeys(int(representatives[coin.finding]) for coin in coins))


def component_of_finding(posterior: Posterior) -> Numbers:
    """Return for each finding the component whose observed findings it is at or below, or -1."""
    findings = posterior.hypotheses.findings
    owners = np.full(findings.count, -1, dtype=np.int64)
    for number, component in enumerate(posterior.likelihoods.components):
        for position in component:
            owners[findings.below(posterior.observed.evidence.findings[position])] = number
    return owners


def answer_probabilities(posterior: Posterior, finding: int, owners: Numbers) -> Floats:
    """Return how likely a finding is reported present under each hypothesis, given what was observed.

    Only the components change that the finding shares coins with.
    """
    hypotheses, evidence = posterior.hypotheses, posterior.observed.evidence
    below = hypotheses.findings.below(finding)
    touched = np.unique(owners[below[hypotheses.is_carrier[below]]])
    columns = [number for number in touched.tolist() if number >= 0]
    positions = [position for number in columns for position in posterior.likelihoods.components[number]]
    noise = hypotheses.noise
    asked = evidence.only(positions).with_finding(finding, noise.reported, 1 - noise.missed)
    together = likelihoods(hypotheses, asked).total
    before = posterior.likelihoods.by_component[:, columns].sum(axis=1)
    is_possible = before > -np.inf
    answer = np.zeros(hypotheses.count)
    answer[is_possible] = np.exp(together[is_possible] - before[is_possible])
    return np.clip(answer, 0.0, 1.0)


def expected_gain(posterior: Posterior, answer: Floats) -> tuple[float, float]:
    """Return the mutual information of hypothesis and answer, in bits, and how likely the answer is yes."""
    probability = float(posterior.probabilities @ answer)
    gain = float(entropy(np.array([probability]))[0] - posterior.probabilities @ entropy(answer))
    return max(0.0, gain), probability


def entropy(probability: Floats) -> Floats:
    """Return the entropy of yes-or-no answers, in bits.

    >>> entropy(np.array([0.5, 1.0])).tolist()
    [1.0, 0.0]
    """
    total = np.zeros(len(probability))
    for share in (probability, 1 - probability):
        inside = share > 0
        total[inside] -= share[inside] * np.log2(share[inside])
    return total
