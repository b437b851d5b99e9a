"""What the commands say where axioms that may matter are outside EL: never "does not follow", never "exact"."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from moose import entailment, load
from moose.certificates.make.certify_entailment import certify_axiom
from moose.certificates.write import write_certificate
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import Class
from tests.cli.running import Command

OPEN = """
Prefix(:=<http://e.org/>)
Prefix(d:=<https://sites.google.com/a/unife.it/ml/disponte#>)
Ontology(
  SubClassOf(:A ObjectIntersectionOf(ObjectUnionOf(:B :C) ObjectUnionOf(:B :D)))
  SubClassOf(ObjectIntersectionOf(:C :D) :B)
  SubClassOf(Annotation(d:probability "0.3") :A :B) SubClassOf(:E :F) ClassAssertion(:A :a)
)
"""
SHORT = "SubClassOf(A ObjectIntersectionOf(ObjectUnionOf(B C) ObjectUnionOf(B D)))"
"""Which needs two distinctions at once, where one after the other is tried."""
UNION = re.sub(r"\b([ABCD])\b", r"<http://e.org/\1>", SHORT)
GOAL = "SubClassOf(A B)"


@pytest.fixture
def open_ontology(tmp_path: Path) -> Path:
    path = tmp_path / "open.ofn"
    path.write_text(OPEN.replace('Annotation(d:probability "0.3") :A :B', ":E :G"), "utf-8")
    return path


@pytest.fixture
def uncertain(tmp_path: Path) -> Path:
    path = tmp_path / "uncertain.ofn"
    path.write_text(OPEN, "utf-8")
    return path


def test_what_was_not_found_is_not_denied(moose: Command, open_ontology: Path) -> None:
    outcome = moose("explain", open_ontology, GOAL)
    assert (outcome.code, outcome.out) == (4, "")
    assert "SubClassOf(A B) was not found with the EL part: 1 axiom that may matter was not used" in outcome.err
    assert "--unused lists them" in outcome.err
    listed = moose("explain", open_ontology, GOAL, "--unused").err
    assert f"not used whole: {SHORT}: OWL 2 EL has no unions" in listed
    found = moose("explain", open_ontology, GOAL, "--json")
    assert found.code == 4
    assert (found.json["follows"], found.json["complete"], found.json["unused"]) == (None, False, [UNION])


def test_what_cannot_be_touched_is_denied(moose: Command, open_ontology: Path) -> None:
    outcome = moose("explain", open_ontology, "SubClassOf(D B)", "--json")
    assert outcome.code == 4  # by its instance, which might contradict
    text = open_ontology.read_text("utf-8").replace("ClassAssertion(:A :a)", "")
    open_ontology.write_text(text, "utf-8")
    outcome = moose("explain", open_ontology, "SubClassOf(D B)", "--json")
    assert outcome.code == 1
    assert (outcome.json["follows"], outcome.json["complete"], outcome.json["unused"]) == (False, True, [])


def test_whether_there_is_a_model_is_not_known_either(moose: Command, open_ontology: Path) -> None:
    assert moose("explain", open_ontology, "--inconsistency").code == 1  # there is nothing that could contradict
    contradiction = "SubClassOf(:A ObjectUnionOf(:C :D)) DisjointClasses(:B :C :D) ClassAssertion"
    text = open_ontology.read_text("utf-8").replace("ClassAssertion", contradiction)
    open_ontology.write_text(text, "utf-8")
    assert moose("explain", open_ontology, "--inconsistency").code == 4


def test_a_probability_is_a_lower_bound(moose: Command, uncertain: Path) -> None:
    outcome = moose("query", uncertain, GOAL)
    assert "  probability ≥ 0.3 = 3/10\n" in outcome.out
    assert "only bounds are known: 1 axiom that may matter was not used" in outcome.err
    assert "limit" not in outcome.err
    found = moose("query", uncertain, GOAL, "--json").json
    assert (found["probability"], found["lower"], found["upper"], found["exact"]) == (None, "3/10", "1/1", False)
    assert (found["complete"], found["unused"], found["all_justifications"]) == (False, [UNION], False)
    assert found["limit_reached"] is False


def test_bounds_on_both_sides(moose: Command, uncertain: Path, tmp_path: Path) -> None:
    numbers = tmp_path / "numbers.tsv"
    numbers.write_text(f"{SHORT}\t0.5\n", "utf-8")
    outcome = moose("query", uncertain, GOAL, "consistent", "--probabilities", numbers, "--unused")
    assert "probability between 0.3 and 0.65" in outcome.out
    assert f"not used whole: {SHORT}" in outcome.err
    assert "the limit was reached" not in outcome.err


def test_encodings_say_what_they_are_of(moose: Command, uncertain: Path) -> None:
    note = "note: of the EL part only: 1 axiom that may matter was not used whole"
    assert f"c {note}\n" in moose("encode", uncertain, GOAL).out
    outcome = moose("encode", uncertain, GOAL, "--format", "problog")
    assert f"% {note}\n" in outcome.out
    assert "the encoding is of the EL part only" in outcome.err
    assert moose("encode", uncertain, GOAL, "--json").json["unused"] == [UNION]


@pytest.mark.parametrize("command", ["classify", "realise"])
def test_what_may_be_missing_is_said(moose: Command, open_ontology: Path, command: str) -> None:
    outcome = moose(command, open_ontology)
    assert outcome.code == 0
    assert "may be missing: 1 axiom that may matter was not used" in outcome.err
    assert "not used whole: " in moose(command, open_ontology, "--unused").err
    found = moose(command, open_ontology, "--json").json
    assert (found["complete"], found["unused"]) == (False, [UNION])


def test_check_says_whether_answers_are_complete(moose: Command, open_ontology: Path, tmp_path: Path) -> None:
    assert "complete     no: 1 axiom that may matter is not used whole" in moose("check", open_ontology).out
    assert moose("check", open_ontology, "--json").json["complete"] is False
    whole = tmp_path / "whole.ofn"
    whole.write_text("Prefix(:=<http://e.org/>) Ontology(SubClassOf(ObjectUnionOf(:A :B) :C))", "utf-8")
    assert "complete     yes" in moose("check", whole).out
    assert moose("check", whole, "--json").json["complete"] is True
    assert moose("classify", whole, "--json").json["complete"] is True


def test_a_certificate_says_that_it_is_of_the_el_part(moose: Command, open_ontology: Path, tmp_path: Path) -> None:
    path = tmp_path / "not.json"
    assert moose("explain", open_ontology, GOAL, "--certificate", path).code == 4
    for arguments in ((), ("--ontology", open_ontology)):
        outcome = moose("verify", path, *arguments)
        assert outcome.code == 0, outcome
        assert "does not follow by the EL part alone" in outcome.out
        assert f"does not use whole an axiom that may matter: {UNION}" in outcome.out
        assert moose("verify", path, "--json").json["certificates"][0]["complete"] is False
    certificate = json.loads(path.read_text("utf-8"))
    del certificate["unused"]
    path.write_text(json.dumps(certificate), "utf-8")
    assert moose("verify", path).code == 0
    outcome = moose("verify", path, "--ontology", open_ontology)
    assert outcome.code == 1
    assert "it does not say that it leaves out an axiom that may matter" in outcome.err


def test_a_certified_taxonomy_says_so_too(moose: Command, open_ontology: Path, tmp_path: Path) -> None:
    path = tmp_path / "taxonomy.json"
    assert moose("classify", open_ontology, "-o", tmp_path / "t.tsv", "--certificate", path).code == 0
    outcome = moose("verify", path, "--ontology", open_ontology)
    assert outcome.code == 0
    assert "exactly as listed by the EL part alone" in outcome.out


def test_a_circuit_takes_in_what_has_clauses(moose: Command, open_ontology: Path, tmp_path: Path) -> None:
    task = tmp_path / "task.toml"
    task.write_text('ontology = "open.ofn"\nindividuals = ["x"]\nobserved = ["D"]\nlatent = ["A", "B"]\n', "utf-8")
    outcome = moose("ask", task, "--evidence", "A(x)")
    assert (outcome.code, outcome.err) == (0, "")
    assert "entailed\tB(x)" in outcome.out
    assert moose("ask", task, "--json").json["complete"] is True


def test_a_circuit_says_what_it_leaves_out(moose: Command, open_ontology: Path, tmp_path: Path) -> None:
    task = tmp_path / "task.toml"
    task.write_text('ontology = "open.ofn"\nindividuals = ["x"]\nobserved = ["D"]\nlatent = ["A", "B"]\n', "utf-8")
    outcome = moose("ask", task, "--encoding", "paper")
    assert outcome.code == 0
    assert "the circuit does not take in all of the ontology: 1 axiom that may matter was not used" in outcome.err
    assert moose("ask", task, "--encoding", "paper", "--json").json["complete"] is False
    assert moose("compile", task, "--encoding", "paper", "--json").json["unused"] == [UNION]


def test_a_certificate_in_names_of_nobody_is_accepted_where_nothing_is_left_open(
    moose: Command, tmp_path: Path
) -> None:
    file, path = tmp_path / "o.ofn", tmp_path / "not.json"
    file.write_text("Ontology(SubClassOf(<urn:A> ObjectAllValuesFrom(<urn:r> <urn:B>)))")
    ontology, goal = load(file), SubClassOf(Class("urn:C"), Class("urn:D"))
    assert entailment(ontology, goal).follows is False
    with path.open("w", encoding="utf-8") as stream:
        write_certificate(certify_axiom(ontology, goal, follows=False), stream)
    assert moose("verify", path, "--ontology", file).code == 0
