from __future__ import annotations

import pytest
from hypothesis import given, settings

from moose.base.errors import ParseError, UnknownName
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import XSD
from moose.owl.syntax.functional.functional_tokens import Kind
from moose.owl.syntax.functional.read_functional import parse_axiom, parse_expression
from moose.owl.syntax.functional.write_functional import render
from tests.owl.strategies import axioms, class_expressions

EX = "http://example.org/"
A, B = owl.Class(EX + "A"), owl.Class(EX + "B")
R, D, ANN = owl.ObjectProperty(EX + "r"), owl.DataProperty(EX + "d"), owl.NamedIndividual(EX + "i")
ONE = owl.Literal("1", XSD + "integer")


def resolve(kind: type[Kind], text: str) -> Kind:
    known = {
        "A": "A",
        "ex:A": "A",
        f"<{EX}A>": "A",
        "'the A'": "A",
        "'it's A'": "A",
        "B": "B",
        "r": "r",
        "d": "d",
        "i": "i",
    }
    if text not in known:
        raise UnknownName(f"no {kind.__name__} is called {text}")
    return kind(EX + known[text])


@pytest.mark.parametrize("name", ["A", "ex:A", f"<{EX}A>", "'the A'", r"'it\'s A'"])
def test_a_goal_names_its_entities_in_many_ways(name: str) -> None:
    assert parse_axiom(f"SubClassOf({name} B)", "goal", resolve) == ax.SubClassOf(A, B)
    assert parse_expression(name, "goal", resolve) == A


def test_a_goal_may_hold_expressions_literals_and_names_of_owl_itself() -> None:
    text = 'SubClassOf(A ObjectIntersectionOf(owl:Thing ObjectSomeValuesFrom(r B) DataHasValue(d "1"^^xsd:integer)))'
    some, value = owl.ObjectSomeValuesFrom(R, B), owl.DataHasValue(D, ONE)
    assert parse_axiom(text, "goal", resolve) == ax.SubClassOf(A, owl.ObjectIntersectionOf((owl.THING, some, value)))
    assert parse_expression("ObjectSomeValuesFrom(r B)", "goal", resolve) == some
    assert parse_axiom("ClassAssertion(A i)", "goal", resolve) == ax.ClassAssertion(A, ANN)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "goal: expected one axiom or expression, but got nothing; write SubClassOf(A B), say"),
        ("A", "goal: expected an axiom such as SubClassOf(A B), but got the name A; complete it"),
        ("SubClassOf(A B) A", "goal: expected one axiom or expression, but got also the name A"),
        ("SubClassOf(A B", "goal: expected a ')' that closes SubClassOf( here, but the text ends"),
        ("SubClassOf(A B))", "goal: expected no ')' here"),
        ("SubClasOf(A B)", "goal: expected a construct of OWL 2, but got SubClasOf; did you mean SubClassOf?"),
        (
            "ObjectSomeValuesFrom(r A)",
            "goal: expected an axiom such as SubClassOf(A B), but got ObjectSomeValuesFrom(…)",
        ),
        ("Declaration(Class(A))", "goal: expected an axiom such as SubClassOf(A B), but got"),
        ("SubClassOf(A 'the B)", "goal: "),
    ],
)
def test_a_broken_goal_is_refused(text: str, message: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse_axiom(text, "goal", resolve)
    assert str(caught.value).startswith(message)


def test_an_axiom_is_no_expression() -> None:
    with pytest.raises(ParseError, match="goal: expected a class expression, but got the axiom SubClassOf"):
        parse_expression("SubClassOf(A B)", "goal", resolve)


def test_an_unknown_name_in_a_goal_is_said_by_who_knows_the_names() -> None:
    with pytest.raises(UnknownName, match="no ObjectProperty is called A2"):
        parse_axiom("SubClassOf(A ObjectSomeValuesFrom(A2 B))", "goal", resolve)


@settings(deadline=None)
@given(class_expressions())
def test_an_expression_that_is_written_is_read_back_as_a_goal(expression: owl.ClassExpression) -> None:
    assert parse_expression(render(expression), "goal", lambda kind, text: kind(text[1:-1])) == expression


@settings(deadline=None)
@given(axioms())
def test_an_axiom_that_is_written_is_read_back_as_a_goal(axiom: ax.Axiom) -> None:
    assert parse_axiom(render(axiom), "goal", lambda kind, text: kind(text[1:-1])) == axiom
