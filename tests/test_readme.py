"""Everything in the README and the docs can be copied, pasted and run, and prints what they show.

In each document the blocks marked `python` and `sh` run in order in one empty folder, the Python blocks in one
namespace. A `text` block right behind one is what it must print, the standard error included.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

ROOT = Path(__file__).parent.parent
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GENERATED = ROOT / "docs" / "api.md"  # its examples are doctests, which run where they are written

FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
SET_UP = ("make ", "python -m pip ", "git ", ". .venv")
SECONDS = re.compile(r'("seconds": )[\d.]+')


CELLS = ROOT.parent / "shared" / "data" / "scale" / "cells"
NEEDED = {"tutorial-own-ontology.md": ("CELLS", CELLS)}
"""For documents that need files which are not part of the project: the variable that names their folder."""

SLOW = frozenset(
    {
        *("tutorial-own-ontology.md", "tutorial-hierarchy.md", "tutorial-shortcuts.md", "shortcuts.md"),
        *("tutorial-tables.md", "benchmark.md"),
    }
)
"""Documents that take ten seconds or longer, but for the first that a reader comes to: `make slow` runs these."""


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of code in a document, and what it is said to print."""

    language: str
    line: int
    code: str
    printed: str | None


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks that are to be run."""
    found = list(FENCE.finditer(text))
    for number, fence in enumerate(found):
        if fence["language"] not in ("python", "sh") or fence["body"].startswith(SET_UP):
            continue
        after = found[number + 1] if number + 1 < len(found) else None
        is_output = after and after["language"] == "text" and not text[fence.end() : after.start()].strip()
        printed = after["body"] if after and is_output else None
        yield Block(fence["language"], text.count("\n", 0, fence.start()) + 1, fence["body"], printed)


def runnable() -> list[Path]:
    documents = [path for path in DOCUMENTS if path != GENERATED]
    return [path for path in documents if any(blocks(path.read_text(encoding="utf-8")))]


def marked(documents: list[Path]) -> list[ParameterSet]:
    """Mark the slow ones."""
    return [pytest.param(path, id=path.name, marks=pytest.mark.slow if path.name in SLOW else ()) for path in documents]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder, where `python` and `moose` are those of the test run."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, call in (("python", ""), ("moose", " -m moose")):
        command = commands / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}"{call} "$@"\n')
        command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("COLUMNS", "80")
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def run_python(code: str, names: dict[str, object]) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "the document", "exec"), names)
    return printed.getvalue()


def run_shell(code: str) -> str:
    done = subprocess.run(
        ["sh", "-e", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def comparable(printed: str) -> list[str]:
    """Take out what differs from run to run, and spaces that nobody sees."""
    return [SECONDS.sub(r"\1…", line.rstrip()) for line in printed.rstrip("\n").split("\n")]


@pytest.mark.parametrize("document", marked(runnable()))
def test_a_document_can_be_copied_pasted_and_run(document: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if document.name in NEEDED:
        variable, needed = NEEDED[document.name]
        if not needed.is_dir():
            pytest.skip("the folder ../shared/data/scale/cells is not there")
        monkeypatch.setenv(variable, str(needed))
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(document.read_text(encoding="utf-8")):
        printed = run_python(block.code, names) if block.language == "python" else run_shell(block.code)
        if block.printed is not None:
            where = f"{document.name}:{block.line}"
            assert comparable(printed) == comparable(block.printed), f"{where} prints something else"


def test_the_documents_show_something_to_run() -> None:
    names = {path.name for path in runnable()}
    assert {"README.md", "tutorial-classify.md"} <= names


def test_blocks_are_found_with_what_they_print() -> None:
    shown = "```python\nprint(1)\n```\n\n```text\n1\n```\n"
    text = f"{shown}some\n```sh\nmake demo\n```\n```sh\nls\n```\nmore\n```text\nno\n```\n"
    assert list(blocks(text)) == [Block("python", 1, "print(1)\n", "1\n"), Block("sh", 12, "ls\n", None)]


def test_links_between_documents_lead_somewhere() -> None:
    for document in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (document.parent / target).exists(), f"{document.name} links to {target}, which is not there"
