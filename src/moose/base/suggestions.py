"""What somebody may have meant by a word that is not known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from difflib import SequenceMatcher, get_close_matches

from moose.base.errors import UnknownName

MOST_SUGGESTIONS = 3
MOST_KNOWN = 40
"""So many known words are listed at most where none of them looks like what was written."""


def close_matches(word: str, known: Iterable[str], *, most: int = MOST_SUGGESTIONS) -> list[str]:
    """Return a few of the known words that look like a word, the most alike first.

    >>> close_matches("SubClasOf", ["SubClassOf", "SameIndividual"])
    ['SubClassOf']
    """
    return get_close_matches(word, known, n=most)


def similarity(text: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1."""
    return SequenceMatcher(None, text, other).ratio()


def did_you_mean(close: Sequence[str], *, otherwise: str) -> str:
    """Return the end of an error message: what may have been meant or, where nothing is close, other advice.

    >>> did_you_mean(["Margherita", "Marinara"], otherwise="check the spelling")
    'did you mean Margherita or Marinara?'
    """
    return f"did you mean {' or '.join(close)}?" if close else otherwise


def unknown_word(expected: str, word: str, known: Collection[str]) -> UnknownName:
    """Say that a word is not among the known ones, and which of them look like it."""
    hint = did_you_mean(close_matches(word, known), otherwise=f"known: {shortened(known, MOST_KNOWN) or 'none'}")
    return UnknownName(f"expected {expected}, but got {word!r}; {hint}")


def shortened(words: Iterable[str], most: int = 8) -> str:
    """List the first few words."""
    every = list(words)
    return ", ".join(every[:most]) + (f" and {len(every) - most:,} more" if len(every) > most else "")
