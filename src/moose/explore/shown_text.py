"""Axioms and facts as pieces of text for a page: names that can be followed, words of the syntax, and the rest.

The page puts each piece where it belongs as text, never as markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from moose.owl.model.axioms import Axiom, without_annotations
from moose.saturation.proofs.markdown import sentence
from moose.saturation.proofs.notation import Display, write_fact
from moose.saturation.proofs.proof import Fact

Piece = str | dict[str, str]
"""Text; or a name, {"iri", "name"}, that is a link where "class" is in it; or a word of the syntax, {"word"}."""
# Private characters around an IRI: no IRI has them, and where a literal does, no class is named so and it stays text.
OPEN, CLOSE = "\ue000", "\ue001"
PIECES = re.compile(rf"{OPEN}([^{OPEN}{CLOSE}]*){CLOSE}|\*\*(and|some|value|Self)\*\*")
# Control characters, and those that turn the direction of writing: shown by their numbers.
STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
WORDS = re.compile(r"\b(SubClassOf|EquivalentTo|DisjointWith|Domain|Range|SubPropertyOf|Type)\b")


class ShownText:
    """Writes axioms and facts of one ontology as pieces."""

    def __init__(self, name: Display, classes: Collection[str]) -> None:
        self._name = name
        self._classes = classes

    def name(self, iri: str) -> str:
        """Return what people read for an IRI, on one line."""
        return STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", self._name(iri))

    def axiom(self, axiom: Axiom) -> list[Piece]:
        """Write an axiom in Manchester syntax, or in functional syntax where that has no short form."""
        return self._pieces(lambda display: sentence(without_annotations(axiom), display))

    def fact(self, fact: Fact) -> list[Piece]:
        """Write a fact as description logic does."""
        return self._pieces(lambda display: write_fact(fact, display))

    def entity(self, iri: str) -> dict[str, str]:
        """Return a name; one that can be followed if it is of a class."""
        shown = {"iri": iri, "name": self.name(iri)}
        return {**shown, "class": "yes"} if iri in self._classes else shown

    def _pieces(self, write: Callable[[Display], str]) -> list[Piece]:
        text = write(lambda iri: f"{OPEN}{iri}{CLOSE}")
        pieces: list[Piece] = []
        place = 0
        for match in PIECES.finditer(text):
            pieces += self._words(text[place : match.start()])
            pieces.append({"word": match[2]} if match[2] else self.entity(match[1]))
            place = match.end()
        return pieces + self._words(text[place:])

    @staticmethod
    def _words(text: str) -> list[Piece]:
        return [{"word": part} if WORDS.fullmatch(part) else part for part in WORDS.split(text) if part]
