"""`moose verify`, and the options --certificate of the commands that make certificates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from moose import PIZZERIA
from tests.cli.running import Command

EX = "https://example.org/pizzeria#"


@pytest.fixture
def entailment(moose: Command, tmp_path: Path) -> Path:
    path = tmp_path / "why.json"
    assert moose("explain", PIZZERIA, "SubClassOf(Anchovy Allergen)", "--certificate", path).code == 0
    return path


def test_an_entailment_is_certified_and_verified(moose: Command, entailment: Path) -> None:
    outcome = moose("verify", entailment)
    assert outcome.code == 0
    assert f"accepted: SubClassOf(<{EX}Anchovy> <{EX}Allergen>) follows (3 steps)" in outcome.out
    assert "from 1 axiom that it quotes" in outcome.out
    assert outcome.err == ""


def test_a_non_entailment_is_certified_and_verified(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "not.json"
    outcome = moose("explain", PIZZERIA, "SubClassOf(Allergen Anchovy)", "--certificate", path)
    assert outcome.code == 1
    outcome = moose("verify", path, "--ontology", PIZZERIA)
    assert outcome.code == 0
    assert "does not follow" in outcome.out
    assert "takes for granted: no other inclusions between the data ranges hold" in outcome.out


def test_a_taxonomy_is_certified_and_verified(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.json"
    outcome = moose("classify", PIZZERIA, "-o", tmp_path / "taxonomy.tsv", "--certificate", path)
    assert outcome.code == 0
    outcome = moose("verify", path, "--ontology", PIZZERIA, "--json")
    (answer,) = outcome.json["certificates"]
    assert answer["accepted"]
    assert answer["kind"] == "taxonomy"
    assert "37 classes" in answer["claim"]


def test_a_circuit_is_certified_and_verified(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "circuit.json"
    assert moose("compile", "pizzaC", "--certificate", path).code == 0
    outcome = moose("verify", path)
    assert outcome.code == 0
    assert "has exactly the models of the 6 clauses" in outcome.out
    outcome = moose("verify", path, "--ontology", PIZZERIA)
    assert outcome.code == 1
    assert "leave out --ontology" in outcome.err


def test_a_certificate_from_another_ontology_is_refused(moose: Command, entailment: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.ofn"
    other.write_text("Ontology(\nSubClassOf(<http://example.org/A> <http://example.org/B>)\n)\n")
    outcome = moose("verify", entailment, "--ontology", other)
    assert outcome.code == 1
    assert "rests on an axiom that is not in the ontology" in outcome.err


def test_a_certificate_that_passes_over_an_axiom_is_refused(moose: Command, tmp_path: Path) -> None:
    small, large, path = tmp_path / "small.ofn", tmp_path / "large.ofn", tmp_path / "not.json"
    axioms = [f"SubClassOf(<http://example.org/{one}> <http://example.org/{two}>)" for one, two in ("AB", "BC")]
    small.write_text(f"Ontology(\n{axioms[0]}\n)\n")
    large.write_text(f"Ontology(\n{axioms[0]}\n{axioms[1]}\n)\n")
    goal = "SubClassOf(<http://example.org/B> <http://example.org/A>)"
    assert moose("explain", small, goal, "--certificate", path).code == 1
    assert moose("verify", path, "--ontology", small).code == 0
    outcome = moose("verify", path, "--ontology", large)
    assert outcome.code == 1
    assert "passes over an axiom" in outcome.err


@pytest.mark.parametrize("empty", ["DisjointClasses(<urn:A>)", "DifferentIndividuals(<urn:a>)"])
def test_an_axiom_that_says_nothing_is_not_passed_over(moose: Command, tmp_path: Path, empty: str) -> None:
    file, path = tmp_path / "o.ofn", tmp_path / "not.json"
    file.write_text(f"Ontology(\nSubClassOf(<urn:A> <urn:B>)\n{empty}\n)\n")
    assert moose("explain", file, "SubClassOf(<urn:B> <urn:A>)", "--certificate", path).code == 1
    assert moose("verify", path, "--ontology", file).code == 0


def test_what_is_wrong_is_refused_in_one_sentence(moose: Command, entailment: Path) -> None:
    tree = json.loads(entailment.read_text())
    tree["proofs"][0]["steps"][1][2] = [5]
    entailment.write_text(json.dumps(tree))
    outcome = moose("verify", entailment)
    assert outcome.code == 1
    assert outcome.out == ""
    (line,) = outcome.err.splitlines()
    assert "refused: step 1: its premises must be earlier steps, but 5 is none" in line


@pytest.mark.parametrize("text", ["", "no JSON", "[1, 2]", "{", "[" * 50_000, '{"format": "moose-certificate"}'])
def test_what_is_no_certificate_is_refused(moose: Command, tmp_path: Path, text: str) -> None:
    path = tmp_path / "no.json"
    path.write_text(text)
    outcome = moose("verify", path)
    assert outcome.code == 1
    assert len(outcome.err.splitlines()) == 1
    assert "Traceback" not in outcome.err


def test_bytes_that_are_no_text_are_refused(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "no.json"
    path.write_bytes(b"\xff\xfe\x00")
    outcome = moose("verify", path)
    assert outcome.code == 1
    assert "UTF-8" in outcome.err


def test_one_refusal_among_several_fails_the_whole(moose: Command, entailment: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    outcome = moose("verify", entailment, wrong)
    assert outcome.code == 1
    assert "accepted" in outcome.out
    assert "refused" in outcome.err


def test_a_missing_file_and_a_folder_are_bad_input(moose: Command, tmp_path: Path) -> None:
    assert "no such file" in moose("verify", tmp_path / "none.json").one_complaint()
    assert "is a folder" in moose("verify", tmp_path).one_complaint()


def test_the_certificate_must_not_overwrite_what_is_read_or_written(moose: Command, tmp_path: Path) -> None:
    outcome = moose("explain", PIZZERIA, "SubClassOf(Anchovy Allergen)", "--certificate", PIZZERIA)
    assert outcome.code == 2
    assert "is the ontology itself" in outcome.err
    same = tmp_path / "same"
    outcome = moose("compile", "pizzaC", "-o", same, "--certificate", same)
    assert "choose two names" in outcome.one_complaint()


def test_what_cannot_be_certified_is_said(moose: Command, tmp_path: Path) -> None:
    ontology, path = tmp_path / "functional.ofn", tmp_path / "c.json"
    ontology.write_text(
        "Ontology(\nFunctionalDataProperty(<http://example.org/d>)\n"
        'SubClassOf(<http://example.org/A> DataHasValue(<http://example.org/d> "x"))\n)\n'
    )
    outcome = moose("classify", ontology, "--certificate", path)
    assert outcome.code == 2
    assert "certificates do not cover FunctionalDataProperty" in outcome.err
    assert not path.exists()
