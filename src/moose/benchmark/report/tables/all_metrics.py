"""All metrics of every method in every regime, beside the paper's; and what is left of accuracy without evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Entry, Line, Table, Unit
from moose.benchmark.report.model.quantities import Results, mark_best, quantity, seed_note
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import Measure, principal

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper

METRICS: tuple[tuple[str, str, str | None, Unit], ...] = (
    ("Atoms by the network", "acc_atom", "acc_atom", "percent"),
    ("Accuracy", "accuracy", None, "percent"),
    ("NLL", "nll", "nll", "number"),
    ("ECE of atoms", "ece", "ece_atom", "percent"),
    ("RS cons", "rs_cons", "rs_cons", "percent"),
    ("Macro F1", "f1_macro", "f1_macro", "percent"),
)
"""The title, the paper's name, ours (None for the principal accuracy), and the unit of each."""
OF_TEST = ("rs_cons", "f1_macro")
"""Of pizzas A the paper has these for the kinds of pizza that training shows."""
VIEWS = (
    ("Given the evidence", "metrics"),
    ("Without evidence", "metrics_without_evidence"),
    ("Network alone", "metrics_network"),
)
FAMILY_REGIME = "pizzaB"
"""The regime of the paper's table of families."""


def full_table(results: Results, paper: Paper) -> Table:
    """Return six metrics, a block for each regime."""
    columns = tuple(Column(title, is_higher_better=_is_higher_better(metric)) for title, metric, _, _ in METRICS)
    lines = [
        Line(title_of(row), _metrics(results, paper, regime, row), regime_title(regime), row not in results.trained)
        for regime in results.regimes
        for row in (*results.trained, *results.baselines)
    ]
    note = (
        "In per cent but for NLL. Accuracy is that of the headline. RS cons is confidence times error: low is good. "
        "On pizzas A, RS cons and macro F1 are of kinds of pizza that training shows, as in the paper, and the rest "
        f"of kinds that it does not. {seed_note(results)}"
    )
    return Table("full", "Six metrics", "Method", columns, mark_best(lines, columns), note, "tab:headline-full")


def _metrics(results: Results, paper: Paper, regime: str, row: str) -> tuple[Entry, ...]:
    return tuple(
        quantity(
            results.values(_measure(regime, ours), regime=regime, method=row),
            paper.full(regime, row, theirs),
            unit=unit,
        )
        for _, theirs, ours, unit in METRICS
    )


def _measure(regime: str, metric: str | None) -> Measure:
    return Measure(metric) if metric is not None and metric in OF_TEST else principal(regime, metric)


def _is_higher_better(metric: str) -> bool:
    return metric == "accuracy" or Measure(metric).is_higher_better


def family_table(results: Results, paper: Paper) -> Table:
    """Return the accuracy of the kind of pizza where that is latent, beside that of atoms."""
    columns = (Column("Of the family", is_higher_better=True), Column("Of atoms", is_higher_better=True))
    lines = list[Line]()
    for row in (*results.trained, *results.baselines):
        family = results.values(Measure("acc_f"), regime=FAMILY_REGIME, method=row)
        atoms = results.values(principal(FAMILY_REGIME), regime=FAMILY_REGIME, method=row)
        entries = (
            quantity(family, paper.family_accuracy(row)),
            quantity(atoms, paper.families[row][1] if row in paper.families else None),
        )
        lines.append(Line(title_of(row), entries, is_reference=row not in results.trained))
    note = (
        "In per cent: how often the likeliest of the four kinds of pizza is the right one, and how often an atom is. "
        "Three of the four cannot be told apart by the evidence."
    )
    title = f"Accuracy of the kind of pizza, {regime_title(FAMILY_REGIME)}"
    return Table("family", title, "Method", columns, mark_best(lines, columns), note, "tab:pizza-argmax")


def view_table(results: Results) -> Table:
    """Return the principal accuracy with evidence, without it, and of the network by itself."""
    columns = tuple(Column(title, is_higher_better=True) for title, _ in VIEWS)
    lines = [
        Line(title_of(row), _views(results, regime, row), regime_title(regime), row not in results.trained)
        for regime in results.regimes
        for row in (*results.trained, *results.baselines)
    ]
    note = (
        "Accuracy in per cent. Given the evidence of the image to be judged, as in the paper's tables; without it, but "
        "with theory and roles; and what the network says of each image by itself. Held-out pizzas have no evidence."
    )
    return Table("views", "With evidence, and without it", "Method", columns, mark_best(lines, columns), note)


def _views(results: Results, regime: str, row: str) -> tuple[Entry, ...]:
    measures = [principal(regime)._replace(view=view) for _, view in VIEWS]
    return tuple(quantity(results.values(measure, regime=regime, method=row)) for measure in measures)
