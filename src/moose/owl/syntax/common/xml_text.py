"""Text for XML documents: what must be escaped, and what no XML document can hold."""

from __future__ import annotations

import re

from moose.base.errors import MooseError

_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_IN_TEXT = re.compile(r"[&<>\r]")
_IN_ATTRIBUTE = re.compile(r"[&<>\"\t\n\r]")
_NAMES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}


def xml_text(text: str) -> str:
    """Write a text as the content of an element.

    >>> xml_text("a < b")
    'a &lt; b'
    """
    return _checked(_IN_TEXT.sub(_escape, text))


def xml_attribute(text: str) -> str:
    """Write a text as the value of an attribute, quotes and all."""
    return f'"{_checked(_IN_ATTRIBUTE.sub(_escape, text))}"'


def xml_comment(text: str) -> str:
    """Write a comment, on one line."""
    return f"<!-- {_FORBIDDEN.sub('?', text).replace('--', '- -').rstrip('-')} -->"


def _escape(character: re.Match[str]) -> str:
    return _NAMES.get(character[0]) or f"&#{ord(character[0])};"


def _checked(text: str) -> str:
    found = _FORBIDDEN.search(text)
    if found is not None:
        raise MooseError(
            f"expected text that XML can hold, but {text[:60]!r} has the character U+{ord(found[0]):04X}; write "
            "functional syntax or Turtle, or take it out"
        )
    return text
