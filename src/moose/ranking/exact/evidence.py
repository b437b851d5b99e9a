"""Evidence: observed findings, and how likely what was observed of each is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from moose.ranking.findings import Floats


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was observed: findings, and how likely the observations of each are if it is there, and if it is not."""

    findings: tuple[int, ...]
    if_off: Floats
    if_on: Floats
    further: Floats | None = None
    """Each hypothesis may have a further coin at each finding: the logarithm of how likely it is off, by hypothesis."""
    log_factors: Floats | None = None
    """What the probability is multiplied by besides, whether the finding is there or not: its logarithm."""
    log_average: Floats | None = None
    """The logarithm of how likely each observation alone is on average over all hypotheses."""

    def only(self, positions: Sequence[int]) -> Evidence:
        """Return the observations at some positions."""
        chosen = list(positions)
        further, log_factors = (None if one is None else one[:, chosen] for one in (self.further, self.log_factors))
        average = None if self.log_average is None else self.log_average[chosen]
        findings = tuple(self.findings[one] for one in chosen)
        return Evidence(findings, self.if_off[chosen], self.if_on[chosen], further, log_factors, average)

    def without(self, position: int) -> Evidence:
        """Return all observations but one."""
        return self.only([one for one in range(len(self.findings)) if one != position])

    def and_also(self, other: Evidence) -> Evidence:
        """Return these observations and others of the same kind, of other findings."""
        return Evidence(
            (*self.findings, *other.findings),
            np.concatenate([self.if_off, other.if_off]),
            np.concatenate([self.if_on, other.if_on]),
            joined(self.further, other.further),
            joined(self.log_factors, other.log_factors),
            joined(self.log_average, other.log_average),
        )

    def unseen(self) -> Evidence:
        """Return the same findings with the same further coins, of which nothing was observed."""
        ones = np.ones(len(self.findings))
        zeros = None if self.log_factors is None else np.zeros_like(self.log_factors)
        average = None if self.log_average is None else np.zeros(len(self.findings))
        return Evidence(self.findings, ones, ones, self.further, zeros, average)


def joined(first: Floats | None, second: Floats | None) -> Floats | None:
    """Return two tables side by side, if there are any."""
    return None if first is None or second is None else np.concatenate([first, second], axis=-1)
