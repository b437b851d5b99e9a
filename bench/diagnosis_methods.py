"""The methods of the campaign `bench/diagnosis.py`: each gives a score to every disease for one case."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from bench.diagnosis_data import Dated, Report
from moose.base.integer_arrays import consecutive
from moose.ranking.exact.evidence import Evidence
from moose.ranking.exact.likelihood import likelihoods
from moose.ranking.exact.listed_evidence import ON, listed_numbers
from moose.ranking.findings import Findings, Floats, Numbers
from moose.ranking.hypotheses import Coins, Hypotheses, log_off
from moose.ranking.listing.learn_listing import Judged, judged
from moose.ranking.noise import Listing
from moose.ranking.posterior import ObservedCase, Posterior, evidence_of, log_joints, observe, posterior_of
from moose.ranking.reading.hpoa import LISTED, Background, Frequencies

LEAST = -1e6
"""For the logarithm of zero."""


@dataclass(frozen=True)
class Settings:
    """How frequencies are read, and how observations err."""

    unstated: float = 0.5
    strength: float = 2.0
    scale: float = 0.5
    reported: float = 0.002
    """How likely a present finding is reported if it is not there, against 1 if it is."""
    excluded: float = 1.0
    """How likely a finding is listed as excluded if it is there, against 1 if it is not."""

    @property
    def reading(self) -> Frequencies:
        """How frequencies are read."""
        return Frequencies(self.unstated, self.strength)


PLAIN = Settings(unstated=0.5, strength=0.0, scale=1.0, reported=0.0, excluded=0.0)
"""Naive Bayes as it is usually set up: frequencies as stated, the background by the annotations, no noise."""


@dataclass(frozen=True)
class Bayes:
    """Posterior of diseases with one noise for all: exact, or naive (each observation as if it were the only one)."""

    dated: Dated
    settings: Settings
    is_naive: bool = False

    @cached_property
    def hypotheses(self) -> Hypotheses:
        """The diseases."""
        return self.dated.diseases.hypotheses(self.settings.reading, Background(self.settings.scale))

    def scores(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Floats:
        """Return the logarithm of the likelihood of every disease; what is impossible counts as very unlikely."""
        replaced = self.dated.without_paper(report, self.settings.reading) if leave_paper_out else {}
        case = report.case(self.dated.names, with_excluded=with_excluded)
        evidence = weighed(observe(self.hypotheses, case), self.settings)
        find = naive_likelihood if self.is_naive else exact_likelihood
        found = np.maximum(find(self.hypotheses, evidence, replaced), LEAST)
        found[[number for number, coins in replaced.items() if not coins]] = LEAST
        return found


def weighed(observed: ObservedCase, settings: Settings) -> Evidence:
    """Return the evidence of a case with the weights that were learnt; of a contradiction, what is present counts."""
    is_present = np.array([any(one.is_present for one in row) for row in observed.observations], dtype=np.bool_)
    if_off = np.where(is_present, settings.reported, 1.0)
    return Evidence(observed.findings, if_off, np.where(is_present, 1.0, settings.excluded))


def exact_likelihood(hypotheses: Hypotheses, evidence: Evidence, replaced: Coins) -> Floats:
    """Return the logarithm of how likely all observations together are."""
    return likelihoods(hypotheses, evidence, replaced=replaced).total


def naive_likelihood(hypotheses: Hypotheses, evidence: Evidence, replaced: Coins) -> Floats:
    """Return the sum of the logarithms of how likely each observation alone is."""
    rows, findings = hypotheses.coin_rows, hypotheses.findings
    total = np.zeros(hypotheses.count)
    for position, finding in enumerate(evidence.findings):
        below = findings.below(finding)
        starts = rows.pointers[below]
        entries = consecutive(starts, rows.pointers[below + 1] - starts)
        off = np.bincount(rows.hypotheses[entries], rows.log_off[entries], hypotheses.count).astype(np.float64)
        for number, coins in replaced.items():
            inside = [one.frequency for one in coins if finding in findings.above(one.finding)]
            off[number] = log_off(np.array(inside, dtype=np.float64)).sum()
        share_off = np.exp(off + hypotheses.log_leak_off[below].sum())
        with np.errstate(divide="ignore"):
            total += np.log(evidence.if_off[position] * share_off + evidence.if_on[position] * (1 - share_off))
    return total


# ── What case reports list, learnt ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class Listed:
    """Posterior of diseases by what is learnt of listing: exact, or naive (each observation by itself)."""

    dated: Dated
    hypotheses: Hypotheses
    is_naive: bool = False

    def scores(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Floats:
        """Return the logarithm of the posterior of every disease, and at the end that of none of them."""
        total, evidence = self.weigh(report, with_excluded=with_excluded, leave_paper_out=leave_paper_out)
        return np.maximum(log_joints(self.hypotheses, total, evidence), LEAST)

    def weigh(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> tuple[Floats, Evidence]:
        """Return the logarithm of how likely the case is under every disease, and its evidence."""
        if not self.is_naive:
            found = self.posterior(report, with_excluded=with_excluded, leave_paper_out=leave_paper_out)
            return found.likelihoods.total, found.evidence
        replaced = self.dated.without_paper(report, LISTED) if leave_paper_out else {}
        observed = observe(self.hypotheses, report.case(self.dated.names, with_excluded=with_excluded))
        evidence = evidence_of(self.hypotheses, observed, replaced=replaced)
        total = self.naive_likelihood(evidence, replaced)
        total[[number for number, coins in replaced.items() if not coins]] = -np.inf
        return total, evidence

    def naive_likelihood(self, evidence: Evidence, replaced: Coins) -> Floats:
        """Return the sum of the logarithms of how likely each observation alone is."""
        listing = self.hypotheses.noise
        assert isinstance(listing, Listing) and evidence.log_factors is not None
        share_on = listed_numbers(self.hypotheses, listing, evidence.findings, replaced=replaced)[..., ON]
        alone = np.log(evidence.if_off + share_on * (evidence.if_on - evidence.if_off)) + evidence.log_factors
        return np.asarray(alone.sum(axis=1), dtype=np.float64)

    def judged(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Judged:
        """Return what is needed of a case to learn how sure to be."""
        total, evidence = self.weigh(report, with_excluded=with_excluded, leave_paper_out=leave_paper_out)
        right = self.hypotheses.numbers.get(report.gold)
        return judged(self.hypotheses, total, evidence, right if right is not None and total[right] > -np.inf else None)

    def posterior(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Posterior:
        """Return the exact posterior of a case."""
        replaced = self.dated.without_paper(report, LISTED) if leave_paper_out else {}
        case = report.case(self.dated.names, with_excluded=with_excluded)
        return posterior_of(self.hypotheses, case, replaced=replaced)


# ── Similarities of sets of terms, which know neither frequencies nor excluded findings ───────────────────────────


@dataclass(frozen=True)
class Similarity:
    """A disease is as good as its findings are like those of the case: Phrank, or Resnik's with best-match average."""

    dated: Dated
    kind: str

    @cached_property
    def terms(self) -> tuple[Numbers, Numbers]:
        """The findings of each disease, one after the other, and where each begins."""
        rows = self.dated.diseases.rows
        members = [sorted(rows[one]) for one in self.dated.diseases.diseases]
        return np.array([one for row in members for one in row]), np.cumsum([0, *map(len, members)])

    @cached_property
    def closures(self) -> list[Numbers]:
        """For each disease all findings at or above its own."""
        findings, (terms, starts) = self.dated.diseases.findings, self.terms
        return [closure(findings, terms[first:last]) for first, last in pairwise(starts.tolist())]

    @cached_property
    def content(self) -> Floats:
        """The information content of each finding: minus the logarithm of the share of diseases that have it."""
        counts = np.bincount(np.concatenate(self.closures), minlength=self.dated.diseases.findings.count)
        with np.errstate(divide="ignore"):
            found = -np.log2(counts / len(self.closures))
        return np.where(counts > 0, found, 0.0)

    @cached_property
    def weights(self) -> Floats:
        """Phrank's weights, as in its program: how surprising a finding is, given that one directly above it is."""
        findings = self.dated.diseases.findings
        owners: dict[int, set[int]] = {}
        for number, row in enumerate(self.closures):
            for one in row.tolist():
                owners.setdefault(one, set()).add(number)
        found = np.zeros(findings.count)
        for one, own in owners.items():
            above = [owners[parent] for parent in parents(findings, one) if parent in owners]
            either = len(set[int]().union(*above)) if above else len(self.closures)
            found[one] = np.log2(either / len(own))
        return found

    def scores(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Floats:  # noqa: ARG002  # they do not know excluded findings
        """Return how like the case every disease is."""
        names, numbers = self.dated.names, self.dated.diseases.findings.numbers
        seen = sorted({numbers[names[term]] for term, is_present in report.features if is_present and term in names})
        replaced = self.dated.without_paper(report, Frequencies()) if leave_paper_out else {}
        query = np.array(seen, dtype=np.int64)
        return self.phrank(query, replaced) if self.kind == "phrank" else self.resnik(query, replaced)

    def phrank(self, query: Numbers, replaced: Coins) -> Floats:
        """Add up the weights of the findings that are above both."""
        weight = np.zeros(self.dated.diseases.findings.count)
        inside = closure(self.dated.diseases.findings, query)
        weight[inside] = self.weights[inside]
        flat, starts = self._flat
        found = np.add.reduceat(weight[flat], starts)
        for number, coins in replaced.items():
            own = closure(self.dated.diseases.findings, np.array([one.finding for one in coins], dtype=np.int64))
            found[number] = weight[own].sum()
        return np.asarray(found, dtype=np.float64)

    @cached_property
    def _flat(self) -> tuple[Numbers, Numbers]:
        return np.concatenate(self.closures), np.cumsum([0, *map(len, self.closures)])[:-1]

    def resnik(self, query: Numbers, replaced: Coins) -> Floats:
        """Return the mean of both directions' mean best match, by the content of the best finding above both."""
        if not len(query):
            return np.zeros(len(self.closures))
        terms, starts = self.terms
        likeness = np.stack([self.likeness(one) for one in query.tolist()])
        best_of_query = np.maximum.reduceat(likeness[:, terms], starts[:-1], axis=1).mean(axis=0)
        best_of_term = np.add.reduceat(likeness[:, terms].max(axis=0), starts[:-1]) / np.diff(starts)
        found = (best_of_query + best_of_term) / 2
        for number, coins in replaced.items():
            own = likeness[:, [one.finding for one in coins]]
            found[number] = (own.max(axis=1).mean() + own.max(axis=0).mean()) / 2 if coins else 0.0
        return np.asarray(found, dtype=np.float64)

    def likeness(self, finding: int) -> Floats:
        """Return the content of the best finding above one finding and above each other."""
        findings = self.dated.diseases.findings
        found = np.zeros(findings.count)
        above = findings.above(finding)
        for one in above[np.argsort(self.content[above], kind="stable")].tolist():
            found[findings.below(one)] = self.content[one]
        return found


def closure(findings: Findings, terms: Numbers) -> Numbers:
    """Return all findings at or above some."""
    starts = findings.pointers[terms]
    return np.unique(findings.ancestors[consecutive(starts, findings.pointers[terms + 1] - starts)])


def parents(findings: Findings, finding: int) -> list[int]:
    """Return the findings directly above one."""
    above = [one for one in findings.above(finding).tolist() if one != finding]
    covered = {upper for one in above for upper in findings.above(one).tolist() if upper != one}
    return [one for one in above if one not in covered]
