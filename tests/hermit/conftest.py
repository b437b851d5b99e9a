from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from moose.hermit.hermit import Hermit
from moose.hermit.java import HermitAbsent
from tests.cli.running import Command


@pytest.fixture(scope="package")
def hermit() -> Iterator[Hermit]:
    """Give HermiT, one process for all tests here."""
    try:
        running = Hermit()
    except HermitAbsent as absent:
        pytest.skip(str(absent))
    with running:
        yield running


@pytest.fixture
def moose(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)
    return Command(capsys)
