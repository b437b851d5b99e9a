"""Read OWL/XML with the standard library's streaming parser, element by element, through the table of constructs."""

from __future__ import annotations

from typing import NoReturn
from xml.parsers import expat

from moose.base.errors import ParseError
from moose.base.memory import paused_collection
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import OWL
from moose.owl.model.nesting import MAX_NESTING, TOO_DEEP
from moose.owl.syntax.common.arguments import IllFormed
from moose.owl.syntax.common.xml_entities import guard_entities
from moose.owl.syntax.functional.constructors import unknown_construct
from moose.owl.syntax.owlxml.elements import BASE, ELEMENTS, WITH_TEXT, Element, Meanings, absolute

_BUFFER_BYTES = 1 << 20  # text comes in pieces of this size, so that a long literal is not joined from thousands


def read_owlxml(data: bytes, where: str) -> Document:
    """Read a document; `where` names it in error messages."""
    with paused_collection():
        return _Reading(data, where).run()


class _Reading:
    """One pass over one text: which elements are open, and what they hold so far."""

    def __init__(self, data: bytes, where: str) -> None:
        self._data = data
        self._where = where
        self._meanings = Meanings()
        self._open: list[Element] = []
        self._document: Document | None = None
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.buffer_size = _BUFFER_BYTES
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._characters
        guard_entities(self._parser, data, self._refuse)

    def run(self) -> Document:
        """Read the whole text."""
        try:
            self._parser.Parse(self._data, True)
        except expat.ExpatError as problem:
            advice = "the file may be cut short or damaged, or in another format"
            self._refuse(
                f"expected well-formed XML, but got: {expat.ErrorString(problem.code)}; {advice}", problem.lineno
            )
        except LookupError as problem:
            if type(problem) is not LookupError:  # a mistake of ours, not an encoding that Python does not know
                raise
            self._refuse(f"expected an encoding such as UTF-8, but the text declares another: {problem}; convert it")
        assert self._document is not None, "well-formed XML has a root element, and it is closed"
        return self._document

    def _refuse(self, message: str, line: int | None = None) -> NoReturn:
        raise ParseError(f"{self._where}:{line or self._parser.CurrentLineNumber}: {message}")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        namespace, _, name = tag.rpartition(" ")
        if namespace != OWL or (name == "Ontology") == bool(self._open):
            expected = f"elements of {OWL}" if self._open else f"the root element <Ontology xmlns='{OWL}'>"
            came = f"<{name}> of the namespace {namespace}" if namespace else f"<{name}> without a namespace"
            self._refuse(f"expected {expected}, but got {came}; check that the file is OWL/XML")
        if name not in ELEMENTS:
            self._refuse(str(unknown_construct(name)))
        if len(self._open) >= MAX_NESTING:
            self._refuse(TOO_DEEP)
        base = self._open[-1].base if self._open else attributes.get("ontologyIRI", "")
        element = Element(name, attributes, base, self._parser.CurrentLineNumber)
        if BASE in attributes:
            try:
                element.base = absolute(attributes[BASE], base)
            except IllFormed as problem:
                self._refuse_in(element, problem)
        self._open.append(element)

    def _characters(self, text: str) -> None:
        element = self._open[-1]
        if element.name in WITH_TEXT:
            element.text += text
        elif not text.isspace():
            self._refuse(
                f"expected only elements inside <{element.name}>, but got the text {text.strip()[:80]!r}; remove it"
            )

    def _end(self, _tag: str) -> None:
        element = self._open.pop()
        parent = self._open[-1].name if self._open else ""
        try:
            value = self._meanings.of(element, parent)
        except IllFormed as problem:
            self._refuse_in(element, problem)
        if isinstance(value, Document):
            self._document = value
        elif value is not None:
            self._open[-1].arguments.append(value)

    def _refuse_in(self, element: Element, problem: IllFormed) -> NoReturn:
        advice = "" if ";" in str(problem) else f"; correct this <{element.name}>"
        self._refuse(f"in <{element.name}>: {problem}{advice}", element.line)
