from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.base.errors import ParseError
from moose.owl.model.axioms import Document
from moose.owl.model.nesting import MAX_NESTING
from moose.owl.syntax.functional.read_functional import read_functional
from moose.owl.syntax.functional.write_functional import write_functional
from tests.owl.strategies import documents

PREFIX = "Prefix(:=<http://example.org/>)\n"


def refusal(text: str) -> str:
    with pytest.raises(ParseError) as caught:
        read_functional(text, "o.ofn")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "o.ofn:1: expected a text with Ontology(…) in functional syntax, but it is empty; check the file"),
        ("  # nothing\n ", "o.ofn:2: expected a text with Ontology(…) in functional syntax, but it is empty"),
        (
            "Prefix(a:=<urn:a>)\n",
            "o.ofn:2: expected a text with Ontology(…) in functional syntax, but it ends after the",
        ),
        ("hello\nOntology()", "o.ofn:1: expected Prefix(…) or Ontology(…), but got hello; is this OWL 2 functional"),
        ("<?xml version='1.0'?>\n<a b='c(d)'>", "o.ofn:1: expected Prefix(…) or Ontology(…), but got <; is this"),
        ("SubClassOf(<a> <b>)", "o.ofn:1: expected Prefix(…) or Ontology(…), but got SubClassOf(; is this"),
        ("Ontology(\n)\nmore", "o.ofn:3: expected nothing behind Ontology(…), but got more; remove it"),
        ("Ontology(\n)\n)", "o.ofn:3: expected no ')' here, since none is open; remove it"),
        (
            "Ontology(\nSubClassOf(<a> <b>))\nSubClassOf(<a> <b>)\n)",
            "o.ofn:3: expected nothing behind Ontology(…), but got SubClassOf(; remove it, or a ')' too many before it",
        ),
        ("Ontology()\nOntology()", "o.ofn:2: expected nothing behind Ontology(…), but got Ontology(;"),
        (
            "Ontology(\nSubClassOf(<a> <b>\n",
            "o.ofn:2: expected a ')' that closes SubClassOf( here, but the text ends; add it, or fetch the whole file",
        ),
        ("Ontology(\n\nSubClassOf(<a> <b>)\n", "o.ofn:1: expected a ')' that closes Ontology( here, but the text ends"),
        (
            "Prefix(a=<urn:a>) Ontology()",
            "o.ofn:1: in Prefix(…): expected name:=<iri>, but got a=<urn:a>; correct this",
        ),
        ("Prefix() Ontology()", "o.ofn:1: in Prefix(…): expected name:=<iri>"),
        ("Prefix(a:=<urn:a>)\nPrefix(a:=<urn:b>) Ontology()", "o.ofn:2: in Prefix(…): expected one declaration of a:"),
        ("Ontology(Prefix(a:=<urn:a>))", "o.ofn:1: in Ontology(…): expected an axiom, but got Prefix(…)"),
    ],
)
def test_a_broken_document_is_refused(text: str, message: str) -> None:
    assert refusal(text).startswith(message)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (
            "SubClassOf(:A\n\nno:B)",
            5,
            "in SubClassOf(…): the prefix of no:B is not declared; write Prefix(no:=<…>) before",
        ),
        ("SubClasOf(:A :B)", 3, "expected a construct of OWL 2, but got SubClasOf; did you mean SubClassOf?"),
        ("\nQuux(:A)", 4, "expected a construct of OWL 2, but got Quux; check the spelling and the file's format"),
        (
            "SubClassOf(:A)",
            3,
            "in SubClassOf(…): expected a class expression and a class expression, but got 1 argument",
        ),
        ("SubClassOf(:A :B :C)", 3, "in SubClassOf(…): expected a class expression and a class expression, but got 3"),
        (
            'SubClassOf(:A\n"x"@en)',
            4,
            'in SubClassOf(…): expected a class expression, but got the literal "x"@en; correct',
        ),
        ("SubClassOf(:A _:x)", 3, "in SubClassOf(…): expected a class expression, but got the name _:x"),
        ("SubClassOf(:A B)", 3, "in SubClassOf(…): expected an IRI, <…> or prefix:name, but got the name B"),
        (
            "SubClassOf(:A :B\nSubClassOf(:A :B)",
            4,
            "in SubClassOf(…): expected a class expression and a class expression,",
        ),
        (
            "SubClassOf(:A\nDataOneOf(:B))",
            4,
            'in DataOneOf(…): expected a literal such as "1"^^xsd:integer, but got the name :B',
        ),
        ("SubClassOf(:A\nDataComplementOf(:B))", 4, "in SubClassOf(…): expected a class expression, but got DataCompl"),
        (
            "SubClassOf(DataComplementOf(:A) :B)",
            3,
            "in SubClassOf(…): expected a class expression, but got DataComplementOf",
        ),
        (
            "SubClassOf(Annotation(:p :v) :B)",
            3,
            "in SubClassOf(…): expected a class expression and a class expression, but",
        ),
        ("ObjectSomeValuesFrom(:r :A)", 3, "in Ontology(…): expected an axiom, but got ObjectSomeValuesFrom(…)"),
        ("SubClassOf(:A :B)\nstray\nSubClassOf(:A :B)", 4, "in Ontology(…): expected an axiom, but got the name stray"),
        ("EquivalentClasses()", 3, "in EquivalentClasses(…): expected a class expression, once or more, but got no"),
        (
            "EquivalentClasses(:A\n:B ObjectInverseOf(:r))",
            4,
            "in EquivalentClasses(…): expected a class expression, but",
        ),
        (
            "SubClassOf(:A ObjectMinCardinality(x :r))",
            3,
            "in ObjectMinCardinality(…): expected a number of at most nine",
        ),
        (
            "SubClassOf(:A ObjectMinCardinality(99999999999 :r))",
            3,
            "in ObjectMinCardinality(…): expected a number of at most nine digits, but got the number 99999999999",
        ),
        (
            "Declaration(:A)",
            3,
            "in Declaration(…): expected an entity such as Class(…) or ObjectProperty(…), but got the",
        ),
        ("Declaration(NamedIndividual(_:x))", 3, "in NamedIndividual(…): expected an IRI, but got the name _:x"),
        (
            "HasKey(:A :r)",
            3,
            "in HasKey(…): expected the properties as two lists in parentheses: HasKey(C (r …) (d …))",
        ),
        ("HasKey(:A () ())", 3, "in HasKey(…): expected at least one property, but both lists are empty"),
        (
            'DataPropertyAssertion(:d :i\n"open)',
            4,
            "expected an argument, but got a literal whose closing '\"' is missing; correct it",
        ),
        ("SubClassOf(:A\n<open :B)", 4, "expected an argument, but got a '<' that begins no IRI (a '>' is missing, or"),
        ("DLSafeRule(:A)", 3, "in DLSafeRule(…): expected Body(…) and Head(…), but got the name :A"),
        (
            "DatatypeDefinition(:A DatatypeRestriction(xsd:integer xsd:minInclusive))",
            3,
            "in DatatypeRestriction(…): expect",
        ),
        (
            "SubClassOf(:A (:B))",
            3,
            "in SubClassOf(…): expected a class expression, but got arguments in bare parentheses",
        ),
        ("ObjectPropertyDomain(ObjectInverseOf(ObjectInverseOf(:r)) :A)", 3, "in ObjectInverseOf(…): expected a named"),
        ("Annotation(:p)", 3, "in Annotation(…): expected an annotation property and a value, but got 1 argument"),
    ],
)
def test_a_broken_axiom_is_refused_with_its_line(content: str, line: int, message: str) -> None:
    text = f"{PREFIX}Ontology(\n{content}\n)"
    assert refusal(text).startswith(f"o.ofn:{line}: {message}")


@pytest.mark.parametrize("depth", [MAX_NESTING - 1, 10_000, 200_000])
def test_deep_nesting_is_refused_in_one_sentence(depth: int) -> None:
    text = "Ontology(\nSubClassOf(<a> " + "ObjectComplementOf(" * depth + "<b>" + ")" * depth + "))"
    assert refusal(text) == (
        f"o.ofn:2: expected at most {MAX_NESTING} levels of nesting, but this is nested deeper; give names to its parts"
    )


def test_nesting_up_to_the_limit_can_be_hashed_compared_and_printed() -> None:
    depth = (MAX_NESTING - 2) // 2
    inner = "ObjectIntersectionOf(<a> ObjectSomeValuesFrom(<r> " * depth + "<b>" + "))" * depth
    text = f"Ontology(SubClassOf(<a> {inner}))"
    first, second = read_functional(text, "o.ofn"), read_functional(text, "o.ofn")
    assert first == second
    assert len({*first.axioms, *second.axioms}) == 1
    assert repr(first) == repr(second)


@pytest.mark.parametrize("piece", [" ", "\n#", "<", '"', "a", "(", "'", "\\", "@", "^^", "A("])
def test_a_long_run_of_anything_is_refused_quickly(piece: str) -> None:
    refusal(piece * 100_000)


@settings(deadline=None)
@given(documents(), st.data())
def test_a_text_cut_short_is_refused(document: Document, data: st.DataObject) -> None:
    text = write_functional(document).rstrip()
    refusal(text[: data.draw(st.integers(0, len(text) - 1))])


@settings(deadline=None)
@given(st.text(st.sampled_from('Ontology()SubClassOf<a>:"\\ #_^@1=\n'), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for candidate in (text, f"Ontology({text})", f"{PREFIX}Ontology(SubClassOf({text}))"):
        with contextlib.suppress(ParseError):  # anything else fails the test
            read_functional(candidate, "o.ofn")
