"""`moose rank`: lines, JSON, the page, and what is said of files that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import moose as package
from tests.cli.running import Command

WARD = package.PIZZERIA.with_name("ward.ofn")
CASES = WARD.with_name("ward_cases.csv")


def test_lines(moose: Command) -> None:
    found = moose("rank", WARD, CASES, "--most", "2", "--questions", "1")
    assert found.code == 0 and found.err == ""
    assert found.out.startswith("Ada: Fever, EveningFever, NightSweats, not Rash\n    1  0.99")
    assert (
        "Jon: BreathingFinding, NightSweats, not EveningFever\n    1  0.9096  CellarCough\n    2  0.0471" in found.out
    )
    assert "    +0.98 bits  BreathingFinding (present)\n" in found.out
    assert "     0.190 bits  Sneezing (yes with 0.05)\n" in found.out


@pytest.mark.slow
def test_two_processes_say_the_same(moose: Command) -> None:
    pytest.importorskip("joblib")
    for command in (("rank", WARD, CASES), ("query", package.PIZZERIA, "SubClassOf(Pizza Dish)", "consistent")):
        alone, shared = moose(*command), moose(*command, "--jobs", "2")
        assert alone.code == shared.code == 0
        assert shared.out == alone.out


def test_json(moose: Command) -> None:
    found = moose("rank", WARD, CASES, "--json", "--priors", WARD.with_name("ward_priors.tsv"))
    value = found.json
    assert "no medical device" in value["warning"]
    assert value["hypotheses"] == 9 and value["noise"] == {"missed": 0.05, "reported": 0.01}
    jon = value["cases"][-1]
    assert jon["case"] == "Jon" and jon["absent"] == ["EveningFever"]
    assert sum(one["probability"] for one in jon["hypotheses"]) == pytest.approx(1.0)
    assert jon["hypotheses"][0]["prior"] == pytest.approx(30 / 140)
    assert jon["comparison"]["bits"] == pytest.approx(
        jon["comparison"]["prior_bits"] + sum(one["bits"] for one in jon["comparison"]["differences"])
    )
    assert len(jon["questions"]) == 3


def test_infinite_bits_are_null_in_json(moose: Command, tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("case,finding\nx,Numbness\n", encoding="utf-8")
    found = moose("rank", WARD, table, "--json", "--missed", "0", "--reported", "0", "--explained", "9")
    assert found.code == 0 and "Infinity" not in found.out and "NaN" not in found.out
    last = found.json["cases"][0]["hypotheses"][-1]
    assert last["probability"] == 0 and last["observations"][0]["bits"] is None


def test_the_page_loads_nothing_and_runs_nothing(moose: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    table = tmp_path / "cases.csv"
    table.write_text("case,finding\n<b>x</b>,Fever\n", encoding="utf-8")
    assert moose("rank", WARD, table, "-o", page).code == 0
    text = page.read_text(encoding="utf-8")
    assert "It is no medical device" in text and "&lt;b&gt;x&lt;/b&gt;" in text and "<b>" not in text
    assert not re.search(r"<script|src=|https?://(?!example)", text)
    assert "default-src 'none'; style-src 'sha256-" in text


def test_costs(moose: Command) -> None:
    found = moose("rank", WARD, CASES, "--costs", WARD.with_name("ward_costs.tsv"), "--json")
    dan = found.json["cases"][3]
    assert [one["cost"] for one in dan["questions"] if one["shown"] == "EveningFever"] in ([3.0], [])


def test_unknown_findings(moose: Command, tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("case,finding\nx,Fevr\nx,Rash\n", encoding="utf-8")
    assert (
        "case x: expected the name of a class, but the ontology has no 'Fevr'; did you mean"
        in moose("rank", WARD, table).one_complaint()
    )
    found = moose("rank", WARD, table, "--skip-unknown")
    assert found.code == 0 and "left out 1 findings" in found.err


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("MarshFever\t1\nMarshFever\t2\n", "line 2: expected MarshFever once"),
        ("x\ty\nMarshFever\n", "line 2: expected a name, a TAB and a number"),
        ("MarshFever\t1\n", "expected a prior for each hypothesis"),
    ],
)
def test_bad_priors(moose: Command, tmp_path: Path, text: str, complaint: str) -> None:
    priors = tmp_path / "p.tsv"
    priors.write_text(text, encoding="utf-8")
    assert complaint in moose("rank", WARD, CASES, "--priors", priors).one_complaint()


def test_bad_noise(moose: Command) -> None:
    complaint = moose("rank", WARD, CASES, "--missed", "2").one_complaint()
    assert "missed: expected a probability from 0 to below 1, but got 2.0" in complaint
