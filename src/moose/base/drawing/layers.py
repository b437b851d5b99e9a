"""Place boxes in rows, premises above what they show, and lead lines past the boxes between.

A line that goes over several rows has a place of its own in each row on its way (Sugiyama, Tagawa, Toda 1981). Rows are
ordered so that lines cross less; then each box moves to the middle of what it is joined to, as far as its neighbours in
the row allow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from moose.base.drawing.boxes import GAP, MARGIN, Box, Placed, height_of, width_of

LANE = 2
"""How wide a line is that goes past a row."""
SWEEPS = 8
"""How often rows are ordered and boxes are moved; after a few nothing changes."""

Point = tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """Where boxes stand, which way lines go, and the size of the whole."""

    placed: Mapping[int, Placed]
    lines: tuple[tuple[Point, ...], ...]
    """Points from the lower edge of a premise to the upper edge of what it shows; each is straight below the last, or
    in the space between two rows."""
    width: int
    height: int


@dataclass(eq=False)
class Node:
    """A box, or a place where a line goes past a row."""

    row: int
    width: int
    box: Box | None = None
    above: list[Node] = field(default_factory=list)
    below: list[Node] = field(default_factory=list)
    middle: float = 0.0


def lay_out(boxes: Sequence[Box]) -> Layout:
    """Place boxes, premises first, and their lines."""
    nodes, routes = joined(boxes)
    rows: dict[int, list[Node]] = {}
    for node in nodes:
        rows.setdefault(node.row, []).append(node)
    ordered_rows = [rows[row] for row in sorted(rows)]
    order(ordered_rows)
    move(ordered_rows)
    left = min(node.middle - node.width / 2 for node in nodes)
    right = max(node.middle + node.width / 2 for node in nodes)
    tops, bottoms, top = [], [], MARGIN
    for row in ordered_rows:
        tops.append(top)
        bottoms.append(top + max(height_of(node.box) for node in row if node.box is not None))
        top = bottoms[-1] + 2 * GAP
    shift = MARGIN - left
    placed = {
        node.box.number: Placed(node.box, round(node.middle + shift) - node.width // 2, tops[node.row])
        for node in nodes
        if node.box is not None
    }
    lines = tuple(points(route, placed, tops, bottoms, shift) for route in routes)
    return Layout(placed, lines, round(right + shift) + MARGIN, top - 2 * GAP + MARGIN)


def row_of(boxes: Sequence[Box]) -> dict[int, int]:
    """Return the row of each box: below its premises, and else as low as what it shows allows."""
    depth: dict[int, int] = {}
    for box in boxes:  # premises come first
        depth[box.number] = 1 + max((depth[premise] for premise in box.premises), default=-1)
    row = dict(depth)
    lowest: dict[int, int] = {}
    for box in reversed(boxes):  # pull each box down to just above what uses it
        row[box.number] = lowest.get(box.number, depth[box.number])
        for premise in box.premises:
            lowest[premise] = min(lowest.get(premise, row[box.number] - 1), row[box.number] - 1)
    used = sorted(set(row.values()))
    return {number: used.index(one) for number, one in row.items()}


def joined(boxes: Sequence[Box]) -> tuple[list[Node], list[list[Node]]]:
    """Return a node for each box and for each row that a line goes past, and the nodes of each line."""
    rows = row_of(boxes)
    by_number = {box.number: Node(rows[box.number], width_of(box), box) for box in boxes}
    nodes = list(by_number.values())
    routes = []
    for box in boxes:
        for premise in box.premises:
            route = [by_number[premise]]
            route += [Node(row, LANE) for row in range(rows[premise] + 1, rows[box.number])]
            nodes += route[1:]
            route.append(by_number[box.number])
            routes.append(route)
            for upper, lower in pairwise(route):
                upper.below.append(lower)
                lower.above.append(upper)
    return nodes, routes


def order(rows: Sequence[list[Node]]) -> None:
    """Order rows so that what is joined stands at like places in neighbouring rows."""
    for row in rows:
        number(row)
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            wanted = [mean(other.middle for other in (node.above if sweep % 2 == 0 else node.below)) for node in row]
            keys = {id(node): node.middle if want is None else want for node, want in zip(row, wanted)}
            row.sort(key=lambda node, keys=keys: keys[id(node)])  # type: ignore[misc]  # a default is no argument
            number(row)


def number(row: Sequence[Node]) -> None:
    """Write down the places in a row, between 0 and 1."""
    for position, node in enumerate(row):
        node.middle = (position + 0.5) / len(row)


def move(rows: Sequence[Sequence[Node]]) -> None:
    """Move boxes to the middle of what they are joined to, none over another."""
    for row in rows:
        left = 0.0
        for node in row:
            node.middle = left + node.width / 2
            left += node.width + GAP
        for node in row:
            node.middle -= left / 2
    for sweep in range(SWEEPS + 1):
        for row in rows if sweep % 2 else reversed(rows):
            wanted = [mean(other.middle for other in (*node.above, *node.below)) for node in row]
            spread(row, [node.middle if want is None else want for node, want in zip(row, wanted)])


def spread(row: Sequence[Node], wanted: Sequence[float]) -> None:
    """Give each node of a row the middle it wants, as nearly as the others in their order allow (least squares)."""
    offsets = [0.0]
    for node, following in pairwise(row):
        offsets.append(offsets[-1] + (node.width + following.width) / 2 + GAP)
    groups: list[tuple[float, int]] = []  # the mean of what is wanted, and of how many: pool adjacent violators
    for want, offset in zip(wanted, offsets):
        total, count = want - offset, 1
        while groups and groups[-1][0] >= total / count:
            mean_before, count_before = groups.pop()
            total, count = total + mean_before * count_before, count + count_before
        groups.append((total / count, count))
    starts = [start for start, count in groups for _ in range(count)]
    for node, start, offset in zip(row, starts, offsets):
        node.middle = start + offset


def mean(values: Iterable[float]) -> float | None:
    """Return the mean of some numbers, None of none."""
    several = list(values)
    return sum(several) / len(several) if several else None


def points(
    route: Sequence[Node], placed: Mapping[int, Placed], tops: Sequence[int], bottoms: Sequence[int], shift: float
) -> tuple[Point, ...]:
    """Return the way of a line: past each row straight down, and across in the space between rows only."""
    first, last = route[0], route[-1]
    assert first.box is not None and last.box is not None
    begin, end = placed[first.box.number], placed[last.box.number]
    way: list[Point] = [(begin.middle, begin.bottom), (begin.middle, bottoms[first.row])]
    for node in route[1:-1]:
        across = round(node.middle + shift)
        way += [(across, tops[node.row]), (across, bottoms[node.row])]
    return (*way, (end.middle, end.top))
