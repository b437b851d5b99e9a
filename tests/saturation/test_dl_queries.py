"""DL queries against the plain way: give the expression a name, and classify everything from scratch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology, MooseError
from moose.owl.model.axioms import (
    Axiom,
    ClassAssertion,
    DataPropertyAssertion,
    EquivalentClasses,
    FunctionalDataProperty,
    ObjectPropertyAssertion,
    ObjectPropertyCharacteristic,
    ObjectPropertyRange,
    SubClassOf,
    SubObjectPropertyOf,
)
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    TOP_OBJECT_PROPERTY,
    Class,
    ClassExpression,
    DataHasValue,
    DataProperty,
    Entity,
    Literal,
    NamedIndividual,
    ObjectHasSelf,
    ObjectHasValue,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
    ObjectUnionOf,
)
from moose.owl.profile.el import is_el
from moose.saturation.dl.dl_queries import ClassMatches, DLQueries
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, Draw, concept, random_axioms
from tests.saturation.test_oracle import find
from tests.searching import examples

A, B, C, D, E = (Class(name) for name in "ABCDE")
r, s, t = (ObjectProperty(name) for name in "rst")
a, b = NamedIndividual("a"), NamedIndividual("b")
d, ONE = DataProperty("d"), Literal("one")
QUERY = Class("urn:the-query")
PLAIN = ALL_FEATURES - {"top-role", "data", "functional", "keys", "self", "bottom-role", "nominals"}

Found = tuple[
    bool, tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]
]


def some(role: ObjectProperty, filler: ClassExpression) -> ObjectSomeValuesFrom:
    return ObjectSomeValuesFrom(role, filler)


def both(*parts: ClassExpression) -> ObjectIntersectionOf:
    return ObjectIntersectionOf(parts)


def from_scratch(axioms: Sequence[Axiom], expression: ClassExpression, declared: Sequence[Entity] = ()) -> Found:
    """Answer a query by adding Q ≡ the expression."""
    told = [*axioms, EquivalentClasses((QUERY, expression))]
    taxonomy = moose.classify(moose.ontology(told, declarations=declared))
    query = QUERY.iri
    instances = tuple(sorted(one for one, cls in moose.realise(taxonomy.ontology).types() if cls == query))
    return (
        query not in taxonomy.unsatisfiable,
        taxonomy.equivalents(query),
        taxonomy.ancestors(query),
        taxonomy.parents(query),
        taxonomy.descendants(query) if query not in taxonomy.unsatisfiable else (),
        taxonomy.children(query) if query not in taxonomy.unsatisfiable else (),
        instances,
    )


def said(found: ClassMatches) -> Found:
    return (
        found.is_satisfiable,
        found.equivalents,
        found.ancestors,
        found.parents,
        found.descendants,
        found.children,
        found.instances,
    )


def declared() -> list[Entity]:
    return [*CLASSES, *ROLES, *INDIVIDUALS]


@given(st.randoms(use_true_random=False), st.sampled_from([PLAIN, PLAIN | {"nominals"}, ALL_FEATURES]))
@examples(60)
def test_a_query_is_answered_as_by_classifying_with_a_name_for_it(random: Random, features: frozenset[str]) -> None:
    axioms = random_axioms(random, features=features)
    taxonomy = moose.classify(moose.ontology(axioms, declarations=declared()))
    if not taxonomy.is_consistent:
        with pytest.raises(InconsistentOntology, match="has no model"):
            taxonomy.dl_queries.ask(A)
        return
    for _ in range(6):  # one after the other, so that what one leaves behind would be seen by the next
        expression = concept(Draw(random, features), depth=3)
        assert said(taxonomy.dl_queries.ask(expression)) == from_scratch(axioms, expression, declared())


CHAIN: list[Axiom] = [SubObjectPropertyOf((r, s), t), ObjectPropertyCharacteristic("Transitive", r)]
CASES: dict[str, tuple[list[Axiom], ClassExpression]] = {
    "a chain, met by a filler with parts": ([*CHAIN, SubClassOf(B, some(s, C))], some(r, both(B, D))),
    "a chain, nested": ([*CHAIN, SubClassOf(A, some(r, B)), SubClassOf(B, some(s, C))], some(t, C)),
    "a chain below": ([*CHAIN, SubClassOf(A, some(r, B)), SubClassOf(B, some(r, some(s, C)))], some(t, C)),
    "a range of the role": (
        [ObjectPropertyRange(r, B), SubClassOf(some(r, B), C), SubClassOf(A, some(r, D))],
        some(r, THING),
    ),
    "a range that makes it impossible": (
        [ObjectPropertyRange(r, B), SubClassOf(both(B, C), NOTHING), SubClassOf(A, some(r, D))],
        some(r, C),
    ),
    "a reflexive role": ([ObjectPropertyCharacteristic("Reflexive", r), SubClassOf(A, B)], some(r, B)),
    "the same as a class": ([EquivalentClasses((A, both(B, some(r, C)))), SubClassOf(D, A)], both(B, some(r, C))),
    "everything": ([SubClassOf(THING, B), SubClassOf(A, C)], THING),
    "nothing": ([SubClassOf(A, NOTHING), SubClassOf(B, C)], both(B, A)),
    "an individual": (
        [ObjectPropertyAssertion(r, a, b), ClassAssertion(B, b), SubClassOf(A, ObjectHasValue(r, b))],
        some(r, B),
    ),
    "an individual that is all there is": ([SubClassOf(A, ObjectOneOf((a,))), SubClassOf(B, some(r, A))], some(r, A)),
    "an individual and a class": ([ClassAssertion(C, a), SubClassOf(C, D)], both(ObjectOneOf((a,)), B)),
    "a value that a range narrows": ([ObjectPropertyRange(r, C), SubClassOf(C, D)], some(s, ObjectHasValue(r, b))),
    "the top role": ([SubClassOf(A, B), SubClassOf(some(TOP_OBJECT_PROPERTY, B), C)], some(r, A)),
    "itself": ([SubClassOf(A, ObjectHasSelf(r)), SubObjectPropertyOf((r,), s)], ObjectHasSelf(s)),
    "data": ([SubClassOf(A, DataHasValue(d, ONE)), SubClassOf(DataHasValue(d, ONE), B)], DataHasValue(d, ONE)),
    "functional data": (
        [
            FunctionalDataProperty(d),
            SubClassOf(A, DataHasValue(d, ONE)),
            SubClassOf(B, DataHasValue(d, Literal("two"))),
            DataPropertyAssertion(d, a, ONE),
        ],
        both(A, B),
    ),
    "cases above": (
        [SubClassOf(A, ObjectUnionOf((B, C))), SubClassOf(B, D), SubClassOf(C, D), SubClassOf(D, E)],
        both(A, some(r, E)),
    ),
    "cases below": (
        [
            SubClassOf(A, ObjectUnionOf((B, C))),
            SubClassOf(B, some(r, D)),
            SubClassOf(C, some(r, D)),
            SubClassOf(E, some(s, A)),
        ],
        some(s, some(r, D)),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_single_cases(name: str) -> None:
    axioms, expression = CASES[name]
    names: list[Entity] = [A, B, C, D, E, r, s, t, a, b, d]
    taxonomy = moose.classify(moose.ontology(axioms, declarations=names))
    assert said(taxonomy.dl_queries.ask(expression)) == from_scratch(axioms, expression, names)


def test_most_queries_do_not_saturate_again(monkeypatch: pytest.MonkeyPatch) -> None:
    taxonomy = moose.classify(moose.load(moose.PIZZERIA))
    role, filler = (f"https://example.org/pizzeria#{name}" for name in ("contains", "Allergen"))
    monkeypatch.setattr(DLQueries, "_saturated_again", None)
    found = taxonomy.dl_queries.ask(some(ObjectProperty(role), Class(filler)))
    assert len(found.descendants) == 9 and found.instances == ("https://example.org/pizzeria#tonightsSpecial",)


def test_a_thousand_questions_leave_no_trace() -> None:
    """The hash table of links grows while some of them are asked, and what is withdrawn must not hide what stays."""
    classes = [Class(f"N{number}") for number in range(40)]
    axioms: list[Axiom] = [ObjectPropertyCharacteristic("Transitive", r)]
    axioms += [SubClassOf(one, some(r, other)) for one, other in pairwise(classes)]
    taxonomy = moose.classify(moose.ontology(axioms))
    queries = [both(*(some(r, both(one, other)) for other in classes)) for one in classes]
    first = [said(taxonomy.dl_queries.ask(query)) for query in queries]
    assert [said(taxonomy.dl_queries.ask(query)) for query in queries] == first
    chosen = [0, 20, 39]
    assert [first[one] for one in chosen] == [from_scratch(axioms, queries[one]) for one in chosen]


def test_what_is_outside_el_is_refused_in_one_sentence() -> None:
    taxonomy = moose.classify(moose.ontology([SubClassOf(A, B)]))
    with pytest.raises(MooseError, match=r"expected a class expression of OWL 2 EL, but got ObjectUnionOf\(<A> <B>\)"):
        taxonomy.dl_queries.ask(ObjectUnionOf((A, B)))


@pytest.mark.parametrize("name", ["galen", "uberon"])
def test_real_definitions_are_answered_by_their_classes(name: str) -> None:
    """A class that is told to be equal to an expression must be found by it, and have the same place."""
    taxonomy = moose.classify(moose.load(find("ontologies", f"{name}.ofn.gz")))
    told = [one for one in taxonomy.ontology.axioms if isinstance(one, EquivalentClasses)]
    pairs = [pair for axiom in told if (pair := definition(axiom)) is not None]
    for cls, expression in Random(3).sample(pairs, min(200, len(pairs))):
        found = taxonomy.dl_queries.ask(expression)
        assert cls.iri in found.equivalents
        assert set(found.ancestors) == set(taxonomy.ancestors(cls.iri))
        assert set(found.descendants) == set(taxonomy.descendants(cls.iri))
        assert set(found.parents) == set(taxonomy.parents(cls.iri))
        assert set(found.children) == set(taxonomy.children(cls.iri))


def definition(axiom: EquivalentClasses) -> tuple[Class, ClassExpression] | None:
    match axiom.operands:
        case (Class() as cls, ObjectIntersectionOf() as expression) if is_el(expression):
            return cls, expression
    return None
