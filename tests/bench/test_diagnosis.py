"""The campaign on diagnosis: its measures, its baselines on small data, and that nothing is done twice."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import moose
from bench import diagnosis, diagnosis_calibration, diagnosis_summary
from bench.diagnosis_data import Dated, Report, apart_from
from bench.diagnosis_dialogues import STRATEGIES, answer, ask, choose
from bench.diagnosis_methods import LEAST, PLAIN, Bayes, Listed, Settings, Similarity, parents
from moose.ranking.cases import Case, Observation
from moose.ranking.listing.learn_listing import Judged
from moose.ranking.noise import Listing
from moose.ranking.posterior import posterior_of
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
    row = diagnosis.measured(np.zeros(4), 2, 4)
    assert row == {"rank": 4, "gold": 0.25, "top": 0.25, "none": 0.0, "brier": 0.75}
    assert diagnosis.measured(np.array([0.0, LEAST]), None, 2)["rank"] is None


def test_none_of_the_diseases_is_right_where_the_right_one_is_not_annotated() -> None:
    scores = np.log(np.array([0.5, 0.3, 0.2]))
    for gold in (None, 1):
        row = diagnosis.measured(np.where(np.arange(3) == 1, LEAST, scores) if gold else scores, gold, 2)
        assert row["rank"] is None and row["gold"] == row["none"]
    assert row["top"] == pytest.approx(5 / 7) and row["brier"] == pytest.approx(2 * (5 / 7) ** 2)


def test_the_calibration_error_is_zero_where_shares_are_right() -> None:
    right = np.array([True] * 3 + [False])
    assert diagnosis_summary.calibration_error(np.full(4, 0.75), right) == 0.0
    assert diagnosis_summary.calibration_error(np.full(4, 0.95), right) == pytest.approx(0.2)


def test_what_a_calibrated_method_shows_by_chance() -> None:
    chance = np.random.default_rng(0)
    confidence = np.repeat(chance.random(40), 25)
    apart, together = np.arange(1000), np.repeat(np.arange(40), 25)
    errors, expected = [], []
    for _ in range(60):
        right = np.repeat(chance.random(40) < confidence[::25], 25)  # all cases of a cluster are right, or none
        errors.append(diagnosis_summary.calibration_error(confidence, right))
        expected.append(diagnosis_summary.chance_error(confidence, right, together))
    assert np.mean(expected) == pytest.approx(np.mean(errors), rel=0.2)
    right = chance.random(1000) < confidence
    assert diagnosis_summary.correlation_within(confidence, right, together) == pytest.approx(0, abs=0.05)
    assert diagnosis_summary.chance_error(confidence, right, apart) < np.mean(errors) / 2


def test_forms_of_being_sure_are_fitted_to_who_is_right() -> None:
    chance = np.random.default_rng(0)
    totals = -np.sort(-6 * chance.normal(size=(150, 200)), axis=1)
    share = np.exp(totals / 2) / np.exp(totals / 2).sum(axis=1, keepdims=True)
    rows = [
        Judged(np.append(one, -60.0), np.zeros(200), 1, bool(chance.random() < top))
        for one, top in zip(totals, share[:, 0], strict=True)
    ]
    cases = diagnosis_calibration.scored(rows, np.zeros(150, np.bool_), np.arange(150) // 3)
    for form, start in diagnosis_calibration.FORMS.values():
        top = form(diagnosis_calibration.fitted(form, start, cases), cases)
        assert abs(top.mean() - cases.is_right.mean()) < 0.05
    rows_of_bins = diagnosis_calibration.reliability(top, cases.is_right)
    assert sum(row["cases"] for row in rows_of_bins) == 150
    reports = [Report(key, gold, frozenset({paper}), ()) for key, gold, paper in ("aXP", "bXQ", "cYQ", "dZR")]
    assert diagnosis_calibration.clusters(reports).tolist() == [0, 0, 0, 1]


def listed(small: Dated, *, is_naive: bool = False) -> Listed:
    return Listed(small, small.diseases.hypotheses(noise=Listing()), is_naive=is_naive)


@pytest.mark.parametrize("is_naive", [False, True])
def test_a_disease_without_annotations_is_no_hypothesis(small: Dated, is_naive: bool) -> None:
    report = Report("one", "OMIM:3", frozenset({"PMID:3"}), ((RASH, True),))
    kept, left = (
        listed(small, is_naive=is_naive).scores(report, with_excluded=True, leave_paper_out=one)
        for one in (False, True)
    )
    assert kept[2] > LEAST / 10 > left[2]
    assert kept[:2] == pytest.approx(left[:2])


def test_listing_is_exact_and_naive_alike_where_nothing_is_shared(small: Dated) -> None:
    exact, naive = (
        listed(small, is_naive=one).scores(REPORT, with_excluded=True, leave_paper_out=True) for one in (False, True)
    )
    assert exact == pytest.approx(naive, rel=1e-6)


def test_what_is_looked_for_speaks_for_the_disease_that_has_it(small: Dated) -> None:
    report = Report("one", "OMIM:3", frozenset(), ((RASH, False),))
    scores = listed(small).scores(report, with_excluded=True, leave_paper_out=False)
    assert scores[2] > scores[1] > scores[0]  # a rash of 1/10 is looked for as one of 9/10 is, but seldom there


def test_relations_are_by_what_is_below_above_and_beside(small: Dated) -> None:
    relations = listed(small).hypotheses.relations
    numbers = {name[-7:]: number for name, number in small.diseases.findings.numbers.items()}
    direct, general, related = relations.to(numbers["0000002"]).T
    assert direct == pytest.approx([(3 + 4 * 0.5) / (4 + 4), 0, 0], rel=1e-6)
    assert general == pytest.approx([0, 0.5 * 1 / 2, 0], rel=1e-6)  # of the two with a fever, one has a high one
    assert np.exp(related) == pytest.approx([1 / 3, 1 / 3, 1 / 3], rel=1e-6)  # all are below one finding


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_dialogue_ends(small: Dated, strategy: str) -> None:
    report = Report("two", "OMIM:1", frozenset(), ((FEVER, True), (HIGH_FEVER, True), (RASH, False)))
    row = ask(listed(small), report, strategy)
    assert row["first"] and row["findings"] == 3


def test_answers_follow_the_hierarchy(small: Dated) -> None:
    findings = small.diseases.findings
    numbers = {name[-7:]: number for name, number in findings.numbers.items()}
    fever, high, rash = (numbers[one[-7:]] for one in (FEVER, HIGH_FEVER, RASH))
    assert answer(findings, {high: True}, fever) is True
    assert answer(findings, {fever: False}, high) is False
    assert answer(findings, {fever: True}, high) is None
    assert answer(findings, {high: False}, fever) is None
    assert answer(findings, {fever: True}, rash) is None


def test_the_question_with_the_most_information_is_asked(small: Dated) -> None:
    hypotheses = listed(small).hypotheses
    names = {name[-7:]: name for name in hypotheses.findings.names}
    state = posterior_of(hypotheses, Case("a", (Observation(names[FEVER[-7:]]),)))
    fever, high, rash = (hypotheses.finding_number(names[one[-7:]]) for one in (FEVER, HIGH_FEVER, RASH))
    gains = {
        one.finding: one.gain
        for one in moose.Ranking(state).questions(candidates=[names[RASH[-7:]], names[HIGH_FEVER[-7:]]])
    }
    best = max(gains, key=lambda one: gains[one])
    chosen = choose(state, [high, rash], "information gain", np.random.default_rng(0))
    assert hypotheses.findings.names[chosen] == best and fever not in (high, rash)


@pytest.fixture
def campaign(small: Dated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(diagnosis, "WORK", tmp_path)
    monkeypatch.setattr(diagnosis, "dated", lambda _: small)
    diagnosis.diseases.cache_clear()
    return diagnosis


def test_nothing_is_done_twice_and_a_cut_line_is_done_again(campaign: ModuleType, tmp_path: Path) -> None:
    run = diagnosis.Run("exact", "today", with_excluded=True, leave_paper_out=True)
    for _ in range(2):
        if waiting := diagnosis.not_done(run, [REPORT]):
            diagnosis.run_all(run, waiting, Listing())
    path = tmp_path / "cases.jsonl"
    (line,) = path.read_text().splitlines()
    path.write_text(line[:20] + "\n")
    diagnosis.run_all(run, diagnosis.not_done(run, [REPORT]), Listing())
    assert path.read_text().splitlines()[1].startswith('{"run": "exact|today|with|left", "case": "one", "rank": ')
    summary = diagnosis_summary.summarise(tmp_path, [REPORT])
    assert isinstance(summary["runs"], dict) and summary["runs"][run.key]["top 3"] == 1.0
