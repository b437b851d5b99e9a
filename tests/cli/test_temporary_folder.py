"""Where there is no folder for temporary files, another is used."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from moose.cli.learn import train
from moose.cli.learn.train import ensure_temporary_folder


def no_folder() -> str:
    raise FileNotFoundError(2, "No usable temporary directory found")


@pytest.fixture
def readonly_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "gettempdir", no_folder)
    monkeypatch.setenv("TMPDIR", "/nowhere")
    monkeypatch.setattr(train, "SHARED_MEMORY", tmp_path / "no shared memory")


@pytest.mark.usefixtures("readonly_machine")
def test_shared_memory_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(train, "SHARED_MEMORY", tmp_path)
    ensure_temporary_folder(None)
    assert tempfile.tempdir == str(tmp_path)


@pytest.mark.usefixtures("readonly_machine")
def test_then_where_the_model_goes(tmp_path: Path) -> None:
    ensure_temporary_folder(tmp_path / "model")
    assert tempfile.tempdir == str(tmp_path)


@pytest.mark.usefixtures("readonly_machine")
def test_without_any_nothing_is_changed() -> None:
    ensure_temporary_folder(None)
    assert tempfile.tempdir is None


def test_a_machine_with_a_folder_keeps_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ensure_temporary_folder(tmp_path / "model")
    assert tempfile.tempdir == str(tmp_path)
