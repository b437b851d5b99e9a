"""The notebooks run, and print and show what they have kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from docs.make_notebooks import NOTEBOOKS, executed


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_a_notebook_shows_what_it_has_kept(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert executed(notebook) == notebook, "run `python docs/make_notebooks.py`"


def test_there_is_a_notebook_for_each_use() -> None:
    assert len(list(NOTEBOOKS.glob("*.ipynb"))) >= 4
