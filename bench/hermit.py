"""Ask HermiT what follows from small functional-syntax files, all in one JVM."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from pathlib import Path
from types import TracebackType
from typing import Self

from bench.entailments import Entailments, Names
from bench.peers import Peers
from moose.errors import MooseError


class HermitError(MooseError):
    """HermiT refused an ontology (not OWL 2 DL, most often) or gave up on it."""


class Hermit:
    """A HermiT process that answers until it is closed.

    with Hermit(find_peers()) as hermit:
        print(hermit.ask(Path("tests/golden/transitive.ofn")))
    """

    def __init__(self, peers: Peers) -> None:
        self._process = subprocess.Popen(
            peers.command("HermitServer"),
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
        """End the process."""
        self._process.communicate()

    def ask(self, path: Path, *, careful: bool = False) -> Entailments:
        """Say what follows from a file; `careful` has every single pair decided by a test of its own."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{'careful' if careful else 'fast'} {path.resolve()}\n")
        self._process.stdin.flush()
        return _read(self._answer(), path)

    def _answer(self) -> list[list[str]]:
        assert self._process.stdout is not None
        lines: list[list[str]] = []
        for line in self._process.stdout:
            if line == ".\n":
                return lines
            lines.append(line.rstrip("\n").split("\t"))
        raise HermitError("the process of HermiT ended before it answered; try the file alone")


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
