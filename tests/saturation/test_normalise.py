"""The integer normal form: what was told comes back from it, equal meanings are equal numbers, nothing is invented."""

from __future__ import annotations

import random
from dataclasses import fields
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.certificates.make.data_facts import meaning
from moose.certificates.make.proof_steps import Derivation
from moose.certificates.make.vocabulary import Vocabulary
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    DataProperty,
    Entity,
    NamedIndividual,
    ObjectHasSelf,
    ObjectProperty,
)
from moose.owl.normal.normal_form import BOTTOM, LITERAL, NO_AXIOM, TOP, Kind, NormalForm, Table
from moose.owl.normal.normalise import normalise
from moose.owl.normal.role_hierarchy import close_roles, cut_chains
from moose.saturation.proofs.expressions import Expressions, Numbering, canonical
from moose.saturation.proofs.proof import Concept
from tests.owl.short_syntax import read, read_class
from tests.saturation.answers import make
from tests.saturation.random_ontologies import ontologies, random_axioms
from tests.searching import examples

ROLE_AXIOMS = (ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.ObjectPropertyRange)


def normal(*texts: str) -> NormalForm:
    return normalise([read(text) for text in texts])


def told(form: NormalForm) -> set[tuple[str, str]]:
    """Show the told rows that stand for axioms, as text."""
    show = Expressions(form).concept
    return {(repr(show(sub)), repr(show(sup))) for sub, sup, axiom in form.told.rows.tolist() if axiom != NO_AXIOM}


def number(form: NormalForm, text: str) -> int | None:
    return Numbering(form).concept(read_class(text))


# ── What was told comes back ──────────────────────────────────────────────────────────────────────────────────────


@examples(100)
@given(ontologies())
def test_every_told_row_is_what_its_axiom_tells(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    form, show = ontology.normal_form, Expressions(ontology.normal_form).concept
    for sub, sup, place in form.told.rows.tolist():
        axiom = ontology.profile.el_axioms[place]
        if place == NO_AXIOM or isinstance(axiom, (*ROLE_AXIOMS, ax.DisjointClasses, ax.ObjectPropertyCharacteristic)):
            continue
        has_data = "Data" in repr((show(sub), show(sup)))  # which an axiom may spell in other ways
        assert has_data or tells_inclusion(axiom, show(sub), show(sup)), axiom


@examples(100)
@given(ontologies())
def test_role_assertions_recorded_together_have_the_numbers_of_those_recorded_one_by_one(axioms: list[Axiom]) -> None:
    names = make(axioms).signature
    entities: list[Entity] = [Class(iri) for iri in names.classes]
    entities += [ObjectProperty(iri) for iri in names.object_properties]
    entities += [NamedIndividual(iri) for iri in names.individuals]
    used = make(axioms).profile.used_axioms
    with pytest.MonkeyPatch.context() as patched:
        one_by_one = normalise(used, entities=entities)
        patched.setattr("moose.owl.normal.named_links.FEW", 0)
        together = normalise(used, entities=entities)
    for field in fields(NormalForm):
        first, second = getattr(one_by_one, field.name), getattr(together, field.name)
        if isinstance(first, Table):
            first, second = first.rows, second.rows
        assert np.array_equal(first, second) if isinstance(first, np.ndarray) else first == second, field.name


def test_role_assertions_of_what_has_no_number_yet_are_recorded_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moose.owl.normal.named_links.FEW", 0)
    form = normal("ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(r a b)", "ClassAssertion(A a)")
    assert form.told.rows[:, 2].tolist() == [0, 1, 2] and len(form.individuals) == 2


def tells_inclusion(axiom: Axiom, sub: Concept, sup: Concept) -> bool:
    """Return whether an axiom is, or is by definition, C ⊑ D (or an equivalence that holds it)."""
    words = Vocabulary(has_data=True)
    try:
        return bool(Derivation(words).path(words.concept(sub), words.concept(sup), "sub", axiom))
    except LookupError:
        return False


@examples(100)
@given(ontologies())
def test_every_axiom_has_left_its_mark(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    form = ontology.normal_form
    tables = (form.told, form.inclusions, form.compositions, form.ranges, form.functional)
    marked = {place for table in tables for place in table.column(-1).tolist()}
    marked |= {place for _, place in form.disjoint} | {key.axiom for key in form.keys}
    silent = [axiom for place, axiom in enumerate(ontology.profile.el_axioms) if place not in marked]
    assert all(says_nothing(axiom) for axiom in silent), silent


def says_nothing(axiom: Axiom) -> bool:
    """Recognise C ≡ C ≡ …, of which no row is left."""
    words = Vocabulary(has_data=True)
    return (
        isinstance(axiom, ax.EquivalentClasses)
        and len({meaning(words, words.concept(operand)) for operand in axiom.operands}) == 1
    )


@examples(100)
@given(ontologies(), st.randoms(use_true_random=False))
def test_concepts_and_roles_do_not_depend_on_the_order_of_axioms(axioms: list[Axiom], source: random.Random) -> None:
    one, other = make(axioms).normal_form, make(source.sample(axioms, len(axioms))).normal_form
    assert one.classes == other.classes
    assert set(one.roles) == set(other.roles)
    assert one.individuals == other.individuals
    assert sorted(map(repr, one.value_sets)) == sorted(map(repr, other.value_sets))
    assert len(one.told.rows) == len(other.told.rows)


@examples(60)
@given(ontologies())
def test_concepts_are_numbered_once_and_parts_have_numbers(axioms: list[Axiom]) -> None:
    form = make(axioms).normal_form
    shapes = list(zip(form.kinds.tolist(), form.first.tolist(), form.second.tolist(), strict=True))
    assert len(set(shapes)) == len(shapes)
    for concept, (kind, first, second) in enumerate(shapes):
        if kind == Kind.CONJUNCTION:
            assert first < concept and second < concept and TOP not in (first, second)
        if kind == Kind.SOME:
            assert 0 <= first < len(form.roles) and second < concept
            assert form.some_target[concept] >= 0
        else:
            assert form.some_target[concept] == -1


@examples(60)
@given(ontologies())
def test_expressions_and_numbers_are_each_others_inverse(axioms: list[Axiom]) -> None:
    form = make(axioms).normal_form
    show, look_up = Expressions(form).concept, Numbering(form).concept
    for concept in range(len(form.kinds)):
        assert look_up(show(concept)) == concept


@examples(60)
@given(ontologies())
def test_what_is_recognised_is_closed_under_parts(axioms: list[Axiom]) -> None:
    """The signature side condition: exactly what is on a left-hand side, and its parts."""
    form = make(axioms).normal_form
    roots = set(form.told.column(0).tolist()) | {one for members, _ in form.disjoint for one in members}
    roots |= {key.concept for key in form.keys}
    expected: set[int] = set()
    while roots:
        concept = roots.pop()
        if concept not in expected:
            expected.add(concept)
            if form.kinds[concept] == Kind.CONJUNCTION:
                roots |= {int(form.first[concept]), int(form.second[concept])}
            elif form.kinds[concept] == Kind.SOME:
                roots.add(int(form.second[concept]))
    recognised = {one for one in np.flatnonzero(form.is_negative).tolist() if form.kinds[one] != Kind.VALUES}
    assert recognised == {one for one in expected if form.kinds[one] != Kind.VALUES}


# ── Equal meanings, equal numbers ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ObjectIntersectionOf(A B)", "ObjectIntersectionOf(B A)"),
        ("ObjectIntersectionOf(A ObjectIntersectionOf(B C))", "ObjectIntersectionOf(ObjectIntersectionOf(C A) B A)"),
        ("ObjectIntersectionOf(A owl:Thing)", "A"),
        ("ObjectIntersectionOf(owl:Thing owl:Thing)", "owl:Thing"),
        ("ObjectHasValue(r a)", "ObjectSomeValuesFrom(r ObjectOneOf(a))"),
        ('DataHasValue(d "1"^^xsd:integer)', 'DataSomeValuesFrom(d DataOneOf("1"^^xsd:integer))'),
        ('DataHasValue(d "1"^^xsd:integer)', 'DataHasValue(d "01.0"^^xsd:decimal)'),
        ("DataSomeValuesFrom(d xsd:integer)", "DataSomeValuesFrom(d DataIntersectionOf(xsd:integer xsd:decimal))"),
        ("DataSomeValuesFrom(d DataIntersectionOf(xsd:string xsd:integer))",
         "DataSomeValuesFrom(d DataIntersectionOf(xsd:dateTime xsd:string))"),
    ],
)  # fmt: skip
def test_equal_meanings_have_one_number(one: str, other: str) -> None:
    form = normal(f"SubClassOf(X {one})", f"SubClassOf(Y {other})")
    assert number(form, one) == number(form, other)
    assert len({sup for _, sup, place in form.told.rows.tolist() if place != NO_AXIOM}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A", "B"),
        ("ObjectSomeValuesFrom(r A)", "ObjectSomeValuesFrom(s A)"),
        ("ObjectHasSelf(r)", "ObjectSomeValuesFrom(r owl:Thing)"),
        ("ObjectOneOf(A)", "A"),
        ('DataHasValue(d "1"^^xsd:integer)', 'DataHasValue(d "1")'),
        ("ObjectIntersectionOf(A B)", "ObjectIntersectionOf(A B C)"),
    ],
)
def test_different_meanings_have_different_numbers(one: str, other: str) -> None:
    form = normal(f"SubClassOf(X {one})", f"SubClassOf(Y {other})")
    assert number(form, one) != number(form, other)


def test_class_property_and_individual_of_one_name_are_three() -> None:
    form = normal("SubClassOf(A ObjectHasValue(A A))")
    assert form.classes[2:] == ("A",)
    assert form.roles == (ObjectProperty("A"),)
    assert form.individuals == (NamedIndividual("A"),)


# ── Single axioms ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_empty_ontology_knows_thing_nothing_and_literal() -> None:
    form = normalise([])
    assert form.kinds.tolist() == [Kind.CLASS, Kind.CLASS, Kind.VALUES]
    assert (form.classes, form.roles, len(form.told.rows)) == ((THING.iri, NOTHING.iri), (), 0)
    assert (TOP, BOTTOM, LITERAL) == (0, 1, 2)


def test_entities_are_numbered_in_the_order_given() -> None:
    entities: list[Entity] = [Class("B"), Class("A"), ObjectProperty("s"), ObjectProperty("r"), DataProperty("d")]
    form = normalise([read("SubClassOf(A ObjectHasValue(r x))")], entities=entities)
    assert form.classes == (THING.iri, NOTHING.iri, "B", "A")
    assert form.roles == (ObjectProperty("s"), ObjectProperty("r"), DataProperty("d"))


@pytest.mark.parametrize(
    ("axiom", "expected"),
    [
        ("EquivalentClasses(A B C)", {("A", "B"), ("B", "C"), ("C", "A")}),
        ("EquivalentClasses(A A)", set()),
        ("SameIndividual(a b)", {("ObjectOneOf(a)", "ObjectOneOf(b)"), ("ObjectOneOf(b)", "ObjectOneOf(a)")}),
        ("ObjectPropertyDomain(r A)", {("ObjectSomeValuesFrom(r owl:Thing)", "A")}),
        ("DataPropertyDomain(d A)", {("DataSomeValuesFrom(d rdfs:Literal)", "A")}),
        ("ReflexiveObjectProperty(r)", {("owl:Thing", "ObjectHasSelf(r)")}),
        ("ClassAssertion(A a)", {("ObjectOneOf(a)", "A")}),
        ("ObjectPropertyAssertion(r a b)", {("ObjectOneOf(a)", "ObjectHasValue(r b)")}),
        ("NegativeObjectPropertyAssertion(r a b)",
         {("ObjectIntersectionOf(ObjectOneOf(a) ObjectHasValue(r b))", "owl:Nothing")}),
        ('NegativeDataPropertyAssertion(d a "x")',
         {('ObjectIntersectionOf(ObjectOneOf(a) DataHasValue(d "x"))', "owl:Nothing")}),
        ("DisjointClasses(A B A)", {("A", "owl:Nothing")}),
    ],
)  # fmt: skip
def test_axiom_is_told_as_inclusions(axiom: str, expected: set[tuple[str, str]]) -> None:
    form = normal(axiom)
    pairs = {(number(form, sub), number(form, sup)) for sub, sup in expected}
    assert {(sub, sup) for sub, sup, place in form.told.rows.tolist() if place != NO_AXIOM} == pairs


def test_disjointness_is_kept_whole() -> None:
    form = normal("DisjointClasses(A B C)", "DifferentIndividuals(a b)")
    classes = tuple(number(form, name) for name in "ABC")
    individuals = tuple(number(form, f"ObjectOneOf({name})") for name in "ab")
    assert form.disjoint == ((classes, 0), (individuals, 1))
    assert len(form.told.rows) == 0


def test_bottom_roles_are_empty_and_the_top_data_role_is_full() -> None:
    form = normal(
        "SubClassOf(A ObjectSomeValuesFrom(owl:bottomObjectProperty B))",
        "SubClassOf(A DataSomeValuesFrom(owl:bottomDataProperty xsd:string))",
        "SubClassOf(DataSomeValuesFrom(owl:topDataProperty xsd:string) B)",
    )
    by_semantics = {(sub, sup) for sub, sup, place in form.told.rows.tolist() if place == NO_AXIOM}
    assert (number(form, "ObjectSomeValuesFrom(owl:bottomObjectProperty owl:Thing)"), BOTTOM) in by_semantics
    assert (number(form, "DataSomeValuesFrom(owl:bottomDataProperty rdfs:Literal)"), BOTTOM) in by_semantics
    assert (TOP, number(form, "DataSomeValuesFrom(owl:topDataProperty xsd:string)")) in by_semantics


def test_data_ranges_are_told_apart_by_their_values() -> None:
    form = normal(
        'SubClassOf(A DataHasValue(d "1"^^xsd:integer))',
        "SubClassOf(DataSomeValuesFrom(d xsd:decimal) B)",
        "SubClassOf(DataSomeValuesFrom(d xsd:string) C)",
        "SubClassOf(A DataSomeValuesFrom(d DataIntersectionOf(xsd:string xsd:decimal)))",
    )
    fillers = {text: number(form, f"DataSomeValuesFrom(d {text})") for text in ("xsd:decimal", "xsd:string")}
    values = {text: int(form.second[some]) for text, some in fillers.items() if some is not None}
    one = int(form.second[number(form, 'DataHasValue(d "1"^^xsd:integer)') or 0])
    told_pairs = {(sub, sup) for sub, sup, _ in form.told.rows.tolist()}
    assert (one, values["xsd:decimal"]) in told_pairs
    assert (one, values["xsd:string"]) not in told_pairs
    assert any(sup == BOTTOM and form.kinds[sub] == Kind.VALUES for sub, sup in told_pairs)


# ── Roles ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_link_leads_to_the_filler_and_all_ranges_of_the_role() -> None:
    form = normal(
        "SubClassOf(A ObjectSomeValuesFrom(r B))",
        "SubObjectPropertyOf(r s)",
        "ObjectPropertyRange(s C)",
        "ObjectPropertyRange(r D)",
        "SubClassOf(A ObjectSomeValuesFrom(s B))",
    )
    show = Expressions(form).concept
    by_r, by_s = (number(form, f"ObjectSomeValuesFrom({role} B)") for role in "rs")
    assert by_r is not None and by_s is not None
    assert show(int(form.some_target[by_r])) == canonical(read_class("ObjectIntersectionOf(B C D)"))
    assert show(int(form.some_target[by_s])) == canonical(read_class("ObjectIntersectionOf(B C)"))


def test_data_link_leads_to_the_values_that_lie_in_all_ranges() -> None:
    form = normal("SubClassOf(A DataSomeValuesFrom(d xsd:decimal))", "DataPropertyRange(d xsd:integer)")
    some = number(form, "DataSomeValuesFrom(d xsd:decimal)")
    assert some is not None
    target = form.value_sets[form.first[form.some_target[some]]]
    assert target == form.value_sets[form.first[form.ranges.column(1)[0]]]


def test_chains_are_cut_into_pairs_and_share_their_beginnings() -> None:
    rows, count = cut_chains([((0, 1, 2), 3, 7), ((0, 1, 3), 2, 8), ((0, 0), 0, 9)], 4)
    assert rows == [(0, 1, 4, 7), (4, 2, 3, 7), (4, 3, 2, 8), (0, 0, 0, 9)]
    assert count == 5


@examples(100)
@given(st.integers(0, 19), st.lists(st.tuples(st.integers(0, 18), st.integers(0, 18))))
def test_role_hierarchy_is_closed(count: int, told_pairs: list[tuple[int, int]]) -> None:
    kept = [(sub, sup, 0) for sub, sup in told_pairs if sub < count and sup < count]
    expected = np.eye(count, dtype=np.bool_)
    for sub, sup, _ in kept:
        expected[sub, sup] = True
    for middle in range(count):
        expected |= np.outer(expected[:, middle], expected[middle])
    assert np.array_equal(close_roles(kept, count), expected)


def test_everything_is_below_the_top_role_and_data_roles_are_not() -> None:
    form = normal(
        "SubClassOf(A ObjectSomeValuesFrom(owl:topObjectProperty B))",
        "SubClassOf(A ObjectSomeValuesFrom(r B))",
        'DataPropertyAssertion(d a "x")',
    )
    top = form.universal_role
    below = {role.iri: bool(form.is_subrole[place, top]) for place, role in enumerate(form.roles)}
    assert below == {form.roles[top].iri: True, "r": True, "d": False}


def test_self_goes_up_inclusions_chains_and_ranges_only_where_it_occurs() -> None:
    texts = ("SubObjectPropertyOf(r s)", "SubObjectPropertyOf(ObjectPropertyChain(r s) t)", "ObjectPropertyRange(t B)")
    assert not np.any(normal(*texts).kinds == Kind.SELF)
    form = normal(*texts, "SubClassOf(A ObjectHasSelf(r))")
    loops = {role: number(form, f"ObjectHasSelf({role})") for role in "rst"}
    pairs = {(sub, sup) for sub, sup, _ in form.told.rows.tolist()}
    both = number(form, "ObjectIntersectionOf(ObjectHasSelf(r) ObjectHasSelf(s))")
    assert {(loops["r"], loops["s"]), (both, loops["t"]), (loops["t"], number(form, "B"))} <= pairs


# ── Goals ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_both_sides_of_a_goal_have_numbers_and_the_right_one_is_recognised() -> None:
    sub, sup = read_class("ObjectSomeValuesFrom(r A)"), read_class("ObjectIntersectionOf(B ObjectSomeValuesFrom(s C))")
    form = normalise([read("SubClassOf(A B)")], goals=[(sub, sup)])
    ((low, high),) = form.goals
    show = Expressions(form).concept
    assert (show(low), show(high)) == (canonical(sub), canonical(sup))
    assert form.is_negative[high] and form.is_negative[form.first[high]] and not form.is_negative[low]


def test_goal_changes_nothing_that_was_told() -> None:
    axioms = [read("SubClassOf(A ObjectSomeValuesFrom(r B))")]
    plain, asked = normalise(axioms), normalise(axioms, goals=[(Class("A"), ObjectHasSelf(ObjectProperty("s")))])
    assert told(plain) == told(asked)


def test_normal_form_of_random_axioms_is_the_same_each_time() -> None:
    for seed, name in product(range(5), ("kinds", "first", "second", "is_negative", "some_target")):
        one, other = (make(random_axioms(random.Random(seed))).normal_form for _ in range(2))
        assert np.array_equal(getattr(one, name), getattr(other, name))
