"""The headline: accuracy and calibration of every method in every regime; and where the paper contradicts itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from moose.benchmark.report.model.model import Column, Line, Quantity, Table
from moose.benchmark.report.model.quantities import (
    Results,
    accuracy_text,
    mark_best,
    quantity,
    regime_group,
    seed_note,
)
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.report.tables.regimes import accuracy_line, calibration_lines
from moose.benchmark.statistics.compare import principal

if TYPE_CHECKING:
    from moose.benchmark.report.model.paper import Paper


PAPER_ECE = "ece_atom"
"""Our metric that the paper's ECE is."""
DECISION_ECE = (
    "Expected calibration error of the likeliest member of a latent family, or of each atom where no family is latent"
)


def accuracy_table(results: Results, paper: Paper) -> Table:
    """Return the principal accuracy, methods down and regimes across."""

    def find(regime: str, method: str) -> Quantity:
        values = results.values(principal(regime), regime=regime, method=method)
        return quantity(values, paper.headline(regime, method, "accuracy"))

    note = (
        f"In per cent; higher is better. {accuracy_text(results.listing.regimes)} {seed_note(results)} The lines below "
        "the methods are no methods: what can be had without looking at an image, and what can be expected from the "
        "evidence if no reading is preferred."
    )
    references = (accuracy_line(results.listing.regimes),)
    return _table(results, find, references=references, table=("headline-accuracy", "Accuracy", note), is_higher=True)


def atom_calibration_table(results: Results, paper: Paper) -> Table:
    """Return the calibration error of atoms, which is the paper's ECE."""

    def find(regime: str, method: str) -> Quantity:
        values = results.values(principal(regime, PAPER_ECE), regime=regime, method=method)
        return quantity(values, paper.headline(regime, method, "ece"))

    note = (
        "In per cent; lower is better. Expected calibration error of each latent atom in ten bins, which is what the "
        "paper's figures are. Atoms that are nearly always false make it small whatever a method says, so see the "
        f"next table too. {seed_note(results)}"
    )
    references = calibration_lines(results.listing.regimes, of_atoms=True)
    names = ("headline-ece", "Calibration error of atoms (ECE)", note)
    return _table(results, find, references=references, table=names, is_higher=False)


def decision_calibration_table(results: Results) -> Table:
    """Return the calibration error of what is decided, which the paper does not have."""

    def find(regime: str, method: str) -> Quantity:
        return quantity(results.values(principal(regime, "ece"), regime=regime, method=method))

    note = f"In per cent; lower is better. {DECISION_ECE}; the paper does not have it. {seed_note(results)}"
    references = calibration_lines(results.listing.regimes, of_atoms=False)
    names = ("headline-ece-decision", "Calibration error of decisions", note)
    return _table(results, find, references=references, table=names, is_higher=False)


def _table(
    results: Results,
    find: Callable[[str, str], Quantity],
    *,
    references: tuple[Line, ...],
    table: tuple[str, str, str],
    is_higher: bool,
) -> Table:
    regimes, (key, title, note) = results.listing.regimes, table
    columns = tuple(Column(regime_title(one), regime_group(one, results.data), is_higher) for one in regimes)
    methods = [Line(title_of(row), tuple(find(one, row) for one in regimes)) for row in results.trained]
    trivial = [
        Line(title_of(row), tuple(find(one, row) for one in regimes), is_reference=True) for row in results.baselines
    ]
    lines = (*mark_best(methods, columns), *trivial, *references)
    shows = {"headline-accuracy": "tab:headline-acc", "headline-ece": "tab:headline-ece"}.get(key, "")
    return Table(key, title, "Method", columns, lines, note, shows)


def contradiction_table(paper: Paper) -> Table:
    """Return where the paper says two things that cannot both be so."""
    lines = tuple(Line(str(number), (text,)) for number, text in enumerate(paper.contradictions, 1))
    return Table("contradictions", "Numbers that do not fit each other", "", (Column("In the paper"),), lines)
