"""Work in a process of its own: the same results however it is started, within limits, and nothing is left behind."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

import moose
from moose.base.errors import MooseError
from moose.base.memory import resident_megabytes
from moose.base.processes import in_subprocess
from moose.base.processes.in_subprocess import STATEMENT, StartMethod, run_in_subprocess, start_method, write_frame
from moose.base.processes.interpreter import start_interpreter
from moose.queries import query as query_module
from moose.queries.query import query
from tests.base.small_work import dying, endless, failing, failing_oddly, greedy, squares, streaming

METHODS: tuple[StartMethod, ...] = ("fork", "spawn")
LONG = 30.0


@pytest.mark.parametrize("method", METHODS)
def test_values_come_in_order_and_to_the_end(method: StartMethod) -> None:
    assert run_in_subprocess(partial(squares, 4), LONG, method=method) == ([0, 1, 4, 9], True)


@pytest.mark.parametrize("method", METHODS)
def test_error_is_raised_here(method: StartMethod) -> None:
    with pytest.raises(MooseError, match="as expected"):
        run_in_subprocess(failing, LONG, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_error_that_cannot_be_sent_is_quoted(method: StartMethod) -> None:
    with pytest.raises(RuntimeError, match="Unsendable: 1 and 2"):
        run_in_subprocess(failing_oddly, LONG, method=method)


@pytest.mark.parametrize("method", METHODS)
def test_process_that_is_killed_has_no_more_to_say(method: StartMethod) -> None:
    assert run_in_subprocess(dying, LONG, method=method) == ([1], False)


@pytest.mark.parametrize("method", METHODS)
def test_time_is_limited(method: StartMethod) -> None:
    begin = time.monotonic()
    values, is_done = run_in_subprocess(endless, 0.1 if method == "fork" else 1.0, method=method)
    assert not is_done and values in ([], [1])  # a busy machine may need longer to start an interpreter
    assert time.monotonic() - begin < 5


def test_time_is_limited_where_there_is_always_a_value() -> None:
    values, is_done = run_in_subprocess(streaming, 0.1, method="fork")
    assert not is_done and len(values) > 1


@pytest.mark.parametrize("method", METHODS)
def test_memory_is_limited(method: StartMethod) -> None:
    limit = resident_megabytes(os.getpid()) + 150 if method == "fork" else 150
    assert run_in_subprocess(greedy, LONG, megabytes=limit, method=method) == ([1], False)


def test_work_that_cannot_be_sent_is_a_mistake_of_ours() -> None:
    with pytest.raises((AttributeError, pickle.PicklingError)):
        run_in_subprocess(lambda: iter([1]), LONG, method="spawn")


@pytest.mark.parametrize(
    ("chosen", "system", "expected"),
    [
        (None, "linux", "fork"),
        (None, "darwin", "spawn"),
        ("spawn", "linux", "spawn"),
        ("forkserver", "linux", "spawn"),
        ("fork", "darwin", "fork"),
    ],
)
def test_way_to_start(monkeypatch: pytest.MonkeyPatch, chosen: str | None, system: str, expected: str) -> None:
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda allow_none: chosen)
    monkeypatch.setattr(sys, "platform", system)
    assert start_method() == expected


def test_nothing_is_forked_where_that_cannot_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["spawn"])
    assert start_method() == "spawn"
    assert run_in_subprocess(partial(squares, 2), LONG) == ([0, 1], True)


def test_interpreter_ends_when_its_input_does() -> None:
    process = start_interpreter(STATEMENT, "compute")
    assert process.stdin is not None and process.stdout is not None
    write_frame(process.stdin, pickle.dumps(streaming))
    process.stdout.read(1)  # it is at work
    process.stdin.close()
    assert process.wait(timeout=10) == 1
    process.stdout.close()


SCRIPT = """
from tests.base.small_work import endless
from moose.base.processes.in_subprocess import Spawned, Forked, run_in_subprocess
from moose.base.processes import in_subprocess

kind = {kind}
class Telling(kind):
    def __init__(self, work):
        super().__init__(work)
        print(self.number, flush=True)
setattr(in_subprocess, kind.__name__, Telling)
run_in_subprocess(endless, None, method="{method}")
"""


@pytest.mark.parametrize("ended_by", [signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize(("kind", "method"), [("Forked", "fork"), ("Spawned", "spawn")])
def test_interrupted_at_once_and_nothing_is_left(ended_by: signal.Signals, kind: str, method: str) -> None:
    script = SCRIPT.format(kind=kind, method=method)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        begin = time.monotonic()
        parent.send_signal(ended_by)
        parent.wait(timeout=10)
        while is_running(child):
            assert time.monotonic() - begin < 5
            time.sleep(0.01)


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


@pytest.mark.parametrize("goal", ["ClassAssertion(LymePatient anna)", "consistent"])
def test_query_has_the_same_answer_where_processes_are_spawned(monkeypatch: pytest.MonkeyPatch, goal: str) -> None:
    ontology = moose.load(moose.PIZZERIA.with_name("clinic.ofn"))
    here = query(ontology, goal)
    monkeypatch.setattr(query_module, "FEW_AXIOMS", -1)
    monkeypatch.setattr(in_subprocess, "start_method", lambda: "spawn")
    assert query(ontology, goal) == here
