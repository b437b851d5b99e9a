"""Boxes in rows: none over another, and no line behind one."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from moose.base.drawing.boxes import Box, Placed
from moose.base.drawing.layers import Layout, lay_out
from tests.searching import examples


@st.composite
def drawn_boxes(draw: st.DrawFn) -> list[Box]:
    count = draw(st.integers(1, 14))
    boxes = []
    for number in range(count):
        premises = draw(st.sets(st.integers(0, number - 1), max_size=3)) if number else set()
        lines = draw(st.lists(st.integers(1, 40).map("x".__mul__), min_size=1, max_size=5))
        boxes.append(Box(number, tuple(lines), tuple(sorted(premises)), is_goal=number == count - 1))
    return boxes


def holds(box: Placed, x: float, y: float) -> bool:
    return box.left < x < box.left + box.width and box.top < y < box.bottom


@examples(60)
@given(drawn_boxes())
def test_no_line_runs_behind_a_box(boxes: list[Box]) -> None:
    layout = lay_out(boxes)
    edges = [(premise, box.number) for box in boxes for premise in box.premises]
    assert len(layout.lines) == len(edges)
    for (premise, user), line in zip(edges, layout.lines, strict=True):
        above, below = layout.placed[premise], layout.placed[user]
        assert line[0] == (above.middle, above.bottom)
        assert line[-1] == (below.middle, below.top)
        assert [y for _, y in line] == sorted(y for _, y in line)
        for (left, upper), (right, lower) in pairwise(line):
            for part in range(1, 20):
                # A curve with level handles stays between its ends, so a straight line stands for it.
                at = left + (right - left) * part / 20, upper + (lower - upper) * part / 20
                assert not any(holds(box, *at) for box in layout.placed.values())
    assert_apart(layout)


def assert_apart(layout: Layout) -> None:
    boxes = list(layout.placed.values())
    for position, one in enumerate(boxes):
        assert one.left >= 0
        assert one.top >= 0
        assert one.left + one.width <= layout.width
        assert one.bottom <= layout.height
        for two in boxes[position + 1 :]:
            assert (
                one.left + one.width <= two.left
                or two.left + two.width <= one.left
                or one.bottom <= two.top
                or two.bottom <= one.top
            )


def test_premises_stand_above_what_they_show() -> None:
    boxes = [Box(0, ("a",), (), False), Box(1, ("b",), (0,), False), Box(2, ("c",), (0, 1), True)]
    placed = lay_out(boxes).placed
    assert placed[0].bottom < placed[1].top < placed[1].bottom < placed[2].top
