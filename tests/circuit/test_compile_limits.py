from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from moose.base.errors import LimitReached, MooseError
from moose.circuit.compile import compile_circuit as compiling
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.limits import Deadline, Limits
from moose.circuit.sdd.job_runner import Engine
from moose.circuit.sdd.jobs import whole_job
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from tests.circuit.theories import diagram_table, digits, model_count, truth_table


def hopeless(count: int = 200) -> Clauses:
    """Return random clauses of three literals, three for each atom: their diagram is beyond any machine."""
    random = np.random.default_rng(1)
    rows = [(random.choice(count, 3, replace=False) + 1) * random.choice([-1, 1], 3) for _ in range(3 * count)]
    return clauses_from_lists([Atom("A", (f"i{k}",)) for k in range(count)], [row.tolist() for row in rows])


@pytest.mark.parametrize("vtree", ["structure", "balanced", "linear"])
def test_time_runs_out(vtree: str) -> None:
    with pytest.raises(LimitReached, match=r"not compiled within the 0\.5 seconds allowed \(.*\): raise the limit"):
        compile_circuit(hopeless(), vtree=vtree, limits=Limits(seconds=0.5))


@pytest.mark.parametrize("vtree", ["balanced", "linear"])
def test_the_size_runs_out(vtree: str) -> None:
    with pytest.raises(LimitReached, match=r"grew to \d+ elements, 500 are allowed \(after \d+% of the clauses\)"):
        compile_circuit(hopeless(60), vtree=vtree, limits=Limits(size=500))


def test_the_size_of_the_whole_counts_too() -> None:
    with pytest.raises(LimitReached, match="1000 are allowed"):
        compile_circuit(digits(20, [(i, i + 1) for i in range(19)]), limits=Limits(size=1000))


def test_limits_that_are_wide_enough_change_nothing() -> None:
    circuit = compile_circuit(digits(1, []), limits=Limits(seconds=1000, size=10_000))
    assert model_count(circuit.diagram) == 10


@pytest.mark.parametrize("limits", [{"seconds": 0}, {"size": -1}, {"seconds": float("nan")}])
def test_a_limit_is_positive(limits: dict[str, float]) -> None:
    with pytest.raises(MooseError, match="a limit must be a positive number or None"):
        Limits(**limits)  # type: ignore[arg-type]


def test_too_wide_separators_are_compiled_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    theory = clauses_from_lists(
        [Atom(name, (who,)) for who in "abcd" for name in "AB"],
        [(1, 3), (-2, 4, 3), (3, -5), (4, 5, 6), (-7, 5), (8, -6, -7)],
    )
    monkeypatch.setattr(compiling, "MOST_DIVIDED", 1)
    circuit = compile_circuit(theory)
    assert circuit.statistics.vtree == "structure: 1 parts, 1 different, 1 undivided because of wide separators"
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()


# ── The worker process ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_worker_gives_what_this_process_gives() -> None:
    theory = digits(1, [])
    job = whole_job(14, theory.literals, theory.starts, shape="best", minimise=True)
    with Engine(Deadline.begin(Limits()), lambda share: None) as here:
        expected = here.run(job)
        assert here.process is None
    with Engine(Deadline.begin(Limits()), lambda share: None, tiny=0) as elsewhere:
        for _ in range(2):
            found = elsewhere.run(job)
            assert (found.size, found.count) == (expected.size, expected.count)
            for name in ("starts", "primes", "subs", "roots"):
                assert np.array_equal(getattr(found.functions, name), getattr(expected.functions, name))
        process = elsewhere.process
        assert process is not None and process.poll() is None
    assert process.poll() is not None


def test_a_worker_that_dies_is_reported() -> None:
    theory = hopeless()
    job = whole_job(200, theory.literals, theory.starts, shape="linear", minimise=False)

    def kill(_: float) -> None:
        assert engine.process is not None
        engine.process.kill()

    with (
        Engine(Deadline.begin(Limits()), kill) as engine,
        pytest.raises(MooseError, match="the compiling process ended with status -9 after"),
    ):
        engine.run(job)


def test_a_fault_in_the_worker_is_raised_here() -> None:
    job = whole_job(20, np.array([21], np.int32), np.array([0, 1], np.int64), shape="linear", minimise=False)
    with Engine(Deadline.begin(Limits()), lambda share: None) as engine, pytest.raises(RuntimeError, match="KeyError"):
        engine.run(job)


def test_an_interpreter_that_cannot_be_started_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(MooseError, match="cannot start '/nowhere/python'"):
        compile_circuit(digits(2, [(0, 1)]), vtree="balanced")


SCRIPT = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # what is started in the background ignores it else
sys.path.insert(0, {root!r})
from moose.circuit.compile.compile_circuit import compile_circuit
from tests.circuit.test_compile_limits import hopeless
print("started", flush=True)
compile_circuit(hopeless(), vtree="balanced", progress=lambda message, share: print("working", flush=True))
"""  # without a guard for __main__, and read from standard input


def begin_hopeless() -> subprocess.Popen[bytes]:
    """Start a hopeless compilation in another process and wait until its worker is at work."""
    process = subprocess.Popen(
        [sys.executable, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(SCRIPT.format(root=str(Path(__file__).parents[2])).encode())
    process.stdin.close()
    process.stdin = None  # so that `communicate` leaves it alone
    assert process.stdout.readline() == b"started\n"
    assert process.stdout.readline() == b"working\n"
    return process


def children(pid: int) -> set[int]:
    return {int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()}


def wait_until_gone(pids: set[int]) -> bool:
    """Wait, for ten seconds at most, until processes have ended."""
    for _ in range(100):
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return True
        time.sleep(0.1)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks processes up in /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_no_worker_is_left_when_the_parent_is_stopped(number: signal.Signals) -> None:
    process = begin_hopeless()
    working = children(process.pid)
    assert len(working) == 1
    process.send_signal(number)
    _, complaints = process.communicate(timeout=10)
    assert wait_until_gone(working)
    if number == signal.SIGINT:
        assert complaints.rstrip().endswith(b"KeyboardInterrupt")
