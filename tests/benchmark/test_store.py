from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Choice, planned_cells
from moose.benchmark.statistics.compare import Measure, chosen, compare_rows, principal, summary, value_of
from moose.benchmark.store.locks import holding
from moose.benchmark.store.record_files import read_json, write_json
from moose.benchmark.store.store import Store
from tests.benchmark.made_up import introduce, make_learning, make_store
from tests.benchmark.plan_texts import CIRCUITS, TINY, plan


def record(seed: int, method: str, accuracy: float) -> dict[str, object]:
    scores = {"acc_f": accuracy, "ece": 1 - accuracy, "nll": None}
    split = {"metrics": {"acc_f": accuracy / 2, "ece": None}}
    return {"regime": "mnist1", "method": method, "seed": seed, "metrics": scores, "held_out_split": split}


def test_what_is_written_is_read_and_has_only_numbers(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.json"
    write_json(path, {"a": math.nan, "b": (1.5, math.inf), "c": {"d": None, "ï": "ï"}})
    assert read_json(path) == {"a": None, "b": [1.5, None], "c": {"d": None, "ï": "ï"}}
    assert [one.name for one in path.parent.iterdir()] == ["a.json"]


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("{")
    with pytest.raises(MooseError, match=r"a\.json"):
        read_json(path)
    path.write_text("[]")
    with pytest.raises(MooseError, match="expected a JSON object"):
        read_json(path)
    with pytest.raises(MooseError, match="is a file"):
        Store(path)


def test_a_listing_keeps_every_seed_that_was_asked_for(tmp_path: Path) -> None:
    store, found = Store(tmp_path / "store"), plan(tmp_path)
    store.list_plan(found, "tiny", Choice(seeds=[5]))
    store.list_plan(found, "tiny", Choice(seeds=[2], rows=["moose"]))
    (listing,) = store.listings()
    assert listing == store.listing("few", "tiny")
    assert (listing.seeds, listing.rows, listing.reference) == ((0, 2, 5), ("moose", "moose-open"), "moose")
    assert [(one.method, one.seed) for one in listing.cells[:3]] == [("moose", 0), ("moose-open", 0), ("moose", 2)]
    with pytest.raises(MooseError, match="few at tiny"):
        store.listing("few", "smoke")


def test_results_have_the_names_of_the_plan_that_asks(tmp_path: Path) -> None:
    store, one = Store(tmp_path / "store"), plan(tmp_path)
    two = plan(tmp_path, TINY.replace('name = "moose-open"', 'name = "open"'), "other")
    for each in (one, two):
        store.list_plan(each, "tiny", Choice())
    planned = planned_cells(one, "tiny")[1]
    shared = planned.cell.name
    assert shared == planned_cells(two, "tiny")[1].cell.name
    about = introduce("few", "tiny", row="moose-open", cell=planned.cell)
    assert store.state(shared) == "waiting"
    store.fail(shared, {**about, "error": {}})
    assert store.state(shared) == "failed" and len(store.failures("few", "tiny")) == 1
    with holding(store.lock(shared)):
        assert store.state(shared) == "running"
        store.finish(shared, {**about, **make_learning(planned.cell)})
    assert store.state(shared) == "finished" and not store.failures("few", "tiny")
    (mine,), (other,) = store.results("few", "tiny"), store.results("other", "tiny")
    assert (mine["method"], mine["plan"]) == ("moose-open", "few")
    assert (other["method"], other["plan"], other["varied"]) == ("open", "other", {})


def test_a_listing_of_another_version_is_named(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    store.list_plan(plan(tmp_path, CIRCUITS), "smoke", Choice())
    path = tmp_path / "store" / "plans" / "few-smoke.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "colour": 1}))
    with pytest.raises(MooseError, match="another version"):
        store.listings()


def test_records_become_statistics() -> None:
    ours = [record(seed, "moose", 0.8 + 0.01 * seed) for seed in range(6)]
    theirs = [record(seed, "ltn", 0.5 - 0.01 * seed) for seed in range(5, -1, -1)]
    records = [*ours, *theirs, record(9, "other", 0.1)]
    found = summary(records, "mnist1", "moose", principal("mnist1"))
    assert found is not None and found.count == 6 and found.mean == pytest.approx(0.825)
    assert summary(records, "mnist1", "none", principal("mnist1")) is None
    assert value_of(ours[0], Measure("acc_f", "held_out")) == 0.4
    assert value_of(ours[0], Measure("nll")) is None and value_of(ours[0], Measure("ece", "other")) is None
    judged = compare_rows(records, "mnist1", "moose", principal("mnist1"))
    assert {name: one.verdict for name, one in judged.items()} == {"ltn": "win"}, "the other shares no seed"
    judged = compare_rows(records, "mnist1", "moose", principal("mnist1", "ece"))
    assert judged["ltn"].verdict == "win" and judged["ltn"].comparison.difference < 0


def test_baselines_are_not_compared() -> None:
    records = [record(seed, method, 0.5 + seed / 100) for seed in range(3) for method in ("moose", "ltn")]
    trivial = [{**record(seed, "absent", 0.1), "kind": "baseline"} for seed in range(3)]
    assert set(compare_rows([*records, *trivial], "mnist1", "moose", principal("mnist1"))) == {"ltn"}


def test_records_that_vary_are_not_mixed() -> None:
    records = [
        {**record(seed, method, 0.5), "varied": {"count": count}}
        for seed in range(2)
        for method in ("moose", "ltn")
        for count in (100, 200)
    ]
    with pytest.raises(MooseError, match="choose one value"):
        compare_rows(records, "mnist1", "moose", principal("mnist1"))
    of_one = chosen(records, varied={"count": 100})
    assert compare_rows(of_one, "mnist1", "moose", principal("mnist1"))["ltn"].comparison.pairs == 2


@pytest.mark.parametrize(
    ("key", "value", "complaint"),
    [
        ("format", 2, "another version"),
        ("metrics", None, "expected metrics as a table"),
        ("seed", "0", "expected seed as a whole number"),
        ("machine", None, "machine"),
        ("details", [], "details"),
    ],
)
def test_a_record_of_another_form_is_named(tmp_path: Path, key: str, value: object, complaint: str) -> None:
    store = make_store(tmp_path / "store", ["headline"], choice=Choice(["pizzaC"], ["moose"], [0]))
    (path,) = (tmp_path / "store" / "cells").glob("*.json")
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    with pytest.raises(MooseError, match=complaint) as error:
        store.results("headline", "smoke")
    assert path.name in str(error.value)


def test_a_number_that_is_none_is_named(tmp_path: Path) -> None:
    store = make_store(tmp_path / "store", ["headline"], choice=Choice(["pizzaC"], ["moose"], [0]))
    (path,) = (tmp_path / "store" / "cells").glob("*.json")
    path.write_text(path.read_text().replace('"nll": 0', '"nll": NaN, "other": 0', 1))
    with pytest.raises(MooseError, match="not finite"):
        store.results("headline", "smoke")


def test_two_plans_whose_names_run_together_do_not_erase_each_other(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    store.list_plan(plan(tmp_path, TINY.replace("tiny", "c"), "a-b"), "c", Choice())
    with pytest.raises(MooseError, match="another name"):
        store.list_plan(plan(tmp_path, TINY.replace("tiny", "b-c"), "a"), "b-c", Choice())


def test_rows_that_come_to_the_same_cell_are_all_there(tmp_path: Path) -> None:
    text = TINY.partition("[[rows]]")[0] + '[vary]\nlearning_rate = [0.001, 0.01]\n[[rows]]\nname = "moose"\n'
    same = '[[rows]]\nname = "same"\nmethod = "moose"\n[[rows]]\nname = "absent"\n'
    store = make_store(tmp_path / "store", [plan(tmp_path, text + same)], "tiny")
    found = [(one["method"], one["varied"]["learning_rate"]) for one in store.results("few", "tiny")]
    assert found == [(row, rate) for row in ("moose", "same", "absent") for rate in (0.001, 0.01)]
    assert len(list((tmp_path / "store" / "cells").iterdir())) == 3
