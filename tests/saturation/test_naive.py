"""The oracle and its random ontologies: known answers, the laws of entailment, and the limits of OWL 2 DL."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.entailments import Entailments
from bench.golden import FOLDER, read_expectation
from moose.owl.model.axioms import Axiom, ObjectPropertyRange, SubClassOf, SubObjectPropertyOf
from moose.owl.model.expressions import NOTHING, THING, Class, NamedIndividual
from moose.owl.syntax.functional.read_functional import read_functional
from tests.saturation.naive import naive_closure, naive_types
from tests.saturation.naive_reading import entities
from tests.saturation.random_mending import closed, is_composite, self_roles, told
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ontologies, random_axioms

NAMES = [one.iri for one in CLASSES]
PEOPLE = [one.iri for one in INDIVIDUALS]
LAWS = settings(max_examples=60, deadline=None)
Answer = tuple[set[tuple[str, str]], set[str], bool, dict[str, set[str]] | None]


def answer(axioms: list[Axiom]) -> Answer:
    return (*naive_closure(axioms, NAMES), naive_types(axioms, PEOPLE))


# ── Known answers ─────────────────────────────────────────────────────────────────────────────────────────────────


def naive_entailments(path: Path) -> Entailments:
    """Ask the naive reasoner about classes and types."""
    document = read_functional(path.read_text(encoding="utf-8"), path.name)
    named = list(entities([*document.axioms, *document.declarations]))
    classes = {one.iri for one in named if isinstance(one, Class)} - {THING.iri, NOTHING.iri}
    individuals = {one.iri for one in named if isinstance(one, NamedIndividual)}
    pairs, unsatisfiable, is_consistent = naive_closure(document.axioms, classes)
    if not is_consistent:
        return Entailments(is_consistent=False)
    types = naive_types(document.axioms, individuals) or {}
    return Entailments(
        is_consistent=True,
        unsatisfiable=tuple((name,) for name in sorted(unsatisfiable)),
        closure=tuple(sorted(pairs)),
        types=tuple((individual, name) for individual, names in types.items() for name in names),
    )


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ofn")), ids=lambda path: path.stem)
def test_naive_reasoner_says_what_the_golden_ontologies_expect(path: Path) -> None:
    try:
        found = naive_entailments(path)
    except NotImplementedError as unknown:
        pytest.skip(f"the naive reasoner does not know {unknown}")
    expected = read_expectation(path.with_suffix(".expected.toml"))
    assert found.differences(expected, ("unsatisfiable", "closure", "types")) == []


def test_inconsistent_ontology_has_only_unsatisfiable_classes() -> None:
    assert answer([SubClassOf(THING, NOTHING)]) == (set(), set(NAMES), False, None)


# ── Laws ──────────────────────────────────────────────────────────────────────────────────────────────────────────


@LAWS
@given(ontologies())
def test_closure_is_transitive(axioms: list[Axiom]) -> None:
    pairs, _, _, _ = answer(axioms)
    assert {(a, d) for (a, b), (c, d) in product(pairs, pairs) if b == c and a != d} <= pairs


@LAWS
@given(ontologies(), st.randoms(use_true_random=False))
def test_order_of_axioms_does_not_matter(axioms: list[Axiom], source: random.Random) -> None:
    shuffled = source.sample(axioms, len(axioms))
    assert answer(shuffled) == answer(axioms)


@LAWS
@given(ontologies(), st.data())
def test_more_axioms_entail_no_less(axioms: list[Axiom], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.sampled_from(axioms), unique=True)) if axioms else []
    pairs, unsatisfiable, is_consistent, _ = answer(axioms)
    fewer_pairs, fewer_unsatisfiable, was_consistent, _ = answer(kept)
    assert was_consistent or not is_consistent
    assert fewer_unsatisfiable <= unsatisfiable
    assert {(sub, sup) for sub, sup in fewer_pairs if sub not in unsatisfiable} <= pairs


@LAWS
@given(ontologies())
def test_consequence_that_is_added_changes_nothing(axioms: list[Axiom]) -> None:
    pairs, unsatisfiable, _, _ = answer(axioms)
    consequences: list[Axiom] = [SubClassOf(Class(sub), Class(sup)) for sub, sup in pairs]
    consequences += [SubClassOf(Class(name), NOTHING) for name in unsatisfiable]
    assert answer([*axioms, *consequences])[:3] == answer(axioms)[:3]


# ── Random ontologies ─────────────────────────────────────────────────────────────────────────────────────────────


@LAWS
@given(ontologies())
def test_random_ontologies_keep_to_owl_dl_and_el(axioms: list[Axiom]) -> None:
    hierarchy = closed({pair for axiom in axioms for pair in told(axiom)})
    for axiom in axioms:
        assert not any(is_composite(role, axioms, hierarchy) for role in self_roles(axiom))
        if isinstance(axiom, SubObjectPropertyOf) and len(axiom.chain) > 1:
            ranges = [one for one in axioms if isinstance(one, ObjectPropertyRange)]
            own = {one.range for one in ranges if one.property == axiom.chain[-1]}
            assert {one.range for one in ranges if one.property == axiom.sup} <= own


def test_random_axioms_depend_on_the_seed_alone() -> None:
    assert random_axioms(random.Random(7)) == random_axioms(random.Random(7))


MARKS = {
    "assertions": "ClassAssertion",
    "bottom": "owl#Nothing",
    "bottom-role": "bottomObjectProperty",
    "chains": "Transitive",
    "data": "DataProperty(",
    "disjoint": "DisjointClasses",
    "domain": "ObjectPropertyDomain",
    "functional": "FunctionalDataProperty",
    "keys": "HasKey",
    "nominals": "ObjectOneOf",
    "range": "ObjectPropertyRange",
    "reflexive": "Reflexive",
    "roles": "EquivalentObjectProperties",
    "self": "ObjectHasSelf",
    "top-role": "topObjectProperty",
}
"""What only an ontology with the feature can hold."""


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
def test_features_can_be_switched(feature: str) -> None:
    with_it = repr([random_axioms(random.Random(seed)) for seed in range(60)])
    without = repr([random_axioms(random.Random(seed), ALL_FEATURES - {feature}) for seed in range(60)])
    assert MARKS[feature] in with_it
    assert MARKS[feature] not in without


def test_random_ontologies_are_seldom_trivial() -> None:
    """Most are consistent, most of those entail something, and few are all unsatisfiable."""
    answers = [answer(random_axioms(random.Random(seed))) for seed in range(100)]
    consistent = [one for one in answers if one[2]]
    assert len(consistent) > 50
    assert sum(1 for pairs, *_ in consistent if pairs) > len(consistent) / 2
