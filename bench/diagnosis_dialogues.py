"""Simulated dialogues: how many questions until the right disease is first, by who chooses the questions.

Who asks does not see what the case can answer. A finding is there if the case lists it, or something below it, as
present; it is not there if the case lists it, or something above it, as excluded; else nobody knows, and the question
was asked in vain. The case's own paper is left out.
"""

from __future__ import annotations

from heapq import nlargest
from zlib import crc32

import numpy as np

from bench.diagnosis_data import Report
from bench.diagnosis_methods import Listed
from moose.ranking.cases import Case, Observation
from moose.ranking.findings import Findings
from moose.ranking.information_gain import (
    answer_probabilities,
    answers_alone,
    component_of_finding,
    expected_gain,
    leading_findings,
)
from moose.ranking.noise import Listing
from moose.ranking.posterior import Posterior, posterior_of

STRATEGIES = ("information gain", "most frequent finding", "random")
MOST_QUESTIONS = 20
CONSIDERED = 4
"""Of how many findings the gain is computed exactly: the best ones if each were independent of what is known."""


def ask(method: Listed, report: Report, strategy: str) -> dict[str, object]:
    """Begin with one present finding of a case and ask until the right disease is first, or there are no questions."""
    full = method.posterior(report, with_excluded=True, leave_paper_out=True)
    hypotheses, names = full.hypotheses, full.hypotheses.findings.names
    chance = np.random.default_rng(crc32(report.key.encode()))
    seen = zip(full.observed.findings, full.observed.observations, strict=True)
    listed = {finding: any(one.is_present for one in row) for finding, row in seen}
    present = sorted(one for one, is_present in listed.items() if is_present)
    first = present[int(chance.integers(len(present)))]
    case = Case(report.key, (Observation(names[first]),), report.gold)
    right = hypotheses.number_of(report.gold)
    done: set[int] = {first}
    answered = asked = 0
    state = posterior_of(hypotheses, case, replaced=full.replaced)
    while True:
        is_first = bool(np.count_nonzero(state.likelihoods.total >= state.likelihoods.total[right]) == 1)
        pool = unknown(state, done) if not is_first and asked < MOST_QUESTIONS else []
        if not pool:
            return {"questions": asked, "answered": answered, "first": is_first, "findings": len(listed)}
        chosen = choose(state, pool, strategy, chance)
        done.add(chosen)
        asked += 1
        known = answer(hypotheses.findings, listed, chosen)
        if known is not None:
            answered += 1
            case = case.observing(names[chosen], is_present=known)
            state = posterior_of(hypotheses, case, replaced=full.replaced)


def unknown(state: Posterior, done: set[int]) -> list[int]:
    """Return the findings of the leading diseases that were not asked for, and do not follow from answers."""
    findings = state.hypotheses.findings
    known = set(done)
    for finding, row in zip(state.observed.findings, state.observed.observations, strict=True):
        known |= set((findings.above(finding) if row[0].is_present else findings.below(finding)).tolist())
    return [one for one in leading_findings(state) if one not in known]


def answer(findings: Findings, listed: dict[int, bool], finding: int) -> bool | None:
    """Return whether a case has a finding; none if it does not say."""
    if any(listed.get(one, False) for one in findings.below(finding).tolist()):
        return True
    return None if all(listed.get(one, True) for one in findings.above(finding).tolist()) else False


def choose(state: Posterior, pool: list[int], strategy: str, chance: np.random.Generator) -> int:
    """Return the finding to ask for next."""
    if strategy == "random":
        return pool[int(chance.integers(len(pool)))]
    if strategy == "most frequent finding":
        content = state.hypotheses.relations.content
        return min(pool, key=lambda one: (content[one], one))
    listing = state.hypotheses.noise
    assert isinstance(listing, Listing)
    quick = {one: expected_gain(state, answers_alone(state, listing, one))[0] for one in pool}
    best = nlargest(CONSIDERED, pool, key=lambda one: (quick[one], -one))
    owners = component_of_finding(state)
    return max(best, key=lambda one: (expected_gain(state, answer_probabilities(state, one, owners))[0], -one))
