"""A contact sheet: instances side by side, each with what is true and what is observed."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import numpy as np
from PIL import Image, ImageDraw, ImageFont, ImageOps
from torch import Tensor

from moose.grounding.atoms import Atom
from moose.learning.examples import Examples

SIDE = 128
"""Pixels along each side of an image on the sheet."""
GAP = 10
TEXT = 12
"""Height of a line of text in pixels."""
LEADING = 15
INK, TRUE_INK, EVIDENCE_INK, PAPER = (30, 30, 30), (20, 90, 40), (150, 40, 30), (255, 255, 255)


def draw_sheet(examples: Examples, *, title: str, most: int = 24) -> Image.Image:
    """Draw the first instances: the images of all individuals, the latent concepts that hold, the evidence."""
    font = ImageFont.load_default(size=TEXT)
    rows = range(min(most, len(examples)))
    width = int(examples.task.has_input.sum()) * (SIDE + 2) - 2
    letters = max(16, int(max(width, 190) / (0.52 * TEXT)))
    captions = [(lines(hidden(examples, row), letters), lines(examples.literals(row), letters)) for row in rows]
    tall = max((len(true) + len(seen) for true, seen in captions), default=0)
    cell = (max(width, 190) + GAP, SIDE + LEADING * tall + 2 * GAP)
    columns = max(1, min(len(rows), 1200 // cell[0]))
    top = 2 * LEADING + GAP
    size = (GAP + columns * cell[0], top + -(-len(rows) // columns) * cell[1])
    sheet = Image.new("RGB", (max(size[0], 520), size[1]), PAPER)
    pencil = ImageDraw.Draw(sheet)
    pencil.text((GAP, GAP // 2), title, fill=INK, font=font)
    pencil.text((GAP, GAP // 2 + LEADING), "green: hidden truth (latent)", fill=TRUE_INK, font=font)
    pencil.text((GAP + 220, GAP // 2 + LEADING), "red: evidence", fill=EVIDENCE_INK, font=font)
    for row, (true, seen) in zip(rows, captions):
        x, y = GAP + row % columns * cell[0], top + row // columns * cell[1]
        images = (examples.image(row, individual) for individual in range(len(examples.task.individuals)))
        for number, image in enumerate(image for image in images if image is not None):
            sheet.paste(picture(image), (x + number * (SIDE + 2), y))
        for number, text in enumerate([*true, *seen]):
            ink = TRUE_INK if number < len(true) else EVIDENCE_INK
            pencil.text((x, y + SIDE + 2 + number * LEADING), text, fill=ink, font=font)
    return sheet


def picture(image: Tensor) -> Image.Image:
    """Return one individual's image, channel × height × width in [0, 1], with hard pixels, as a learner sees it."""
    values = (image * 255).round().byte().numpy()
    shown = np.repeat(values, 3, axis=0) if len(values) == 1 else values[:3]
    drawn = Image.fromarray(np.ascontiguousarray(shown.transpose(1, 2, 0)))
    return ImageOps.contain(drawn, (SIDE, SIDE), Image.Resampling.NEAREST)


def hidden(examples: Examples, row: int) -> tuple[str, ...]:
    """Spell the latent concepts that hold."""
    task = examples.task
    return tuple(
        str(Atom(concept.name, (individual,)))
        for index, individual in enumerate(task.individuals)
        for column, concept in enumerate(task.concepts)
        if concept.is_latent and examples.truth[row, index, column] > 0
    )


def lines(literals: Sequence[str], letters: int) -> list[str]:
    """Break a list of literals into lines."""
    whole = [literal.replace(" ", "\u00a0") for literal in literals]
    return [line.replace("\u00a0", " ") for line in wrap(", ".join(whole) or "none", letters)]
