"""`moose bench`, from the command line to the store."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from moose.base.errors import MooseError
from moose.base.processes.parallel import check_address
from moose.benchmark.plans.cells import Cell, planned_cells
from moose.benchmark.plans.plans import PLANS, read_plan
from moose.benchmark.store.store import Store
from moose.benchmark.sweep import worker as attending
from moose.benchmark.sweep.compute import Surroundings
from moose.benchmark.sweep.run import Options, run
from moose.cli.bench.bench import read_seeds
from moose.cli.bench.sweep_progress import describe, in_words
from tests.benchmark.plan_texts import CIRCUITS, TINY, write_plan
from tests.cli.running import Command

pytest.importorskip("sklearn")
pytest.importorskip("joblib")


@pytest.fixture
def moose(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Compute nothing; what is named in the list fails."""
    failing = list[str]()

    def compute(cell: Cell, surroundings: Surroundings) -> dict[str, object]:
        if cell.name in failing:
            raise MooseError("no such luck")
        return {"seconds": 12.3, "metrics": {"acc_f": 0.5, "acc_c": None, "ece": 0.25}}

    monkeypatch.setattr(attending, "compute", compute)
    return failing


def test_plans_are_listed(moose: Command) -> None:
    found = moose("bench", "list", "headline")
    assert found.code == 0
    assert found.rows[0] == ("headline", "smoke", "192 runs", "Every method in every regime")
    listed = moose("bench", "list", "--json").json["plans"]
    assert [row["plan"] for row in listed] == [name for name in PLANS for _ in range(3)]


def test_a_plan_is_run_and_its_state_is_told(moose: Command, tmp_path: Path, fake: list[str]) -> None:
    path, store = write_plan(tmp_path), tmp_path / "store"
    fake.append(planned_cells(read_plan(path), "tiny")[1].cell.name)
    arguments = ("bench", "run", path, "--scale", "tiny", "--store", store, "--jobs", "1")
    found = moose(*arguments)
    assert found.code == 1
    assert found.rows[0] == ("finished", "1")
    assert found.rows[1] == ("failed", fake[0], "MooseError: no such luck")
    first, *lines = found.err.splitlines()
    assert first == "2 runs, 0 of them finished already"
    assert lines[0].startswith("[1/2] mnist1 digits moose seed 0: acc_f 0.500, ece 0.250, 12 s; about 12 s left")
    assert lines[1].startswith("[2/2] mnist1 digits moose-open seed 0 failed: MooseError: no such luck; about 0 s left")
    assert "--retry" in lines[2]
    assert moose("bench", "list", path, "--store", store).rows[0][2] == "2 runs: 1 finished, 1 failed"
    fake.clear()
    again = moose(*arguments, "--retry", "--json")
    assert again.code == 0 and len(again.json["finished"]) == 2 and not again.json["failed"]
    more = moose(*arguments, "--seeds", "0-2", "--methods", "moose", "--json")
    assert len(more.json["finished"]) == 3


def test_bad_input_is_told_in_one_line(moose: Command, tmp_path: Path) -> None:
    path, store = write_plan(tmp_path), tmp_path / "store"
    run_it = ("bench", "run", path, "--store", store, "--scale")
    assert "headline" in moose("bench", "run", "headlin", "--store", store).one_complaint()
    assert "tiny" in moose(*run_it, "huge").one_complaint()
    assert "0-4" in moose(*run_it, "tiny", "--seeds", "a").one_complaint()
    assert "0-4" in moose(*run_it, "tiny", "--seeds", "3-1").one_complaint()
    assert "moose-open" in moose(*run_it, "tiny", "--methods", "mouse-open").one_complaint()
    assert "mnist1" in moose(*run_it, "tiny", "--regimes", "mnist2").one_complaint()
    assert not store.exists()


@pytest.mark.parametrize("text", ["", "0-", "-1", "0,,", "1.5", "٣", "3-1", "0-99999999", "9" * 9999])
def test_seeds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(MooseError, match="expected seeds such as 0-4"):
        read_seeds(text)


def test_words() -> None:
    assert read_seeds("3,0-1,3") == [3, 0, 1]
    assert in_words(7100) == "118 min" and in_words(7300) == "2 h 02 min"
    circuit = {"regime": "mnist1", "data": "circuit", "method": "paper", "seed": 0, "seconds": 0.0123}
    assert describe({**circuit, "circuit": {"size": 155}}).endswith("155 elements, 0.012 s")


def test_processes_share_the_work(tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    result = run(read_plan(write_plan(tmp_path, CIRCUITS)), "smoke", store, options=Options(jobs=2))
    assert len(result.finished) == 2 and not result.failed
    assert len(store.results("few", "smoke")) == 2


@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_a_ray_cluster_shares_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="pip install 'moose-el[ray]'")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    store = Store(tmp_path / "store")
    plan = read_plan(write_plan(tmp_path, CIRCUITS))
    result = run(plan, "smoke", store, options=Options(jobs=2, cluster="local"))
    assert len(result.finished) == 2 and not result.failed, store.failures("few", "smoke")


def test_a_cluster_that_is_not_there_is_named() -> None:
    check_address("auto")
    with pytest.raises(MooseError, match="no Ray cluster answers at ray://localhost:1"):
        check_address("ray://localhost:1")


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_sweep_that_is_killed_and_run_again_has_the_same_results(tmp_path: Path, jobs: int) -> None:
    path = write_plan(tmp_path, TINY.replace("epochs = 2", "epochs = 12"))
    whole, killed = Store(tmp_path / "whole"), Store(tmp_path / "killed")
    command = [
        sys.executable,
        "-m",
        "moose",
        "bench",
        "run",
        str(path),
        "--scale",
        "tiny",
        "--jobs",
        str(jobs),
        "--store",
    ]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    sweep = subprocess.Popen([*command, killed.folder], env=environment, start_new_session=True)
    while sweep.poll() is None and not list(killed.folder.glob("work/*/log.jsonl")):
        time.sleep(0.01)
    os.killpg(sweep.pid, signal.SIGKILL)
    sweep.wait()
    assert len(list(killed.folder.glob("cells/*.json"))) < 2 and list(killed.folder.glob("locks/*.lock"))
    for store in (killed, whole):
        subprocess.run([*command, store.folder], env=environment, check=True)
    pairs = list(zip(whole.results("few", "tiny"), killed.results("few", "tiny")))
    assert len(pairs) == 2 and any(after["is_resumed"] for _, after in pairs)
    for before, after in pairs:
        for key in ("metrics", "metrics_network", "details", "data_hash"):
            assert before[key] == after[key]
