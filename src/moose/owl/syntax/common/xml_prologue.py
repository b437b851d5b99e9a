"""Pass over what may stand before the root element of an XML document, in one go from left to right."""

from __future__ import annotations

import re

_BLANK = re.compile(r"\s*+")
_DOCTYPE = "<!doctype"
_IN_DOCTYPE = re.compile(r"[\"'\[>]")
_IN_SUBSET = re.compile(r"<!--|<\?|[\"'\]]")
_ENDS = {"<!--": "-->", "<?": "?>", '"': '"', "'": "'"}


def end_of_prologue(text: str, start: int) -> int:
    """Return where the root element should stand: behind white space, comments, instructions and the DOCTYPE.

    What is not closed is not passed over. Every search goes on where the last one ended, so that no text takes more
    than one pass.

    >>> end_of_prologue("<?xml version='1.0'?> <!-- a --> <!DOCTYPE a [ <!ENTITY b ']>'> ]> <a/>", 0)
    67
    """
    position = _blank(text, start)
    while True:
        end = _end_of_item(text, position)
        if end < 0:
            return position
        position = _blank(text, end)


def _end_of_item(text: str, start: int) -> int:
    """Return where the comment, instruction or DOCTYPE that begins here ends; -1 if there is none, or no end."""
    for opening in ("<!--", "<?"):
        if text.startswith(opening, start):
            return _behind(text, opening, start + len(opening))
    if text[start : start + len(_DOCTYPE)].lower() == _DOCTYPE:
        return _end_of_doctype(text, start + len(_DOCTYPE))
    return -1


def _end_of_doctype(text: str, start: int) -> int:
    position = start
    while (match := _IN_DOCTYPE.search(text, position)) and match[0] != ">":
        if match[0] == "[":
            end = _end_of_subset(text, match.end())
            position = _blank(text, end)
            return position + 1 if end >= 0 and text.startswith(">", position) else -1
        position = _behind(text, match[0], match.end())
        if position < 0:
            return -1
    return match.end() if match else -1


def _end_of_subset(text: str, start: int) -> int:
    position = start
    while (match := _IN_SUBSET.search(text, position)) and match[0] != "]":
        position = _behind(text, match[0], match.end())
        if position < 0:
            return -1
    return match.end() if match else -1


def _behind(text: str, opening: str, start: int) -> int:
    """Return the position behind what closes an opening; -1 if nothing does."""
    closing = _ENDS[opening]
    position = text.find(closing, start)
    return position + len(closing) if position >= 0 else -1


def _blank(text: str, start: int) -> int:
    match = _BLANK.match(text, start)
    return match.end() if match else start
