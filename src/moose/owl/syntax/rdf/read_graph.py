"""Parse RDF into triples by subject, under names that do not depend on the run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape  # that of xml.sax brings all that fetches addresses with it
from pathlib import PurePath
from typing import IO, NoReturn, cast
from urllib.parse import quote
from xml.parsers import expat

import pyoxigraph

from moose.base.errors import ParseError
from moose.owl.model import expressions as model
from moose.owl.syntax.common.unwritable import writable_iri, writable_language
from moose.owl.syntax.common.xml_entities import Refuse, guard_entities
from moose.owl.syntax.rdf.graph import Graph, RdfSyntax, Term, show
from moose.owl.syntax.rdf.rdf_vocabulary import TYPE

_FORMATS = {
    "rdfxml": (pyoxigraph.RdfFormat.RDF_XML, "RDF/XML"),
    "turtle": (pyoxigraph.RdfFormat.TURTLE, "Turtle"),
    "ntriples": (pyoxigraph.RdfFormat.N_TRIPLES, "N-Triples"),
}
# A triple inside a triple inside … this many times overflows no stack; the parser below crashes at some ten thousand.
MAX_QUOTED_TRIPLES = 1_000
LONGEST_MESSAGE = 200
"""Characters of what the parser says that are repeated."""
_BLANK_LABEL = re.compile(r"_:(\w+)")
_PLACE = re.compile(r"\AParser error at .*?: ", re.DOTALL)
# A string that is not closed ends with its line, or with the text: the parser refuses it there.
_QUOTING = re.compile(
    rb'"""(?s:.*?)(?:"""|\Z)|\'\'\'(?s:.*?)(?:\'\'\'|\Z)|"(?:[^"\\\n]|\\.)*+"?|\'(?:[^\'\\\n]|\\.)*+\'?'
    rb'|<[^<>"{}|^`\\\s]*+>|#[^\n]*+|<<|>>'
)


def read_graph(data: bytes, where: str, *, syntax: RdfSyntax) -> Graph:
    """Parse a document; IRIs that are relative to nothing else are taken relative to its file name."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        raise ParseError(f"{where}: expected an ontology in {_FORMATS[syntax][1]}, but the file is empty")
    prefixes: dict[str, str] = {}
    if syntax == "rdfxml":
        data, prefixes = tame_xml(data, where)
    else:
        _refuse_deep_quoting(data, where)
    try:
        graph = _triples(data, where, syntax)
    except SyntaxError as problem:
        raise _parse_error(problem, data, where, syntax) from None
    graph.prefixes = prefixes or graph.prefixes
    return graph


def _triples(data: bytes, where: str, syntax: RdfSyntax) -> Graph:
    try:
        return _collect(_parse(data, where, syntax))
    except SyntaxError as problem:
        # The RDF/XML parser takes a literal with a comment or CDATA inside for two.
        joined = join_text(data) if syntax == "rdfxml" and "text event" in str(problem) else data
        if joined == data:
            raise
        return _collect(_parse(joined, where, syntax))


def _parse(source: bytes | IO[bytes], where: str, syntax: RdfSyntax) -> pyoxigraph.QuadParser:
    # Lenient: an IRI with a blank in it, in some annotation, should not keep anyone from the axioms. What the option
    # lets pass are IRIs and language tags; the grammar is kept. N-Triples have no relative IRIs.
    base = None if syntax == "ntriples" else "file:///" + quote(PurePath(where).name or "ontology", safe="")
    return pyoxigraph.parse(source, _FORMATS[syntax][0], base_iri=base, lenient=True)


class _Names(dict[str, str]):
    """One string for each IRI, however often it comes, written as it can be written everywhere."""

    def __missing__(self, iri: str) -> str:
        name = self[iri] = writable_iri(iri)
        return name


def _collect(parser: pyoxigraph.QuadParser) -> Graph:
    """Sort the stream of triples by subject. Blank nodes, whose labels may be random, are numbered as they come."""
    graph = Graph()
    pairs = graph.pairs
    names = _Names()
    blanks: dict[str, str] = {}

    def rename(label: str) -> str:
        return blanks.get(label) or blanks.setdefault(label, f"_:b{len(blanks)}")

    named_node, blank_node, literal = pyoxigraph.NamedNode, pyoxigraph.BlankNode, pyoxigraph.Literal
    for subject, predicate, value, _ in parser:
        text = subject.value
        node = names[text] if subject.__class__ is named_node else blanks.get(text) or rename(text)
        text = predicate.value
        word = names[text]
        kind = value.__class__
        term: Term
        if kind is named_node:
            text = value.value
            term = names[text]
        elif kind is literal:
            text = value.datatype.value
            language = value.language
            term = model.Literal(value.value, names[text], writable_language(language) if language else "")
        elif kind is blank_node:
            text = value.value
            term = blanks.get(text) or rename(text)
        else:
            quoted = _BLANK_LABEL.sub(lambda label: rename(label[1]), str(value))
            graph.quoted.append(f"{show(node)} {show(word)} <<( {quoted} )>> .")
            continue
        told = pairs.get(node)
        if told is None:
            pairs[node] = [(word, term)]
        else:
            told.append((word, term))
    graph.prefixes = dict(sorted(parser.prefixes.items()))
    _finish(graph)
    return graph


def _finish(graph: Graph) -> None:
    """Drop repeated triples and look up who has which type."""
    for node, told in graph.pairs.items():
        once = list(dict.fromkeys(told)) if len(told) > 1 else told
        graph.pairs[node] = once
        graph.triple_count += len(once)
        for word, term in once:
            if word == TYPE:
                graph.instances.setdefault(term, []).append(node)


# ── What the parser refuses, and what would make it crash ─────────────────────────────────────────────────────────


def _parse_error(problem: SyntaxError, data: bytes, where: str, syntax: RdfSyntax) -> ParseError:
    line = problem.lineno or _line_of_failure(data, where, syntax)
    # Text of the document may be part of the message, however long and on however many lines.
    message = " ".join(_PLACE.sub("", problem.msg or "it ends too early").split()).rstrip(".")
    message = message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"
    return ParseError(
        f"{where}:{line}: expected {_FORMATS[syntax][1]}, but got: {message}; correct the line, or check that the file "
        "is whole and in this syntax"
    )


class _LineByLine:
    """A file that gives one line for each reading, and so knows which line its reader has come to."""

    def __init__(self, data: bytes) -> None:
        self._lines = iter(data.splitlines(keepends=True))
        self._rest = b""
        self.line = 0

    def read(self, size: int = -1) -> bytes:
        """Return the rest of the line, or the next one."""
        if not self._rest:
            self._rest = next(self._lines, b"")
            self.line += bool(self._rest)
        size = len(self._rest) if size < 0 else size
        chunk, self._rest = self._rest[:size], self._rest[size:]
        return chunk


def _line_of_failure(data: bytes, where: str, syntax: RdfSyntax) -> int:
    """Parse once more, line by line, because the RDF/XML parser does not say where it fails."""
    lines = _LineByLine(data)
    try:
        for _ in _parse(cast(IO[bytes], lines), where, syntax):
            pass
    except SyntaxError:
        pass
    return lines.line


def _refuse_deep_quoting(data: bytes, where: str) -> None:
    """Keep triples quoted in triples (RDF 1.2, nothing that OWL 2 knows) from overflowing the parser's stack."""
    if data.count(b"<<") <= MAX_QUOTED_TRIPLES:
        return
    depth = 0
    for match in _QUOTING.finditer(data):
        if match[0] == b"<<":
            depth += 1
            if depth > MAX_QUOTED_TRIPLES:
                line = data.count(b"\n", 0, match.start()) + 1
                raise ParseError(
                    f"{where}:{line}: expected OWL 2 as RDF, but triples are nested in triples; write plain triples"
                )
        elif match[0] == b">>":
            depth -= 1


# ── RDF/XML before it is parsed: well-formed, not too deep, no harm in its DOCTYPE ────────────────────────────────

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
