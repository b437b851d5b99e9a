from __future__ import annotations

import pytest

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import LANGUAGE_STRING_IRI, RDF, XSD
from moose.owl.syntax.manchester.read_manchester import read_manchester

EX = "http://example.org/"
A, B, C, D = (owl.Class(EX + name) for name in "ABCD")
R, S = owl.ObjectProperty(EX + "r"), owl.ObjectProperty(EX + "s")
AGE = owl.DataProperty(EX + "age")
ONE, J, NODE = owl.NamedIndividual(EX + "i"), owl.NamedIndividual(EX + "j"), owl.AnonymousIndividual("x")
INTEGER, STRING, MINE = owl.Datatype(XSD + "integer"), owl.Datatype(XSD + "string"), owl.Datatype(EX + "mine")
BOTH, EITHER, NOT = owl.ObjectIntersectionOf, owl.ObjectUnionOf, owl.ObjectComplementOf
SOME, ONLY = owl.ObjectSomeValuesFrom, owl.ObjectAllValuesFrom
FIVE, SIX = owl.Literal("5", XSD + "integer"), owl.Literal("6", XSD + "integer")

DECLARED = "ObjectProperty: r ObjectProperty: s DataProperty: age Datatype: mine"


def read(expression: str, declared: str = DECLARED) -> owl.ClassExpression:
    # The property frames stand at the end: a name may be used before its frame.
    text = f"Prefix: : <{EX}>\nOntology:\nClass: A SubClassOf: {expression}\n{declared}"
    (axiom,) = read_manchester(text, "o.omn").axioms
    assert isinstance(axiom, ax.SubClassOf)
    return axiom.sup


CLASSES: list[tuple[str, owl.ClassExpression]] = [
    ("B", B),
    ("(((B)))", B),
    ("B and C and D", BOTH((B, C, D))),
    ("B or C or D", EITHER((B, C, D))),
    ("B and (C and D)", BOTH((B, BOTH((C, D))))),
    ("B and C or D", EITHER((BOTH((B, C)), D))),
    ("B or C and D", EITHER((B, BOTH((C, D))))),
    ("B or C and D or A", EITHER((B, BOTH((C, D)), A))),
    ("(B or C) and D", BOTH((EITHER((B, C)), D))),
    ("not B and C", BOTH((NOT(B), C))),
    ("not (B and C)", NOT(BOTH((B, C)))),
    ("not not B", NOT(NOT(B))),
    ("not r some B", NOT(SOME(R, B))),
    ("r some B and C", BOTH((SOME(R, B), C))),
    ("r some (B and C)", SOME(R, BOTH((B, C)))),
    ("r some not B or C", EITHER((SOME(R, NOT(B)), C))),
    ("r some s some B and C", BOTH((SOME(R, SOME(S, B)), C))),
    ("r only s some B", ONLY(R, SOME(S, B))),
    ("inverse r some B", SOME(owl.ObjectInverseOf(R), B)),
    ("inverse (r) only B", ONLY(owl.ObjectInverseOf(R), B)),
    ("inv (r) only B", ONLY(owl.ObjectInverseOf(R), B)),
    ("B that r some C and not s some D", BOTH((B, SOME(R, C), NOT(SOME(S, D))))),
    ("B that r some C or D", EITHER((BOTH((B, SOME(R, C))), D))),
    ("r Self", owl.ObjectHasSelf(R)),
    ("r some  Self ", owl.ObjectHasSelf(R)),
    ("r Self and B", BOTH((owl.ObjectHasSelf(R), B))),
    ("r value i", owl.ObjectHasValue(R, ONE)),
    ("r value _:x", owl.ObjectHasValue(R, NODE)),
    ("r min 2 B", owl.ObjectMinCardinality(2, R, B)),
    ("r max 0 B and C", BOTH((owl.ObjectMaxCardinality(0, R, B), C))),
    ("r exactly 1 (B or C)", owl.ObjectExactCardinality(1, R, EITHER((B, C)))),
    ("r min 2", owl.ObjectMinCardinality(2, R, owl.THING)),
    ("(r max 2) and B", BOTH((owl.ObjectMaxCardinality(2, R, owl.THING), B))),
    ("r exactly 2 and B", BOTH((owl.ObjectExactCardinality(2, R, owl.THING), B))),
    ("{i}", owl.ObjectOneOf((ONE,))),
    ("{ i , j,_:x }", owl.ObjectOneOf((ONE, J, NODE))),
    ("not {i} and r some {j}", BOTH((NOT(owl.ObjectOneOf((ONE,))), SOME(R, owl.ObjectOneOf((J,)))))),
    ("owl:Nothing", owl.NOTHING),
]


@pytest.mark.parametrize(("written", "expected"), CLASSES, ids=[written for written, _ in CLASSES])
def test_a_class_expression_is_read(written: str, expected: owl.ClassExpression) -> None:
    assert read(written) == expected


RANGES: list[tuple[str, owl.DataRange]] = [
    ("integer", INTEGER),
    ("xsd:string", STRING),
    ("mine", MINE),
    ("rdfs:Literal", owl.LITERAL),
    ("{5, 6}", owl.DataOneOf((FIVE, SIX))),
    ("not integer", owl.DataComplementOf(INTEGER)),
    ("(integer and not {5} or string)",
        owl.DataUnionOf((owl.DataIntersectionOf((INTEGER, owl.DataComplementOf(owl.DataOneOf((FIVE,))))), STRING))),
    ("integer[>= 5 , < 6]",
        owl.DatatypeRestriction(INTEGER, ((XSD + "minInclusive", FIVE), (XSD + "maxExclusive", SIX)))),
    ("integer[>5,<=6]",
        owl.DatatypeRestriction(INTEGER, ((XSD + "minExclusive", FIVE), (XSD + "maxInclusive", SIX)))),
    ('mine[<"5"^^xsd:integer,>"6"^^xsd:integer]',
        owl.DatatypeRestriction(MINE, ((XSD + "maxExclusive", FIVE), (XSD + "minExclusive", SIX)))),
    ('string[length 5, minLength 5, maxLength 6, pattern "a*"]',
        owl.DatatypeRestriction(STRING, (
            (XSD + "length", FIVE), (XSD + "minLength", FIVE), (XSD + "maxLength", SIX),
            (XSD + "pattern", owl.Literal("a*"))))),
    ("xsd:decimal[totalDigits 5, fractionDigits 6]",
        owl.DatatypeRestriction(
            owl.Datatype(XSD + "decimal"), ((XSD + "totalDigits", FIVE), (XSD + "fractionDigits", SIX)))),
    ('rdf:PlainLiteral[langRange "en"]',
        owl.DatatypeRestriction(owl.Datatype(RDF + "PlainLiteral"), ((RDF + "langRange", owl.Literal("en")),))),
]  # fmt: skip


@pytest.mark.parametrize(("written", "expected"), RANGES, ids=[written for written, _ in RANGES])
def test_a_data_range_is_read(written: str, expected: owl.DataRange) -> None:
    assert read(f"age some {written}") == owl.DataSomeValuesFrom((AGE,), expected)
    assert read(f"age only {written} and B") == BOTH((owl.DataAllValuesFrom((AGE,), expected), B))
    assert read(f"age max 3 {written}") == owl.DataMaxCardinality(3, AGE, expected)


def test_a_counted_data_property_may_lack_its_range() -> None:
    assert read("age min 1 and age exactly 2") == BOTH(
        (owl.DataMinCardinality(1, AGE, owl.LITERAL), owl.DataExactCardinality(2, AGE, owl.LITERAL))
    )


@pytest.mark.parametrize(
    ("written", "lexical", "datatype", "language"),
    [
        ('"a"', "a", XSD + "string", ""),
        ('""', "", XSD + "string", ""),
        ('"a # b, <c>"', "a # b, <c>", XSD + "string", ""),
        ('"a \\"b\\" \\\\ \\n\n"', 'a "b" \\ \\n\n', XSD + "string", ""),
        ('"a"@en-GB', "a", LANGUAGE_STRING_IRI, "en-GB"),
        ('"a"^^xsd:token', "a", XSD + "token", ""),
        ('"a"^^<http://example.org/mine>', "a", EX + "mine", ""),
        ('"1"^^integer', "1", XSD + "integer", ""),
        ("1", "1", XSD + "integer", ""),
        ("-007", "-007", XSD + "integer", ""),
        ("+1.50", "+1.50", XSD + "decimal", ""),
        ("1.5f", "1.5", XSD + "float", ""),
        ("1F", "1", XSD + "float", ""),
        ("1.0E10f", "1.0E10", XSD + "float", ""),
        (".5e-3f", ".5e-3", XSD + "float", ""),
        ("INFf", "INF", XSD + "float", ""),
        ("NaNf", "NaN", XSD + "float", ""),
        ("true", "true", XSD + "boolean", ""),
        ("false", "false", XSD + "boolean", ""),
    ],
)
def test_a_literal_is_read(written: str, lexical: str, datatype: str, language: str) -> None:
    assert read(f"age value {written}") == owl.DataHasValue(AGE, owl.Literal(lexical, datatype, language))


# ── Which kind of property ────────────────────────────────────────────────────────────────────────────────────────

P_DATA, P = owl.DataProperty(EX + "p"), owl.ObjectProperty(EX + "p")

UNDECLARED: list[tuple[str, owl.ClassExpression]] = [
    ("p some B", SOME(P, B)),
    ("p some integer", owl.DataSomeValuesFrom((P_DATA,), INTEGER)),
    ("p only (not xsd:string)", owl.DataAllValuesFrom((P_DATA,), owl.DataComplementOf(STRING))),
    ("p some mine", owl.DataSomeValuesFrom((P_DATA,), MINE)),
    ("p some {5}", owl.DataSomeValuesFrom((P_DATA,), owl.DataOneOf((FIVE,)))),
    ("p some {i}", SOME(P, owl.ObjectOneOf((ONE,)))),
    ("p some other[> 5]", owl.DataSomeValuesFrom(
        (P_DATA,), owl.DatatypeRestriction(owl.Datatype(EX + "other"), ((XSD + "minExclusive", FIVE),)))),
    ("p min 1 integer", owl.DataMinCardinality(1, P_DATA, INTEGER)),
    ("p min 1 B", owl.ObjectMinCardinality(1, P, B)),
    ("p min 1", owl.ObjectMinCardinality(1, P, owl.THING)),
    ("p value 5", owl.DataHasValue(P_DATA, FIVE)),
    ('p value "a"', owl.DataHasValue(P_DATA, owl.Literal("a"))),
    ("p value true", owl.DataHasValue(P_DATA, owl.Literal("true", XSD + "boolean"))),
    ("p value i", owl.ObjectHasValue(P, ONE)),
    ("p some (p some integer)", SOME(P, owl.DataSomeValuesFrom((P_DATA,), INTEGER))),
    ("inverse p some B", SOME(owl.ObjectInverseOf(P), B)),
]  # fmt: skip


@pytest.mark.parametrize(("written", "expected"), UNDECLARED, ids=[written for written, _ in UNDECLARED])
def test_an_undeclared_property_is_what_its_filler_says(written: str, expected: owl.ClassExpression) -> None:
    assert read(written, "Datatype: mine") == expected


def test_a_property_of_both_kinds_is_what_its_filler_says() -> None:
    both = "ObjectProperty: p DataProperty: p"
    assert read("p some B and p some integer", both) == BOTH((SOME(P, B), owl.DataSomeValuesFrom((P_DATA,), INTEGER)))


def test_names_of_the_document_come_before_bare_datatypes_and_literals() -> None:
    declared = DECLARED + " Class: integer Individual: true Individual: 5"
    integer, true, five = owl.Class(EX + "integer"), owl.NamedIndividual(EX + "true"), owl.NamedIndividual(EX + "5")
    assert read("r some integer and p some integer", declared) == BOTH((SOME(R, integer), SOME(P, integer)))
    assert read("p value true and r value 5", declared) == BOTH(
        (owl.ObjectHasValue(P, true), owl.ObjectHasValue(R, five))
    )


def test_an_undeclared_property_of_a_fact_is_what_its_value_says() -> None:
    text = f"Prefix: : <{EX}> Ontology: Individual: i Facts: p 5, not q j, q i"
    q = owl.ObjectProperty(EX + "q")
    assert read_manchester(text, "o.omn").axioms == (
        ax.DataPropertyAssertion(P_DATA, ONE, FIVE),
        ax.ObjectPropertyAssertion(q, ONE, J, negative=True),
        ax.ObjectPropertyAssertion(q, ONE, ONE),
    )
