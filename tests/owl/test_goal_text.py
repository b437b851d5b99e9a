"""Goals as text: Manchester and functional syntax say the same, with every way to name an entity."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError, ParseError, UnknownName
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    DataHasValue,
    DataProperty,
    DataSomeValuesFrom,
    Datatype,
    Literal,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectInverseOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.owl.names import Names
from moose.owl.syntax.goal_text import bare_names, parse_axiom, parse_expression, parse_goal

TEXT = """
Prefix: : <http://e/> Prefix: rdfs: <http://www.w3.org/2000/01/rdf-schema#> Ontology: <http://e/>
ObjectProperty: r Annotations: rdfs:label "part of"
ObjectProperty: s
DataProperty: d
Class: A Annotations: rdfs:label "immune system"
Class: B Annotations: rdfs:label "5'-end"
Class: C
Class: Range
Individual: a
Individual: b
"""
A, B, C = (Class(f"http://e/{name}") for name in "ABC")
r, s = ObjectProperty("http://e/r"), ObjectProperty("http://e/s")
d = DataProperty("http://e/d")
a, b = NamedIndividual("http://e/a"), NamedIndividual("http://e/b")
INTEGER = "http://www.w3.org/2001/XMLSchema#integer"


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Names:
    file = tmp_path_factory.mktemp("goals") / "e.omn"
    file.write_text(TEXT)
    return Names(moose.load(file))


EXPRESSIONS = {
    "A": A,
    "'immune system'": A,
    r"'5\'-end' and C": ObjectIntersectionOf((B, C)),
    "r some A": ObjectSomeValuesFrom(r, A),
    "'part of' some 'immune system'": ObjectSomeValuesFrom(r, A),
    "<http://e/r> some <http://e/A>": ObjectSomeValuesFrom(r, A),
    "A and (r some (B and s some owl:Thing))": ObjectIntersectionOf(
        (A, ObjectSomeValuesFrom(r, ObjectIntersectionOf((B, ObjectSomeValuesFrom(s, THING)))))
    ),
    "r value a": ObjectHasValue(r, a),
    "{a, b}": ObjectOneOf((a, b)),
    "r Self": ObjectHasSelf(r),
    "d value 5": DataHasValue(d, Literal("5", INTEGER)),
    "d some xsd:integer": DataSomeValuesFrom((d,), Datatype(INTEGER)),
    "d some integer": DataSomeValuesFrom((d,), Datatype(INTEGER)),
    "A or not C": None,
    "inverse r some A": ObjectSomeValuesFrom(ObjectInverseOf(r), A),
    "inverse (r) some A": ObjectSomeValuesFrom(ObjectInverseOf(r), A),
    "ObjectSomeValuesFrom(r 'immune system')": ObjectSomeValuesFrom(r, A),
    "ObjectUnionOf(A B)": ObjectUnionOf((A, B)),
}


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions(text: str, names: Names) -> None:
    expected = EXPRESSIONS[text]
    found = parse_expression(text, "the query", names.resolve)
    assert found == expected if expected is not None else isinstance(found, ObjectUnionOf)


AXIOMS = {
    "A SubClassOf r some B": ax.SubClassOf(A, ObjectSomeValuesFrom(r, B)),
    "A SubClassOf: B": ax.SubClassOf(A, B),
    "'immune system' and C subclassof B": ax.SubClassOf(ObjectIntersectionOf((A, C)), B),
    "Range SubClassOf A": ax.SubClassOf(Class("http://e/Range"), A),
    "A EquivalentTo B and C": ax.EquivalentClasses((A, ObjectIntersectionOf((B, C)))),
    "A DisjointWith B": ax.DisjointClasses((A, B)),
    "a Type A": ax.ClassAssertion(A, a),
    "a Facts r b": ax.ObjectPropertyAssertion(r, a, b),
    "a SameAs b": ax.SameIndividual((a, b)),
    "a DifferentFrom b": ax.DifferentIndividuals((a, b)),
    "r o s SubPropertyOf 'part of'": ax.SubObjectPropertyOf((r, s), r),
    "r Domain A": ax.ObjectPropertyDomain(r, A),
    "r Range B": ax.ObjectPropertyRange(r, B),
    "SubClassOf(A B)": ax.SubClassOf(A, B),
}


@pytest.mark.parametrize("text", AXIOMS)
def test_axioms(text: str, names: Names) -> None:
    assert parse_axiom(text, "the goal", names.resolve) == AXIOMS[text]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("immune system", "expected the name of a class, but the ontology has no 'immune'"),
        ("A and", "expected a class expression, but the end of the text came"),
        ("A B", "expected 'and', 'or' or the end behind a class expression"),
        ("'part of' some 'imune system'", "did you mean"),
        ("q some A", "expected the name of an object property, but the ontology has no 'q'"),
        ("", "nothing came"),
        ("(A", r"expected '\)'"),
    ],
)
def test_mistakes_get_one_sentence(text: str, message: str, names: Names) -> None:
    with pytest.raises((ParseError, UnknownName), match=message) as error:
        parse_expression(text, "the query", names.resolve)
    assert "\n" not in str(error.value)


@given(st.text(alphabet="AB'()\\{}<>[]\"rsomeand ,:#^@1 value", max_size=30))
def test_whatever_comes_is_read_or_refused(text: str) -> None:
    for parse in (parse_expression, parse_axiom):
        with suppress(ParseError):
            parse(text, "the query", lambda kind, name: kind(name))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("A SubClasOf B", "did you mean SubClassOf by 'SubClasOf'?"),
        ("A subclasof: B", "did you mean SubClassOf by 'subclasof:'?"),
        ("A SubClassOf r som B", "'r' is an object property; did you mean 'some' by 'som'?"),
        ("A SubClassOf r onyl (B and C)", "did you mean 'only' by 'onyl'?"),
        ("A SubClassOf (r some B) an C", "did you mean 'and' by 'an'?"),
        ("A SubClassOf r B", "write 'r some B'"),
    ],
)
def test_a_misspelt_keyword_is_named(names: Names, text: str, meant: str) -> None:
    with pytest.raises((ParseError, UnknownName), match=re.escape(meant)):
        parse_axiom(text, "goal", names.resolve)


def test_what_cannot_be_asked_for_is_not_offered(names: Names) -> None:
    with pytest.raises(ParseError, match="SameAs, DifferentFrom, Domain between two sides"):
        parse_goal("A is B", "goal", names.resolve)
    with pytest.raises(ParseError, match="SubPropertyOf, Domain, Range between two sides"):
        parse_axiom("A is B", "an axiom", names.resolve)


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("a r b", "write 'a Facts r b'"),
        ("a A", "write 'a Type A'"),
        ("A 'part of' C", "write \"A SubClassOf 'part of' some C\""),
        ("a A b", "write one of SubClassOf"),
        ("a r nobody", "write one of SubClassOf"),
    ],
)
def test_names_without_a_keyword_are_answered_with_what_they_may_mean(names: Names, text: str, advice: str) -> None:
    with pytest.raises(ParseError) as error:
        parse_goal(text, "given", names.resolve)
    assert str(error.value).startswith("given: expected an axiom such as ") and f"; {advice}" in str(error.value)


def test_that_a_class_is_unsatisfiable_is_a_goal(names: Names) -> None:
    assert parse_goal(" unsatisfiable  'immune system'", "goal", names.resolve) == ax.SubClassOf(A, NOTHING)
    assert parse_goal("unsatisfiable r some A", "goal", names.resolve) == ax.SubClassOf(
        ObjectSomeValuesFrom(r, A), NOTHING
    )
    assert parse_goal("A SubClassOf B", "goal", names.resolve) == ax.SubClassOf(A, B)


def test_names_are_taken_as_they_are_shown(names: Names) -> None:
    assert names.show(A.iri) == "A" and names.show(r.iri) == "r"
    found = parse_axiom("A 'immune system' SubClassOf r 'part of' some (B '5\\'-end' and C)", "goal", names.resolve)
    assert found == ax.SubClassOf(A, ObjectSomeValuesFrom(r, ObjectIntersectionOf((B, C))))
    assert parse_axiom("r 'part of' Domain C", "goal", names.resolve) == ax.ObjectPropertyDomain(r, C)
    with pytest.raises(UnknownName, match=r"A has the label 'immune system', and '5.*-end' came; .* a keyword between"):
        parse_axiom("C SubClassOf A '5\\'-end'", "goal", names.resolve)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Kestrel(tweety)", "tweety Type Kestrel"),
        (" 'barn owl'( tweety )", "tweety Type 'barn owl'"),
        ("eats(tweety, <urn:seed>)", "tweety Facts eats <urn:seed>"),
    ],
)
def test_a_literal_is_answered_with_the_goal_that_it_would_be(text: str, meant: str) -> None:
    with pytest.raises(MooseError, match=f"; write {re.escape(repr(meant))}$"):
        parse_goal(text, "goal", bare_names)


@pytest.mark.parametrize("text", ["not Kestrel(tweety)", "SubClasOf(A B)", "a b c d", "A SubClasOf (B)"])
def test_what_is_no_literal_is_not_taken_for_one(text: str) -> None:
    with pytest.raises(MooseError, match=r"write one of|did you mean"):
        parse_goal(text, "goal", bare_names)
