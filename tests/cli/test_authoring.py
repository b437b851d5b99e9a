"""`moose reason`, `moose extract` and `moose diff`."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import moose as package
from tests.cli.running import Command

BASE = "https://example.org/pizzeria#"
EQUIVALENT = "Prefix(:=<http://e.org/>) Ontology(<http://e.org/> SubClassOf(:A :B) SubClassOf(:B :A) SubClassOf(:C :A))"


def test_reason_writes_what_follows(moose: Command, tmp_path: Path) -> None:
    outcome = moose("reason", package.PIZZERIA, "-o", tmp_path / "out.ofn", "--reduce", "--mark")
    assert (outcome.code, outcome.out) == (0, "")
    assert "1 class is unsatisfiable, 1 for a reason of its own" in outcome.err
    reasoned = package.load(tmp_path / "out.ofn")
    before = package.classify(package.load(package.PIZZERIA))
    assert package.classify(reasoned).closure_pairs() == before.closure_pairs()
    assert "Annotation(<http://www.geneontology.org/formats/oboInOwl#is_inferred>" in (tmp_path / "out.ofn").read_text()


def test_reason_in_json(moose: Command) -> None:
    found = moose("reason", package.PIZZERIA, "--json", "--materialise", "contains", "--reduce").json
    assert (found["inferred_subclasses"], found["materialised"], found["removed"]) == (18, 20, 1)
    assert found["unsatisfiable"] == [{"iri": BASE + "VeganSalami", "root": True, "derives_from": [], "roots": []}]


def test_reason_to_the_output(moose: Command) -> None:
    outcome = moose("reason", package.PIZZERIA, "--syntax", "turtle", "-o", "-")
    assert "rdfs:subClassOf" in outcome.out


@pytest.mark.parametrize(
    ("what", "code"), [("unsatisfiable", 1), ("equivalent,inconsistent", 0), ("equivalent, unsatisfiable", 1)]
)
def test_reason_fails_on_what_it_is_told_to(what: str, code: int, moose: Command, tmp_path: Path) -> None:
    outcome = moose("reason", package.PIZZERIA, "--fail-on", what, "-o", tmp_path / "out.ofn")
    assert outcome.code == code
    assert (tmp_path / "out.ofn").exists() == (code == 0)


def test_reason_fails_on_equivalences(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "e.ofn"
    file.write_text(EQUIVALENT)
    outcome = moose("reason", file, "--fail-on", "equivalent", "--json")
    assert outcome.code == 1
    assert outcome.json["equivalent"] == [["http://e.org/A", "http://e.org/B"]]
    assert outcome.json["failed_on"] == ["equivalent"]
    assert "1 group of classes is equivalent without being asserted so" in outcome.err


def test_reason_refuses_bad_input(moose: Command, inconsistent: Path) -> None:
    assert (
        "--fail-on: expected inconsistent, unsatisfiable, equivalent, but got 'unsat'"
        in moose("reason", package.PIZZERIA, "--fail-on", "unsat").one_complaint()
    )
    assert (
        "expected the name of an object property"
        in moose("reason", package.PIZZERIA, "--materialise", "Pizza", "--json").one_complaint()
    )
    assert moose("reason", inconsistent, "--json").code == 3


def test_extract(moose: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "module.ofn"
    found = moose("extract", package.PIZZERIA, "--term", "Napoli", "--method", "bot", "-o", out, "--json").json
    assert (found["axioms"], found["of_axioms"], found["method"]) == (
        51,
        len(package.load(package.PIZZERIA).axioms),
        "bot",
    )
    assert len(package.load(out).axioms) == 51
    monkeypatch.setattr("sys.stdin", io.StringIO("# terms\nNapoli # a pizza\n\nMargherita\n"))
    assert moose("extract", package.PIZZERIA, "--file", "-", "--json").json["axioms"] == 37


def test_extract_refuses_what_it_does_not_know(moose: Command) -> None:
    assert "did you mean Napoli?" in moose("extract", package.PIZZERIA, "--term", "Napolli", "--json").one_complaint()
    assert "expected terms" in moose("extract", package.PIZZERIA, "--json").one_complaint()


def test_diff(moose: Command, tmp_path: Path) -> None:
    new = tmp_path / "new.ofn"
    package.write(
        package.classify(package.load(package.PIZZERIA)).add("Napoli SubClassOf contains some Chilli").ontology, new
    )
    outcome = moose("diff", package.PIZZERIA, new)
    assert outcome.code == 0
    assert "+ SubClassOf(Napoli ObjectSomeValuesFrom(contains Chilli))" in outcome.out
    assert "+ Napoli SubClassOf SpicyDish" in outcome.out
    assert moose("diff", package.PIZZERIA, new, "--exit-code", "--asserted").code == 1
    assert moose("diff", package.PIZZERIA, package.PIZZERIA, "--exit-code").out == "No difference.\n"
    assert moose("diff", package.PIZZERIA, new, "--json").json["differ"] is True
    assert moose("diff", package.PIZZERIA, new, "--format", "html").out.startswith("<!doctype html>")
    assert "### Inferred (1 added" in moose("diff", package.PIZZERIA, new, "--format", "markdown").out


@pytest.mark.parametrize(("alias", "name"), [("ttl", "turtle"), ("ofn", "functional"), ("owl", "rdfxml")])
def test_an_ending_names_a_syntax(moose: Command, alias: str, name: str) -> None:
    assert (
        moose("convert", package.PIZZERIA, "--syntax", alias).out
        == moose("convert", package.PIZZERIA, "--syntax", name).out
    )


def test_an_unknown_syntax_gets_one_sentence(moose: Command) -> None:
    said = moose("convert", package.PIZZERIA, "--syntax", "turtel").one_complaint()
    assert "expected the name of a syntax to write" in said and "did you mean turtle?" in said


def test_merge_without_an_output_names_the_option(moose: Command) -> None:
    said = moose("merge", package.PIZZERIA).one_complaint()
    assert "-o out.ofn" in said and "--syntax" in said


def test_html_is_titled_by_the_files_where_both_have_one_iri(moose: Command, tmp_path: Path) -> None:
    old, new = tmp_path / "old.ofn", tmp_path / "new.ofn"
    for file, name in ((old, "b"), (new, "c")):
        file.write_text(f"Ontology(<urn:o> SubClassOf(<urn:a> <urn:{name}>))", "utf-8")
    assert "<title>old.ofn → new.ofn</title>" in moose("diff", old, new, "--format", "html").out
