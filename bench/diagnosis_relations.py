"""How the findings of every disease are related to one finding: the same or below it, above it, or beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bench.diagnosis_data import Dated
from moose.ranking.findings import Findings, Flags, Floats, Numbers
from moose.ranking.hypotheses import Coin
from moose.ranking.reading.hpoa import Frequencies

READING = Frequencies(unstated=0.5, strength=4.0)
"""Learnt earlier, with the noise of one kind for all findings."""
DIRECT, GENERAL, RELATED = range(3)


@dataclass(frozen=True, eq=False)
class Annotated:
    """The coins of all diseases as arrays, in the order of diseases."""

    owners: Numbers
    findings: Numbers
    frequencies: Floats
    count: int
    """How many diseases there are."""

    @cached_property
    def counts(self) -> Floats:
        """How many coins each disease has."""
        return np.bincount(self.owners, minlength=self.count).astype(np.float64)

    def largest(self, values: Floats, chosen: Flags) -> Floats:
        """Return the largest value of each disease's chosen coins; 0 for those without."""
        found = np.zeros(self.count)
        np.maximum.at(found, self.owners[chosen], values[chosen])
        return found


class Relations:
    """The annotations of one date, and how specific each finding is."""

    def __init__(self, dated: Dated) -> None:
        self.dated = dated
        self.findings = dated.diseases.findings
        diseases = dated.diseases
        coins = [coin for disease in diseases.diseases for coin in diseases.coins(disease, READING)]
        self.annotated = annotated(coins, self.findings, len(diseases.diseases))
        self.content = content_of(self.annotated, self.findings)
        self._known: dict[int, npt.NDArray[np.float32]] = {}

    def to(self, finding: int) -> npt.NDArray[np.float32]:
        """Return how all diseases are related to a finding: a row for each, with the columns of `related`."""
        if finding not in self._known:
            self._known[finding] = self.related(self.annotated, finding).astype(np.float32)
        return self._known[finding]

    def of_coins(self, coins: Sequence[Coin], finding: int) -> Floats:
        """Return the row of a disease that has these coins."""
        moved = [Coin(0, coin.finding, coin.frequency) for coin in coins]
        return np.asarray(self.related(annotated(moved, self.findings, 1), finding)[0], dtype=np.float64)

    def related(self, coins: Annotated, finding: int) -> Floats:
        """Return, for each disease, by how much its coins make a finding likely in three ways.

        Directly: some coin at or below it is on. By a more general finding H that has a coin f: f · P(finding | H).
        By a finding beside it, of which A is the most specific finding above both: the logarithm of P(finding | A).
        P(C | A) is the share of the diseases with A that have C.
        """
        findings, content = self.findings, self.content
        is_below, is_above = np.zeros(findings.count, np.bool_), np.zeros(findings.count, np.bool_)
        is_below[findings.below(finding)] = True
        is_above[findings.above(finding)] = True
        direct, general = is_below[coins.findings], (is_above & ~is_below)[coins.findings]
        off = np.bincount(coins.owners[direct], np.log1p(-coins.frequencies[direct]), coins.count)
        shares = coins.frequencies * np.exp(np.minimum(0.0, content[coins.findings] - content[finding]))
        beside = self.shared_content(finding)[coins.findings]
        best = coins.largest(beside, ~direct & ~general)
        return np.column_stack([-np.expm1(off), coins.largest(shares, general), np.minimum(0, best - content[finding])])

    def shared_content(self, finding: int) -> Floats:
        """Return the content of the most specific finding above one finding and above each other."""
        found = np.zeros(self.findings.count)
        above = self.findings.above(finding)
        for one in above[np.argsort(self.content[above], kind="stable")].tolist():
            found[self.findings.below(one)] = self.content[one]
        return found


def annotated(coins: Sequence[Coin], findings: Findings, count: int) -> Annotated:
    """Return coins as arrays."""
    places = np.array([coin.finding for coin in coins], dtype=np.int64)
    owners = np.array([coin.hypothesis for coin in coins], dtype=np.int64)
    frequencies = np.array([coin.frequency for coin in coins], dtype=np.float64)
    return Annotated(owners, findings.representatives[places], frequencies, count)


def content_of(coins: Annotated, findings: Findings) -> Floats:
    """Return minus the logarithm of the share of diseases that have each finding; where none has it, of half a one."""
    pairs = np.unique(
        np.concatenate(
            [
                owner * findings.count + findings.above(one)
                for owner, one in zip(coins.owners.tolist(), coins.findings.tolist())
            ]
            or [np.zeros(0, dtype=np.int64)]
        )
    )
    having = np.bincount(pairs % findings.count, minlength=findings.count)
    return np.asarray(-np.log(np.maximum(having, 0.5) / max(1, coins.count)), dtype=np.float64)
