"""`moose check` says what is in an ontology and what of it is outside OWL 2 EL."""

from __future__ import annotations

from pathlib import Path

import moose as package
from tests.cli.running import Command


def test_an_ontology_in_el(moose: Command) -> None:
    outcome = moose("check", package.PIZZERIA)
    assert outcome.code == 0
    assert outcome.err == ""
    assert "every axiom is in OWL 2 EL" in outcome.out
    assert "https://example.org/pizzeria" in outcome.out


def test_what_is_outside_is_listed_with_its_reason(moose: Command, outside: Path) -> None:
    outcome = moose("check", outside)
    assert outcome.code == 0
    assert "2 axioms are outside OWL 2 EL: 0 used whole, 1 used in part, 1 not used" in outcome.out
    assert "DisjointUnion(Pet Cat Dog)" in outcome.out
    assert "used: SubClassOf(Cat Pet)" in outcome.out


def test_strict_makes_it_fail(moose: Command, outside: Path) -> None:
    assert moose("check", outside, "--strict").code == 1
    assert moose("check", package.PIZZERIA, "--strict").code == 0


def test_json_holds_the_same(moose: Command, outside: Path, tmp_path: Path) -> None:
    found = moose("check", outside, "--json").json
    assert found["axioms"] == 3
    assert found["classes"] == 5
    assert [row["axiom"] for row in found["outside_el"]] == [
        "DisjointUnion(<http://e.org/Pet> <http://e.org/Cat> <http://e.org/Dog>)",
        "SubClassOf(<http://e.org/A> ObjectAllValuesFrom(<http://e.org/r> <http://e.org/B>))",
    ]
    assert found["outside_el"][0]["used"] and not found["outside_el"][0]["exact"]
    target = tmp_path / "report.json"
    assert moose("check", outside, "--json", "-o", target).out == ""
    assert target.read_text().startswith("{")


def test_a_chain_without_the_range_is_told_with_its_cure_in_short_names(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "heart.ofn"
    told = "SubObjectPropertyOf(ObjectPropertyChain(:at :partOf) :at) ObjectPropertyRange(:at :Place) SubClassOf(:A :B)"
    path.write_text(f"Prefix(:=<http://e.org/>) Ontology({told})")
    out = moose("check", path).out
    assert "asks that partOf, the last property of the chain, have every range of at;" in out
    assert "; state ObjectPropertyRange(partOf Place), too, if it is true, and none is missed\n" in out
    assert "range of <http://e.org/at>" in moose("check", path, "--names", "iri").out
    path.write_text(f"Prefix(:=<http://e.org/>) Ontology({told} ObjectPropertyRange(:partOf :Place))")
    assert "every axiom is in OWL 2 EL" in moose("check", path).out


def test_names_that_are_used_but_not_declared(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "bike.omn"
    typos = "".join(f", hasPart some Tire{number}" for number in range(6))
    path.write_text(
        "Prefix: : <http://e.org/> Ontology: ObjectProperty: hasPart Individual: Rim "
        + "".join(f"Class: Wheel{number} " for number in range(8))
        + f"Class: Tyre Class: Wheel SubClassOf: hasPart some Rim{typos}"
    )
    outcome = moose("check", path)
    assert outcome.code == 0
    lines = [line for line in outcome.out.splitlines() if line.startswith("undeclared")]
    assert lines[0] == "undeclared   Rim is used as a class but declared as an individual"
    assert lines[1] == "undeclared   Tire0 is used as a class but not declared; did you mean Tyre?"
    assert lines[5:] == ["undeclared   and 2 more; --json lists them"]
    found = moose("check", path, "--json").json
    assert found["undeclared"] == len(found["undeclared_names"]) == 7
    assert found["undeclared_names"][1] == {
        "iri": "http://e.org/Tire0",
        "used_as": "a class",
        "declared_as": None,
        "did_you_mean": ["Tyre"],
    }
