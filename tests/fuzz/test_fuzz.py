"""The fuzzer itself: its cases can be repeated, its limits hold, and what is planted is found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused
from moose.owl.load import SYNTAXES, load
from tools.fuzz import targets
from tools.fuzz.byte_mutations import BYTES, Mutation, encode_otherwise, pack
from tools.fuzz.case import Case, Wrong, read_case
from tools.fuzz.cases import SHARES, draw_case, spoil_archive, spoil_packed, spoil_tensors
from tools.fuzz.documents import ENDINGS, GOLDEN, WRITERS, golden_document, written_by_hand
from tools.fuzz.oracles import in_pairs
from tools.fuzz.random_axioms import DECLARED, random_axioms
from tools.fuzz.report import Report
from tools.fuzz.shrinking import shrink
from tools.fuzz.targets import TARGETS, run_case
from tools.fuzz.token_mutations import TEXT, mutate, mutate_json
from tools.fuzz.workers import Limits, run_numbers

ROOT = Path(__file__).parents[2]
QUICK = ("ontology", "axioms", "imports", "probabilities", "task")
"""Targets whose documents are made without torch and without certificates, which take seconds."""

# ── Cases ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_syntax_and_every_target_has_its_cases() -> None:
    assert set(ENDINGS) == set(WRITERS) == {syntax.name for syntax in SYNTAXES}
    assert SHARES.keys() == TARGETS.keys()
    drawn = {draw_case(0, number, ("ontology",)).kind for number in range(150)}
    assert drawn == set(ENDINGS)


def test_a_seed_and_a_number_decide_a_case_in_every_process() -> None:
    script = (
        "from tools.fuzz.cases import draw_case; from hashlib import sha256; from sys import argv\n"
        f"cases = [draw_case(3, number, {QUICK}) for number in range(60)]\n"
        "print(sha256(repr([(c.target, c.kind, c.seed, dict(c.files)) for c in cases]).encode()).hexdigest())"
    )
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    digests = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert digests[0] == digests[1] and digests[0].strip()
    assert draw_case(3, 1, QUICK) != draw_case(4, 1, QUICK)


@pytest.mark.parametrize("syntax", ENDINGS)
def test_documents_that_are_not_spoilt_are_read(syntax: str, tmp_path: Path) -> None:
    path = tmp_path / f"o.{ENDINGS[syntax]}"
    for number in range(0, len(GOLDEN), 7):
        path.write_bytes(golden_document(number, syntax))
        assert in_pairs(load(path).axioms) == in_pairs(load(GOLDEN[number]).axioms), GOLDEN[number].name
    accepted = 0
    for document in written_by_hand(syntax):
        path.write_bytes(document)
        try:
            accepted += bool(load(path, ignore_missing_imports=True).axioms)
        except MooseError:
            continue  # one of the inputs is broken on purpose
    assert accepted


@pytest.mark.parametrize("syntax", ENDINGS)
def test_random_axioms_can_be_written(syntax: str, tmp_path: Path) -> None:
    path = tmp_path / f"o.{ENDINGS[syntax]}"
    for seed in range(20):
        axioms = random_axioms(Random(seed))
        path.write_bytes(WRITERS[syntax](axioms, DECLARED))
        assert in_pairs(load(path).axioms) == in_pairs(axioms)


@pytest.mark.parametrize("mutation", [mutate_json, spoil_archive, spoil_packed, spoil_tensors])
def test_mutations_of_a_kind_leave_what_is_spoilt(mutation: Mutation) -> None:
    for data in (b"", b"{", b"[" * 100_000 + b"]" * 100_000, b"\xff" * 20, b"\x1f\x8b"):
        assert mutation(data, b"", Random(1)) == data


@pytest.mark.parametrize("mutation", [*BYTES, *TEXT, encode_otherwise, pack])
def test_mutations_take_whatever_there_is(mutation: Mutation) -> None:
    changed = 0
    for seed in range(30):
        for data in (b"", b"(", b"a(b(c) d)\n<x>1</x>\n", b"\xff\x00(\xed\xa0\x80", golden_document(0, "owlxml")):
            found = mutation(data, b'"other"@en\n', Random(seed))
            assert isinstance(found, bytes)
            changed += found != data
    assert changed


def test_many_spoilt_documents_are_still_read(tmp_path: Path) -> None:
    states: Counter[str] = Counter()
    for number in range(60):
        folder = tmp_path / str(number)
        folder.mkdir()
        states[run_case(draw_case(5, number, ("ontology",)), folder).state] += 1
    assert min(states["read"], states["refused"]) > 5


def test_cases_survive_their_files(tmp_path: Path) -> None:
    case = Case("ontology", "turtle", {"a.ttl": b"\xff\0", "sub/b.ttl": "é\r\n".encode()}, "1/2")
    (tmp_path / "case.json").write_text(case.to_json("what"), "utf-8")
    assert read_case(tmp_path / "case.json") == case


# ── What is planted is found ──────────────────────────────────────────────────────────────────────────────────────


def plant(monkeypatch: pytest.MonkeyPatch, act: object) -> list[Case]:
    """Make one target do something else; return a case of it and one that goes well."""
    monkeypatch.setitem(targets.TARGETS, "image", act)
    good = Case("ontology", "functional", {"o.ofn": b"Ontology(SubClassOf(<u:A> <u:B>))"}, "0/0")
    return [Case("image", "image", {"a.png": b"xyz"}, "0/1"), good]


def test_an_unexpected_error_is_found_once_with_its_smallest_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(case: Case, path: Path, steps: list[str]) -> None:
        steps.append("step")
        if len(path.read_bytes()) > 1:
            raise KeyError("planted")

    bad, good = plant(monkeypatch, act)
    larger = Case("image", "image", {"a.png": b"xyz" * 50}, "0/2")
    report = Report(tmp_path / "findings")
    for number, outcome in run_numbers(iter(range(3)), [larger, bad, good].__getitem__):
        report.add([larger, bad, good][number], outcome)
    (found,) = report.findings.values()
    assert found.count == 2 and "step: KeyError: 'planted'" in found.what
    assert read_case(found.path) == bad
    assert report.of(target="ontology") == {"read": 1, "refused": 0, "found": 0}
    assert "found 2 times" in "\n".join(report.lines(1.0)) and '"found": 2' in report.to_json(1.0, seed=0)
    assert shrink(larger).files["a.png"] in (b"xy", b"yz", b"zx", b"zy", b"xz", b"yx")
    assert shrink(good) == good


def test_a_disagreement_and_an_answer_of_several_lines_are_findings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for error, text in ((Wrong("they differ"), "they differ"), (Refused("one\ntwo"), "several lines")):

        def act(case: Case, path: Path, steps: list[str], error: Exception = error) -> None:
            raise error

        bad, _ = plant(monkeypatch, act)
        outcome = run_case(bad, tmp_path)
        assert outcome.state == "found" and text in outcome.what


def outcome_of(monkeypatch: pytest.MonkeyPatch, act: object, limits: Limits) -> str:
    """Run what is planted between two cases that go well, and return what was found."""
    bad, good = plant(monkeypatch, act)
    outcomes = dict(run_numbers(iter(range(3)), [good, bad, good].__getitem__, limits=limits))
    assert outcomes[0].state == outcomes[2].state == "read"
    assert outcomes[1].state == "found"
    return outcomes[1].what


def test_a_case_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(case: Case, path: Path, steps: list[str]) -> None:
        while True:
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001 - whoever swallows errors does not swallow the limit
                continue

    assert "TooLong" in outcome_of(monkeypatch, act, Limits(seconds=0.5))


def test_a_case_that_only_waits_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(case: Case, path: Path, steps: list[str]) -> None:
        time.sleep(600)

    assert "no answer" in outcome_of(monkeypatch, act, Limits(seconds=0.5, patience=3))


def test_a_case_that_takes_too_much_memory_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(case: Case, path: Path, steps: list[str]) -> None:
        steps.append(str(len(bytearray(600 * 2**20))))

    assert "MemoryError" in outcome_of(monkeypatch, act, Limits(megabytes=300))


def test_a_process_that_dies_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    def act(case: Case, path: Path, steps: list[str]) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    assert "died" in outcome_of(monkeypatch, act, Limits())


@pytest.mark.slow
def test_the_command_runs_and_writes_its_figures(tmp_path: Path) -> None:
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    options = ["--cases", "15", "--seed", "1", "--only", "ontology", "--findings", str(tmp_path / "findings")]
    done = subprocess.run(
        [sys.executable, "-m", "tools.fuzz", *options, "--results", str(tmp_path / "fuzz.json")],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "15 cases" in done.stdout and '"cases": 15' in (tmp_path / "fuzz.json").read_text("utf-8")
    assert mutate(b"abc", b"", Random(1)) == mutate(b"abc", b"", Random(1))
