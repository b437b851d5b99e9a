"""Write OWL 2 values in functional syntax: any expression, axiom or annotation, and whole documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any, get_args

from moose.base.errors import MooseError
from moose.owl.model import axioms
from moose.owl.model import expressions as model
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import STRING_IRI
from moose.owl.syntax.common.parts import Group, ObjectPropertyChain

Name = Callable[[str], str]
"""How an IRI is printed."""

Parts = list[object]
"""What stands between the parentheses: values of the model, and `str` for text that is printed as it is."""

_ENTITIES = frozenset(get_args(model.Entity))


def full_iri(iri: str) -> str:
    """Print an IRI in full.

    >>> full_iri("http://example.org/A")
    '<http://example.org/A>'
    """
    return f"<{iri}>"


def render(value: object, name: Name = full_iri) -> str:
    """Write a value of the model in functional syntax.

    >>> render(model.ObjectSomeValuesFrom(model.ObjectProperty("r"), model.Class("A")))
    'ObjectSomeValuesFrom(<r> <A>)'
    """
    pieces: list[str] = []
    waiting = [value]
    while waiting:  # not recursive: a value may be nested more deeply than Python calls may
        item = waiting.pop()
        if isinstance(item, str):
            pieces.append(item)
        elif type(item) in _ENTITIES:
            pieces.append(name(item.iri))  # type: ignore[attr-defined]  # every entity has one
        elif isinstance(item, model.Literal):
            pieces.append(_literal(item, name))
        elif isinstance(item, model.AnonymousIndividual):
            pieces.append(f"_:{item.node}")
        elif isinstance(item, axioms.UnreadAxiom) and not is_rule(item):
            pieces.append(item.text)
        else:
            head, parts = open_construct(item)
            waiting += [")", *_spaced_backwards(parts), f"{head}("]
    return "".join(pieces)


def write_functional(document: Document, name: Name = full_iri) -> str:
    """Write a document that `read_functional` reads back as the same value.

    An `UnreadAxiom` that is not a rule has no functional syntax: it becomes a comment. With a `name` that abbreviates,
    the document's own prefixes must be the ones it uses.
    """
    return "\n".join(_lines(document, name)) + "\n"


def _lines(document: Document, name: Name) -> Iterator[str]:
    for prefix, namespace in document.prefixes.items():
        yield f"Prefix({prefix}:=<{namespace}>)"
    iris = (document.iri, document.version_iri) if document.iri else ()  # OWL 2: no version without an IRI
    yield "Ontology(" + " ".join(f"<{iri}>" for iri in iris if iri)
    for imported in document.imports:
        yield f"Import(<{imported}>)"
    statements: Iterable[object] = (
        *document.annotations,
        *document.declarations,
        *document.axioms,
        *document.annotation_assertions,
    )
    for statement in statements:
        if isinstance(statement, axioms.UnreadAxiom) and not is_rule(statement):
            yield " ".join(f"# not read ({statement.reason}): {statement.text}".split())
        else:
            yield render(statement, name)
    yield ")"


def _literal(literal: model.Literal, name: Name) -> str:
    quoted = '"' + literal.lexical.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if literal.language:
        return f"{quoted}@{literal.language}"
    return quoted if literal.datatype == STRING_IRI else f"{quoted}^^{name(literal.datatype)}"


def _spaced_backwards(parts: Parts) -> Iterator[object]:
    for position, part in enumerate(reversed(parts)):
        if position:
            yield " "
        yield part


# ── The name and the arguments of each construct ──────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Typed:
    """An entity that is written with its type, as in Declaration(Class(<A>))."""

    entity: model.Entity


def open_construct(value: object) -> tuple[str, Parts]:
    """Return a construct's name and its arguments, annotations first."""
    special = _SPECIAL.get(type(value))
    head, parts = special(value) if special else (type(value).__name__, _fields(value))
    return head, [*getattr(value, "annotations", ()), *parts]


def _fields(value: object) -> Parts:
    """Return the arguments of a construct whose fields stand in the order of functional syntax."""
    names = _FIELD_NAMES.get(type(value))
    if names is None:
        raise MooseError(f"expected a value of the OWL model to write, but got one of type {type(value).__name__}")
    parts: Parts = []
    for name in names:
        content = getattr(value, name)
        if isinstance(content, tuple):
            parts += content
        else:
            parts.append(str(content) if isinstance(content, int) else content)
    return parts


_FIELD_NAMES: dict[type, tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind) if field.name != "annotations")
    for union in (model.ClassExpression, model.DataRange, axioms.Axiom)
    for kind in (*get_args(union), model.ObjectInverseOf, ObjectPropertyChain)
}


def _iri(value: object) -> object:
    """Mark an IRI, which the model holds as a `str` in annotations and facets, as a name to print."""
    return model.AnnotationProperty(value) if isinstance(value, str) else value


def _facets(facets: tuple[tuple[str, model.Literal], ...]) -> Parts:
    return [part for facet, literal in facets for part in (_iri(facet), literal)]


def _chain(chain: tuple[model.ObjectPropertyExpression, ...]) -> object:
    return chain[0] if len(chain) == 1 else ObjectPropertyChain(chain)


def _annotation_axiom(axiom: axioms.AnnotationAssertion) -> tuple[str, Parts]:
    """Write what is said of annotation properties by the constructs that OWL 2 has for it."""
    head = _ABOUT_PROPERTIES.get(axiom.property)
    if head is not None and isinstance(axiom.subject, str) and isinstance(axiom.value, str):
        return head, [_iri(axiom.subject), _iri(axiom.value)]
    return "AnnotationAssertion", [_iri(axiom.property), _iri(axiom.subject), _iri(axiom.value)]


_ABOUT_PROPERTIES = {
    model.RDFS + "subPropertyOf": "SubAnnotationPropertyOf",
    model.RDFS + "domain": "AnnotationPropertyDomain",
    model.RDFS + "range": "AnnotationPropertyRange",
}


def _assertion(axiom: axioms.ObjectPropertyAssertion | axioms.DataPropertyAssertion) -> tuple[str, Parts]:
    target = axiom.literal if isinstance(axiom, axioms.DataPropertyAssertion) else axiom.target
    head = ("Negative" if axiom.negative else "") + type(axiom).__name__
    return head, [axiom.property, axiom.source, target]


def is_rule(axiom: axioms.UnreadAxiom) -> bool:
    """Return whether something unread is a SWRL rule, which functional syntax has words for."""
    return axiom.text.startswith("DLSafeRule(")


# Each function takes a value of the type that is its key, which the type of a dictionary cannot say.
_SPECIAL: dict[type, Callable[[Any], tuple[str, Parts]]] = {
    Group: lambda group: ("", list(group.arguments)),
    Typed: lambda typed: (type(typed.entity).__name__, [typed.entity]),
    model.DatatypeRestriction: lambda narrowed: (
        "DatatypeRestriction",
        [narrowed.datatype, *_facets(narrowed.facets)],
    ),
    axioms.Annotation: lambda note: ("Annotation", [_iri(note.property), _iri(note.value)]),
    axioms.Declaration: lambda axiom: ("Declaration", [Typed(axiom.entity)]),
    axioms.AnnotationAssertion: _annotation_axiom,
    axioms.HasKey: lambda axiom: (
        "HasKey",
        [axiom.cls, Group(axiom.object_properties), Group(axiom.data_properties)],
    ),
    axioms.SubObjectPropertyOf: lambda axiom: ("SubObjectPropertyOf", [_chain(axiom.chain), axiom.sup]),
    axioms.ObjectPropertyCharacteristic: lambda axiom: (f"{axiom.characteristic}ObjectProperty", [axiom.property]),
    axioms.ObjectPropertyAssertion: _assertion,
    axioms.DataPropertyAssertion: _assertion,
    axioms.UnreadAxiom: lambda axiom: ("DLSafeRule", [axiom.text[len("DLSafeRule(") : -1]]),
}
