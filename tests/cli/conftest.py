from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Command

INCONSISTENT = """
Prefix(:=<http://e.org/>)
Ontology(<http://e.org/no>
  DisjointClasses(:Cat :Dog) ClassAssertion(:Cat :tom) ClassAssertion(:Dog :tom) SubClassOf(:Cat :Animal)
)"""
OUTSIDE = """
Prefix(:=<http://e.org/>)
Ontology(<http://e.org/outside>
  SubClassOf(:A :B)
  DisjointUnion(:Pet :Cat :Dog)
  SubClassOf(:A ObjectAllValuesFrom(:r :B))
)"""


@pytest.fixture
def moose(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    monkeypatch.chdir(tmp_path)  # so that a file under a wrong name is not left in the project
    return Command(capsys)


@pytest.fixture
def inconsistent(tmp_path: Path) -> Path:
    path = tmp_path / "inconsistent.ofn"
    path.write_text(INCONSISTENT)
    return path


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    path = tmp_path / "outside.ofn"
    path.write_text(OUTSIDE)
    return path
