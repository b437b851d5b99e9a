"""Ask HermiT what follows from small functional-syntax files, all in one JVM."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections import defaultdict
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.entailments import Entailments, Names
from bench.peers import Peers
from moose.base.errors import MooseError


class HermitError(MooseError):
    """HermiT refused an ontology (not OWL 2 DL, most often) or gave up on it."""


class Hermit:
    """A HermiT process that answers until it is closed; one that takes too long is ended and another one started.

    with Hermit(find_peers()) as hermit:
        print(hermit.ask(Path("tests/golden/transitive.ofn")))
    """

    def __init__(self, peers: Peers, *, seconds: float = 60.0) -> None:
        self._command = peers.command("HermitServer")
        self._seconds = seconds
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process and wait for it."""
        with contextlib.suppress(BrokenPipeError):
            self._process.communicate()

    def ask(self, path: Path, *, careful: bool = False) -> Entailments:
        """Say what follows from a file; `careful` has every single pair decided by a test of its own."""
        assert self._process.stdin is not None
        limit = threading.Timer(self._seconds, self._process.kill)
        limit.start()
        try:
            self._process.stdin.write(f"{'careful' if careful else 'fast'} {path.resolve()}\n")
            self._process.stdin.flush()
            lines = self._answer()
        except BrokenPipeError:
            lines = None
        finally:
            limit.cancel()
        if lines is None:
            self.close()
            self._process = self._start()
            raise HermitError(f"{path.name}: HermiT gave no answer within {self._seconds:.0f} s")
        return _read(lines, path)

    def _answer(self) -> list[list[str]] | None:
        """Read one answer; None where the process ended before it was complete."""
        assert self._process.stdout is not None
        lines: list[list[str]] = []
        for line in self._process.stdout:
            if line == ".\n":
                return lines
            lines.append(line.rstrip("\n").split("\t"))
        return None


def _read(lines: list[list[str]], path: Path) -> Entailments:
    said: defaultdict[str, list[Names]] = defaultdict(list)
    for kind, *names in lines:
        said[kind].append(tuple(names))
    if said["error"]:
        raise HermitError(f"{path.name}: HermiT says {said['error'][0][0]}")
    return Entailments(
        is_consistent=said["consistent"] == [("true",)],
        unsatisfiable=tuple(sorted(said["unsat"])),
        closure=tuple(sorted(said["sub"])),
        types=tuple(sorted(said["type"])),
        roles=tuple(sorted(said["role"])),
        same=tuple(sorted(said["same"])),
    )
