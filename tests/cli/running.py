"""Run the command in this process, and look at what it said."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from moose.cli import main


@dataclass(frozen=True, slots=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value

    @property
    def rows(self) -> list[tuple[str, ...]]:
        return [tuple(line.split("\t")) for line in self.out.splitlines()]

    def one_complaint(self) -> str:
        """Return the one line on the standard error of a command that refused its input."""
        assert self.code == 2, self
        assert self.out == "", self
        assert "Traceback" not in self.err
        (line,) = self.err.splitlines()
        assert line.startswith("moose: ")
        return line


@dataclass(frozen=True, slots=True)
class Command:
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str | Path) -> Outcome:
        self.capture.readouterr()
        code = main([str(argument) for argument in arguments])
        out, err = self.capture.readouterr()
        return Outcome(code, out, err)
