"""What individuals are, whom they are related to and whom they equal; held to the naive reasoner in test_properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import AnonymousIndividual, Class, NamedIndividual, ObjectProperty
from moose.owl.ontology import ontology_from_axioms
from moose.saturation.answers.realise import Realisation, realise
from moose.saturation.answers.taxonomy import classify
from moose.saturation.proofs.explain import explain
from tests.owl.short_syntax import read
from tests.saturation.answers import make
from tests.saturation.random_ontologies import INDIVIDUALS, ROLES, ontologies
from tests.searching import examples


def realised(*texts: str) -> Realisation:
    return realise(ontology_from_axioms(map(read, texts)))


# ── Types ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["ClassAssertion(A a)", "SubClassOf(A B)"], [("a", "A"), ("a", "B")]),
        (["ClassAssertion(ObjectSomeValuesFrom(r B) a)", "ObjectPropertyDomain(r A)"], [("a", "A")]),
        (["ObjectPropertyAssertion(r a b)", "ObjectPropertyRange(r B)"], [("b", "B")]),
        (["ObjectPropertyAssertion(r a b)", "ClassAssertion(B b)", "SubClassOf(ObjectSomeValuesFrom(r B) A)"],
         [("a", "A"), ("b", "B")]),
        (["SameIndividual(a b)", "ClassAssertion(A b)"], [("a", "A"), ("b", "A")]),
        (["SubClassOf(owl:Thing A)", "DifferentIndividuals(a b)"], [("a", "A"), ("b", "A")]),
        (["SubClassOf(ObjectOneOf(a) A)"], [("a", "A")]),
        (["EquivalentClasses(A ObjectOneOf(a))", "SubClassOf(A B)"], [("a", "A"), ("a", "B")]),
        (["ClassAssertion(ObjectSomeValuesFrom(r ObjectIntersectionOf(B ObjectOneOf(b))) a)"], [("b", "B")]),
        (["SubClassOf(A ObjectSomeValuesFrom(r ObjectIntersectionOf(B ObjectOneOf(b))))"], []),
        (["ReflexiveObjectProperty(r)", "SubClassOf(ObjectHasSelf(r) A)", "ClassAssertion(owl:Thing a)"], [("a", "A")]),
        (["DataPropertyAssertion(d a \"1\"^^xsd:integer)", "SubClassOf(DataSomeValuesFrom(d xsd:decimal) A)"],
         [("a", "A")]),
        (["ClassAssertion(A a)", "ClassAssertion(B _:x)"], [("a", "A")]),
        (["ClassAssertion(owl:Thing a)"], []),
        ([], []),
    ],
    ids=repr,
)  # fmt: skip
def test_types_are_all_named_classes_but_thing(texts: list[str], expected: list[tuple[str, str]]) -> None:
    assert realised(*texts).types() == expected


def test_types_of_an_individual_that_is_only_declared() -> None:
    found = realise(ontology_from_axioms([read("SubClassOf(owl:Thing A)")], declarations=[NamedIndividual("a")]))
    assert found.types() == [("a", "A")]


# ── Relations ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["ObjectPropertyAssertion(r a b)", "SubObjectPropertyOf(r s)"], [("a", "r", "b"), ("a", "s", "b")]),
        (["ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(r b c)", "TransitiveObjectProperty(r)"],
         [("a", "r", "b"), ("a", "r", "c"), ("b", "r", "c")]),
        (["ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(s b c)", "ObjectPropertyAssertion(t c d)",
          "SubObjectPropertyOf(ObjectPropertyChain(r s t) u)"],
         [("a", "r", "b"), ("a", "u", "d"), ("b", "s", "c"), ("c", "t", "d")]),
        (["ClassAssertion(A a)", "SubClassOf(A ObjectHasValue(r b))"], [("a", "r", "b")]),
        (["ClassAssertion(ObjectHasSelf(r) a)"], [("a", "r", "a")]),
        (["ReflexiveObjectProperty(r)", "DifferentIndividuals(a b)"], [("a", "r", "a"), ("b", "r", "b")]),
        (["ObjectPropertyAssertion(r a b)", "SameIndividual(b c)"], [("a", "r", "b"), ("a", "r", "c")]),
        (["ObjectPropertyAssertion(r a b)", "SameIndividual(a c)"], [("a", "r", "b"), ("c", "r", "b")]),
        (["ClassAssertion(ObjectSomeValuesFrom(r B) a)", "SubClassOf(B ObjectOneOf(b))"], [("a", "r", "b")]),
        (["ObjectPropertyAssertion(r a _:x)", "ObjectPropertyAssertion(r _:x b)"], []),
        (["ObjectPropertyAssertion(owl:topObjectProperty a b)"], []),
        (["SubObjectPropertyOf(owl:topObjectProperty r)", "DifferentIndividuals(a b)"],
         [(one, "r", other) for one in "ab" for other in "ab"]),
        (["DataPropertyAssertion(d a \"x\")"], []),
        ([], []),
    ],
    ids=repr,
)  # fmt: skip
def test_role_assertions_are_all_that_follow(texts: list[str], expected: list[tuple[str, str, str]]) -> None:
    assert realised(*texts).role_assertions() == expected


# ── Equalities ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["SameIndividual(c a b)"], [("a", "b"), ("a", "c"), ("b", "c")]),
        (["ClassAssertion(ObjectOneOf(b) a)"], [("a", "b")]),
        (["EquivalentClasses(A ObjectOneOf(a))", "ClassAssertion(A b)"], [("a", "b")]),
        (["HasKey(<A> () (d))", "ClassAssertion(A a)", "ClassAssertion(A b)", 'DataPropertyAssertion(d a "x")',
          'DataPropertyAssertion(d b "x")'], [("a", "b")]),
        (["HasKey(<A> () (d))", "ClassAssertion(A a)", "ClassAssertion(A _:b)", 'DataPropertyAssertion(d a "x")',
          'DataPropertyAssertion(d _:b "x")'], []),
        (["SameIndividual(a _:x)", "SameIndividual(_:x b)"], [("a", "b")]),
        (["ClassAssertion(A a)", "ClassAssertion(A b)"], []),
    ],
    ids=repr,
)  # fmt: skip
def test_same_individuals_are_listed_once_a_pair(texts: list[str], expected: list[tuple[str, str]]) -> None:
    assert realised(*texts).same_individuals() == expected


# ── Inconsistency, agreement ──────────────────────────────────────────────────────────────────────────────────────

INCONSISTENT = ["DisjointClasses(A B)", "ClassAssertion(A a)", "ClassAssertion(B a)"]


@pytest.mark.parametrize("question", [Realisation.types, Realisation.role_assertions, Realisation.same_individuals])
def test_of_an_inconsistent_ontology_nothing_can_be_asked(question: object) -> None:
    found = realised(*INCONSISTENT)
    assert not found.is_consistent
    assert callable(question)
    with pytest.raises(MooseError, match="expected a consistent ontology"):
        question(found)


def test_what_individuals_do_not_lead_to_is_not_looked_at() -> None:
    axioms: list[Axiom] = [ax.SubClassOf(Class(f"N{place}"), Class(f"N{place + 1}")) for place in range(50)]
    found = realise(ontology_from_axioms([*axioms, read("ClassAssertion(A a)")]))
    assert found.closure.base.is_started.sum() <= 2  # ⊤ and {a}


def test_unsatisfiable_class_without_instances_does_no_harm() -> None:
    assert realised("SubClassOf(A owl:Nothing)", "ClassAssertion(B a)").types() == [("a", "B")]


def test_individuals_of_the_taxonomys_ontology_have_the_superclasses_of_their_types() -> None:
    texts = ["ClassAssertion(A a)", "SubClassOf(A B)", "EquivalentClasses(B C)"]
    ontology = ontology_from_axioms(map(read, texts))
    taxonomy = classify(ontology)
    types = {cls for _, cls in realise(ontology).types()}
    assert types == {"A", *taxonomy.ancestors("A")}


@examples(25)
@given(ontologies(), st.data())
def test_what_is_listed_is_what_can_be_explained(axioms: list[Axiom], data: st.DataObject) -> None:
    ontology = make(axioms)
    found = realise(ontology)
    if not found.is_consistent:
        return
    one, other = data.draw(st.sampled_from(INDIVIDUALS)), data.draw(st.sampled_from(INDIVIDUALS))
    known = set(ontology.object_properties)
    for role in (role for role in ROLES if role.iri in known):
        is_listed = (one.iri, role.iri, other.iri) in found.role_assertions()
        assert is_listed == (explain(ontology, ax.ObjectPropertyAssertion(role, one, other)) is not None)
    if one != other:
        pair = tuple(sorted((one.iri, other.iri)))
        assert (pair in found.same_individuals()) == (explain(ontology, ax.SameIndividual((one, other))) is not None)


def test_anonymous_individual_cannot_be_asked_about_but_counts() -> None:
    ontology = ontology_from_axioms([read("ClassAssertion(A _:x)"), read("SubClassOf(A owl:Nothing)")])
    assert not realise(ontology).is_consistent
    with pytest.raises(MooseError, match="OWL 2 EL in the goal"):
        explain(ontology, ax.ClassAssertion(Class("A"), AnonymousIndividual("x")))


def test_individual_and_role_that_the_ontology_does_not_know_may_be_asked_about() -> None:
    ontology, unknown = ontology_from_axioms([read("ClassAssertion(A a)")]), NamedIndividual("b")
    assert explain(ontology, ax.ClassAssertion(Class("A"), unknown)) is None
    assert explain(ontology, ax.ObjectPropertyAssertion(ObjectProperty("r"), unknown, unknown)) is None
