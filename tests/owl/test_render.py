from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Document
from moose.owl.model.expressions import XSD
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import render, write_functional
from tests.owl.strategies import AXIOM_STRATEGIES, documents

A, B, R, D = owl.Class("A"), owl.Class("B"), owl.ObjectProperty("r"), owl.DataProperty("d")
NOTE = ax.Annotation("p", "v", (ax.Annotation("q", owl.Literal("w")),))
ONE = owl.Literal("1", XSD + "integer")

EXAMPLES: list[tuple[object, str]] = [
    (
        owl.ObjectSomeValuesFrom(R, owl.ObjectIntersectionOf((A, B))),
        "ObjectSomeValuesFrom(r ObjectIntersectionOf(A B))",
    ),
    (owl.ObjectMinCardinality(2, owl.ObjectInverseOf(R), A), "ObjectMinCardinality(2 ObjectInverseOf(r) A)"),
    (owl.DatatypeRestriction(owl.Datatype("t"), (("f", owl.Literal("1")),)), 'DatatypeRestriction(t f "1")'),
    (owl.Literal('say "\\"'), '"say \\"\\\\\\""'),
    (owl.Literal("chat", language="fr"), '"chat"@fr'),
    (ONE, f'"1"^^{XSD}integer'),
    (owl.AnonymousIndividual("x"), "_:x"),
    (ax.SubClassOf(A, B, (NOTE,)), 'SubClassOf(Annotation(Annotation(q "w") p v) A B)'),
    (ax.Declaration(A), "Declaration(Class(A))"),
    (ax.AnnotationAssertion("p", owl.AnonymousIndividual("x"), "v"), "AnnotationAssertion(p _:x v)"),
    (ax.HasKey(A, (R,), ()), "HasKey(A (r) ())"),
    (ax.SubObjectPropertyOf((R,), R), "SubObjectPropertyOf(r r)"),
    (ax.SubObjectPropertyOf((R, R), R), "SubObjectPropertyOf(ObjectPropertyChain(r r) r)"),
    (ax.ObjectPropertyCharacteristic("Transitive", R), "TransitiveObjectProperty(r)"),
    (
        ax.DataPropertyAssertion(D, owl.NamedIndividual("a"), owl.Literal("v"), negative=True),
        'NegativeDataPropertyAssertion(d a "v")',
    ),
    (ax.UnreadAxiom("DLSafeRule(Body() Head())", "why", (NOTE,)), f"DLSafeRule({render(NOTE, str)} Body() Head())"),
    (ax.UnreadAxiom("_:x owl:oneOf 7 .", "why"), "_:x owl:oneOf 7 ."),
]


@pytest.mark.parametrize(("value", "text"), EXAMPLES, ids=[text[:30] for _, text in EXAMPLES])
def test_each_construct_is_written_as_the_specification_says(value: object, text: str) -> None:
    assert render(value, str) == text


def test_an_iri_is_written_in_full_unless_told_otherwise() -> None:
    assert render(ax.SubClassOf(A, B)) == "SubClassOf(<A> <B>)"


def test_what_is_no_owl_value_is_refused() -> None:
    with pytest.raises(MooseError, match="expected a value of the OWL model to write, but got one of type list"):
        render([A])


def test_a_value_of_any_depth_is_written() -> None:
    value: owl.ClassExpression = A
    for _ in range(20_000):
        value = owl.ObjectComplementOf(value)
    assert render(value, str) == "ObjectComplementOf(" * 20_000 + "A" + ")" * 20_000


def test_the_strategies_know_every_axiom() -> None:
    assert set(AXIOM_STRATEGIES) == set(get_args(ax.Axiom))


@pytest.mark.parametrize("kind", AXIOM_STRATEGIES)
@settings(deadline=None, max_examples=15)
@given(data=st.data())
def test_an_axiom_that_is_written_is_read_back(kind: type, data: st.DataObject) -> None:
    axiom = data.draw(AXIOM_STRATEGIES[kind]())
    assert read_functional(f"Ontology({render(axiom)})", "written").axioms == (axiom,)


@settings(deadline=None)
@given(documents())
def test_a_document_that_is_written_is_read_back(document: Document) -> None:
    assert read_functional(write_functional(document), "written") == document


def test_what_could_not_be_read_is_written_as_a_comment() -> None:
    text = write_functional(Document(axioms=(ax.UnreadAxiom("a b\nc", "broken list"), ax.SubClassOf(A, B))))
    assert text == "Ontology(\n# not read (broken list): a b c\nSubClassOf(<A> <B>)\n)\n"
