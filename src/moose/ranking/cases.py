"""Cases: what was observed of somebody, present or excluded, and how reliable each observation is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from moose.base.errors import MooseError, UnknownName
from moose.ranking.exact.likelihood import Evidence
from moose.ranking.hypotheses import Hypotheses, Noise


@dataclass(frozen=True, slots=True)
class Observation:
    """A finding that was reported present or excluded; without noise of its own, that of the hypotheses counts."""

    finding: str
    is_present: bool = True
    noise: Noise | None = None

    def __str__(self) -> str:
        return self.finding if self.is_present else f"not {self.finding}"


@dataclass(frozen=True, slots=True)
class Case:
    """Somebody's observations. Findings that are in no observation were not looked for.

    >>> case_of("anna", present=["Fever"], absent=["Rash"]).observations[1].is_present
    False
    """

    name: str
    observations: tuple[Observation, ...]
    truth: str = ""
    """The hypothesis that turned out to hold, where it is known."""

    @property
    def present(self) -> tuple[str, ...]:
        """The findings that were reported present."""
        return tuple(one.finding for one in self.observations if one.is_present)

    @property
    def absent(self) -> tuple[str, ...]:
        """The findings that were excluded."""
        return tuple(one.finding for one in self.observations if not one.is_present)

    def observing(self, finding: str, *, is_present: bool) -> Case:
        """Return the case with one more observation."""
        return Case(self.name, (*self.observations, Observation(finding, is_present)), self.truth)


def case_of(name: str, *, present: Iterable[str] = (), absent: Iterable[str] = (), truth: str = "") -> Case:
    """Return a case with these findings."""
    seen = [Observation(one) for one in present]
    return Case(name, (*seen, *(Observation(one, is_present=False) for one in absent)), truth)


@dataclass(frozen=True, eq=False)
class ObservedCase:
    """A case and its evidence: the same finding reported twice is one observation."""

    case: Case
    observations: tuple[tuple[Observation, ...], ...]
    """For each finding of the evidence what was observed of it: one observation, or two that contradict each other."""
    evidence: Evidence
    left_out: tuple[str, ...] = ()
    """Findings that are not known and were left out, where that is wanted."""


def observe(hypotheses: Hypotheses, case: Case, *, skip_unknown: bool = False) -> ObservedCase:
    """Look up the findings of a case, and say how likely each observation is if the finding is there, and if not."""
    rows: dict[int, list[Observation]] = {}
    left_out = []
    for one in case.observations:
        try:
            number = finding_number(hypotheses, one.finding, case)
        except UnknownName:
            if not skip_unknown:
                raise
            left_out.append(one.finding)
            continue
        row = rows.setdefault(number, [])
        if one.is_present not in [other.is_present for other in row]:
            row.append(one)
    pairs = [[factors(one, hypotheses.noise) for one in row] for row in rows.values()]
    products = np.array([np.prod(row, axis=0) for row in pairs]).reshape(-1, 2)
    evidence = Evidence(tuple(rows), products[:, 0], products[:, 1])
    return ObservedCase(case, tuple(map(tuple, rows.values())), evidence, tuple(left_out))


def finding_number(hypotheses: Hypotheses, text: str, case: Case | None = None) -> int:
    """Return the number of the finding that a word stands for; of equivalent ones the first."""
    where = f"case {case.name}: " if case and case.name else ""
    try:
        number = hypotheses.findings.numbers.get(hypotheses.spelling.finding(text))
    except UnknownName as error:
        raise UnknownName(f"{where}{error}") from None
    if number is None:
        raise UnknownName(f"{where}expected a finding, but {text!r} is a class that nothing can be in; leave it out")
    return int(hypotheses.findings.representatives[number])


def factors(one: Observation, noise: Noise) -> tuple[float, float]:
    """Return how likely an observation is if the finding is not there, and if it is."""
    used = one.noise or noise
    if one.is_present:
        return used.reported, 1 - used.missed
    return 1 - used.reported, used.missed


def as_cases(cases: Case | Sequence[Case]) -> list[Case]:
    """Return cases as a list, and refuse names that stand for two of them."""
    rows = [cases] if isinstance(cases, Case) else list(cases)
    name, count = Counter(case.name for case in rows).most_common(1)[0] if rows else ("", 0)
    if count > 1:
        raise MooseError(f"expected a name for each case, but {name!r} stands for {count} of them; name them apart")
    return rows
