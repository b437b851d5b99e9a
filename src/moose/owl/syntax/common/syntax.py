"""What a syntax is to those who look for a reader: its names, how its documents open, and how to read and write one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import PurePath

from moose.owl.model.axioms import Document
from moose.owl.model.expressions import Entity
from moose.owl.syntax.common.written import Written
from moose.owl.syntax.common.xml_prologue import end_of_prologue

Read = Callable[[bytes, str, Iterable[Entity]], Document]
"""Reads UTF-8 bytes; the text names them in error messages, and the entities are what other documents declare."""

Header = Callable[[str], tuple[str, ...]]
"""Returns the IRIs that the beginning of a document is known by: the ontology's first, then its version's."""

# ── How a document opens ──────────────────────────────────────────────────────────────────────────────────────────

# An IRI in angle brackets, which no XML element looks like: it has a scheme, or a slash or a hash inside.
_IRI = re.compile(r"<(?!rdf:|owl:)(?:[A-Za-z][A-Za-z0-9+.-]*+:[^\s<>]*+|[^\s<>!?#/]*+[#/][^\s<>]*+)?+>\s")
_XML_ROOT = re.compile(
    r"<(?:(?P<prefix>[\w.-]++):)?+(?P<local>[\w.-]++)(?P<attributes>(?:[^>\"']|\"[^\"]*+\"|'[^']*+')*+)"
)
_HTML_DOCTYPE = re.compile(r"<!DOCTYPE\s+html", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Root:
    """The root element of an XML document, with what stands before it."""

    prologue: str
    prefix: str
    local: str
    attributes: str

    @property
    def is_html(self) -> bool:
        """Return whether the document is a web page."""
        return self.local.lower() == "html" or _HTML_DOCTYPE.search(self.prologue) is not None


@dataclass(frozen=True)
class Opening:
    """The beginning of a document, by which its syntax is recognised."""

    text: str
    start: int
    """Where the first word stands, behind white space and comments."""

    name: str
    """The name of the file."""

    @property
    def extension(self) -> str:
        """Return the extension of the file, in small letters and without that of a packed file."""
        return PurePath(self.name.lower().removesuffix(".gz")).suffix

    def starts_with(self, pattern: re.Pattern[str]) -> bool:
        """Return whether the first words fit a pattern."""
        return pattern.match(self.text, self.start) is not None

    @cached_property
    def is_iri_first(self) -> bool:
        """Return whether the first word is an IRI in angle brackets."""
        return self.starts_with(_IRI)

    @property
    def is_xml(self) -> bool:
        """Return whether the document starts as XML does."""
        return self.text.startswith("<", self.start) and not self.is_iri_first

    @cached_property
    def root_position(self) -> int:
        """Return where the root element of an XML document should stand."""
        return end_of_prologue(self.text, self.start)

    @cached_property
    def root(self) -> Root | None:
        """Return the root element of an XML document, if the text reaches that far."""
        match = _XML_ROOT.match(self.text, self.root_position) if self.is_xml else None
        if match is None:
            return None
        prologue = self.text[: self.root_position]
        return Root(prologue, match["prefix"] or "", match["local"], match["attributes"])


def opens_with(pattern: re.Pattern[str]) -> Callable[[Opening], bool]:
    """Return the judge of a syntax whose first words fit a pattern."""
    return lambda opening: opening.starts_with(pattern)


# ── What a header says ────────────────────────────────────────────────────────────────────────────────────────────

NAME = r"(<[^<>\s]*+>|(?<![\w.-])[\w.-]*+:[\w./-]*+)"
"""A name in a header: an IRI in angle brackets or a prefixed name, as a group."""

_PREFIX = re.compile(r"(?i:@?prefix)\s*+(?:[(:]\s*+)?([\w.-]*+):\s*+(?:=\s*+)?+<([^<>\s]*+)>")
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+[\"']([^\"']*)")
_BASE = re.compile(r"(?:xml:base\s*+=\s*+[\"']|(?i:@?base)\s++<)([^\"'<>]*+)")
# A header names an ontology and its version; what looks like more of them is read, but not without end.
MOST_NAMES = 16


def header_by(*patterns: re.Pattern[str]) -> Header:
    """Return the reader of a header whose names are the groups of some patterns."""

    def read(text: str) -> tuple[str, ...]:
        matches = [match for pattern in patterns for match in islice(pattern.finditer(text), MOST_NAMES)]
        abbreviations = _Abbreviations(text)
        return tuple(abbreviations.write_out(name) for match in matches for name in match.groups() if name is not None)

    return read


class _Abbreviations:
    """What stands for more than itself in a header; looked up once, however many names there are."""

    def __init__(self, text: str) -> None:
        self._entities: dict[str, str] = dict(_ENTITY.findall(text))
        self._prefixes: dict[str, str] = dict(_PREFIX.findall(text))
        base = _BASE.search(text)
        self._base = base[1] if base else ""

    def write_out(self, name: str) -> str:
        """Write out a name: an IRI in brackets, a prefixed name, or an XML attribute with entities."""
        name = re.sub(r"&([\w.-]++);", lambda match: self._entities.get(match[1], match[0]), name)
        if name.startswith("<"):
            name = name[1:-1]
        elif not re.match(r"[\w.-]*+:/", name):
            prefix, colon, local = name.partition(":")
            namespace = self._prefixes.get(prefix)
            name = namespace + local if colon and namespace is not None else name
        return name or self._base


# ── A syntax ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _never(_opening: Opening) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Syntax:
    """A syntax that ontologies are written in."""

    name: str
    title: str
    """As messages call it."""

    extensions: tuple[str, ...]
    """Extensions of files that hold nothing else, in small letters with their dot."""

    opens: Callable[[Opening], bool]
    """Returns whether a document opens as only this syntax does."""

    resembles: Callable[[Opening], bool] = _never
    """Returns whether a document that opens as no syntax does is best read in this one."""

    read: Read
    header: Header
    write: Callable[[Document], Written] | None = None
    needs_declarations: bool = False
    """Whether what a name is may only be said by a declaration, perhaps of another document."""
