"""The hierarchy as questions: held to a brute-force transitive reduction, and to what is promised at its edges."""

from __future__ import annotations

import io
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import UnknownName
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom, Document
from moose.owl.model.expressions import (
    LABEL_IRI,
    NOTHING,
    THING,
    Class,
    Literal,
    NamedIndividual,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.ontology import merge_documents, ontology_from_axioms
from moose.saturation.answers import reduction
from moose.saturation.answers import taxonomy as taxonomies
from moose.saturation.answers.taxonomy import Taxonomy, classify
from tests.searching import examples

NAMES = [f"http://example.org/{name}" for name in "ABCDEFGH"]
TOP, BOTTOM = THING.iri, NOTHING.iri
Pair = tuple[str, str]
Relation = set[Pair]


def hierarchy(*pairs: Pair) -> Taxonomy:
    """Classify inclusions between names."""
    declared = [Class(name) for name in NAMES]
    return classify(ontology_from_axioms([ax.SubClassOf(Class(a), Class(b)) for a, b in pairs], declarations=declared))


# ── As brute force has it ─────────────────────────────────────────────────────────────────────────────────────────


class Expected:
    """What follows from inclusions between names, by trying everything."""

    def __init__(self, told: list[Pair]) -> None:
        every = [*NAMES, TOP, BOTTOM]
        below = set(told) | {(name, name) for name in every} | {(n, TOP) for n in every} | {(BOTTOM, n) for n in every}
        while more := {(a, d) for (a, b), (c, d) in product(below, below) if b == c} - below:
            below |= more
        self.below = below
        self.is_consistent = (TOP, BOTTOM) not in below
        self.possible = [name for name in NAMES if (name, BOTTOM) not in below and self.is_consistent]

    def strictly_above(self, name: str) -> set[str]:
        return {sup for sup in self.possible if (name, sup) in self.below and (sup, name) not in self.below}

    def parents(self, name: str) -> set[str]:
        above = self.strictly_above(name)
        return {sup for sup in above if not any(sup in self.strictly_above(other) for other in above)}

    def equivalents(self, name: str) -> set[str]:
        return {one for one in self.possible if {(name, one), (one, name)} <= self.below} - {name}


pairs = st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))
odd_pairs = st.sampled_from([(TOP, NAMES[0]), (TOP, NAMES[7]), (NAMES[1], BOTTOM), (NAMES[6], BOTTOM), (NAMES[2], TOP)])
relations = st.lists(pairs | pairs | pairs | odd_pairs, max_size=16)


@examples(150)
@given(relations)
def test_hierarchy_is_the_brute_force_transitive_reduction(told: list[Pair]) -> None:
    found, expected = hierarchy(*told), Expected(told)
    assert found.is_consistent == expected.is_consistent
    assert set(found.unsatisfiable) == set(NAMES) - set(expected.possible)
    for name in expected.possible:
        above, parents = expected.strictly_above(name), expected.parents(name)
        assert set(found.ancestors(name)) == above
        assert set(found.parents(name)) == parents
        assert set(found.equivalents(name)) == expected.equivalents(name)
        assert set(found.descendants(name)) == {
            one for one in expected.possible if name in expected.strictly_above(one)
        }
        assert set(found.children(name)) == {one for one in expected.possible if name in expected.parents(one)}
    for sub, sup in product(NAMES, NAMES):
        assert found.is_below(sub, sup) == ((sub, sup) in expected.below or sub not in expected.possible)


@examples(60)
@given(relations)
def test_pairs_are_sorted_and_the_direct_ones_give_all_back(told: list[Pair]) -> None:
    found = hierarchy(*told)
    closure, direct = found.closure_pairs(), found.direct_pairs()
    assert closure == sorted(set(closure))
    assert direct == sorted(set(direct))
    assert set(direct) <= set(closure)
    regained = set(direct)
    while more := {(a, d) for (a, b), (c, d) in product(regained, regained) if b == c and a != d} - regained:
        regained |= more
    assert regained == set(closure)


@examples(60)
@given(relations)
def test_inferred_axioms_classify_to_the_same_hierarchy(told: list[Pair]) -> None:
    found = hierarchy(*told)
    again = classify(ontology_from_axioms(found.inferred_axioms(), declarations=[Class(name) for name in NAMES]))
    if found.is_consistent:
        assert again.closure_pairs() == found.closure_pairs()
    assert again.unsatisfiable == found.unsatisfiable


@examples(30)
@given(relations)
def test_compiled_reduction_gives_the_same_rows(told: list[Pair]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(taxonomies, "is_warm", lambda: False)
        plain = hierarchy(*told)
        patch.setattr(taxonomies, "SMALL", -1)
        compiled = hierarchy(*told)
    assert compiled.rows.names == plain.rows.names
    for name in ("pointers", "above", "is_direct"):
        assert np.array_equal(getattr(compiled.rows, name), getattr(plain.rows, name))


def test_rows_are_gathered_in_order_and_without_what_has_no_number() -> None:
    contexts, concepts = np.array([2, 0, 2, 1, 2], dtype=np.int32), np.array([2, 0, 0, 1, 1], dtype=np.int32)
    pointers, rows = reduction.empty_rows(2, 5)
    reduction.gather_rows(contexts, concepts, np.array([0, -1, 1], dtype=np.int32), pointers, rows)
    assert pointers.tolist() == [0, 1, 3]
    assert rows[:3].tolist() == [0, 1, 0]


# ── At the edges ──────────────────────────────────────────────────────────────────────────────────────────────────

A, B, C, D = NAMES[:4]


def test_empty_ontology() -> None:
    found = classify(ontology_from_axioms([]))
    assert found.is_consistent
    assert (found.classes, found.unsatisfiable, found.closure_pairs(), found.direct_pairs()) == ((), (), [], [])
    assert list(found.inferred_axioms()) == []


def test_class_that_is_only_declared_stands_alone() -> None:
    found = classify(ontology_from_axioms([], declarations=[Class(A)]))
    assert found.classes == (A,)
    assert (found.parents(A), found.children(A), found.equivalents(A)) == ((), (), ())


def test_class_equivalent_to_thing_is_above_all_others() -> None:
    found = hierarchy((TOP, A), (TOP, B), (C, D))
    assert found.equivalents(A) == (B,)
    assert found.parents(A) == ()
    assert set(found.ancestors(C)) == {A, B, D}
    assert found.parents(D) == (A, B)
    assert set(found.descendants(A)) == set(NAMES) - {A, B}


def test_unsatisfiable_class_is_below_everything_and_listed_nowhere_else() -> None:
    found = hierarchy((A, BOTTOM), (B, A), (A, C))
    assert found.unsatisfiable == (A, B)
    assert found.is_below(B, D) and not found.is_below(D, B)
    for ask in (found.parents, found.ancestors, found.children, found.descendants, found.equivalents):
        assert ask(A) == ()
    assert found.children(C) == ()
    assert list(found.inferred_axioms()) == [ax.SubClassOf(Class(A), NOTHING), ax.SubClassOf(Class(B), NOTHING)]


def test_inconsistent_ontology_makes_every_class_unsatisfiable() -> None:
    one = NamedIndividual("http://example.org/a")
    axioms: list[Axiom] = [
        ax.ClassAssertion(Class(A), one),
        ax.SubClassOf(Class(A), NOTHING),
        ax.SubClassOf(Class(B), Class(C)),
    ]
    found = classify(ontology_from_axioms(axioms))
    assert not found.is_consistent
    assert found.unsatisfiable == found.classes == (A, B, C)
    assert found.closure_pairs() == []
    assert found.is_below(C, A)
    assert found.is_below("owl:Thing", "owl:Nothing")


def test_nothing_in_a_nominal_makes_the_ontology_inconsistent() -> None:
    is_a = ObjectOneOf((NamedIndividual("http://example.org/a"),))
    assert not classify(ontology_from_axioms([ax.SubClassOf(is_a, NOTHING)])).is_consistent


@pytest.mark.parametrize(
    ("sub", "sup", "expected"),
    [
        (A, "owl:Thing", True),
        ("owl:Nothing", A, True),
        ("owl:Nothing", "owl:Thing", True),
        ("owl:Thing", "owl:Thing", True),
        ("owl:Thing", "owl:Nothing", False),
        ("owl:Thing", A, False),
        ("owl:Thing", D, True),
        (A, "owl:Nothing", False),
        (C, "owl:Nothing", True),
    ],
)
def test_reserved_names_may_be_asked_about(sub: str, sup: str, expected: bool) -> None:
    found = hierarchy((A, B), (C, BOTTOM), (TOP, D))
    assert found.is_below(sub, sup) is expected


def test_conditional_subsumption_is_part_of_the_hierarchy() -> None:
    """Where there is an A, a is a B; then every A, which has a for an s, is a D."""
    r, s = ObjectProperty("http://example.org/r"), ObjectProperty("http://example.org/s")
    is_a = ObjectOneOf((NamedIndividual("http://example.org/a"),))
    axioms = [
        ax.SubClassOf(Class(A), ObjectSomeValuesFrom(r, Class(B))),
        ax.SubClassOf(Class(B), is_a),
        ax.SubClassOf(Class(A), ObjectSomeValuesFrom(s, is_a)),
        ax.SubClassOf(ObjectSomeValuesFrom(s, Class(B)), Class(D)),
        ax.SubClassOf(Class(C), Class(A)),
        ax.SubClassOf(Class(D), Class(NAMES[4])),
    ]
    found = classify(ontology_from_axioms(axioms))
    assert found.closure.worlds
    assert set(found.ancestors(C)) == {A, D, NAMES[4]}
    assert found.parents(C) == (A,) and found.parents(A) == (D,)
    assert not found.is_below(B, D)


# ── Names and writing ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def labelled() -> Taxonomy:
    document = Document(
        axioms=(ax.SubClassOf(Class(A), Class(B)), ax.SubClassOf(Class("http://other.org/B"), Class(C))),
        annotation_assertions=(ax.AnnotationAssertion(LABEL_IRI, A, Literal("first letter")),),
        prefixes={"ex": "http://example.org/"},
    )
    return classify(merge_documents([document]))


@pytest.mark.parametrize("name", [A, f"<{A}>", "ex:A", "A", "first letter", "'first letter'"])
def test_class_may_be_named_in_every_way(labelled: Taxonomy, name: str) -> None:
    assert labelled.parents(name) == (B,)
    assert labelled.is_below(name, "ex:B")


@pytest.mark.parametrize(
    ("name", "reason"), [("B", "stands for|several|full IRI"), ("Z", "no 'Z'"), ("ex:Z", "no 'ex:Z'")]
)
def test_unknown_and_ambiguous_names_are_errors(labelled: Taxonomy, name: str, reason: str) -> None:
    for ask in (labelled.parents, labelled.descendants, labelled.equivalents):
        with pytest.raises(UnknownName, match=reason):
            ask(name)
    with pytest.raises(UnknownName, match=reason):
        labelled.is_below("A", name)


def test_written_lines_are_the_pairs() -> None:
    found = hierarchy((B, A), (A, C), (C, D), (D, C))
    direct, closure = io.StringIO(), io.StringIO()
    found.write_tsv(direct, closure=False)
    found.write_tsv(closure, closure=True)
    assert direct.getvalue().splitlines() == [f"{A}\t{C}", f"{A}\t{D}", f"{B}\t{A}", f"{C}\t{D}", f"{D}\t{C}"]
    assert set(closure.getvalue().splitlines()) - set(direct.getvalue().splitlines()) == {f"{B}\t{C}", f"{B}\t{D}"}


def test_inferred_equivalence_is_told_once() -> None:
    found = hierarchy((A, B), (B, C), (C, A), (C, D))
    classes = [Class(name) for name in (A, B, C, D)]
    assert list(found.inferred_axioms()) == [
        ax.EquivalentClasses(tuple(classes[:3])),
        *(ax.SubClassOf(one, classes[3]) for one in classes[:3]),
    ]
