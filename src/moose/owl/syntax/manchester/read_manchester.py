"""Read OWL 2 documents in Manchester syntax (W3C Working Group Note), with what the OWL API adds to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, get_args

from moose.owl.model import axioms
from moose.owl.model.axioms import AnnotationAssertion, Annotations, Axiom, Declaration, Document, UnreadAxiom
from moose.owl.model.expressions import AnnotationProperty, AnonymousIndividual, DataProperty, Entity, ObjectInverseOf
from moose.owl.syntax.common.arguments import RULE_REASON
from moose.owl.syntax.manchester.class_expressions import read_class_expression, read_property
from moose.owl.syntax.manchester.cursor import Reader
from moose.owl.syntax.manchester.data_ranges import read_list
from moose.owl.syntax.manchester.frames import (
    ANNOTATION_PROPERTY,
    CLASS,
    DATA_PROPERTY,
    DATATYPE,
    INDIVIDUAL,
    OBJECT_PROPERTY,
    Sections,
    Statement,
    read_annotations,
)
from moose.owl.syntax.manchester.manchester_tokens import END, section_of

S = TypeVar("S")
T = TypeVar("T")
Frame = Callable[[Reader], Iterator[Statement | Declaration]]
"""Reads what stands behind a frame's keyword, up to the next frame."""


def read_manchester(text: str, where: str, *, known: Iterable[Entity] = ()) -> Document:
    """Return what a document says; `where` is its name for error messages, `known` what other documents declare.

    >>> read_manchester("Prefix: : <http://a/> Ontology: Class: A SubClassOf: B", "a.omn").axioms
    (SubClassOf(sub=Class(iri='http://a/A'), sup=Class(iri='http://a/B'), annotations=()),)
    """
    reader = Reader(text.removeprefix("\ufeff"), where)
    if reader.peek() == END:
        reader.fail("'Prefix:', 'Ontology:' or a frame such as 'Class:'")
    _read_prefixes(reader)
    reader.names.survey(reader.tokens)
    reader.names.learn(known)
    iri, version_iri, imports, annotations = _read_header(reader)
    statements = list(_read_frames(reader))
    return Document(
        iri,
        version_iri,
        imports,
        annotations,
        tuple(item for item in statements if isinstance(item, Declaration)),
        tuple(item for item in statements if not isinstance(item, Declaration | AnnotationAssertion)),
        tuple(item for item in statements if isinstance(item, AnnotationAssertion)),
        reader.names.prefixes,
    )


# ── Prefixes and header ───────────────────────────────────────────────────────────────────────────────────────────


def _read_prefixes(reader: Reader) -> None:
    while reader.accept_section("Prefix"):
        prefix = reader.peek()
        if not prefix.endswith(":"):
            reader.fail("a prefix with its colon, as in 'Prefix: ex: <http://example.org/>'")
        reader.take()
        namespace = reader.peek()
        if not (namespace.startswith("<") and namespace.endswith(">")):
            reader.fail(f"an IRI in angle brackets for the prefix '{prefix}'")
        reader.names.prefixes[prefix[:-1]] = reader.take()[1:-1]


def _read_header(reader: Reader) -> tuple[str | None, str | None, tuple[str, ...], Annotations]:
    if not reader.accept_section("Ontology"):
        return None, None, (), ()
    iris = [reader.iri("an IRI") for _ in range(2) if reader.names.is_name(reader.peek())]
    imports: list[str] = []
    annotations: Annotations = ()
    while reader.section() in ("Import", "Annotations"):
        if reader.accept_section("Import"):
            imports.append(reader.iri("the IRI of an ontology"))
        else:
            annotations += read_annotations(reader)
    iri, version_iri = (*iris, None, None)[:2]
    return iri, version_iri, tuple(imports), annotations


# ── Frames ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _read_frames(reader: Reader) -> Iterator[Statement | Declaration]:
    while reader.peek() != END:
        frame = FRAMES.get(reader.section() or "")
        if frame is None:
            reader.fail(f"a frame ({', '.join(f'{name}:' for name in FRAMES)})")
        reader.take()
        yield from frame(reader)


def _frame(read_subject: Callable[[Reader], S], sections: Sections[S]) -> Frame:
    """Return the frame about one subject, with these sections."""
    expected = f"',' or a section ({', '.join(f'{name}:' for name in ('Annotations', *sections))}) or a new frame"

    def frame(reader: Reader) -> Iterator[Statement | Declaration]:
        subject = read_subject(reader)
        if isinstance(subject, get_args(Entity)):
            yield Declaration(subject)
        while (keyword := reader.section()) not in FRAMES and reader.peek() != END:
            if keyword == "Annotations":
                yield from _annotation_assertions(reader, subject)
                continue
            section = sections.get(keyword or "")
            if section is None:
                reader.fail(expected)
            reader.take()
            yield from section(reader, subject)

    return frame


def _annotation_assertions(reader: Reader, subject: object) -> Iterator[AnnotationAssertion]:
    target = subject if isinstance(subject, AnonymousIndividual) else getattr(subject, "iri", None)
    if target is None:
        reader.refuse("expected annotations only on what has a name, but this frame is about an expression")
    for note in read_annotations(reader):
        yield AnnotationAssertion(note.property, target, note.value, note.annotations)


def _together(read: Callable[[Reader], T], make: Callable[[tuple[T, ...], Annotations], Axiom]) -> Frame:
    """Return the frame that says one thing of several items together."""

    def frame(reader: Reader) -> Iterator[Statement]:
        annotations = read_annotations(reader)
        yield make(read_list(reader, read), annotations)

    return frame


def _properties(
    of_roles: type[axioms.EquivalentObjectProperties | axioms.DisjointObjectProperties],
    of_attributes: type[axioms.EquivalentDataProperties | axioms.DisjointDataProperties],
) -> Frame:
    """Return the frame over properties of one kind, data properties if one of them is known to be such."""

    def frame(reader: Reader) -> Iterator[Statement]:
        annotations = read_annotations(reader)
        properties = read_list(reader, read_property)
        roles = tuple(item for item in properties if not isinstance(item, DataProperty))
        if len(roles) == len(properties):
            yield of_roles(roles, annotations)
            return
        attributes = tuple(DataProperty(item.iri) for item in properties if not isinstance(item, ObjectInverseOf))
        is_mixed = any(reader.names.introduces("ObjectProperty", item.iri) for item in attributes)
        if is_mixed or len(attributes) < len(properties):
            reader.refuse("expected properties of one kind before this, but both object and data properties came")
        yield of_attributes(attributes, annotations)

    return frame


def _rule(reader: Reader) -> Iterator[Statement]:
    length = 0
    while section_of(reader.peek(length)) not in FRAMES and reader.peek(length) != END:
        length += 1
    yield UnreadAxiom("Rule: " + reader.take_raw(length), RULE_REASON)


FRAMES: dict[str | None, Frame] = {
    "Class": _frame(read_class_expression, CLASS),
    "ObjectProperty": _frame(Reader.object_property, OBJECT_PROPERTY),
    "DataProperty": _frame(Reader.data_property, DATA_PROPERTY),
    "AnnotationProperty": _frame(
        lambda reader: AnnotationProperty(reader.iri("the name of an annotation property")), ANNOTATION_PROPERTY
    ),
    "Datatype": _frame(Reader.datatype, DATATYPE),
    "Individual": _frame(Reader.individual, INDIVIDUAL),
    "EquivalentClasses": _together(read_class_expression, axioms.EquivalentClasses),
    "DisjointClasses": _together(read_class_expression, axioms.DisjointClasses),
    "EquivalentProperties": _properties(axioms.EquivalentObjectProperties, axioms.EquivalentDataProperties),
    "DisjointProperties": _properties(axioms.DisjointObjectProperties, axioms.DisjointDataProperties),
    "SameIndividual": _together(Reader.individual, axioms.SameIndividual),
    "DifferentIndividuals": _together(Reader.individual, axioms.DifferentIndividuals),
    "Rule": _rule,
}
