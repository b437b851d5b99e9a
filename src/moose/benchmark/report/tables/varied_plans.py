"""The plans that change something: the closure, the pairs of digits to learn from, the learning rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Entry, Line, Quantity, Table
from moose.benchmark.report.model.quantities import Results, mark_best, paired, quantity, regime_group, seed_note
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import Measure, principal, value_of

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper, Stated

OPEN = "-open"
"""How the name of a row ends that goes without the closure."""
SIGMOID = "-sigmoid"
"""How that of BEARS ends where its head is not a softmax over the family."""


def ablation_pairs(rows: Sequence[str]) -> list[tuple[str, str]]:
    """Return the rows with the closure, each with the one that goes without.

    >>> ablation_pairs(["moose", "bears", "moose-open"])
    [('moose', 'moose-open')]
    """
    return [(row, f"{row}{OPEN}") for row in rows if f"{row}{OPEN}" in rows]


def ablation_table(results: Results, paper: Paper) -> Table:
    """Return the accuracy with the closure of the families, without it, and the difference."""
    columns = (
        Column("With closure", is_higher_better=True),
        Column("Without", is_higher_better=True),
        Column("Change when removed"),
    )
    rows = results.listing.rows
    lines = [
        Line(_closed_title(row), _ablated(results, paper, regime, (row, opened)), regime_title(regime))
        for regime in results.regimes
        for row, opened in [*ablation_pairs(rows), *((row, "") for row in rows if not _is_paired(row, rows))]
    ]
    note = (
        "Accuracy in per cent. Without the closure nothing says that a digit is one, and only one, of the ten. The "
        f"change is the mean over the seeds that both have. {seed_note(results)}"
    )
    title = "With the closure of the families, and without it"
    return Table("ablation", title, "Method", columns, mark_best(lines, columns), note, "tab:closure-ablation")


def _is_paired(row: str, rows: Sequence[str]) -> bool:
    return row.endswith(OPEN) or f"{row}{OPEN}" in rows


def _closed_title(row: str) -> str:
    plain = row.removesuffix(SIGMOID)
    return title_of(row) if plain == row else f"{title_of(plain)}, sigmoid head"


def _ablated(results: Results, paper: Paper, regime: str, rows: tuple[str, str]) -> tuple[Entry, ...]:
    closed, opened = (results.values(principal(regime), regime=regime, method=row) for row in rows)
    method = rows[0].removesuffix(SIGMOID)
    ours = paper.ablation(regime, method, closure=True), paper.ablation(regime, method, closure=False)
    return (quantity(closed, ours[0]), quantity(opened, ours[1]), _change(paired(opened, closed), ours[1], ours[0]))


def _change(differences: Sequence[float], to: Stated | None, since: Stated | None) -> Quantity:
    """Return a mean difference beside that of the paper's means."""
    change = quantity(differences)
    stated = None if to is None or since is None else to.mean - since.mean
    return Quantity(change.mean, change.deviation, change.count, stated)


# --------------------------------------------------------------------------------------------------------- inductive


def inductive_table(results: Results, paper: Paper) -> Table:
    """Return the accuracy on pairs that were held back, on pairs of the kinds trained on, and the drop."""
    columns = (
        Column("Pairs held back", is_higher_better=True),
        Column("Pairs trained on", is_higher_better=True),
        Column("Drop", is_higher_better=False),
    )
    lines = [
        Line(title_of(row), _induced(results, paper, regime, row), regime_title(regime), row in results.baselines)
        for regime in results.regimes
        for row in (*results.trained, *results.baselines)
    ]
    note = (
        "Accuracy in per cent, on images that training does not show. The drop is what held-back pairs cost, the mean "
        f"over seeds. {seed_note(results)}"
    )
    title = "Pairs of kinds that were never trained on"
    return Table("inductive", title, "Method", columns, mark_best(lines, columns), note, "tab:inductive")


def _induced(results: Results, paper: Paper, regime: str, row: str) -> tuple[Entry, ...]:
    metric = principal(regime).metric
    held, known = (results.values(Measure(metric, split), regime=regime, method=row) for split in ("held_out", "test"))
    stated = paper.inductive(regime, row, "held_out"), paper.inductive(regime, row, "test")
    return (quantity(held, stated[0]), quantity(known, stated[1]), _change(paired(known, held), stated[1], stated[0]))


# ------------------------------------------------------------------------------------------------------- sensitivity


def sensitivity_table(results: Results, paper: Paper) -> Table:
    """Return the accuracy at each learning rate, and how far all runs are apart."""
    regimes, listing = results.listing.regimes, results.listing
    rates = sorted({_rate(cell.varied) for cell in listing.cells})
    columns = tuple(
        Column(regime_title(one), regime_group(one, results.data), is_higher_better=True) for one in regimes
    )
    lines = list[Line]()
    for row in listing.rows:
        block = title_of(row) if len(listing.rows) > 1 else ""
        for rate in rates:
            entries = tuple(_at_rate(results, paper, regime, (row, rate)) for regime in regimes)
            lines.append(Line(f"{rate:g}", entries, block))
        entries = tuple(_spread(results, paper, regime, row) for regime in regimes)
        lines.append(Line("Largest less smallest of all runs", entries, block, is_reference=True))
    note = (
        f"Accuracy in per cent. {seed_note(results)} On pizzas A it is that of the kinds of pizza that were trained "
        "on: the paper does not say which its own is, but it is far above its headline, which is of kinds never shown."
    )
    title = "Moose at several learning rates"
    heading, shows = "Learning rate", "tab:lr-sensitivity"
    return Table("sensitivity", title, heading, columns, mark_best(lines, columns), note, shows)


def _rate(varied: Mapping[str, object]) -> float:
    rate = varied["learning_rate"]
    assert isinstance(rate, int | float)
    return float(rate)


def _of_rates(regime: str) -> Measure:
    return principal(regime)._replace(split="test")


def _at_rate(results: Results, paper: Paper, regime: str, column: tuple[str, float]) -> Quantity:
    row, rate = column
    values = results.values(_of_rates(regime), regime=regime, method=row, varied={"learning_rate": rate})
    return quantity(values, paper.learning_rate(regime, rate) if row == "moose" else None)


def _spread(results: Results, paper: Paper, regime: str, row: str) -> Quantity:
    measured = [value_of(one, _of_rates(regime)) for one in results.of(regime=regime, method=row)]
    values = [value for value in measured if value is not None]
    stated = paper.rate_spread(regime) if row == "moose" else None
    return Quantity(max(values) - min(values) if values else None, count=len(values), paper=stated)
