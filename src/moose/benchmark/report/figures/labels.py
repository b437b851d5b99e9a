"""Names beside marks, where there is room for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree.ElementTree import Element

from moose.benchmark.report.figures.svg import write

HEIGHT = 12.0
LETTER = 5.8
"""Of a small letter of a label, on the wide side, as the reader's fonts are not known."""
REACH = 7.0


class Box(NamedTuple):
    """A rectangle; the top is the smaller number."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        """Return whether they share more than an edge."""
        is_beside = self.right <= other.left or other.right <= self.left
        return not is_beside and self.top < other.bottom and other.top < self.bottom

    def is_within(self, other: Box) -> bool:
        """Return whether nothing of it lies outside another."""
        is_across = other.left <= self.left and self.right <= other.right
        return is_across and other.top <= self.top and self.bottom <= other.bottom


def write_label(parent: Element, name: str, box: Box, point: tuple[float, float]) -> None:
    """Write a name into its box, from the side of what it names: a wider font then grows away from that."""
    if box.right <= point[0]:
        write(parent, name, (box.right, box.bottom - 3.0), "label end")
    elif box.left >= point[0]:
        write(parent, name, (box.left, box.bottom - 3.0), "label")
    else:
        write(parent, name, ((box.left + box.right) / 2, box.bottom - 3.0), "label middle")


def box_around(point: tuple[float, float], reach: float = REACH) -> Box:
    """Return the box that a mark takes."""
    x, y = point
    return Box(x - reach, y - reach, x + reach, y + reach)


def place_labels(named: Mapping[str, tuple[float, float]], taken: Sequence[Box], inside: Box) -> dict[str, Box]:
    """Return a free box beside the place of each name, to its right if that can be; a name without room has none.

    >>> inside, marks = Box(0, 0, 40, 40), [box_around((30, 20))]
    >>> place_labels({"a": (30, 20)}, marks, inside)["a"].right <= marks[0].left
    True
    >>> place_labels({"too long for that": (30, 20)}, marks, inside)
    {}
    """
    placed: dict[str, Box] = {}
    for name, point in named.items():
        width = LETTER * len(name)
        boxes = [*taken, *placed.values()]
        for box in _candidates(point, width):
            if box.is_within(inside) and not any(box.overlaps(other) for other in boxes):
                placed[name] = box
                break
    return placed


def _candidates(point: tuple[float, float], width: float) -> list[Box]:
    x, y = point
    half, near = HEIGHT / 2, REACH + 1.0
    right, left = x + near, x - near - width
    corners = [(right, y - half), (left, y - half), (x - width / 2, y - near - HEIGHT), (x - width / 2, y + near)]
    corners += [
        (x + 2, y - near - HEIGHT),
        (x + 2, y + near),
        (x - width - 2, y - near - HEIGHT),
        (x - width - 2, y + near),
    ]
    corners += [(right, y - HEIGHT), (right, y), (left, y - HEIGHT), (left, y)]
    return [Box(corner, top, corner + width, top + HEIGHT) for corner, top in corners]
