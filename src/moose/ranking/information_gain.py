"""What to observe next: by how many bits the answer is expected to narrow the hypotheses down, and at what cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from moose.base.errors import MooseError
from moose.ranking.exact.evidence import Evidence
from moose.ranking.exact.likelihood import likelihoods
from moose.ranking.exact.listed_evidence import LOOKED_FOR, ON, by_chance, listed_evidence, listed_numbers
from moose.ranking.findings import Floats, Numbers
from moose.ranking.noise import Listing, Noise
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
    """How likely it is to be reported present; with a listing, if it is listed as present or as excluded."""
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
        numbers = list(dict.fromkeys(map(hypotheses.finding_number, candidates)))
    prices = cost_of(posterior, costs or {})
    seen = set(posterior.observed.findings)
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
    return {posterior.hypotheses.finding_number(name): cost for name, cost in costs.items()}


def leading_findings(posterior: Posterior) -> list[int]:
    """Return the findings of the hypotheses that hold most of the probability."""
    order = np.argsort(-posterior.probabilities, kind="stable")
    count = int(np.searchsorted(np.cumsum(posterior.probabilities[order]), LEADING_SHARE)) + 1
    rows: Sequence[int] = order[: min(count, MOST_LEADING)].tolist()
    representatives = posterior.hypotheses.findings.representatives
    own = posterior.hypotheses.coins_of
    coins = [coin for number in rows for coin in posterior.replaced.get(number, own.get(number, ()))]
    return list(dict.fromkeys(int(representatives[coin.finding]) for coin in coins))


def component_of_finding(posterior: Posterior) -> Numbers:
    """Return for each finding the component whose observed findings it is at or below, or -1."""
    findings = posterior.hypotheses.findings
    owners = np.full(findings.count, -1, dtype=np.int64)
    for number, component in enumerate(posterior.likelihoods.components):
        for position in component:
            owners[findings.below(posterior.observed.findings[position])] = number
    return owners


@dataclass(frozen=True, eq=False)
class Answers:
    """How likely each answer is under every hypothesis, given what was observed: a row for each hypothesis.

    Findings that a listing does not mention say nothing, so that the answers may add up to less than 1.
    """

    present: Floats
    excluded: Floats


def answer_probabilities(posterior: Posterior, finding: int, owners: Numbers) -> Answers:
    """Return how likely a finding is reported present, and as excluded, under each hypothesis.

    Only the components change that the finding shares coins with. With a listing, each observed finding has coins.
    """
    hypotheses = posterior.hypotheses
    below = hypotheses.findings.below(finding)
    carriers = below if isinstance(hypotheses.noise, Listing) else below[hypotheses.is_carrier[below]]
    touched = np.unique(owners[carriers])
    columns = [number for number in touched.tolist() if number >= 0]
    positions = [position for number in columns for position in posterior.likelihoods.components[number]]
    if not isinstance(hypotheses.noise, Listing):
        return reported_answers(
            posterior, finding, positions, posterior.likelihoods.by_component[:, columns].sum(axis=1)
        )
    if not positions:
        return answers_alone(posterior, hypotheses.noise, finding)
    known = posterior.evidence.only(positions)
    yes, no = (listed_answer(posterior, hypotheses.noise, finding, is_present=one) for one in (True, False))
    before = likelihoods(hypotheses, known.and_also(yes.unseen()), replaced=posterior.replaced).total
    present, excluded = (conditional(posterior, known.and_also(one), before) for one in (yes, no))
    return Answers(present, np.minimum(excluded * by_chance(hypotheses, hypotheses.noise, finding)[1], 1 - present))


def reported_answers(posterior: Posterior, finding: int, positions: Sequence[int], before: Floats) -> Answers:
    """Return how likely a finding is reported by noise, given the observations at some positions."""
    noise = posterior.hypotheses.noise
    assert isinstance(noise, Noise)
    answer = Evidence((finding,), np.array([noise.reported]), np.array([1 - noise.missed]))
    present = np.minimum(1.0, conditional(posterior, posterior.evidence.only(positions).and_also(answer), before))
    return Answers(present, 1 - present)


def answers_alone(posterior: Posterior, listing: Listing, finding: int) -> Answers:
    """Return how likely a finding is listed that is independent of all that were observed."""
    hypotheses = posterior.hypotheses
    numbers = listed_numbers(hypotheses, listing, [finding], replaced=posterior.replaced)[:, 0]
    share_present, share_excluded = by_chance(hypotheses, listing, finding)
    present = share_present + numbers[:, ON] * (1 - share_present)
    excluded = share_excluded * np.exp(numbers[:, LOOKED_FOR]) * (1 - listing.excludes * numbers[:, ON])
    return Answers(present, np.minimum(excluded, 1 - present))


def listed_answer(posterior: Posterior, listing: Listing, finding: int, *, is_present: bool) -> Evidence:
    """Return the evidence that an answer would be; of what is excluded, against by chance."""
    said = np.array([is_present])
    return listed_evidence(posterior.hypotheses, listing, [finding], said, replaced=posterior.replaced)


def conditional(posterior: Posterior, evidence: Evidence, before: Floats) -> Floats:
    """Return how likely evidence is under each hypothesis, given what has the logarithm `before`."""
    together = likelihoods(posterior.hypotheses, evidence, replaced=posterior.replaced).total
    is_possible = before > -np.inf
    found = np.zeros(len(before))
    found[is_possible] = np.exp(together[is_possible] - before[is_possible])
    return found


def expected_gain(posterior: Posterior, answers: Answers) -> tuple[float, float]:
    """Return the mutual information of hypothesis and answer, in bits, and how likely the answer is yes.

        Σ P(answer) · KL(P(hypothesis | answer), P(hypothesis)); no answer leaves the hypotheses as likely as they are

    None of them, where it has a share, gives answers as the hypotheses do on average.
    """
    shares = posterior.probabilities / posterior.probabilities.sum()
    explained = 1 - posterior.none
    gain, chances = 0.0, []
    for answer in (answers.present, answers.excluded):
        chance = float(shares @ answer)
        inside = (answer > 0) & (shares > 0)
        gain += float(shares[inside] @ (answer[inside] * np.log2(answer[inside] / chance))) if chance > 0 else 0.0
        chances.append(chance)
    return max(0.0, explained * gain), chances[0] / sum(chances) if sum(chances) > 0 else 0.0
