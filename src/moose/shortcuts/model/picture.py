"""A picture: what a model predicts of each state, beside the consistent map nearest to it and the honest posterior."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.shortcuts.count.consistent_map import ConsistentMap, true_state_text
from moose.shortcuts.count.count_text import count_text
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.model.follow import Followed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Shares = npt.NDArray[np.float64]
DOTS = 120
"""Dots per inch."""
MOST_SHOWN = 40
"""States and concepts beyond which nothing could be read."""


def draw_followed(followed: Followed, path: Path) -> None:
    """Draw three matrices of states (rows) and concepts (columns): model, nearest consistent map, honest posterior."""
    shortcuts = followed.shortcuts
    panels = {
        f"the model: {followed.verdict}": followed.shares,
        f"nearest consistent map: {followed.off_nearest:.1%} off": _of_reading(shortcuts, followed.nearest),
        f"honest: {_all_maps(shortcuts)}": _honest(shortcuts),
    }
    _draw(shortcuts, panels, path)


def draw_maps(shortcuts: Shortcuts, path: Path, *, most: int = 3) -> None:
    """Draw the honest posterior beside the consistent maps that are nearest to the truth."""
    panels = {_all_maps(shortcuts): _honest(shortcuts)}
    for number, reading in enumerate(shortcuts.nearest(most)):
        panels[f"map {number + 1}: {_shortened(str(reading))}"] = _of_reading(shortcuts, reading)
    _draw(shortcuts, panels, path)


def _all_maps(shortcuts: Shortcuts) -> str:
    return "the one consistent map" if shortcuts.maps == 1 else f"all {count_text(shortcuts.maps)} consistent maps"


def _honest(shortcuts: Shortcuts) -> Shares:
    return np.array([[float(share) for share in shares.values()] for shares in shortcuts.beliefs.values()])


def _of_reading(shortcuts: Shortcuts, reading: ConsistentMap) -> Shares:
    latent = shortcuts.problem.vocabulary.latent
    return np.array([[float(name in read) for name in latent] for read in reading.table.values()])


def _draw(shortcuts: Shortcuts, panels: dict[str, Shares], path: Path) -> None:
    if find_spec("matplotlib") is None:
        raise MooseError("pictures need matplotlib, which is not installed; run `pip install 'moose-el[learn]'`")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    rows = [true_state_text(shortcuts.problem, index) for index in shortcuts.problem.true_states]
    columns = shortcuts.problem.vocabulary.latent
    if max(len(rows), len(columns)) > MOST_SHOWN:
        raise MooseError(f"{len(rows)} states and {len(columns)} concepts are too many for a picture; leave it out")
    width, height = 1.4 + 0.34 * len(columns), 1.8 + 0.3 * len(rows)
    figure = Figure(figsize=(width * len(panels) + 0.6, height), dpi=DOTS, layout="constrained")
    FigureCanvasAgg(figure)
    every = figure.subplots(1, len(panels), squeeze=False)[0]
    for index, (axes, (title, shares)) in enumerate(zip(every, panels.items())):
        _draw_one(axes, shares, columns, title)
        axes.set_yticks(range(len(rows)), rows if index == 0 else [""] * len(rows), fontsize=7)
    every[0].set_ylabel("true")
    content = io.BytesIO()
    figure.savefig(content, format="png")
    _write(path, content.getvalue())


def _draw_one(axes: Axes, shares: Shares, columns: Sequence[str], title: str) -> None:
    axes.imshow(np.nan_to_num(shares), cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for row, column in np.argwhere(np.nan_to_num(shares) >= 0.005).tolist():
        colour = "white" if shares[row, column] > 0.5 else "black"
        text = f"{shares[row, column]:.2f}".removeprefix("0")
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=6)
    axes.set_xticks(range(len(columns)), columns, rotation=0 if max(map(len, columns)) < 4 else 90, fontsize=7)
    axes.set_title(title, fontsize=8)
    axes.set_xlabel("predicted")


def _shortened(text: str, most: int = 36) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _write(path: Path, content: bytes) -> None:
    from moose.base.whole_files import whole_file

    with whole_file(path) as draft:
        draft.write_bytes(content)
