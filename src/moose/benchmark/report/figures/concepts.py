"""Which concepts each method finds, and which it sees where they are not: for regimes without a latent family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.axes import Axis
from moose.benchmark.report.figures.marks import look_of
from moose.benchmark.report.figures.panels import WIDTH, Panels, details_of, trained_methods, write_title
from moose.benchmark.report.figures.svg import add, drawing, group, write, write_number, write_svg
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.numbers import write_spread
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.statistics.compare import principal
from moose.benchmark.store.records import Record

ROW = 11.0
LETTERS = 14
"""The most of a concept's name that is written."""


class ConceptRates(NamedTuple):
    """How a concept fares, of all seeds together; None where it is never true, or never false."""

    name: str
    recall: float | None
    false_alarm: float | None


def draw_concepts(records: Sequence[Record], regime: str) -> Figure:
    """Draw a panel for each method: to the right what is found of a concept, to the left what is seen wrongly."""
    methods = trained_methods(records, regime)
    pooled = {method: pool_concepts(details_of(records, regime, method)) for method in methods}
    names = max((list(rates) for rates in pooled.values()), key=len)
    title = f"{regime_title(regime)}: concepts found and seen wrongly"
    panels = Panels(len(methods), height=ROW * len(names), left=90.0, below=18.0, gap=8.0)
    root = drawing(WIDTH, panels.total + 14.0, title)
    across = Axis(-1.0, 1.0, 0.0, panels.width)
    for number, method in enumerate(methods):
        corner = panels.corner(number)
        panel = group(root, corner, look_of(method).colour)
        draw_panel(panel, [pooled[method].get(name, ConceptRates(name, None, None)) for name in names], across=across)
        write_title(panel, title_of(method), panels.width)
        if panels.is_first(number):
            draw_names(root, names, corner)
    write(root, "seen where it is not (left) and found (right), %", (WIDTH / 2, panels.total + 9.0), "name middle")
    return Figure(f"concepts-{regime}", title, say_concepts(regime), write_svg(root))


def pool_concepts(details: Sequence[Record]) -> dict[str, ConceptRates]:
    """Return what all seeds together make of each concept.

    >>> pool_concepts([{"concepts": {"Ham": [1, 2, 3, 6]}}, {"concepts": {"Ham": [3, 0, 1, 0]}}])
    {'Ham': ConceptRates(name='Ham', recall=0.5, false_alarm=0.25)}
    """
    names = list(dict.fromkeys(name for one in details for name in one["concepts"]))
    pooled = {}
    for name in names:
        counts = zip(*(one["concepts"][name] for one in details if name in one["concepts"]))
        hit, false, missed, absent = map(sum, counts)
        recall = hit / (hit + missed) if hit + missed else None
        pooled[name] = ConceptRates(name, recall, false / (false + absent) if false + absent else None)
    return pooled


def draw_panel(panel: Element, concepts: Sequence[ConceptRates], *, across: Axis) -> None:
    """Draw two bars for each concept, away from the middle."""
    height, middle = ROW * len(concepts), across.coordinate(0.0)
    add(panel, "rect", {"class": "field", "width": across.end, "height": height})
    for number, one in enumerate(concepts):
        lines = {"y": number * ROW + 1.5, "height": ROW - 3.0}
        if one.recall is not None:
            width = across.coordinate(one.recall) - middle
            add(panel, "rect", {"class": "bin", "x": middle, "width": width, **lines}, tip=say_rates(one))
        if one.false_alarm:
            left = across.coordinate(-one.false_alarm)
            add(panel, "rect", {"class": "alarm", "x": left, "width": middle - left, **lines}, tip=say_rates(one))
    add(panel, "path", {"class": "axis", "d": f"M{write_number(middle)} 0V{height:g}"})
    ticks = add(panel, "g", {"class": "ticks"})
    for mark, kind in ((-1.0, ""), (0.0, "middle"), (1.0, "end")):
        write(ticks, f"{abs(100 * mark):g}", (across.coordinate(mark), height + 11.0), kind)


def draw_names(root: Element, names: Sequence[str], corner: tuple[float, float]) -> None:
    """Write the concepts' names at the left of a row of panels."""
    column = add(root, "g", {"class": "ticks"})
    for number, name in enumerate(names):
        short = name.removesuffix("Topping")
        cut = short if len(short) <= LETTERS else short[: LETTERS - 1] + "…"
        write(column, cut, (corner[0] - 5.0, corner[1] + number * ROW + 8.5), "end")


def say_rates(one: ConceptRates) -> str:
    """Say the figures of a concept."""
    recall = "never true" if one.recall is None else f"found {write_spread(one.recall, None)} %"
    alarm = "never false" if one.false_alarm is None else f"seen wrongly {write_spread(one.false_alarm, None)} %"
    return f"{one.name}: {recall}, {alarm}"


def say_concepts(regime: str) -> str:
    """Say in words what is to be seen."""
    where = " Pizzas that were never shown." if principal(regime).split == "held_out" else ""
    return (
        "No family is latent here, so that there is nothing to confuse. To the right, how much of what is true is "
        "found; to the left, how much of what is false is taken for true; all seeds together. A concept without a bar "
        f"to the right is never found, or never true.{where}"
    )
