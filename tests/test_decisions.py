"""Decisions are numbered in one sequence, and the name of the file, the heading and the index give the same number."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "docs" / "decisions"
INDEX = FOLDER / "index.md"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path != INDEX)

HEADING = re.compile(r"# (\d+)\. (.+)\n")
LINE = re.compile(r"^(\d+)\. \[(.+)\]\((.+)\)$", re.MULTILINE)


def test_file_names_are_numbered_without_gaps() -> None:
    numbers = [path.name.partition("-")[0] for path in PAGES]
    assert numbers == [f"{number:04}" for number in range(1, len(PAGES) + 1)]


def test_the_heading_has_the_number_of_the_file() -> None:
    for number, page in enumerate(PAGES, start=1):
        heading = HEADING.match(page.read_text(encoding="utf-8"))
        assert heading and heading[1] == str(number), f"{page.name} should begin with `# {number}. `"


def test_the_index_lists_every_decision_by_number_and_title() -> None:
    listed = [tuple(line) for line in LINE.findall(INDEX.read_text(encoding="utf-8"))]
    headings = [(HEADING.match(page.read_text(encoding="utf-8")), page.name) for page in PAGES]
    assert listed == [(heading[1], heading[2], name) for heading, name in headings if heading]
