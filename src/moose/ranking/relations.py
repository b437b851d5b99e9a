"""How the coins of every hypothesis are related to one finding: at it or below it, above it, or beside it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from moose.ranking.findings import Findings, Flags, Floats, Numbers

DIRECT, GENERAL, RELATED = range(3)
"""The columns of `Relations.to`."""
MOST_KEPT = 4000
"""Findings whose rows are kept: of 8,000 hypotheses, 100 kB each."""


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Numbers of all hypotheses for single findings, kept in single precision; the oldest are forgotten."""

    rows: OrderedDict[int, npt.NDArray[np.float32]] = field(default_factory=OrderedDict)

    def get(self, finding: int, make: Callable[[int], Floats]) -> Floats:
        """Return the rows of a finding, computed once."""
        if finding not in self.rows:
            self.rows[finding] = make(finding).astype(np.float32)
            if len(self.rows) > MOST_KEPT:
                self.rows.popitem(last=False)
        return self.rows[finding].astype(np.float64)


@dataclass(frozen=True, eq=False)
class CoinArrays:
    """The coins of some hypotheses as arrays."""

    owners: Numbers
    findings: Numbers
    """Of equivalent ones the first."""
    frequencies: Floats
    count: int
    """How many hypotheses there are."""

    @cached_property
    def counts(self) -> Floats:
        """How many coins each hypothesis has."""
        return np.bincount(self.owners, minlength=self.count).astype(np.float64)

    def largest(self, values: Floats, chosen: Flags) -> Floats:
        """Return the largest value of each hypothesis' chosen coins; 0 for those without."""
        found = np.zeros(self.count)
        np.maximum.at(found, self.owners[chosen], values[chosen])
        return found


@dataclass(frozen=True, eq=False)
class Relations:
    """The coins of a family, and how specific each finding is."""

    findings: Findings
    coins: CoinArrays
    content: Floats
    """Minus the logarithm of the share of hypotheses that have each finding."""
    _kept: KeptRows = field(default_factory=KeptRows)

    def to(self, finding: int) -> Floats:
        """Return how all hypotheses are related to a finding: a row for each, with the columns of `related`."""
        return self._kept.get(finding, partial(self.related, self.coins))

    def related(self, coins: CoinArrays, finding: int) -> Floats:
        """Return, for each hypothesis, by how much its coins make a finding likely in three ways.

        Directly: some coin at or below it is on. By a more general finding H that has a coin f: f · P(finding | H).
        By a finding beside it, of which A is the most specific finding above both: the logarithm of P(finding | A).
        P(C | A) is the share of the hypotheses with A that have C.
        """
        content = self.content
        is_below, is_above = np.zeros(self.findings.count, np.bool_), np.zeros(self.findings.count, np.bool_)
        is_below[self.findings.below(finding)] = True
        is_above[self.findings.above(finding)] = True
        direct, general = is_below[coins.findings], (is_above & ~is_below)[coins.findings]
        with np.errstate(divide="ignore"):
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


def content_of(coins: CoinArrays, findings: Findings) -> Floats:
    """Return minus the logarithm of the share of hypotheses that have each finding; where none has, of half a one."""
    rows = zip(coins.owners.tolist(), coins.findings.tolist(), strict=True)
    pairs = [owner * findings.count + findings.above(one) for owner, one in rows]
    having = np.bincount(
        np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *pairs])) % findings.count, minlength=findings.count
    )
    return np.asarray(-np.log(np.maximum(having, 0.5) / max(1, coins.count)), dtype=np.float64)
