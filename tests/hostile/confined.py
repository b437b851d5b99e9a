"""Run what may run away in a process of its own, with bounds on its memory and on its processor time."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]

# Address space, of which importing everything takes about 1 GB; what runs away asks for far more.
GIGABYTES = 3
# Of the processor, not of the clock: a busy machine changes nothing. What is linear takes one or two.
SECONDS = 60


@dataclass(frozen=True)
class Outcome:
    """How a process ended, and what it wrote."""

    code: int
    out: str
    err: str

    def assert_clean(self, *codes: int) -> None:
        """Fail unless the process ended by itself, with one of these codes and without a traceback."""
        assert "Traceback" not in self.err, self.err[-2000:]
        assert self.code in (codes or (0, 1, 2)), (self.code, self.err[-2000:])


def confined(*arguments: str, gigabytes: float = GIGABYTES, seconds: int = SECONDS) -> Outcome:
    """Run the interpreter with arguments, e.g. `-m moose check o.ofn`."""

    def limit() -> None:
        memory = int(gigabytes * 2**30)
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    path = os.pathsep.join([str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        env={**os.environ, "PYTHONPATH": path},
        preexec_fn=limit,
        stdin=subprocess.DEVNULL,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def moose(*arguments: object, gigabytes: float = GIGABYTES, seconds: int = SECONDS) -> Outcome:
    """Run the command, confined."""
    return confined("-m", "moose", *map(str, arguments), gigabytes=gigabytes, seconds=seconds)
