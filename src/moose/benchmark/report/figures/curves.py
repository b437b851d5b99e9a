"""How methods fare the more labels are hidden, or by what else a plan varies: a line for each method."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from statistics import fmean
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.axes import Axis, spanning
from moose.benchmark.report.figures.marks import draw_mark, look_of
from moose.benchmark.report.figures.svg import add, drawing, group, write, write_number, write_svg
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.report.tables.label_plans import METRICS, LabelMetric
from moose.benchmark.statistics.compare import principal

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
    ".m12{color:#1f6fb4}.m13{color:#8a5a2b}.m14{color:#00756f}.m15{color:#6b6f00}.m16{color:#c2410c}.m17{color:#3f5f7a}"
    ".m18{color:#7a4f9e}"
)
"""A style for a drawing outside the page."""


SHARE = "labels hidden, %"
WIDE = 20.0
"""From which ratio of the largest to the smallest value on an axis shows their logarithms."""


@dataclass(frozen=True, slots=True)
class Curves:
    """For each method the mean of a metric, in per cent, at each value of what is varied."""

    key: str
    title: str
    metric: str
    """What stands beside the upright axis."""
    varied: str
    """What stands below the other."""
    by_method: Mapping[str, Mapping[float, float]]

    @property
    def values(self) -> list[float]:
        """What it was varied to."""
        return sorted({value for points in self.by_method.values() for value in points})

    def told(self, value: float) -> str:
        """Write a value of what is varied."""
        return f"{value:g} % hidden" if self.varied == SHARE else f"{self.varied} {value:g}"

    @property
    def is_logarithmic(self) -> bool:
        """Whether the values are too far apart for their differences to be seen."""
        return self.values[0] > 0 and self.values[-1] / self.values[0] >= WIDE


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
        by_method = dict[str, dict[float, float]]()
        for method in results.trained:
            for share, regime in sorted(regimes.items()):
                if values := results.values(metric.measure, regime=regime, method=method):
                    by_method.setdefault(method, {})[share] = 100.0 * fmean(values.values())
        key = f"hidden-{name.replace('_', '-')}-{metric.key.replace('_', '-')}"
        title = f"{name}: {metric.title} by share of labels hidden"
        curves.append(Curves(key, title, metric.title, SHARE, by_method))
    return curves


def varied_figures(results: Results, key: str) -> tuple[Figure, ...]:
    """Draw accuracy and calibration of each regime over what a plan varies, if that is one thing, and numbers."""
    cells = results.listing.cells
    names = {name for cell in cells for name in cell.varied}
    numbers = sorted({value for cell in cells for value in cell.varied.values() if isinstance(value, int | float)})
    if len(names) != 1 or len(numbers) < 2:
        return ()
    (name,) = names
    figures = []
    for regime in results.regimes:
        for short, metric, title in (("accuracy", None, "accuracy"), ("ece", "ece", "calibration error")):
            by_method = {
                method: {
                    value: 100.0 * fmean(values.values())
                    for value in numbers
                    if (
                        values := results.values(
                            principal(regime, metric), regime=regime, method=method, varied={name: value}
                        )
                    )
                }
                for method in results.trained
            }
            known = {method: points for method, points in by_method.items() if points}
            words = name.replace("_", " ")
            curves = Curves(
                f"{key}--{regime}-{short}", f"{regime_title(regime)}: {title} by {words}", title, words, known
            )
            figures += [draw_curves(curves)] if known and len(curves.values) > 1 else []
    return tuple(figures)


def draw_curves(curves: Curves) -> Figure:
    """Draw the curves."""
    rows = -(-len(curves.by_method) // IN_ROW)
    root = drawing(WIDTH, LEGEND + rows * ENTRY, curves.title)
    place_of = log10 if curves.is_logarithmic else float
    marked = spanning([value for points in curves.by_method.values() for value in points.values()], PERCENT)
    first, last = place_of(curves.values[0]), place_of(curves.values[-1])
    across, up = Axis(first, last, LEFT + 10.0, RIGHT - 10.0), Axis(marked[0], marked[-1], BOTTOM, TOP)
    ticks = [(across.coordinate(place_of(value)), f"{value:g}") for value in curves.values]
    _draw_frame(root, ticks, (up, marked), curves)
    for method, points in curves.by_method.items():
        on_page = [(across.coordinate(place_of(at)), up.coordinate(value)) for at, value in sorted(points.items())]
        line = "M" + "L".join(f"{write_number(x)} {write_number(y)}" for x, y in on_page)
        add(root, "path", {"class": f"spread {look_of(method).colour}", "d": line})
        for (at, value), place in zip(sorted(points.items()), on_page, strict=True):
            draw_mark(root, method, place, tip=f"{title_of(method)}, {curves.told(at)}: {value:.1f}")
    for count, method in enumerate(curves.by_method):
        entry = group(root, (LEFT + count % IN_ROW * (RIGHT - LEFT) / IN_ROW, LEGEND + count // IN_ROW * ENTRY))
        draw_mark(entry, method, (6.0, -4.0))
        write(entry, title_of(method), (18.0, 0.0), "key")
    return Figure(curves.key, curves.title, _say(curves), write_svg(root))


def _draw_frame(
    root: Element, across: Sequence[tuple[float, str]], up: tuple[Axis, Sequence[float]], curves: Curves
) -> None:
    grid = "".join(f"M{LEFT:g} {write_number(up[0].coordinate(mark))}H{RIGHT:g}" for mark in up[1])
    add(root, "path", {"class": "grid", "d": grid})
    add(root, "path", {"class": "axis", "d": f"M{LEFT:g} {TOP:g}V{BOTTOM:g}H{RIGHT:g}"})
    ticks = add(root, "g", {"class": "ticks"})
    for place, text in across:
        write(ticks, text, (place, BOTTOM + 15.0), "middle")
    for mark in up[1]:
        write(ticks, f"{mark:g}", (LEFT - 6.0, up[0].coordinate(mark) + 3.5), "end")
    write(root, curves.varied, ((LEFT + RIGHT) / 2, BOTTOM + 32.0), "name middle")
    turned = write(root, f"{curves.metric}, %", (-(TOP + BOTTOM) / 2, 11.0), "name middle")
    turned.set("transform", "rotate(-90)")


def _say(curves: Curves) -> str:
    percent = " %" if curves.varied == SHARE else ""
    told = [
        f"{title_of(method)} " + ", ".join(f"{value:.1f} at {at:g}{percent}" for at, value in sorted(points.items()))
        for method, points in curves.by_method.items()
    ]
    return f"{curves.metric[:1].upper()}{curves.metric[1:]}, means over seeds: {'; '.join(told)}."


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
