"""Progress is shown on a terminal only, and only when something takes long."""

from __future__ import annotations

import io
import sys
import time

import pytest

from moose.cli.common import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def put_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Put a terminal in the place of the standard error; a fixture would do it too early, before the capture."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    return terminal


def test_what_is_quick_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = put_terminal(monkeypatch)
    with progress.stages("reading") as stage:
        stage.enter("classifying")
    assert terminal.getvalue() == ""


def test_what_takes_long_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = put_terminal(monkeypatch)
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.01)
    monkeypatch.setattr(progress, "REFRESH_SECONDS", 0.01)
    with progress.stages("reading") as stage:
        for _ in range(500):
            time.sleep(0.01)
            if "reading" in terminal.getvalue():
                break
        stage.enter("classifying")
        stage.count(12_345)
        for _ in range(500):
            time.sleep(0.01)
            if "12,345" in terminal.getvalue():
                break
    assert "classifying, 12,345 steps" in terminal.getvalue()


def test_what_is_no_terminal_stays_clean(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE_SECONDS", 0.0)
    with progress.stages("reading"):
        time.sleep(0.01)
    assert capsys.readouterr().err == ""
