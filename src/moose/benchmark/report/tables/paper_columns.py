"""Column by column of the paper's two headline tables: is a method of ours as good as its best, and if not, why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from moose.benchmark.plans.plans import SMOKE
from moose.benchmark.report.model.facts import WARNING
from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Table
from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.quantities import Results, quantity, rounded
from moose.benchmark.report.model.titles import BASELINE_ROWS, OURS, regime_title, title_of
from moose.benchmark.report.tables.headline import PAPER_ECE
from moose.benchmark.report.tables.regimes import find_reach
from moose.benchmark.statistics.compare import Measure, principal

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper

What = Literal["accuracy", "ece"]
BLOCKS: dict[What, str] = {"accuracy": "Accuracy", "ece": "Calibration error of atoms (ECE)"}
COLUMNS = (
    Column("The paper's best"),
    Column("Its method"),
    Column("Our best"),
    Column("Our method"),
    Column("As good?"),
    Column("Why"),
)


@dataclass(frozen=True, slots=True)
class Contest:
    """One column: the paper's best against all rows of ours."""

    regime: str
    what: What
    paper: float
    whose: tuple[str, ...]
    quantities: dict[str, Quantity]
    """Of each row that has a figure."""

    @property
    def ours(self) -> str | None:
        """The best of our methods; the first of equals."""
        return self.best_of([row for row in OURS if row in self.quantities])

    def best_of(self, rows: list[str]) -> str | None:
        """Return the best of some rows."""
        sign = 1 if self.what == "accuracy" else -1
        return max(rows, key=lambda row: sign * self.mean(row), default=None)

    def mean(self, row: str) -> float:
        """Return the figure of a row."""
        mean = self.quantities[row].mean
        assert mean is not None
        return mean

    def is_as_good(self, one: float, other: float) -> bool:
        """Return whether a figure is at least as good as another, as they are written."""
        first, second = rounded(one), rounded(other)
        return first >= second if self.what == "accuracy" else first <= second


def column_table(results: Results, paper: Paper) -> Table:
    """Return a line for each column of the paper's headline."""
    lines = tuple(
        Line(regime_title(regime), _entries(contest), BLOCKS[what])
        for what in BLOCKS
        for regime in results.listing.regimes
        if (contest := find_contest(results, paper, regime=regime, what=what)) is not None
    )
    note = (
        "In per cent. Figures are compared as they are written, to a tenth of a per cent. Ours are "
        f"{', '.join(map(title_of, OURS[:-1]))} and {title_of(OURS[-1])}. What can be expected from the evidence is "
        "explained with the table of readings."
    )
    if results.listing.scale == SMOKE:
        note += f" {WARNING}"
    return Table("columns", "Column by column", "Regime", COLUMNS, lines, note)


def find_contest(results: Results, paper: Paper, *, regime: str, what: What) -> Contest | None:
    """Return what stands in a column; None where the paper has no such column."""
    if paper.headline(regime, "moose", what) is None:
        return None
    measure: Measure = principal(regime, None if what == "accuracy" else PAPER_ECE)
    values = {row: results.values(measure, regime=regime, method=row) for row in results.listing.rows}
    best, whose = paper.best(regime, what)
    return Contest(regime, what, best, whose, {row: quantity(seeds) for row, seeds in values.items() if seeds})


def _entries(contest: Contest) -> tuple[Entry, ...]:
    ours = contest.ours
    whose = ", ".join(map(title_of, contest.whose))
    if ours is None:
        return Quantity(contest.paper), whose, Quantity(None), "", "not run", ""
    is_good = contest.is_as_good(contest.mean(ours), contest.paper)
    return (
        Quantity(contest.paper),
        whose,
        contest.quantities[ours],
        title_of(ours),
        "yes" if is_good else "no",
        " ".join(_reasons(contest, ours, is_good=is_good)),
    )


def _reasons(contest: Contest, ours: str, *, is_good: bool) -> list[str]:
    mean = contest.mean(ours)
    reasons = [_beyond(contest, mean) if is_good else _shortfall(contest, mean)]
    rest = contest.best_of([row for row in contest.quantities if row not in OURS])
    if rest is not None and not contest.is_as_good(mean, contest.mean(rest)):
        title = title_of(rest)
        who = f"The baseline {title}, which looks at no image," if rest in BASELINE_ROWS else title
        reasons.append(f"{who} has {_percent(contest.mean(rest))} here.")
    return [reason for reason in reasons if reason]


def _shortfall(contest: Contest, mean: float) -> str:
    """Say what can be expected from the evidence, where the paper's best was not reached."""
    reach = find_reach(contest.regime)
    if not reach.is_shown:
        return "Not reached; training never shows what is judged, so nothing says what can be expected."
    if contest.what == "ece":
        honest = reach.of_atoms.honest_ece
        return f"Not reached; a learner that is honest about all readings could expect {_percent(honest)}."
    expected = reach.of_accuracy.accuracy
    if rounded(contest.paper) <= rounded(expected):
        return f"Not reached; {_percent(expected)} can be expected from this evidence: it is training that falls short."
    if rounded(mean) > rounded(expected):
        return (
            f"Not reached. Who prefers no reading can expect {_percent(expected)} from this evidence; what is above "
            "that, ours and the paper's, is a habit of the method that happens to suit the data, or luck."
        )
    if rounded(mean) == rounded(expected):
        return (
            f"Ours is what can be expected from this evidence, {_percent(expected)}; the paper's "
            f"{_percent(contest.paper)} is above that: luck, or a habit that happens to be right."
        )
    return (
        f"Not reached. Who prefers no reading can expect {_percent(expected)} from this evidence, and more is a habit "
        f"that happens to be right, or luck; the paper's {_percent(contest.paper)} is above that, and ours below."
    )


def _beyond(contest: Contest, mean: float) -> str:
    """Say where an accuracy is more than can be expected."""
    reach = find_reach(contest.regime)
    expected = reach.of_accuracy.accuracy
    if contest.what == "ece" or not reach.is_shown or rounded(mean) <= rounded(expected):
        return ""
    return (
        f"More than the {_percent(expected)} that can be expected without a preference among readings: a habit that "
        "happens to be right, or luck."
    )


def _percent(value: float) -> str:
    return f"{write_spread(value, None)} %"
