"""Search by label: one text with a line for each name, in which the machine's own search for substrings runs."""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain

MOST_TRIED = 20_000
"""Lines that are looked at for one query; a query of one letter would fit nearly all."""


def folded(text: str) -> str:
    """Return text without the difference of small and capital letters, accents and spaces, on one line.

    >>> folded("Sjögren  Syndrome")
    'sjogren syndrome'
    """
    if not text.isascii():
        text = "".join(one for one in unicodedata.normalize("NFKD", text) if not unicodedata.combining(one))
    return " ".join(text.casefold().split())


class LabelIndex:
    """Names of entities by what they contain. An entity may have several names."""

    def __init__(self, named: Iterable[tuple[str, Iterable[str]]]) -> None:
        self._iris: list[str] = []
        starts: list[int] = []
        lines: list[str] = []
        place = 1
        for iri, names in named:
            for name in dict.fromkeys(map(folded, names)):
                lines.append(name)
                starts.append(place)
                self._iris.append(iri)
                place += len(name) + 1
        self._starts = starts
        self._text = "\n" + "\n".join(lines) + "\n"

    def __len__(self) -> int:
        return len(self._iris)

    def search(self, text: str, most: int) -> list[str]:
        """Return the IRIs of the entities with a name that contains a text, or all its words, the best first.

        The best are those with just this name, then those whose name starts with it, then those with a word that does.

        >>> index = LabelIndex([("urn:t", ["T cell"]), ("urn:b", ["B cell"]), ("urn:c", ["cell"])])
        >>> index.search("cell", 9), index.search("cell t", 9)
        (['urn:c', 'urn:t', 'urn:b'], ['urn:t'])
        """
        wanted = folded(text)
        if not wanted:
            return []
        words = wanted.split()
        lines = chain(
            self._lines(f"\n{wanted}\n", 1),
            self._lines(f"\n{wanted}", 1),
            self._lines(f" {wanted}", 1),
            self._lines(wanted, 0),
            self._lines_with(words) if len(words) > 1 else (),
        )
        matches: dict[str, None] = {}
        for line in lines:
            matches[self._iris[line]] = None
            if len(matches) >= most:
                break
        return list(matches)

    def _lines(self, wanted: str, offset: int) -> Iterator[int]:
        """Yield the lines in which a text stands, the part before `offset` being of the line before."""
        place = self._text.find(wanted)
        for _ in range(MOST_TRIED):
            if place < 0:
                return
            line = bisect_right(self._starts, place + offset) - 1
            yield line
            place = self._text.find(wanted, self._end(line) - 1)

    def _lines_with(self, words: list[str]) -> Iterator[int]:
        """Yield the lines in which all words stand, in any order."""
        longest = max(words, key=len)
        for line in self._lines(longest, 0):
            text = self._text[self._starts[line] : self._end(line)]
            if all(word in text for word in words):
                yield line

    def _end(self, line: int) -> int:
        """Return where the line after begins."""
        return self._starts[line + 1] if line + 1 < len(self._starts) else len(self._text)
