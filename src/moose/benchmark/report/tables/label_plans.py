"""Plans of tasks whose evidence is labels of many classes: their own metrics, and what is more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Table, Unit
from moose.benchmark.report.model.quantities import Results, mark_best, quantity, seed_note
from moose.benchmark.report.model.titles import title_of
from moose.benchmark.report.tables.significance import interval_text, p_text
from moose.benchmark.statistics.compare import Measure, value_of
from moose.benchmark.statistics.statistics import ALPHA, Judged, compare_all

VIEW = "metrics_labels"
"""What records call the metrics of labels."""
COMPLETE = "all labels"
MISSING = "labels missing, all regimes"
"""Whatever is hidden, all of it together."""


@dataclass(frozen=True, slots=True)
class LabelMetric:
    """A metric of labels as a table shows it."""

    key: str
    title: str
    note: str
    is_higher: bool = True
    unit: Unit = "percent"

    @property
    def measure(self) -> Measure:
        """Where it is in a record."""
        return Measure(self.key, view=VIEW)


METRICS = (
    LabelMetric("au_prc", "AU(PRC)", "Average precision over all pairs of a row and a class."),
    LabelMetric("exact_match", "Exact match", "Rows with every class right, by the threshold ½."),
    LabelMetric("world_match", "Exact match of the most probable world", "Of methods that have a distribution."),
    LabelMetric("f_max", "Fmax", "The best F over thresholds, by row."),
    LabelMetric(
        "s_min", "Smin", "The least distance from knowing everything, in bits.", is_higher=False, unit="number"
    ),
    LabelMetric("macro_auc", "Macro AUC", "Mean over classes that some rows to test on have."),
    LabelMetric("ece", "Calibration error", "Of all pairs of a row and a class.", is_higher=False),
    LabelMetric("consistency", "Consistency", "Rows that break no axiom, by the threshold ½."),
)
COMPARED = METRICS[:2]
"""What is tested for being more than chance."""
LABEL_KEYS = (*(one.key.replace("_", "-") for one in METRICS), "cost", "compared")
"""The ends of the keys of all tables."""


def is_label_plan(results: Results) -> bool:
    """Return whether all that a plan has was judged as labels."""
    learnt = [record for record in results.records if record.get("kind") != "circuit"]
    return bool(learnt) and all(VIEW in record for record in learnt)


def label_tables(results: Results, key: str) -> tuple[Table, ...]:
    """Return a table for each metric that there is, one of costs, and one of comparisons if they can be made."""
    found = [one for one in METRICS if any(value_of(record, one.measure) is not None for record in results.records)]
    tables = [metric_table(results, metric, f"{key}-{metric.key.replace('_', '-')}") for metric in found]
    tables.append(cost_table(results, f"{key}-cost"))
    compared = comparison_table(results, f"{key}-compared")
    return (*tables, compared) if compared.lines else tuple(tables)


def metric_table(results: Results, metric: LabelMetric, key: str) -> Table:
    """Return a metric of each method in each regime; the best of a regime is marked."""
    rows = [row for row in results.trained if results.of(method=row)]
    columns = tuple(Column(title_of(row)) for row in rows)
    lines = tuple(
        Line(regime, _best_marked([_quantity(results, metric, regime, row) for row in rows], metric), shown_of(regime))
        for regime in by_what_is_shown(results)
    )
    better = "higher" if metric.is_higher else "lower"
    percent = "In per cent; " if metric.unit == "percent" else ""
    note = f"{metric.note} {percent}{better} is better. {seed_note(results)}"
    return Table(key, f"{results.listing.title}: {metric.title}", "Regime", columns, lines, note)


def _quantity(results: Results, metric: LabelMetric, regime: str, row: str) -> Quantity:
    return quantity(results.values(metric.measure, regime=regime, method=row), unit=metric.unit)


def _best_marked(quantities: list[Quantity], metric: LabelMetric) -> tuple[Entry, ...]:
    """Mark the best of a line: lines are regimes here, where `mark_best` looks down a column."""
    column = (Column("", is_higher_better=metric.is_higher),)
    marked = mark_best([Line("", (one,)) for one in quantities], column)
    return tuple(line.entries[0] for line in marked)


def cost_table(results: Results, key: str) -> Table:
    """Return the CPU seconds of a run, all of it, and its epochs."""
    rows = [row for row in results.trained if results.of(method=row)]
    columns = tuple(Column(name, title_of(row)) for row in rows for name in ("CPU s", "epochs"))
    lines = []
    for regime in by_what_is_shown(results):
        entries = list[Entry]()
        for row in rows:
            mine = results.of(regime=regime, method=row)
            entries.append(quantity([one["cpu_seconds"] for one in mine if "cpu_seconds" in one], unit="number"))
            entries.append(quantity([float(len(one["history"])) for one in mine if "history" in one], unit="count"))
        lines.append(Line(regime, tuple(entries), shown_of(regime)))
    note = (
        "CPU seconds of opening, training and judging, with one thread; epochs until it stopped, the last few in vain."
    )
    return Table(key, f"{results.listing.title}: cost", "Regime", columns, tuple(lines), note)


# -------------------------------------------------------------------------------------------------------- comparisons

PAIRS = (
    Column("Pairs"),
    Column("Ours", "Mean"),
    Column("Other", "Mean"),
    Column("Mean", "Difference"),
    Column("95 % interval", "Difference"),
    Column("Wilcoxon", "p"),
    Column("Holm", "p"),
    Column("Verdict"),
)


def comparison_table(results: Results, key: str) -> Table:
    """Return the plan's reference against each other method, over pairs of a set and a seed that both have."""
    reference = results.listing.reference or ""
    lines = tuple(
        Line(title_of(other), _entries(judged), f"{metric.title}, {shown}")
        for metric in COMPARED
        for shown in blocks_of(results)
        for other, judged in compare_over_sets(results, metric, shown).items()
    )
    note = (
        f"{title_of(reference)} less the other method, over pairs of a set and a seed; means and differences in per "
        f"cent. Exact match is that of the threshold ½ for both. Verdicts are by Wilcoxon's signed ranks with Holm's "
        f"correction over the methods of a block, at {ALPHA:g}: win, loss, or ns for neither. With fewer than six "
        f"pairs no such test can come below 0.05. Seeds of one set share its rows to test on, so that pairs are not "
        f"quite independent."
    )
    title = f"{results.listing.title}: {title_of(reference)} against each other method"
    return Table(key, title, "Other", PAIRS, lines, note)


def blocks_of(results: Results) -> list[str]:
    """Return what regimes show, and last all of those together that hide something, if they differ in it."""
    found = list(dict.fromkeys(map(shown_of, by_what_is_shown(results))))
    return [*found, MISSING] if len([one for one in found if one != COMPLETE]) > 1 else found


def compare_over_sets(results: Results, metric: LabelMetric, shown: str) -> dict[str, Judged]:
    """Compare the reference with each method over all sets of which the same is shown, or something hidden."""
    reference = results.listing.reference
    regimes = [
        regime
        for regime in results.regimes
        if (shown_of(regime) != COMPLETE if shown == MISSING else shown_of(regime) == shown)
    ]
    values = {row: _by_pair(results, metric, regimes, row) for row in results.trained}
    first = values.pop(reference or "", {})
    others = {row: own for row, own in values.items() if own.keys() & first.keys()}
    return compare_all(first, others, is_higher_better=metric.is_higher) if others else {}


def _by_pair(results: Results, metric: LabelMetric, regimes: list[str], row: str) -> Mapping[int, float]:
    """Return a method's values by a number for each pair of a regime and a seed."""
    most = 1 + max((one["seed"] for one in results.records), default=0)
    return {
        number * most + seed: value
        for number, regime in enumerate(regimes)
        for seed, value in results.values(metric.measure, regime=regime, method=row).items()
    }


def _entries(judged: Judged) -> tuple[Entry, ...]:
    comparison = judged.comparison
    return (
        Quantity(comparison.pairs, unit="count"),
        Quantity(comparison.first),
        Quantity(comparison.second),
        Quantity(comparison.difference),
        interval_text(comparison.t_interval),
        p_text(comparison.wilcoxon_p),
        p_text(judged.holm_p),
        judged.verdict,
    )


# ------------------------------------------------------------------------------------------------- what a name says


def shown_of(regime: str) -> str:
    """Return what a regime shows, as its name says it after the set.

    >>> shown_of("enron"), shown_of("enron-hidden90"), shown_of("diatoms-disjoint-hidden90")
    ('all labels', 'hidden90', 'disjoint-hidden90')
    """
    return regime.partition("-")[2] or COMPLETE


def by_what_is_shown(results: Results) -> list[str]:
    """Return the regimes that have results, those next to each other of which the same is shown."""
    order = {shown: number for number, shown in enumerate(dict.fromkeys(map(shown_of, results.regimes)))}
    return sorted(results.regimes, key=lambda regime: (order[shown_of(regime)], results.regimes.index(regime)))
