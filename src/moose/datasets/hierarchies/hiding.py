"""What is shown of the labels: all, a share drawn at random, those above a depth, positive ones alone.

Nothing is shown that the labels do not say, and what is shown is completed by the theory, so that every learner gets
the same literals. Which labels are hidden is drawn by the seed; of two shares, the larger hides all that the smaller
does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from zlib import crc32

import numpy as np

from moose.base.suggestions import unknown_word
from moose.datasets.hierarchies.hierarchy import Hierarchy, Signs, complete_evidence

Kind = Literal["complete", "hidden", "coarse", "positives"]
WORD = re.compile(r"(hidden|coarse|positives)(0|[1-9][0-9]?)?")
USUAL = (
    *("hidden10", "hidden50", "hidden80", "hidden90", "hidden97", "coarse1", "coarse2"),
    *("positives", "positives10", "positives50", "positives80", "positives90"),
)
"""Rows of the benchmark; any other whole number of percent, or depth, may stand in their place."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Which labels a learner gets."""

    kind: Kind = "complete"
    number: int = 0
    """The percent of labels that is hidden; in `coarse` the depth of the deepest classes that are shown."""

    def __str__(self) -> str:
        if self.kind == "complete":
            return ""
        return f"{self.kind}{self.number or ''}"


COMPLETE = Shown()


def is_shown_word(word: str) -> bool:
    """Return whether a word of a regime's name speaks of what is shown."""
    return word.startswith(("hidden", "coarse", "positives"))


def read_shown(word: str) -> Shown:
    """Read a word of a regime's name.

    >>> read_shown("hidden90"), str(read_shown("positives"))
    (Shown(kind='hidden', number=90), 'positives')
    """
    match = WORD.fullmatch(word)
    number = int(match[2] or 0) if match else 0
    if match is None or (number == 0) != (match[2] is None and match[1] == "positives"):
        raise unknown_word("hiddenPERCENT, coarseDEPTH, positives or positivesPERCENT", word, USUAL)
    kind: Kind = "hidden" if match[1] == "hidden" else "coarse" if match[1] == "coarse" else "positives"
    return Shown(kind, number)


def show_labels(hierarchy: Hierarchy, truth: Signs, shown: Shown, *, seed: int, split: str) -> Signs:
    """Return the evidence, row × class: what is shown of the truth, completed by the theory.

    Each split has its own stream, and each label its own key in it, however much is hidden.
    """
    if shown.kind == "complete":
        return complete_evidence(hierarchy, truth)
    if shown.kind == "coarse":
        return complete_evidence(hierarchy, np.where(hierarchy.depths <= shown.number, truth, 0).astype(np.int8))
    generator = np.random.default_rng([seed, crc32(split.encode())])
    is_shown = generator.random(truth.shape, dtype=np.float32) >= shown.number / 100
    if shown.kind == "positives":
        is_shown &= truth > 0
    return complete_evidence(hierarchy, np.where(is_shown, truth, 0).astype(np.int8))
