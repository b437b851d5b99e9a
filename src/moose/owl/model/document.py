"""What one document says, before its imports are merged and its profile is checked: the value every reader returns."""

from __future__ import annotations

from dataclasses import dataclass, field

from moose.owl.model.axioms import Annotation, AnnotationAssertion, Axiom, Declaration


@dataclass(frozen=True, slots=True)
class Document:
    """The content of one ontology document, in an order that is the document's own (or sorted, never the run's).

    Each reader is one function `read_…(text: str, where: str) -> Document` (or `bytes` where the syntax says so);
    `where` is the name for error messages. A reader raises `ParseError` and nothing else.
    """

    iri: str | None = None
    version_iri: str | None = None
    imports: tuple[str, ...] = ()
    annotations: tuple[Annotation, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    axioms: tuple[Axiom, ...] = ()
    annotation_assertions: tuple[AnnotationAssertion, ...] = ()
    prefixes: dict[str, str] = field(default_factory=dict)
    """Prefix (without the colon; "" for the default) to namespace IRI."""


@dataclass(frozen=True, slots=True)
class Imported:
    """A document that was read because another imports it: the IRI it was imported by, and its file."""

    iri: str
    path: str
