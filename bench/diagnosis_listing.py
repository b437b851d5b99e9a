"""How case reports list findings, learnt: which of a disease's findings, which beside them, and which as excluded.

A disease's findings are coins, as everywhere in `moose.ranking`. A coin is listed by a share that falls with the number
of findings that the disease has. Two further coins stand at each observed finding: one because the disease has a more
general finding, one because it has a similar one. A finding is excluded if it was looked for and is not there; that it
was looked for is likelier where the disease has it, and a factor of its own. All else is listed by chance, rarely where
few diseases have it. Observations of one case are not independent: they share how its authors write, so that n of them
count as n / (1 + (n - 1) ρ).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bench.diagnosis_data import Report
from bench.diagnosis_relations import DIRECT, GENERAL, READING, RELATED, Relations
from moose.ranking.exact.likelihood import Coins, Evidence, likelihoods
from moose.ranking.findings import Flags, Floats
from moose.ranking.hypotheses import Coin, Hypotheses, make_hypotheses

LEAST = -1e6
"""For the logarithm of zero."""


@dataclass(frozen=True)
class Listing:
    """What is learnt."""

    chance: float = 0.02
    """How likely a finding that every disease has is listed as present by chance."""
    chance_power: float = 1.0
    """By which power of the share of diseases that have it a finding is rarer."""
    direct: float = 0.7
    general: float = 0.25
    related: float = 0.05
    nearness: float = 0.8
    """The power of P(finding | what is above both) by which similar findings count."""
    few: float = 6.0
    """A disease with so many findings has each listed half as often as one with none, if the power is 1."""
    many_power: float = 0.7
    looked_for: float = 0.2
    looked_for_general: float = 0.02
    looked_for_related: float = 0.03
    looked_for_chance: float = 0.02
    looked_for_chance_power: float = 0.7
    looked_for_many_power: float = 0.7
    excludes: float = 0.8
    """How much of what is there is not listed as excluded."""
    temperature: float = 1.5
    correlation: float = 0.05
    unexplained: float = 0.02
    """The share of cases that the annotations say nothing about: all diseases are equally likely in them."""

    def sharpness(self, observations: int) -> float:
        """Return by what the logarithm of the likelihood is divided."""
        return self.temperature * (1 + self.correlation * max(0, observations - 1))


@dataclass(frozen=True, eq=False)
class Observed:
    """The findings of a case that the hierarchy has, and, without its paper, the coins of the diseases in that."""

    findings: tuple[int, ...]
    is_present: Flags
    replaced: Coins


OFF, LOOKED_FOR, ON = range(3)
"""Of a disease and a finding: the logarithm of how likely the further coins are off; that of how likely it was looked
for if it is excluded, against by chance; and how likely any coin is on."""


@dataclass(frozen=True, eq=False)
class Listed:
    """Posterior of diseases by what is learnt of listing: exact, or naive (each observation by itself)."""

    relations: Relations
    listing: Listing
    is_naive: bool = False
    _known: dict[int, npt.NDArray[np.float32]] = field(default_factory=dict)

    @cached_property
    def hypotheses(self) -> Hypotheses:
        """The diseases, their coins by how often they are listed."""
        shares = self._shares(self.relations.annotated.counts)
        diseases = self.relations.dated.diseases
        coins = [coin for disease in diseases.diseases for coin in diseases.coins(disease, READING)]
        scaled = [replace(one, frequency=one.frequency * shares[one.hypothesis]) for one in coins]
        return make_hypotheses(self.relations.findings, diseases.diseases, scaled)

    def _shares(self, counts: Floats) -> Floats:
        """Return how often a finding that is there is listed, by how many findings its disease has."""
        return self.listing.direct * crowding(counts, self.listing.few, self.listing.many_power)

    def scores(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Floats:
        """Return the logarithm of the posterior, but for a constant, of every disease."""
        seen = self.observed(report, with_excluded=with_excluded, leave_paper_out=leave_paper_out)
        return self.log_likelihood(seen) / self.listing.sharpness(len(seen.findings))

    def observed(self, report: Report, *, with_excluded: bool, leave_paper_out: bool) -> Observed:
        """Look a report up; a finding that is present and excluded counts as present."""
        findings, names = self.relations.findings, self.relations.dated.names
        rows: dict[int, bool] = {}
        for term, is_present in report.features:
            if term in names and (is_present or with_excluded):
                number = int(findings.representatives[findings.numbers[names[term]]])
                rows[number] = rows.get(number, False) or is_present
        replaced = self.relations.dated.without_paper(report, READING) if leave_paper_out else {}
        return Observed(tuple(rows), np.array(list(rows.values()), dtype=np.bool_), replaced)

    def log_likelihood(self, seen: Observed) -> Floats:
        """Return how likely the case lists what it does, for every disease; one without any finding is impossible."""
        counts = self.relations.annotated.counts.copy()
        for number, coins in seen.replaced.items():
            counts[number] = len(coins)
        columns = self.columns(seen)
        evidence = self.weighed(seen)
        if self.is_naive:
            total = np.log(evidence.if_off + columns[..., ON] * (evidence.if_on - evidence.if_off)).sum(axis=1)
        else:
            shares = self._shares(counts)
            replaced = {
                number: [Coin(number, one.finding, one.frequency * shares[number]) for one in row]
                for number, row in seen.replaced.items()
            }
            total = likelihoods(self.hypotheses, evidence, replaced=replaced, further=columns[..., OFF]).total
        total = total + columns[:, ~seen.is_present, LOOKED_FOR].sum(axis=1)
        return np.where(counts > 0, np.maximum(total, LEAST), LEAST)

    def weighed(self, seen: Observed) -> Evidence:
        """Return the observations with how likely each is if the finding is there to be listed, and if it is not."""
        chance = np.array([self.by_chance(one)[0] for one in seen.findings])
        if_off = np.where(seen.is_present, chance, 1.0)
        return Evidence(seen.findings, if_off, np.where(seen.is_present, 1.0, 1.0 - self.listing.excludes))

    def by_chance(self, finding: int) -> tuple[float, float]:
        """Return how likely a finding is listed as present by chance, and as excluded."""
        listing, content = self.listing, float(self.relations.content[finding])
        excluded = listing.looked_for_chance * np.exp(-listing.looked_for_chance_power * content)
        return listing.chance * float(np.exp(-listing.chance_power * content)), float(excluded)

    def columns(self, seen: Observed) -> Floats:
        """Return the numbers of each disease for each finding of a case."""
        found = np.empty((len(self.relations.annotated.counts), len(seen.findings), 3))
        for position, finding in enumerate(seen.findings):
            if finding not in self._known:
                rows, counts = self.relations.to(finding).astype(np.float64), self.relations.annotated.counts
                self._known[finding] = self.column(rows, counts, finding).astype(np.float32)
            found[:, position] = self._known[finding]
            for number, coins in seen.replaced.items():
                row = self.relations.of_coins(coins, finding)
                found[number, position] = self.column(row[None], np.array([float(len(coins))]), finding)[0]
        return found

    def column(self, relations: Floats, counts: Floats, finding: int) -> Floats:
        """Return the numbers of some diseases for one finding."""
        listing = self.listing
        crowd = crowding(counts, listing.few, listing.many_power)
        looked = crowding(counts, listing.few, listing.looked_for_many_power)
        near = np.exp(listing.nearness * relations[:, RELATED])
        off = np.log1p(-listing.general * crowd * relations[:, GENERAL]) + np.log1p(-listing.related * crowd * near)
        by_disease = listing.looked_for * (relations[:, DIRECT] > 0) + listing.looked_for_related * near
        by_disease += listing.looked_for_general * relations[:, GENERAL]
        _, chance = self.by_chance(finding)
        on = -np.expm1(off + np.log1p(-listing.direct * crowd * relations[:, DIRECT]))
        return np.column_stack([off, np.log1p(looked * by_disease / chance), on])


def crowding(counts: Floats, few: float, power: float) -> Floats:
    """Return how much less a finding is listed where the disease has many."""
    return np.asarray((1 + counts / few) ** -power, dtype=np.float64)
