"""Unsatisfiable classes: roots and what derives from them."""

from __future__ import annotations

import gzip
from collections.abc import Collection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import InconsistentOntology
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.saturation.answers.unsatisfiable import unsatisfiable_classes
from tests.queries.small_ontologies import ROLES, axioms, classes, follows, minimal_sets
from tests.searching import examples

A, B, C, D, E = (owl.Class(f"urn:{name}") for name in "ABCDE")
R = owl.ObjectProperty("urn:r")
CELLS = Path(__file__).parents[3] / "shared/data/scale/cells" / "cl-blood_and_immune_upper_slim-2026-06-08.obo.gz"


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
    assert told(*several, ax.DisjointClasses((C, D))) == {"A": (True, ""), "B": (True, "")}


def test_equal_classes_are_roots_together() -> None:
    several: list[ax.Axiom] = [
        ax.EquivalentClasses((A, B)),
        ax.SubClassOf(A, C),
        ax.SubClassOf(B, D),
        ax.DisjointClasses((C, D)),
    ]
    assert told(*several) == {"A": (True, ""), "B": (True, "")}


def test_an_equal_class_of_which_nothing_is_told_derives_from_the_other() -> None:
    several: list[ax.Axiom] = [ax.EquivalentClasses((B, C)), ax.SubClassOf(A, owl.NOTHING), ax.SubClassOf(B, A)]
    assert told(*several) == {"A": (True, ""), "B": (False, "A"), "C": (False, "A")}


def test_a_clash_of_which_one_side_is_told_again_is_a_reason_of_its_own() -> None:
    several: list[ax.Axiom] = [
        ax.SubClassOf(A, B),
        ax.SubClassOf(A, C),
        ax.DisjointClasses((B, C)),
        ax.SubClassOf(D, A),
    ]
    assert told(*several)["D"] == (False, "A")
    assert told(*several, ax.SubClassOf(D, B))["D"] == (True, "")


def test_a_filler_without_a_name_that_needs_an_unsatisfiable_class_is_no_reason() -> None:
    inner = owl.ObjectSomeValuesFrom(R, owl.ObjectIntersectionOf((B, owl.ObjectSomeValuesFrom(R, A))))
    clash: list[ax.Axiom] = [ax.SubClassOf(A, owl.NOTHING), ax.SubClassOf(C, inner), ax.SubClassOf(D, C)]
    assert told(*clash) == {"A": (True, ""), "C": (False, "A"), "D": (False, "C")}


def test_causes_lead_to_roots_and_not_in_a_circle() -> None:
    """Once a macrophage derived from its progenitor, that from its differentiation, and this from the macrophage."""
    ring: list[ax.Axiom] = [
        ax.SubClassOf(one, owl.ObjectSomeValuesFrom(R, two)) for one, two in ((A, B), (B, C), (C, A), (C, D))
    ]
    rows = unsatisfiable_classes(moose.ontology([*ring, ax.SubClassOf(D, E), ax.DisjointClasses((D, E))]))
    assert {row.iri[-1]: row.derives_from for row in rows} == {
        "D": (),
        "C": (D.iri,),
        "B": (C.iri,),
        "A": (B.iri,),
    }
    assert {row.roots for row in rows if not row.is_root} == {(D.iri,)}


def test_a_filler_without_a_name_is_a_reason_of_its_own() -> None:
    both = owl.ObjectSomeValuesFrom(R, owl.ObjectIntersectionOf((B, C)))
    assert told(ax.SubClassOf(A, both), ax.DisjointClasses((B, C))) == {"A": (True, "")}


def test_roots_come_first_and_an_inconsistent_ontology_is_refused() -> None:
    rows = unsatisfiable_classes(moose.ontology([ax.SubClassOf(B, owl.NOTHING), ax.SubClassOf(A, B)]))
    assert [row.iri for row in rows] == [B.iri, A.iri]
    assert unsatisfiable_classes(moose.ontology([ax.SubClassOf(A, B)])) == ()
    with pytest.raises(InconsistentOntology, match="inconsistency"):
        unsatisfiable_classes(moose.ontology([ax.SubClassOf(owl.THING, owl.NOTHING)]))


def test_roots_in_the_cell_ontology(tmp_path: Path) -> None:
    """A class that is a root though it is below another is told twice to be on both sides of the disjointness."""
    if not CELLS.is_file():
        pytest.skip("the data folder ../shared/data has no scale/cells")
    (tmp_path / "cells.obo").write_bytes(gzip.decompress(CELLS.read_bytes()))
    cells = moose.load(tmp_path / "cells.obo")
    named = "http://purl.obolibrary.org/obo/CL_"
    pairs = (("0000236", "0000842"), ("0000084", "0000542"))
    disjoint = [ax.DisjointClasses((owl.Class(named + one), owl.Class(named + two))) for one, two in pairs]
    rows = unsatisfiable_classes(moose.ontology([*cells.axioms, *disjoint]))
    assert len(rows) == 56
    assert [row.iri for row in rows if row.is_root] == [
        named + one for one in ("0000084", "0000236", "0000980", "0001201")
    ]
    found = {row.iri: row for row in rows}
    assert found[named + "0000789"].derives_from == (named + "0000084",)
    assert found[named + "0000235"].roots == (named + "0000084",)


def is_about_classes(axiom: ax.Axiom) -> bool:
    return not isinstance(axiom, ax.ClassAssertion | ax.ObjectPropertyAssertion) and "ObjectOneOf" not in repr(axiom)


def has_equal(some: list[ax.Axiom], iri: str, others: Collection[str]) -> bool:
    """Return whether a class would equal another if nothing were impossible; of equal roots not all may be told."""
    possible = [
        axiom for axiom in some if not isinstance(axiom, ax.DisjointClasses) and owl.NOTHING.iri not in repr(axiom)
    ]
    one = owl.Class(iri)
    return any(
        follows(possible, ax.SubClassOf(one, two)) and follows(possible, ax.SubClassOf(two, one))
        for two in (owl.Class(other) for other in others if other != iri)
    )


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
        if not row.is_root and not has_equal(some, iri, rows):
            others = [one for other in rows if other != iri for one in reasons[other]]
            assert all(any(other <= one for other in others) for one in reasons[iri])
        assert bool(row.derives_from) == bool(row.roots) == (not row.is_root)
        assert all(rows[root].is_root for root in row.roots)
    assert not rows or any(row.is_root for row in rows.values())


some_values = st.builds(owl.ObjectSomeValuesFrom, st.sampled_from(ROLES[:2]), classes)
pairs = st.lists(classes, min_size=2, max_size=2, unique=True)
both = st.lists(st.one_of(classes, some_values), min_size=2, max_size=2, unique=True).map(
    lambda parts: owl.ObjectIntersectionOf(tuple(parts))
)
one_way = st.one_of(
    pairs.map(lambda pair: ax.SubClassOf(pair[0], pair[1])),
    pairs.map(lambda pair: ax.SubClassOf(pair[0], pair[1])),
    pairs.map(lambda pair: ax.DisjointClasses(tuple(pair))),
    st.builds(ax.SubClassOf, classes, st.one_of(some_values, st.builds(owl.ObjectSomeValuesFrom, st.just(R), both))),
    st.builds(ax.SubClassOf, st.one_of(some_values, both), st.one_of(classes, st.just(owl.NOTHING))),
)
"""Axioms that say one thing each: none can be used in two ways at once."""


@examples(60)
@given(st.lists(one_way, min_size=4, max_size=6, unique=True))
def test_a_root_has_a_justification_without_a_smaller_one_of_another(some: list[ax.Axiom]) -> None:
    ontology = moose.ontology(some)
    rows = {row.iri: row for row in unsatisfiable_classes(ontology)}
    if len(rows) < 2:
        assert all(row.is_root for row in rows.values())
        return
    reasons = {iri: minimal_sets(ontology.axioms, ax.SubClassOf(owl.Class(iri), owl.NOTHING)) for iri in rows}
    for iri, row in rows.items():
        others = [one for other in rows if other != iri for one in reasons[other]]
        if row.is_root:
            assert any(not any(other < one for other in others) for one in reasons[iri])
        elif not has_equal(some, iri, rows):
            assert all(any(other <= one for other in others) for one in reasons[iri])
