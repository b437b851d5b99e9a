"""Names of regimes: a set, and after hyphens which vocabulary, whether siblings are disjoint, what is shown.

imclef07a   imclef07a-hidden90   cellcycle_go-whole-coarse2   diatoms-disjoint-positives   mf_family-unseen
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from moose.base.errors import MooseError
from moose.base.suggestions import unknown_word
from moose.datasets.hierarchies.hiding import COMPLETE, USUAL, Shown, is_shown_word, read_shown

LEAST = re.compile(r"least([1-9][0-9]{0,4})")
USUAL_LEAST = 10
"""Rows that a class must have, in sets whose whole vocabulary is too wide for an exact circuit."""
WHOLE = "whole"
DISJOINT = "disjoint"
UNSEEN = "unseen"


@dataclass(frozen=True, slots=True)
class NamedRegime:
    """A regime as its name says it."""

    set: str
    least: int = 0
    """Of how many rows to learn from a class must hold to be in the vocabulary; 0 for all classes."""
    is_disjoint: bool = False
    """Whether siblings are declared disjoint."""
    is_unseen: bool = False
    """Whether terms that have definitions are never labelled."""
    shown: Shown = COMPLETE
    is_cut: bool = False
    """Whether the set has a cut vocabulary if nothing is said."""

    def __str__(self) -> str:
        least = USUAL_LEAST if self.is_cut else 0
        words = [self.set, "" if self.least == least else f"least{self.least}" if self.least else WHOLE]
        words += [DISJOINT * self.is_disjoint, UNSEEN * self.is_unseen, str(self.shown)]
        return "-".join(word for word in words if word)


@dataclass(frozen=True, slots=True)
class Sets:
    """Which sets there are, and which options each has."""

    names: tuple[str, ...]
    cut: tuple[str, ...] = ()
    """Those with a cut vocabulary."""
    disjoint: tuple[str, ...] = ()
    """Those in which siblings may be declared disjoint."""
    defined: tuple[str, ...] = ()
    """Those that know definitions of some terms."""


def read_regime_name(name: str, sets: Sets) -> NamedRegime:
    """Read a name, and refuse what is none or is spelt in another order."""
    first, *words = name.split("-")
    if first not in sets.names:
        raise unknown_word("a set as the first word of a regime", first, sets.names)
    is_cut = first in sets.cut
    least, is_disjoint, is_unseen, shown = USUAL_LEAST if is_cut else 0, False, False, COMPLETE
    known = [WHOLE, "least5", *[DISJOINT] * (first in sets.disjoint), *[UNSEEN] * (first in sets.defined), *USUAL]
    for word in words:
        if (match := LEAST.fullmatch(word)) or word == WHOLE:
            least = int(match[1]) if match else 0
        elif word in known and word == DISJOINT:
            is_disjoint = True
        elif word in known and word == UNSEEN:
            is_unseen = True
        elif is_shown_word(word):
            shown = read_shown(word)
        else:
            raise unknown_word(f"an option of the regime {first}", word, known)
    regime = NamedRegime(first, least, is_disjoint, is_unseen, shown, is_cut)
    if str(regime) != name:
        raise MooseError(f"expected the regime to be written as {str(regime)!r}, but got {name!r}")
    return regime
