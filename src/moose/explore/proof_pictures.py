"""Why a goal follows, for a page: a picture, and what each of its boxes says."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree as ET

from moose.explore.shown_text import ShownText
from moose.saturation.proofs.explain import Explanation
from moose.saturation.proofs.notation import write_concept
from moose.saturation.proofs.picture import OBVIOUS, boxes, proof_svg
from moose.saturation.proofs.proof import Proof

MOST_BOXES = 400
"""More is no picture; the proof is then a list."""
# What XML 1.0 has no way to write, section 2.2.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Tree = list[object]
"""An element of a picture: its tag, its attributes, its text, its children."""


def explanation_json(explanation: Explanation, shown: ShownText) -> list[dict[str, object]]:
    """Return each proof as a picture and its steps; steps have the numbers that the boxes have."""
    return [proof_picture(proof, replace(explanation, display=shown.name), shown) for proof in explanation.proofs]


def proof_picture(proof: Proof, explanation: Explanation, shown: ShownText) -> dict[str, object]:
    """Return one proof."""
    drawn = list(boxes(proof, explanation.display))
    steps = [step for step in proof.steps if step.rule not in OBVIOUS or step.conclusion == proof.goal]
    assumption = None if proof.assumption is None else write_concept(proof.assumption, explanation.display)
    return {
        "picture": picture_tree(proof_svg(proof, explanation.display)) if len(drawn) <= MOST_BOXES else None,
        "assumption": assumption,
        "steps": [
            {
                "number": box.number,
                "fact": shown.fact(step.conclusion),
                "rule": step.rule,
                "axioms": [shown.axiom(axiom) for axiom in step.axioms],
                "premises": list(box.premises),
                "is_goal": box.is_goal,
            }
            for box, step in zip(drawn, steps, strict=True)
        ],
    }


def picture_tree(svg: str) -> Tree:
    """Return SVG as values: so the page makes elements one by one, and reads no markup.

    >>> picture_tree('<svg xmlns="http://www.w3.org/2000/svg"><text x="1">a</text></svg>')
    ['svg', {}, '', [['text', {'x': '1'}, 'a', []]]]
    """
    text = UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", svg)
    return _tree(ET.fromstring(text))  # noqa: S314  # drawn here, every name escaped, without entities


def _tree(element: ET.Element) -> Tree:
    tag = element.tag.rpartition("}")[2]
    return [tag, dict(element.attrib), (element.text or "").strip("\n"), [_tree(one) for one in element]]
