"""Run jobs: tiny ones here, all others in a worker process that can be killed when the time is up or the user stops."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import Self

from moose.base.errors import MooseError
from moose.base.memory import resident_megabytes
from moose.base.processes.interpreter import start_interpreter
from moose.circuit.limits import Deadline, Overgrown
from moose.circuit.sdd import job_messages as messages
from moose.circuit.sdd.compile_sdd import run_job
from moose.circuit.sdd.jobs import Fragment, Job
from moose.circuit.sdd.worker import PROGRESS

TINY = 16  # variables: the hardest theories of this many compile in under 0.2 s, as long as it takes to start a worker
GLANCE = 0.2  # seconds between two looks at the clock

START = "from moose.circuit.sdd.worker import serve; serve(parent)"

Frames = SimpleQueue[tuple[bytes, bytes] | None]


class Engine:
    """Compiles jobs one after another within a deadline; to be used in a `with` statement, which ends its worker."""

    def __init__(self, deadline: Deadline, report: Callable[[float], None], *, tiny: int = TINY) -> None:
        self.deadline = deadline
        self.report = report
        self.tiny = tiny
        self.stage = ""
        """What was done before the present job, to be said where a limit is reached."""
        self.share = "0% of the clauses"
        self.process: subprocess.Popen[bytes] | None = None
        self.reader: Thread | None = None
        self.frames: Frames = SimpleQueue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill the worker, if there is one."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        if self.reader is not None:
            self.reader.join()  # what it reads has ended with the process
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def run(self, job: Job) -> Fragment:
        """Compile one job; raise `LimitReached` when the time is up and `Overgrown` when the diagram gets too large."""
        self.share = "0% of the clauses"
        if job.variable_count <= self.tiny:
            return run_job(job, self._check)
        process = self.process or self._start()
        assert process.stdin is not None
        with suppress(BrokenPipeError):  # then it has ended, and the next frame says so
            messages.write_frame(process.stdin, messages.JOB, messages.pack_job(job))  # type: ignore[arg-type]
        while True:
            frame = self._next_frame()
            if frame is not None:
                return messages.unpack_fragment(frame)

    @property
    def progress(self) -> str:
        """How far the work has come."""
        return f"{self.stage}, then {self.share}" if self.stage else self.share

    def _check(self, share: float, _size: int) -> None:
        self.share = f"{share:.0%} of the clauses"
        self.deadline.check(self.progress)

    def _start(self) -> subprocess.Popen[bytes]:
        self.process = start_interpreter(START, "compile")
        self.reader = Thread(target=_receive, args=(self.process, self.frames), daemon=True)
        self.reader.start()
        return self.process

    def _next_frame(self) -> bytes | None:
        """Wait for the fragment; nothing if there was only a report, or nothing yet."""
        remaining = self.deadline.remaining
        try:
            frame = self.frames.get(timeout=GLANCE if remaining is None else min(GLANCE, remaining + 0.01))
        except Empty:
            self._check_worker()
            return None
        if frame is None:
            raise self._ended()
        kind, payload = frame
        if kind == messages.FRAGMENT:
            return payload
        if kind == messages.FAILED:
            raise RuntimeError(f"the compiling process failed:\n{payload.decode()}")
        share, size = PROGRESS.unpack(payload)
        self.share = f"{share:.0%} of the clauses, {size} elements"
        self.report(share)
        if kind == messages.TOO_LARGE:
            raise Overgrown(share, size)
        self._check_worker()  # one that reports steadily leaves no moment without a frame
        return None

    def _check_worker(self) -> None:
        """Raise when the time is up, or the worker takes too much memory."""
        assert self.process is not None
        self.deadline.check(self.progress, megabytes=resident_megabytes(self.process.pid))

    def _ended(self) -> MooseError:
        assert self.process is not None
        status = self.process.wait()
        return MooseError(
            f"the compiling process ended with status {status} after {self.progress}; if memory ran out, set "
            f"a limit on it, or {self.deadline.advice}"
        )


def _receive(process: subprocess.Popen[bytes], frames: Frames) -> None:
    """Put each frame into the queue, and nothing at the end."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):  # closed while reading: nobody is waiting any more
        while (frame := messages.read_frame(process.stdout)) is not None:  # type: ignore[arg-type]
            frames.put(frame)
    frames.put(None)
