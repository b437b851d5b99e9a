"""Names of regimes: a set, and after hyphens which vocabulary, whether siblings are disjoint, what is shown.

imclef07a   imclef07a-hidden90   cellcycle_go-whole-coarse2   diatoms-disjoint-positives
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.datasets.hierarchies.hiding import COMPLETE, USUAL, Shown, is_shown_word, read_shown

LEAST = re.compile(r"least([1-9][0-9]{0,4})")
USUAL_LEAST = 10
"""Rows that a class must have, in sets whose whole vocabulary is too wide for an exact circuit."""
WHOLE = "whole"
DISJOINT = "disjoint"


@dataclass(frozen=True, slots=True)
class NamedRegime:
    """A regime as its name says it."""

    set: str
    least: int = 0
    """Of how many rows to learn from a class must hold to be in the vocabulary; 0 for all classes."""
    is_disjoint: bool = False
    """Whether siblings are declared disjoint."""
    shown: Shown = COMPLETE
    is_cut: bool = False
    """Whether the set has a cut vocabulary if nothing is said."""

    def __str__(self) -> str:
        least = USUAL_LEAST if self.is_cut else 0
        words = [self.set, "" if self.least == least else f"least{self.least}" if self.least else WHOLE]
        return "-".join(word for word in (*words, DISJOINT * self.is_disjoint, str(self.shown)) if word)


def read_regime_name(name: str, sets: Sequence[str], cut: Sequence[str], trees: Sequence[str]) -> NamedRegime:
    """Read a name; `cut` are the sets with a cut vocabulary, `trees` those in which siblings may be disjoint."""
    first, *words = name.split("-")
    if first not in sets:
        raise unknown_word("a set as the first word of a regime", first, sets)
    is_cut = first in cut
    least, is_disjoint, shown = USUAL_LEAST if is_cut else 0, False, COMPLETE
    for word in words:
        if (match := LEAST.fullmatch(word)) or word == WHOLE:
            least = int(match[1]) if match else 0
        elif word == DISJOINT:
            is_disjoint = True
        elif is_shown_word(word):
            shown = read_shown(word)
        else:
            raise unknown_word(f"an option of the regime {first}", word, (WHOLE, "least5", DISJOINT, *USUAL))
    if is_disjoint and first not in trees:
        raise MooseError(f"expected siblings to be disjoint in {', '.join(trees)} only, but got {name!r}")
    regime = NamedRegime(first, least, is_disjoint, shown, is_cut)
    if str(regime) != name:
        raise MooseError(f"expected the regime to be written as {str(regime)!r}, but got {name!r}")
    return regime
