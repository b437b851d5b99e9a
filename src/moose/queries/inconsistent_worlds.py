"""How likely worlds are inconsistent, so that everything follows from them: told beside each answer, if it is known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from moose.base.errors import LimitReached
from moose.queries.answer import Answer
from moose.queries.program.goals import CONSISTENT, Goal

MOST_SECONDS = 2.0
"""How long it is sought at most, beside what was asked; what is not known by then is left out."""

Range = tuple[Fraction, Fraction]
"""A probability lies between these, which are equal where it is known."""


class Ask(Protocol):
    """Asks how likely it is that the ontology is consistent, as one asks for any other goal."""

    def __call__(self, *, limit: float) -> Answer:
        """Answer in some seconds."""


class InconsistentWorlds:
    """How likely the worlds that have what is given are inconsistent: asked once for all answers with it."""

    def __init__(self, given: Sequence[Goal], ask: Ask) -> None:
        self._ask = ask
        are_left_out = any(goal.is_negated for goal in given)
        self._known = (Fraction(0), Fraction(0)) if are_left_out else None
        self._was_asked = False

    def beside(self, answer: Answer, left: float) -> Range | None:
        """Return it, asked in the seconds that an answer left; in an inconsistent world any goal would follow."""
        if answer.goal == CONSISTENT:
            return 1 - answer.upper, 1 - answer.lower
        if self._known is None and not answer.upper:
            self._known = answer.lower, answer.upper
        if self._known is None and not self._was_asked and left > 0:
            self._was_asked = True
            self._known = self._asked(min(left, MOST_SECONDS))
        return self._known

    def _asked(self, seconds: float) -> Range | None:
        try:
            found = self._ask(limit=seconds)
        except LimitReached:
            return None
        return 1 - found.upper, 1 - found.lower
