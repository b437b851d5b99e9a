"""Pictures of an evaluation: a reliability diagram, a confusion matrix, a sheet of predictions."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import numpy as np
import torch

from moose.base.errors import MooseError
from moose.grounding.predicted_atoms import likeliest_members, predicted_atoms
from moose.learning.binding import latent_columns, latent_families
from moose.learning.evaluation.metrics import Labels, Reliability
from moose.learning.examples import Examples
from moose.learning.prediction import Predictions
from moose.learning.tensor_files import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RIGHT, WRONG, PLAIN = "#2a7f62", "#b23a48", "#3b6ea5"
DOTS = 120
"""Dots per inch."""
NAMED = 3
"""Members of a family, or toppings and the like, that a sheet names below an image."""
WIDE = 60
"""Letters in a column of a list."""


def draw_reliability(reliability: Reliability, path: Path, *, title: str = "") -> None:
    """Draw how often predictions of each confidence are right, and below it how many there are.

    Where nothing is judged the title says so.
    """
    figure = _figure(4.6, 5.2)
    upper, lower = figure.subplots(2, 1, height_ratios=(3, 1), sharex=True)
    bins = len(reliability.counts)
    middles = (np.arange(bins) + 0.5) / bins
    filled = reliability.counts > 0
    upper.plot([0, 1], [0, 1], linestyle="--", color="grey", linewidth=1, label="calibrated")
    upper.bar(middles[filled], reliability.accuracy[filled], width=0.9 / bins, color=PLAIN, label="right")
    upper.plot(
        reliability.confidence[filled], reliability.accuracy[filled], "o", color="black", markersize=4, label="mean"
    )
    upper.set(ylim=(0, 1.02), xlim=(0, 1), ylabel="share right", title=f"{title}\n{_gap_text(reliability)}".strip())
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    lower.bar(middles, np.maximum(reliability.counts, 0), width=0.9 / bins, color="grey")
    lower.set_yscale("symlog")
    lower.set(xlabel="confidence", ylabel="predictions")
    _write(figure, path)


def _gap_text(reliability: Reliability) -> str:
    """Say how large the calibration error is, or that there is none.

    >>> nothing = np.zeros(2)
    >>> _gap_text(Reliability(nothing.astype(np.int64), nothing, nothing))
    'nothing is judged'
    >>> _gap_text(Reliability(np.array([1, 3]), np.array([0.25, 0.75]), np.array([0.0, 1.0])))
    'ECE 25.00%'
    """
    total = int(reliability.counts.sum())
    gaps = reliability.counts * np.abs(reliability.accuracy - reliability.confidence)
    return f"ECE {float(gaps.sum()) / total:.2%}" if total else "nothing is judged"


def draw_confusion(
    matrix: Labels, names: Sequence[str], path: Path, *, title: str = "", undecided: Labels | None = None
) -> None:
    """Draw how often each class (row) was taken for each (column).

    Where it is given how often several were the likeliest, that is a last column, if it ever was so.
    """
    taken, under = list(names), "predicted"
    if undecided is not None and undecided.any():
        matrix = np.column_stack([matrix, undecided])
        taken, under = [*names, "none"], "predicted; none: several are equally likely"
    side = 1.6 + 0.42 * len(taken)
    figure = _figure(side + 0.6, side)
    axes = figure.subplots()
    shares = matrix / np.maximum(matrix.sum(1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    for row, column in np.argwhere(matrix > 0).tolist():
        colour = "white" if shares[row, column] > 0.5 else "black"
        axes.text(column, row, f"{matrix[row, column]:,}", ha="center", va="center", color=colour, fontsize=7)
    axes.set_xticks(range(len(taken)), taken, rotation=0 if max(map(len, names)) < 4 else 90)
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel=under, ylabel="true", title=title)
    _write(figure, path)


def draw_predictions(examples: Examples, predictions: Predictions, path: Path, *, most: int = 12) -> None:
    """Draw some examples, each a row of its individuals, with what is observed and what is predicted of them.

    Where there are no images they are listed, one line each.
    """
    people = range(len(examples.task.individuals))
    if len(examples) and all(examples.image(0, individual) is None for individual in people):
        _list_predictions(examples, predictions, path, most=2 * most)
    else:
        _draw_images(examples, predictions, path, most=most)


def _list_predictions(examples: Examples, predictions: Predictions, path: Path, *, most: int) -> None:
    people = [range(len(examples.task.individuals))] * min(most, len(examples))
    places = [
        (row, individual)
        for row, everybody in enumerate(people)
        for individual in everybody
        if examples.graphs is None or individual in examples.graphs[row].individuals
    ]
    figure = _figure(9.0, 0.24 * len(places) + 0.9)
    axes = figure.subplots()
    axes.axis("off")
    axes.set(xlim=(0, 1), ylim=(len(places), -1))
    columns = {"example": 0.0, "observed": 0.22, "the likeliest, green if right and red if wrong": 0.55}
    for heading, left in columns.items():
        axes.text(left, -0.5, heading, fontsize=8, weight="bold", va="center")
    for line, (row, individual) in enumerate(places):
        name = examples.task.individuals[individual]
        where = f"example {row}" if examples.where is None else Path(examples.where[row]).name
        title = where if len(examples.task.individuals) == 1 else f"{where}, {name}"
        told, is_right = _prediction_text(examples, predictions.posteriors[row, individual], (row, individual))
        observed = ", ".join(_observed(examples, row, name)) or "nothing"
        colour = "black" if is_right is None else RIGHT if is_right else WRONG
        for left, text, own in zip(columns.values(), (title, observed, ", ".join(told)), ("black", "grey", colour)):
            axes.text(left, line + 0.5, shorten(text, WIDE, placeholder=" …"), fontsize=7, va="center", color=own)
    _write(figure, path)


def _observed(examples: Examples, row: int, name: str) -> list[str]:
    return [text for text in examples.literals(row) if text.endswith(f"({name})")]


def _draw_images(examples: Examples, predictions: Predictions, path: Path, *, most: int) -> None:
    count, people = min(most, len(examples)), len(examples.task.individuals)
    across = max(1, min(4, 8 // people))
    down = -(-count // across)
    figure = _figure(1.5 * across * people + 0.3, 2.25 * down + 0.4)
    figure.suptitle("above: observed; below: the likeliest, green if right and red if wrong", fontsize=8)
    grid = figure.subplots(down, across * people, squeeze=False)
    for position in range(down * across):
        for individual in range(people):
            axes = grid[position // across, position % across * people + individual]
            axes.axis("off")
            if position < count:
                _draw_one(axes, examples, predictions, (position, individual))
    _write(figure, path)


def _draw_one(axes: Axes, examples: Examples, predictions: Predictions, where: tuple[int, int]) -> None:
    row, individual = where
    seen = examples.image(row, individual)
    if seen is None and examples.graphs is not None and individual not in examples.graphs[row].individuals:
        return
    image = torch.ones(1, 1, 1).numpy() if seen is None else seen.numpy()
    if seen is None:
        axes.imshow(image[0], cmap="gray", vmin=0, vmax=1)  # a blank, so that the words stand where they do elsewhere
    elif image.shape[0] == 1:
        axes.imshow(image[0], cmap="gray_r", vmin=0, vmax=1)
    else:
        axes.imshow(image[:3].transpose(1, 2, 0))
    name = examples.task.individuals[individual]
    axes.set_title("\n".join(_observed(examples, row, name)) or f"{name}: nothing observed", fontsize=7, pad=2)
    lines, is_right = _prediction_text(examples, predictions.posteriors[row, individual], where)
    colour = "black" if is_right is None else RIGHT if is_right else WRONG
    axes.text(0.5, -0.04, "\n".join(lines), transform=axes.transAxes, ha="center", va="top", fontsize=7, color=colour)


def _prediction_text(
    examples: Examples, posteriors: np.ndarray[tuple[int, ...], np.dtype[np.float32]], where: tuple[int, int]
) -> tuple[list[str], bool | None]:
    """Return what is predicted, in words, and whether it is right, if that is known and one thing is predicted."""
    task, truth = examples.task, examples.truth[where].numpy()
    has_concept = task.has_concept[where[1]]
    families = [family for family in latent_families(task) if has_concept[list(family)].all()]
    if families:
        columns = list(families[0])
        likely = [columns[place] for place in np.flatnonzero(likeliest_members(posteriors[columns]))]
        is_known = (truth[columns] > 0).sum() == 1 and len(likely) == 1
        names = [task.concepts[column].name for column in likely[:NAMED]]
        more = [f"{len(likely) - NAMED} more"] if len(likely) > NAMED else []
        told = f"{' or '.join(names + more)} {posteriors[likely[0]]:.0%}"
        return [told], bool(truth[likely[0]] > 0) if is_known else None
    is_predicted = predicted_atoms(posteriors)
    columns = [column for column in latent_columns(task) if has_concept[column]]
    likely = [column for column in columns if is_predicted[column]]
    names = [task.concepts[column].name for column in likely[:NAMED]] or ["nothing"]
    more = [f"and {len(likely) - NAMED} more"] if len(likely) > NAMED else []
    known = [column for column in columns if truth[column] != 0]
    is_right = all(is_predicted[column] == (truth[column] > 0) for column in known) if known else None
    return names + more, is_right


def _figure(width: float, height: float) -> Figure:
    """Make a figure of its own, without the state that pyplot keeps."""
    if find_spec("matplotlib") is None:
        raise MooseError("pictures need matplotlib, which is not installed; run `pip install 'moose-el[learn]'`")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), dpi=DOTS, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _write(figure: Figure, path: Path) -> None:
    content = io.BytesIO()
    figure.savefig(content, format="png")
    write_whole(path, content.getvalue())
