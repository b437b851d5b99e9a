"""The ontology that `bench.realisation` draws is the one that it describes, and always the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import moose
from bench.realisation import ASSERTIONS_EACH, CLASSES, EXISTENTIALS, axioms, write_ontology


def test_the_drawn_ontology_has_what_it_is_described_to_have(tmp_path: Path) -> None:
    people = 40
    write_ontology(tmp_path / "drawn.ofn", people)
    ontology = moose.load(tmp_path / "drawn.ofn")
    kinds = Counter(line.partition("(")[0] for line in axioms(people, 0))
    assert len(ontology.classes) == CLASSES
    assert len(ontology.individuals) == people
    assert kinds["ObjectPropertyAssertion"] == people * ASSERTIONS_EACH
    assert sum("Some" in line for line in axioms(people, 0)) == EXISTENTIALS
    assert [kinds[f"ObjectProperty{kind}"] for kind in ("Domain", "Range")] == [1, 1]
    assert not ontology.profile.outside


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    assert list(axioms(30, 1)) == list(axioms(30, 1)) != list(axioms(30, 2))
