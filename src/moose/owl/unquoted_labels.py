"""Labels of several words in a text that is not understood: somebody may have left out the quotes around them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from moose.base.errors import ParseError, UnknownName
from moose.base.suggestions import MOST_SUGGESTIONS
from moose.owl.label_text import quoted, spaced
from moose.owl.model.expressions import Class, DataProperty, Entity, NamedIndividual, ObjectProperty
from moose.owl.syntax.functional.functional_tokens import Kind

KINDS: tuple[type[Entity], ...] = (Class, ObjectProperty, DataProperty, NamedIndividual)
QUOTED = re.compile(r"(?<![^\s(])'(?:[^'\\]|\\.)*'|<[^<>]*>")
WORD = re.compile(r"[()]|[^\s()]+")
MOST_WORDS = 60
"""Of a text between quotes: as many runs as half its square are looked up."""


class KnownNames(Protocol):
    """Knows what names stand for, as `Names` does."""

    def find(self, kind: type[Kind], text: str) -> Kind | None:
        """Return the entity of a kind that a name stands for, if one does."""


@contextmanager
def hinting_at_labels(text: str, names: KnownNames) -> Iterator[None]:
    """Say of a text that is not understood which labels in it need quotes, if any do."""
    try:
        yield
    except (UnknownName, ParseError) as error:
        labels = unquoted_labels(text, names)
        if not labels:
            raise
        advice = f"put a name with spaces into single quotes: {', '.join(map(quoted, labels[:MOST_SUGGESTIONS]))}"
        raise type(error)(f"{str(error).partition('; ')[0]}; {advice}") from None


def unquoted_labels(text: str, names: KnownNames) -> list[str]:
    """Return the labels of an ontology that stand in a text without quotes, each of several words, as long as can be.

    >>> import moose
    >>> unquoted_labels("black tea SubClassOf tea", moose.Names(moose.load(moose.PIZZERIA)))
    []
    """
    return [label for part in QUOTED.split(text) for label in _within(part, names)]


def _within(text: str, names: KnownNames) -> Iterator[str]:
    """Yield such labels of a text without quotes."""
    words = list(WORD.finditer(text))[:MOST_WORDS]
    begin = 0
    while begin < len(words):
        ends = range(len(words), begin + 1, -1)
        runs = ((end, spaced(text[words[begin].start() : words[end - 1].end()])) for end in ends)
        begin, label = next(((end, run) for end, run in runs if _is_label(run, names)), (begin + 1, ""))
        if label:
            yield label


def _is_label(text: str, names: KnownNames) -> bool:
    return " " in text and any(_stands_for(kind, text, names) for kind in KINDS)


def _stands_for(kind: type[Entity], text: str, names: KnownNames) -> bool:
    try:
        return names.find(kind, text) is not None  # type: ignore[type-var]  # one of the kinds
    except UnknownName:  # it stands for several
        return True
