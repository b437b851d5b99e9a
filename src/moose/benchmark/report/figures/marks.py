"""The mark of each method in drawings: a colour and a shape of its own, so that either is enough to tell it."""

from __future__ import annotations

import math
from typing import NamedTuple
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.svg import add, group, write_number
from moose.benchmark.report.model.titles import BASELINE_ROWS

RADIUS = 5.0
SHAPES = {
    "independent": "circle",
    "semantic-loss": "square",
    "deepproblog": "diamond",
    "ltn": "up",
    "elembeddings": "down",
    "moose": "star",
    "moose-cover": "plus",
    "ensemble": "cross",
    "bears": "right",
    "nesydm-rloo": "pentagon",
    "nesydm-exact": "left",
    "moose-honest": "hexagon",
    "max-constraint": "hourglass",
    "max-propagation": "bow-tie",
    "moose-labels": "octagon",
    "moose-conditional": "pentagon-down",
    "moose-siblings": "heptagon",
    "moose-only": "heptagon-down",
    "moose-siblings-together": "hexagon-flat",
}
"""The colour of each is the class m0, m1, … of the style sheet, in this order; a new one is put last."""
BASELINE_SHAPES = dict(zip(BASELINE_ROWS, ("dash", "bar", "thin-plus", "thin-cross")))

CORNERS = {"square": (4, 45.0), "diamond": (4, 0.0), "up": (3, -90.0), "down": (3, 90.0), "right": (3, 0.0)}
CORNERS |= {
    "left": (3, 180.0),
    "pentagon": (5, -90.0),
    "hexagon": (6, 0.0),
    "hexagon-flat": (6, 30.0),
    "heptagon": (7, -90.0),
    "heptagon-down": (7, 90.0),
    "octagon": (8, 22.5),
    "pentagon-down": (5, 90.0),
}
"""How many corners, and the direction of the first in degrees; to the right is 0, down is 90."""
STROKES = {"dash": "M-5 0h10", "bar": "M0-5v10", "thin-plus": "M-5 0h10M0-5v10", "thin-cross": "M-4-4l8 8M4-4l-8 8"}


class Look(NamedTuple):
    """How a method is drawn."""

    colour: str
    """A class of the style sheet."""
    shape: str


def look_of(method: str) -> Look:
    """Return how a method is drawn; one that is not in the table takes the look of one that is.

    >>> look_of("moose"), look_of("theory")
    (Look(colour='m5', shape='star'), Look(colour='reference', shape='thin-cross'))
    """
    if method in BASELINE_SHAPES:
        return Look("reference", BASELINE_SHAPES[method])
    names = list(SHAPES)
    index = names.index(method) if method in SHAPES else sum(method.encode()) % len(names)
    return Look(f"m{index}", SHAPES[names[index]])


def draw_mark(parent: Element, method: str, point: tuple[float, float], *, tip: str = "", kind: str = "") -> Element:
    """Draw the mark of a method at a point; the kind "hollow" is for the paper's."""
    look = look_of(method)
    mark = group(parent, point)
    stroke = "stroke" if look.shape in STROKES else ""
    classes = " ".join(filter(None, ("mark", look.colour, stroke, kind)))
    add(mark, "path", {"class": classes, "d": outline(look.shape)}, tip=tip)
    return mark


def outline(shape: str) -> str:
    """Return the outline of a shape around the origin.

    >>> outline("diamond")
    'M5.8 0L0 5.8L-5.8 0L0-5.8z'
    """
    if shape in STROKES:
        return STROKES[shape]
    if shape == "circle":
        return "M-4.8 0a4.8 4.8 0 1 0 9.6 0a4.8 4.8 0 1 0-9.6 0z"
    if shape in ("hourglass", "bow-tie"):
        return "M-5-5h10l-10 10h10z" if shape == "hourglass" else "M-5-5v10l10-10v10z"
    if shape in CORNERS:
        count, first = CORNERS[shape]
        reach = RADIUS * (1.25 if count == 3 else 1.15)  # of equal area to the eye
        return _polygon([(reach, first + 360.0 * corner / count) for corner in range(count)])
    if shape == "star":
        return _polygon([(RADIUS * (1.35 if corner % 2 == 0 else 0.6), -90.0 + 36.0 * corner) for corner in range(10)])
    turn = 0.0 if shape == "plus" else 45.0
    arms = [
        (angle + side, reach) for angle in range(0, 360, 90) for side, reach in ((-17.0, 1.2), (17.0, 1.2), (45.0, 0.5))
    ]
    return _polygon([(RADIUS * reach, angle + turn) for angle, reach in arms])


def _polygon(corners: list[tuple[float, float]]) -> str:
    """Join corners that are given by distance and direction."""
    points = [
        (reach * math.cos(math.radians(angle)), reach * math.sin(math.radians(angle))) for reach, angle in corners
    ]
    return "M" + "L".join(_pair(x, y) for x, y in points) + "z"


def _pair(x: float, y: float) -> str:
    second = write_number(y)
    return write_number(x) + (second if second.startswith("-") else f" {second}")
