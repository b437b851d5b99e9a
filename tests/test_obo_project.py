"""The Makefile of an OBO project releases a good ontology and stops at a bad one."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import moose

ROOT = Path(__file__).parent.parent
PROJECT = ROOT / "examples" / "obo"

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the project into a folder, with a last release and the `moose` of the test run."""
    commands = tmp_path / "bin"
    commands.mkdir()
    moose_command = commands / "moose"
    moose_command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m moose "$@"\n')
    moose_command.chmod(0o755)
    monkeypatch.setenv("PATH", str(commands), prepend=":")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    folder = tmp_path / "project"
    shutil.copytree(PROJECT, folder)
    (folder / "last").mkdir()
    told = (folder / "cells.ofn").read_text("utf-8").splitlines(keepends=True)
    old = [line for line in told if not line.startswith("SubClassOf(obo:EX_0000005 obo:EX_0000002)")]
    (folder / "last" / "cells.ofn").write_text("".join(old), "utf-8")
    return folder


def make(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "--silent"], cwd=folder, capture_output=True, text=True, check=False)


def test_a_release_is_made(project: Path) -> None:
    done = make(project)
    assert done.returncode == 0, done.stderr
    release, text = moose.load(project / "cells.owl"), (project / "cells.obo").read_text("utf-8")
    assert moose.classify(release).is_below("Kupffer cell", "phagocyte")
    assert "is_a: EX:0000003" in text
    assert "Kupffer cell" in moose.load(project / "subsets" / "kupffer.owl").labels.values()
    changes = (project / "reports" / "changes.md").read_text("utf-8")
    assert re.search(r"➕ \[T cell\]\(\S+\) SubClassOf \[leukocyte\]", changes)
    assert "phagocyte" in (project / "reports" / "queries.tsv").read_text("utf-8")


def test_a_mistake_stops_it_and_leaves_no_release(project: Path) -> None:
    source = project / "cells.ofn"
    told = source.read_text("utf-8")
    disjoint = "DisjointClasses(obo:EX_0000002 obo:EX_0000003)\n)\n"
    source.write_text(re.sub(r"^\)\n\Z", disjoint, told, flags=re.MULTILINE), "utf-8")
    done = make(project)
    assert done.returncode != 0
    assert "2 classes are unsatisfiable, 1 for a reason of its own" in done.stderr
    assert not (project / "cells.owl").exists()
    assert '"failed_on"' in (project / "reports" / "reason.json").read_text("utf-8")


def test_the_tutorial_shows_this_project() -> None:
    tutorial = (ROOT / "docs" / "tutorial-build.md").read_text("utf-8")
    for name in ("Makefile", "cells.ofn", "queries.txt"):
        assert (PROJECT / name).read_text("utf-8") in tutorial
