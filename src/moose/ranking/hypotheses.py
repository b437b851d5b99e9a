"""The model: hypotheses that exclude each other, each with its findings as coins, and what all have by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from moose.base.errors import MooseError, UnknownName
from moose.base.suggestions import unknown_word
from moose.ranking.findings import Findings, Flags, Floats, Numbers
from moose.ranking.noise import Listing, Noise
from moose.ranking.relations import CoinArrays, KeptRows, Relations, content_of


@dataclass(frozen=True, slots=True)
class Coin:
    """A finding that a hypothesis brings with it by a frequency, and the axiom or row that says so."""

    hypothesis: int
    finding: int
    frequency: float
    source: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.frequency <= 1:
            raise MooseError(
                f"expected a frequency from 0 to 1, but got {self.frequency} ({self.source or 'a coin'}); correct it"
            )


Coins = Mapping[int, Sequence[Coin]]
"""The coins of some hypotheses, by their numbers."""


class FindingNames(Protocol):
    """Which finding a user means by a word, and what people read for a name."""

    def finding(self, text: str) -> str:
        """Return the name of the finding that a word stands for, or say in one sentence that there is none."""

    def shown(self, name: str) -> str:
        """Return what people read for a finding or a hypothesis."""


@dataclass(frozen=True, slots=True)
class PlainNames:
    """Findings are called by their names."""

    known: Sequence[str]

    def finding(self, text: str) -> str:
        """Return the word itself, if it is a finding."""
        if text in self.known:
            return text
        raise unknown_word("a finding", text, self.known)

    def shown(self, name: str) -> str:
        """Return the name itself."""
        return name


@dataclass(frozen=True, eq=False)
class Hypotheses:
    """A family of hypotheses of which exactly one holds.

    A finding holds if a coin of the hypothesis, or of the background, at it or below it does; all coins are
    independent. What is observed of a finding may err by the noise.
    """

    findings: Findings
    names: tuple[str, ...]
    coins: tuple[Coin, ...]
    leak: Floats
    """For each finding, how likely it is there by chance, whatever the hypothesis."""
    priors: Floats
    noise: Noise | Listing
    spelling: FindingNames

    def __post_init__(self) -> None:
        if not self.names:
            raise MooseError("expected at least one hypothesis, but got none; name the family that they are below")
        if not np.all((self.leak >= 0) & (self.leak <= 1)):
            raise MooseError("expected leaks from 0 to 1, but one is not; correct it")
        if not (np.all(self.priors >= 0) and np.isclose(self.priors.sum(), 1.0)):
            raise MooseError("expected priors that add up to 1, but they do not; divide them by their sum")

    @property
    def count(self) -> int:
        """How many hypotheses there are."""
        return len(self.names)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each hypothesis, by its name."""
        return {name: number for number, name in enumerate(self.names)}

    def find(self, name: str) -> int | None:
        """Return the number of a hypothesis, given by its name or by what people read for it; else nothing."""
        number = self.numbers.get(name)
        return self._by_shown.get(name) if number is None else number

    def number_of(self, name: str) -> int:
        """Return the number of a hypothesis, given by its name or by what people read for it."""
        number = self.find(name)
        if number is None:
            raise unknown_word("a hypothesis", name, list(self._by_shown)[:1000])
        return number

    @cached_property
    def _by_shown(self) -> dict[str, int]:
        return {self.spelling.shown(name): number for name, number in self.numbers.items()}

    def shown(self, name: str) -> str:
        """Return what people read for a finding or a hypothesis."""
        return self.spelling.shown(name)

    def finding_number(self, text: str) -> int:
        """Return the number of the finding that a word stands for; of equivalent ones the first."""
        number = self.findings.numbers.get(self.spelling.finding(text))
        if number is None:
            raise UnknownName(f"expected a finding, but {text!r} is a class that nothing can be in; leave it out")
        return int(self.findings.representatives[number])

    def with_noise(self, noise: Noise | Listing) -> Hypotheses:
        """Return the same hypotheses with other noise; the arrays that depend on none are computed once."""
        other = replace(self, noise=noise)
        vars(other).update(coin_arrays=self.coin_arrays, coins_of=self.coins_of, numbers=self.numbers)
        if isinstance(noise, Listing):
            vars(other).update(relations=self.relations)
        return other

    def variants(self, rows: Sequence[Sequence[Coin]]) -> Hypotheses:
        """Return hypotheses with these coins instead, as specific as findings are here."""
        coins = [Coin(number, one.finding, one.frequency) for number, row in enumerate(rows) for one in row]
        names = [str(number) for number in range(len(rows))]
        family = make_hypotheses(self.findings, names, coins, leak=self.leak, noise=self.noise)
        if isinstance(self.noise, Listing):
            vars(family).update(relations=Relations(self.findings, family.coin_arrays, self.relations.content))
        return family

    # ── Coins as arrays ───────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def coin_arrays(self) -> CoinArrays:
        """The coins as they are stated."""
        return self.arrays_of(self.coins, [coin.hypothesis for coin in self.coins], self.count)

    def arrays_of(self, coins: Sequence[Coin], owners: Sequence[int], count: int) -> CoinArrays:
        """Return coins as arrays, given to whom of so many each belongs."""
        places = np.array([coin.finding for coin in coins], dtype=np.int64)
        frequencies = np.array([coin.frequency for coin in coins], dtype=np.float64)
        return CoinArrays(np.array(owners, dtype=np.int64), self.findings.representatives[places], frequencies, count)

    @cached_property
    def relations(self) -> Relations:
        """How the coins of all hypotheses are related to findings."""
        return Relations(self.findings, self.coin_arrays, content_of(self.coin_arrays, self.findings))

    @cached_property
    def listed_numbers(self) -> KeptRows:
        """What a listing says of all hypotheses and single findings, kept as it is computed."""
        return KeptRows()

    def listed_shares(self, counts: Floats) -> Floats:
        """Return how often a coin that is on is listed, by how many its hypothesis has; always, without a listing."""
        return self.noise.shares(counts) if isinstance(self.noise, Listing) else np.ones(len(counts))

    @cached_property
    def coin_rows(self) -> CoinRows:
        """The coins in the order of findings, each by how often it is on and listed."""
        coins = self.coin_arrays
        order = np.argsort(coins.findings, kind="stable")
        counts = np.bincount(coins.findings, minlength=self.findings.count)
        frequencies = coins.frequencies * self.listed_shares(coins.counts)[coins.owners]
        return CoinRows(
            pointers=np.concatenate([[0], np.cumsum(counts)]),
            hypotheses=coins.owners[order],
            log_off=log_off(frequencies[order]),
        )

    @cached_property
    def log_leak_off(self) -> Floats:
        """For each finding the logarithm of how likely it is not there, and listed, by chance."""
        total = np.zeros(self.findings.count)
        np.add.at(total, self.findings.representatives, log_off(self.leak * self.listed_shares(np.zeros(1))))
        return total

    @cached_property
    def log_priors(self) -> Floats:
        """The logarithms of the priors."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.priors), dtype=np.float64)

    @cached_property
    def is_carrier(self) -> Flags:
        """Whether a finding has a coin, of a hypothesis or of the background."""
        return (np.diff(self.coin_rows.pointers) > 0) | (self.log_leak_off < 0)

    @cached_property
    def coins_of(self) -> Mapping[int, tuple[Coin, ...]]:
        """The coins of each hypothesis that has any."""
        rows: dict[int, list[Coin]] = {}
        for coin in self.coins:
            rows.setdefault(coin.hypothesis, []).append(coin)
        return {number: tuple(coins) for number, coins in rows.items()}

    def __repr__(self) -> str:
        return f"Hypotheses({self.count:,} of {len(self.coins):,} coins at {self.findings.count:,} findings)"


@dataclass(frozen=True, eq=False)
class CoinRows:
    """The coins of all hypotheses, finding by finding."""

    pointers: Numbers
    hypotheses: Numbers
    log_off: Floats
    """The logarithm of how likely each does not hold."""


def log_off(frequency: Floats) -> Floats:
    """Return the logarithm of how likely coins do not hold; -∞ for what is certain."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-frequency), dtype=np.float64)


def make_hypotheses(  # noqa: PLR0913  # all but the first three have a default
    findings: Findings,
    names: Sequence[str],
    coins: Sequence[Coin],
    *,
    leak: Floats | None = None,
    priors: Mapping[str, float] | None = None,
    noise: Noise | Listing | None = None,
    spelling: FindingNames | None = None,
) -> Hypotheses:
    """Return a family of hypotheses; without priors all are equally likely beforehand."""
    return Hypotheses(
        findings=findings,
        names=tuple(names),
        coins=tuple(coins),
        leak=np.zeros(findings.count) if leak is None else leak,
        priors=prior_array(names, priors),
        noise=noise or Noise(),
        spelling=spelling or PlainNames(findings.names),
    )


def prior_array(names: Sequence[str], priors: Mapping[str, float] | None) -> Floats:
    """Return the priors in the order of hypotheses, divided by their sum."""
    if priors is None:
        return np.full(len(names), 1.0 / max(1, len(names)))
    if missing := next((name for name in names if name not in priors), None):
        raise MooseError(f"expected a prior for each hypothesis, but {missing} has none; add it, or leave out all")
    if foreign := next((name for name in priors if name not in set(names)), None):
        raise unknown_word("priors of hypotheses", foreign, list(names))
    values = np.array([priors[name] for name in names], dtype=np.float64)
    if not (np.all(values >= 0) and values.sum() > 0 and np.all(np.isfinite(values))):
        raise MooseError("expected priors of at least 0, not all 0, but got others; correct them")
    return np.asarray(values / values.sum(), dtype=np.float64)
