"""Axioms as short text: functional syntax in which a bare name is its own IRI, and xsd:, owl: and so on are known."""

from __future__ import annotations

from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import STANDARD_PREFIXES
from moose.owl.syntax.functional.functional_tokens import Kind
from moose.owl.syntax.functional.read_functional import parse_axiom, parse_expression
from moose.owl.syntax.functional.write_functional import render


def read(text: str) -> Axiom:
    return parse_axiom(text, "test", _resolve)


def read_class(text: str) -> owl.ClassExpression:
    return parse_expression(text, "test", _resolve)


def write(value: object) -> str:
    return render(value, _shorten)


def _resolve(kind: type[Kind], name: str) -> Kind:
    name = name.strip("<>")
    prefix, colon, local = name.partition(":")
    return kind(STANDARD_PREFIXES[prefix] + local if colon and prefix in STANDARD_PREFIXES else name)


def _shorten(iri: str) -> str:
    for prefix, namespace in STANDARD_PREFIXES.items():
        if iri.startswith(namespace):
            return f"{prefix}:{iri.removeprefix(namespace)}"
    return iri
