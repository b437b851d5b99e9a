"""Rank hypotheses by what was observed: `rank(hypotheses, case)`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeVar, overload

import numpy as np

from moose.base.processes.parallel import ALONE, Workers, work_in_parallel
from moose.ranking.cases import Case, as_cases
from moose.ranking.findings import Floats, Numbers
from moose.ranking.hypotheses import Hypotheses
from moose.ranking.information_gain import Question, questions_of
from moose.ranking.posterior import Posterior, posterior_of
from moose.ranking.reasons import Comparison, Reasons, compare_hypotheses, reasons_of


@dataclass(frozen=True, slots=True)
class RankedHypothesis:
    """A hypothesis with its place and its probability after the observations."""

    rank: int
    name: str
    probability: float
    prior: float


@dataclass(frozen=True, eq=False)
class Ranking:
    """All hypotheses of a family in the order of their probability after the observations of a case."""

    posterior: Posterior

    @property
    def case(self) -> Case:
        """The case."""
        return self.posterior.observed.case

    @property
    def hypotheses(self) -> Hypotheses:
        """The hypotheses that are ranked."""
        return self.posterior.hypotheses

    @property
    def probabilities(self) -> Floats:
        """The probability of each hypothesis after the observations, in the order of the hypotheses."""
        return self.posterior.probabilities

    @property
    def none(self) -> float:
        """How likely it is that none of the hypotheses holds: 0, unless a listing says how often that is."""
        return self.posterior.none

    @property
    def left_out(self) -> tuple[str, ...]:
        """The findings that are not known and were left out."""
        return self.posterior.observed.left_out

    @cached_property
    def order(self) -> Numbers:
        """The numbers of the hypotheses, the most probable first, by name where equal."""
        return np.argsort(-self.probabilities, kind="stable")

    def top(self, most: int = 10) -> tuple[RankedHypothesis, ...]:
        """Return the most probable hypotheses."""
        rows: list[int] = self.order[:most].tolist()
        names, priors = self.hypotheses.names, self.hypotheses.priors
        return tuple(
            RankedHypothesis(place, names[row], float(self.probabilities[row]), float(priors[row]))
            for place, row in enumerate(rows, start=1)
        )

    def probability_of(self, hypothesis: str) -> float:
        """Return how likely a hypothesis is after the observations."""
        return float(self.probabilities[self.hypotheses.number_of(hypothesis)])

    def rank_of(self, hypothesis: str) -> int:
        """Return the place of a hypothesis; those that are equally likely all count as before it."""
        value = self.probabilities[self.hypotheses.number_of(hypothesis)]
        return int(np.count_nonzero(self.probabilities >= value))

    def reasons(self, hypothesis: str) -> Reasons:
        """Return what speaks for and against a hypothesis: observations and axioms, in bits."""
        return reasons_of(self.posterior, hypothesis)

    def compare(self, first: str, second: str) -> Comparison:
        """Return which observations speak for one hypothesis rather than for another, in bits."""
        return compare_hypotheses(self.posterior, first, second)

    def questions(
        self,
        most: int | None = 10,
        *,
        candidates: Iterable[str] | None = None,
        costs: Mapping[str, float] | None = None,
    ) -> tuple[Question, ...]:
        """Return what to observe next, by expected information gain for its cost."""
        return questions_of(self.posterior, most=most, candidates=candidates, costs=costs)

    def __repr__(self) -> str:
        (first,) = self.top(1)
        shown = self.hypotheses.shown(first.name)
        return f"Ranking({self.case.name}: {shown} {first.probability:.3f}, of {self.hypotheses.count:,})"


@overload
def rank(hypotheses: Hypotheses, cases: Case, *, skip_unknown: bool = False) -> Ranking: ...
@overload
def rank(
    hypotheses: Hypotheses,
    cases: Sequence[Case],
    *,
    skip_unknown: bool = False,
    progress: Callable[[int], None] | None = None,
    workers: Workers = ALONE,
) -> list[Ranking]: ...
def rank(
    hypotheses: Hypotheses,
    cases: Case | Sequence[Case],
    *,
    skip_unknown: bool = False,
    progress: Callable[[int], None] | None = None,
    workers: Workers = ALONE,
) -> Ranking | list[Ranking]:
    """Return the exact probability of every hypothesis given the observations of a case, or of each of several.

    With `workers`, in several processes or on a cluster; what a lost process was at is done again.

    >>> import moose
    >>> ward = moose.hypotheses(moose.load(moose.PIZZERIA.with_name("ward.ofn")))
    >>> moose.rank(ward, moose.case("Eva", present=["ItchyRash"], absent=["Fever", "Fatigue"]))
    Ranking(Eva: MossRash 0.745, of 9)
    """
    if isinstance(cases, Case):
        return Ranking(posterior_of(hypotheses, cases, skip_unknown=skip_unknown))
    rows = as_cases(cases)
    if workers.is_alone or len(rows) < 2:
        return list(rankings(hypotheses, rows, skip_unknown=skip_unknown, progress=progress))
    found = map_cases(partial(posteriors, skip_unknown=skip_unknown), hypotheses, rows, workers, progress=progress)
    return [Ranking(replace(one, hypotheses=hypotheses)) for one in found]


def rankings(
    hypotheses: Hypotheses,
    cases: Sequence[Case],
    *,
    skip_unknown: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Ranking]:
    """Yield the ranking of each case as soon as it is there."""
    for count, case in enumerate(cases, start=1):
        yield Ranking(posterior_of(hypotheses, case, skip_unknown=skip_unknown))
        if progress is not None:
            progress(count)


Made = TypeVar("Made")


def map_cases(
    make: Callable[[Hypotheses, Sequence[Case]], list[Made]],
    hypotheses: Hypotheses,
    cases: Sequence[Case],
    workers: Workers,
    *,
    progress: Callable[[int], None] | None = None,
) -> list[Made]:
    """Return what is made of each case, several cases at a time in other processes."""
    parts = workers.split(cases)
    found: dict[int, list[Made]] = {}
    for position, several in work_in_parallel(partial(make, hypotheses), parts, workers):
        found[position] = several
        if progress is not None:
            progress(sum(map(len, found.values())))
    return [one for position in range(len(parts)) for one in found[position]]


def posteriors(hypotheses: Hypotheses, cases: Sequence[Case], *, skip_unknown: bool) -> list[Posterior]:
    """Return the posterior of each case without the hypotheses, which are known where it is sent to."""
    found = (posterior_of(hypotheses, case, skip_unknown=skip_unknown) for case in cases)
    return [replace(one, hypotheses=None) for one in found]  # type: ignore[arg-type]  # on its way
