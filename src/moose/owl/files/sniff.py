"""Recognise the syntax of a document: by its content first, by its file name where the content is silent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from moose.base.errors import ParseError
from moose.owl.syntax.common.syntax import Opening, Syntax

# Real files open with long comments and DOCTYPEs, never with a megabyte of them.
WINDOW_BYTES = 1 << 20

# Before the first word: white space, and whole lines of comment (# in most syntaxes, ! in OBO).
BLANK = re.compile(r"(?:\s++|[#!][^\n]*+(?:\n|\Z))*+")


def sniff(data: bytes, name: str, syntaxes: Sequence[Syntax]) -> Syntax:
    """Return which syntax an unpacked document is in; `name` is its file name, for its extension and for messages."""
    text = data[:WINDOW_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")
    blank = BLANK.match(text)
    opening = Opening(text, blank.end() if blank else 0, name)
    if opening.start == len(text) and len(data) <= WINDOW_BYTES:
        kind = "only comments" if text.strip() else "empty"
        raise ParseError(f"{name}: expected an ontology in {titles(syntaxes)}, but the file is {kind}")
    syntax = _by_content(opening, syntaxes) if opening.start < len(text) else None
    syntax = syntax or by_extension(opening.extension, syntaxes)
    if syntax is None:
        first = text[opening.start : opening.start + 40].split("\n")[0].strip()
        raise ParseError(
            f"{name}:{_line(text, opening.start)}: expected an ontology in {titles(syntaxes)}, but it opens with "
            f"{first!r}; save it in one of these, or check that it is the file you meant"
        )
    return syntax


def _by_content(opening: Opening, syntaxes: Sequence[Syntax]) -> Syntax | None:
    syntax = recognise(opening, syntaxes)
    if syntax is None and opening.is_xml:
        raise _foreign_xml(opening)
    if syntax is None and opening.text[opening.start] == "{":
        raise ParseError(
            f"{opening.name}: expected an ontology in {titles(syntaxes)}, but this looks like JSON; "
            "convert it to Turtle"
        )
    return syntax


def _foreign_xml(opening: Opening) -> ParseError:
    """Return the error for XML that is in no syntax of the list."""
    root, position = opening.root, opening.root_position
    where = f"{opening.name}:{_line(opening.text, position)}"
    if root is None:
        return ParseError(
            f"{where}: expected the root element of an XML ontology, but found "
            f"{opening.text[position : position + 30].strip()!r}; the file may be cut short or not well-formed"
        )
    if root.is_html:
        return ParseError(
            f"{opening.name}: expected an ontology, but this is an HTML page; download the ontology file itself"
        )
    tag = f"{root.prefix}:{root.local}" if root.prefix else root.local
    return ParseError(f"{where}: expected <rdf:RDF> or <Ontology> as the root of an XML ontology, but found <{tag}>")


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


# ── A list of syntaxes ────────────────────────────────────────────────────────────────────────────────────────────


def recognise(opening: Opening, syntaxes: Sequence[Syntax]) -> Syntax | None:
    """Return the syntax that a document opens in: one that opens like this, or else one that it resembles."""
    judges = [(syntax.opens, syntax) for syntax in syntaxes] + [(syntax.resembles, syntax) for syntax in syntaxes]
    return next((syntax for judge, syntax in judges if judge(opening)), None)


def by_extension(extension: str, syntaxes: Sequence[Syntax]) -> Syntax | None:
    """Return the syntax whose files bear an extension."""
    return next((syntax for syntax in syntaxes if extension in syntax.extensions), None)


def titles(syntaxes: Sequence[Syntax]) -> str:
    """Return what messages call the syntaxes, as one list."""
    *others, last = [syntax.title for syntax in syntaxes]
    return f"{', '.join(others)} or {last}"


def file_endings(syntaxes: Sequence[Syntax]) -> tuple[str, ...]:
    """Return how the names of ontology files end, plain and packed."""
    own = [extension for syntax in syntaxes for extension in syntax.extensions]
    # These two say too little of the syntax to be the extension of one.
    return tuple(plain + packed for plain in (".owl", *own, ".xml") for packed in ("", ".gz"))
