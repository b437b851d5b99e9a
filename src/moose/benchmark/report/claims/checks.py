"""Checks that claims are made of: each reads results and says whether they bear it out, with the figures.

The criteria, once for all; `claims.criteria` says them on the page:

- Means are over the seeds that all rows of a comparison have run. "Better" is a mean difference of the right sign that
  is seen as it is written, to a tenth of a point.
- Where the paper calls a difference significant, Holm's p of Wilcoxon's paired test over the paper's other rows must be
  at most 0.05; "not significant" is the opposite. Neither is tested unless there are at least six shared seeds, and so
  many that p could be as small (2·2⁻ⁿ times the number of comparisons).
- Alike, at no cost, unchanged: within 3 points; several rows cluster within 6. Tens of points: at least 20. A few
  points: less than 20. The same number: within 1 point.
- Near chance, with ten digits: at most 30 %, which is nearer to 10 % than to one half. Near perfect: at least 95 %.
- The best of a column: by the mean, among the rows of the paper's tables; ours in addition to those are not counted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from moose.benchmark.report.claims.evidence import (
    Check,
    Missing,
    NotRun,
    Outcome,
    RecordsByRow,
    ResultColumn,
    holds_if,
    listed,
    percent,
    seeds,
)
from moose.benchmark.report.model.titles import PAPER_ROWS, title_of
from moose.benchmark.statistics.statistics import ALPHA, holm, wilcoxon_p

CLOSE = 0.03
TENS = 0.20
NEAR_CHANCE = 0.30
NEAR_PERFECT = 0.95
CLUSTER = 2 * CLOSE
FEWEST = 6
ROUNDING = 1e-9
VISIBLE = 0.0005
"""A difference below this is written as 0.0 points."""
REFERENCE = "moose"
MOOSE_ROWS = ("moose", "bears", "nesydm-rloo", "nesydm-exact")
NESYDM = ("nesydm-rloo", "nesydm-exact")


class Difference(NamedTuple):
    """By how much one row is better than another; below 0 where it is worse."""

    gain: float
    words: str


def difference(results: RecordsByRow, where: ResultColumn, first: str, second: str) -> Difference:
    """Compare two rows of a column on the seeds that they share."""
    spreads = where.shared(results, (first, second))
    mean = spreads[first].mean - spreads[second].mean
    words = f"{where.title}: {listed(spreads)}: difference {percent(mean)}, {seeds(spreads)}"
    return Difference(mean if where.measure.is_higher_better else -mean, words)


def is_better(gain: float) -> bool:
    """Return whether a gain is seen as it is written, in points to a tenth.

    >>> is_better(0.0001), is_better(0.0006)  # written as 0.0 and 0.1
    (False, True)
    """
    return gain >= VISIBLE


class OfTwo(Protocol):
    """Makes a check of two rows of a column."""

    def __call__(self, where: ResultColumn, first: str, *, over: str) -> Check:
        """Make it."""


def by_means(passes: Callable[[float], bool]) -> OfTwo:
    """Make a check of two rows of what their mean difference must be."""

    def make(where: ResultColumn, first: str, *, over: str) -> Check:
        def check(results: RecordsByRow) -> Outcome:
            lead = difference(results, where, first, over)
            return holds_if(passes(lead.gain), lead.words)

        return check

    return make


alike = by_means(lambda gain: abs(gain) <= CLOSE + ROUNDING)
costs_nothing = by_means(lambda gain: gain >= -CLOSE - ROUNDING)
leads_by_tens = by_means(lambda gain: gain >= TENS - ROUNDING)
leads_by_a_few = by_means(lambda gain: is_better(gain) and gain < TENS)
leads = by_means(is_better)


# -------------------------------------------------------------------------------------------------------- significance


def leads_surely(where: ResultColumn, first: str, *, over: str) -> Check:
    """Check that a row is more accurate than another, Moose one of the two, and significantly so."""

    def check(results: RecordsByRow) -> Outcome:
        column = with_most_seeds(results, where, (first, over))
        lead = difference(results, column, first, over)
        ours, theirs = column.values(results, first), column.values(results, over)
        wins = [ours[seed] > theirs[seed] for seed in ours if seed in theirs]
        tested = judge(results, column, over if first == REFERENCE else first)
        words = f"{lead.words}, higher in {sum(wins)} of them, {tested.words}"
        if tested.p is None:
            return Outcome("not tested", words, still_to_run(where, column, (first, over)))
        return holds_if(lead.gain > 0 and tested.p <= ALPHA, words)

    return check


def indistinct(where: ResultColumn, other: str) -> Check:
    """Check that Moose and another row do not differ significantly."""

    def check(results: RecordsByRow) -> Outcome:
        column = with_most_seeds(results, where, (REFERENCE, other))
        lead = difference(results, column, REFERENCE, other)
        tested = judge(results, column, other)
        words = f"{lead.words}, {tested.words}"
        if tested.p is None:
            return Outcome("not tested", words, still_to_run(where, column, (REFERENCE, other)))
        return holds_if(tested.p > ALPHA, words)

    return check


def with_most_seeds(results: RecordsByRow, where: ResultColumn, methods: Sequence[str]) -> ResultColumn:
    """Return the column of the plan with the most seeds for these rows: that of tests, or the headline."""
    columns = [where]
    if where.plan == "significance":
        columns.append(ResultColumn(where.regime, where.metric, "headline", where.split))
    counts = [shared_count(results, column, methods) for column in columns]
    if not any(counts):
        raise NotRun(Missing(where.plan, where.regime, tuple(methods)))
    return columns[counts.index(max(counts))]


def still_to_run(where: ResultColumn, used: ResultColumn, methods: tuple[str, ...]) -> tuple[Missing, ...]:
    """Return the runs of the plan of tests, where another stood in for it."""
    return () if used == where else (Missing(where.plan, where.regime, methods),)


def shared_count(results: RecordsByRow, where: ResultColumn, methods: Sequence[str]) -> int:
    """Count the seeds that all of some rows have run."""
    return len(set.intersection(*(set(where.values(results, method)) for method in methods)))


class Tested(NamedTuple):
    """What a test said: Holm's p, or None where there are too few seeds for one."""

    p: float | None
    words: str


def judge(results: RecordsByRow, where: ResultColumn, other: str) -> Tested:
    """Test Moose against a row; Holm's correction is over the paper's rows."""
    first = where.values(results, REFERENCE)
    rows = {method: where.values(results, method) for method in PAPER_ROWS if method != REFERENCE}
    gaps = {method: [first[seed] - values[seed] for seed in values if seed in first] for method, values in rows.items()}
    gaps = {method: values for method, values in gaps.items() if values}
    needed = seeds_needed(len(gaps))
    if len(gaps[other]) < needed:
        return Tested(None, f"too few for a test, which needs {needed} seeds")
    p = dict(zip(gaps, holm([wilcoxon_p(values) for values in gaps.values()])))[other]
    return Tested(p, f"Holm's p {p:.4f}")


def seeds_needed(comparisons: int) -> int:
    """Return from how many seeds on Holm's p among this many comparisons can be small enough.

    >>> seeds_needed(1), seeds_needed(2), seeds_needed(7)
    (6, 7, 9)
    """
    return next(count for count in range(FEWEST, FEWEST + comparisons) if 2.0 ** (1 - count) * comparisons <= ALPHA)


# ------------------------------------------------------------------------------------------------------- several rows


def best(where: ResultColumn, wanted: Sequence[str], *, among: Sequence[str] = PAPER_ROWS) -> Check:
    """Check that one of some rows has the best mean among others."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = where.shared(results, among)
        sign = 1 if where.measure.is_higher_better else -1
        top = max(sign * one.mean for one in spreads.values())
        winners = [method for method, one in spreads.items() if sign * one.mean >= top - ROUNDING]
        named = {method: spreads[method] for method in dict.fromkeys((*winners, *wanted))}
        words = (
            f"{where.title}: best of {len(spreads)} rows is {' and '.join(map(title_of, winners))} ({listed(named)})"
        )
        return holds_if(bool(set(winners) & set(wanted)), f"{words}, {seeds(spreads)}")

    return check


def within(where: ResultColumn, methods: Sequence[str], limit: float) -> Check:
    """Check that the means of some rows lie no further apart than this."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = where.shared(results, methods)
        means = [one.mean for one in spreads.values()]
        apart = max(means) - min(means)
        words = f"{where.title}: {listed(spreads)}: {percent(apart)} apart, {percent(limit)} allowed"
        return holds_if(apart <= limit + ROUNDING, f"{words}, {seeds(spreads)}")

    return check


def at_most(where: ResultColumn, method: str, limit: float) -> Check:
    """Check that a row's mean is no larger than this."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = where.shared(results, (method,))
        words = f"{where.title}: {listed(spreads)}, at most {percent(limit)} asked, {seeds(spreads)}"
        return holds_if(spreads[method].mean <= limit + ROUNDING, words)

    return check


def about(where: ResultColumn, method: str, value: float) -> Check:
    """Check that a row's mean is a given number, to one point."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = where.shared(results, (method,))
        words = f"{where.title}: {listed(spreads)}, {percent(value)} asked, {seeds(spreads)}"
        return holds_if(abs(spreads[method].mean - value) <= 0.01 + ROUNDING, words)

    return check


def most_reach(where: ResultColumn, least: float) -> Check:
    """Check that more than half of the paper's rows have a mean of at least this."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = where.shared(results, PAPER_ROWS)
        reached = {method: one for method, one in spreads.items() if one.mean >= least}
        below = {method: one for method, one in spreads.items() if method not in reached}
        words = f"{where.title}: {len(reached)} of {len(spreads)} rows at {percent(least)} or more"
        words += f", not {listed(below)}" if below else ""
        return holds_if(2 * len(reached) > len(spreads), f"{words}, {seeds(spreads)}")

    return check


def leads_in_half(regimes: Sequence[str], first: str, *, over: str) -> Check:
    """Check that a row is better than another in at least half of some regimes."""

    def check(results: RecordsByRow) -> Outcome:
        leads = {regime: difference(results, ResultColumn(regime), first, over) for regime in regimes}
        won = [regime for regime, one in leads.items() if is_better(one.gain)]
        gains = ", ".join(f"{ResultColumn(regime).title} {percent(one.gain)}" for regime, one in leads.items())
        words = f"{title_of(first)} is above {title_of(over)} in {len(won)} of {len(leads)} regimes ({gains})"
        return holds_if(2 * len(won) >= len(leads), words)

    return check


def commits(where: ResultColumn, method: str) -> Check:
    """Check that a row is sure of one member of the family, and yet often wrong."""

    def check(results: RecordsByRow) -> Outcome:
        shares = ResultColumn(where.regime, "rs_cons", where.plan).shared(results, (method,))[method]
        spreads = ResultColumn(where.regime, "acc_f", where.plan).shared(results, (method,))
        right = spreads[method]
        # RS_cons is the mean confidence times the share of errors.
        confidence = shares.mean / (1 - right.mean) if right.mean < 1 else 0.0
        words = f"{where.title}: {title_of(method)} has the right member in {right} at a confidence of "
        words += f"{percent(confidence)}, {seeds(spreads)}"
        return holds_if(confidence >= NEAR_PERFECT and confidence - right.mean >= CLUSTER, words)

    return check
