"""What a writer returns: the text, and what its syntax cannot say."""

from __future__ import annotations

from dataclasses import dataclass

from moose.owl.model.axioms import Axiom

NO_OWL = "it is no axiom of OWL 2"


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A statement that a syntax cannot express: it stands as a comment."""

    axiom: Axiom
    reason: str


@dataclass(frozen=True, slots=True)
class Written:
    """A document as text."""

    text: str
    unwritten: tuple[Unwritten, ...] = ()


def one_line(text: str) -> str:
    """Return a text on one line, for a comment."""
    return " ".join(text.split())
