from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import moose
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import EL_DATATYPES
from moose.owl.profile.check_profile import check_profile
from moose.owl.profile.el import is_el_axiom
from moose.owl.profile.violations import find_offences
from tests.owl.short_syntax import read, write
from tests.owl.strategies import AXIOM_STRATEGIES, axioms

# One axiom for each thing that OWL 2 EL has.
INSIDE = [
    "SubClassOf(A B)",
    "SubClassOf(owl:Thing owl:Nothing)",
    "SubClassOf(ObjectIntersectionOf(A B) ObjectSomeValuesFrom(r ObjectIntersectionOf(A B)))",
    "SubClassOf(ObjectOneOf(a) ObjectHasSelf(r))",
    "SubClassOf(ObjectHasValue(r a) ObjectSomeValuesFrom(owl:bottomObjectProperty owl:Thing))",
    "SubClassOf(DataSomeValuesFrom(d xsd:string) DataSomeValuesFrom(owl:topDataProperty rdfs:Literal))",
    'SubClassOf(DataHasValue(d "x"@en) DataHasValue(d "1/3"^^owl:rational))',
    'SubClassOf(A DataSomeValuesFrom(d DataIntersectionOf(xsd:integer DataOneOf("5"^^xsd:integer))))',
    "EquivalentClasses(A ObjectSomeValuesFrom(r B) C)",
    "DisjointClasses(A ObjectSomeValuesFrom(r B) C)",
    "HasKey(ObjectSomeValuesFrom(r A) (r) (d))",
    "SubObjectPropertyOf(r s)",
    "SubObjectPropertyOf(r owl:topObjectProperty)",
    "SubObjectPropertyOf(ObjectPropertyChain(r s r) s)",
    "EquivalentObjectProperties(r s)",
    "ObjectPropertyDomain(r ObjectSomeValuesFrom(r A))",
    "ObjectPropertyRange(r ObjectSomeValuesFrom(r A))",
    "ReflexiveObjectProperty(r)",
    "TransitiveObjectProperty(r)",
    "SubDataPropertyOf(d e)",
    "EquivalentDataProperties(d e)",
    "DataPropertyDomain(d A)",
    "DataPropertyRange(d xsd:dateTimeStamp)",
    "FunctionalDataProperty(d)",
    "SameIndividual(a b)",
    "DifferentIndividuals(a b)",
    "ClassAssertion(ObjectSomeValuesFrom(r A) a)",
    "ObjectPropertyAssertion(r a b)",
    "NegativeObjectPropertyAssertion(r a b)",
    'DataPropertyAssertion(d a "x")',
    'NegativeDataPropertyAssertion(d a "x"^^xsd:token)',
]


@pytest.mark.parametrize("text", INSIDE)
def test_what_owl_2_el_has_is_inside(text: str) -> None:
    axiom = read(text)
    assert check_profile([axiom]).el_axioms == (axiom,)
    assert check_profile([axiom]).outside == ()


@pytest.mark.parametrize("datatype", sorted(EL_DATATYPES))
def test_every_datatype_of_the_profile_is_inside(datatype: str) -> None:
    assert is_el_axiom(ax.DataPropertyRange(owl.DataProperty("d"), owl.Datatype(datatype)))


# One axiom for each thing that OWL 2 EL does not have, with the whole reason.
NO_UNION, NO_INVERSE = "OWL 2 EL has no unions (ObjectUnionOf)", "OWL 2 EL has no inverse properties (ObjectInverseOf)"
SAME, PART = (
    "; the axioms used in its place mean the same",
    "; only what follows from the axiom in EL, alone or with others, is used",
)
GONE, VOID = (
    "; nothing of the axiom can be said in EL, so it is left out",
    "; the axiom always holds, so nothing is lost",
)
REASONS = [
    ("SubClassOf(ObjectUnionOf(A B) C)", NO_UNION + SAME),
    ("SubClassOf(A ObjectUnionOf(B C))", NO_UNION + PART),
    ("EquivalentClasses(A ObjectUnionOf(B C))", NO_UNION + PART),
    ("SubClassOf(A ObjectMinCardinality(0 r B))", "OWL 2 EL has no cardinalities (ObjectMinCardinality)" + VOID),
    (
        "SubClassOf(A ObjectAllValuesFrom(r ObjectUnionOf(B ObjectComplementOf(C))))",
        "OWL 2 EL has no universal restrictions (ObjectAllValuesFrom), no unions (ObjectUnionOf) "
        "and no complements (ObjectComplementOf)" + GONE,
    ),
    ("ObjectPropertyDomain(ObjectInverseOf(r) A)", NO_INVERSE + SAME),
    ("SubClassOf(ObjectOneOf(a b) A)", "OWL 2 EL has no enumerations of several individuals (ObjectOneOf)" + SAME),
    (
        "InverseFunctionalObjectProperty(r)",
        "OWL 2 EL has no inverse-functional properties (InverseFunctionalObjectProperty)" + PART,
    ),
    ("SymmetricObjectProperty(r)", "OWL 2 EL has no symmetric properties (SymmetricObjectProperty)" + GONE),
    ("DisjointUnion(A B C)", "OWL 2 EL has no disjoint unions (DisjointUnion)" + PART),
    (
        "SubClassOf(A DataSomeValuesFrom(d e xsd:string))",
        "OWL 2 EL has no data ranges of several dimensions (DataSomeValuesFrom with several properties)" + GONE,
    ),
    (
        'DataPropertyAssertion(d a "two"^^xsd:integer)',
        'OWL 2 EL has no literal "two"^^xsd:integer (it is not written as xsd:integer asks)' + PART,
    ),
    (
        "ObjectPropertyAssertion(r a _:x)",
        "OWL 2 EL has no anonymous individuals; they are used as if they had names, and nothing is lost",
    ),
    (
        'DataPropertyAssertion(d a "true"^^xsd:boolean)',
        "OWL 2 EL has no literals of xsd:boolean; they are used as the values they stand for, and nothing is lost",
    ),
    (
        'DataPropertyAssertion(d a "2000-01-01"^^xsd:date)',
        "OWL 2 EL has no literals of xsd:date; they are used as values of which nothing else is known",
    ),
    (
        "SubClassOf(A DataSomeValuesFrom(d xsd:int))",
        "OWL 2 EL has no datatype xsd:int; it is used as it stands, but what follows from its size may be missed",
    ),
    (
        "DataPropertyRange(d mine)",
        "OWL 2 EL has no datatype <mine>; it is used as a datatype of which nothing else is known",
    ),
]


@pytest.mark.parametrize(("text", "reason"), REASONS)
def test_the_reason_names_what_el_does_not_have_and_what_is_used(text: str, reason: str) -> None:
    (outside,) = check_profile([read(text)]).outside
    assert outside.axiom == read(text)
    assert outside.reason == reason


@pytest.mark.parametrize(
    ("text", "is_exact"),
    [
        ("ClassAssertion(A _:x)", True),
        ("SameIndividual(a _:x)", True),
        ("SubClassOf(ObjectHasValue(r _:x) A)", True),
        ('SubClassOf(A DataHasValue(d "1.5"^^xsd:double))', True),
        ('DataPropertyAssertion(d a "5"^^xsd:byte)', True),
        ("SubClassOf(A DataSomeValuesFrom(d xsd:boolean))", False),
        ('DataPropertyAssertion(d a "x"^^mine)', False),
    ],
)
def test_what_does_no_harm_is_used_as_it_stands(text: str, is_exact: bool) -> None:
    axiom = read(text)
    profile = check_profile([axiom])
    assert profile.el_axioms == (axiom,)
    assert (profile.outside[0].used, profile.outside[0].is_exact) == ((axiom,), is_exact)


def test_what_no_reader_understands_is_left_out_and_said() -> None:
    unread = ax.UnreadAxiom("DLSafeRule(…)", "rules are not part of OWL 2")
    profile = check_profile([unread])
    assert profile.el_axioms == ()
    assert profile.outside[0].reason == "rules are not part of OWL 2; it is left out"


def test_replacements_stand_where_the_axiom_stood() -> None:
    told = [
        read(text)
        for text in (
            "SubClassOf(A B)",
            "SubClassOf(ObjectUnionOf(C D) A)",
            "SymmetricObjectProperty(r)",
            "SubClassOf(E A)",
        )
    ]
    profile = check_profile(iter(told))
    assert list(map(write, profile.el_axioms)) == [
        "SubClassOf(A B)",
        "SubClassOf(C A)",
        "SubClassOf(D A)",
        "SubClassOf(E A)",
    ]
    assert [outside.axiom for outside in profile.outside] == told[1:3]


@settings(max_examples=300, deadline=None)
@given(st.lists(axioms(), max_size=4))
def test_every_axiom_is_either_inside_or_named(told: list[ax.Axiom]) -> None:
    profile = check_profile(told)
    outside = [one.axiom for one in profile.outside]
    assert [axiom for axiom in told if axiom not in outside] == [
        axiom for axiom in told if axiom in profile.el_axioms and axiom not in outside
    ]
    assert all(one.reason for one in profile.outside)
    for axiom in told:
        if not isinstance(axiom, ax.UnreadAxiom):
            assert is_el_axiom(axiom) == (not find_offences(axiom))


def test_every_type_of_axiom_is_judged() -> None:
    assert set(AXIOM_STRATEGIES) == set(get_args(ax.Axiom))


def test_deep_nesting_inside_el_takes_no_recursion() -> None:
    deep: owl.ClassExpression = owl.Class("A")
    for _ in range(10_000):
        deep = owl.ObjectIntersectionOf((owl.ObjectSomeValuesFrom(owl.ObjectProperty("r"), deep), owl.Class("B")))
    assert len(check_profile([ax.SubClassOf(owl.Class("A"), deep)]).el_axioms) == 1


# ── Datatypes of one's own ────────────────────────────────────────────────────────────────────────────────────────


def judge(*texts: str) -> list[tuple[str, bool]]:
    """Return what is used for each axiom outside EL, and whether nothing is lost."""
    outside = check_profile([read(text) for text in texts]).outside
    return [(" ".join(map(write, one.used)), one.is_exact) for one in outside]


def test_a_definition_is_put_in_place_of_its_datatype() -> None:
    assert judge(
        "SubClassOf(A DataSomeValuesFrom(d age))",
        "DatatypeDefinition(age DataIntersectionOf(number xsd:decimal))",
        "DatatypeDefinition(number xsd:integer)",
    ) == [
        ("SubClassOf(A DataSomeValuesFrom(d DataIntersectionOf(xsd:integer xsd:decimal)))", True),
        ("", True),
        ("", True),
    ]


def test_a_definition_outside_el_is_weakened_where_it_is_used() -> None:
    definition = 'DatatypeDefinition(grown DatatypeRestriction(xsd:integer xsd:minInclusive "18"^^xsd:integer))'
    assert judge(
        definition, "SubClassOf(A DataSomeValuesFrom(d grown))", "SubClassOf(DataSomeValuesFrom(d grown) A)"
    ) == [
        ("", True),
        ("SubClassOf(A DataSomeValuesFrom(d xsd:integer))", False),
        ("", False),
    ]


@pytest.mark.parametrize(
    "definitions",
    [
        ["DatatypeDefinition(t t)"],
        ["DatatypeDefinition(t u)", "DatatypeDefinition(u DataComplementOf(t))"],
        ["DatatypeDefinition(t xsd:string)", "DatatypeDefinition(t xsd:integer)"],
        ["DatatypeDefinition(xsd:integer xsd:string)"],
    ],
)
def test_a_definition_that_defines_nothing_is_left_out_and_said(definitions: list[str]) -> None:
    profile = check_profile([read(text) for text in definitions])
    assert profile.el_axioms == ()
    assert all("so the definition is left out" in outside.reason for outside in profile.outside)
    assert not any(outside.is_exact for outside in profile.outside)


# ── What the axioms must keep to together ─────────────────────────────────────────────────────────────────────────

CHAIN, RANGE = "SubObjectPropertyOf(ObjectPropertyChain(r s) t)", "ObjectPropertyRange(t A)"


def breaches(*texts: str) -> list[str]:
    """Return the axioms outside EL, which must all be used nevertheless."""
    told = tuple(map(read, texts))
    profile = check_profile(told)
    assert profile.el_axioms == told
    assert not any(outside.is_exact for outside in profile.outside)
    return [write(outside.axiom) for outside in profile.outside]


def test_a_chain_whose_last_property_lacks_the_range_is_outside() -> None:
    assert breaches(CHAIN, RANGE) == [CHAIN]
    assert breaches(CHAIN, "ObjectPropertyRange(u A)", "SubObjectPropertyOf(t u)") == [CHAIN]
    assert breaches(CHAIN, RANGE, "ObjectPropertyRange(s B)") == [CHAIN]
    assert breaches(CHAIN, RANGE, "ObjectPropertyRange(r A)") == [CHAIN]
    (outside,) = check_profile([read(CHAIN), read(RANGE)]).outside
    assert outside.reason == (
        "OWL 2 EL asks that <s>, the last property of the chain, have every range of <t>; the chain is used, "
        "but that range is not applied to the pairs it implies, so conclusions may be missed; "
        "state ObjectPropertyRange(<s> <A>), too, if it is true, and none is missed"
    )


def test_a_chain_whose_last_property_has_the_range_is_inside() -> None:
    assert breaches(CHAIN) == []
    assert breaches(CHAIN, RANGE, "ObjectPropertyRange(s A)") == []
    assert breaches(CHAIN, RANGE, "ObjectPropertyRange(s ObjectIntersectionOf(B A))") == []
    assert breaches(CHAIN, RANGE, "EquivalentObjectProperties(v s u)", "ObjectPropertyRange(u A)") == []
    assert breaches(CHAIN, "ObjectPropertyRange(owl:topObjectProperty A)") == []
    assert breaches("SubObjectPropertyOf(ObjectPropertyChain(r t) t)", "TransitiveObjectProperty(t)", RANGE) == []
    assert breaches("SubObjectPropertyOf(s t)", RANGE) == []


def test_a_chain_that_is_also_outside_by_itself_is_named_once() -> None:
    inverse = "SubObjectPropertyOf(ObjectPropertyChain(ObjectInverseOf(s) ObjectInverseOf(r)) ObjectInverseOf(t))"
    (outside,) = check_profile([read(inverse), read(RANGE)]).outside
    assert [write(used) for used in outside.used] == [CHAIN]
    assert outside.reason.startswith(NO_INVERSE + SAME + "; OWL 2 EL asks that <s>")
    assert not outside.is_exact


@pytest.mark.parametrize("chained", ["r owl:topObjectProperty", "owl:topObjectProperty r", "r u"])
def test_a_role_that_relates_everything_is_named_in_a_chain(chained: str) -> None:
    above, chain = (
        "SubObjectPropertyOf(owl:topObjectProperty u)",
        f"SubObjectPropertyOf(ObjectPropertyChain({chained}) s)",
    )
    (outside,) = check_profile([read(above), read(chain)]).outside
    assert write(outside.axiom) == chain
    assert "relates everything and stands in a chain" in outside.reason


@pytest.mark.parametrize(
    "text", ["SubObjectPropertyOf(owl:topObjectProperty r)", "EquivalentObjectProperties(r owl:topObjectProperty)"]
)
def test_a_role_above_the_full_property_is_no_offence(text: str) -> None:
    assert check_profile([read(text)]).outside == ()


# ── The property that relates everything to all data values ───────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "text",
    [
        "SubDataPropertyOf(owl:topDataProperty d)",
        "EquivalentDataProperties(d owl:topDataProperty)",
        "DataPropertyRange(owl:topDataProperty xsd:integer)",
        "FunctionalDataProperty(owl:topDataProperty)",
        "HasKey(A () (owl:topDataProperty))",
        "HasKey(ObjectUnionOf(A A) () (owl:topDataProperty))",
    ],
)
def test_all_data_is_outside_but_as_a_super_property(text: str) -> None:
    # Each says something of all values, which no rule draws: what is then not found may follow.
    told = read(text)
    profile = check_profile([told])
    (outside,) = profile.outside
    assert outside.axiom == told
    assert "owl:topDataProperty" in outside.reason
    assert not outside.is_exact


def test_what_follows_from_all_data_is_not_denied() -> None:
    told = [read(text) for text in ("SubDataPropertyOf(owl:topDataProperty d)", 'SubClassOf(DataHasValue(d "x") B)')]
    assert moose.entailment(moose.ontology(told), read("SubClassOf(A B)")).follows is None


@pytest.mark.parametrize(
    "text", ["SubDataPropertyOf(d owl:topDataProperty)", "DataPropertyDomain(owl:topDataProperty A)"]
)
def test_all_data_is_inside_where_a_rule_has_its_meaning(text: str) -> None:
    assert not check_profile([read(text)]).outside
