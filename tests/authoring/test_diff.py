"""Differences between two ontologies: what is asserted and what follows, in four forms, with nothing let through."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.authoring.diff import Change, diff, with_sorted_sets
from moose.authoring.diff_text import as_html, as_json, as_markdown, as_text
from moose.owl.model.annotations import AnnotationAxioms
from moose.owl.model.anonymous import rename_each
from moose.owl.model.axioms import (
    Annotation,
    AnnotationAssertion,
    Axiom,
    ClassAssertion,
    Declaration,
    DisjointClasses,
    ObjectPropertyAssertion,
    SubClassOf,
)
from moose.owl.model.expressions import (
    LABEL_IRI,
    NOTHING,
    AnonymousIndividual,
    Class,
    Entity,
    Literal,
    ObjectIntersectionOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.names import Names
from moose.owl.ontology import Ontology, merge_documents, ontology_from_axioms, with_annotations
from moose.owl.syntax.functional.read_functional import read_functional
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, random_axioms
from tests.searching import examples

A, B, C, D = (Class(f"http://e.org/{name}") for name in "ABCD")
NAMES: list[Entity] = [*CLASSES, *ROLES, *INDIVIDUALS]


def labelled(ontology: Ontology, labels: dict[str, str]) -> Ontology:
    notes = tuple(AnnotationAssertion(LABEL_IRI, iri, Literal(label)) for iri, label in labels.items())
    return with_annotations(ontology, AnnotationAxioms((), tuple(map(Declaration, (A, B, C, D))), notes))


@given(st.randoms(use_true_random=False))
@examples(40)
def test_a_difference_leads_from_one_to_the_other(random: Random) -> None:
    first, second = random_axioms(random, features=ALL_FEATURES), random_axioms(random, features=ALL_FEATURES)
    shared = random_axioms(random, features=ALL_FEATURES)
    old, new = (moose.ontology([*shared, *own], declarations=NAMES) for own in (first, second))
    found = diff(old, new)
    was, gone, came, now = (
        {*map(with_sorted_sets, axioms)}
        for axioms in (old.axioms, found.axioms.removed, found.axioms.added, new.axioms)
    )
    assert was - gone | came == now
    back = diff(new, old)
    assert (back.axioms.added, back.inferred.added) == (found.axioms.removed, found.inferred.removed)
    assert not diff(old, old)
    before, after = moose.classify(old), moose.classify(new)
    if before.is_consistent and after.is_consistent:
        for pair in found.inferred.added:
            assert isinstance(pair, tuple)
            assert after.is_below(*pair) and not before.is_below(*pair)
        gained = set(after.closure_pairs()) - set(before.closure_pairs())
        assert bool(found.inferred.added) or not {pair for pair in gained if pair[0] not in before.unsatisfiable}
    else:
        assert found.inferred == Change()


def example() -> tuple[Ontology, Ontology]:
    old = labelled(moose.ontology([SubClassOf(A, B), SubClassOf(C, B)]), {A.iri: "an a", B.iri: "old b"})
    new = labelled(
        moose.ontology(
            [SubClassOf(A, B), SubClassOf(B, D), SubClassOf(C, A), SubClassOf(C, D), DisjointClasses((A, C))]
        ),
        {A.iri: "an a", B.iri: "new b"},
    )
    return old, new


def test_what_changed() -> None:
    found = diff(*example())
    assert found.axioms.removed == (SubClassOf(C, B),)
    assert (B.iri, D.iri) in found.inferred.added and (C.iri, NOTHING.iri) in found.inferred.added
    assert len(found.annotations) == 2
    assert repr(found) == "Difference(axioms +4 -1, annotations +1 -1, inferred +2 -0)"
    assert not diff(*example(), infer=False).inferred and not diff(*example(), annotations=False).annotations


def test_text() -> None:
    old, new = example()
    found = diff(old, new)
    text = as_text(found, Names(old, "label"), Names(new, "label"))
    assert "- SubClassOf(C B 'old b')" in text and "+ B 'new b' SubClassOf D" in text
    assert "Asserted axioms: 4 added, 1 removed" in text
    assert as_text(diff(old, old), Names(old), Names(old)) == "No difference.\n"


def test_markdown() -> None:
    old, new = example()
    text = as_markdown(diff(old, new), Names(old), Names(new))
    assert "- ➕ [new b](http://e.org/B) SubClassOf [D](http://e.org/D)" in text
    assert "### Inferred (2 added, 0 removed)" in text


def test_html_reads_like_markdown_and_is_titled_by_files_where_iris_are_equal() -> None:
    old, new = example()
    told = ObjectIntersectionOf((B, ObjectSomeValuesFrom(ObjectProperty("http://e.org/r"), D)))
    new = moose.with_axioms(new, [*new.axioms, SubClassOf(A, told)])
    page = as_html(diff(old, new), Names(old), Names(new), files=("a.ofn", "b.ofn"))
    b, d = (f'<span title="http://e.org/{name}">{text}</span>' for name, text in (("B", "new b"), ("D", "D")))
    assert f'<li class="added">{b} SubClassOf {d}</li>' in page
    assert f'<b>and</b> (<span title="http://e.org/r">r</span> <b>some</b> {d})' in page
    assert "<title>a.ofn → b.ofn</title>" in page


def test_json() -> None:
    found = as_json(diff(*example()))
    assert json.loads(json.dumps(found)) == found
    assert found["inferred"] == {"added": [[B.iri, D.iri], [C.iri, NOTHING.iri]], "removed": []}


@pytest.mark.parametrize("label", ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;"])
def test_labels_inject_nothing(label: str) -> None:
    old = labelled(moose.ontology([SubClassOf(A, B)]), {})
    new = labelled(moose.ontology([SubClassOf(A, C)]), {C.iri: label})
    page = as_html(diff(old, new), Names(old, "label"), Names(new, "label"))
    assert "<script" not in page and "<img" not in page
    assert page.count("<li") == page.count("</li>") == 5
    assert "<script" not in as_markdown(diff(old, new), Names(old), Names(new)).replace("\\<script", "")


def test_inconsistency_is_said(tmp_path: Path) -> None:
    old = moose.ontology([SubClassOf(A, B)])
    new = moose.classify(old).add("SubClassOf(owl:Thing owl:Nothing)").ontology
    found = diff(old, new)
    assert found and found.inferred == Change()
    assert "the new one inconsistent" in as_text(found, Names(old), Names(new))


def test_the_order_in_a_set_is_no_difference() -> None:
    notes = (Annotation("urn:p", Literal("one")), Annotation("urn:p", Literal("two")))
    told: list[Axiom] = [DisjointClasses((A, B)), SubClassOf(A, ObjectIntersectionOf((B, C)), annotations=notes)]
    turned: list[Axiom] = [
        DisjointClasses((B, A)),
        SubClassOf(A, ObjectIntersectionOf((C, B)), annotations=(*reversed(notes), notes[0])),
    ]
    old, new = (moose.ontology(axioms, declarations=NAMES) for axioms in (told, turned))
    assert not diff(with_definition(old, notes), with_definition(new, (*reversed(notes), *notes)))
    assert diff(with_definition(old, notes), with_definition(new, notes[:1])).annotations


def with_definition(ontology: Ontology, notes: tuple[Annotation, ...]) -> Ontology:
    said = AnnotationAssertion("urn:definition", A.iri, Literal("an A"), annotations=notes)
    return with_annotations(ontology, AnnotationAxioms((), (), (said,)))


def test_each_of_two_annotated_axioms_is_compared() -> None:
    first, second, third = (SubClassOf(A, B, annotations=(Annotation("urn:p", Literal(text)),)) for text in "123")
    found = diff(moose.ontology([first, second]), moose.ontology([third, second]))
    assert found.axiom_annotations == Change((third,), (first,))


def test_a_statement_with_its_annotations_in_another_order_is_merged_into_one() -> None:
    notes = (Annotation("urn:p", Literal("one")), Annotation("urn:p", Literal("two")))
    one, other = (
        with_definition(moose.ontology([SubClassOf(A, B, annotations=order)]), order)
        for order in (notes, (*reversed(notes), *notes))
    )
    merged = moose.merge([one, other])
    assert len(merged.axioms) == len(merged.annotations.assertions) == 1


def test_numbers_without_labels_are_identifiers_in_markdown() -> None:
    one, other = (Class(f"http://purl.obolibrary.org/obo/EX_000000{number}") for number in (1, 2))
    found = diff(moose.ontology([], declarations=[one, other]), moose.ontology([SubClassOf(one, other)]))
    assert f"[EX:0000001]({one.iri}) SubClassOf [EX:0000002]({other.iri})" in as_markdown(
        found, Names(found.old), Names(found.new)
    )


def anonymous(*names: str, more: str = "") -> Ontology:
    """Return an ontology of four anonymous individuals in two pairs of which nearly the same is said."""
    one, two, three, four = names
    text = f"""Prefix(:=<urn:x:>) Ontology(
        ObjectPropertyAssertion(:r _:{one} _:{two}) ObjectPropertyAssertion(:r _:{three} _:{four})
        ClassAssertion(:A _:{one}) ClassAssertion(:A _:{three}) ClassAssertion(:B _:{four}) {more}
        AnnotationAssertion(:note :A _:{one}) AnnotationAssertion(:note _:{two} "text"))"""
    return merge_documents([read_functional(text, "anonymous.ofn")])


@pytest.mark.parametrize("names", ["abcd", "dcba", "badc", "wxyz", "cxya"])
def test_names_of_anonymous_individuals_are_no_difference(names: str) -> None:
    assert not diff(anonymous(*"abcd"), anonymous(*names))


def test_only_what_changed_of_an_anonymous_individual_is_a_difference() -> None:
    difference = diff(anonymous(*"abcd"), anonymous(*"dzyx", more="ClassAssertion(:C _:x)"))
    assert [len(one) for one in (difference.axioms, difference.annotations)] == [1, 0]
    assert difference.axioms.added == (ClassAssertion(Class("urn:x:C"), AnonymousIndividual("d")),)


@given(st.randoms(use_true_random=False))
@examples(60)
def test_however_anonymous_individuals_are_named_nothing_changes(random: Random) -> None:
    nodes = [AnonymousIndividual(f"n{number}") for number in range(6)]
    axioms = [
        ObjectPropertyAssertion(random.choice(ROLES[:2]), random.choice(nodes), random.choice(nodes))
        for _ in range(random.randint(1, 9))
    ]
    names = dict(zip((one.node for one in nodes), random.sample("abcdefgh", 6), strict=True))
    again = list(rename_each(axioms, names))
    random.shuffle(again)
    assert not diff(ontology_from_axioms(axioms), ontology_from_axioms(again), infer=False)
