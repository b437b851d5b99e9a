"""`taxonomy.add`: going on from the saturated state gives what classifying everything from scratch does."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError, UnknownName
from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DisjointClasses,
    EquivalentClasses,
    ObjectPropertyAssertion,
    ObjectPropertyRange,
    SubClassOf,
)
from moose.owl.model.expressions import (
    Class,
    Entity,
    NamedIndividual,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.normal.extend_form import is_addable
from moose.saturation.answers.taxonomy import Taxonomy
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, random_axiom, random_axioms
from tests.saturation.test_oracle import find
from tests.searching import examples

A, B, C, D = (Class(name) for name in "ABCD")
r = ObjectProperty("r")
a, b = NamedIndividual("a"), NamedIndividual("b")
PLAIN = ALL_FEATURES - {"top-role", "data", "functional", "keys", "self", "bottom-role"}
NAMES: list[Entity] = [*CLASSES, *ROLES, *INDIVIDUALS]


def said(taxonomy: Taxonomy) -> tuple[object, ...]:
    realisation = moose.realise(taxonomy.ontology) if taxonomy.is_consistent else None
    return (
        taxonomy.is_consistent,
        taxonomy.unsatisfiable,
        taxonomy.direct_pairs(),
        taxonomy.closure_pairs(),
        realisation.types() if realisation else (),
        realisation.role_assertions() if realisation else (),
    )


@given(st.randoms(use_true_random=False), st.sampled_from([PLAIN, PLAIN - {"nominals", "assertions"}, ALL_FEATURES]))
@examples(100)
def test_going_on_is_as_good_as_beginning_again(random: Random, features: frozenset[str]) -> None:
    axioms = random_axioms(random, features=features)
    taxonomy = moose.classify(moose.ontology(axioms, declarations=NAMES))
    for _ in range(3):
        more = [random_axiom(random, features) for _ in range(random.randrange(1, 4))]
        taxonomy = taxonomy.add(more)
        axioms += more
        assert said(taxonomy) == said(moose.classify(moose.ontology(axioms, declarations=NAMES)))


ADDED: dict[str, tuple[list[Axiom], list[Axiom]]] = {
    "a conjunction that nobody looked for": (
        [SubClassOf(A, B), SubClassOf(A, C)],
        [SubClassOf(ObjectIntersectionOf((B, C)), D)],
    ),
    "an existential that nobody looked for": (
        [SubClassOf(A, ObjectSomeValuesFrom(r, B)), SubClassOf(B, C)],
        [SubClassOf(ObjectSomeValuesFrom(r, C), D)],
    ),
    "a disjointness": ([SubClassOf(A, B), SubClassOf(A, C)], [DisjointClasses((B, C))]),
    "a new class": ([SubClassOf(B, C)], [SubClassOf(Class("0 comes first"), B)]),
    "a new individual": ([SubClassOf(B, C)], [ClassAssertion(B, a)]),
    "a link to an individual that is then in the range": (
        [SubClassOf(A, ObjectHasValue(r, b)), ObjectPropertyRange(r, B), ClassAssertion(C, b)],
        [ObjectPropertyAssertion(r, a, b), SubClassOf(ObjectIntersectionOf((ObjectOneOf((b,)), B)), D)],
    ),
    "a definition": (
        [SubClassOf(A, ObjectIntersectionOf((B, ObjectSomeValuesFrom(r, C))))],
        [EquivalentClasses((D, ObjectIntersectionOf((B, ObjectSomeValuesFrom(r, C)))))],
    ),
}


@pytest.mark.parametrize("name", ADDED)
def test_what_is_addable_is_not_saturated_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before, more = ADDED[name]
    taxonomy = moose.classify(moose.ontology(before))
    with monkeypatch.context() as patched:
        patched.setattr("moose.saturation.answers.closure.saturate_form", None)
        found = taxonomy.add(more)
    assert found.closure_pairs() == moose.classify(moose.ontology([*before, *more])).closure_pairs()
    assert moose.realise(found.ontology).types() == moose.realise(moose.ontology([*before, *more])).types()
    assert found.unsatisfiable == moose.classify(moose.ontology([*before, *more])).unsatisfiable
    assert list(found.rows.names) == sorted(found.rows.names)


def test_axioms_as_text() -> None:
    taxonomy = moose.classify(moose.load(moose.PIZZERIA))
    more = taxonomy.add(["<urn:new> SubClassOf Napoli", "SubClassOf(Napoli ObjectSomeValuesFrom(contains Chilli))"])
    assert more.is_below("<urn:new>", "SpicyDish") and not taxonomy.is_below("Napoli", "SpicyDish")
    explanation = more.explain("<urn:new>", "SpicyDish")
    assert explanation is not None
    with pytest.raises(UnknownName, match="did you mean Napoli"):
        taxonomy.add("Napolli SubClassOf Food")


def test_queries_see_what_was_added() -> None:
    more = moose.classify(moose.load(moose.PIZZERIA)).add("Marinara SubClassOf contains some Fish")
    found = more.query("contains some Fish").descendants
    assert "https://example.org/pizzeria#Marinara" in found


def test_a_real_ontology_goes_on() -> None:
    ontology = moose.load(find("ontologies", "pato.ofn.gz"))
    axioms = list(ontology.axioms)
    chosen = Random(1).sample([axiom for axiom in axioms if isinstance(axiom, SubClassOf)], 50)
    held_back = set(chosen)
    start = moose.classify(moose.with_axioms(ontology, [axiom for axiom in axioms if axiom not in held_back]))
    assert start.add(chosen).closure_pairs() == moose.classify(ontology).closure_pairs()
    assert is_addable(start.closure.form, chosen)


@pytest.mark.parametrize("wrong", [None, [3], [("A", "B")]])
def test_what_is_no_axiom_gets_a_sentence(wrong: object) -> None:
    with pytest.raises(MooseError, match="expected axioms, or their text"):
        moose.classify(moose.load(moose.PIZZERIA)).add(wrong)  # type: ignore[arg-type]
