"""Draw what `bench.scaling` measured. Needs matplotlib, which nothing else does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

Case = Mapping[str, Any]  # as `bench.scaling` makes them

PAPER_JUMP = 40.0
"""Compile time at four individuals over that at three, as the paper has it (its appendix on treewidth)."""
PANELS = {"size": "size (elements)", "compile_seconds": "compilation (s)", "layer_seconds": "layer, both ways (s)"}


def plot_pinned(pinned: Mapping[str, Mapping[int, Case]], path: Path) -> None:
    """Plot size and times against the number of individuals, both logarithmic, with a line of slope one."""
    pyplot = _pyplot()
    figure, panels = pyplot.subplots(1, len(PANELS), figsize=(12, 3.6), layout="constrained")
    for panel, (name, label) in zip(panels, PANELS.items()):
        for shape, cases in pinned.items():
            counts = list(cases)
            values = [_spread(case[name]) for case in cases.values()]
            middles = [value[1] for value in values]
            bars = [[m - low for low, m, _ in values], [high - m for _, m, high in values]]
            panel.errorbar(counts, middles, yerr=bars, marker="o", capsize=3, label=shape)
        slope = [middles[-1] * count / counts[-1] for count in counts]
        panel.plot(counts, slope, color="grey", linestyle=":", label="linear")
        panel.set(xscale="log", yscale="log", xlabel="individuals, roles known", ylabel=label)
        panel.legend(frameon=False)
    _save(figure, path)


def plot_free(free: Mapping[int, Mapping[str, Case]], path: Path) -> None:
    """Plot size and compile time with open roles, beside the paper's jump from three individuals to four."""
    pyplot = _pyplot()
    figure, panels = pyplot.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
    for panel, name in zip(panels, ("size", "compile_seconds")):
        for way in next(iter(free.values())):
            points = [(count, _spread(ways[way][name])[1]) for count, ways in free.items() if name in ways[way]]
            panel.plot(*zip(*points), marker="o", label=way)
        if name == "compile_seconds" and 3 in free and name in free[3]["plain"]:
            start = _spread(free[3]["plain"][name])[1]
            panel.plot([3, 4], [start, PAPER_JUMP * start], color="grey", linestyle=":", label="the paper: 40-fold")
        panel.set(yscale="log", xlabel="individuals, roles open", ylabel=PANELS[name], xticks=list(free))
        panel.legend(frameon=False)
    _save(figure, path)


def _spread(value: object) -> tuple[float, float, float]:
    if isinstance(value, Mapping):
        return float(value["smallest"]), float(value["middle"]), float(value["largest"])
    assert isinstance(value, int | float)
    return float(value), float(value), float(value)


def _pyplot() -> Any:
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "moose"  # so that the same figures give the same file
    from matplotlib import pyplot as plt

    return plt


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, metadata={"Date": None})
