"""Work in several processes: the same results, also where a process is killed in the middle."""

from __future__ import annotations

import os
import signal
import sys
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

import moose
from moose.base.errors import MooseError
from moose.base.processes.parallel import Workers, work_in_parallel
from moose.benchmark.plans.plans import read_plan
from moose.benchmark.store.store import Store
from moose.benchmark.sweep import run as run_module
from moose.queries import query as query_module
from moose.queries.query import query_all
from moose.ranking import rank as rank_module
from moose.ranking.rank import rank
from tests.base import cluster_work
from tests.benchmark.plan_texts import CIRCUITS, write_plan

pytest.importorskip("joblib")
TWO = Workers(jobs=2)
WARD = moose.PIZZERIA.with_name("ward.ofn")


def square(number: int) -> int:
    return number * number


def square_once_killed(mark: Path, number: int) -> int:
    """Kill the process that is at 3, the first time."""
    if number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_killed(number: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise MooseError(f"expected no {number}")


def test_a_killed_process_costs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "killed"
    found = dict(work_in_parallel(partial(square_once_killed, mark), range(6), TWO))
    assert found == {number: number * number for number in range(6)}
    assert mark.exists()


@pytest.mark.slow
def test_what_is_always_killed_is_given_up() -> None:
    with pytest.raises(MooseError, match="killed again and again"):
        list(work_in_parallel(always_killed, [1], TWO))


def test_an_error_is_that_of_the_function() -> None:
    with pytest.raises(MooseError, match="expected no 1"):
        list(work_in_parallel(refuse, [1], Workers()))


@pytest.mark.parametrize("count", [1, 2, 9, 100])
def test_parts_are_all_items_in_order(count: int) -> None:
    parts = Workers(jobs=3).split(range(count))
    assert [one for part in parts for one in part] == list(range(count))
    assert len(parts) <= 12


def test_workers_are_a_number() -> None:
    with pytest.raises(MooseError, match="expected a number of processes"):
        Workers(jobs=0)


def test_queries_in_processes_are_those_here() -> None:
    ontology = moose.load(moose.PIZZERIA)
    probabilities = moose.probabilities(
        ontology, given={"SubClassOf(Pizza Dish)": "0.9", "SubClassOf(Salami Meat)": "0.5"}
    )
    goals = ["SubClassOf(Pizza Dish)", "SubClassOf(Salami Meat)", "unsatisfiable VeganSalami"]
    here = query_all(ontology, goals, probabilities=probabilities)
    apart = query_all(ontology, goals, probabilities=probabilities, workers=TWO)
    assert apart == here
    assert here[0].lower == Fraction(9, 10)
    assert str(apart[0].justifications[0]) == str(here[0].justifications[0])


def test_rankings_in_processes_are_those_here() -> None:
    ward = moose.hypotheses(moose.load(WARD))
    cases = [moose.case(f"case {one}", present=["ItchyRash"][: one % 2], absent=["Fever"]) for one in range(5)]
    here, apart = rank(ward, cases), rank(ward, cases, workers=TWO)
    assert [one.case for one in apart] == cases
    assert all((one.probabilities == other.probabilities).all() for one, other in zip(here, apart, strict=True))
    assert apart[0].reasons("MossRash") == here[0].reasons("MossRash")


@pytest.mark.slow
def test_a_cluster_gives_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("ray")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(["src", ".", os.environ.get("PYTHONPATH", "")]))
    mark = tmp_path / "killed"
    found = dict(work_in_parallel(partial(square_once_killed, mark), range(6), Workers(cluster="local")))
    assert found == {number: number * number for number in range(6)}
    assert mark.exists()


@pytest.fixture
def ray_cluster(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Let the workers of a cluster find what is tested; return the mark that a killed one leaves."""
    pytest.importorskip("ray", reason="pip install 'moose-el[ray]'")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
    monkeypatch.setenv(cluster_work.MARK, str(tmp_path / "killed"))
    return tmp_path / "killed"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # Ray's own
def test_queries_on_a_cluster_that_loses_a_worker(monkeypatch: pytest.MonkeyPatch, ray_cluster: Path) -> None:
    ontology = moose.load(moose.PIZZERIA)
    goals = ["SubClassOf(Pizza Dish)", "SubClassOf(Salami Meat)", "unsatisfiable VeganSalami"]
    here = query_all(ontology, goals)
    monkeypatch.setattr(query_module, "answer_apart", cluster_work.answers_once_killed)
    assert query_all(ontology, goals, workers=Workers(jobs=2, cluster="local")) == here
    assert ray_cluster.exists(), "one was killed in the middle"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_rankings_on_a_cluster_that_loses_a_worker(monkeypatch: pytest.MonkeyPatch, ray_cluster: Path) -> None:
    ward = moose.hypotheses(moose.load(WARD))
    cases = [moose.case(f"case {one}", present=["ItchyRash"][: one % 2], absent=["Fever"]) for one in range(5)]
    here = rank(ward, cases)
    monkeypatch.setattr(rank_module, "posteriors", cluster_work.posteriors_once_killed)
    there = rank(ward, cases, workers=Workers(jobs=2, cluster="local"))
    assert all((one.probabilities == other.probabilities).all() for one, other in zip(here, there, strict=True))
    assert ray_cluster.exists(), "one was killed in the middle"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_sweep_on_a_cluster_that_loses_a_worker(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, ray_cluster: Path
) -> None:
    monkeypatch.setattr(run_module, "attend", cluster_work.attend_once_killed)
    store = Store(tmp_path / "store")
    plan = read_plan(write_plan(tmp_path, CIRCUITS))
    result = run_module.run(plan, "smoke", store, options=run_module.Options(jobs=2, cluster="local"))
    assert len(result.finished) == 2 and not result.failed, store.failures("few", "smoke")
    assert ray_cluster.exists(), "one was killed in the middle"
