"""The campaign on diagnosis: its measures, its baselines on small data, and that nothing is done twice."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import moose
from bench import diagnosis, diagnosis_summary
from bench.diagnosis_data import Dated, Report, apart_from
from bench.diagnosis_dialogues import STRATEGIES, ask
from bench.diagnosis_methods import PLAIN, Bayes, Settings, Similarity, parents
from moose.ranking.reading.hpoa import Annotation, annotated_diseases

OBO = """\
format-version: 1.2
ontology: hp

[Term]
id: HP:0000118

[Term]
id: HP:0000001
is_a: HP:0000118

[Term]
id: HP:0000002
is_a: HP:0000001

[Term]
id: HP:0000003
is_a: HP:0000118
"""
FEVER, HIGH_FEVER, RASH = "HP:0000001", "HP:0000002", "HP:0000003"
REPORT = Report("one", "OMIM:2", frozenset({"PMID:9"}), ((RASH, True), (HIGH_FEVER, False), ("HP:7777777", True)))


@pytest.fixture
def small(tmp_path: Path) -> Dated:
    (tmp_path / "hp.obo").write_text(OBO, encoding="utf-8")
    rows = [
        Annotation("OMIM:1", "A", HIGH_FEVER, "PMID:1", "3/4", is_excluded=False),
        Annotation("OMIM:2", "B", RASH, "PMID:9", "9/10", is_excluded=False),
        Annotation("OMIM:2", "B", FEVER, "PMID:2", "", is_excluded=False),
        Annotation("OMIM:3", "C", RASH, "PMID:3", "1/10", is_excluded=False),
    ]
    return Dated("today", annotated_diseases(moose.load(tmp_path / "hp.obo"), rows))


@pytest.mark.parametrize("is_naive", [False, True])
def test_the_own_paper_is_left_out(small: Dated, is_naive: bool) -> None:
    method = Bayes(small, Settings(), is_naive=is_naive)
    kept, left = (method.scores(REPORT, with_excluded=False, leave_paper_out=one) for one in (False, True))
    assert np.argmax(kept) == 1 and np.argmax(left) == 2
    assert kept[[0, 2]] == pytest.approx(left[[0, 2]])


def test_naive_and_exact_agree_where_nothing_is_shared(small: Dated) -> None:
    exact, naive = (
        Bayes(small, Settings(excluded=2.0), is_naive=one).scores(REPORT, with_excluded=True, leave_paper_out=True)
        for one in (False, True)
    )
    assert exact == pytest.approx(naive)


def test_nested_findings_tell_naive_from_exact(small: Dated) -> None:
    nested = Report("two", "OMIM:1", frozenset(), ((FEVER, True), (HIGH_FEVER, True)))
    exact, naive = (
        Bayes(small, PLAIN, is_naive=one).scores(nested, with_excluded=True, leave_paper_out=False)
        for one in (False, True)
    )
    assert exact[0] == pytest.approx(np.log(1 - 0.25 * (1 - 0.75 / 3)), rel=1e-4)
    assert naive[0] < exact[0] - 0.1


def test_phrank_adds_up_what_is_above_both(small: Dated) -> None:
    found = Similarity(small, "phrank").scores(REPORT, with_excluded=False, leave_paper_out=False)
    assert found == pytest.approx([0.0, np.log2(3 / 2), np.log2(3 / 2)])


def test_resnik_takes_the_best_above_both(small: Dated) -> None:
    nested = Report("two", "OMIM:1", frozenset(), ((HIGH_FEVER, True),))
    found = Similarity(small, "resnik").scores(nested, with_excluded=False, leave_paper_out=False)
    content = {"high": np.log2(3), "fever": np.log2(3 / 2)}
    assert found == pytest.approx([content["high"], (content["fever"] + content["fever"] / 2) / 2, 0.0])


def test_parents_are_those_directly_above(small: Dated) -> None:
    findings = small.diseases.findings
    number = {name[-7:]: place for name, place in findings.numbers.items()}
    assert parents(findings, number["0000002"]) == [number["0000001"]]


def test_reports_that_share_a_paper_or_a_disease_are_set_apart() -> None:
    other = [Report(key, gold, frozenset({paper}), ()) for key, gold, paper in ("aX9", "bOP", "c29")]
    cases = [Report("x", "X", frozenset({"P"}), ())]
    assert [one.key for one in apart_from(other, cases)] == ["c"]


def test_ties_count_against_the_right_disease() -> None:
    row = diagnosis.measured(np.zeros(4), 2, 0.0)
    assert row == {"rank": 4, "gold": 0.25, "top": 0.25, "brier": 0.75}
    assert diagnosis.measured(np.array([0.0, -1e6]), None, 0.2)["rank"] is None
    assert diagnosis.measured(np.array([0.0, -1e6]), 0, 0.2)["top"] == pytest.approx(0.9)


def test_the_calibration_error_is_zero_where_shares_are_right() -> None:
    right = np.array([True] * 3 + [False])
    assert diagnosis_summary.calibration_error(np.full(4, 0.75), right) == 0.0
    assert diagnosis_summary.calibration_error(np.full(4, 0.95), right) == pytest.approx(0.2)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_dialogue_ends(small: Dated, strategy: str) -> None:
    report = Report("two", "OMIM:1", frozenset(), ((FEVER, True), (HIGH_FEVER, True), (RASH, False)))
    row = ask(Bayes(small, Settings()), report, strategy)
    assert row["first"] and row["findings"] == 3


@pytest.fixture
def campaign(small: Dated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(diagnosis, "WORK", tmp_path)
    monkeypatch.setattr(diagnosis, "dated", lambda _: small)
    return diagnosis


def test_nothing_is_done_twice_and_a_cut_line_is_done_again(campaign: ModuleType, tmp_path: Path) -> None:
    run = diagnosis.Run("exact", "today", with_excluded=True, leave_paper_out=True)
    settings = Settings()
    diagnosis.run_all(run, [REPORT], settings)
    diagnosis.run_all(run, [REPORT], settings)
    path = tmp_path / "cases.jsonl"
    (line,) = path.read_text().splitlines()
    path.write_text(line[:20] + "\n")
    diagnosis.run_all(run, [REPORT], settings)
    assert path.read_text().splitlines()[1].startswith('{"run": "exact|today|with|left", "case": "one", "rank": 3')
    summary = diagnosis_summary.summarise(tmp_path, [REPORT])
    assert isinstance(summary["runs"], dict) and summary["runs"][run.key]["top 3"] == 1.0
