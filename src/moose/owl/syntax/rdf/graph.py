"""Parse RDF into triples by subject, under names that do not depend on the run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import IO, Literal, cast
from urllib.parse import quote

import pyoxigraph

from moose.base.errors import ParseError
from moose.owl.model import expressions as model
from moose.owl.model.vocabulary import STRING_IRI
from moose.owl.syntax.common.unwritable import writable_iri, writable_language
from moose.owl.syntax.rdf.rdf_vocabulary import TYPE
from moose.owl.syntax.rdf.rdfxml_checks import join_text, tame_xml

RdfSyntax = Literal["rdfxml", "turtle", "ntriples"]

Term = str | model.Literal
"""An IRI, a blank node written `_:b0`, or a literal."""

Pair = tuple[str, Term]
"""A predicate and an object."""

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


@dataclass(slots=True)
class Graph:
    """What a document says of each subject, in the document's order, each triple once."""

    pairs: dict[str, list[Pair]] = field(default_factory=dict)
    instances: dict[Term, list[str]] = field(default_factory=dict)
    """For each object of rdf:type, its subjects."""

    quoted: list[str] = field(default_factory=list)
    """Triples about triples, as text."""

    prefixes: dict[str, str] = field(default_factory=dict)
    triple_count: int = 0

    def triples(self, subjects: Iterable[str]) -> Iterator[tuple[str, str, Term]]:
        """Return all that is said of these subjects."""
        for subject in subjects:
            for predicate, value in self.pairs.get(subject, ()):
                yield subject, predicate, value

    def objects(self, subject: str, predicate: str) -> list[Term]:
        """Return the objects of one predicate of a subject."""
        return [value for word, value in self.pairs.get(subject, ()) if word == predicate]


def is_blank(term: Term) -> bool:
    """Return whether a term is a blank node, not an IRI or a literal."""
    return term.__class__ is str and term.startswith("_:")


def show_triple(subject: Term, predicate: Term, value: Term) -> str:
    """Write a triple on one line, as N-Triples does."""
    return f"{show(subject)} {show(predicate)} {show(value)} ."


def show(term: Term) -> str:
    """Write a term as N-Triples does."""
    if isinstance(term, str):
        return term if is_blank(term) else f"<{term}>"
    text = term.lexical.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    if term.language:
        return f'"{text}"@{term.language}'
    return f'"{text}"' if term.datatype == STRING_IRI else f'"{text}"^^<{term.datatype}>'


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
