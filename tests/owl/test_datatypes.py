from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.owl.model.datatypes import (
    NUMERIC,
    Value,
    ValueSet,
    are_disjoint,
    contains,
    excludes,
    is_known,
    is_subtype,
    value_of,
    value_set,
)
from moose.owl.model.expressions import (
    EL_DATATYPES,
    LANGUAGE_STRING_IRI,
    LITERAL_IRI,
    OWL,
    PLAIN_LITERAL_IRI,
    RDF,
    XSD,
    DataIntersectionOf,
    DataOneOf,
    DataRange,
    Datatype,
    DataUnionOf,
    Literal,
)
from moose.owl.model.literals import INTEGER_BOUNDS, TEXT_PATTERNS
from tests.owl.test_literals import SAME, literal, value

# ── Datatypes ─────────────────────────────────────────────────────────────────────────────────────────────────────

OWN = ["urn:own", "urn:other"]
KNOWN = sorted(
    {LITERAL_IRI, LANGUAGE_STRING_IRI, XSD + "boolean", XSD + "double", XSD + "float"}
    | EL_DATATYPES
    | INTEGER_BOUNDS.keys()
    | TEXT_PATTERNS.keys()
)
datatypes = st.sampled_from(KNOWN + OWN)
texts = st.one_of(st.sampled_from(["a", "a b", " a", "a:b", "-a", "a\nb", "en-US", ""]), st.text(max_size=3))
values: st.SearchStrategy[Value] = st.one_of(
    st.builds(lambda number: Value("number", Fraction(number)), st.integers(-300, 300) | st.integers()),
    st.builds(lambda number: Value("number", number), st.fractions(-3, 3, max_denominator=12)),
    st.builds(lambda text, language: Value("text", (text, language)), texts, st.sampled_from(["", "", "en"])),
    st.sampled_from([literals[0] for literals in SAME] + ["x^^urn:own", "y^^urn:own", "x^^urn:other"]).map(value),
)


@settings(deadline=None)
@given(datatypes, datatypes, datatypes)
def test_subtypes_form_an_order(first: str, second: str, third: str) -> None:
    assert is_subtype(first, first)
    assert is_subtype(first, LITERAL_IRI)
    assert not (is_subtype(first, second) and is_subtype(second, first)) or first == second
    assert not (is_subtype(first, second) and is_subtype(second, third)) or is_subtype(first, third)


@settings(deadline=None)
@given(datatypes, datatypes, values)
def test_membership_agrees_with_the_order(first: str, second: str, item: Value) -> None:
    assert are_disjoint(first, second) == are_disjoint(second, first)
    assert not (contains(first, item) and excludes(first, item))
    if contains(first, item):
        assert contains(second, item) or not is_subtype(first, second)
        assert not contains(second, item) or not are_disjoint(first, second)
    if is_known(first) and item.space != "opaque":
        assert contains(first, item) != excludes(first, item)


@pytest.mark.parametrize("datatype", KNOWN)
def test_a_literal_lies_in_its_datatype(datatype: str) -> None:
    for lexical in ("1", "1/2", "a", "true", "00", "2000-01-01T00:00:00Z"):
        found = value_of(Literal(lexical, datatype))
        assert found is None or contains(datatype, found)


def test_two_datatypes_of_el_are_disjoint_or_one_lies_in_the_other() -> None:
    for one, other in combinations(sorted(EL_DATATYPES), 2):
        assert [are_disjoint(one, other), is_subtype(one, other), is_subtype(other, one)].count(True) == 1, (one, other)


@pytest.mark.parametrize(
    ("sub", "sup"),
    [
        (XSD + "unsignedByte", XSD + "short"),
        (XSD + "Name", XSD + "NMTOKEN"),
        (XSD + "language", XSD + "NCName"),
        (XSD + "string", PLAIN_LITERAL_IRI),
        (LANGUAGE_STRING_IRI, PLAIN_LITERAL_IRI),
        (XSD + "dateTimeStamp", XSD + "dateTime"),
        (XSD + "decimal", OWL + "rational"),
        (OWL + "rational", NUMERIC[0]),
    ],
)
def test_value_spaces_inside_one_another(sub: str, sup: str) -> None:
    assert is_subtype(sub, sup)
    assert not is_subtype(sup, sub)
    assert not are_disjoint(sub, sup)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (XSD + "double", XSD + "decimal"),
        (XSD + "float", XSD + "double"),
        (XSD + "hexBinary", XSD + "base64Binary"),
        (XSD + "anyURI", XSD + "string"),
        (LANGUAGE_STRING_IRI, XSD + "token"),
        (XSD + "negativeInteger", XSD + "unsignedInt"),
        (RDF + "XMLLiteral", XSD + "string"),
    ],
)
def test_value_spaces_apart(one: str, other: str) -> None:
    assert are_disjoint(one, other)


def test_of_an_unknown_datatype_nothing_is_claimed() -> None:
    for known in KNOWN:
        assert not are_disjoint("urn:own", known)
        assert not is_subtype(known, "urn:own")
        assert is_subtype("urn:own", known) == (known == LITERAL_IRI)


# ── Sets of values ────────────────────────────────────────────────────────────────────────────────────────────────


def _intersect_all(parts: list[ValueSet]) -> ValueSet:
    whole = ValueSet()
    for part in parts:
        whole = whole.intersect(part)
    return whole


atoms: st.SearchStrategy[ValueSet] = st.one_of(
    datatypes.map(lambda iri: value_set(Datatype(iri))),
    values.map(lambda item: ValueSet(frozenset([item]))),
)
sets = st.lists(atoms, min_size=1, max_size=3).map(_intersect_all)


def are_equal(first: ValueSet, second: ValueSet) -> bool:
    return first.is_subset(second) and second.is_subset(first)


@settings(max_examples=300, deadline=None)
@given(sets, sets, sets)
def test_intersection_is_commutative_associative_and_idempotent(a: ValueSet, b: ValueSet, c: ValueSet) -> None:
    assert a.intersect(b) == b.intersect(a)
    assert are_equal(a.intersect(b).intersect(c), a.intersect(b.intersect(c)))
    assert a.intersect(a) == a
    assert a.intersect(ValueSet()) == a
    assert a.intersect(ValueSet.empty()).is_empty()


@settings(max_examples=300, deadline=None)
@given(sets, sets, sets)
def test_subset_is_an_order_that_intersection_respects(a: ValueSet, b: ValueSet, c: ValueSet) -> None:
    assert a.is_subset(a)
    assert a.intersect(b).is_subset(a)
    assert not (a.is_subset(b) and b.is_subset(c)) or a.is_subset(c)
    assert not (c.is_subset(a) and c.is_subset(b)) or c.is_subset(a.intersect(b))
    assert a.is_subset(b) == are_equal(a.intersect(b), a)
    assert ValueSet.empty().is_subset(a)
    assert a.is_subset(ValueSet())


@settings(max_examples=300, deadline=None)
@given(sets, sets, values)
def test_membership_agrees_with_the_sets(a: ValueSet, b: ValueSet, item: Value) -> None:
    assert (a.contains(item) and b.contains(item)) <= a.intersect(b).contains(item)
    assert a.intersect(b).contains(item) <= a.contains(item)
    assert (a.contains(item) and a.is_subset(b)) <= b.contains(item)
    assert a.contains(item) == ValueSet(frozenset([item])).is_subset(a)
    assert not (a.contains(item) and a.is_empty())
    assert a.single is None or a.contains(a.single)


def test_the_only_value_of_a_set() -> None:
    zero = value_set(DataIntersectionOf((Datatype(XSD + "nonNegativeInteger"), Datatype(XSD + "nonPositiveInteger"))))
    assert zero == value_set(DataOneOf((literal("0^^xsd:integer"),)))
    assert zero.single == Value("number", Fraction(0))
    assert value_set(Datatype(XSD + "integer")).single is None
    assert ValueSet.empty().single is None


@pytest.mark.parametrize(("one", "other"), list(product(["1^^urn:own"], ["2^^urn:own", "1^^xsd:integer"])))
def test_unknown_values_may_be_the_same(one: str, other: str) -> None:
    both = value_set(DataIntersectionOf((DataOneOf((literal(one),)), DataOneOf((literal(other),)))))
    assert not both.is_empty()
    assert both.single is None


@pytest.mark.parametrize(
    "data_range",
    [
        DataUnionOf((Datatype(XSD + "integer"), Datatype(XSD + "string"))),
        DataOneOf((Literal("a"), Literal("b"))),
        DataOneOf((Literal("two", XSD + "integer"),)),
    ],
)
def test_a_data_range_outside_el_is_refused(data_range: DataRange) -> None:
    with pytest.raises(MooseError, match=r"expected a data range of OWL 2 EL .* but got Data"):
        value_set(data_range)
