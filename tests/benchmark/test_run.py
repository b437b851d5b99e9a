from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path
from threading import Lock
from time import sleep
from typing import Any, cast

import pytest

from moose.base.errors import MooseError
from moose.benchmark.plans.cells import Cell, Choice, planned_cells
from moose.benchmark.plans.plans import Plan, read_plan
from moose.benchmark.store.store import Store
from moose.benchmark.sweep import compute
from moose.benchmark.sweep import run as running
from moose.benchmark.sweep import worker as attending
from moose.benchmark.sweep.compute import Surroundings
from moose.benchmark.sweep.progress import Progress
from moose.benchmark.sweep.run import Options, Result, run
from moose.benchmark.sweep.worker import Job, attend
from tests.benchmark.plan_texts import CIRCUITS, TINY, plan

pytest.importorskip("sklearn")
pytest.importorskip("joblib")
VIEWS = ("metrics", "metrics_without_evidence", "metrics_network")
KEYS_OF_RESULTS = {"regime", "data", "method", "seed", "configuration", "version", "seconds", "cpu_seconds",
                   "evaluation_seconds", "terms", "machine", *VIEWS}  # fmt: skip
"""What files in `results` have."""
NEW_KEYS = {"format", "kind", "cell", "plan", "scale", "commit", "software", "task_hash", "data_hash", "instances",
            "began", "ended", "is_resumed", "opening_seconds", "threads", "history", "families", "details",
            "metrics_observed", "versions"}  # fmt: skip


class Fake:
    """Computes nothing, and counts how often it is asked."""

    def __init__(self, *failing: str, seconds: float = 0.0) -> None:
        self.asked, self.failing, self.seconds, self.lock = Counter[str](), set(failing), seconds, Lock()

    def __call__(self, cell: Cell, surroundings: Surroundings) -> dict[str, object]:
        with self.lock:
            self.asked[cell.name] += 1
        sleep(self.seconds)
        if cell.name in self.failing:
            raise ValueError("no such luck")
        return {"seconds": 1.0, "metrics": {"acc_f": 0.5}}


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    found = Fake()
    monkeypatch.setattr(attending, "compute", found)
    return found


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """Run the plan once for all tests that only look at its results."""
    folder = tmp_path_factory.mktemp("trained")
    store = Store(folder / "store")
    run(plan(folder), "tiny", store)
    return store


# -------------------------------------------------------------------------------------------------- what is recorded


def test_a_record_has_all_that_a_report_needs(trained: Store) -> None:
    first, second = trained.results("few", "tiny")
    assert KEYS_OF_RESULTS | NEW_KEYS | {"varied"} == set(first)
    assert (first["method"], second["method"], first["kind"]) == ("moose", "moose-open", "learning")
    assert first["instances"] == {"train": 48, "test": 16}
    assert first["families"] == [[f"D{digit}" for digit in range(10)]]
    assert first["task_hash"] != second["task_hash"] and first["data_hash"] == second["data_hash"]
    assert len(first["history"]) == 2 and first["is_resumed"] is False
    for view in VIEWS:
        details, scores = first["details"]["test"][view], first[view]
        (matrix,) = details["confusions"]
        assert sum(map(sum, matrix)) == 16
        assert sum(matrix[place][place] for place in range(10)) / 16 == pytest.approx(scores["acc_f"])
        counts = details["concepts"].values()
        assert all(sum(count) == 16 for count in counts) and len(counts) == 10
        right = sum(count[0] + count[3] for count in counts)
        assert right / 160 == pytest.approx(scores["acc_c"])
        for key, metric in (("reliability", "ece"), ("reliability_atom", "ece_atom")):
            assert error_of(details[key]) == pytest.approx(scores[metric])


def error_of(bins: dict[str, list[float]]) -> float:
    gaps = zip(bins["counts"], bins["confidence"], bins["accuracy"])
    return sum(count * abs(said - was) for count, said, was in gaps) / sum(bins["counts"])


def test_nothing_is_left_of_the_work(trained: Store) -> None:
    assert {path.name for path in trained.folder.iterdir()} == {"cells", "locks", "plans", "work"}
    assert not list((trained.folder / "work").iterdir())
    assert not list((trained.folder / "locks").glob("*.lock"))


def test_circuits_are_measured(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    assert len(run(plan(tmp_path, CIRCUITS), "smoke", store).finished) == 2
    first, second = (record["circuit"] for record in store.results("few", "smoke"))
    assert (first["atoms"], first["clauses"]) == (14, 117), "the paper's"
    assert second["seconds"]["smallest"] <= second["seconds"]["middle"] <= second["seconds"]["largest"]
    assert int(first["models"]) > 0


# ----------------------------------------------------------------------------- stopping, going on, failing, sharing


def test_a_finished_cell_is_never_computed_again(tmp_path: Path, fake: Fake) -> None:
    store, found = Store(tmp_path / "store"), plan(tmp_path)
    run(found, "tiny", store, choice=Choice(rows=["moose"]))
    before = {path: path.stat().st_mtime_ns for path in (store.folder / "cells").iterdir()}
    result = run(found, "tiny", store, options=Options(retry=True))
    assert len(result.finished) == 2 and set(fake.asked.values()) == {1}
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


def test_a_training_that_was_stopped_goes_on_to_the_same_result(
    tmp_path: Path, trained: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    from moose.learning.fit import checkpoints

    store, found = Store(tmp_path / "store"), plan(tmp_path)
    write, written = checkpoints.write_checkpoint, list[int]()

    def stop_after_the_first(*arguments: Any) -> None:
        write(*arguments)
        written.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(checkpoints, "write_checkpoint", stop_after_the_first)
    with pytest.raises(KeyboardInterrupt):
        run(found, "tiny", store, choice=Choice(rows=["moose"]))
    assert written == [1] and not store.results("few", "tiny")
    monkeypatch.setattr(checkpoints, "write_checkpoint", write)
    run(found, "tiny", store, choice=Choice(rows=["moose"]))
    (record,) = store.results("few", "tiny")
    whole = trained.results("few", "tiny")[0]
    assert record["is_resumed"] and not whole["is_resumed"]
    for key in (*VIEWS, "details", "task_hash", "data_hash", "terms"):
        assert record[key] == whole[key]
    assert [epoch["loss"] for epoch in record["history"]] == [epoch["loss"] for epoch in whole["history"]]


def test_a_failure_is_recorded_and_computed_again_on_request(tmp_path: Path, fake: Fake) -> None:
    store, found = Store(tmp_path / "store"), plan(tmp_path)
    bad, good = (one.cell.name for one in planned_cells(found, "tiny"))
    fake.failing.add(bad)
    assert run(found, "tiny", store) == Result((good,), (bad,), ())
    (record,) = store.failures("few", "tiny")
    assert record["error"]["kind"] == "ValueError" and record["error"]["message"] == "no such luck"
    assert "Traceback" in record["error"]["traceback"] and record["configuration"]["by"] == "moose"
    store.work(bad).mkdir(parents=True)
    run(found, "tiny", store)
    assert fake.asked[bad] == 1
    fake.failing.clear()
    assert len(run(found, "tiny", store, options=Options(retry=True)).finished) == 2
    assert fake.asked == {bad: 2, good: 1} and not store.failures("few", "tiny") and not store.work(bad).exists()


def test_two_at_once_compute_every_cell_once(tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "WAIT_SECONDS", 0.02)
    fake.seconds = 0.02
    store, found = Store(tmp_path / "store"), plan(tmp_path, TINY.replace("tiny = 1", "tiny = 8"))
    with ThreadPoolExecutor(3) as pool:
        results = list(pool.map(lambda _: run(found, "tiny", store), range(3)))
    assert all(len(result.finished) == 16 for result in results), "each waits for the others"
    assert len(fake.asked) == 16 and set(fake.asked.values()) == {1}


def test_without_waiting_what_another_computes_is_named(tmp_path: Path, fake: Fake) -> None:
    from moose.benchmark.store.locks import holding

    store, found = Store(tmp_path / "store"), plan(tmp_path)
    busy, free = (one.cell.name for one in planned_cells(found, "tiny"))
    with holding(store.lock(busy)):
        assert run(found, "tiny", store, options=Options(wait=False)) == Result((free,), (), (busy,))


def test_a_cell_whose_process_is_killed_twice_has_failed(tmp_path: Path, fake: Fake) -> None:
    store, found = Store(tmp_path / "store"), plan(tmp_path)
    jobs = [Job("few", "tiny", one, store.folder) for one in planned_cells(found, "tiny")]
    deadly, other = (job.name for job in jobs)

    def work(some: Sequence[Job]) -> list[attending.Outcome]:
        """Leave locks behind, as processes do that are killed: a pool ends with all its workers."""
        if deadly not in [job.name for job in some]:
            return [attend(job) for job in some]
        for job in some:
            store.lock(job.name).parent.mkdir(parents=True, exist_ok=True)
            owner = {"token": "x", "host": __import__("platform").node(), "process": 2**22 + 1, "born": "1"}
            store.lock(job.name).write_text(json.dumps(owner))
        raise BrokenProcessPool

    running._pass(store, jobs, work)
    assert (store.state(deadly), store.state(other)) == ("failed", "finished")
    assert store.failed(deadly).exists() and "memory" in store.failed(deadly).read_text()

    def die(some: Sequence[Job]) -> list[attending.Outcome]:
        raise BrokenProcessPool

    store.failed(deadly).unlink()
    store.lock(deadly).unlink()
    with pytest.raises(MooseError, match="fewer --jobs"):
        running._pass(store, jobs, die)


# ------------------------------------------------------------------------------------------------- progress, bad input


def test_each_cell_is_told_of_with_the_time_left(tmp_path: Path, fake: Fake) -> None:
    store, found = Store(tmp_path / "store"), plan(tmp_path, TINY.replace("tiny = 1", "tiny = 2"))
    fake.failing.add(planned_cells(found, "tiny")[-1].cell.name)
    told = list[Progress]()
    run(found, "tiny", store, tell=told.append)
    assert told[0] == Progress(4, 0, 0, None, None)
    assert len(told) == 5 and (told[-1].finished, told[-1].failed, told[-1].seconds_left) == (3, 1, 0.0)
    assert [one.news["method"] for one in told[1:] if one.news] == ["moose", "moose-open"] * 2
    again = list[Progress]()
    run(found, "tiny", store, tell=again.append)
    assert again == [Progress(4, 3, 1, 0.0, None)]


def test_missing_data_are_named_before_anything_is_run(tmp_path: Path) -> None:
    store, found = Store(tmp_path / "store"), plan(tmp_path, TINY.replace('"digits"', '"mnist"'))
    with pytest.raises(MooseError, match="mnist"):
        run(found, "tiny", store, options=Options(folder=tmp_path))
    assert not store.folder.exists()


def test_a_choice_of_nothing_is_refused(tmp_path: Path) -> None:
    found: Plan = plan(tmp_path)
    with pytest.raises(MooseError, match="no cells"):
        run(found, "tiny", Store(tmp_path / "store"), choice=Choice(seeds=[]))


def test_a_commit_is_that_of_the_checkout(tmp_path: Path) -> None:
    from moose.benchmark.store.provenance import commit_of

    assert commit_of(tmp_path) is None


@pytest.mark.parametrize("kind", ["learning", "circuit"])
def test_each_kind_is_computed_by_its_own(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "compute_learning", lambda cell, surroundings: {"it": "learning"})
    monkeypatch.setattr(compute, "compute_circuit", lambda cell: {"it": "circuit"})
    cell = Cell(kind, "mnist1", "digits", "moose", 0, {})  # type: ignore[arg-type]  # one of the two
    assert compute.compute(cell, Surroundings()) == {"it": kind}


@pytest.mark.parametrize("method", ["moose", "moose-cover", "ensemble", "bears", "moose-honest", "nesydm-exact"])
def test_a_cell_runs_by_the_options_that_it_leaves_out(method: str) -> None:
    """What is as it was before there was a choice is not part of a cell's name, and yet not today's default."""
    planned = planned_cells(read_plan("headline"), "standard", Choice(["pizzaB"], [method], [0]))
    assert "objective" not in planned[0].cell.configuration["options"]  # type: ignore[operator]
    made = compute.run_of(planned[0].cell).make_method()
    assert made.objective == "paper"  # type: ignore[attr-defined]
    options = cast(dict[str, object], planned[0].cell.configuration["options"]) | {"objective": "auto"}
    other = replace(planned[0].cell, configuration={**planned[0].cell.configuration, "options": options})
    assert compute.run_of(other).make_method().objective == "auto"  # type: ignore[attr-defined]
