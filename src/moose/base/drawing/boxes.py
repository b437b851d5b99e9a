"""Place the boxes of a proof in rows, premises above what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

CHARACTER, LINE, GAP, MARGIN = 8, 16, 24, 16
"""Sizes in pixels: of a character (12-pixel type, rounded up), a line, the space between boxes, the margin."""


@dataclass(frozen=True, slots=True)
class Box:
    """A step to draw: its number, its lines of text, the numbers of its premises."""

    number: int
    lines: tuple[str, ...]
    premises: tuple[int, ...]
    is_goal: bool
    heads: int = 1
    """How many of the lines, the first, say what the step shows."""


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a box stands."""

    box: Box
    left: int
    top: int

    @property
    def width(self) -> int:
        """Return the width of the box."""
        return width_of(self.box)

    @property
    def height(self) -> int:
        """Return the height of the box."""
        return height_of(self.box)

    @property
    def middle(self) -> int:
        """Return the horizontal middle."""
        return self.left + self.width // 2

    @property
    def bottom(self) -> int:
        """Return the lower edge."""
        return self.top + self.height


def width_of(box: Box) -> int:
    """Return how wide a box must be for its text."""
    return CHARACTER * max(len(line) for line in box.lines) + 16


def height_of(box: Box) -> int:
    """Return how high a box must be for its text."""
    return LINE * len(box.lines) + 10


def place(boxes: Sequence[Box]) -> tuple[dict[int, Placed], int, int]:
    """Return where each box stands, and the width and height of the whole.

    A box stands one row below the lowest of its premises; within a row boxes keep the order of what they show.
    """
    depth: dict[int, int] = {}
    for box in boxes:  # premises come first
        depth[box.number] = 1 + max((depth[premise] for premise in box.premises), default=-1)
    last = {box.number: depth[box.number] for box in boxes}
    for box in reversed(boxes):  # pull each box down to just above what uses it
        users = [other for other in boxes if box.number in other.premises]
        if users:
            last[box.number] = min(last[user.number] for user in users) - 1
    rows: dict[int, list[Box]] = {}
    for box in boxes:
        rows.setdefault(last[box.number], []).append(box)
    widths = {row: sum(width_of(box) + GAP for box in members) - GAP for row, members in rows.items()}
    whole = max(widths.values()) + 2 * MARGIN
    placed: dict[int, Placed] = {}
    top = MARGIN
    for row in sorted(rows):
        left = (whole - widths[row]) // 2
        for box in rows[row]:
            placed[box.number] = Placed(box, left, top)
            left += width_of(box) + GAP
        top += max(height_of(box) for box in rows[row]) + 2 * GAP
    return placed, whole, top - 2 * GAP + MARGIN
