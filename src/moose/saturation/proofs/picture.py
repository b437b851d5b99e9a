"""Proofs as text, JSON, Graphviz text and SVG."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise

from moose.base.drawing.boxes import Box, Placed
from moose.base.drawing.layers import Point, lay_out
from moose.owl.model.axioms import without_annotations
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.notation import Display, write_concept, write_fact
from moose.saturation.proofs.proof import Fact, Inference, Link, NonEmpty, Proof, RoleInclusion, Subsumption

DEEPEST_TREE = 100
"""Rules that a tree may be deep: at three columns a rule, more does not fit a screen, and grows with the square."""

WIDEST_LINE = 56
"""Characters of a line in a picture: a fact with two labels of OBO, or a third of a page."""
LABEL = re.compile(r"'[^']{1,50}'")
NO_BREAK = "\N{NO-BREAK SPACE}"

OBVIOUS = frozenset(["R0", "R⊤", "Rrefl-role"])
"""Rules without premises and axioms that a reader needs no line for."""


def proof_text(proof: Proof, display: Display) -> str:
    """Write a proof as a tree, the goal first, under each fact what it follows from.

    A fact that was shown before is only named again, with the number of the line that shows it. A proof too deep to
    indent is written as numbered steps, the goal last.
    """
    if depth_of(proof) > DEEPEST_TREE:
        return "\n".join(numbered_lines(proof, display))
    steps = {step.conclusion: step for step in proof.steps}
    lines: list[str] = []
    if proof.assumption is not None:
        lines.append(
            f"where {write_concept(proof.assumption, display)} has an element (elsewhere there is nothing to show):"
        )
    shown: dict[Fact, int] = {}
    stack: list[tuple[Fact, str, str]] = [(proof.goal, "", "")]
    while stack:
        fact, lead, below = stack.pop()
        step = steps[fact]
        number = len(lines) + 1
        text = f"{lead}{write_fact(fact, display)}"
        if fact in shown:
            lines.append(f"{text}   (shown in line {shown[fact]})")
            continue
        shown[fact] = number
        lines.append(f"{text}   [{step.rule}]")
        parts: list[Fact | str] = [render(without_annotations(axiom), display) for axiom in step.axioms]
        parts += [premise for premise in step.premises if steps[premise].rule not in OBVIOUS]
        following = []
        for position, part in enumerate(parts):
            is_last = position == len(parts) - 1
            branch, onward = below + ("└─ " if is_last else "├─ "), below + ("   " if is_last else "│  ")
            if isinstance(part, str):
                lines.append(branch + part)
            else:
                following.append((part, branch, onward))
        stack += reversed(following)
    return "\n".join(lines)


def depth_of(proof: Proof) -> int:
    """Return how many rules lie between the goal and the facts that need no premise."""
    depths: dict[Fact, int] = {}
    for step in proof.steps:
        depths[step.conclusion] = 1 + max((depths[premise] for premise in step.premises), default=0)
    return depths[proof.goal]


def numbered_lines(proof: Proof, display: Display) -> Iterator[str]:
    """Yield a line for each step: its number, the fact, the rule, the axioms and the numbers of its premises."""
    numbers = {step.conclusion: number for number, step in enumerate(proof.steps, start=1)}
    if proof.assumption is not None:
        yield f"where {write_concept(proof.assumption, display)} has an element (elsewhere there is nothing to show):"
    for number, step in enumerate(proof.steps, start=1):
        reasons = [str(numbers[premise]) for premise in step.premises]
        reasons += [render(without_annotations(axiom), display) for axiom in step.axioms]
        yield f"{number}. {write_fact(step.conclusion, display)}   [{step.rule}] {', '.join(reasons)}".rstrip()


def proof_json(proof: Proof) -> dict[str, object]:
    """Return a proof as values that JSON can hold: numbered steps, premises by number, functional syntax, full IRIs."""
    numbers = {step.conclusion: number for number, step in enumerate(proof.steps, start=1)}
    return {
        "goal": fact_json(proof.goal),
        "assumption": None if proof.assumption is None else render(proof.assumption),
        "steps": [
            {
                "number": numbers[step.conclusion],
                "rule": step.rule,
                "conclusion": fact_json(step.conclusion),
                "premises": [numbers[premise] for premise in step.premises],
                "axioms": [render(axiom) for axiom in step.axioms],
            }
            for step in proof.steps
        ],
    }


def fact_json(fact: Fact) -> dict[str, str]:
    """Return a fact as values that JSON can hold."""
    match fact:
        case Subsumption(sub, sup):
            return {"fact": "subsumption", "sub": render(sub), "sup": render(sup)}
        case Link(source, role, target):
            return {"fact": "link", "source": render(source), "role": render(role), "target": render(target)}
        case RoleInclusion(low, high):
            return {"fact": "role inclusion", "sub": render(low), "sup": render(high)}
        case NonEmpty(concept):
            return {"fact": "has an element", "concept": render(concept)}


def proof_dot(proof: Proof, display: Display) -> str:
    """Write a proof in Graphviz's language, premises above what they show."""
    lines = ["digraph proof {", '  node [shape=box, fontname="sans-serif"];', "  rankdir=TB;"]
    for box in boxes(proof, display):
        label = "\\n".join(_dot_text(line) for line in box.lines)
        lines.append(f'  n{box.number} [label="{label}"];')
        lines += [f"  n{premise} -> n{box.number};" for premise in box.premises]
    return "\n".join([*lines, "}"]) + "\n"


def proof_svg(proof: Proof, display: Display) -> str:
    """Draw a proof as SVG, premises above what they show; no line runs behind a box."""
    layout = lay_out([wrapped(box) for box in boxes(proof, display)])
    size = f'width="{layout.width}" height="{layout.height}"'
    view = f'viewBox="0 0 {layout.width} {layout.height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} font-family="sans-serif">',
        f'<rect {size} fill="white"/>',
    ]
    parts += [_curve(line) for line in layout.lines]
    parts += [line for placed_box in layout.placed.values() for line in _drawn(placed_box)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def wrapped(box: Box) -> Box:
    """Break the long lines of a box at spaces, but not inside of labels that fit."""
    parts = [wrapped_line(line) for line in box.lines]
    return replace(box, lines=tuple(line for part in parts for line in part), heads=len(parts[0]))


def wrapped_line(line: str) -> list[str]:
    """Break a line at spaces; what goes on is indented.

    >>> wrapped_line("SubClassOf(CL:0000084 'T cell' CL:0000542 'a lymphocyte of some kind')")
    ["SubClassOf(CL:0000084 'T cell' CL:0000542", "  'a lymphocyte of some kind')"]
    """
    unbroken = LABEL.sub(lambda label: label[0].replace(" ", NO_BREAK), line)
    parts = textwrap.wrap(unbroken, WIDEST_LINE, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    return [part.replace(NO_BREAK, " ") for part in parts] or [line]


def _curve(points: Sequence[Point]) -> str:
    """Draw the line from a premise to what it shows: straight past rows, curved in the space between them."""
    path = f"M{points[0][0]} {points[0][1]}"
    for (left, upper), (right, lower) in pairwise(points):
        half = (upper + lower) // 2
        path += f" L{right} {lower}" if left == right else f" C{left} {half} {right} {half} {right} {lower}"
    return f'<path d="{path}" fill="none" stroke="#888"/>'


def _drawn(placed_box: Placed) -> Iterator[str]:
    """Draw a box and its text."""
    fill = "#eef5ff" if placed_box.box.is_goal else "#fafafa"
    place_and_size = (
        f'x="{placed_box.left}" y="{placed_box.top}" width="{placed_box.width}" height="{placed_box.height}"'
    )
    yield f'<g data-step="{placed_box.box.number}">'
    yield f'<rect {place_and_size} rx="4" fill="{fill}" stroke="#456"/>'
    for number, line in enumerate(placed_box.box.lines):
        weight = 'font-weight="bold"' if number < placed_box.box.heads else 'fill="#555"'
        where = f'x="{placed_box.middle}" y="{placed_box.top + 18 + 16 * number}"'
        yield f'<text {where} font-size="12" text-anchor="middle" {weight}>{escape(line)}</text>'
    yield "</g>"


def boxes(proof: Proof, display: Display) -> Iterator[Box]:
    """Yield a box for each step that needs one: the fact, the rule, the axioms."""
    steps = [step for step in proof.steps if step.rule not in OBVIOUS or step.conclusion == proof.goal]
    numbers = {step.conclusion: number for number, step in enumerate(steps)}
    for step in steps:
        yield Box(
            number=numbers[step.conclusion],
            lines=(write_fact(step.conclusion, display), *_reasons(step, display)),
            premises=tuple(numbers[premise] for premise in dict.fromkeys(step.premises) if premise in numbers),
            is_goal=step.conclusion == proof.goal,
        )


def _reasons(step: Inference, display: Display) -> list[str]:
    return [step.rule, *(render(without_annotations(axiom), display) for axiom in step.axioms)]


def _dot_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
