"""How often a method is right where it says that it is sure: a figure a regime, a panel a method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.axes import Axis
from moose.benchmark.report.figures.marks import look_of
from moose.benchmark.report.figures.panels import WIDTH, Panels, details_of, trained_methods, write_title
from moose.benchmark.report.figures.svg import add, drawing, group, write, write_number, write_svg
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.numbers import MISSING, write_spread
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import principal, summary
from moose.benchmark.store.records import Record

HEIGHT = 84.0
FAINTEST = 0.25
"""The opacity of a bar with hardly an atom in it: still to be seen."""


class Bin(NamedTuple):
    """Atoms whose confidence lies in a tenth, of all seeds together."""

    number: int
    atoms: int
    confidence: float
    accuracy: float


def reliability_diagrams(records: Sequence[Record], regimes: Sequence[str]) -> tuple[Figure, ...]:
    """Draw a figure for each regime that has a result."""
    return tuple(draw_regime(records, regime) for regime in regimes if trained_methods(records, regime))


def draw_regime(records: Sequence[Record], regime: str) -> Figure:
    """Draw a panel for each method."""
    methods = trained_methods(records, regime)
    pooled = {method: pool_bins(details_of(records, regime, method)) for method in methods}
    lowest = min((one.number for bins in pooled.values() for one in bins), default=5)
    low = 0.5 if lowest >= 5 else 0.0  # of atoms no confidence is below a half
    title = f"{regime_title(regime)}: reliability"
    panels = Panels(len(methods), HEIGHT, left=22.0, below=24.0)
    root = drawing(WIDTH, panels.total + 14.0, title)
    across, up = Axis(low, 1.0, 0.0, panels.width), Axis(0.0, 1.0, HEIGHT, 0.0)
    errors = {method: summary(records, regime, method, principal(regime, "ece_atom")) for method in methods}
    for number, (method, bins) in enumerate(pooled.items()):
        spread = errors[method]
        error = write_spread(spread.mean, spread.deviation) if spread else MISSING
        panel = group(root, panels.corner(number), look_of(method).colour)
        draw_panel(panel, bins, across=across, up=up)
        if panels.is_first(number):
            draw_heights(panel, up)
        write_title(panel, title_of(method), panels.width)
        write(panel, f"ECE {error}", (4.0, 11.0), "label")
    write(root, "confidence (across) and accuracy (up), %", (WIDTH / 2, panels.total + 9.0), "name middle")
    return Figure(
        f"reliability-{regime}",
        title,
        say_regime(regime, {method: one.mean for method, one in errors.items() if one}),
        write_svg(root),
    )


def pool_bins(details: Sequence[Record]) -> list[Bin]:
    """Return the bins of all seeds together that have an atom; each seed counts by its atoms.

    >>> seeds = [{"counts": [0, 1], "confidence": [0, 0.9], "accuracy": [0, 1.0]}]
    >>> seeds += [{"counts": [0, 3], "confidence": [0, 0.7], "accuracy": [0, 0.0]}]
    >>> pool_bins([{"reliability_atom": seed} for seed in seeds])
    [Bin(number=1, atoms=4, confidence=0.75, accuracy=0.25)]
    """
    seeds = [one["reliability_atom"] for one in details]
    pooled = []
    for number in range(max((len(seed["counts"]) for seed in seeds), default=0)):
        counts = [seed["counts"][number] for seed in seeds]
        total = sum(counts)
        if total:
            means = [
                sum(count * seed[key][number] for count, seed in zip(counts, seeds)) / total
                for key in ("confidence", "accuracy")
            ]
            pooled.append(Bin(number, total, round(means[0], 9), round(means[1], 9)))
    return pooled


def draw_panel(panel: Element, bins: Sequence[Bin], *, across: Axis, up: Axis) -> None:
    """Draw a bar of accuracy a bin, the fuller the more atoms, and what it is off by; on the diagonal none is off."""
    add(panel, "path", {"class": "axis", "d": f"M0 0V{HEIGHT:g}H{write_number(across.end)}"})
    total = sum(one.atoms for one in bins)
    for one in bins:
        left, right = across.coordinate(one.number / 10), across.coordinate((one.number + 1) / 10)
        lines: dict[str, str | float] = {"x": left + 0.6, "width": max(right - left - 1.2, 0.6)}
        height = up.coordinate(one.accuracy)
        opacity = f"{FAINTEST + (1.0 - FAINTEST) * (one.atoms / total) ** 0.5:.2f}"
        bar: dict[str, str | float] = {"y": height, "height": HEIGHT - height, "fill-opacity": opacity}
        add(panel, "rect", {"class": "bin", **lines, **bar}, tip=say_bin(one))
        edges = sorted((height, up.coordinate(one.confidence)))
        add(panel, "rect", {"class": "gap", **lines, "y": edges[0], "height": edges[1] - edges[0]}, tip=say_bin(one))
    start = write_number(up.coordinate(across.low))
    add(panel, "path", {"class": "diagonal", "d": f"M0 {start}L{write_number(across.end)} 0"})
    ticks = add(panel, "g", {"class": "ticks"})
    for mark, kind in ((across.low, ""), ((across.low + 1.0) / 2, "middle"), (1.0, "end")):
        write(ticks, f"{100 * mark:g}", (across.coordinate(mark), HEIGHT + 12.0), kind)


def draw_heights(panel: Element, up: Axis) -> None:
    """Write the values of the axis at the left of a row."""
    ticks = add(panel, "g", {"class": "ticks"})
    for mark in (0.0, 0.5, 1.0):
        write(ticks, f"{100 * mark:g}", (-4.0, up.coordinate(mark) + 3.5), "end")


def say_bin(one: Bin) -> str:
    """Say the figures of a bin."""
    span = f"confidence {10 * one.number}–{10 * one.number + 10}"
    means = f"mean {write_spread(one.confidence, None)}, accuracy {write_spread(one.accuracy, None)}"
    return f"{span}: {one.atoms:,} atoms, {means}"


def say_regime(regime: str, errors: Mapping[str, float]) -> str:
    """Say in words what is to be seen; errors are by method."""
    where = " of pizzas that were never shown" if principal(regime).split == "held_out" else ""
    text = (
        f"Bars: accuracy of latent atoms{where} in bins of confidence, all seeds together, the fuller the more atoms. "
        "Outlined: what confidence is off by; on the dashed line nothing. ECE is the mean over seeds."
    )
    if errors:
        least, most = min(errors, key=errors.__getitem__), max(errors, key=errors.__getitem__)
        text += f" Least ECE: {title_of(least)} ({write_spread(errors[least], None)});"
        text += f" largest: {title_of(most)} ({write_spread(errors[most], None)})."
    return text
