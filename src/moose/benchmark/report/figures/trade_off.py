"""Accuracy against calibration, a figure a regime: the paper's trade-off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.axes import Axis, spanning
from moose.benchmark.report.figures.labels import Box, box_around, place_labels, write_label
from moose.benchmark.report.figures.marks import draw_mark, look_of
from moose.benchmark.report.figures.svg import add, drawing, group, write, write_number, write_svg
from moose.benchmark.report.figures.trade_off_points import (
    Plane,
    Point,
    Stating,
    front,
    measured_points,
    say_plane,
    stated_points,
    write_percent,
)
from moose.benchmark.report.model.model import Figure
from moose.benchmark.report.model.titles import regime_title, title_of
from moose.benchmark.store.records import Record

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 420.0, 40.0, 412.0, 12.0, 282.0
LEGEND, ENTRY, IN_ROW = BOTTOM + 58.0, 17.0, 2
PERCENT = (0.0, 100.0)


def trade_offs(
    records: Sequence[Record],
    regimes: Sequence[str],
    *,
    expected: Mapping[str, float] | None = None,
    stated: Stating | None = None,
) -> tuple[Figure, ...]:
    """Draw a figure for each regime that has a result; what can be expected is an accuracy, as a fraction."""
    planes = [
        Plane(
            regime,
            tuple(measured_points(records, regime)),
            tuple(stated_points(stated, regime)) if stated else (),
            (expected or {}).get(regime),
        )
        for regime in regimes
    ]
    return tuple(draw_plane(plane) for plane in planes if plane.points)


def draw_plane(plane: Plane) -> Figure:
    """Draw the methods of a regime."""
    title = f"{regime_title(plane.regime)}: accuracy against calibration error"
    rows = -(-len(plane.methods) // IN_ROW) + 1
    root = drawing(WIDTH, LEGEND + rows * ENTRY, title)
    every = (*plane.points, *plane.stated)
    errors = spanning([0.0, *(point.error for point in every)], PERCENT)
    level = [] if plane.expected is None else [100.0 * plane.expected]
    accuracies = spanning([*level, *(point.accuracy for point in every)], PERCENT)
    across, up = Axis(errors[0], errors[-1], LEFT, RIGHT), Axis(accuracies[0], accuracies[-1], BOTTOM, TOP)
    draw_frame(root, (across, errors), (up, accuracies))
    if plane.expected is not None:
        draw_expected(root, plane.expected, up)
    draw_front(root, plane.compared, across=across, up=up)
    draw_points(root, plane, across=across, up=up)
    draw_legend(root, plane)
    return Figure(f"trade-off-{plane.regime}", title, say_plane(plane), write_svg(root))


def draw_frame(root: Element, across: tuple[Axis, Sequence[float]], up: tuple[Axis, Sequence[float]]) -> None:
    """Draw the grid, and the values and names of the axes."""
    grid = "".join(f"M{write_number(across[0].coordinate(mark))} {TOP:g}V{BOTTOM:g}" for mark in across[1])
    grid += "".join(f"M{LEFT:g} {write_number(up[0].coordinate(mark))}H{RIGHT:g}" for mark in up[1])
    add(root, "path", {"class": "grid", "d": grid})
    add(root, "path", {"class": "axis", "d": f"M{LEFT:g} {TOP:g}V{BOTTOM:g}H{RIGHT:g}"})
    ticks = add(root, "g", {"class": "ticks"})
    for mark in across[1]:
        write(ticks, f"{mark:g}", (across[0].coordinate(mark), BOTTOM + 15.0), "middle")
    for mark in up[1]:
        write(ticks, f"{mark:g}", (LEFT - 6.0, up[0].coordinate(mark) + 3.5), "end")
    write(root, "ECE of atoms, % (less is better)", ((LEFT + RIGHT) / 2, BOTTOM + 32.0), "name middle")
    name = write(root, "accuracy, % (more is better)", (-(TOP + BOTTOM) / 2, 11.0), "name middle")
    name.set("transform", "rotate(-90)")


def draw_expected(root: Element, expected: float, up: Axis) -> None:
    """Draw the accuracy that can be expected if no reading is preferred."""
    height = up.coordinate(100.0 * expected)
    add(root, "path", {"class": "expected", "d": f"M{LEFT:g} {write_number(height)}H{RIGHT:g}"})
    below = 12.0 if height < TOP + 14.0 else -4.0
    write(root, f"expected {write_percent(100.0 * expected)}", (RIGHT - 4.0, height + below), "label end muted")


def draw_front(root: Element, points: Sequence[Point], *, across: Axis, up: Axis) -> None:
    """Draw the steps that join the methods to which no other is superior in both."""
    steps = ""
    for point in front(points):
        x, y = write_number(across.coordinate(point.error)), write_number(up.coordinate(point.accuracy))
        steps += f"H{x}V{y}" if steps else f"M{x} {y}"
    if steps:
        add(root, "path", {"class": "front", "d": f"{steps}H{RIGHT:g}"})


def draw_points(root: Element, plane: Plane, *, across: Axis, up: Axis) -> None:
    """Draw lines from the paper's points to ours, spreads, the names that have room, and all marks above these."""
    ours, theirs = (
        {point.method: (across.coordinate(point.error), up.coordinate(point.accuracy)) for point in points}
        for points in (plane.points, plane.stated)
    )
    links = "".join(f"M{_pair(theirs[method])}L{_pair(ours[method])}" for method in theirs if method in ours)
    if links:
        add(root, "path", {"class": "link", "d": links})
    for point in plane.points:
        spread = _cross(point, across=across, up=up)
        if spread:
            add(root, "path", {"class": f"spread {look_of(point.method).colour}", "d": spread})
    named = {title_of(point.method): ours[point.method] for point in plane.compared}
    marks = [box_around(point_on_page) for point_on_page in (*ours.values(), *theirs.values())]
    for name, box in place_labels(named, marks, Box(LEFT + 2.0, TOP, RIGHT, BOTTOM - 2.0)).items():
        write_label(root, name, box, named[name])
    for point in plane.stated:
        draw_mark(root, point.method, theirs[point.method], tip=f"paper, {point.tip}", kind="hollow")
    for point in plane.points:
        draw_mark(root, point.method, ours[point.method], tip=point.tip)


def _cross(point: Point, *, across: Axis, up: Axis) -> str:
    """Return the lines of one standard deviation to both sides, both ways."""
    x, y, lines = across.coordinate(point.error), up.coordinate(point.accuracy), ""
    if point.error_deviation:
        left, right = (across.coordinate(point.error + sign * point.error_deviation) for sign in (-1, 1))
        lines += f"M{_pair((left, y))}H{write_number(right)}"
    if point.accuracy_deviation:
        low, high = (up.coordinate(point.accuracy + sign * point.accuracy_deviation) for sign in (-1, 1))
        lines += f"M{_pair((x, low))}V{write_number(high)}"
    return lines


def draw_legend(root: Element, plane: Plane) -> None:
    """Draw a mark and a name for each method, and say what hollow marks and the stepped line are."""
    width = (RIGHT - LEFT) / IN_ROW
    for count, method in enumerate(plane.methods):
        entry = group(root, (LEFT + count % IN_ROW * width, LEGEND + count // IN_ROW * ENTRY))
        draw_mark(entry, method, (6.0, -4.0))
        write(entry, title_of(method), (18.0, 0.0), "key")
    last = LEGEND + -(-len(plane.methods) // IN_ROW) * ENTRY
    if plane.compared:
        entry = group(root, (LEFT, last))
        add(entry, "path", {"class": "front", "d": "M0-1H6V-7H12"})
        write(entry, "no method is better in both", (18.0, 0.0), "key")
    if plane.stated:
        entry = group(root, (LEFT + width, last))
        draw_mark(entry, "independent", (6.0, -4.0), kind="hollow")
        write(entry, "hollow: the paper's figures", (18.0, 0.0), "key")


def _pair(point: tuple[float, float]) -> str:
    return f"{write_number(point[0])} {write_number(point[1])}"
