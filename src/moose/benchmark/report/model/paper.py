"""The paper's numbers, from `paper.toml`: as fractions of one, as records have them, whatever the paper writes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import get_args

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.benchmark.report.model.titles import PAPER_ROWS
from moose.benchmark.statistics.statistics import Verdict

REGIMES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC")
FULL = ("acc_atom", "accuracy", "nll", "ece", "rs_cons", "f1_macro")
"""Columns of the full table; `accuracy` is the one that the headline shows."""
SWEPT = ("mnist2", "mnist3", "pizzaA", "pizzaB")
TABLES = (
    "headline-acc",
    "headline-ece",
    "headline-full",
    "pizza-argmax",
    "lr-sensitivity",
    "significance",
    "inductive",
    "closure-ablation",
    "repro",
    "contradictions",
)
PERCENT = 0.01
LAST_DIGIT = 0.0011
"""By how much a difference that the paper prints may be off: its terms were rounded after it was taken."""


@dataclass(frozen=True, slots=True)
class Stated:
    """A mean that the paper states, and its standard deviation if it does."""

    mean: float
    deviation: float | None


@dataclass(frozen=True, slots=True)
class StatedComparison:
    """A line of the paper's table of tests: Moose against another."""

    first: float
    second: float
    difference: float
    holm_p: float
    verdict: str


@dataclass(frozen=True, slots=True)
class StatedCircuit:
    """A line of the paper's table of circuits."""

    individuals: int
    nodes: int
    atoms: int
    clauses: int
    seconds: tuple[float, float] | None
    """To compile: least and most."""
    training_seconds: float
    memory_mb: float
    """On the GPU, at most."""


@dataclass(frozen=True, slots=True)
class Paper:
    """All of them; what the paper does not state is None."""

    accuracies: Mapping[tuple[str, str], Stated]
    eces: Mapping[tuple[str, str], Stated]
    metrics: Mapping[tuple[str, str, str], Stated]
    families: Mapping[str, tuple[Stated, Stated]]
    rates: Mapping[tuple[str, float], Stated]
    spreads: Mapping[str, float]
    comparisons: Mapping[tuple[str, str], StatedComparison]
    held_out: Mapping[tuple[str, str, str], Stated]
    closures: Mapping[tuple[str, str, bool], Stated]
    circuits: Mapping[str, StatedCircuit]
    contradictions: tuple[str, ...]
    """Where the paper says two things that cannot both be so."""

    def headline(self, regime: str, method: str, metric: str) -> Stated | None:
        """Return a number of the headline: `accuracy` and `ece` from the short tables, the others from the full one.

        >>> read_paper().headline("mnist2", "moose", "accuracy")
        Stated(mean=0.746, deviation=0.003)
        """
        short = {"accuracy": self.accuracies, "ece": self.eces}
        return short[metric].get((regime, method)) if metric in short else self.full(regime, method, metric)

    def full(self, regime: str, method: str, metric: str) -> Stated | None:
        """Return a number of the full table, which is not always that of the short ones."""
        return self.metrics.get((regime, method, _known(metric, FULL)))

    def family_accuracy(self, method: str) -> Stated | None:
        """Return how often the likeliest pizza is the right one on track B."""
        return self.families[method][0] if method in self.families else None

    def ablation(self, regime: str, method: str, *, closure: bool) -> Stated | None:
        """Return a method's accuracy with the closure of the families, or without it."""
        return self.closures.get((regime, method, closure))

    def inductive(self, regime: str, method: str, split: str) -> Stated | None:
        """Return a method's accuracy on pairs of kinds that it never saw ("held_out"), or on those that it did."""
        return self.held_out.get((regime, method, _known(split, ("held_out", "test"))))

    def learning_rate(self, regime: str, rate: float) -> Stated | None:
        """Return Moose's accuracy at a learning rate."""
        return self.rates.get((regime, rate))

    def rate_spread(self, regime: str) -> float | None:
        """Return the largest less the smallest of all runs at all learning rates."""
        return self.spreads.get(regime)

    def significance(self, regime: str, other: str) -> StatedComparison | None:
        """Return the test of Moose against another method."""
        return self.comparisons.get((regime, other))

    def circuit(self, regime: str) -> StatedCircuit | None:
        """Return the size of a regime's circuit."""
        return self.circuits.get(regime)

    def best(self, regime: str, metric: str) -> tuple[float, tuple[str, ...]]:
        """Return the best mean of a headline column, and whose it is.

        >>> read_paper().best("mnist1", "ece")
        (0.039, ('elembeddings', 'bears'))
        """
        column = self.accuracies if _known(metric, ("accuracy", "ece")) == "accuracy" else self.eces
        means = {method: column[_known(regime, REGIMES), method].mean for method in PAPER_ROWS}
        best = (max if metric == "accuracy" else min)(means.values())
        return best, tuple(method for method, mean in means.items() if mean == best)


@cache
def read_paper() -> Paper:
    """Read the paper's numbers."""
    return paper_from_text(files("moose.benchmark.report.model").joinpath("paper.toml").read_text("utf-8"))


def paper_from_text(text: str) -> Paper:
    """Check and convert what the file says."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MooseError(f"paper.toml: expected TOML, but {error}") from None
    _same(tables, TABLES, "the tables")
    lr = dict(_table(tables["lr-sensitivity"], "lr-sensitivity"))
    spreads = _numbers(lr.pop("spread", None), len(SWEPT), "lr-sensitivity.spread")
    return Paper(
        accuracies=_headline(tables["headline-acc"], "headline-acc"),
        eces=_headline(tables["headline-ece"], "headline-ece"),
        metrics=dict(_full(tables["headline-full"])),
        families=_families(tables["pizza-argmax"]),
        rates=dict(_rates(lr)),
        spreads=dict(zip(SWEPT, spreads)),
        comparisons=dict(_comparisons(tables["significance"])),
        held_out=dict(_inductive(tables["inductive"])),
        closures=dict(_closures(tables["closure-ablation"])),
        circuits=dict(_circuits(tables["repro"])),
        contradictions=tuple(_contradictions(tables["contradictions"])),
    )


# -------------------------------------------------------------------------------------------------------------- tables


def _headline(table: object, where: str) -> dict[tuple[str, str], Stated]:
    _same(_table(table, where), PAPER_ROWS, where)
    stated = {}
    for method, row in _methods(table, where):
        for regime, pair in zip(REGIMES, _list(row, len(REGIMES), f"{where}.{method}")):
            stated[regime, method] = _stated(pair, f"{where}.{method}", PERCENT)
    return stated


def _full(table: object) -> Iterator[tuple[tuple[str, str, str], Stated]]:
    _same(_table(table, "headline-full"), REGIMES, "headline-full")
    for regime, block in _table(table, "headline-full").items():
        where = f"headline-full.{regime}"
        _same(_table(block, where), PAPER_ROWS, where)
        for method, row in _methods(block, where):
            for metric, pair in zip(FULL, _list(row, len(FULL), f"{where}.{method}")):
                if pair != []:
                    unit = 1.0 if metric == "nll" else PERCENT
                    yield (regime, method, metric), _stated(pair, f"{where}.{method}", unit)


def _families(table: object) -> dict[str, tuple[Stated, Stated]]:
    rows = dict(_table(table, "pizza-argmax"))
    spreads = _numbers(rows.pop("spread", None), 2, "pizza-argmax.spread")
    stated = {method: _two(row, f"pizza-argmax.{method}") for method, row in _methods(rows, "pizza-argmax")}
    for column, spread in zip(zip(*stated.values()), spreads):
        means = [one.mean for one in column]
        _add_up(min(means) + _scaled(spread, PERCENT), max(means), "pizza-argmax.spread")
    return stated


def _rates(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, float], Stated]]:
    for rate, row in table.items():
        where = f"lr-sensitivity.{rate}"
        try:
            value = float(rate)
        except ValueError:
            raise MooseError(f"paper.toml: expected a learning rate as a key, but got {where}") from None
        for regime, pair in zip(SWEPT, _list(row, len(SWEPT), where)):
            yield (regime, value), _stated(pair, where, 1.0)


def _comparisons(table: object) -> Iterator[tuple[tuple[str, str], StatedComparison]]:
    for regime, method, row, where in _blocks(table, "significance"):
        verdict = _list(row, 5, where)[4]
        first, second, difference, p = _numbers(_list(row, 5, where)[:4], 4, where)
        _add_up(second + difference, first, where)
        yield (regime, method), StatedComparison(first, second, difference, p, _known(verdict, get_args(Verdict)))


def _inductive(table: object) -> Iterator[tuple[tuple[str, str, str], Stated]]:
    for regime, method, row, where in _blocks(table, "inductive"):
        unseen, deviation, seen, drop = _numbers(row, 4, where)
        _add_up(unseen + drop, seen, where)
        yield (regime, method, "held_out"), Stated(unseen, deviation)
        yield (regime, method, "test"), Stated(seen, None)


def _closures(table: object) -> Iterator[tuple[tuple[str, str, bool], Stated]]:
    for regime, method, row, where in _blocks(table, "closure-ablation"):
        closed, opened = _two(_list(row, 3, where)[:2], where)
        (change,) = _numbers(_list(row, 3, where)[2:], 1, where)
        _add_up(closed.mean + _scaled(change, PERCENT), opened.mean, where)
        yield (regime, method, True), closed
        yield (regime, method, False), opened


def _circuits(table: object) -> Iterator[tuple[str, StatedCircuit]]:
    _same(_table(table, "repro"), REGIMES, "repro")
    for regime, row in _table(table, "repro").items():
        where = f"repro.{regime}"
        *listed, seconds, training, memory = _list(row, 7, where)
        counts = [int(one) for one in _numbers(listed, 4, where)]
        if counts != listed:
            raise MooseError(f"paper.toml: expected four counts in {where}, but got {listed}")
        individuals, nodes, atoms, clauses = counts
        low, high = _numbers(seconds, 2, where)
        rest = _numbers([training, memory], 2, where)
        yield regime, StatedCircuit(individuals, nodes, atoms, clauses, (low, high), rest[0], rest[1])


def _contradictions(listed: object) -> Iterator[str]:
    for one in _list(listed, None, "contradictions"):
        table = _table(one, "contradictions")
        _same(table, ("places", "text"), "contradictions")
        text, places = table["text"], table["places"]
        if not isinstance(text, str) or not text.strip() or not isinstance(places, list) or not places:
            raise MooseError(f"paper.toml: expected places and a text of each contradiction, but got {table}")
        yield text


def _blocks(table: object, name: str) -> Iterator[tuple[str, str, object, str]]:
    """Go through rows of methods in blocks of regimes, each with where it stands."""
    for regime, block in _table(table, name).items():
        for method, row in _methods(block, f"{name}.{_known(regime, REGIMES)}"):
            yield regime, method, row, f"{name}.{regime}.{method}"


# -------------------------------------------------------------------------------------------------------------- values


def _stated(pair: object, where: str, unit: float) -> Stated:
    mean, deviation = _numbers(pair, 2, where)
    return Stated(_scaled(mean, unit), _scaled(deviation, unit))


def _two(pairs: object, where: str) -> tuple[Stated, Stated]:
    first, second = _list(pairs, 2, where)
    return _stated(first, where, PERCENT), _stated(second, where, PERCENT)


def _scaled(number: float, unit: float) -> float:
    return round(number * unit, 6)  # 48.1 per cent is 0.481, not 0.48100000000000004


def _add_up(one: float, other: float, where: str) -> None:
    if abs(one - other) > LAST_DIGIT:
        raise MooseError(f"paper.toml: expected the difference of {where} to fit its terms, but it is off")


def _numbers(value: object, count: int, where: str) -> list[float]:
    numbers = _list(value, count, where)
    if not all(type(one) in (int, float) and isfinite(one) for one in numbers):  # type: ignore[arg-type]
        raise MooseError(f"paper.toml: expected {count} numbers in {where}, but got {numbers}")
    return [float(one) for one in numbers]  # type: ignore[arg-type]  # checked above


def _list(value: object, count: int | None, where: str) -> list[object]:
    if not isinstance(value, list) or (count is not None and len(value) != count):
        raise MooseError(f"paper.toml: expected a list of {count or 'some'} in {where}, but got {value!r}")
    return value


def _table(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise MooseError(f"paper.toml: expected a table {where}, but got {value!r}")
    return value


def _methods(table: object, where: str) -> Iterator[tuple[str, object]]:
    for method, row in _table(table, where).items():
        yield _known(method, PAPER_ROWS), row


def _same(keys: Mapping[str, object], wanted: Sequence[str], where: str) -> None:
    if set(keys) != set(wanted):
        raise MooseError(f"paper.toml: expected in {where} {', '.join(wanted)}, but got {', '.join(keys)}")


def _known(word: object, known: Sequence[str]) -> str:
    if word not in known:
        raise unknown_word("a word of the paper's tables", str(word), known)
    return str(word)
