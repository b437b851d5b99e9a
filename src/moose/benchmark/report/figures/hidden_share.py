"""How methods fare the more labels are hidden: a figure for each set and metric, a line for each method."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.axes import Axis, spanning
from moose.benchmark.report.figures.marks import draw_mark, look_of
from moose.benchmark.report.figures.svg import add, drawing, group, write, write_number, write_svg
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.model.titles import title_of
from moose.benchmark.report.tables.label_plans import METRICS, LabelMetric

HIDDEN = re.compile(r"(.+)-hidden([0-9]+)")
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 420.0, 40.0, 412.0, 12.0, 232.0
LEGEND, ENTRY, IN_ROW = BOTTOM + 58.0, 17.0, 2
LEAST_SHARES = 3
"""Fewer are no line."""
PERCENT = (0.0, 100.0)
STANDALONE = (
    "text{font:11px sans-serif;fill:#444}.middle{text-anchor:middle}.end{text-anchor:end}"
    ".grid{stroke:#ddd;stroke-width:.6;fill:none}.axis{stroke:#777;fill:none}"
    ".spread{stroke:currentColor;stroke-width:1.6;fill:none}.mark{fill:currentColor;stroke:#fff;stroke-width:.8}"
    ".m0{color:#1f6fb4}.m1{color:#9467bd}.m2{color:#8c564b}.m3{color:#c2185b}.m4{color:#7f7f7f}.m5{color:#d62728}"
    ".m6{color:#6b8e23}.m7{color:#17a2b8}.m8{color:#e08a00}.m9{color:#2e7d32}.m10{color:#5d4037}.m11{color:#3949ab}"
    ".m12{color:#1f6fb4}.m13{color:#8a5a2b}"
)
"""A style for a drawing outside the page."""


@dataclass(frozen=True, slots=True)
class Curves:
    """A metric of a set: for each method the mean at each share of labels hidden, both in per cent."""

    name: str
    metric: LabelMetric
    by_method: Mapping[str, Mapping[int, float]]


def hidden_share_figures(results: Results, metrics: Sequence[LabelMetric] = METRICS[:2]) -> tuple[Figure, ...]:
    """Draw each set of which several shares were hidden."""
    return tuple(draw_curves(one) for metric in metrics for one in find_curves(results, metric))


def find_curves(results: Results, metric: LabelMetric) -> list[Curves]:
    """Collect what there is of sets with at least three shares."""
    shares = dict[str, dict[int, str]]()
    for regime in results.regimes:
        if match := HIDDEN.fullmatch(regime):
            shares.setdefault(match[1], {})[int(match[2])] = regime
    curves = []
    for name, regimes in shares.items():
        if name in results.regimes:
            regimes[0] = name
        if len(regimes) < LEAST_SHARES:
            continue
        by_method = dict[str, dict[int, float]]()
        for method in results.trained:
            for share, regime in sorted(regimes.items()):
                if values := results.values(metric.measure, regime=regime, method=method):
                    by_method.setdefault(method, {})[share] = 100.0 * fmean(values.values())
        curves.append(Curves(name, metric, by_method))
    return curves


def draw_curves(curves: Curves) -> Figure:
    """Draw the curves of a set."""
    title = f"{curves.name}: {curves.metric.title} by share of labels hidden"
    rows = -(-len(curves.by_method) // IN_ROW)
    root = drawing(WIDTH, LEGEND + rows * ENTRY, title)
    shares = sorted({share for points in curves.by_method.values() for share in points})
    values = [value for points in curves.by_method.values() for value in points.values()]
    marked = spanning(values, PERCENT)
    across, up = Axis(shares[0], shares[-1], LEFT + 10.0, RIGHT - 10.0), Axis(marked[0], marked[-1], BOTTOM, TOP)
    _draw_frame(root, (across, shares), (up, marked), curves.metric.title)
    for method, points in curves.by_method.items():
        on_page = [(across.coordinate(share), up.coordinate(value)) for share, value in sorted(points.items())]
        line = "M" + "L".join(f"{write_number(x)} {write_number(y)}" for x, y in on_page)
        add(root, "path", {"class": f"spread {look_of(method).colour}", "d": line})
        for (share, value), place in zip(sorted(points.items()), on_page, strict=True):
            draw_mark(root, method, place, tip=f"{title_of(method)}, {share} % hidden: {value:.1f}")
    for count, method in enumerate(curves.by_method):
        entry = group(root, (LEFT + count % IN_ROW * (RIGHT - LEFT) / IN_ROW, LEGEND + count // IN_ROW * ENTRY))
        draw_mark(entry, method, (6.0, -4.0))
        write(entry, title_of(method), (18.0, 0.0), "key")
    key = f"hidden-{curves.name.replace('_', '-')}-{curves.metric.key.replace('_', '-')}"
    return Figure(key, title, _say(curves), write_svg(root))


def _draw_frame(root: Element, across: tuple[Axis, Sequence[int]], up: tuple[Axis, Sequence[float]], name: str) -> None:
    grid = "".join(f"M{LEFT:g} {write_number(up[0].coordinate(mark))}H{RIGHT:g}" for mark in up[1])
    add(root, "path", {"class": "grid", "d": grid})
    add(root, "path", {"class": "axis", "d": f"M{LEFT:g} {TOP:g}V{BOTTOM:g}H{RIGHT:g}"})
    ticks = add(root, "g", {"class": "ticks"})
    for share in across[1]:
        write(ticks, f"{share}", (across[0].coordinate(share), BOTTOM + 15.0), "middle")
    for mark in up[1]:
        write(ticks, f"{mark:g}", (LEFT - 6.0, up[0].coordinate(mark) + 3.5), "end")
    write(root, "labels hidden, %", ((LEFT + RIGHT) / 2, BOTTOM + 32.0), "name middle")
    turned = write(root, f"{name}, %", (-(TOP + BOTTOM) / 2, 11.0), "name middle")
    turned.set("transform", "rotate(-90)")


def _say(curves: Curves) -> str:
    told = [
        f"{title_of(method)} " + ", ".join(f"{value:.1f} at {share} %" for share, value in sorted(points.items()))
        for method, points in curves.by_method.items()
    ]
    return f"{curves.metric.title}, means over seeds: {'; '.join(told)}."


def standalone(figures: Sequence[Figure], columns: int = 2) -> str:
    """Return figures side by side in one file of their own, with a style."""
    from xml.etree.ElementTree import fromstring

    parts = [fromstring(figure.svg) for figure in figures]  # noqa: S314  # written above
    heights = [float(part.attrib["viewBox"].split()[3]) + 24.0 for part in parts]
    height = max(heights)
    rows = -(-len(parts) // columns)
    root = drawing(WIDTH * columns, height * rows, "; ".join(figure.title for figure in figures))
    root.set("xmlns", "http://www.w3.org/2000/svg")
    add(root, "style", text=STANDALONE)
    for number, (part, figure) in enumerate(zip(parts, figures, strict=True)):
        place = group(root, (number % columns * WIDTH, number // columns * height + 18.0))
        write(place, figure.title, (LEFT, -4.0), "key")
        place.extend(list(part))
    return write_svg(root) + "\n"
