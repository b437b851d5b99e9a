"""Moose against each other method, over the seeds that both have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Table
from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import compare_rows, principal
from moose.benchmark.statistics.statistics import ALPHA, Interval, Judged
from moose.benchmark.store.records import Record

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper, StatedComparison

LEAST_PAIRS = 2
COLUMNS = (
    Column("Seeds"),
    Column("Ours", "Mean"),
    Column("Other", "Mean"),
    Column("Mean", "Difference"),
    Column("95 % interval", "Difference"),
    Column("Wilcoxon", "p"),
    Column("Holm", "p"),
    Column("Sign flips", "p"),
    Column("d_z", "Effect"),
    Column("Ranks", "Effect"),
    Column("Verdict"),
    Column("Holm p", "Paper"),
    Column("Verdict", "Paper"),
)


def comparable(results: Results, regime: str) -> list[Record]:
    """Return the records of the plan's reference, and of each method that shares two seeds with it; else none."""
    reference, measure = results.listing.reference, principal(regime)
    by_row = {row: results.values(measure, regime=regime, method=row) for row in results.trained}
    first = by_row.pop(reference or "", {})
    others = [row for row, values in by_row.items() if len(values.keys() & first.keys()) >= LEAST_PAIRS]
    return [one for one in results.of(regime=regime) if one["method"] in (reference, *others)] if others else []


def can_compare(results: Results) -> bool:
    """Return whether a plan has a row to compare others with, and two seeds to do it on."""
    return any(comparable(results, regime) for regime in results.listing.regimes)


def significance_table(results: Results, paper: Paper) -> Table:
    """Return each comparison with the plan's reference, a block for each regime."""
    reference = results.listing.reference
    assert reference is not None
    first = title_of(reference)
    note = comparison_note(first)
    title = f"{first} against each other method"
    lines = _judged_lines(results, paper, reference)
    return Table("significance", title, "Other", COLUMNS, lines, note, "tab:significance")


def comparison_table(results: Results, key: str) -> Table | None:
    """Return the comparisons of a plan of the user's own, for each value of what is varied; None if there are none."""
    reference = results.listing.reference
    lines = list[Line]()
    for varied in {repr(one.varied): dict(one.varied) for one in results.listing.cells}.values():
        here = replace(results, records=tuple(results.of(varied=varied)))
        if reference is None or not can_compare(here):
            continue
        told = "".join(f", {name.replace('_', ' ')} {value}" for name, value in varied.items())
        lines += [
            Line(title_of(other), _entries(judged, None)[:-2], f"{regime_title(regime)}{told}")
            for regime in here.regimes
            if (some := comparable(here, regime))
            for other, judged in compare_rows(some, regime, reference, principal(regime)).items()
        ]
    if not lines or reference is None:
        return None
    title = f"{results.listing.title or results.listing.plan}: {title_of(reference)} against each other row"
    return Table(key, title, "Other", COLUMNS[:-2], tuple(lines), comparison_note(title_of(reference)))


def comparison_note(first: str) -> str:
    """Say how rows are compared with the first."""
    return (
        f"{first} less the other method, in accuracy on the seeds that both have; means and differences in per cent. "
        "The interval is Student's. Verdicts are by Wilcoxon's signed ranks with Holm's correction over the "
        f"comparisons of a regime, at {ALPHA:g}: win, loss, or ns for neither. Sign flips is the exact permutation "
        "test, with Holm's correction too; d_z is the mean difference over its standard deviation; ranks is the "
        "rank-biserial correlation. With fewer than six seeds no such test can come below 0.05."
    )


def _judged_lines(results: Results, paper: Paper, reference: str) -> tuple[Line, ...]:
    return tuple(
        Line(title_of(other), _entries(judged, paper.significance(regime, other)), regime_title(regime))
        for regime in results.listing.regimes
        if (here := comparable(results, regime))
        for other, judged in compare_rows(here, regime, reference, principal(regime)).items()
    )


def _entries(judged: Judged, stated: StatedComparison | None) -> tuple[Entry, ...]:
    comparison = judged.comparison
    return (
        Quantity(comparison.pairs, unit="count"),
        Quantity(comparison.first, paper=None if stated is None else stated.first),
        Quantity(comparison.second, paper=None if stated is None else stated.second),
        Quantity(comparison.difference, paper=None if stated is None else stated.difference),
        interval_text(comparison.t_interval),
        p_text(comparison.wilcoxon_p),
        p_text(judged.holm_p),
        p_text(judged.holm_permutation_p),
        Quantity(comparison.cohen_dz, unit="number"),
        Quantity(comparison.rank_biserial, unit="number"),
        judged.verdict,
        "" if stated is None else p_text(stated.holm_p),
        "" if stated is None else stated.verdict,
    )


def interval_text(interval: Interval | None) -> str:
    """Write an interval of differences, in per cent; nothing for None."""
    return "" if interval is None else f"{write_spread(interval.low, None)} to {write_spread(interval.high, None)}"


def p_text(p: float) -> str:
    """Write a p-value.

    >>> p_text(0.03125), p_text(0.00002)
    ('0.031', '< 0.0001')
    """
    if p < 0.0001:
        return "< 0.0001"
    return f"{p:.4f}" if p < 0.01 else f"{p:.3f}"
