"""Tell which syntax a document is written in: by its content first, by its file name where the content is silent."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from moose.base.errors import ParseError

Syntax = Literal["functional", "owlxml", "rdfxml", "turtle", "ntriples", "obo", "manchester"]

BY_EXTENSION: dict[str, Syntax] = {
    ".ofn": "functional",
    ".fss": "functional",
    ".owx": "owlxml",
    ".rdf": "rdfxml",
    ".ttl": "turtle",
    ".nt": "ntriples",
    ".obo": "obo",
    ".omn": "manchester",
}
READABLE = "functional syntax, OWL/XML, RDF/XML, Turtle, N-Triples, OBO or Manchester syntax"

# Real files open with long comments and DOCTYPEs, never with a megabyte of them.
WINDOW_BYTES = 1 << 20
SAMPLE_LINES = 50

# Before the first word: white space, and whole lines of comment (# in most syntaxes, ! in OBO).
BLANK = re.compile(r"(?:\s+|[#!][^\n]*(?:\n|\Z))*")
WORDS: tuple[tuple[re.Pattern[str], Syntax], ...] = (
    (re.compile(r"(?:Prefix|Ontology)\s*\("), "functional"),
    (re.compile(r"(?:@prefix|@base)\b|(?:PREFIX|BASE)\s+[^:\s]*:?\s*<", re.IGNORECASE), "turtle"),
    (
        re.compile(
            r"(?:Prefix|Ontology|Import|Annotations|Class|ObjectProperty|DataProperty|AnnotationProperty|Datatype"
            r"|Individual|(?:Equivalent|Disjoint)(?:Classes|Properties)|(?:Same|Different)Individual):"
        ),
        "manchester",
    ),
    (re.compile(r"\[(?:Term|Typedef|Instance)\]|[a-z][a-z-]*:(?:\s|\Z)"), "obo"),
    (re.compile(r"_:\S|\[|\(|[\w.-]*:[\w.-]+\s+(?:a|[\w.-]*:[\w.-]+|<[^>]*>)\s"), "turtle"),
)
IRI_FIRST = re.compile(r"<(?!rdf:|owl:)(?:[A-Za-z][A-Za-z0-9+.-]*:[^\s<>]*|[^\s<>!?]*[#/][^\s<>]*)?>\s")
TRIPLE_LINE = re.compile(
    r"(?:<[^>\s]*>|_:\S+)\s*<[^>\s]*>\s*(?:<[^>\s]*>|_:\S+|\"(?:[^\"\\]|\\.)*\"\S*)\s*\.\s*(?:#.*)?"
)
XML_PROLOGUE = re.compile(
    r"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?:[^\[>\"']|\"[^\"]*\"|'[^']*')*"
    r"(?:\[(?:<!--.*?-->|\"[^\"]*\"|'[^']*'|[^\]\"'])*\]\s*)?>)*",
    re.DOTALL | re.IGNORECASE,
)
XML_ROOT = re.compile(r"<(?:(?P<prefix>[\w.-]+):)?(?P<local>[\w.-]+)(?P<attributes>(?:[^>\"']|\"[^\"]*\"|'[^']*')*)")


def sniff(data: bytes, name: str) -> Syntax:
    """Return the syntax of an unpacked document; `name` is its file name, for its extension and for messages."""
    text = data[:WINDOW_BYTES].decode("utf-8", errors="replace").removeprefix("\ufeff")
    start = _match_end(BLANK, text)
    if start == len(text) and len(data) <= WINDOW_BYTES:
        kind = "only comments" if text.strip() else "empty"
        raise ParseError(f"{name}: expected an ontology in {READABLE}, but the file is {kind}")
    syntax = (_sniff_text(text, start, name) if start < len(text) else None) or _sniff_extension(name)
    if syntax is None:
        opening = text[start : start + 40].split("\n")[0].strip()
        raise ParseError(
            f"{name}:{_line(text, start)}: expected an ontology in {READABLE}, but it opens with {opening!r}; "
            "save it in one of these, or check that it is the file you meant"
        )
    return syntax


def _sniff_extension(name: str) -> Syntax | None:
    return BY_EXTENSION.get(PurePath(name.lower().removesuffix(".gz")).suffix)


def _sniff_text(text: str, start: int, name: str) -> Syntax | None:
    for pattern, syntax in WORDS:
        if pattern.match(text, start):
            return syntax
    if text[start] == "{":
        raise ParseError(f"{name}: expected an ontology in {READABLE}, but this looks like JSON; convert it to Turtle")
    if text[start] != "<":
        return None
    if IRI_FIRST.match(text, start):
        return _sniff_triples(text, name)
    return _sniff_xml(text, start, name)


def _sniff_triples(text: str, name: str) -> Syntax:
    """N-Triples when every line seen is one triple; Turtle, which can say all that N-Triples can, otherwise."""
    if _sniff_extension(name) == "turtle":
        return "turtle"
    lines = [line.strip() for line in text.split("\n", SAMPLE_LINES)[:SAMPLE_LINES]]
    triples = [line for line in lines if line and not line.startswith("#")]
    is_lines = all(TRIPLE_LINE.fullmatch(line) for line in triples)
    return "ntriples" if is_lines else "turtle"


def _sniff_xml(text: str, start: int, name: str) -> Syntax:
    """Look at the root element behind the prologue: rdf:RDF, or Ontology in the OWL namespace."""
    at = start + _match_end(XML_PROLOGUE, text[start:])
    root = XML_ROOT.match(text, at)
    if root is None:
        raise ParseError(
            f"{name}:{_line(text, at)}: expected the root element of an XML ontology, but found "
            f"{text[at : at + 30].strip()!r}; the file may be cut short or not well-formed"
        )
    local, attributes = root["local"], root["attributes"]
    if local.lower() == "html" or re.search(r"<!DOCTYPE\s+html", text[:at], re.IGNORECASE):
        raise ParseError(f"{name}: expected an ontology, but this is an HTML page; download the ontology file itself")
    if local == "Ontology" and not re.search(r"\brdf:about\b", attributes):
        return "owlxml"
    if local == "RDF" or "http://www.w3.org/1999/02/22-rdf-syntax-ns#" in text[:at] + attributes:
        return "rdfxml"
    tag = f"{root['prefix']}:{local}" if root["prefix"] else local
    raise ParseError(
        f"{name}:{_line(text, at)}: expected <rdf:RDF> or <Ontology> as the root of an XML ontology, but found <{tag}>"
    )


def _match_end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1
