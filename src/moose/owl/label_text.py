"""Labels as they are written in goals and asked for: in single quotes, with one space between words."""

from __future__ import annotations

from collections.abc import Iterator

from moose.owl.atom_text import unquoted

QUOTE = "'"


def spaced(text: str) -> str:
    """Return a label with single spaces between its words."""
    return " ".join(text.split())


def asked_label(text: str) -> str:
    """Return the label that a text asks for, with or without single quotes around it."""
    return spaced(unquoted(text.strip()))


def quoted(label: str) -> str:
    r"""Write a label in single quotes, as goals take it.

    >>> quoted("Hodgkin's lymphoma")
    "'Hodgkin\\'s lymphoma'"
    """
    text = spaced(label).replace("\\", "\\\\").replace("'", "\\'")
    return f"'{text}'"


def as_labels(text: str) -> Iterator[str]:
    """Yield the labels that a name may stand for: quotes around it are no part of it, or, as in 5', they are."""
    yield spaced(text)
    yield asked_label(text)
    yield spaced(text.strip(QUOTE))
