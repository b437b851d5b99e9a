"""A proof that an ontology is inconsistent looks at a few of its individuals, however many there are."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose
from moose.owl.normal.normal_form import BOTTOM, TOP
from moose.saturation.engine.saturate import saturate_form
from moose.saturation.proofs.explain import first_clash
from moose.saturation.proofs.search import smallest_proof
from moose.saturation.recorded.derivations import Derivations
from moose.saturation.recorded.rule_instance import Sub


def crowd(count: int, *more: str) -> str:
    """Write an ontology of individuals that are joined in a circle, so that what is impossible of one is of all."""
    links = "".join(f"ObjectPropertyAssertion(:r :i{n} :i{(n + 1) % count})\n" for n in range(count))
    kinds = "".join(f"ClassAssertion(:A :i{n})\n" for n in range(count))
    return f"Prefix(:=<http://e.org/>)\nOntology(\n{links}{kinds}{''.join(more)})\n"


CLASHES = {
    "at one": ("DisjointClasses(:A :B)", "ClassAssertion(:B :i7)"),
    "two links away": (
        "SubClassOf(ObjectSomeValuesFrom(:r ObjectSomeValuesFrom(:r :Bad)) :Worse)",
        "DisjointClasses(:Good :Worse)",
        "ClassAssertion(:Bad :i9)",
        "ClassAssertion(:Good :i7)",
    ),
    "of two that are one": ("SameIndividual(:i3 :i70)", "DifferentIndividuals(:i3 :i70)"),
}


@pytest.mark.parametrize("clash", CLASHES)
def test_few_contexts_are_opened(clash: str, tmp_path: Path) -> None:
    path = tmp_path / "crowd.ofn"
    path.write_text(crowd(200, *CLASHES[clash]), encoding="utf-8")
    form = moose.load(path).normal_form
    facts = saturate_form(form, roots=[TOP]).world_of(TOP)
    derivations = Derivations(form, TOP, others=first_clash(facts), is_goal_directed=True)
    assert smallest_proof(derivations, Sub(TOP, BOTTOM)) is not None
    assert len(derivations.calculus.contexts) < 20


@pytest.mark.parametrize("clash", CLASHES)
def test_without_a_hint_the_proof_is_still_there(clash: str, tmp_path: Path) -> None:
    path = tmp_path / "crowd.ofn"
    path.write_text(crowd(90, *CLASHES[clash]), encoding="utf-8")
    form = moose.load(path).normal_form
    assert smallest_proof(Derivations(form, TOP, is_goal_directed=True), Sub(TOP, BOTTOM)) is not None
