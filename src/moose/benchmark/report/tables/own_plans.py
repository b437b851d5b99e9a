"""Plans of the user's own; and of any plan what failed, and what is still to be run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count

from moose.benchmark.report.model.model import Column, Line, Table
from moose.benchmark.report.model.quantities import (
    Results,
    accuracy_text,
    mark_best,
    quantity,
    regime_group,
    seed_note,
    seeds_text,
)
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.report.tables.headline import DECISION_ECE
from moose.benchmark.report.tables.label_plans import LABEL_KEYS
from moose.benchmark.statistics.compare import principal

LONGEST = 300
"""Letters of an error that are shown; the record has it all."""
MEASURED = (("accuracy", "Accuracy", None, True), ("ece", "Calibration error of decisions", "ece", False))
"""The key, the title, the metric (None for the principal accuracy), and whether more is better."""
CIRCUITS = "circuits"
"""The end of the key of a table of circuits."""
COMPARED = "compared"
"""The end of the key of the table of tests."""


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
            block=text,  # only until the best of each is marked
            is_reference=row in results.baselines,
        )
        for row in (*results.trained, *results.baselines)
        for text, varied in variations
    ]
    marked = tuple(replace(line, block="") for line in mark_best(lines, columns))
    which = accuracy_text(regimes) if metric is None else f"{DECISION_ECE}."
    best = " The best is marked for each value of what is varied." if len(variations) > 1 else ""
    note = f"In per cent; {'higher' if is_higher else 'lower'} is better. {which} {seed_note(results)}{best}"
    title = f"{listing.title or listing.plan}: {names[1].lower()}"
    return Table(names[0], title, "Row", columns, marked, note)


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


def own_keys(plans: Sequence[str]) -> list[str]:
    """Return a key for each plan that none of its tables' keys shares with another's, in whatever case.

    >>> own_keys(["mine", "my plan", "my-plan"])
    ['own-mine', 'own-my-plan', 'own-my-plan-2']
    """
    taken, keys = set[str](), list[str]()
    for plan in plans:
        first = f"own-{plain(plan)}"
        tries = chain([first], (f"{first}-{number}" for number in count(2)))
        key, its = next((key, its) for key in tries if not taken & (its := keys_under(key)))
        taken |= its
        keys.append(key)
    return keys


def keys_under(key: str) -> set[str]:
    """Return the keys of a plan's section and of all tables that it may have, in small letters."""
    names = (*(one[0] for one in MEASURED), CIRCUITS, COMPARED, *LABEL_KEYS)
    return {key.lower(), *(f"{key}-{name}".lower() for name in names)}


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
    line = next(iter(message.splitlines()), "")
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"


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
