"""`moose explore`: it prints an address that answers, writes a page, and refuses what it cannot do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest

import moose as package
from moose.base.errors import LimitReached
from moose.explore.explorer import Explorer, Parameters, Values
from tests.cli.running import Command


def test_it_prints_an_address_that_answers_and_ends_by_an_interrupt() -> None:
    command = [sys.executable, "-m", "moose", "explore", str(package.PIZZERIA), "--task", "mnist1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        try:
            assert address.startswith("http://127.0.0.1:")
            with build_opener(ProxyHandler({})).open(f"{address}api/shortcuts", timeout=60) as response:
                assert json.load(response)["maps"] == "729"
        finally:
            os.kill(process.pid, signal.SIGINT)
            try:
                _, said = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
    assert process.returncode == 130
    assert "Traceback" not in said and "Ctrl-C" in said and address not in said


def test_an_exported_page_is_self_contained(moose: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert moose("explore", package.PIZZERIA, "--export", page).code == 0
    text = page.read_text("utf-8")
    assert "src=" not in text.partition('id="kept"')[0] and "explore.css" not in text
    kept = text.partition('id="kept">')[2].partition("</script>")[0]
    assert json.loads(kept)["about"][""]["classes"] == 37


def test_the_ontology_itself_is_not_overwritten(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "a.ofn"
    file.write_text("Ontology(SubClassOf(<urn:a> <urn:b>))", "utf-8")
    assert "overwritten" in moose("explore", file, "--export", file).one_complaint()
    assert file.read_text("utf-8").startswith("Ontology(")


def test_a_large_ontology_is_not_exported(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "large.ofn"
    axioms = "".join(f"SubClassOf(<urn:c{number}> <urn:top>)" for number in range(1_001))
    file.write_text(f"Ontology({axioms})", "utf-8")
    said = moose("explore", file, "--export", tmp_path / "page.html").one_complaint()
    assert "at most 1,000 classes" in said and "moose extract" in said
    assert not (tmp_path / "page.html").exists()


def test_export_takes_no_port(moose: Command, tmp_path: Path) -> None:
    said = moose("explore", package.PIZZERIA, "--export", tmp_path / "x.html", "--port", "80").one_complaint()
    assert "leave out --port" in said


def test_a_proof_that_takes_too_long_is_left_out_with_a_sentence(
    moose: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove = Explorer.why

    def limited(explorer: Explorer, parameters: Parameters) -> Values:
        if parameters["sub"].endswith("#Diavola"):
            raise LimitReached("too many rule instances")
        return prove(explorer, parameters)

    monkeypatch.setattr(Explorer, "why", limited)
    page = tmp_path / "page.html"
    outcome = moose("explore", package.PIZZERIA, "--export", page)
    assert outcome.code == 0 and "left out of the page" in outcome.err
    kept = page.read_text("utf-8").partition('id="kept">')[2].partition("</script>")[0]
    proofs = json.loads(kept)["why"]
    sentences = [one["left_out"] for one in proofs.values() if "left_out" in one]
    assert sentences and all("too many rule instances" in one for one in sentences)
    assert len([one for one in proofs.values() if one["proofs"]]) == len(proofs) - len(sentences) >= 20
