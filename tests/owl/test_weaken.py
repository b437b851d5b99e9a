from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.profile.bounds import Bounder
from moose.owl.profile.check_profile import check_profile
from moose.owl.profile.outermost import conjuncts, disjuncts, negate, open_up
from moose.owl.profile.violations import find_offences
from moose.owl.profile.weaken import lower, upper, weaken
from tests.owl.interpretations import CLASSES, Interpretation, random_interpretation
from tests.owl.short_syntax import read, read_class, write
from tests.owl.small_expressions import AXIOMS, expressions

seeds = st.integers(0, 10**9)
INTERPRETATIONS = 20


def interpretations(seed: int) -> list[Interpretation]:
    source = random.Random(seed)
    return [random_interpretation(source) for _ in range(INTERPRETATIONS)]


# ── Nothing is unsound, and what is called exact is ───────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", AXIOMS, ids=lambda kind: kind.__name__)
@settings(max_examples=60, deadline=None)
@given(data=st.data(), seed=seeds)
def test_every_model_of_an_axiom_is_a_model_of_what_is_used(kind: type, data: st.DataObject, seed: int) -> None:
    axiom = data.draw(AXIOMS[kind])
    profile = check_profile([axiom])
    is_exact = all(outside.is_exact for outside in profile.outside)
    for interpretation in interpretations(seed):
        holds = interpretation.satisfies(axiom)
        is_used = all(interpretation.satisfies(used) for used in profile.el_axioms)
        assert is_used if holds else not (is_exact and is_used)


@pytest.mark.parametrize("kind", AXIOMS, ids=lambda kind: kind.__name__)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_only_what_a_reasoner_for_el_takes_is_used(kind: type, data: st.DataObject) -> None:
    for used in check_profile([data.draw(AXIOMS[kind])]).el_axioms:
        assert all(offence.remedy for offence in find_offences(used))


@settings(max_examples=200, deadline=None)
@given(expressions, seeds)
def test_bounds_lie_around_an_expression_and_its_complement(expression: owl.ClassExpression, seed: int) -> None:
    for bounds, own in zip(Bounder().bound(expression), (expression, owl.ObjectComplementOf(expression))):
        for interpretation in interpretations(seed):
            inside = interpretation.extension(own)
            below = interpretation.extension(owl.ObjectUnionOf(bounds.lower))
            above = interpretation.extension(bounds.upper)
            assert below <= inside <= above
            assert inside == above or not bounds.is_upper_exact
            assert inside == below or not bounds.is_lower_exact


@settings(max_examples=150, deadline=None)
@given(expressions, seeds)
def test_opening_an_expression_up_keeps_its_meaning(expression: owl.ClassExpression, seed: int) -> None:
    for interpretation in interpretations(seed)[:8]:
        meaning = interpretation.extension(expression)
        assert interpretation.extension(open_up(expression)) == meaning
        assert interpretation.extension(owl.ObjectComplementOf(negate(expression))) == meaning
        assert interpretation.extension(owl.ObjectIntersectionOf(tuple(conjuncts(expression)))) == meaning
        assert interpretation.extension(owl.ObjectUnionOf(tuple(disjuncts(expression)))) == meaning


# ── Each construct: what it becomes, = where nothing is lost ──────────────────────────────────────────────────────

SOME = "ObjectSomeValuesFrom"
GOLDEN = [
    # a union splits on the left; on the right what its parts have in common is left
    ("SubClassOf(ObjectUnionOf(A B) C)", "= SubClassOf(A C) SubClassOf(B C)"),
    (
        "SubClassOf(ObjectSomeValuesFrom(r ObjectUnionOf(A B)) C)",
        f"= SubClassOf({SOME}(r A) C) SubClassOf({SOME}(r B) C)",
    ),
    (
        "SubClassOf(ObjectIntersectionOf(ObjectUnionOf(A B) C) D)",
        "= SubClassOf(ObjectIntersectionOf(A C) D) SubClassOf(ObjectIntersectionOf(B C) D)",
    ),
    ("SubClassOf(A ObjectUnionOf(B C))", "<"),
    ("SubClassOf(A ObjectUnionOf(B owl:Nothing))", "= SubClassOf(A B)"),
    ("SubClassOf(A ObjectUnionOf(B owl:Thing))", "="),
    ("SubClassOf(A ObjectUnionOf(B B))", "= SubClassOf(A B)"),
    ("SubClassOf(A ObjectUnionOf(ObjectIntersectionOf(B C) ObjectIntersectionOf(D B)))", "< SubClassOf(A B)"),
    ("SubClassOf(A ObjectUnionOf(ObjectHasSelf(r) ObjectSomeValuesFrom(r B)))", f"< SubClassOf(A {SOME}(r owl:Thing))"),
    ("SubClassOf(A ObjectSomeValuesFrom(r ObjectUnionOf(B C)))", f"< SubClassOf(A {SOME}(r owl:Thing))"),
    ("SubClassOf(A ObjectUnionOf(B ObjectComplementOf(C)))", "= SubClassOf(ObjectIntersectionOf(A C) B)"),
    # enumerations are unions of single ones
    ("SubClassOf(ObjectOneOf(a b) C)", "= SubClassOf(ObjectOneOf(a) C) SubClassOf(ObjectOneOf(b) C)"),
    ("SubClassOf(A ObjectOneOf(a b))", "<"),
    ("SubClassOf(A ObjectIntersectionOf(B ObjectOneOf(a b)))", "< SubClassOf(A B)"),
    # a complement on the right is a disjointness
    ("SubClassOf(A ObjectComplementOf(B))", "= DisjointClasses(A B)"),
    ("SubClassOf(A ObjectIntersectionOf(B ObjectComplementOf(C)))", "= SubClassOf(A B) DisjointClasses(A C)"),
    ("SubClassOf(A ObjectComplementOf(ObjectUnionOf(B C)))", "= DisjointClasses(A B) DisjointClasses(A C)"),
    ("SubClassOf(A ObjectComplementOf(ObjectAllValuesFrom(r ObjectComplementOf(B))))", f"= SubClassOf(A {SOME}(r B))"),
    ("SubClassOf(ObjectComplementOf(A) B)", "<"),
    ("SubClassOf(ObjectIntersectionOf(A ObjectComplementOf(B)) owl:Nothing)", "= SubClassOf(A B)"),
    # universal restrictions
    ("SubClassOf(A ObjectAllValuesFrom(r B))", "<"),
    ("SubClassOf(A ObjectAllValuesFrom(r owl:Thing))", "="),
    ("SubClassOf(A ObjectAllValuesFrom(r owl:Nothing))", f"= DisjointClasses(A {SOME}(r owl:Thing))"),
    ("SubClassOf(A ObjectAllValuesFrom(r ObjectComplementOf(B)))", f"= DisjointClasses(A {SOME}(r B))"),
    ("SubClassOf(owl:Thing ObjectAllValuesFrom(r B))", "= ObjectPropertyRange(r B)"),
    (
        "SubClassOf(owl:Thing ObjectAllValuesFrom(r ObjectIntersectionOf(B ObjectUnionOf(C D))))",
        "< ObjectPropertyRange(r B)",
    ),
    ("SubClassOf(ObjectAllValuesFrom(r A) B)", "<"),
    # cardinalities
    ("SubClassOf(A ObjectMinCardinality(0 r B))", "="),
    ("SubClassOf(A ObjectMinCardinality(1 r B))", f"= SubClassOf(A {SOME}(r B))"),
    ("SubClassOf(A ObjectMinCardinality(2 r B))", f"< SubClassOf(A {SOME}(r B))"),
    ("SubClassOf(ObjectMinCardinality(0 r B) A)", "= SubClassOf(owl:Thing A)"),
    ("SubClassOf(ObjectMinCardinality(1 r B) A)", f"= SubClassOf({SOME}(r B) A)"),
    ("SubClassOf(ObjectMinCardinality(2 r B) A)", "<"),
    ("SubClassOf(A ObjectMaxCardinality(0 r B))", f"= DisjointClasses(A {SOME}(r B))"),
    ("SubClassOf(A ObjectMaxCardinality(1 r B))", "<"),
    ("SubClassOf(A ObjectExactCardinality(0 r B))", f"= DisjointClasses(A {SOME}(r B))"),
    ("SubClassOf(A ObjectExactCardinality(1 r B))", f"< SubClassOf(A {SOME}(r B))"),
    # inverse properties
    ("SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) B))", "<"),
    (
        "SubClassOf(A ObjectSomeValuesFrom(s ObjectHasValue(ObjectInverseOf(r) a)))",
        f"< SubClassOf(A {SOME}(s owl:Thing))",
    ),
    ("SubClassOf(ObjectSomeValuesFrom(ObjectInverseOf(r) A) B)", "<"),
    ("SubClassOf(ObjectSomeValuesFrom(ObjectInverseOf(r) owl:Thing) B)", "= ObjectPropertyRange(r B)"),
    ("SubClassOf(A ObjectAllValuesFrom(ObjectInverseOf(r) B))", f"= SubClassOf({SOME}(r A) B)"),
    (
        "SubClassOf(ObjectIntersectionOf(C ObjectSomeValuesFrom(ObjectInverseOf(r) A)) ObjectComplementOf(B))",
        f"= DisjointClasses(A {SOME}(r ObjectIntersectionOf(C B)))",
    ),
    ("SubClassOf(A ObjectHasSelf(ObjectInverseOf(r)))", "= SubClassOf(A ObjectHasSelf(r))"),
    (
        "SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(owl:topObjectProperty) B))",
        f"= SubClassOf(A {SOME}(owl:topObjectProperty B))",
    ),
    # data
    ("SubClassOf(A DataAllValuesFrom(d xsd:string))", "<"),
    ("SubClassOf(owl:Thing DataAllValuesFrom(d xsd:string))", "= DataPropertyRange(d xsd:string)"),
    (
        'SubClassOf(DataSomeValuesFrom(d DataOneOf("x" "y")) A)',
        '= SubClassOf(DataSomeValuesFrom(d DataOneOf("x")) A) SubClassOf(DataSomeValuesFrom(d DataOneOf("y")) A)',
    ),
    ("SubClassOf(A DataMinCardinality(1 d xsd:string))", "= SubClassOf(A DataSomeValuesFrom(d xsd:string))"),
    ("SubClassOf(A DataMinCardinality(2 d xsd:string))", "< SubClassOf(A DataSomeValuesFrom(d xsd:string))"),
    ("SubClassOf(A DataMaxCardinality(0 d xsd:string))", "= DisjointClasses(A DataSomeValuesFrom(d xsd:string))"),
    ("SubClassOf(A DataExactCardinality(1 d xsd:string))", "< SubClassOf(A DataSomeValuesFrom(d xsd:string))"),
    (
        "SubClassOf(A DataSomeValuesFrom(d DataComplementOf(xsd:string)))",
        "< SubClassOf(A DataSomeValuesFrom(d rdfs:Literal))",
    ),
    (
        "SubClassOf(A DataSomeValuesFrom(d DataUnionOf(xsd:integer xsd:decimal)))",
        "= SubClassOf(A DataSomeValuesFrom(d xsd:decimal))",
    ),
    (
        'SubClassOf(A DataSomeValuesFrom(d DataUnionOf(xsd:integer DataOneOf("0.5"^^xsd:decimal))))',
        "< SubClassOf(A DataSomeValuesFrom(d xsd:decimal))",
    ),
    (
        'SubClassOf(A DataSomeValuesFrom(d DatatypeRestriction(xsd:integer xsd:minInclusive "5"^^xsd:integer)))',
        "< SubClassOf(A DataSomeValuesFrom(d xsd:integer))",
    ),
    ('SubClassOf(A DataHasValue(d "two"^^xsd:integer))', "< SubClassOf(A DataSomeValuesFrom(d rdfs:Literal))"),
    ('SubClassOf(DataHasValue(d "two"^^xsd:integer) A)', "<"),
    ("SubClassOf(A DataSomeValuesFrom(d e xsd:string))", "<"),
    # equivalences: each direction for itself, and nothing among the EL operands is lost
    ("EquivalentClasses(A ObjectUnionOf(B C))", "< SubClassOf(B A) SubClassOf(C A)"),
    ("EquivalentClasses(A ObjectMinCardinality(1 r B))", f"= EquivalentClasses(A {SOME}(r B))"),
    (
        "EquivalentClasses(A ObjectIntersectionOf(B ObjectAllValuesFrom(r C)))",
        "< SubClassOf(A B)",
    ),
    (
        "EquivalentClasses(A ObjectOneOf(a b) B)",
        "< EquivalentClasses(A B) SubClassOf(ObjectOneOf(a) A) SubClassOf(ObjectOneOf(b) A)",
    ),
    (
        "EquivalentClasses(ObjectUnionOf(A B) ObjectIntersectionOf(C ObjectComplementOf(D)))",
        "< SubClassOf(A C) SubClassOf(B C) DisjointClasses(A D) DisjointClasses(B D)",
    ),
    # disjointness
    ("DisjointClasses(A ObjectUnionOf(B C))", "= DisjointClasses(B A) DisjointClasses(C A)"),
    ("DisjointClasses(A ObjectUnionOf(B C) D)", "= DisjointClasses(B A D) DisjointClasses(C A D)"),
    ("DisjointClasses(A ObjectComplementOf(B))", "= SubClassOf(A B)"),
    (
        "DisjointClasses(A B ObjectMaxCardinality(2 r C))",
        f"< DisjointClasses(A B) SubClassOf(A {SOME}(r C)) SubClassOf(B {SOME}(r C))",
    ),
    (
        "DisjointClasses(A ObjectSomeValuesFrom(ObjectInverseOf(r) ObjectOneOf(a b)))",
        f"= DisjointClasses({SOME}(r A) ObjectOneOf(a)) DisjointClasses({SOME}(r A) ObjectOneOf(b))",
    ),
    (
        "DisjointClasses(ObjectUnionOf(A B) ObjectOneOf(a b))",
        "= " + " ".join(f"DisjointClasses({name} ObjectOneOf({individual}))" for name in "AB" for individual in "ab"),
    ),
    ("DisjointUnion(A B C)", "< SubClassOf(B A) SubClassOf(C A) DisjointClasses(B C)"),
    # keys
    ("HasKey(ObjectUnionOf(A B) (r) (d))", "< HasKey(A (r) (d)) HasKey(B (r) (d))"),
    ("HasKey(ObjectMinCardinality(1 r A) (r) ())", f"= HasKey({SOME}(r A) (r) ())"),
    ("HasKey(<A> (ObjectInverseOf(r)) ())", "<"),
    # properties
    ("SubObjectPropertyOf(ObjectInverseOf(r) ObjectInverseOf(s))", "= SubObjectPropertyOf(r s)"),
    (
        "SubObjectPropertyOf(ObjectPropertyChain(ObjectInverseOf(r) ObjectInverseOf(s)) ObjectInverseOf(t))",
        "= SubObjectPropertyOf(ObjectPropertyChain(s r) t)",
    ),
    ("SubObjectPropertyOf(r ObjectInverseOf(s))", "<"),
    ("SubObjectPropertyOf(ObjectInverseOf(r) owl:topObjectProperty)", "="),
    ("EquivalentObjectProperties(r s ObjectInverseOf(t))", "< EquivalentObjectProperties(r s)"),
    ("EquivalentObjectProperties(ObjectInverseOf(r) ObjectInverseOf(s))", "= EquivalentObjectProperties(r s)"),
    ("DisjointObjectProperties(r s)", "< DisjointClasses(ObjectHasSelf(r) ObjectHasSelf(s))"),
    ("DisjointObjectProperties(r r)", f"= SubClassOf({SOME}(r owl:Thing) owl:Nothing)"),
    ("DisjointObjectProperties(r ObjectInverseOf(r))", "< SubClassOf(ObjectHasSelf(r) owl:Nothing)"),
    ("InverseObjectProperties(r s)", "<"),
    ("InverseObjectProperties(r ObjectInverseOf(s))", "= EquivalentObjectProperties(r s)"),
    ("ObjectPropertyDomain(ObjectInverseOf(r) A)", "= ObjectPropertyRange(r A)"),
    ("ObjectPropertyDomain(r ObjectUnionOf(A B))", "<"),
    ("ObjectPropertyDomain(r ObjectIntersectionOf(A ObjectUnionOf(B C)))", "< ObjectPropertyDomain(r A)"),
    ("ObjectPropertyRange(ObjectInverseOf(r) A)", "= ObjectPropertyDomain(r A)"),
    (
        "ObjectPropertyRange(r ObjectIntersectionOf(A ObjectComplementOf(B)))",
        f"= ObjectPropertyRange(r A) SubClassOf({SOME}(r B) owl:Nothing)",
    ),
    ("FunctionalObjectProperty(r)", "<"),
    ("InverseFunctionalObjectProperty(r)", "<"),
    ("SymmetricObjectProperty(r)", "<"),
    ("AsymmetricObjectProperty(r)", "< SubClassOf(ObjectHasSelf(r) owl:Nothing)"),
    ("IrreflexiveObjectProperty(r)", "= SubClassOf(ObjectHasSelf(r) owl:Nothing)"),
    ("ReflexiveObjectProperty(ObjectInverseOf(r))", "= ReflexiveObjectProperty(r)"),
    ("TransitiveObjectProperty(ObjectInverseOf(r))", "= TransitiveObjectProperty(r)"),
    ("DisjointDataProperties(d e)", "<"),
    ("DisjointDataProperties(d d)", "= SubClassOf(DataSomeValuesFrom(d rdfs:Literal) owl:Nothing)"),
    ("DataPropertyDomain(d ObjectIntersectionOf(A ObjectUnionOf(B C)))", "< DataPropertyDomain(d A)"),
    (
        'DataPropertyRange(d DataOneOf("1"^^xsd:integer "2"^^xsd:integer))',
        "< DataPropertyRange(d xsd:nonNegativeInteger)",
    ),
    (
        "DataPropertyRange(d DataComplementOf(xsd:string))",
        "= SubClassOf(DataSomeValuesFrom(d xsd:string) owl:Nothing)",
    ),
    # assertions
    ("ClassAssertion(ObjectUnionOf(A B) a)", "<"),
    ("ClassAssertion(ObjectComplementOf(A) a)", "= DisjointClasses(ObjectOneOf(a) A)"),
    ("ClassAssertion(ObjectHasValue(ObjectInverseOf(r) b) a)", "= ObjectPropertyAssertion(r b a)"),
    ("ClassAssertion(ObjectMinCardinality(3 r B) a)", f"< ClassAssertion({SOME}(r B) a)"),
    ("ObjectPropertyAssertion(ObjectInverseOf(r) a b)", "= ObjectPropertyAssertion(r b a)"),
    ("NegativeObjectPropertyAssertion(ObjectInverseOf(r) a b)", "= NegativeObjectPropertyAssertion(r b a)"),
    ('DataPropertyAssertion(d a "two"^^xsd:integer)', "< ClassAssertion(DataSomeValuesFrom(d rdfs:Literal) a)"),
    ('NegativeDataPropertyAssertion(d a "two"^^xsd:integer)', "<"),
]


@pytest.mark.parametrize(("told", "expected"), GOLDEN, ids=[told for told, _ in GOLDEN])
def test_what_is_used_of_each_construct(told: str, expected: str) -> None:
    weakened = weaken(read(told), Bounder())
    assert " ".join(["=" if weakened.is_exact else "<", *map(write, weakened.used)]) == expected


def test_upper_and_lower_bounds_of_an_expression() -> None:
    expression = read_class("ObjectSomeValuesFrom(r ObjectUnionOf(ObjectIntersectionOf(A B) A))")
    assert upper(expression) == (read_class("ObjectSomeValuesFrom(r A)"), False)
    parts = (read_class("ObjectSomeValuesFrom(r ObjectIntersectionOf(A B))"), read_class("ObjectSomeValuesFrom(r A)"))
    assert lower(expression) == (parts, True)


def test_an_expression_of_el_bounds_itself() -> None:
    expression = read_class("ObjectIntersectionOf(A ObjectSomeValuesFrom(r ObjectIntersectionOf(B B owl:Thing)))")
    assert upper(expression) == (expression, True)
    assert lower(expression) == ((expression,), True)


def test_annotations_stay_with_what_is_used() -> None:
    note = ax.Annotation("p", owl.Literal("0.5"))
    weakened = weaken(replace(read("SubClassOf(ObjectUnionOf(A B) C)"), annotations=(note,)), Bounder())
    assert [used.annotations for used in weakened.used] == [(note,), (note,)]


def test_a_long_union_splits_without_limit() -> None:
    union = owl.ObjectUnionOf(tuple(owl.Class(f"A{number}") for number in range(5000)))
    weakened = weaken(ax.SubClassOf(union, CLASSES[0]), Bounder())
    assert (len(weakened.used), weakened.is_exact) == (5000, True)


def test_what_would_split_into_too_many_cases_is_left_out_and_said() -> None:
    pairs = [owl.ObjectUnionOf((owl.Class(f"A{number}"), owl.Class(f"B{number}"))) for number in range(10)]
    axiom = ax.SubClassOf(owl.ObjectIntersectionOf(tuple(pairs)), CLASSES[2])
    (outside,) = check_profile([axiom]).outside
    assert outside.used == ()
    assert outside.reason.endswith("so it is left out (one part would split into more than 1,000 cases)")


def test_deep_nesting_takes_no_recursion() -> None:
    deep: owl.ClassExpression = owl.ObjectUnionOf(CLASSES[:2])
    for _ in range(10_000):
        deep = owl.ObjectSomeValuesFrom(owl.ObjectProperty("r"), deep)
    bounds, _ = Bounder().bound(deep)
    assert (len(bounds.lower), bounds.is_lower_exact) == (2, True)
