"""Unsatisfiable classes: roots and what derives from them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.saturation.answers.unsatisfiable import unsatisfiable_classes
from tests.queries.small_ontologies import axioms, minimal_sets
from tests.searching import examples

A, B, C, D, E = (owl.Class(f"urn:{name}") for name in "ABCDE")
R = owl.ObjectProperty("urn:r")


def told(*several: ax.Axiom) -> dict[str, tuple[bool, str]]:
    rows = unsatisfiable_classes(moose.ontology(several))
    return {row.iri[-1]: (row.is_root, "".join(iri[-1] for iri in row.derives_from)) for row in rows}


def test_a_subclass_and_a_whole_derive_from_a_part() -> None:
    clash: list[ax.Axiom] = [ax.SubClassOf(A, B), ax.SubClassOf(A, C), ax.DisjointClasses((B, C))]
    assert told(*clash) == {"A": (True, "")}
    assert told(*clash, ax.SubClassOf(D, A), ax.SubClassOf(E, D)) == {
        "A": (True, ""),
        "D": (False, "A"),
        "E": (False, "D"),
    }
    assert told(*clash, ax.SubClassOf(D, owl.ObjectSomeValuesFrom(R, A))) == {"A": (True, ""), "D": (False, "A")}


def test_a_class_with_a_second_reason_is_a_root_too() -> None:
    several: list[ax.Axiom] = [
        ax.SubClassOf(A, owl.NOTHING),
        ax.SubClassOf(B, A),
        ax.SubClassOf(B, C),
        ax.SubClassOf(B, D),
    ]
    assert told(*several, ax.DisjointClasses((C, D))) == {"A": (True, ""), "B": (True, "A")}


def test_equal_classes_are_roots_together() -> None:
    several: list[ax.Axiom] = [
        ax.EquivalentClasses((A, B)),
        ax.SubClassOf(A, C),
        ax.SubClassOf(B, D),
        ax.DisjointClasses((C, D)),
    ]
    assert told(*several) == {"A": (True, ""), "B": (True, "")}


def test_a_filler_without_a_name_is_a_reason_of_its_own() -> None:
    both = owl.ObjectSomeValuesFrom(R, owl.ObjectIntersectionOf((B, C)))
    assert told(ax.SubClassOf(A, both), ax.DisjointClasses((B, C))) == {"A": (True, "")}


def test_roots_come_first_and_an_inconsistent_ontology_is_refused() -> None:
    rows = unsatisfiable_classes(moose.ontology([ax.SubClassOf(B, owl.NOTHING), ax.SubClassOf(A, B)]))
    assert [row.iri for row in rows] == [B.iri, A.iri]
    assert unsatisfiable_classes(moose.ontology([ax.SubClassOf(A, B)])) == ()
    with pytest.raises(InconsistentOntology, match="inconsistency"):
        unsatisfiable_classes(moose.ontology([ax.SubClassOf(owl.THING, owl.NOTHING)]))


def is_about_classes(axiom: ax.Axiom) -> bool:
    return not isinstance(axiom, ax.ClassAssertion | ax.ObjectPropertyAssertion) and "ObjectOneOf" not in repr(axiom)


@examples(30)
@given(st.lists(axioms.filter(is_about_classes), min_size=3, max_size=7, unique=True))
def test_who_is_no_root_has_a_justification_of_another_in_each_of_its_own(some: list[ax.Axiom]) -> None:
    ontology = moose.ontology(some)
    if not moose.classify(ontology).is_consistent:
        return
    rows = {row.iri: row for row in unsatisfiable_classes(ontology)}
    assert sorted(rows) == sorted(moose.classify(ontology).unsatisfiable)
    reasons = {iri: minimal_sets(ontology.axioms, ax.SubClassOf(owl.Class(iri), owl.NOTHING)) for iri in rows}
    for iri, row in rows.items():
        if not row.is_root:
            others = [one for other in rows if other != iri for one in reasons[other]]
            assert all(any(other <= one for other in others) for one in reasons[iri])
            assert row.derives_from
    assert not rows or any(row.is_root for row in rows.values())
