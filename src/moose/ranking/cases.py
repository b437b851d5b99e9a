"""Cases: what was observed of somebody, present or excluded, and how reliable each observation is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from moose.base.errors import MooseError
from moose.ranking.noise import Noise


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
    papers: tuple[str, ...] = ()
    """Where it was published, where that is known."""

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
        return replace(self, observations=(*self.observations, Observation(finding, is_present)))


def case_of(name: str, *, present: Iterable[str] = (), absent: Iterable[str] = (), truth: str = "") -> Case:
    """Return a case with these findings."""
    seen = [Observation(one) for one in present]
    return Case(name, (*seen, *(Observation(one, is_present=False) for one in absent)), truth)


def as_cases(cases: Case | Sequence[Case]) -> list[Case]:
    """Return cases as a list, and refuse names that stand for two of them."""
    rows = [cases] if isinstance(cases, Case) else list(cases)
    name, count = Counter(case.name for case in rows).most_common(1)[0] if rows else ("", 0)
    if count > 1:
        raise MooseError(f"expected a name for each case, but {name!r} stands for {count} of them; name them apart")
    return rows
