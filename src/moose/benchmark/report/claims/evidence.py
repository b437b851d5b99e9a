"""What a claim is judged by: results over seeds, read column by column, and the words for what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean, stdev
from typing import NamedTuple

from moose.base.errors import MooseError
from moose.benchmark.plans.plans import SCALES, SMOKE, read_plan
from moose.benchmark.report.model.model import Finding
from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import Measure, by_seed, principal
from moose.benchmark.store.records import Record

NOT_JUDGED = f"Not judged at the {SMOKE} scale"


class Missing(NamedTuple):
    """Runs that a claim needs."""

    plan: str
    regime: str
    methods: tuple[str, ...]


class NotRun(MooseError):
    """Something that a claim needs was not run."""

    def __init__(self, missing: Missing) -> None:
        super().__init__(f"expected runs of {', '.join(missing.methods)} in {missing.regime}, but got none; run them")
        self.missing = missing


class Outcome(NamedTuple):
    """What results say of a claim, the figures that say it, and what was not run."""

    finding: Finding
    evidence: str
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordsByRow:
    """Finished records by plan, regime and row, all of one scale."""

    rows: Mapping[tuple[str, str, str], Sequence[Record]]

    def records(self, plan: str, regime: str, method: str) -> Sequence[Record]:
        """Return the records of a row; none where it was not run."""
        return self.rows.get((plan, regime, method), ())


def gather(plans: Mapping[str, Sequence[Record]]) -> RecordsByRow:
    """Sort the records of plans into rows."""
    rows: dict[tuple[str, str, str], list[Record]] = {}
    for plan, records in plans.items():
        for record in records:
            rows.setdefault((plan, record["regime"], record["method"]), []).append(record)
    return RecordsByRow(rows)


Check = Callable[[RecordsByRow], Outcome]


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim of the paper, and what decides it."""

    key: str
    text: str
    """In our words."""
    place: str
    check: Check


@dataclass(frozen=True, slots=True)
class Spread:
    """How a number spreads over seeds: `statistics.Summary` without its intervals, which take most of its time."""

    count: int
    mean: float
    deviation: float | None
    smallest: float
    largest: float

    def __str__(self) -> str:
        """Write the mean with its deviation, in per cent."""
        return percent(self.mean) + (f" ± {percent(self.deviation)}" if self.deviation is not None else "")


def spread_of(values: Sequence[float]) -> Spread:
    """Summarise values.

    >>> str(spread_of([0.5, 0.6]))
    '55.0 ± 7.1'
    """
    deviation = stdev(values) if len(values) > 1 else None
    return Spread(len(values), fmean(values), deviation, min(values), max(values))


@dataclass(frozen=True, slots=True)
class ResultColumn:
    """A number of each row of a plan in a regime; `accuracy` is the regime's principal one, `ece` that of atoms."""

    regime: str
    metric: str = "accuracy"
    plan: str = "headline"
    split: str | None = None
    """In place of the headline's."""

    @property
    def measure(self) -> Measure:
        """Where a record has it."""
        # RS_cons as in the paper: on track A that of the pizzas that were trained on.
        measure = principal(self.regime, {"accuracy": None, "ece": "ece_atom"}.get(self.metric, self.metric))
        split = "test" if self.metric == "rs_cons" else measure.split
        return measure._replace(split=self.split or split)

    @property
    def title(self) -> str:
        """Its name in a sentence."""
        words = {"accuracy": "", "ece": "ECE of atoms", "rs_cons": "RS_cons", "acc_f": "family accuracy"}
        split = {"held_out": "held out", "test": "trained on"}[self.split] if self.split else ""
        return ", ".join(filter(None, (regime_title(self.regime), words[self.metric], split)))

    def values(self, results: RecordsByRow, method: str) -> dict[int, float]:
        """Return a row's number of each seed."""
        return by_seed(results.records(self.plan, self.regime, method), self.measure)

    def shared(self, results: RecordsByRow, methods: Sequence[str]) -> dict[str, Spread]:
        """Summarise rows over the seeds that all of them have run."""
        values = {method: self.values(results, method) for method in methods}
        seeds = [seed for seed in values[methods[0]] if all(seed in own for own in values.values())]
        if not seeds:
            raise NotRun(Missing(self.plan, self.regime, tuple(methods)))
        return {method: spread_of([own[seed] for seed in seeds]) for method, own in values.items()}


def holds_if(is_so: bool, evidence: str) -> Outcome:
    """Return a finding that figures decided."""
    return Outcome("holds" if is_so else "does not hold", evidence)


def all_of(*checks: Check) -> Check:
    """Make a check that holds if all do; one that does not decides, and else one that was not tested."""

    def check(results: RecordsByRow) -> Outcome:
        outcomes = [attempt(one, results) for one in checks]
        findings = [one.finding for one in outcomes]
        order: tuple[Finding, ...] = ("does not hold", "not tested", "holds")
        worst = min(findings, key=order.index)
        evidence = ". ".join(one.evidence for one in outcomes if one.evidence)
        return Outcome(worst, evidence, tuple(missing for one in outcomes for missing in one.missing))

    return check


def attempt(check: Check, results: RecordsByRow) -> Outcome:
    """Check a claim; where something was not run, it is not tested."""
    try:
        return check(results)
    except NotRun as error:
        return Outcome("not tested", "", (error.missing,))


# --------------------------------------------------------------------------------------------------------------- words


def in_words(outcome: Outcome, scale: str) -> str:
    """Write the evidence, and what would have to be run for the rest.

    >>> in_words(Outcome("not tested", "", (Missing("ablation", "mnist1", ("moose",)),)), "smoke")
    'Not run yet: moose bench run ablation --scale smoke --regimes mnist1 --methods moose --store DIR'
    """
    figures = (
        f"{NOT_JUDGED}; its figures: {outcome.evidence}" if scale == SMOKE and outcome.evidence else outcome.evidence
    )
    commands = []
    for plan in dict.fromkeys(one.plan for one in outcome.missing):
        of_plan = [one for one in outcome.missing if one.plan == plan]
        regimes = ",".join(dict.fromkeys(one.regime for one in of_plan))
        methods = ",".join(dict.fromkeys(method for one in of_plan for method in one.methods))
        chosen = f"--scale {scale_to_run(plan, scale)} --regimes {regimes} --methods {methods}"
        commands.append(f"Not run yet: moose bench run {plan} {chosen} --store DIR")
    return ". ".join(filter(None, (figures, *commands)))


@cache
def scale_to_run(plan: str, scale: str) -> str:
    """Return the scale if it is one that the paper's plan has, else one that it has.

    >>> scale_to_run("headline", "paper"), scale_to_run("headline", "of-my-own")
    ('paper', 'standard')
    """
    return scale if scale in SCALES and scale in read_plan(plan).scales else "standard"


def percent(value: float) -> str:
    """Write a fraction in per cent; what rounds to nothing has no sign.

    >>> percent(0.7106), percent(-0.0001)
    ('71.1', '0.0')
    """
    return write_spread(value, None)


def listed(spreads: Mapping[str, Spread]) -> str:
    """Write rows with their numbers."""
    return ", ".join(f"{title_of(method)} {one}" for method, one in spreads.items())


def seeds(spreads: Mapping[str, Spread]) -> str:
    """Say how many seeds figures are the mean of."""
    count = next(iter(spreads.values())).count
    return f"{count}{' shared' if len(spreads) > 1 else ''} seed{'' if count == 1 else 's'}"
