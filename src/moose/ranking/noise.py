"""How observations come about: they err by two numbers, or they are what people list, by numbers that are learnt."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from moose.base.errors import MooseError
from moose.ranking.findings import Floats


@dataclass(frozen=True, slots=True)
class Noise:
    """How observations err: a finding that is there is missed, one that is not there is reported."""

    missed: float = 0.05
    reported: float = 0.01

    def __post_init__(self) -> None:
        for name, value in (("missed", self.missed), ("reported", self.reported)):
            if not 0 <= value < 1:
                raise MooseError(f"{name}: expected a probability from 0 to below 1, but got {value}; correct it")


@dataclass(frozen=True, slots=True)
class Listing:
    """How case reports list findings: which of a hypothesis, which beside them, and which as excluded.

    A coin is listed by a share that falls with the number of coins that the hypothesis has. Two further coins stand at
    each observed finding: one because the hypothesis has a more general finding, one because it has a similar one. A
    finding is excluded if it was looked for and is not there; that it was looked for is likelier where the hypothesis
    has it. All else is listed by chance, rarely where few hypotheses have it.
    """

    chance: float = 0.02
    """How likely a finding that every hypothesis has is listed as present by chance."""
    chance_power: float = 1.0
    """By which power of the share of hypotheses that have it a finding is rarer."""
    direct: float = 0.7
    general: float = 0.25
    related: float = 0.05
    nearness: float = 0.8
    """The power of P(finding | what is above both) by which similar findings count."""
    few: float = 6.0
    """A hypothesis with so many coins has each listed half as often as one with none, if the power is 1."""
    many_power: float = 0.7
    looked_for: float = 0.2
    looked_for_general: float = 0.02
    looked_for_related: float = 0.03
    looked_for_chance: float = 0.02
    looked_for_chance_power: float = 0.7
    looked_for_many_power: float = 0.7
    excludes: float = 0.8
    """How much of what is there is not listed as excluded."""
    temperature: float = 1.0
    """By what the logarithm of the likelihood is divided: above 1 where the hypotheses know less than they say."""
    redundancy: float = 0.35
    """Observations of one case share how its authors write: n of them count as n ** (1 - redundancy)."""
    unexplained: float = 0.02
    """The share of cases that none of the hypotheses explains."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            most = 1.0 if one.name in SHARES else LARGEST_POWER if one.name in POWERS else np.inf
            if not (isinstance(value, float) and 0 < value < most):
                bound = "above 0" if most == np.inf else f"above 0 and below {most:g}"
                raise MooseError(f"{one.name}: expected a number {bound}, but got {value}; correct it")

    def sharpness(self, observations: int) -> float:
        """Return by what the logarithm of the likelihood of so many observations is divided."""
        return float(self.temperature * max(1, observations) ** self.redundancy)

    def shares(self, counts: Floats) -> Floats:
        """Return how often a coin is listed, by how many coins its hypothesis has."""
        return self.direct * crowding(counts, self.few, self.many_power)


SHARES = (
    *("chance", "direct", "general", "related", "excludes", "unexplained"),
    *("looked_for", "looked_for_general", "looked_for_related", "looked_for_chance"),
)
"""The numbers that are probabilities; all others are above 0."""
POWERS = ("chance_power", "nearness", "many_power", "looked_for_chance_power", "looked_for_many_power", "redundancy")
LARGEST_POWER = 50.0
"""Above this, a share of one in ten thousand would be lost to the range of numbers."""


def crowding(counts: Floats, few: float, power: float) -> Floats:
    """Return how much less a coin is listed where the hypothesis has many.

    >>> crowding(np.array([0.0, 6.0]), 6.0, 1.0).tolist()
    [1.0, 0.5]
    """
    return np.asarray((1 + counts / few) ** -power, dtype=np.float64)
