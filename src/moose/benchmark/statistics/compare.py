"""From records to statistics: a metric of a plan's results over seeds, row by row and regime by regime."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.benchmark.statistics.statistics import ALPHA, Judged, Summary, compare_all, summarise
from moose.benchmark.store.records import Record

LOWER_IS_BETTER = frozenset({"nll", "ece", "ece_atom", "rs_cons", "confident_error", "collapse", "s_min"})


class Measure(NamedTuple):
    """A number of a record: a metric, in a view, of a split."""

    metric: str
    split: str = "test"
    view: str = "metrics"

    @property
    def is_higher_better(self) -> bool:
        """Whether more of it is better."""
        return self.metric not in LOWER_IS_BETTER


PRINCIPAL = {
    "mnist1": Measure("acc_f"),
    "mnist2": Measure("acc_f"),
    "mnist3": Measure("acc_f"),
    "pizzaA": Measure("acc_c", "held_out"),
    "pizzaB": Measure("acc_c"),
    "pizzaC": Measure("acc_c"),
}
"""The accuracy that the paper's headline shows for each regime; on track A that of pizzas that were never shown."""


def principal(regime: str, metric: str | None = None) -> Measure:
    """Return the headline's accuracy of a regime, or another metric of the same split.

    >>> principal("pizzaA", "ece")
    Measure(metric='ece', split='held_out', view='metrics')
    """
    if regime not in PRINCIPAL:
        raise unknown_word("a regime", regime, tuple(PRINCIPAL))
    measure = PRINCIPAL[regime]
    return measure if metric is None else measure._replace(metric=metric)


def value_of(record: Record, measure: Measure) -> float | None:
    """Return the number, or None where the record has none."""
    block = record if measure.split == "test" else record.get(f"{measure.split}_split", {})
    value = block.get(measure.view, {}).get(measure.metric)
    return None if value is None else float(value)


def by_seed(records: Iterable[Record], measure: Measure) -> dict[int, float]:
    """Return the number of each seed, of records that differ in nothing else."""
    values = dict[int, float | None]()
    for record in records:
        if record["seed"] in values:
            raise MooseError(
                f"expected one record a seed, but {record['method']} has several of seed {record['seed']} in "
                f"{record['regime']}; where a plan varies something, choose one value of it with `chosen`"
            )
        values[record["seed"]] = value_of(record, measure)
    return {seed: value for seed, value in values.items() if value is not None}


def chosen(records: Iterable[Record], **wanted: object) -> list[Record]:
    """Return the records of a regime, a method, …; `varied={"count": 200}` for those of one varied value."""
    return [record for record in records if all(record[key] == value for key, value in wanted.items())]


def summary(records: Sequence[Record], regime: str, method: str, measure: Measure) -> Summary | None:
    """Return how a row's number spreads over seeds in a regime; None where it has none."""
    values = by_seed(chosen(records, regime=regime, method=method), measure)
    return summarise(list(values.values())) if values else None


def compare_rows(
    records: Sequence[Record], regime: str, reference: str, measure: Measure, *, alpha: float = ALPHA
) -> dict[str, Judged]:
    """Compare a row with every other of a regime that shares a seed with it; Holm's correction is over these.

    Baselines are left out: they are not methods, and many of them do not depend on the seed.
    """
    mine = [record for record in chosen(records, regime=regime) if record.get("kind") != "baseline"]
    methods = dict.fromkeys(record["method"] for record in mine)
    values = {method: by_seed(chosen(mine, method=method), measure) for method in methods}
    first = values.pop(reference, {})
    others = {method: own for method, own in values.items() if own.keys() & first.keys()}
    return compare_all(first, others, alpha=alpha, is_higher_better=measure.is_higher_better)
