"""From records to the entries of tables: a number over seeds, beside the paper's, the best of them marked."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Unit
from moose.benchmark.report.model.numbers import round_to
from moose.benchmark.report.model.titles import BASELINE_ROWS, subject_of
from moose.benchmark.statistics.compare import Measure, by_seed, principal
from moose.benchmark.store.records import Listing, Record

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Stated

PLACES: Mapping[Unit, int] = {"percent": 1, "number": 2, "count": 0, "seconds": 3}
"""To which a unit is written: what is written alike is equally good."""


@dataclass(frozen=True, slots=True)
class Results:
    """A plan at a scale, as far as it was run."""

    listing: Listing
    records: tuple[Record, ...]
    failures: tuple[Record, ...] = ()

    @property
    def trained(self) -> tuple[str, ...]:
        """The rows that are methods."""
        return tuple(row for row in self.listing.rows if not self.is_baseline(row))

    @property
    def baselines(self) -> tuple[str, ...]:
        """The rows that are trivial, as far as there is anything of them."""
        return tuple(row for row in self.listing.rows if self.is_baseline(row) and self.of(method=row))

    def is_baseline(self, row: str) -> bool:
        """Return whether a row trains nothing, whatever it is called."""
        return row in BASELINE_ROWS or any(one.get("kind") == "baseline" for one in self.of(method=row))

    @property
    def data(self) -> dict[str, str]:
        """The data set of each regime."""
        return {cell.regime: cell.data for cell in self.listing.cells}

    @property
    def regimes(self) -> tuple[str, ...]:
        """The regimes of which there is anything."""
        return tuple(regime for regime in self.listing.regimes if self.of(regime=regime))

    def of(self, **wanted: object) -> list[Record]:
        """Return the records of a regime, a method, …"""
        return [one for one in self.records if all(one[key] == value for key, value in wanted.items())]

    def values(self, measure: Measure, **wanted: object) -> dict[int, float]:
        """Return a number by seed, of records that differ in nothing else."""
        return by_seed(self.of(**wanted), measure)


def quantity(
    values: Mapping[int, float] | Collection[float], stated: Stated | None = None, *, unit: Unit = "percent"
) -> Quantity:
    """Return the mean over seeds, beside what the paper states.

    >>> found = quantity([0.25, 0.75])
    >>> found.mean, round(found.deviation, 3), found.count
    (0.5, 0.354, 2)
    """
    numbers = list(values.values() if isinstance(values, Mapping) else values)
    return Quantity(
        mean=fmean(numbers) if numbers else None,
        deviation=stdev(numbers) if len(numbers) > 1 else None,
        count=len(numbers),
        paper=None if stated is None else stated.mean,
        paper_deviation=None if stated is None else stated.deviation,
        unit=unit,
    )


def paired(first: Mapping[int, float], second: Mapping[int, float]) -> list[float]:
    """Return the differences, the first less the second, of the seeds that both have."""
    return [first[seed] - second[seed] for seed in first if seed in second]


def mean_of(entry: Entry) -> float | None:
    """Return the mean of an entry; None of a text."""
    return entry.mean if isinstance(entry, Quantity) else None


def rounded(value: float, unit: Unit = "percent") -> float:
    """Round a number as it is written.

    >>> rounded(0.74649) == rounded(0.7459), rounded(0.8625) == rounded(0.86250000001)
    (True, True)
    """
    return float(round_to(value * 100.0 if unit == "percent" else value, PLACES[unit]))


# ---------------------------------------------------------------------------------------------------------- the best


def mark_best(lines: Sequence[Line], columns: Sequence[Column]) -> tuple[Line, ...]:
    """Mark the best of each column in each block, ours and the paper's; what is no method is never it."""
    blocks = dict.fromkeys(line.block for line in lines)
    best = {block: [_best(lines, block, index, column) for index, column in enumerate(columns)] for block in blocks}
    return tuple(
        line
        if line.is_reference
        else replace(line, entries=tuple(_marked(entry, *pair) for entry, pair in zip(line.entries, best[line.block])))
        for line in lines
    )


Best = tuple[float | None, float | None]


def _best(lines: Iterable[Line], block: str, index: int, column: Column) -> Best:
    """Return the best of ours and of the paper's as they are written; None where there is nothing to choose."""
    entries = [line.entries[index] for line in lines if line.block == block and not line.is_reference]
    quantities = [entry for entry in entries if isinstance(entry, Quantity)]
    if column.is_higher_better is None:
        return None, None
    choose = max if column.is_higher_better else min
    ours = [rounded(one.mean, one.unit) for one in quantities if one.mean is not None]
    theirs = [rounded(one.paper, one.unit) for one in quantities if one.paper is not None]
    return choose(ours) if len(set(ours)) > 1 else None, choose(theirs) if len(set(theirs)) > 1 else None


def _marked(entry: Entry, ours: float | None, theirs: float | None) -> Entry:
    if not isinstance(entry, Quantity):
        return entry
    is_best = entry.mean is not None and rounded(entry.mean, entry.unit) == ours
    is_paper_best = entry.paper is not None and rounded(entry.paper, entry.unit) == theirs
    return replace(entry, is_best=is_best, is_paper_best=is_paper_best)


# ------------------------------------------------------------------------------------------------------------ titles


def regime_group(regime: str, data: Mapping[str, str]) -> str:
    """Return what stands above the columns of neighbouring regimes: what they are about, and which data.

    >>> regime_group("mnist1", {"mnist1": "digits"})
    'MNIST (data: digits)'
    """
    return f"{subject_of(regime) or regime} (data: {data[regime]})" if regime in data else subject_of(regime)


def seeds_text(seeds: Collection[int]) -> str:
    """Write seeds, runs of neighbours short.

    >>> seeds_text([0, 1, 2, 7])
    '0–2, 7'
    """
    parts = list[list[int]]()
    for seed in sorted(seeds):
        if parts and parts[-1][-1] == seed - 1:
            parts[-1].append(seed)
        else:
            parts.append([seed])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}–{part[-1]}" for part in parts)


def accuracy_text(regimes: Collection[str]) -> str:
    """Say which accuracy is the headline's in these regimes.

    >>> accuracy_text(["mnist1", "pizzaB"])
    "Accuracy of the family's likeliest member on MNIST, of latent atoms on pizzas."
    """
    measures = {regime: principal(regime) for regime in regimes}
    families = [regime for regime, one in measures.items() if one.metric == "acc_f"]
    atoms = [regime for regime in measures if regime not in families]
    unseen = [regime for regime, one in measures.items() if one.split == "held_out"]
    of = ["of the family's likeliest member on MNIST"] * bool(families) + ["of latent atoms on pizzas"] * bool(atoms)
    rest = "; on pizzas A of kinds of pizza that training never shows" if unseen else ""
    return f"Accuracy {', '.join(of)}{rest}."


def seed_note(results: Results) -> str:
    """Say of how many seeds the figures are means.

    Where a partial run leaves fewer seeds in some places than in others, both numbers are told.
    """
    counts = dict[tuple[str, str, str], set[int]]()
    for one in results.records:
        counts.setdefault((one["regime"], one["method"], str(one["varied"])), set()).add(one["seed"])
    sizes = sorted({len(seeds) for seeds in counts.values()})
    if not sizes:
        return ""
    if sizes == [1]:
        return "Of one seed."
    many = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return f"Mean ± standard deviation over {many} seeds."
