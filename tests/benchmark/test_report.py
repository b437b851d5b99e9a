"""`moose bench report`, from a store to the page and the tables."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Choice, planned_cells
from moose.benchmark.plans.plans import PLANS, Plan, read_plan
from moose.benchmark.report.assemble import make_report
from moose.benchmark.report.model.model import Figure, Report, Table
from moose.benchmark.report.model.titles import PAPER_TABLES
from moose.benchmark.report.tables.own_plans import keys_under, own_keys
from moose.benchmark.store.record_files import read_json, write_json
from moose.benchmark.store.records import Listed
from moose.benchmark.store.store import Store
from tests.benchmark.made_up import introduce, make_store
from tests.benchmark.plan_texts import write_plan
from tests.cli.running import Command

pytest.importorskip("jinja2")

SOME = Choice(regimes=("mnist2", "pizzaB"), rows=("moose", "bears", "absent"), seeds=(0, 1))
ROWS = ("independent", "ltn", "moose", "bears", "absent")
HEADLINE = read_plan("headline")
FEW = replace(HEADLINE, regimes=("mnist2", "pizzaB"), rows=tuple(row for row in HEADLINE.rows if row.name in ROWS))


@pytest.fixture
def moose(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store of all plans, smaller ones; not to be changed."""
    rest = [read_plan(name) for name in PLANS if name != "headline"]
    plans = [replace(plan, regimes=tuple(one for one in plan.regimes if one in FEW.regimes)) for plan in rest]
    return make_store(tmp_path_factory.mktemp("whole") / "store", [replace(FEW, regimes=HEADLINE.regimes), *plans])


@pytest.fixture
def small(tmp_path: Path) -> Store:
    """A part of the headline."""
    return make_store(tmp_path / "store", [FEW], choice=SOME)


def keys(report: Report) -> list[str]:
    return [section.key for section in report.sections]


def fail(store: Store, one: Listed, error: dict[str, str]) -> None:
    (found,) = (each for each in planned_cells(FEW, "smoke", Choice()) if each.cell.name == one.cell)
    store.fail(one.cell, {**introduce("headline", "smoke", row=found.row, cell=found.cell), "error": error})


def table_of(report: Report, key: str) -> Table:
    (table,) = (one for one in report.tables if one.key == key)
    return table


# --------------------------------------------------------------------------------------------------------------- whole


def test_a_whole_store_becomes_a_page_and_tables(moose: Command, whole: Store, tmp_path: Path) -> None:
    page, tables = tmp_path / "report.html", tmp_path / "new" / "tables"
    found = moose("bench", "report", whole.folder, "-o", page, "--tables", tables)
    assert (found.code, found.out, found.err) == (0, "", "")
    report = make_report(whole)
    assert keys(report) == [
        "headline", "against-the-best", "all-metrics", "trade-off", "reliability", "confusions", "readings",
        "plan-ablation", "plan-inductive", "plan-sensitivity", "plan-significance", "plan-circuits", "paper",
    ]  # fmt: skip
    assert {table.shows for table in report.tables} - {""} == set(PAPER_TABLES)
    text = page.read_text(encoding="utf-8")
    assert all(f'id="{table.key}"' in text for table in report.tables)
    written = {path.name for path in tables.iterdir()}
    assert written == {f"{table.key}.{ending}" for table in report.tables for ending in ("md", "tex")}
    assert (tables / "ablation.md").read_text(encoding="utf-8").startswith("### With the closure")
    facts = dict(report.facts)
    count = len(whole.listing("headline", "smoke").cells)
    sizes = f"{count} of {count} runs; hyperparameters: ours; digits: seeds 0–1, instances 100 train, 50 test, epochs 4"
    assert facts["headline"].startswith(sizes)
    assert "say nothing about which method is better" in facts["scale"] and "not run" not in facts
    assert facts["commit"] == "0" * 40 and facts["machine"] == "made up, 2 cores, Linux"
    assert facts["data"].startswith("the same examples for all rows")
    assert {claim.finding for claim in report.claims} == {"not tested"}, "none is judged at this scale"
    assert report.criteria[0].startswith("At the smoke scale no claim is judged")
    assert "MNIST 2 shows" in text and ">reading (shortcut)<" in text
    assert "tab:" not in text and not re.search(r"table [a-z]+-", text) and "eiling" not in text


def test_no_time_and_no_order_matters(moose: Command, small: Store, tmp_path: Path) -> None:
    def written(name: str) -> str:
        assert moose("bench", "report", small.folder, "-o", tmp_path / name).code == 0
        return (tmp_path / name).read_text(encoding="utf-8")

    before = written("before.html")
    busy = {"seconds": 99.0, "cpu_seconds": 98.0, "opening_seconds": 97.0, "evaluation_seconds": 96.0}
    for number, path in enumerate(sorted((small.folder / "cells").iterdir(), reverse=True)):
        record = read_json(path)
        path.unlink()
        hour = f"2030-01-01T00:{number:02}:00+00:00"
        changed = {**record, **busy, "began": hour, "ended": hour, "is_resumed": True, "threads": 7}
        changed["machine"] = {**record["machine"], "load_average_at_start": 9.9, "memory_gb": 1.5}
        changed["history"] = [{**epoch, "seconds": 55.0} for epoch in record.get("history", [])]
        write_json(path, changed)
    assert written("after.html") == before
    path = next(iter((small.folder / "cells").glob("mnist2-digits-moose-0*")))
    record = read_json(path)
    write_json(path, {**record, "metrics": {**record["metrics"], "acc_f": 0.0123}})
    assert written("other.html") != before


# ------------------------------------------------------------------------------------------------------------- partial


def test_what_was_not_run_is_left_out_and_told(small: Store) -> None:
    report = make_report(small)
    assert "plan-circuits" not in keys(report) and "plan-significance" in keys(report)
    facts = dict(report.facts)
    assert facts["not run"] == "ablation, inductive, lr-sensitivity, significance, circuits"
    assert facts["headline"].startswith("12 of 20 runs")
    missing = table_of(report, "missing")
    assert [line.entries[2] for line in missing.lines if line.title == "LTN"] == ["4"]
    assert "Moose" not in {line.title for line in missing.lines}
    section = next(one for one in report.sections if one.key == "plan-significance")
    assert "From the runs of the plan headline" in section.lead


def test_a_failure_is_told_until_the_run_is_finished(small: Store) -> None:
    listing = small.listing("headline", "smoke")
    done = next(one for one in listing.cells if small.finished(one.cell).exists())
    failed = next(one for one in listing.cells if not small.finished(one.cell).exists())
    error = {"kind": "MooseError", "message": "out of <luck> | 50 %", "traceback": ""}
    for one in (done, failed):
        fail(small, one, error)
    report = make_report(small)
    (line,) = table_of(report, "failed").lines
    assert line.entries[-1] == "MooseError: out of <luck> | 50 %"
    assert "1 failed" in dict(report.facts)["headline"]
    total = sum(int(str(line.entries[2])) for line in table_of(report, "missing").lines)
    assert total == len(listing.cells) - 12 - 1


def test_a_store_of_failures_alone_has_a_report(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.list_plan(FEW, "smoke", Choice())
    one = store.listing("headline", "smoke").cells[0]
    with pytest.raises(MooseError, match="there are none yet"):
        make_report(store)
    error = {"kind": "OSError", "message": "", "traceback": ""}
    fail(store, one, error)
    report = make_report(store)
    assert keys(report) == ["readings", "state", "paper"]
    assert report.claims, "it was one of the paper's plans that failed"
    assert "version" not in dict(report.facts)


# ------------------------------------------------------------------------------------------- plans of the user's own


def own_plan(folder: Path, name: str, **changes: object) -> Plan:
    path = write_plan(folder)
    return replace(read_plan(path), name=name, **changes)  # type: ignore[arg-type]


def made(folder: Path, plans: Sequence[Plan], scale: str) -> Store:
    return make_store(folder / "store", plans, scale)


def test_own_plans_have_tables_of_their_own(tmp_path: Path) -> None:
    plans = [
        own_plan(tmp_path, "my plan"),
        own_plan(tmp_path, "my-plan"),
        own_plan(tmp_path, "ablation", vary={"epochs": (1, 2)}),
    ]
    report = make_report(made(tmp_path, plans, "tiny"))
    assert [key for key in keys(report) if key.startswith("own")] == [
        "own-ablation",
        "own-my-plan",
        "own-my-plan-2",
    ]
    assert "plan-ablation" not in keys(report), "it only has the name of the paper's"
    titles = [line.title for line in table_of(report, "own-ablation-accuracy").lines]
    assert titles[:2] == ["Moose, epochs 1", "Moose, epochs 2"]
    assert len({table.key for table in report.tables}) == len(report.tables)


def test_own_plan_is_tested_against_its_reference_and_drawn(tmp_path: Path) -> None:
    plain = own_plan(tmp_path, "mine", reference="moose", seeds={"tiny": 3})
    varied = own_plan(tmp_path, "varied", reference="moose", seeds={"tiny": 3}, vary={"epochs": (1, 2, 40)})
    report = make_report(made(tmp_path, [plain, varied], "tiny"))
    lines = table_of(report, "own-mine-compared").lines
    assert len(lines) == (len(plain.rows) - 1) * len(plain.regimes)
    blocks = {line.block for line in table_of(report, "own-varied-compared").lines}
    assert blocks == {f"MNIST 1, epochs {count}" for count in (1, 2, 40)}
    figures = {part.key: part for section in report.sections for part in section.parts if isinstance(part, Figure)}
    assert any(key.startswith("own-mine--trade-off") for key in figures)
    curve = figures["own-varied--mnist1-accuracy"]
    assert "by epochs" in curve.title and " at 40" in curve.caption
    assert len(figures) == len({key.lower() for key in figures})


def test_several_scales_stand_one_after_the_other(moose: Command, tmp_path: Path) -> None:
    store = made(tmp_path, [own_plan(tmp_path, "mine")], "tiny")
    make_store(store.folder, [FEW], "smoke", Choice(rows=("moose",), seeds=(0,)))
    report = make_report(store, ["tiny", "smoke"])
    assert keys(report)[0] == "tiny-readings" and "tiny-own-mine" in keys(report) and "smoke-headline" in keys(report)
    assert report.claims and report.criteria[0] == "Claims are judged at the scale smoke."
    assert len({table.key for table in report.tables}) == len(report.tables)
    assert dict(report.facts)["headline, smoke"] == dict(make_report(store, "smoke").facts)["headline"]
    page = moose("bench", "report", store.folder, "--scale", "tiny", "--scale", "smoke").out
    assert "Headline (smoke)" in page and "at the scales tiny, smoke" in page
    assert make_report(store, ["tiny"]) == make_report(store, "tiny")


def test_a_page_of_own_plans_says_nothing_of_the_paper(moose: Command, tmp_path: Path) -> None:
    plans = [own_plan(tmp_path, "mine"), own_plan(tmp_path, "ablation", vary={"epochs": (1, 2)})]
    store = made(tmp_path, plans, "tiny")
    report = make_report(store)
    assert keys(report) == ["readings", "own-ablation", "own-mine"]
    assert (report.claims, report.introduction, report.criteria, report.glossary) == ((), (), (), ())
    page = moose("bench", "report", store.folder).out
    assert "laims of the paper" not in page and "disagree" not in page and ">Words<" not in page
    make_store(store.folder, [FEW], "smoke", Choice(rows=("moose",), seeds=(0,)))
    assert not make_report(store, "tiny").claims, "the paper's plan is at another scale"
    whole = make_report(store, "smoke")
    assert whole.claims and whole.introduction and whole.glossary and keys(whole)[-1] == "paper"


def test_keys_of_own_plans_never_meet() -> None:
    names = ["a", "a b", "a-b", "a-b-2", "A", "a-ece", "a-b-accuracy", "a-circuits"]
    found = own_keys(names)
    assert found[:3] == ["own-a", "own-a-b", "own-a-b-2"]
    under = [key for one in found for key in keys_under(one)]
    assert len(under) == len(set(under)) == len(keys_under("own-a")) * len(names)


def test_one_seed_of_the_plan_of_tests_is_shown_without_a_test(tmp_path: Path) -> None:
    plan = replace(read_plan("significance"), regimes=("mnist2",))
    report = make_report(make_store(tmp_path, [plan], choice=Choice(seeds=(0,))))
    assert "own-significance" in keys(report) and "plan-significance" not in keys(report)
    assert report.claims


# --------------------------------------------------------------------------------------------------------- complaints


def test_scales_are_not_mixed(moose: Command, small: Store) -> None:
    other = replace(FEW, regimes=("mnist1",))
    make_store(small.folder, [other], "standard", Choice(rows=("moose",), seeds=(0,)))
    told = moose("bench", "report", small.folder).one_complaint()
    assert "smoke" in told and "standard" in told and "--scale" in told
    assert "smoke, standard" in moose("bench", "report", small.folder, "--scale", "paper").one_complaint()
    found = moose("bench", "report", small.folder, "--scale", "standard")
    assert found.code == 0 and "1 of 25 runs" in found.out and found.out.lstrip().lower().startswith("<!doctype html>")
    assert "say nothing about which" not in json.dumps(make_report(small, "standard").facts)


def test_bad_input_is_told_in_one_line(moose: Command, small: Store, tmp_path: Path) -> None:
    assert "there is none" in moose("bench", "report", tmp_path / "nowhere").one_complaint()
    (tmp_path / "empty").mkdir()
    assert "it has none" in moose("bench", "report", tmp_path / "empty").one_complaint()
    (tmp_path / "file").touch()
    assert "file" in moose("bench", "report", tmp_path / "file").one_complaint()
    there = ("bench", "report", small.folder)
    assert "cannot be written" in moose(*there, "-o", tmp_path / "no" / "report.html").one_complaint()
    assert "cannot be written" in moose(*there, "-o", tmp_path / "empty").one_complaint()
    assert "cannot be made" in moose(*there, "--tables", tmp_path / "file" / "tables").one_complaint()
    assert list((tmp_path / "empty").iterdir()) == []
