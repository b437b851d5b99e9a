"""`moose explain` proves what follows, and says no to what does not."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import moose as package
from tests.cli.running import Command

GOAL = "SubClassOf(Diavola SpicyDish)"


@pytest.mark.parametrize(
    "goal",
    [
        GOAL,
        "SubClassOf(:Diavola :SpicyDish)",
        "SubClassOf(<https://example.org/pizzeria#Diavola> 'spicy dish')",
        "SubClassOf(Diavola ObjectIntersectionOf(Pizza ObjectSomeValuesFrom(contains 'chilli pepper')))",
        "EquivalentClasses(VeganSalami owl:Nothing)",
        "ClassAssertion(HouseDish tonightsSpecial)",
    ],
)
def test_what_follows(moose: Command, goal: str) -> None:
    outcome = moose("explain", package.PIZZERIA, goal)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.endswith("\n")


def test_the_proof_names_what_it_uses(moose: Command) -> None:
    text = moose("explain", package.PIZZERIA, GOAL).out
    for name in ("Diavola", "SpicySalami", "Chilli", "SpicyIngredient", "SpicyDish"):
        assert name in text


def test_what_does_not_follow(moose: Command) -> None:
    outcome = moose("explain", package.PIZZERIA, "SubClassOf(Napoli SpicyDish)")
    assert (outcome.code, outcome.out) == (1, "")
    assert "SubClassOf(Napoli SpicyDish) does not follow" in outcome.err
    with_json = moose("explain", package.PIZZERIA, "SubClassOf(Napoli SpicyDish)", "--json")
    assert with_json.code == 1
    assert (with_json.json["follows"], with_json.json["proofs"]) == (False, [])


def test_json(moose: Command) -> None:
    found = moose("explain", package.PIZZERIA, GOAL, "--json").json
    assert found["follows"] is True
    assert found["goal"] == (
        "SubClassOf(<https://example.org/pizzeria#Diavola> <https://example.org/pizzeria#SpicyDish>)"
    )
    assert len(found["proofs"]) == 1
    assert found["proofs"][0]["steps"][-1]["conclusion"] == found["proofs"][0]["goal"]
    assert moose("explain", package.PIZZERIA, GOAL, "--format", "json").json == found


def test_pictures(moose: Command, tmp_path: Path) -> None:
    assert moose("explain", package.PIZZERIA, GOAL, "--format", "dot").out.startswith("digraph")
    target = tmp_path / "proof.svg"
    assert moose("explain", package.PIZZERIA, GOAL, "--format", "svg", "-o", target).out == ""
    assert ET.parse(target).getroot().tag.endswith("svg")
    two = moose("explain", package.PIZZERIA, "EquivalentClasses(VeganSalami owl:Nothing)", "--format", "svg").out
    assert [part.tag.rpartition("}")[2] for part in ET.fromstring(two)] == ["svg", "svg"]


def test_why_an_ontology_is_inconsistent(moose: Command, inconsistent: Path) -> None:
    asked = moose("explain", inconsistent, "--inconsistency")
    assert asked.code == 3
    assert "tom" in asked.out
    assert "the ontology is inconsistent" in asked.err
    assert moose("explain", inconsistent, "SubClassOf(owl:Thing owl:Nothing)").out == asked.out
    assert moose("explain", inconsistent, "SubClassOf(Dog Cat)").code == 3


def test_a_consistent_ontology_has_no_proof_of_the_contrary(moose: Command) -> None:
    outcome = moose("explain", package.PIZZERIA, "--inconsistency")
    assert (outcome.code, outcome.out) == (1, "")
    assert "does not follow" in outcome.err


def test_what_follows_directly_does_not_hide_a_contradiction(moose: Command, inconsistent: Path) -> None:
    shown = moose("explain", inconsistent, "ClassAssertion(Cat tom)")
    assert (shown.code, shown.out.splitlines()[0]) == (3, "⊤ ⊑ ⊥   [Rinconsistent]")
    assert "the ontology is inconsistent, so everything follows" in shown.err
    told = moose("explain", inconsistent, "ClassAssertion(Cat tom)", "--json")
    assert (told.code, told.json["follows"]) == (3, True)
    assert "owl#Nothing" in str(told.json["proofs"])


def test_that_a_class_is_unsatisfiable_is_explained(moose: Command) -> None:
    asked = moose("explain", package.PIZZERIA, "unsatisfiable VeganSalami")
    assert asked.code == 0
    assert asked.out == moose("explain", package.PIZZERIA, "VeganSalami SubClassOf owl:Nothing").out
    assert moose("explain", package.PIZZERIA, "unsatisfiable Pizza").code == 1
    assert "--inconsistency" in moose("explain", package.PIZZERIA, "consistent").one_complaint()


def test_a_domain_is_explained(moose: Command) -> None:
    assert moose("explain", package.PIZZERIA, "hasTopping Domain Food").code == 0
    assert moose("explain", package.PIZZERIA, "hasTopping Domain Pizza").code == 1
    assert "ask for one of these" in moose("explain", package.PIZZERIA, "hasTopping Range Food").one_complaint()
