"""One tiny ontology for every construct and every rule, beside what follows from it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

import moose
from bench.entailments import our_entailments
from bench.golden import FOLDER, is_by_hand, read_expectation
from moose.owl.model import expressions

ONTOLOGIES = sorted(FOLDER.glob("*.ofn"))

# OWL 2 Profiles, 2.2: every axiom and every class expression of OWL 2 EL, and the values of their variants.
CONSTRUCTS = frozenset(
    [
        "SubClassOf",
        "EquivalentClasses",
        "DisjointClasses",
        "HasKey",
        "SubObjectPropertyOf",
        "EquivalentObjectProperties",
        "ObjectPropertyDomain",
        "ObjectPropertyRange",
        "Transitive",
        "Reflexive",
        "SubDataPropertyOf",
        "EquivalentDataProperties",
        "DataPropertyDomain",
        "DataPropertyRange",
        "FunctionalDataProperty",
        "SameIndividual",
        "DifferentIndividuals",
        "ClassAssertion",
        "ObjectPropertyAssertion",
        "DataPropertyAssertion",
        "NegativeObjectPropertyAssertion",
        "NegativeDataPropertyAssertion",
        "ObjectIntersectionOf",
        "ObjectOneOf",
        "ObjectSomeValuesFrom",
        "ObjectHasValue",
        "ObjectHasSelf",
        "DataSomeValuesFrom",
        "DataHasValue",
        "DataIntersectionOf",
        "DataOneOf",
    ]
)


def expectation_of(ontology: Path) -> Path:
    return ontology.with_suffix(".expected.toml")


@pytest.mark.parametrize("ontology", ONTOLOGIES, ids=lambda path: path.stem)
def test_entails_what_is_expected_and_nothing_else(ontology: Path) -> None:
    assert our_entailments(ontology).differences(read_expectation(expectation_of(ontology))) == []


@pytest.mark.parametrize("ontology", ONTOLOGIES, ids=lambda path: path.stem)
def test_is_owl_2_el_and_says_what_it_is_for(ontology: Path) -> None:
    assert [outside.reason for outside in moose.load(ontology).profile.outside] == []
    first_words = [line.split(":")[0] for line in ontology.read_text(encoding="utf-8").splitlines()[:3]]
    assert first_words == ["# Construct", "# Rule", "# Why"]


def test_ontologies_and_expectations_stand_in_pairs() -> None:
    assert ONTOLOGIES
    assert sorted(map(expectation_of, ONTOLOGIES)) == sorted(FOLDER.glob("*.expected.toml"))


def test_an_expectation_that_is_not_the_oracles_says_why() -> None:
    for path in map(expectation_of, ONTOLOGIES):
        if is_by_hand(path):
            assert tomllib.loads(path.read_text(encoding="utf-8"))["reason"]


def test_each_of_the_ten_gaps_of_elk_has_a_pair() -> None:
    gaps = {path.stem.split("_")[1] for path in ONTOLOGIES if path.stem.startswith("gap_")}
    assert gaps == {f"{number:02}" for number in range(1, 11)}


def test_every_construct_and_datatype_of_owl_2_el_is_covered() -> None:
    seen = {name for ontology in ONTOLOGIES for axiom in moose.load(ontology).axioms for name in constructs(axiom)}
    assert seen >= CONSTRUCTS
    assert seen >= expressions.EL_DATATYPES
    reserved = {
        expressions.OWL + kind + sort for kind in ("top", "bottom") for sort in ("ObjectProperty", "DataProperty")
    }
    assert seen >= reserved | {expressions.THING_IRI, expressions.NOTHING_IRI}


def constructs(value: object) -> Iterator[str]:
    """Name every construct and IRI inside a value of the model."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from constructs(part)
    elif is_dataclass(value):
        yield ("Negative" if getattr(value, "negative", False) else "") + type(value).__name__
        for field in fields(value):
            yield from constructs(getattr(value, field.name))
