"""`moose fit-probabilities` learns the probabilities of axioms from cases, and writes what `moose query` reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Command

BIRDS = """Prefix(:=<urn:>) Prefix(moose:=<urn:moose:>)
Ontology(
ClassAssertion(:Bird :tweety)
SubClassOf(Annotation(moose:probability "0.5") :Bird :Flyer)
SubClassOf(Annotation(moose:probability "0.5") :Bird :Singer)
)
"""
SEEN = "ClassAssertion(Flyer tweety),ClassAssertion(Singer tweety),count\n1,0,3\n0,?,1\n"


@pytest.fixture
def birds(tmp_path: Path) -> Path:
    (tmp_path / "birds.ofn").write_text(BIRDS, "utf-8")
    (tmp_path / "seen.csv").write_text(SEEN, "utf-8")
    return tmp_path


def test_what_is_learnt_can_be_asked(moose: Command, birds: Path) -> None:
    ontology, learnt = birds / "birds.ofn", birds / "learnt.tsv"
    outcome = moose("fit-probabilities", ontology, birds / "seen.csv", "-o", learnt)
    assert outcome.code == 0
    assert "log-likelihood -2.24934 of 4 cases" in outcome.err
    asked = moose("query", ontology, "SubClassOf(Bird Flyer)", "--probabilities", learnt, "--without-annotations")
    assert "probability 0.75" in asked.out


def test_options_are_passed_on(moose: Command, birds: Path) -> None:
    files = birds / "birds.ofn", birds / "seen.csv"
    flyer, singer = "SubClassOf(Bird Flyer)", "SubClassOf(Bird Singer)"
    found = moose("fit-probabilities", *files, "--json", "--tied", f"{flyer} | {singer}", "--method", "gradient").json
    first, second = (float(row["probability"]) for row in found["axioms"])
    assert first == second == pytest.approx(3 / 7, abs=1e-3)
    assert found["converged"]
    fixed = moose("fit-probabilities", *files, "--json", "--fixed", singer, "--prior", "2,2").json["axioms"]
    assert [row["learnt"] for row in fixed] == [True, False]
    assert float(fixed[0]["probability"]) == pytest.approx(2 / 3)
    held = moose("fit-probabilities", *files, "--json", "--fixed", singer, "--held-out", files[1]).json
    assert held["held_out_log_likelihood"] == held["log_likelihood"]
    one = moose("fit-probabilities", *files, "--json", "--per-individual", flyer, "--checkpoint", birds / "state").json
    assert one["axioms"][0]["probability"] == "3/4"
    assert (birds / "state").exists()


def test_what_is_wrong_is_said(moose: Command, birds: Path) -> None:
    files = birds / "birds.ofn", birds / "seen.csv"
    assert "two numbers such as 2,2" in moose("fit-probabilities", *files, "--prior", "much").one_complaint()
    assert "there is no such file" in moose("fit-probabilities", files[0], birds / "none.csv").one_complaint()
    (birds / "odd.csv").write_text("ClassAssertion(Flyer tweety),SubClassOf(Bird Flyer)\n1,0\n", "utf-8")
    assert (
        "odd.csv:2: expected what some world" in moose("fit-probabilities", files[0], birds / "odd.csv").one_complaint()
    )
