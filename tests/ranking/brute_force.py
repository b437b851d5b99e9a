"""The plain oracle: all worlds of all coins, weighed in fractions, and small families of hypotheses to try it on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import log2, prod

import numpy as np
from hypothesis import strategies as st

from moose.ranking.findings import hierarchy
from moose.ranking.hypotheses import Coin, Hypotheses, make_hypotheses
from moose.ranking.noise import Noise

ONE = Fraction(1)


@dataclass(frozen=True)
class Family:
    """Findings, coins and noise in fractions."""

    above: tuple[frozenset[int], ...]
    coins: tuple[tuple[int, int, Fraction], ...]
    leak: tuple[Fraction, ...]
    priors: tuple[Fraction, ...]
    missed: Fraction
    reported: Fraction

    def hypotheses(self) -> Hypotheses:
        findings = hierarchy([f"F{number}" for number in range(len(self.above))], [sorted(row) for row in self.above])
        names = [f"H{number}" for number in range(len(self.priors))]
        return make_hypotheses(
            findings,
            names,
            [Coin(owner, finding, float(value)) for owner, finding, value in self.coins],
            leak=np.array([float(value) for value in self.leak]),
            priors=dict(zip(names, map(float, self.priors))),
            noise=Noise(float(self.missed), float(self.reported)),
        )

    def likelihood(self, number: int, observations: Sequence[tuple[int, bool]]) -> Fraction:
        """Add up the worlds of one hypothesis."""
        coins = [(finding, value) for owner, finding, value in self.coins if owner == number]
        coins += [(finding, value) for finding, value in enumerate(self.leak) if value]
        total = Fraction(0)
        for world in product((False, True), repeat=len(coins)):
            weight = prod((value if on else 1 - value for on, (_, value) in zip(world, coins)), start=ONE)
            true = frozenset[int]().union(*(self.above[finding] for on, (finding, _) in zip(world, coins) if on))
            total += weight * prod((self.answer(finding in true, said) for finding, said in observations), start=ONE)
        return total

    def answer(self, is_there: bool, said: bool) -> Fraction:
        present = 1 - self.missed if is_there else self.reported
        return present if said else 1 - present

    def posterior(self, observations: Sequence[tuple[int, bool]]) -> list[Fraction]:
        joint = [prior * self.likelihood(number, observations) for number, prior in enumerate(self.priors)]
        return [value / sum(joint) for value in joint]

    def gain(self, observations: Sequence[tuple[int, bool]], finding: int) -> float:
        """Return the entropy before an answer less the expected entropy after it."""
        before = self.posterior(observations)
        expected = 0.0
        for said in (False, True):
            joint = [
                prior * self.likelihood(number, [*observations, (finding, said)])
                for number, prior in enumerate(self.priors)
            ]
            whole = [prior * self.likelihood(number, observations) for number, prior in enumerate(self.priors)]
            if sum(joint):
                after = [value / sum(joint) for value in joint]
                expected += float(sum(joint) / sum(whole)) * entropy(after)
        return entropy(before) - expected


def entropy(shares: Sequence[Fraction]) -> float:
    return -sum(float(share) * log2(share) for share in shares if share)


def closure(parents: Sequence[Sequence[int]]) -> tuple[frozenset[int], ...]:
    """Return what is at or above each finding; parents have smaller numbers."""
    above: list[frozenset[int]] = []
    for number, row in enumerate(parents):
        above.append(frozenset({number}).union(*(above[parent] for parent in row)))
    return tuple(above)


tenths = st.integers(0, 10).map(lambda count: Fraction(count, 10))
inner_tenths = st.integers(1, 9).map(lambda count: Fraction(count, 10))


@st.composite
def families(draw: st.DrawFn, *, with_noise: bool = True) -> Family:
    """Draw a small directed acyclic hierarchy and a few hypotheses with coins in it."""
    size = draw(st.integers(1, 6))
    parents = [
        draw(st.lists(st.integers(0, number - 1), max_size=3, unique=True)) if number else [] for number in range(size)
    ]
    count = draw(st.integers(1, 3))
    coin = st.tuples(st.integers(0, count - 1), st.integers(0, size - 1), tenths)
    weights = draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))
    leaks = draw(st.dictionaries(st.integers(0, size - 1), inner_tenths, max_size=3))
    return Family(
        above=closure(parents),
        coins=tuple(draw(st.lists(coin, max_size=5))),
        leak=tuple(leaks.get(number, Fraction(0)) for number in range(size)),
        priors=tuple(Fraction(weight, sum(weights)) for weight in weights),
        missed=draw(inner_tenths) if with_noise else Fraction(0),
        reported=draw(inner_tenths) if with_noise else Fraction(0),
    )


@st.composite
def observations(draw: st.DrawFn, family: Family, *, most: int = 5) -> list[tuple[int, bool]]:
    """Draw which findings were observed, each once, and whether they were there."""
    findings = draw(st.lists(st.integers(0, len(family.above) - 1), max_size=most, unique=True))
    return [(finding, draw(st.booleans())) for finding in findings]
