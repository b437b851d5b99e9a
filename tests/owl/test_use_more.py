"""Axioms outside EL, used together with the rest of the ontology: soundly, with the right sources, and as promised."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import moose
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import with_sets
from moose.owl.profile.check_profile import check_profile
from moose.owl.profile.profile import Profile
from tests.owl.interpretations import random_interpretation
from tests.owl.short_syntax import read
from tests.owl.small_expressions import AXIOMS

PROPERTIES = [
    "InverseObjectProperties(r s)",
    "SymmetricObjectProperty(r)",
    "FunctionalObjectProperty(r)",
    "FunctionalObjectProperty(s)",
    "InverseFunctionalObjectProperty(r)",
    "AsymmetricObjectProperty(s)",
    "TransitiveObjectProperty(r)",
    "SubObjectPropertyOf(r s)",
    "SubObjectPropertyOf(ObjectInverseOf(r) s)",
    "SubObjectPropertyOf(ObjectPropertyChain(r ObjectInverseOf(s)) s)",
    "EquivalentObjectProperties(s ObjectInverseOf(r))",
    "DisjointObjectProperties(r s)",
    "DisjointObjectProperties(r ObjectInverseOf(s))",
    "ObjectPropertyDomain(r A)",
    "ObjectPropertyRange(s B)",
    "ObjectPropertyAssertion(r a b)",
    "ObjectPropertyAssertion(s b a)",
    "ObjectPropertyAssertion(r a a)",
    "SubClassOf(A ObjectHasValue(r b))",
    "SubClassOf(A ObjectSomeValuesFrom(r B))",
    "SubClassOf(B ObjectSomeValuesFrom(s ObjectIntersectionOf(A C)))",
    "SubClassOf(ObjectSomeValuesFrom(s A) C)",
    "SubClassOf(A ObjectAllValuesFrom(r B))",
    "SubClassOf(A ObjectMaxCardinality(1 r B))",
    "SubClassOf(A ObjectUnionOf(B C))",
    "SubClassOf(C ObjectSomeValuesFrom(ObjectInverseOf(r) A))",
]


def sourced(profile: Profile, axioms: list[ax.Axiom]) -> list[tuple[ax.Axiom, list[ax.Axiom]]]:
    """Return each axiom that is used, with the axioms that it is said to follow from."""
    alone = [(used, [outside.axiom]) for outside in profile.outside for used in outside.used]
    joint = (*profile.joint, *profile.disjunctions)
    return alone + [(one.axiom, [axioms[position] for position in one.sources]) for one in joint]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PROPERTIES), min_size=2, max_size=7, unique=True), st.integers(0, 10**9))
def test_what_is_used_holds_wherever_its_sources_do(texts: list[str], seed: int) -> None:
    axioms = [read(text) for text in texts]
    profile = check_profile(axioms)
    source = random.Random(seed)
    for interpretation in (random_interpretation(source) for _ in range(40)):
        holds = {axiom: interpretation.satisfies(axiom) for axiom in axioms}
        for used, sources in sourced(profile, axioms):
            assert interpretation.satisfies(used) or not all(holds[one] for one in sources)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(*AXIOMS.values()), min_size=2, max_size=5, unique=True), st.integers(0, 10**9))
def test_any_axioms_are_used_soundly(axioms: list[ax.Axiom], seed: int) -> None:
    profile = check_profile(axioms)
    source = random.Random(seed)
    for interpretation in (random_interpretation(source) for _ in range(15)):
        holds = {axiom: interpretation.satisfies(axiom) for axiom in axioms}
        for used, sources in sourced(profile, axioms):
            assert interpretation.satisfies(used) or not all(holds[one] for one in sources)


# ── What now follows ──────────────────────────────────────────────────────────────────────────────────────────────

FOLLOWS = {
    "inverse": ("ObjectPropertyAssertion(s b a)", ["InverseObjectProperties(r s)", "ObjectPropertyAssertion(r a b)"]),
    "symmetric": ("ObjectPropertyAssertion(r b a)", ["SymmetricObjectProperty(r)", "ObjectPropertyAssertion(r a b)"]),
    "inverse below": (
        "ObjectPropertyAssertion(s b a)",
        ["SubObjectPropertyOf(ObjectInverseOf(t) s)", "SubObjectPropertyOf(r t)", "ObjectPropertyAssertion(r a b)"],
    ),
    "inverse above": (
        "ObjectPropertyAssertion(t b a)",
        ["SubObjectPropertyOf(r ObjectInverseOf(s))", "SubObjectPropertyOf(s t)", "ObjectPropertyAssertion(r a b)"],
    ),
    "inverse of a transitive property": (
        "ObjectPropertyAssertion(s c a)",
        [
            *("InverseObjectProperties(r s)", "TransitiveObjectProperty(r)"),
            *("ObjectPropertyAssertion(s b a)", "ObjectPropertyAssertion(s c b)"),
        ],
    ),
    "inverse by a class": (
        "ClassAssertion(C b)",
        [
            *("InverseObjectProperties(r s)", "SubClassOf(A ObjectHasValue(r b))", "ClassAssertion(A a)"),
            "SubClassOf(ObjectSomeValuesFrom(s A) C)",
        ],
    ),
    "inverse among classes": (
        "SubClassOf(A D)",
        [
            *("InverseObjectProperties(r s)", "SubClassOf(A ObjectSomeValuesFrom(r B))"),
            *("SubClassOf(ObjectSomeValuesFrom(s A) C)", "SubClassOf(ObjectSomeValuesFrom(r C) D)"),
        ],
    ),
    "functional": (
        "SameIndividual(b c)",
        [
            *("FunctionalObjectProperty(f)", "SubObjectPropertyOf(r f)", "SubObjectPropertyOf(s f)"),
            *("ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(s a c)"),
        ],
    ),
    "functional with a class": (
        "ClassAssertion(B b)",
        [
            *("FunctionalObjectProperty(r)", "ObjectPropertyAssertion(r a b)", "ClassAssertion(A a)"),
            "SubClassOf(A ObjectSomeValuesFrom(r B))",
        ],
    ),
    "functional among classes": (
        "SubClassOf(A D)",
        [
            *("FunctionalObjectProperty(r)", "SubClassOf(A ObjectSomeValuesFrom(r B))"),
            *("SubClassOf(A ObjectSomeValuesFrom(r C))",),
            "SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(B C)) D)",
        ],
    ),
    "functional and back": (
        "SubClassOf(A E)",
        [
            *("FunctionalObjectProperty(s)", "InverseObjectProperties(r s)"),
            *("SubClassOf(A ObjectSomeValuesFrom(r B))", "SubClassOf(B ObjectSomeValuesFrom(s E))"),
        ],
    ),
    "inverse-functional": (
        "SameIndividual(a b)",
        [
            *("InverseFunctionalObjectProperty(r)", "ObjectPropertyAssertion(r a c)"),
            "ObjectPropertyAssertion(r b c)",
        ],
    ),
    "at most one": (
        "SameIndividual(b c)",
        [
            *("ClassAssertion(ObjectMaxCardinality(1 r B) a)", "ClassAssertion(B b)", "ClassAssertion(B c)"),
            *("ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(r a c)"),
        ],
    ),
    "asymmetric": (
        "SubClassOf(owl:Thing owl:Nothing)",
        ["AsymmetricObjectProperty(r)", "ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(r b a)"],
    ),
    "disjoint properties": (
        "SubClassOf(owl:Thing owl:Nothing)",
        ["DisjointObjectProperties(r s)", "ObjectPropertyAssertion(r a b)", "ObjectPropertyAssertion(s a b)"],
    ),
    "universal on an individual": (
        "ClassAssertion(B b)",
        ["SubClassOf(A ObjectAllValuesFrom(r B))", "ClassAssertion(A a)", "ObjectPropertyAssertion(r a b)"],
    ),
    "universal among classes": (
        "SubClassOf(A D)",
        [
            *("SubClassOf(A ObjectAllValuesFrom(r B))", "SubClassOf(A ObjectSomeValuesFrom(r C))"),
            "SubClassOf(ObjectSomeValuesFrom(r ObjectIntersectionOf(B C)) D)",
        ],
    ),
    "domain as range": (
        "SubClassOf(A D)",
        [
            *("InverseObjectProperties(r s)", "ObjectPropertyDomain(r B)", "SubClassOf(A ObjectSomeValuesFrom(s C))"),
            "SubClassOf(ObjectSomeValuesFrom(s B) D)",
        ],
    ),
    "range as domain": (
        "SubClassOf(A B)",
        ["InverseObjectProperties(r s)", "ObjectPropertyRange(r B)", "SubClassOf(A ObjectSomeValuesFrom(s C))"],
    ),
    "universal by the name of the inverse": (
        "SubClassOf(ObjectSomeValuesFrom(s A) B)",
        ["InverseObjectProperties(r s)", "SubClassOf(A ObjectAllValuesFrom(r B))"],
    ),
    "inverse on the right": (
        "SubClassOf(A B)",
        [
            *("InverseObjectProperties(r s)", "SubClassOf(A ObjectSomeValuesFrom(ObjectInverseOf(r) C))"),
            "SubClassOf(ObjectSomeValuesFrom(s C) B)",
        ],
    ),
}


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_is_explained_and_checked(name: str) -> None:
    goal, axioms = FOLLOWS[name]
    ontology = moose.ontology([read(axiom) for axiom in axioms])
    explanation = moose.explain(ontology, read(goal))
    assert explanation is not None
    for proof in explanation.proofs:
        moose.check_proof(proof, ontology.profile.used_axioms)


@pytest.mark.parametrize("name", FOLLOWS)
def test_each_axiom_is_needed(name: str) -> None:
    goal, axioms = FOLLOWS[name]
    for left_out in range(len(axioms)):
        rest = moose.ontology([read(axiom) for axiom in axioms[:left_out] + axioms[left_out + 1 :]])
        assert moose.explain(rest, read(goal)) is None


# ── Cost, sets, empty properties ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "axiom",
    [
        "SymmetricObjectProperty(r)",
        "InverseObjectProperties(r s)",
        "FunctionalObjectProperty(r)",
        "InverseFunctionalObjectProperty(r)",
        "AsymmetricObjectProperty(r)",
        "SubClassOf(A ObjectAllValuesFrom(r B))",
    ],
)
def test_what_is_used_grows_with_the_assertions(axiom: str) -> None:
    names = [owl.NamedIndividual(f"a{number}") for number in range(400)]
    source = random.Random(1)
    links: list[ax.Axiom] = [
        ax.ObjectPropertyAssertion(owl.ObjectProperty("r"), source.choice(names), source.choice(names))
        for _ in range(1000)
    ]
    assert len(check_profile([read(axiom), *links]).used_axioms) <= 3 * len(links)


def test_repeated_operands_are_removed() -> None:
    written = ["DisjointClasses(A A B)", "DifferentIndividuals(a b a)", "EquivalentClasses(A B B)"]
    meant = ["DisjointClasses(A B)", "DifferentIndividuals(a b)", "EquivalentClasses(A B)"]
    assert moose.ontology([read(text) for text in written]).axioms == tuple(read(text) for text in meant)
    taxonomy = moose.classify(moose.ontology([read("DisjointClasses(A A B)"), read("SubClassOf(C A)")]))
    assert taxonomy.unsatisfiable == ()


def test_an_axiom_of_one_operand_written_twice_is_kept() -> None:
    itself = read("DisjointClasses(A A)")
    assert with_sets(itself) == itself
    assert moose.classify(moose.ontology([itself])).unsatisfiable == ("A",)


def test_annotations_are_kept_where_operands_are_removed() -> None:
    note = ax.Annotation("urn:note", owl.Literal("x"))
    a, b = owl.Class("A"), owl.Class("B")
    assert with_sets(ax.EquivalentClasses((a, b, a), (note,))) == ax.EquivalentClasses((a, b), (note,))


@pytest.mark.parametrize(
    ("axioms", "empty"),
    [
        (["ObjectPropertyDomain(r owl:Nothing)", "ObjectPropertyDomain(s A)"], {"r"}),
        (["ObjectPropertyRange(r owl:Nothing)", "SubObjectPropertyOf(s r)"], {"r", "s"}),
        (["DisjointObjectProperties(r s)", "SubObjectPropertyOf(t r)", "SubObjectPropertyOf(t s)"], {"t"}),
        (["AsymmetricObjectProperty(r)", "SymmetricObjectProperty(r)", "ObjectPropertyDomain(s A)"], {"r"}),
        (["SubObjectPropertyOf(r owl:bottomObjectProperty)"], {"r"}),
    ],
)
def test_empty_properties_are_below_the_bottom_property(axioms: list[str], empty: set[str]) -> None:
    pairs = moose.classify(moose.ontology([read(axiom) for axiom in axioms])).property_pairs()
    assert {low for low, high in pairs if high == owl.BOTTOM_OBJECT_PROPERTY.iri} == empty


def test_empty_data_properties_are_below_the_bottom_data_property() -> None:
    axioms = [read("DataPropertyDomain(d owl:Nothing)"), read("DataPropertyDomain(e A)")]
    pairs = moose.classify(moose.ontology(axioms)).property_pairs()
    assert ("d", owl.BOTTOM_DATA_PROPERTY.iri) in pairs
    assert all(low == "d" for low, _ in pairs)


def test_what_is_denied_by_an_inverse_stays_denied() -> None:
    role, other = owl.ObjectProperty("urn:r"), owl.ObjectProperty("urn:s")
    a, b = owl.NamedIndividual("urn:a"), owl.NamedIndividual("urn:b")
    denied = ax.ObjectPropertyAssertion(owl.ObjectInverseOf(role), b, a, negative=True)
    for told in (ax.ObjectPropertyCharacteristic("Symmetric", role), ax.InverseObjectProperties(role, other)):
        ontology = moose.ontology([denied, told])
        assert moose.classify(ontology).is_consistent
        links = [one for one in ontology.profile.used_axioms if isinstance(one, ax.ObjectPropertyAssertion)]
        assert links and all(one.negative for one in links)
        assert not moose.classify(moose.ontology([denied, told, ax.ObjectPropertyAssertion(role, a, b)])).is_consistent
