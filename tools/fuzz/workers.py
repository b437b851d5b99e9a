"""Run cases in forked processes that are used again, each case with limits on processor time and memory."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from types import FrameType
from typing import NoReturn

from tools.fuzz.case import Case, Outcome, TooLong
from tools.fuzz.targets import run_case

Draw = Callable[[int], Case]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a case may take."""

    seconds: float = 20
    """Of the processor, so that a busy machine changes nothing."""
    megabytes: int = 2_000
    """Over what the process has when it starts."""
    patience: float = 120
    """Seconds of the clock after which a case that only waits is ended."""


# ── In the worker ─────────────────────────────────────────────────────────────────────────────────────────────────


def confine(megabytes: int) -> None:
    """Let this process take so much more memory."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _stop(_number: int, _frame: FrameType | None) -> NoReturn:
    raise TooLong("the limit on processor time is reached")


def run_confined(case: Case, folder: Path, limits: Limits) -> Outcome:
    """Run a case in an empty folder with a limit on time."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    began = time.process_time()
    signal.signal(signal.SIGPROF, _stop)
    signal.setitimer(signal.ITIMER_PROF, limits.seconds)
    try:
        outcome = run_case(case, folder)
    except TooLong as late:  # it came while the case was ending
        outcome = Outcome("found", what=str(late), signature="TooLong")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return replace(outcome, seconds=time.process_time() - began, megabytes=peak)


def serve(draw: Draw, pipe: Connection, limits: Limits) -> NoReturn:
    """Run the cases whose numbers come, until none comes; never return into the parent's code."""
    code = 1
    with suppress(BaseException):
        confine(limits.megabytes)
        with tempfile.TemporaryDirectory(prefix="moose-fuzz-") as base:
            os.environ["TMPDIR"] = tempfile.tempdir = base
            while (number := pipe.recv()) is not None:
                pipe.send((number, run_confined(draw(number), Path(base) / "case", limits)))
        code = 0
    os._exit(code)


# ── In the parent ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class Worker:
    """A forked process and the number that it works on."""

    process: int
    pipe: Connection
    number: int
    since: float

    def give(self, number: int) -> None:
        """Send the next number."""
        self.number, self.since = number, time.monotonic()
        self.pipe.send(number)

    def end(self) -> str:
        """End the process and say how it ended."""
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        _, status = os.waitpid(self.process, 0)
        self.pipe.close()
        return f"signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else f"code {os.WEXITSTATUS(status)}"


def start(draw: Draw, limits: Limits) -> Worker:
    """Fork a worker."""
    here, there = Pipe()
    process = os.fork()
    if process == 0:
        here.close()
        serve(draw, there, limits)
    there.close()
    return Worker(process, here, -1, time.monotonic())


LARGE = 600
"""Megabytes above which a worker is replaced, so that the peak of the next case is its own."""


def run_numbers(
    numbers: Iterator[int], draw: Draw, *, workers: int = 1, limits: Limits | None = None
) -> Iterator[tuple[int, Outcome]]:
    """Run cases by number and yield how each went."""
    bounds = limits or Limits()
    running: list[Worker] = []
    try:
        for number in (one for _, one in zip(range(workers), numbers)):
            running.append(start(draw, bounds))
            running[-1].give(number)
        while running:
            ready = wait([worker.pipe for worker in running], timeout=1)
            for worker in list(running):
                outcome = _outcome(worker, bounds, is_ready=worker.pipe in ready)
                if outcome is None:
                    continue
                yield worker.number, outcome
                following = next(numbers, None)
                if following is None or not outcome.seconds or outcome.megabytes > LARGE:
                    worker.end()
                    running.remove(worker)
                    if following is not None:
                        running.append(start(draw, bounds))
                        running[-1].give(following)
                else:
                    worker.give(following)
    finally:
        for worker in running:
            worker.end()


def _outcome(worker: Worker, limits: Limits, *, is_ready: bool) -> Outcome | None:
    """Return how a worker's case went, if that is known; one without seconds needs another worker."""
    if is_ready:
        try:
            _, outcome = worker.pipe.recv()
        except (EOFError, ConnectionResetError):
            return Outcome("found", what="the process died", signature="died")
        assert isinstance(outcome, Outcome)
        return outcome
    if time.monotonic() - worker.since > limits.patience:
        what = f"no answer after {limits.patience:.0f} seconds of the clock"
        return Outcome("found", what=what, signature="no answer")
    return None
