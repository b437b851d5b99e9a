"""A small circuit as a picture: decisions in rows, the root on top, each element a box of prime and sub."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from moose.base.drawing.boxes import CHARACTER, GAP, LINE, Box, Placed, place
from moose.base.errors import MooseError
from moose.circuit.diagram import Diagram
from moose.circuit.inference.executor import as_lists

MOST_DECISIONS = 150
"""Decisions that a drawing may have: more are no longer read."""

Cell = tuple[str, int | None]
"""What stands in half an element: a text, and the decision that a dot stands for."""


def draw_diagram(diagram: Diagram, names: Sequence[str], *, most: int = MOST_DECISIONS) -> str:
    """Draw a diagram as SVG, with these names for its atoms."""
    decisions = reachable(diagram)
    if len(decisions) > most:
        raise MooseError(
            f"the circuit has {len(decisions):,} decisions, too many to read in one drawing (at most {most}); "
            "draw that of fewer individuals or concepts"
        )
    cells = {decision: list(cells_of(diagram, names, decision)) for decision in decisions}
    if not decisions:
        cells[-1] = [(slot_text(diagram, names, diagram.root), None)]
    users: dict[int, list[int]] = {decision: [] for decision in cells}
    for decision, row in cells.items():
        for _, child in row:
            if child is not None and decision not in users[child]:
                users[child].append(decision)
    boxes = [Box(number, ("∨", line_of(row)), tuple(users[number]), False) for number, row in cells.items()]
    placed, width, height = place(boxes)
    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}" font-family="sans-serif">',
        f'<rect {size} fill="white"/>',
    ]
    for number, row in cells.items():
        parts += _edges(placed, number, row)
    for number, row in cells.items():
        parts += _decision(placed[number], row)
    return "\n".join([*parts, "</svg>"]) + "\n"


def reachable(diagram: Diagram) -> list[int]:
    """Return the decisions below the root, each before those it uses, those met together next to each other."""
    starts, primes, subs = as_lists(diagram)
    children: dict[int, list[int]] = {}
    pending = [diagram.root - diagram.first_decision]
    while pending:
        decision = pending.pop()
        if decision < 0 or decision in children:
            continue
        elements = range(starts[decision], starts[decision + 1])
        slots = [slot for element in elements for slot in (primes[element], subs[element])]
        children[decision] = [slot - diagram.first_decision for slot in slots if slot >= diagram.first_decision]
        pending += reversed(children[decision])
    depths = dict.fromkeys(children, 0)
    for decision in sorted(children, reverse=True):  # what uses a decision has a higher number
        for child in children[decision]:
            depths[child] = max(depths[child], depths[decision] + 1)
    return sorted(children, key=depths.__getitem__)


def cells_of(diagram: Diagram, names: Sequence[str], decision: int) -> Iterator[Cell]:
    """Yield prime and sub of each element."""
    for element in range(int(diagram.starts[decision]), int(diagram.starts[decision + 1])):
        for slot in (int(diagram.primes[element]), int(diagram.subs[element])):
            is_decision = slot >= diagram.first_decision
            yield slot_text(diagram, names, slot), slot - diagram.first_decision if is_decision else None


def slot_text(diagram: Diagram, names: Sequence[str], slot: int) -> str:
    """Write a literal or a constant; a dot for a decision."""
    if slot < diagram.atom_count:
        return names[slot]
    if slot < diagram.true:
        return f"¬{names[slot - diagram.atom_count]}"
    return {diagram.true: "⊤", diagram.false: "⊥"}.get(slot, "●")


def line_of(row: Sequence[Cell]) -> str:
    """Return a text as long as the cells are together, by which the layout measures the box."""
    return " " * sum(_characters(text) for text, _ in row)


def _characters(text: str) -> int:
    return len(text) + 2


def _spans(spot: Placed, row: Sequence[Cell]) -> Iterator[tuple[int, int]]:
    """Yield the left edge and the width of each cell."""
    left = spot.left + (spot.width - CHARACTER * len(line_of(row))) // 2
    for text, _ in row:
        width = CHARACTER * _characters(text)
        yield left, width
        left += width


def _edges(placed: dict[int, Placed], number: int, row: Sequence[Cell]) -> Iterator[str]:
    """Draw the line from each dot to the decision it stands for."""
    spot = placed[number]
    for (left, width), (_, child) in zip(_spans(spot, row), row):
        if child is not None:
            below = placed[child]
            start, stop = f"{left + width // 2} {spot.bottom - LINE // 2 - 2}", f"{below.middle} {below.top}"
            bends = f"{left + width // 2} {spot.bottom + GAP} {below.middle} {below.top - GAP}"
            yield f'<path d="M{start} C{bends} {stop}" fill="none" stroke="#888"/>'


def _decision(spot: Placed, row: Sequence[Cell]) -> Iterator[str]:
    """Draw a decision: a circle above its elements, and in each the prime on the left and the sub on the right."""
    if len(row) > 1:  # not a literal alone
        yield f'<circle cx="{spot.middle}" cy="{spot.top + 9}" r="9" fill="#eef5ff" stroke="#456"/>'
        sign = "∧" if len(row) == 2 else "∨"  # one element is a plain product
        yield f'<text x="{spot.middle}" y="{spot.top + 13}" font-size="11" text-anchor="middle">{sign}</text>'
    top, height = spot.top + 18, LINE + 8
    for cell, ((left, width), (text, _)) in enumerate(zip(_spans(spot, row), row)):
        fill = "#fafafa" if cell % 2 == 0 else "white"
        yield f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="{fill}" stroke="#456"/>'
        if cell % 2 == 0 and cell > 0:  # a thicker line parts the elements
            yield f'<path d="M{left} {top} v{height}" stroke="#456" stroke-width="3"/>'
        middle = f'x="{left + width // 2}" y="{top + 16}"'
        yield f'<text {middle} font-size="12" text-anchor="middle">{escape(text)}</text>'
