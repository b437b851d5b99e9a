"""Versions: cells of another version have another name, and results of two are neither mixed nor lost in silence."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.benchmark.plans import cells as cells_module
from moose.benchmark.plans.cells import Cell, Choice, planned_cells
from moose.benchmark.plans.plans import read_plan
from moose.benchmark.report.assemble import make_report
from moose.benchmark.store.packed_files import packed_in
from moose.benchmark.store.packing import pack
from moose.benchmark.store.records import Content, lent
from moose.benchmark.store.store import Store
from moose.benchmark.store.versions import examples_key, expected_hash, seen_examples, version_text, versions_of
from moose.benchmark.sweep import worker as attending
from moose.benchmark.sweep.compute import Surroundings, about_data
from moose.benchmark.sweep.run import run
from tests.benchmark.made_up import introduce, make_learning, make_store
from tests.benchmark.plan_texts import TINY, plan

pytest.importorskip("torch")
BY_HAND = Cell("learning", "mnist1", "digits", "ilr", 0, {"epochs": 1})


def only_moose(text: str = TINY) -> str:
    """Return a plan with one row."""
    return text.rpartition("[[rows]]")[0]


def altered(store: Store, cell: str, accuracy: float) -> None:
    """Put another result where a cell's is."""
    record = dict(store.unchecked(*_only(store))[0])
    store.finish(cell, {**record, "metrics": {**record["metrics"], "acc_f": accuracy}})


def _only(store: Store) -> tuple[str, str]:
    (listing,) = store.listings()
    return listing.plan, listing.scale


# -------------------------------------------------------------------------------------------------------------- names


def test_first_versions_have_no_part_in_a_name() -> None:
    first = {"method": 1, "data": 1, "training": 1}
    assert replace(BY_HAND, versions=first).name == BY_HAND.name == "mnist1-digits-ilr-0-46a7f63e8b"
    names = {replace(BY_HAND, versions={**first, part: 2}).name for part in first}
    assert len(names) == 3 and BY_HAND.name not in names


VERSIONS = st.dictionaries(st.sampled_from(["method", "data", "training"]), st.integers(1, 3))


@given(VERSIONS, VERSIONS)
def test_cells_have_one_name_if_and_only_if_they_are_of_the_same_versions(
    one: dict[str, int], other: dict[str, int]
) -> None:
    first, second = (replace(BY_HAND, versions=versions) for versions in (one, other))
    records = [{"kind": "learning", "versions": versions} for versions in (one, other)]
    assert (first.name == second.name) == (versions_of(records[0]) == versions_of(records[1]))
    assert (examples_key(first) == examples_key(second)) == (one.get("data", 1) == other.get("data", 1))


def test_a_method_and_a_data_set_of_another_version_have_other_cells(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moose.datasets import digits
    from moose.methods.ours.moose import Moose

    found = plan(tmp_path, only_moose() + '[[rows]]\nname = "ltn"\n[[rows]]\nname = "absent"\n')

    def names() -> list[str]:
        return [one.cell.name for one in planned_cells(found, "tiny")]

    before = names()
    monkeypatch.setattr(Moose, "version", 2)
    assert [one == other for one, other in zip(names(), before, strict=True)] == [False, True, True]
    monkeypatch.setattr(digits, "SOURCE", replace(digits.SOURCE, version=2))
    assert not set(names()) & set(before)
    monkeypatch.undo()
    monkeypatch.setattr(cells_module, "TRAINING_VERSION", 2)
    assert [one == other for one, other in zip(names(), before, strict=True)] == [False, False, True]


# ---------------------------------------------------------------------------------------------------- what is marked


def test_a_record_without_versions_is_of_the_first() -> None:
    assert versions_of({"kind": "learning", "versions": {"method": 3}}) == {"data": 1, "method": 3, "training": 1}
    assert version_text([{"kind": "learning", "data": "digits", "method": "ilr", "configuration": {"by": "ilr"}}]) == ""


def test_versions_and_mixtures_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from moose.methods.ilr.ilr import Ilr

    one = {"kind": "learning", "data": "digits", "method": "ilr", "configuration": {"by": "ilr"}}
    monkeypatch.setattr(Ilr, "version", 2)
    second = {**one, "versions": {"method": 2}}
    assert version_text([one]) == "ilr: version 1, where this program has 2"
    assert version_text([second]) == "ilr: version 2"
    assert version_text([one, second]) == "ilr: mixed, versions 1 and 2"
    drawn = {**one, "data": "gone", "configuration": {"by": "unknown"}, "versions": {"data": 4}}
    assert version_text([drawn]) == "data gone: version 4", "this program need not have it"


def test_the_report_says_which_versions_rows_have(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", [plan(tmp_path, only_moose())], "tiny")
    assert "versions of rows" not in dict(make_report(store).facts)
    (record,) = store.results("few", "tiny")
    store.finish(record["cell"], {**record, "versions": {"method": 2}})
    assert dict(make_report(store).facts)["versions of rows"] == "moose: version 2, where this program has 1"


# ------------------------------------------------------------------------------------- what two plans have of a cell


@pytest.fixture
def disagreeing(tmp_path: Path) -> Path:
    """Return a folder with the packed files of two plans, which have different results of the same cell."""
    for name, accuracy in (("first", 0.25), ("second", 0.5)):
        store = make_store(tmp_path / name, [plan(tmp_path, only_moose(), name)], "tiny")
        altered(store, store.listings()[0].cells[0].cell, accuracy)
        pack(store, tmp_path / "both")
    return tmp_path / "both"


def test_running_one_plan_does_not_change_what_another_has(
    tmp_path: Path, disagreeing: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("joblib")
    monkeypatch.setattr(attending, "compute", lambda cell, surroundings: make_learning(cell))
    before = {path.name: path.read_bytes() for path in packed_in(disagreeing)}
    shared = Store(disagreeing).listings()[0].cells[0].cell
    for name in ("first", "second"):
        found = plan(tmp_path, only_moose(), name)
        assert run(found, "tiny", Store(disagreeing)).finished == (shared,)
        pack(Store(disagreeing), disagreeing)
        assert {path.name: path.read_bytes() for path in packed_in(disagreeing)} == before


def test_a_third_plan_takes_over_neither_of_two_results(tmp_path: Path, disagreeing: Path) -> None:
    pytest.importorskip("joblib")
    with pytest.raises(MooseError, match="in first at tiny and to another in second at tiny"):
        run(plan(tmp_path, only_moose(), "third"), "tiny", Store(disagreeing))


def test_circuits_of_two_plans_agree_by_their_counts_whatever_the_time(tmp_path: Path) -> None:
    found = read_plan("circuits")
    store = make_store(tmp_path, [found])
    content = store.content("circuits", "smoke")
    cell, record = next(iter(content.finished.items()))

    def other(**changes: object) -> Content:
        changed = {**record, "circuit": {**record["circuit"], **changes}}
        return Content(replace(content.listing, plan="others"), {cell: changed}, {})

    slower = {name: 9 * value + 1 for name, value in record["circuit"]["seconds"].items()}
    assert lent([content, other(seconds=slower)], [cell], "here") == {cell: record}
    for name, value in record["circuit"].items():
        if name != "seconds":
            with pytest.raises(MooseError, match=f"the cell {cell} came to one result in circuits at smoke and to ano"):
                lent([content, other(**{name: value * 2})], [cell], "here")
    assert lent([content, other(nodes=-1)], [], "here") == {}, "nobody asks for the cell"


def test_what_another_program_made_gives_way(tmp_path: Path, disagreeing: Path) -> None:
    shutil.rmtree(tmp_path / "first")
    store = make_store(tmp_path / "first", [plan(tmp_path, only_moose(), "first")], "tiny")
    (record,) = store.results("first", "tiny")
    store.finish(record["cell"], {**record, "origin": {"runner": "older"}})
    (disagreeing / "first-tiny.jsonl.gz").unlink()
    pack(store, disagreeing)
    both = Store(disagreeing)
    both.unpack("third", "tiny", [record["cell"]])
    assert both.unchecked("second", "tiny")[0]["metrics"]["acc_f"] == 0.5
    assert "origin" not in both.finished(record["cell"]).read_text("utf-8")


def test_packing_does_not_lose_results_of_an_earlier_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from moose.methods.ours.moose import Moose

    found = plan(tmp_path, only_moose().replace("tiny = 1", "tiny = 2"))
    pack(make_store(tmp_path / "store", [found], "tiny"), tmp_path / "packed")
    monkeypatch.setattr(Moose, "version", 2)
    store = Store(tmp_path / "packed")
    store.list_plan(found, "tiny", Choice(seeds=[0]))
    planned = planned_cells(found, "tiny")
    for number, one in enumerate(planned):
        with pytest.raises(
            MooseError, match=rf"results of {2 - number} cells .* such as moose in mnist1 with the seed"
        ):
            pack(store, tmp_path / "packed")
        store.finish(one.cell.name, introduce("few", "tiny", row=one.row, cell=one.cell) | make_learning(one.cell))
    [written] = pack(store, tmp_path / "packed").values()
    assert list(written.finished) == [one.cell.name for one in planned], "those of the earlier version are left out"
    assert [one["cell"] for one in store.results("few", "tiny")] == [one.cell.name for one in planned]


# --------------------------------------------------------------------------------------------------------------- data


def test_other_examples_than_finished_cells_saw_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("joblib")
    found = plan(tmp_path, only_moose().replace("tiny = 1", "tiny = 2") + '[[rows]]\nname = "ltn"\n')
    store = make_store(tmp_path / "store", [found], "tiny", Choice(rows=["moose"], seeds=[0]))
    expected = dict[str, str | None]()

    def compute(cell: Cell, surroundings: Surroundings) -> dict[str, object]:
        expected[f"{cell.method} {cell.seed}"] = surroundings.data_hash
        return make_learning(cell)

    monkeypatch.setattr(attending, "compute", compute)
    run(found, "tiny", store)
    assert expected == {"ltn 0": "0" * 32, "moose 1": None, "ltn 1": None}


def test_the_refusal_names_both_hashes() -> None:
    from moose import open_dataset

    data = open_dataset("digits", regime="mnist1", count=4, test_count=2, size=8)
    seen = str(about_data(data, None)["data_hash"])
    assert about_data(data, seen)["data_hash"] == seen
    with pytest.raises(MooseError, match=rf"digits, mnist1: .*hash abc\), but the data give others \({seen[:12]}\)"):
        about_data(data, "abc")


def test_records_that_disagree_about_their_examples_are_named() -> None:
    one = {
        "kind": "learning", "regime": "mnist1", "data": "digits", "method": "a", "seed": 0, "cell": "first",
        "configuration": {"count": 3}, "data_hash": "x" * 32,
    }  # fmt: skip
    next_cell = Cell("learning", "mnist1", "digits", "other", 0, {"count": 3})
    assert expected_hash(next_cell, {}) is None
    assert expected_hash(next_cell, seen_examples([one, {**one, "method": "b"}])) == "x" * 32
    newer = {**one, "data_hash": "y" * 32, "cell": "second"}
    with pytest.raises(MooseError, match=rf"first saw others \(hash {'x' * 12}\) than second \({'y' * 12}\); remove"):
        expected_hash(next_cell, seen_examples([one, newer]))
    assert expected_hash(next_cell, seen_examples([one, {**newer, "versions": {"data": 2}}])) == "x" * 32


def test_a_run_is_refused_only_where_cells_that_disagree_have_more_to_compute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("joblib")
    found = plan(tmp_path, only_moose() + '[[rows]]\nname = "ltn"\n[[rows]]\nname = "semantic-loss"\n')
    done = Choice(rows=["moose", "ltn"], seeds=[0])
    store = make_store(tmp_path / "store", [found], "tiny", done)
    monkeypatch.setattr(attending, "compute", lambda cell, surroundings: make_learning(cell))
    record = store.results("few", "tiny")[0]
    store.finish(record["cell"], {**record, "data_hash": "f" * 32})
    assert len(run(found, "tiny", store, choice=done).finished) == 2, "there is nothing to compute"
    with pytest.raises(MooseError, match="expected finished cells that saw the same examples of digits"):
        run(found, "tiny", store)
