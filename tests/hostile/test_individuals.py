"""Small ontologies about individuals whose ways to go on multiply: each is answered, or refused in one line."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose as library
from moose.base.errors import TooManyInstances
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class, Entity, NamedIndividual, ObjectHasSelf, ObjectProperty
from moose.owl.normal.normal_form import BOTTOM
from moose.owl.normal.normalise import normalise
from moose.saturation.engine import global_rules
from moose.saturation.engine.saturate import Saturation, saturate_form
from tests.hostile.confined import moose
from tests.owl.short_syntax import read
from tests.saturation.random_ontologies import CLASSES, INDIVIDUALS, ROLES, ontologies

HEADER = "Prefix(:=<http://a/>)\nOntology(<http://a/o>\n"


# ── Keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────

KEY = " ".join(f":r{number}" for number in range(40))
TOLD = [
    f"ClassAssertion(:C :{one}) "
    + " ".join(f"ObjectPropertyAssertion(:r{number} :{one} :{value})" for number in range(40) for value in "uvwxyz")
    for one in "ab"
]
"""Two individuals that agree on forty properties, in six ways each."""


@pytest.mark.parametrize("command", ["classify", "realise", "explain", "query"])
def test_a_key_that_is_met_in_many_ways(tmp_path: Path, command: str) -> None:
    file = tmp_path / "o.ofn"
    file.write_text(f"{HEADER}HasKey(:C ({KEY}) ()) {' '.join(TOLD)}\n)", encoding="utf-8")
    goal = ["SameIndividual(a b)"] if command in ("explain", "query") else []
    done = moose(command, file, *goal)
    done.assert_clean(0)
    assert command == "classify" or "b" in done.out


def test_a_key_that_is_met_in_many_uncertain_ways_is_refused() -> None:
    a, b, x, y, z = (NamedIndividual(name) for name in "abxyz")
    roles = [ObjectProperty(f"r{number}") for number in range(40)]
    told: list[ax.Axiom] = [ax.HasKey(Class("C"), tuple(roles), ())]
    told += [ax.ClassAssertion(Class("C"), one) for one in (a, b)]
    told += [ax.ObjectPropertyAssertion(role, one, value) for one in (a, b) for role in roles for value in (x, y, z)]
    ontology = library.ontology(told)
    uncertain = library.Probabilities(ontology, {3: Fraction(1, 2)})
    with pytest.raises(TooManyInstances, match="agree on a key"):
        library.query(ontology, ax.SameIndividual((a, b)), probabilities=uncertain)


fillers = st.dictionaries(st.integers(0, 5), st.sets(st.integers(0, 4), max_size=3), min_size=6, max_size=6)


@given(st.lists(fillers, min_size=1, max_size=4), st.sampled_from([0, 1, 16]))
def test_those_who_agree_are_found_as_by_looking_at_all_pairs(fillers_of: list[dict[int, set[int]]], most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(global_rules, "MOST_GROUPS_EACH", most)
        groups = global_rules.agreeing(range(6), fillers_of)
    found = {(one, other) for group in groups for one in group for other in group}
    expected = {
        (one, other)
        for one in range(6)
        for other in range(6)
        if all(by_role[one] & by_role[other] for by_role in fillers_of)
    }
    assert {pair for pair in found if pair[0] != pair[1]} == {pair for pair in expected if pair[0] != pair[1]}


# ── Loops ─────────────────────────────────────────────────────────────────────────────────────────────────────────

COUNT = 4_000
MANY = {
    "disjoint properties, each of one pair": f"DisjointObjectProperties({' '.join(f':r{i}' for i in range(COUNT))}) "
    + " ".join(f"ObjectPropertyAssertion(:r{i} :a :b{i})" for i in range(COUNT)),
    "disjoint properties that lead to one": f"DisjointObjectProperties({' '.join(f':r{i}' for i in range(COUNT))}) "
    + " ".join(f"ObjectPropertyAssertion(:r{i} :a{i} :b)" for i in range(COUNT)),
    "irreflexive properties": " ".join(f"IrreflexiveObjectProperty(:r{i})" for i in range(COUNT))
    + " ".join(f"ObjectPropertyAssertion(:r{i} :a{i} :b{i})" for i in range(COUNT)),
}


def test_a_functional_property_that_makes_many_individuals_one_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "o.ofn"
    told = " ".join(f"ObjectPropertyAssertion(:r :a :b{i})" for i in range(12_000))
    file.write_text(f"{HEADER}FunctionalObjectProperty(:r) {told}\n)", encoding="utf-8")
    done = moose("realise", file)
    done.assert_clean(2)
    assert "that mean the same" in done.err and done.err.count("\n") == 1


@pytest.mark.parametrize("case", MANY)
def test_loops_of_many_properties_and_individuals(tmp_path: Path, case: str) -> None:
    file = tmp_path / "o.ofn"
    file.write_text(f"{HEADER}{MANY[case]}\n)", encoding="utf-8")
    moose("realise", file).assert_clean(0)


def test_disjoint_properties_that_meet_in_one_pair_of_many() -> None:
    roles = [ObjectProperty(f"r{number}") for number in range(5)]
    a, b, c = (NamedIndividual(name) for name in "abc")
    told: list[ax.Axiom] = [ax.DisjointObjectProperties(tuple(roles))]
    told += [ax.ObjectPropertyAssertion(role, c, b) for role in roles[:1]]
    told += [ax.ObjectPropertyAssertion(role, a, b) for role in roles[1:3]]
    assert not library.realise(library.ontology(told)).is_consistent
    assert library.realise(library.ontology(told[:-1])).is_consistent


loops = st.lists(
    st.builds(
        lambda role, sup: ax.SubClassOf(ObjectHasSelf(role), sup), st.sampled_from(ROLES), st.sampled_from(CLASSES)
    ),
    min_size=1,
    max_size=3,
)


@given(ontologies(frozenset({"assertions", "chains", "keys", "nominals", "range", "roles", "self"})), loops)
def test_loops_are_seen_as_where_every_individual_is_looked_at(told: list[ax.Axiom], more: list[ax.Axiom]) -> None:
    entities: tuple[Entity, ...] = (*CLASSES, *INDIVIDUALS)
    narrow, wide = (
        saturate_form(normalise([*told, *more], entities=entities, are_links_told=is_narrow))
        for is_narrow in (True, False)
    )
    assert named_subsumptions(narrow) == named_subsumptions(wide)


def named_subsumptions(saturation: Saturation) -> set[tuple[int, int]]:
    """Return what classes and individuals are below; both are numbered first, and so alike."""
    form = saturation.form
    named = [*form.class_concepts.tolist(), *form.nominal_concepts.tolist()]
    found: set[tuple[int, int]] = set()
    for one in named:
        facts = saturation.world_of(one)
        above = {BOTTOM} if facts.is_bottom[one] else set(facts.subsumers(one).tolist())
        found.update((one, other) for other in above.intersection(named))
    return found


@pytest.mark.parametrize(
    "told",
    [
        ["ObjectPropertyAssertion(r a a)"],
        ["SubClassOf(B ObjectOneOf(a))", "ClassAssertion(ObjectSomeValuesFrom(r B) a)"],
        ["ObjectPropertyRange(r ObjectOneOf(a))", "ClassAssertion(ObjectSomeValuesFrom(r B) a)"],
        ["ObjectPropertyAssertion(s a a)", "SubObjectPropertyOf(s r)"],
        [
            "ObjectPropertyAssertion(s a b)",
            "ObjectPropertyAssertion(t b a)",
            "SubObjectPropertyOf(ObjectPropertyChain(s t) r)",
        ],
        ["ObjectPropertyAssertion(r a b)", "SameIndividual(a b)"],
        ["ObjectPropertyAssertion(r a b)", "SubClassOf(ObjectOneOf(b) ObjectOneOf(a))"],
        [
            "ObjectPropertyAssertion(r a b)",
            "HasKey(owl:Thing (s) ())",
            "ObjectPropertyAssertion(s a c)",
            "ObjectPropertyAssertion(s b c)",
        ],
        [
            "ClassAssertion(ObjectSomeValuesFrom(r ObjectIntersectionOf(ObjectOneOf(b) B)) a)",
            "SubClassOf(B ObjectOneOf(a))",
        ],
    ],
    ids=lambda told: told[-1],
)
def test_a_named_loop_is_seen(told: list[str]) -> None:
    ontology = library.ontology([*map(read, told), read("SubClassOf(ObjectHasSelf(r) Seen)")])
    assert library.entailment(ontology, read("ClassAssertion(Seen a)")).follows
