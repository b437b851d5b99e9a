"""Checks of what was varied: learning rates, the closure, unseen pairs, and circuits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from moose.benchmark.report.claims.checks import CLOSE, CLUSTER, ROUNDING, TENS
from moose.benchmark.report.claims.evidence import (
    Check,
    Missing,
    NotRun,
    Outcome,
    RecordsByRow,
    ResultColumn,
    Spread,
    all_of,
    holds_if,
    listed,
    percent,
    seeds,
    spread_of,
)
from moose.benchmark.report.model.paper import read_paper
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import value_of
from moose.benchmark.store.records import Record

WOBBLE = 0.01
"""A step of the mean against the trend that still counts as none."""
ROBUST = 0.10
SLOWEST = 0.75
"""Seconds."""


# ------------------------------------------------------------------------------------------------------ learning rates


def at_rates(results: RecordsByRow, regime: str) -> dict[float, Spread]:
    """Summarise Moose's accuracy at each learning rate, smallest first."""
    # The paper's figures of track A are far above its held-out ones: they can only be of the pizzas trained on.
    measure = ResultColumn(regime, split="test").measure
    values: dict[float, list[float]] = {}
    for record in results.records("lr-sensitivity", regime, "moose"):
        value = value_of(record, measure)
        if value is not None:
            values.setdefault(float(record["varied"]["learning_rate"]), []).append(value)
    if len(values) < 3:
        raise NotRun(Missing("lr-sensitivity", regime, ("moose",)))
    return {rate: spread_of(values[rate]) for rate in sorted(values)}


def rates_words(regime: str, spreads: dict[float, Spread]) -> str:
    """Write the means at all rates."""
    means = ", ".join(f"{rate:g}: {percent(one.mean)}" for rate, one in spreads.items())
    count = min(one.count for one in spreads.values())
    return f"{regime_title(regime)}: {means} (at least {count} seed{'s' if count > 1 else ''} each)"


def is_unimodal(regime: str) -> Check:
    """Check that the mean rises to a rate inside the grid and falls after it, small steps aside."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = at_rates(results, regime)
        means = [one.mean for one in spreads.values()]
        top = means.index(max(means))
        rises = all(later >= sooner - WOBBLE for sooner, later in pairwise(means[: top + 1]))
        falls = all(later <= sooner + WOBBLE for sooner, later in pairwise(means[top:]))
        return holds_if(0 < top < len(means) - 1 and rises and falls, rates_words(regime, spreads))

    return check


def ends_are_worst(regime: str) -> Check:
    """Check that no rate inside the grid is worse than the outermost two."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = at_rates(results, regime)
        means = [one.mean for one in spreads.values()]
        return holds_if(max(means[0], means[-1]) <= min(means[1:-1]) + ROUNDING, rates_words(regime, spreads))

    return check


def spreads(regime: str, *, is_small: bool) -> Check:
    """Check whether all runs at all rates lie within ten points."""

    def check(results: RecordsByRow) -> Outcome:
        rates = at_rates(results, regime).values()
        apart = max(one.largest for one in rates) - min(one.smallest for one in rates)
        words = f"{regime_title(regime)}: all {sum(one.count for one in rates)} runs lie within {percent(apart)} points"
        return holds_if((apart <= ROBUST + ROUNDING) == is_small, words)

    return check


def is_flat(regime: str) -> Check:
    """Check that the means at all rates are close to each other."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = at_rates(results, regime)
        means = [one.mean for one in spreads.values()]
        return holds_if(max(means) - min(means) <= CLUSTER + ROUNDING, rates_words(regime, spreads))

    return check


def is_tuned(regime: str) -> Check:
    """Check that the headline's learning rate is the best of the grid or next to it."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = at_rates(results, regime)
        used = {one["configuration"]["learning_rate"] for one in moose_runs(results, regime)}
        rates = list(spreads)
        top = max(range(len(rates)), key=lambda index: spreads[rates[index]].mean)
        near = rates[max(0, top - 1) : top + 2]
        words = f"{rates_words(regime, spreads)}; the headline uses {', '.join(f'{rate:g}' for rate in sorted(used))}"
        return holds_if(used <= set(near), words)

    return check


def moose_runs(results: RecordsByRow, regime: str) -> Sequence[Record]:
    """Return Moose's runs of the headline."""
    records = results.records("headline", regime, "moose")
    if not records:
        raise NotRun(Missing("headline", regime, ("moose",)))
    return records


# ------------------------------------------------------------------------------------------- closure and unseen pairs


def falls_deeper(regimes: Sequence[str], method: str, *, without: str) -> Check:
    """Check that what a row loses without the closure grows from regime to regime."""

    def check(results: RecordsByRow) -> Outcome:
        falls, words = [], []
        for regime in regimes:
            where = ResultColumn(regime, plan="ablation")
            spreads = where.shared(results, (method, without))
            falls.append(spreads[method].mean - spreads[without].mean)
            words.append(f"{where.title} {percent(falls[-1])} ({seeds(spreads)})")
        is_so = all(later > sooner for sooner, later in pairwise(falls))
        return holds_if(is_so, f"{title_of(method)} loses: {', '.join(words)}")

    return check


def all_lose(regimes: Sequence[str], pairs: Mapping[str, str]) -> Check:
    """Check that each row is better than the same without the closure, in each regime."""

    def in_regime(regime: str) -> Check:
        def check(results: RecordsByRow) -> Outcome:
            pairs_of_spreads = [ResultColumn(regime, plan="ablation").shared(results, pair) for pair in pairs.items()]
            losses = [closed.mean - opened.mean for closed, opened in (one.values() for one in pairs_of_spreads)]
            words = ", ".join(f"{title_of(row)} {percent(loss)}" for row, loss in zip(pairs, losses))
            return holds_if(min(losses) > 0, f"{regime_title(regime)}, losses: {words}, {seeds(pairs_of_spreads[0])}")

        return check

    return all_of(*map(in_regime, regimes))


def is_same_over_seeds(where: ResultColumn, methods: Sequence[str]) -> Check:
    """Check that some rows come to one number, whatever the seed."""

    def check(results: RecordsByRow) -> Outcome:
        spreads = where.shared(results, methods)
        apart = max(one.largest for one in spreads.values()) - min(one.smallest for one in spreads.values())
        words = f"{where.title}: {listed(spreads)}: runs {percent(apart)} apart, {percent(WOBBLE)} allowed"
        return holds_if(apart <= WOBBLE + ROUNDING, f"{words}, {seeds(spreads)}")

    return check


def drops(regime: str, method: str, *, least: float = -1.0, most: float = 1.0) -> Check:
    """Check how much lower a row is on pairs of kinds that it never saw than on others."""

    def check(results: RecordsByRow) -> Outcome:
        by_split = [ResultColumn(regime, plan="inductive", split=split).shared(results, (method,)) for split in SPLITS]
        seen, unseen = (one[method] for one in by_split)
        drop = seen.mean - unseen.mean
        words = f"{regime_title(regime)}: {title_of(method)} {percent(seen.mean)} on pairs of kinds trained on, "
        words += f"{percent(unseen.mean)} on the others: drop {percent(drop)}, {seeds(by_split[1])}"
        return holds_if(least - ROUNDING <= drop <= most + ROUNDING, words)

    return check


SPLITS = ("test", "held_out")


def keeps(regime: str, method: str) -> Check:
    """Check that a row is not worse on pairs of kinds that it never saw."""
    return drops(regime, method, most=CLOSE)


def collapses(regime: str, method: str) -> Check:
    """Check that a row loses tens of points on pairs of kinds that it never saw."""
    return drops(regime, method, least=TENS)


# ------------------------------------------------------------------------------------------------------------ circuits


def circuit_of(results: RecordsByRow, regime: str, row: str) -> Record:
    """Return a circuit that was compiled."""
    records = results.records("circuits", regime, row)
    if not records:
        raise NotRun(Missing("circuits", regime, (row,)))
    circuit: Record = records[0]["circuit"]
    return circuit


def compiles_in_time(regime: str, row: str) -> Check:
    """Check that the slowest compilation took no longer than the paper's bound."""

    def check(results: RecordsByRow) -> Outcome:
        slowest = float(circuit_of(results, regime, row)["seconds"]["largest"])
        return holds_if(slowest <= SLOWEST, f"{regime_title(regime)}: {slowest:.3f} s at most")

    return check


def counts_as_stated(regime: str, parts: Sequence[str]) -> Check:
    """Check that the circuit of the paper's encoding has the paper's counts."""
    names = {"nodes": "size", "atoms": "atoms", "clauses": "clauses"}  # the paper's nodes are PySDD's elements

    def check(results: RecordsByRow) -> Outcome:
        stated = read_paper().circuit(regime)
        assert stated is not None
        circuit = circuit_of(results, regime, "paper")
        pairs = {part: (int(circuit[names[part]]), int(getattr(stated, part))) for part in parts}
        words = ", ".join(f"{ours} {part} ({theirs} stated)" for part, (ours, theirs) in pairs.items())
        return holds_if(all(ours == theirs for ours, theirs in pairs.values()), f"{regime_title(regime)}: {words}")

    return check
