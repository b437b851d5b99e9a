"""Read any syntax that py-horned-owl reads and turn its values into ours: a second opinion on our own readers.

py-horned-owl returns axioms in an order that changes from run to run; here they are sorted by how they are written.
It also loses statements without a word (the chains and cardinalities of OBO, n-ary disjointness in RDF), so that
nothing but tests and comparisons stands on it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any, Literal

from moose.base.errors import ParseError
from moose.owl.model import axioms
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Annotation, Annotations, Document
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, RDFS
from moose.owl.model.nesting import MAX_NESTING
from moose.owl.syntax.common.arguments import RULE_REASON
from moose.owl.syntax.functional.write_functional import render

HornedSyntax = Literal["ofn", "owx", "omn", "obo", "owl", "rdf"]


def read_horned(text: str, where: str, *, syntax: HornedSyntax) -> Document:
    """Return what py-horned-owl finds in a document, sorted, so that every run gives the same value."""
    import pyhornedowl

    try:
        ontology = pyhornedowl.open_ontology_from_string(text, syntax)
    except ValueError as error:
        raise ParseError(_message(str(error), where)) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # so the library reports its own mistakes
            raise
        raise ParseError(f"{where}: expected what py-horned-owl can read, but it gave up: {error}") from None
    found: defaultdict[str, list[Any]] = defaultdict(list)
    try:
        for item in ontology.get_components():
            kind, value = _statement(item.component, _annotations(item.ann))
            found[kind].append(value)
    except RecursionError:
        raise ParseError(f"{where}: expected expressions nested at most {MAX_NESTING} levels deep") from None
    return _document(found, dict(ontology.prefix_mapping))


def _message(message: str, where: str) -> str:
    place = re.search(r"line_col: Pos\(\((\d+), \d+\)\)", message)
    line = re.search(r'line: "((?:[^"\\]|\\.)*)"', message)
    if place is None or line is None:
        return f"{where}: expected what py-horned-owl can read, but it says: {message[:200]}"
    return f"{where}:{place[1]}: expected what py-horned-owl can read, but {line[1][:80]!r} came"


def _document(found: dict[str, list[Any]], prefixes: dict[str, str]) -> Document:
    iri, version_iri = (found["identity"] or [(None, None)])[0]
    parts = [sorted(found[kind], key=render) for kind in ("annotations", "declarations", "axioms", "assertions")]
    annotations, declarations, logical, assertions = map(tuple, parts)
    imports = tuple(sorted(found["imports"]))
    return Document(iri, version_iri, imports, annotations, declarations, logical, assertions, prefixes)


def _annotations(found: Iterable[Any]) -> Annotations:
    return tuple(sorted((_convert(item) for item in found), key=render))


# ── Statements ────────────────────────────────────────────────────────────────────────────────────────────────────


def _statement(component: Any, notes: Annotations) -> tuple[str, object]:
    """Return which part of a document a component belongs to, and our value for it."""
    name = type(component).__name__
    if name == "Rule":
        return "axioms", axioms.UnreadAxiom(component.serialize("ofn"), RULE_REASON, notes)
    parts = _parts(component)
    if name in _AXIOMS:
        return "axioms", _AXIOMS[name](*parts, notes)
    if name in _ANNOTATION_AXIOMS:
        return "assertions", axioms.AnnotationAssertion(
            RDFS + _ANNOTATION_AXIOMS[name], _iri(parts[0]), _iri(parts[1]), notes
        )
    if name == "AnnotationAssertion":
        subject, note = parts
        return "assertions", axioms.AnnotationAssertion(note.property, _iri(subject), note.value, notes)
    if name.startswith("Declare"):
        return "declarations", axioms.Declaration(parts[0], notes)
    if name in _HEADER:
        kind, take = _HEADER[name]
        return kind, take(parts)
    return "axioms", axioms.UnreadAxiom(
        str(component), f"py-horned-owl calls it {name}, which is not known here", notes
    )


def _iri(value: Any) -> Any:
    """Annotation axioms name their properties as entities; ours hold the IRI."""
    return value.iri if isinstance(value, model.AnnotationProperty) else value


def _parts(value: Any) -> list[Any]:
    return [_convert(getattr(value, _FIELDS.get(name, name))) for name in value.__match_args__]


def _convert(value: Any) -> Any:
    """Return our value for a value of py-horned-owl, whose type has the specification's name and ordered fields."""
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list):
        return tuple(map(_convert, value))
    name = type(value).__name__
    if name == "IRI":
        return str(value)
    if name == "Facet":
        return value.serialize("ofn")[1:-1]
    if name == "Annotation":
        return Annotation(str(value.ap.first), _convert(value.av), _annotations(value.ann))
    return _VALUES[name](*_parts(value))


# ── Our constructors by their names, in the order of their fields ─────────────────────────────────────────────────


def _sub_object_property(sub: Any, sup: Any, notes: Annotations) -> axioms.Axiom:
    return axioms.SubObjectPropertyOf(sub if isinstance(sub, tuple) else (sub,), sup, notes)


def _has_key(cls: Any, properties: Any, notes: Annotations) -> axioms.Axiom:
    attributes = tuple(item for item in properties if isinstance(item, model.DataProperty))
    return axioms.HasKey(cls, tuple(item for item in properties if item not in attributes), attributes, notes)


def _negative(kind: Callable[..., axioms.Axiom]) -> Callable[..., axioms.Axiom]:
    return lambda role, source, target, notes: kind(role, source, target, True, notes)


def _positive(kind: Callable[..., axioms.Axiom]) -> Callable[..., axioms.Axiom]:
    return lambda role, source, target, notes: kind(role, source, target, False, notes)


def _characteristic(word: str) -> Callable[..., axioms.Axiom]:
    return lambda role, notes: axioms.ObjectPropertyCharacteristic(word, role, notes)


_CHARACTERISTICS = (
    "Functional",
    "InverseFunctional",
    "Reflexive",
    "Irreflexive",
    "Symmetric",
    "Asymmetric",
    "Transitive",
)
_SAME_SHAPE: tuple[type, ...] = (
    axioms.SubClassOf,
    axioms.EquivalentClasses,
    axioms.DisjointClasses,
    axioms.DisjointUnion,
    axioms.DatatypeDefinition,
    axioms.EquivalentObjectProperties,
    axioms.DisjointObjectProperties,
    axioms.InverseObjectProperties,
    axioms.ObjectPropertyDomain,
    axioms.ObjectPropertyRange,
    axioms.SubDataPropertyOf,
    axioms.EquivalentDataProperties,
    axioms.DisjointDataProperties,
    axioms.DataPropertyDomain,
    axioms.DataPropertyRange,
    axioms.FunctionalDataProperty,
    axioms.SameIndividual,
    axioms.DifferentIndividuals,
    axioms.ClassAssertion,
)
_AXIOMS: dict[str, Callable[..., axioms.Axiom]] = {
    **{kind.__name__: kind for kind in _SAME_SHAPE},
    **{f"{word}ObjectProperty": _characteristic(word) for word in _CHARACTERISTICS},
    "SubObjectPropertyOf": _sub_object_property,
    "HasKey": _has_key,
    "ObjectPropertyAssertion": _positive(axioms.ObjectPropertyAssertion),
    "NegativeObjectPropertyAssertion": _negative(axioms.ObjectPropertyAssertion),
    "DataPropertyAssertion": _positive(axioms.DataPropertyAssertion),
    "NegativeDataPropertyAssertion": _negative(axioms.DataPropertyAssertion),
}
_ANNOTATION_AXIOMS = {
    "SubAnnotationPropertyOf": "subPropertyOf",
    "AnnotationPropertyDomain": "domain",
    "AnnotationPropertyRange": "range",
}
_HEADER: dict[str, tuple[str, Callable[[list[Any]], object]]] = {
    "OntologyID": ("identity", lambda parts: (parts[0], parts[1])),
    "DocIRI": ("place", lambda parts: parts[0]),
    "Import": ("imports", lambda parts: parts[0]),
    "OntologyAnnotation": ("annotations", lambda parts: parts[0]),
}
_FIELDS = {"from": "source", "to": "target"}  # words of Python, which the library lists but does not use
_SAME_NAME = (
    "Class ObjectProperty DataProperty AnnotationProperty NamedIndividual Datatype DataIntersectionOf DataUnionOf "
    "DataComplementOf DataOneOf DatatypeRestriction ObjectIntersectionOf ObjectUnionOf ObjectComplementOf "
    "ObjectOneOf ObjectSomeValuesFrom ObjectAllValuesFrom ObjectHasValue ObjectHasSelf ObjectMinCardinality "
    "ObjectMaxCardinality ObjectExactCardinality DataHasValue DataMinCardinality DataMaxCardinality "
    "DataExactCardinality"
)
_VALUES: dict[str, Callable[..., object]] = {
    **{name: getattr(model, name) for name in _SAME_NAME.split()},
    "InverseObjectProperty": model.ObjectInverseOf,
    "AnonymousIndividual": lambda node: model.AnonymousIndividual(node.removeprefix("_:")),
    "DataSomeValuesFrom": lambda role, values: model.DataSomeValuesFrom((role,), values),
    "DataAllValuesFrom": lambda role, values: model.DataAllValuesFrom((role,), values),
    "FacetRestriction": lambda facet, literal: (facet, literal),
    "SimpleLiteral": model.Literal,
    "DatatypeLiteral": model.Literal,
    "LanguageLiteral": lambda lexical, language: model.Literal(lexical, LANGUAGE_STRING_IRI, language),
}
