"""`moose fit-listing` learns how cases list findings, and writes what `moose rank --listing` reads."""

from __future__ import annotations

import json
from math import isfinite
from pathlib import Path

import pytest

import moose as package
from tests.cli.running import Command

WARD = package.PIZZERIA.with_name("ward.ofn")
CASES = WARD.with_name("ward_cases.csv")
OBO = """\
format-version: 1.2
ontology: hp

[Term]
id: HP:0000118

[Term]
id: HP:0000001
is_a: HP:0000118

[Term]
id: HP:0000003
is_a: HP:0000118
"""
ROW = "OMIM:{0}\tname {0}\t\tHP:{1:07}\tPMID:{2}\tPCS\t\t{3}\t\t\tP\t\n"


def packet(name: str, finding: str, disease: str, paper: str) -> dict[str, object]:
    return {
        "id": name,
        "phenotypicFeatures": [{"type": {"id": finding}}],
        "diseases": [{"term": {"id": disease}}],
        "metaData": {"externalReferences": [{"id": paper}]},
    }


def test_what_is_learnt_is_what_rank_reads(moose: Command, tmp_path: Path) -> None:
    listing = tmp_path / "listing.json"
    found = moose("fit-listing", WARD, CASES, "--steps", "5", "-o", listing, "--held-out", CASES)
    assert found.code == 0 and found.out == ""
    assert "learnt from 10 cases; mean loss 0.7" in found.err and "ward_cases.csv: mean loss" in found.err
    value = json.loads(listing.read_text(encoding="utf-8"))
    assert value["kind"] == "moose listing 1" and value["learnt"]["cases"] == 10
    jon = tmp_path / "jon.csv"
    jon.write_text("case,finding,present\nJon,BreathingFinding,yes\nJon,EveningFever,no\n", encoding="utf-8")
    ranked = moose("rank", WARD, jon, "--listing", listing, "--json").json
    assert ranked["noise"] == value["listing"]
    (found_case,) = ranked["cases"]
    assert sum(one["probability"] for one in found_case["hypotheses"]) + found_case["none"] == pytest.approx(1.0)
    assert "none of these" in moose("rank", WARD, jon, "--listing", listing).out
    page = tmp_path / "page.html"
    assert moose("rank", WARD, jon, "--listing", listing, "-o", page).code == 0
    assert "none of these" in page.read_text(encoding="utf-8")
    assert "as learnt in listing.json" in page.read_text(encoding="utf-8")


def test_annotations_that_a_case_wrote_itself_are_left_out(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "hp.obo").write_text(OBO, encoding="utf-8")
    rows = [ROW.format(1, 1, 1, "3/4"), ROW.format(2, 3, 9, "9/10"), ROW.format(2, 1, 2, "1/9")]
    (tmp_path / "p.hpoa").write_text("".join(rows), encoding="utf-8")
    packets = [packet("a", "HP:0000003", "OMIM:2", "PMID:9"), packet("b", "HP:0000001", "OMIM:1", "PMID:7")]
    (tmp_path / "cases.json").write_text(json.dumps(packets), encoding="utf-8")
    command = ("fit-listing", tmp_path / "hp.obo", tmp_path / "cases.json", "--annotations", tmp_path / "p.hpoa")
    left, kept = (moose(*command, "--steps", "1", *more).json["learnt"] for more in ((), ("--keep-own-papers",)))
    assert left["cases"] == kept["cases"] == 2
    assert left["loss_before"] > kept["loss_before"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "expected a listing as `moose fit-listing` writes it, but line 1 is no JSON"),
        ("[]", "but got a list"),
        ('{"kind": "other"}', "its kind is not 'moose listing 1'; learn it anew"),
        ('{"kind": "moose listing 1", "listing": []}', "expected the numbers of a listing under `listing`, but got"),
        ('{"kind": "moose listing 1", "listing": {"dirct": 0.5}}', "but got 'dirct'; did you mean direct"),
        ('{"kind": "moose listing 1", "listing": {"few": "x"}}', 'few: expected a number, but got "x"'),
        ('{"kind": "moose listing 1", "listing": {"chance": 1}}', "chance: expected a number above 0 and below 1"),
        ('{"kind": "moose listing 1", "listing": {"few": 1e999}}', "few: expected a number of at most 1e+09"),
        ('{"kind": "moose listing 1", "listing": {"few": 1' + "0" * 400 + "}}", "few: expected a number of at most"),
    ],
)
def test_other_files_are_refused(moose: Command, tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "listing.json"
    path.write_text(text, encoding="utf-8")
    assert complaint in moose("rank", WARD, CASES, "--listing", path).one_complaint()


def test_what_cannot_be_learnt_from_is_refused(moose: Command, tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("case,finding\nx,Fever\n", encoding="utf-8")
    assert "none has a truth; name it in the cases" in moose("fit-listing", WARD, table).one_complaint()
    table.write_text("case,finding,truth\nx,Fevr,MarshFever\n", encoding="utf-8")
    assert "case x: expected the name of a class" in moose("fit-listing", WARD, table).one_complaint()
    table.write_text("case,finding,missed,reported,truth\nx,Fever,0.1,0.1,MarshFever\n", encoding="utf-8")
    assert "without noise of their own" in moose("fit-listing", WARD, table).one_complaint()
    command = ("fit-listing", WARD, CASES, "--missed", "0.1")
    assert "expected no noise of two numbers" in moose(*command).one_complaint()
    assert "expected it alone" in moose("rank", WARD, CASES, "--listing", table, "--missed", "0.1").one_complaint()


@pytest.mark.parametrize("command", [("fit-listing", WARD, CASES), ("fit-probabilities", WARD, CASES)])
def test_an_output_that_cannot_be_written_is_said_before_learning(
    moose: Command, tmp_path: Path, command: tuple[str | Path, ...]
) -> None:
    for output, reason in ((tmp_path / "none" / "l.json", "no such file or directory"), (tmp_path, "is a directory")):
        complaint = moose(*command, "-o", output).one_complaint()
        assert complaint.startswith(f"moose: {output}: cannot be written ({reason})")
    own = tmp_path / "ward.ofn"
    own.write_bytes(WARD.read_bytes())
    assert "would be overwritten" in moose(command[0], own, "no such file", "-o", own).one_complaint()
    assert [path.name for path in tmp_path.iterdir()] == ["ward.ofn"], "nothing is left behind"


def test_losses_are_numbers_however_sure_the_listing_is(moose: Command, tmp_path: Path) -> None:
    start, learnt = tmp_path / "start.json", tmp_path / "learnt.json"
    start.write_text('{"kind": "moose listing 1", "listing": {"temperature": 1e-4}}', encoding="utf-8")
    command = ("fit-listing", WARD, CASES, "--listing", start, "--steps", "2", "--held-out", CASES, "-o", learnt)
    assert moose(*command).code == 0
    value = json.loads(learnt.read_text(encoding="utf-8"), parse_constant=pytest.fail)["learnt"]
    assert all(isfinite(value[name]) and value[name] > 100 for name in value if name.startswith(("loss", "held")))
    ranked = moose("rank", WARD, CASES, "--listing", learnt, "--json")
    assert ranked.code == 0 and json.loads(ranked.out, parse_constant=pytest.fail)


def test_truths_that_are_no_hypothesis_are_told(moose: Command, tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("case,finding,truth\nx,Fever,MarshFevr\n", encoding="utf-8")
    found = moose("fit-listing", WARD, table, "--steps", "1")
    assert "learnt from 1 case; " in found.err
    assert "1 truths that are none of the hypotheses, or have no finding left, such as MarshFevr" in found.err
