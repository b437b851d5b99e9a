"""Simulated dialogues: how many questions until the right disease is first, by who chooses the questions.

Who asks does not see what the case can answer. A finding is there if the case lists it, or something below it, as
present; it is not there if the case lists it, or something above it, as excluded; else nobody knows, and the question
was asked in vain. The case's own paper is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from heapq import nlargest
from zlib import crc32

import numpy as np

from bench.diagnosis_data import Report
from bench.diagnosis_listing import LOOKED_FOR, ON, Listed, Observed
from moose.ranking.findings import Floats
from moose.ranking.information_gain import LEADING_SHARE, MOST_LEADING

STRATEGIES = ("information gain", "most frequent finding", "random")
MOST_QUESTIONS = 20
CONSIDERED = 4
"""Of how many findings the gain is computed exactly: the best ones if each were independent of what is known."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What is known so far, and how likely each disease is."""

    method: Listed
    seen: Observed
    log_likelihood: Floats
    columns: dict[int, Floats]
    """What the method says of single findings, kept from question to question."""

    @classmethod
    def of(cls, method: Listed, seen: Observed, columns: dict[int, Floats]) -> Asked:
        """Return what follows from some observations."""
        return cls(method, seen, method.log_likelihood(seen), columns)

    def observing(self, finding: int, *, is_present: bool) -> Asked:
        """Return what follows from one more."""
        seen = self.seen
        more = Observed((*seen.findings, finding), np.append(seen.is_present, is_present), seen.replaced)
        return Asked.of(self.method, more, self.columns)

    @cached_property
    def probabilities(self) -> Floats:
        """How likely each disease is."""
        scores = self.log_likelihood / self.method.listing.sharpness(len(self.seen.findings))
        shares = np.exp(scores - scores.max())
        return np.asarray(shares / shares.sum(), dtype=np.float64)

    def pool(self, done: set[int]) -> list[int]:
        """Return the findings of the leading diseases that were not asked for, and do not follow from answers."""
        order = np.argsort(-self.probabilities, kind="stable")
        count = int(np.searchsorted(np.cumsum(self.probabilities[order]), LEADING_SHARE)) + 1
        findings = self.method.relations.findings
        known = set(done)
        for finding, is_present in zip(self.seen.findings, self.seen.is_present.tolist(), strict=True):
            known |= set((findings.above(finding) if is_present else findings.below(finding)).tolist())
        coins_of = self.method.hypotheses.coins_of
        leading: list[int] = order[: min(count, MOST_LEADING)].tolist()
        coins = [coin for one in leading for coin in self.seen.replaced.get(one, coins_of.get(one, ()))]
        found = dict.fromkeys(int(findings.representatives[coin.finding]) for coin in coins)
        return [one for one in found if one not in known]

    def gain(self, finding: int, *, as_apart: bool = False) -> float:
        """Return the information that the answer is expected to bring, in nats; that nobody knows brings none."""
        belief = self.probabilities
        total = 0.0
        for share in self.shares(finding, as_apart=as_apart):
            inside = (share > 0) & (belief > 0)
            total += float(belief[inside] @ (share[inside] * np.log(share[inside] / float(belief @ share))))
        return total

    def shares(self, finding: int, *, as_apart: bool = False) -> tuple[Floats, Floats]:
        """Return how likely every disease lists a finding as present, and as excluded, given what is known.

        Exactly, unless the finding is to be taken as independent of all that were observed.
        """
        chance = self.method.by_chance(finding)
        if as_apart or self.is_apart(finding):
            if finding not in self.columns:
                one = Observed((finding,), np.array([True]), self.seen.replaced)
                self.columns[finding] = self.method.columns(one)[:, 0]
            on, looked = self.columns[finding][:, ON], np.exp(self.columns[finding][:, LOOKED_FOR])
            return chance[0] + on * (1 - chance[0]), chance[1] * looked * (1 - self.method.listing.excludes * on)
        yes, no = (
            self.observing(finding, is_present=one).log_likelihood - self.log_likelihood for one in (True, False)
        )
        return np.exp(yes), chance[1] * np.exp(no)

    def is_apart(self, finding: int) -> bool:
        """Return whether nothing is below a finding and below one that was observed, so that they are independent."""
        findings = self.method.relations.findings
        return not any(np.intersect1d(findings.below(finding), findings.below(one)).size for one in self.seen.findings)


def ask(method: Listed, report: Report, strategy: str) -> dict[str, object]:
    """Begin with one present finding of a case and ask until the right disease is first, or there are no questions."""
    full = method.observed(report, with_excluded=True, leave_paper_out=True)
    chance = np.random.default_rng(crc32(report.key.encode()))
    listed = dict(zip(full.findings, full.is_present.tolist(), strict=True))
    present = sorted(one for one, is_present in listed.items() if is_present)
    first = present[int(chance.integers(len(present)))]
    right = method.relations.dated.diseases.numbers[report.gold]
    state = Asked.of(method, Observed((first,), np.array([True]), full.replaced), {})
    done: set[int] = {first}
    answered = asked = 0
    while True:
        is_first = int(np.count_nonzero(state.log_likelihood >= state.log_likelihood[right])) == 1
        pool = state.pool(done) if not is_first and asked < MOST_QUESTIONS else []
        if not pool:
            return {"questions": asked, "answered": answered, "first": is_first, "findings": len(listed)}
        chosen = choose(state, pool, strategy, chance)
        done.add(chosen)
        asked += 1
        known = answer(method, listed, chosen)
        if known is not None:
            answered += 1
            state = state.observing(chosen, is_present=known)


def answer(method: Listed, listed: dict[int, bool], finding: int) -> bool | None:
    """Return whether a case has a finding; none if it does not say."""
    findings = method.relations.findings
    if any(listed.get(one, False) for one in findings.below(finding).tolist()):
        return True
    return None if all(listed.get(one, True) for one in findings.above(finding).tolist()) else False


def choose(state: Asked, pool: list[int], strategy: str, chance: np.random.Generator) -> int:
    """Return the finding to ask for next."""
    if strategy == "random":
        return pool[int(chance.integers(len(pool)))]
    if strategy == "most frequent finding":
        content = state.method.relations.content
        return min(pool, key=lambda one: (content[one], one))
    best = nlargest(CONSIDERED, pool, key=lambda one: (state.gain(one, as_apart=True), -one))
    return max(best, key=lambda one: (state.gain(one), -one))
