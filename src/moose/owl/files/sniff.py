"""Recognise the syntax of a document: by its content first, by its file name where the content is silent."""

from __future__ import annotations

import re

from moose.base.errors import ParseError
from moose.owl.syntax.common.syntax import Opening, Syntax
from moose.owl.syntax.syntaxes import by_extension, recognise, titles

# Real files open with long comments and DOCTYPEs, never with a megabyte of them.
WINDOW_BYTES = 1 << 20

# Before the first word: white space, and whole lines of comment (# in most syntaxes, ! in OBO).
BLANK = re.compile(r"(?:\s++|[#!][^\n]*+(?:\n|\Z))*+")


def sniff(data: bytes, name: str) -> Syntax:
    """Return the syntax of an unpacked document; `name` is its file name, for its extension and for messages."""
    text = data[:WINDOW_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")
    blank = BLANK.match(text)
    opening = Opening(text, blank.end() if blank else 0, name)
    if opening.start == len(text) and len(data) <= WINDOW_BYTES:
        kind = "only comments" if text.strip() else "empty"
        raise ParseError(f"{name}: expected an ontology in {titles()}, but the file is {kind}")
    syntax = (_by_content(opening) if opening.start < len(text) else None) or by_extension(opening.extension)
    if syntax is None:
        first = text[opening.start : opening.start + 40].split("\n")[0].strip()
        raise ParseError(
            f"{name}:{_line(text, opening.start)}: expected an ontology in {titles()}, but it opens with {first!r}; "
            "save it in one of these, or check that it is the file you meant"
        )
    return syntax


def _by_content(opening: Opening) -> Syntax | None:
    syntax = recognise(opening)
    if syntax is None and opening.is_xml:
        raise _foreign_xml(opening)
    if syntax is None and opening.text[opening.start] == "{":
        raise ParseError(
            f"{opening.name}: expected an ontology in {titles()}, but this looks like JSON; convert it to Turtle"
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
