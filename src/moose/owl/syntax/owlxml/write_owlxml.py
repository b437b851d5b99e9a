"""Write OWL/XML: an element for each construct, under the same names as in functional syntax, one to a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import get_args

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, OWL, PLAIN_LITERAL_IRI, STRING_IRI
from moose.owl.syntax.common.abbreviation import Abbreviation, absolute_iri
from moose.owl.syntax.common.parts import FacetRestriction, Group
from moose.owl.syntax.common.written import NO_OWL, Unwritten, Written, one_line
from moose.owl.syntax.common.xml_text import xml_attribute, xml_comment, xml_text
from moose.owl.syntax.functional.write_functional import Typed, open_construct, render

_ENTITIES = frozenset(get_args(model.Entity))
_STEP = "    "
_RULES = "a rule is kept as text, which OWL/XML has no element for"


def write_owlxml(document: Document) -> Written:
    """Write a document."""
    writer = _Writer(Abbreviation(document.prefixes))
    lines = [*writer.lines(document)]
    return Written("\n".join(lines) + "\n", tuple(writer.unwritten))


@dataclass(frozen=True, slots=True)
class _Closing:
    """The end of an element that has been opened."""

    line: str


class _Writer:
    """Writes the statements of one document."""

    def __init__(self, names: Abbreviation) -> None:
        self._names = names
        self.unwritten: list[Unwritten] = []

    def lines(self, document: Document) -> Iterator[str]:
        """Yield the lines of the document."""
        iris = {"ontologyIRI": document.iri, "versionIRI": document.version_iri if document.iri else None}
        attributes = "".join(f" {key}={self._full(iri)}" for key, iri in iris.items() if iri)
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield f"<Ontology xmlns={xml_attribute(OWL)}{attributes}>"
        for name, space in self._names.prefixes.items():
            yield f"{_STEP}<Prefix name={xml_attribute(name)} IRI={xml_attribute(space)}/>"
        for imported in document.imports:
            yield f"{_STEP}<Import>{xml_text(absolute_iri(imported, 'OWL/XML'))}</Import>"
        parts: tuple[Iterable[object], ...] = (
            document.annotations,
            document.declarations,
            document.axioms,
            document.annotation_assertions,
        )
        for statements in parts:
            for statement in statements:
                yield from self._statement(statement)
        yield "</Ontology>"

    def _statement(self, statement: object) -> Iterator[str]:
        if isinstance(statement, ax.UnreadAxiom):
            reason = _RULES if statement.text.startswith("DLSafeRule(") else NO_OWL
            self.unwritten.append(Unwritten(statement, reason))
            yield _STEP + xml_comment(one_line(f"not written ({reason}): {render(statement)}"))
            return
        indent = _STEP
        waiting: list[object] = [statement]
        while waiting:  # not recursive: a value may be nested more deeply than Python calls may
            item = waiting.pop()
            if isinstance(item, _Closing):
                indent = indent[: -len(_STEP)]
                yield f"{indent}{item.line}"
            elif (leaf := self._leaf(item)) is not None:
                yield f"{indent}{leaf}"
            else:
                name, attributes, parts = self._element(item)
                yield f"{indent}<{name}{attributes}>"
                indent += _STEP
                waiting += [_Closing(f"</{name}>"), *reversed(parts)]

    def _element(self, value: object) -> tuple[str, str, list[object]]:
        """Return the name of a construct, its attributes and its parts."""
        if isinstance(value, FacetRestriction):
            return "FacetRestriction", f" facet={self._full(value.facet)}", [value.literal]
        head, parts = open_construct(value)
        if isinstance(value, ax.Annotation | ax.AnnotationAssertion):
            return head, "", _as_values(head, parts)
        if isinstance(value, ax.HasKey):
            return head, "", [one for part in parts for one in (part.arguments if isinstance(part, Group) else (part,))]
        if isinstance(value, model.DatatypeRestriction):
            facets = (FacetRestriction(facet, literal) for facet, literal in value.facets)
            return head, "", [value.datatype, *facets]
        if head.endswith("Cardinality"):
            number, *rest = parts
            return head, f' cardinality="{number}"', rest
        return head, "", parts

    def _leaf(self, value: object) -> str | None:
        """Write what has no elements inside."""
        if type(value) in _ENTITIES:
            return f"<{type(value).__name__} {self._name(value.iri)}/>"  # type: ignore[attr-defined]  # every entity has one
        if isinstance(value, Typed):
            return f"<{type(value.entity).__name__} {self._name(value.entity.iri)}/>"
        if isinstance(value, _Iri):
            short = self._names.short(value.iri)
            if short is not None:
                return f"<AbbreviatedIRI>{short}</AbbreviatedIRI>"
            return f"<IRI>{xml_text(absolute_iri(value.iri, 'OWL/XML'))}</IRI>"
        if isinstance(value, model.AnonymousIndividual):
            return f"<AnonymousIndividual nodeID={xml_attribute(f'_:{value.node}')}/>"
        if isinstance(value, model.Literal):
            plain = _abbreviated(value)
            return f"<Literal{self._type(plain)}>{xml_text(plain.lexical)}</Literal>"
        return None

    def _name(self, iri: str) -> str:
        short = self._names.short(iri)
        return f'abbreviatedIRI="{short}"' if short is not None else f"IRI={self._full(iri)}"

    def _full(self, iri: str) -> str:
        return xml_attribute(absolute_iri(iri, "OWL/XML"))

    def _type(self, literal: model.Literal) -> str:
        if literal.language:
            return f" xml:lang={xml_attribute(literal.language)}"
        return "" if literal.datatype == STRING_IRI else f" datatypeIRI={self._full(literal.datatype)}"


def _abbreviated(literal: model.Literal) -> model.Literal:
    """Return "chat@fr"^^rdf:PlainLiteral as "chat"@fr, which is the same (OWL 2, 2.4) and read by all."""
    text, at, language = literal.lexical.rpartition("@")
    if literal.datatype != PLAIN_LITERAL_IRI or not at:
        return literal
    return model.Literal(text, LANGUAGE_STRING_IRI, language) if language else model.Literal(text)


@dataclass(frozen=True, slots=True)
class _Iri:
    """An IRI that is written as such, and not as an entity of a kind."""

    iri: str


def _as_values(head: str, parts: list[object]) -> list[object]:
    """Mark which of the IRIs of an annotation names a property and which are values; all come as properties."""
    names = [part for part in parts if not isinstance(part, ax.Annotation)]
    notes = [part for part in parts if isinstance(part, ax.Annotation)]
    properties = {"Annotation": 1, "AnnotationAssertion": 1, "SubAnnotationPropertyOf": 2}.get(head, 1)
    return [
        *notes,
        *names[:properties],
        *(_Iri(part.iri) if isinstance(part, model.AnnotationProperty) else part for part in names[properties:]),
    ]
