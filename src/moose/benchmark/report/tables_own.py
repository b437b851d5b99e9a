"""Plans of the user's own; and of any plan what failed, and what is still to be run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from moose.benchmark.comparing import principal
from moose.benchmark.report.model import Column, Line, Table
from moose.benchmark.report.quantities import Results, mark_best, quantity, regime_group, seed_note, seeds_text
from moose.benchmark.report.titles import regime_title, title_of

MEASURED = (("accuracy", "Accuracy", None, True), ("ece", "Calibration error of decisions", "ece", False))
"""The key, the title, the metric (None for the principal accuracy), and whether more is better."""


def own_tables(results: Results, key: str) -> tuple[Table, ...]:
    """Return accuracy and calibration of a plan that the paper does not have; `key` begins the keys of both."""
    return tuple(
        _own_table(results, (f"{key}-{name}", title), metric, is_higher=is_higher)
        for name, title, metric, is_higher in MEASURED
    )


def _own_table(results: Results, names: tuple[str, str], metric: str | None, *, is_higher: bool) -> Table:
    listing, regimes = results.listing, results.listing.regimes
    columns = tuple(Column(regime_title(one), regime_group(one, results.data), is_higher) for one in regimes)
    variations = list({varied_text(cell.varied): dict(cell.varied) for cell in listing.cells}.items())
    lines = [
        Line(
            f"{title_of(row)}, {text}" if text else title_of(row),
            tuple(
                quantity(results.values(principal(one, metric), regime=one, method=row, varied=varied))
                for one in regimes
            ),
            is_reference=row in results.baselines,
        )
        for row in (*results.trained, *results.baselines)
        for text, varied in variations
    ]
    note = f"In per cent. {seed_note(results)}"
    title = f"{listing.title or listing.plan}: {names[1].lower()}"
    return Table(names[0], title, "Row", columns, mark_best(lines, columns), note)


def varied_text(varied: Mapping[str, object]) -> str:
    """Write what is varied.

    >>> varied_text({"learning_rate": 0.001})
    'learning rate 0.001'
    """
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in varied.items())


def plain(name: str) -> str:
    """Return a name that may stand in an anchor and in the name of a file.

    >>> plain("my plan_2")
    'my-plan-2'
    """
    letters = [letter if letter.isascii() and letter.isalnum() else "-" for letter in name]
    return "".join(letters).strip("-") or "plan"


# ------------------------------------------------------------------------------------------------- failed and missing


def failure_table(plans: Sequence[Results]) -> Table | None:
    """Return what failed, with its error; None if nothing did."""
    columns = (Column("Regime"), Column("Data"), Column("Seed"), Column("Varied"), Column("Error"))
    lines = tuple(
        Line(
            title_of(one["method"]),
            (
                regime_title(one["regime"]),
                one["data"],
                str(one["seed"]),
                varied_text(one["varied"]),
                f"{one['error']['kind']}: {_first_line(one['error']['message'])}",
            ),
            block=f"Plan {results.listing.plan}",
        )
        for results in plans
        for one in results.failures
    )
    note = "The command moose bench run computes them once more if it is given with --retry."
    return Table("failed", "Runs that failed", "Row", columns, lines, note) if lines else None


def _first_line(message: str) -> str:
    return next(iter(message.splitlines()), "")


def missing_table(plans: Sequence[Results]) -> Table | None:
    """Return how many runs are neither finished nor failed, row by row; None if there are none."""
    columns = (Column("Regimes"), Column("Seeds"), Column("Runs"))
    lines = list[Line]()
    for results in plans:
        done = {one["cell"] for one in (*results.records, *results.failures)}
        left = [cell for cell in results.listing.cells if cell.cell not in done]
        for row in results.listing.rows:
            mine = [cell for cell in left if cell.method == row]
            if mine:
                here = {cell.regime for cell in mine}
                regimes = ", ".join(regime_title(one) for one in results.listing.regimes if one in here)
                entries = (regimes, seeds_text({cell.seed for cell in mine}), str(len(mine)))
                lines.append(Line(title_of(row), entries, block=f"Plan {results.listing.plan}"))
    note = "The command moose bench run goes on where it was stopped."
    return Table("missing", "Runs that are still to be done", "Row", columns, tuple(lines), note) if lines else None
