"""Look through RDF/XML before it is parsed: well-formed, not too deep, no harm in its DOCTYPE."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape  # that of xml.sax brings all that fetches addresses with it
from typing import NoReturn
from xml.parsers import expat

from moose.base.errors import ParseError
from moose.owl.syntax.common.xml_entities import Refuse, guard_entities

# The RDF/XML parser takes quadratic time in the depth: a tenth of a second here, a minute at ten times as much.
# A list that is written cell by cell nests two levels for each of its items.
MAX_XML_DEPTH = 10_000
PARSE_TYPES = frozenset([b"Collection", b"Resource", b"Literal"])
_PARSE_TYPE = re.compile(rb"parseType\s*=\s*[\"']([^\"']*)")
# Well-formed XML closes each of these; the end of the text is there so that no search begins twice in vain.
_INTERRUPTION = re.compile(rb"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)", re.DOTALL)


@dataclass(slots=True)
class Prologue:
    """What stands before the triples of an RDF/XML document."""

    prefixes: dict[str, str] = field(default_factory=dict)
    entities: dict[str, str] = field(default_factory=dict)
    subset: tuple[int, int] = (0, 0)
    """From the first byte of the DOCTYPE's internal subset to the end of it; empty where there is none."""


def tame_xml(data: bytes, where: str) -> tuple[bytes, dict[str, str]]:
    """Return the document with every entity spelt the one way that the RDF/XML parser knows, and its prefixes."""
    if b"\r" in data:  # XML has one kind of line end, whatever the file has
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    prologue = _look_through(data, where)
    start, end = prologue.subset
    if start == end:
        return data, prologue.prefixes
    declarations = "".join(f'<!ENTITY {name} "{escape(value)}">' for name, value in prologue.entities.items())
    lines = b"\n" * data.count(b"\n", start, end)  # so that error messages count as the file does
    return b"".join([data[:start], b"[", declarations.encode(), lines, b"]", data[end:]]), prologue.prefixes


def join_text(data: bytes) -> bytes:
    """Return the document without comments and with CDATA written as other text, so that text is in one piece."""
    return _INTERRUPTION.sub(lambda match: escape((match[1] or b"").decode(), quote=False).encode(), data)


def _look_through(data: bytes, where: str) -> Prologue:
    """Read the whole text with the standard library's parser, which names the line of what is wrong."""
    prologue = Prologue()
    parser = expat.ParserCreate()
    parser.ordered_attributes = True

    def refuse(message: str) -> NoReturn:
        raise ParseError(f"{where}:{parser.CurrentLineNumber}: {message}")

    guard_entities(parser, data, refuse)
    _watch_prologue(parser, prologue)
    has_odd_type = any(match[1] not in PARSE_TYPES for match in _PARSE_TYPE.finditer(data))
    _watch_elements(parser, prologue, _check_parse_type if has_odd_type else None, refuse)
    try:
        parser.Parse(data, True)
    except expat.ExpatError as problem:
        raise ParseError(
            f"{where}:{problem.lineno}: expected well-formed RDF/XML, but got: {expat.ErrorString(problem.code)}; "
            "the file may be cut short or damaged, or in another format"
        ) from None
    except (LookupError, ValueError) as problem:
        if isinstance(problem, ParseError):
            raise
        raise ParseError(f"{where}:1: expected RDF/XML in UTF-8, but it declares otherwise: {problem}") from None
    return prologue


def _watch_prologue(parser: expat.XMLParserType, prologue: Prologue) -> None:
    check_doctype, check_entity = parser.StartDoctypeDeclHandler, parser.EntityDeclHandler
    assert check_doctype is not None
    assert check_entity is not None

    def doctype(name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        check_doctype(name, system, public, has_subset)
        prologue.subset = (parser.CurrentByteIndex, parser.CurrentByteIndex)

    def end_of_doctype() -> None:
        prologue.subset = (prologue.subset[0], parser.CurrentByteIndex)

    def entity(
        name: str, is_parameter: bool, value: str | None, base: str | None, system: str, *rest: str | None
    ) -> None:
        check_entity(name, is_parameter, value, base, system, *rest)
        if value is not None:
            prologue.entities.setdefault(name, value)

    parser.StartDoctypeDeclHandler = doctype
    parser.EndDoctypeDeclHandler = end_of_doctype
    parser.EntityDeclHandler = entity


def _watch_elements(
    parser: expat.XMLParserType,
    prologue: Prologue,
    check: Callable[[list[str], Refuse], None] | None,
    refuse: Refuse,
) -> None:
    depth = 0

    def start(_tag: str, attributes: list[str]) -> None:
        nonlocal depth
        if not depth:
            _note_prefixes(attributes, prologue)
        if check is not None:
            check(attributes, refuse)
        depth += 1
        if depth > MAX_XML_DEPTH:
            refuse(f"expected at most {MAX_XML_DEPTH:,} levels of XML, but this is nested deeper; give names to parts")

    def end(_tag: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = start
    parser.EndElementHandler = end


def _check_parse_type(attributes: list[str], refuse: Refuse) -> None:
    """Refuse what the RDF/XML parser would skip without a word."""
    for name, value in zip(attributes[::2], attributes[1::2]):
        if name.endswith(":parseType") and value.encode() not in PARSE_TYPES:
            refuse(f"expected rdf:parseType to be Collection, Resource or Literal, but got {value!r}; use one of these")


def _note_prefixes(attributes: list[str], prologue: Prologue) -> None:
    """Take the namespaces of the root element, given as a list of names and values in turn."""
    for name, value in zip(attributes[::2], attributes[1::2]):
        if name == "xmlns" or name.startswith("xmlns:"):
            prologue.prefixes[name[6:]] = value
