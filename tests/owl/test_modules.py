"""Modules by locality: what is left out says nothing, and a goal follows from its module just when it follows."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from itertools import product
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.modules.gates import Name
from moose.owl.modules.module_extraction import Modules, goal_module, names_in
from moose.owl.modules.unused import unused, unused_anywhere, unused_for_individuals
from tests.owl.interpretations import (
    CLASSES,
    DATA_PROPERTIES,
    POOL,
    ROLES,
    Interpretation,
    pairs_of,
    random_interpretation,
)
from tests.owl.short_syntax import read
from tests.owl.small_expressions import AXIOMS
from tests.saturation.random_ontologies import CLASSES as RANDOM_CLASSES
from tests.saturation.random_ontologies import ontologies

T = TypeVar("T")
NAMES: tuple[Name, ...] = (*CLASSES, *ROLES, *DATA_PROPERTIES)
signatures = st.sets(st.sampled_from(NAMES))
seeds = st.integers(0, 2**32 - 1)
KINDS = [kind for kind in AXIOMS if kind is not ax.DatatypeDefinition]


def with_others(model: Interpretation, signature: Collection[Name], *, are_others_empty: bool) -> Interpretation:
    """Let the names outside a signature stand for nothing, or for everything."""

    def meaning(name: Name, now: frozenset[T], every: Iterable[T]) -> frozenset[T]:
        if name in signature:
            return now
        return frozenset() if are_others_empty else frozenset(every)

    everything = range(model.size)
    return replace(
        model,
        classes={cls.iri: meaning(cls, model.classes[cls.iri], everything) for cls in CLASSES},
        roles={role.iri: meaning(role, model.roles[role.iri], pairs_of(model.size)) for role in ROLES},
        values={role.iri: meaning(role, model.values[role.iri], product(everything, POOL)) for role in DATA_PROPERTIES},
    )


@pytest.mark.parametrize("are_others_empty", [True, False])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data(), seed=seeds, signature=signatures)
def test_what_is_local_holds_whatever_the_signature_means(
    kind: type, are_others_empty: bool, data: st.DataObject, seed: int, signature: set[Name]
) -> None:
    axiom = data.draw(AXIOMS[kind])
    if not Modules([axiom], are_others_empty=are_others_empty).module(signature):
        model = random_interpretation(random.Random(seed))
        assert with_others(model, signature, are_others_empty=are_others_empty).satisfies(axiom)


def plain_module(
    axioms: Sequence[ax.Axiom], names: Collection[Name], *, are_others_empty: bool = True, absent: Collection[int] = ()
) -> list[int]:
    """Take in one axiom after another, looking through all of them each time."""
    signature, taken = set(names), set[int]()
    while True:
        more = [
            position
            for position, axiom in enumerate(axioms)
            if position not in taken
            and position not in absent
            and Modules([axiom], are_others_empty=are_others_empty).module(signature)
        ]
        if not more:
            return sorted(taken)
        taken.add(more[0])
        signature.update(names_in(axioms[more[0]]))


any_axioms = st.lists(st.sampled_from(KINDS).flatmap(lambda kind: AXIOMS[kind]), max_size=8)


@given(any_axioms, signatures, st.booleans(), st.sets(st.integers(0, 7), max_size=2))
def test_modules_are_the_least_fixpoint(
    axioms: list[ax.Axiom], signature: set[Name], are_others_empty: bool, absent: set[int]
) -> None:
    found = Modules(axioms, are_others_empty=are_others_empty).module(signature, absent=absent)
    assert found == plain_module(axioms, signature, are_others_empty=are_others_empty, absent=absent)


@given(any_axioms, signatures, signatures, st.booleans())
def test_modules_grow_with_the_signature(
    axioms: list[ax.Axiom], signature: set[Name], more: set[Name], are_others_empty: bool
) -> None:
    modules = Modules(axioms, are_others_empty=are_others_empty)
    assert set(modules.module(signature)) <= set(modules.module(signature | more))


@given(ontologies(), st.sampled_from(RANDOM_CLASSES), st.sampled_from([*RANDOM_CLASSES, owl.NOTHING]))
def test_a_goal_follows_from_its_module_just_when_it_follows(
    axioms: list[ax.Axiom], sub: owl.Class, sup: owl.Class
) -> None:
    goal = ax.SubClassOf(sub, sup)
    positions = goal_module(Modules(axioms), (sub, sup))
    module = moose.ontology([axioms[position] for position in positions])
    assert (moose.explain(module, goal) is None) == (moose.explain(moose.ontology(axioms), goal) is None)


# ── By hand ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("told", "names", "expected"),
    [
        ("SubClassOf(A B)", "A", True),
        ("SubClassOf(A B)", "B", False),
        ("SubClassOf(A owl:Thing)", "A", False),
        ("SubClassOf(ObjectUnionOf(A B) C)", "A", True),
        ("SubClassOf(ObjectIntersectionOf(A B) C)", "A", False),
        ("SubClassOf(ObjectAllValuesFrom(r A) B)", "", True),
        ("SubClassOf(ObjectComplementOf(A) B)", "", True),
        ("SubClassOf(A ObjectComplementOf(B))", "A", False),
        ("SubClassOf(A ObjectComplementOf(B))", "A B", True),
        ("SubClassOf(A ObjectAllValuesFrom(r B))", "A", False),
        ("SubClassOf(A ObjectAllValuesFrom(r B))", "A r", True),
        ("SubClassOf(A ObjectMaxCardinality(1 r B))", "A r", False),
        ("SubClassOf(A ObjectMaxCardinality(1 r B))", "A r B", True),
        ("DisjointClasses(A B C)", "A", False),
        ("DisjointClasses(A B C)", "A C", True),
        ("DisjointUnion(A B C)", "C", True),
        ("EquivalentClasses(A ObjectUnionOf(B C))", "C", True),
        ("InverseObjectProperties(r s)", "A", False),
        ("InverseObjectProperties(r s)", "s", True),
        ("SymmetricObjectProperty(r)", "", False),
        ("ReflexiveObjectProperty(r)", "", True),
        ("ClassAssertion(A a)", "", True),
        ("NegativeObjectPropertyAssertion(r a b)", "", False),
        ("HasKey(A (r) ())", "A", False),
        ("HasKey(A (r) ())", "A r", True),
    ],
)
def test_when_an_axiom_can_say_something(told: str, names: str, expected: bool) -> None:
    kinds = {"r": owl.ObjectProperty, "s": owl.ObjectProperty}
    axiom = read(told)
    listed = {name.iri.rpartition("#")[2].rpartition("/")[2]: name for name in names_in(axiom)}
    signature = [listed.get(name, kinds.get(name, owl.Class)(name)) for name in names.split()]
    assert bool(Modules([axiom]).module(signature)) == expected


def test_datatypes_bring_their_definitions_in() -> None:
    age, even = owl.Datatype("age"), owl.Datatype("even")
    definitions = [ax.DatatypeDefinition(age, owl.DataComplementOf(even)), ax.DatatypeDefinition(even, owl.LITERAL)]
    modules = Modules(definitions)
    assert modules.module([]) == []
    assert modules.module([even]) == [1]
    assert modules.module([age]) == [0, 1]
    twice = Modules([definitions[1], ax.DatatypeDefinition(even, age)])
    assert twice.module([]) == [0, 1]


def test_an_axiom_that_was_not_read_may_speak_of_everything() -> None:
    a, b = owl.Class("a"), owl.Class("b")
    axioms: list[ax.Axiom] = [ax.SubClassOf(a, b), ax.UnreadAxiom("Rule(…)", "a rule")]
    assert Modules(axioms).module([]) == [0, 1]
    assert Modules(axioms).module([], absent=[1]) == []


def test_the_module_of_a_goal_looks_from_both_sides() -> None:
    a, b, c, d, e = map(owl.Class, "abcde")
    axioms = [ax.SubClassOf(a, b), ax.SubClassOf(b, c), ax.SubClassOf(a, owl.ObjectUnionOf((d, e)))]
    assert Modules(axioms).module([a]) == [0, 1, 2]
    assert goal_module(Modules(axioms), (a, c)) == [0, 1]
    assert goal_module(Modules(axioms), (a, d)) == []  # it may be an e always
    axioms.append(ax.SubClassOf(e, d))
    assert goal_module(Modules(axioms), (a, d)) == [2, 3]


def test_a_long_disjointness_is_no_square() -> None:
    classes = tuple(owl.Class(f"c{number}") for number in range(20_000))
    modules = Modules([ax.DisjointClasses(classes)])
    assert modules.module(classes[:1]) == []
    assert modules.module(classes[5:7]) == [0]


# ── What is not used ──────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_used_whole_leaves_nothing_open() -> None:
    a, b, c = map(owl.Class, "abc")
    ontology = moose.ontology([ax.SubClassOf(owl.ObjectUnionOf((a, b)), c)])
    assert ontology.profile.outside
    assert unused(ontology, [(a, b)]) == ()
    assert unused_anywhere(ontology) == ()


def test_what_cannot_matter_for_individuals_is_not_counted() -> None:
    a, b, c, d = map(owl.Class, "abcd")
    split = ax.SubClassOf(a, owl.ObjectUnionOf((b, c)))
    told: list[ax.Axiom] = [split, ax.ClassAssertion(d, owl.NamedIndividual("i"))]
    ontology = moose.ontology(told)
    assert [row.axiom for row in unused_anywhere(ontology)] == [split]
    assert unused_for_individuals(ontology) == ()
    assert [row.axiom for row in unused_for_individuals(moose.ontology([*told, ax.SubClassOf(d, a)]))] == [split]
