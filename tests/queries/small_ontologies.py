"""Small random ontologies with chains, nominals, ranges and ⊥, and the plain way to find what entails a goal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import combinations

from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import ontology_from_axioms
from moose.saturation.proofs.explain import derivable, inclusions

CLASSES = tuple(owl.Class(f"urn:{name}") for name in "ABCDE")
ROLES = tuple(owl.ObjectProperty(f"urn:{name}") for name in "rst")
INDIVIDUALS = tuple(owl.NamedIndividual(f"urn:{name}") for name in "ab")

classes = st.sampled_from(CLASSES)
roles = st.sampled_from(ROLES)
nominals = st.sampled_from(INDIVIDUALS).map(lambda one: owl.ObjectOneOf((one,)))
flat = st.one_of(classes, classes, classes, nominals)
somes = st.builds(owl.ObjectSomeValuesFrom, roles, flat)
conjunctions = st.lists(st.one_of(classes, somes), min_size=2, max_size=2, unique=True).map(
    lambda parts: owl.ObjectIntersectionOf(tuple(parts))
)
nested = st.builds(owl.ObjectSomeValuesFrom, roles, conjunctions)
left = st.one_of(classes, classes, somes, conjunctions)
right = st.one_of(classes, classes, somes, conjunctions, nested, nominals, st.just(owl.NOTHING))

axioms = st.one_of(
    st.builds(ax.SubClassOf, left, right),
    st.builds(ax.SubClassOf, left, right),
    st.builds(ax.SubClassOf, left, right),
    st.builds(lambda one, two: ax.EquivalentClasses((one, two)), classes, st.one_of(somes, conjunctions)),
    st.lists(classes, min_size=2, max_size=3, unique=True).map(lambda some: ax.DisjointClasses(tuple(some))),
    st.builds(ax.ObjectPropertyRange, roles, classes),
    st.builds(ax.ObjectPropertyDomain, roles, classes),
    st.builds(lambda one, two: ax.SubObjectPropertyOf((one,), two), roles, roles),
    st.builds(lambda one, two, sup: ax.SubObjectPropertyOf((one, two), sup), roles, roles, roles),
    st.builds(lambda role: ax.ObjectPropertyCharacteristic("Transitive", role), roles),
    st.builds(ax.ClassAssertion, classes, st.sampled_from(INDIVIDUALS)),
    st.builds(ax.ObjectPropertyAssertion, roles, st.sampled_from(INDIVIDUALS), st.sampled_from(INDIVIDUALS)),
)
"""Axioms of OWL 2 EL."""
goals = st.one_of(
    st.builds(ax.SubClassOf, classes, st.one_of(classes, somes, st.just(owl.NOTHING))),
    st.lists(classes, min_size=2, max_size=2, unique=True).map(lambda pair: ax.EquivalentClasses(tuple(pair))),
)


def follows(some: Sequence[ax.Axiom], goal: ax.Axiom) -> bool:
    """Return whether a goal follows, by saturation."""
    ontology = ontology_from_axioms(some)
    form = normalise(ontology.profile.used_axioms, goals=inclusions(goal))
    return all(derivable(form, *pair) is not None for pair in form.goals)


def minimal_sets(several: Sequence[ax.Axiom], goal: ax.Axiom) -> list[frozenset[ax.Axiom]]:
    """Return the minimal sets of axioms that entail a goal: every set is tried, smaller ones first."""
    found: list[frozenset[ax.Axiom]] = []
    for size in range(len(several) + 1):
        for some in map(frozenset, combinations(several, size)):
            if not any(one <= some for one in found) and follows(sorted(some, key=several.index), goal):
                found.append(some)
    return found


def minimal_repairs(several: Collection[ax.Axiom], sets: Sequence[frozenset[ax.Axiom]]) -> set[frozenset[ax.Axiom]]:
    """Return the minimal sets that meet each of some sets."""
    found: list[frozenset[ax.Axiom]] = []
    for size in range(len(several) + 1):
        for some in map(frozenset, combinations(several, size)):
            if not any(one <= some for one in found) and all(some & one for one in sets):
                found.append(some)
    return set(found)
