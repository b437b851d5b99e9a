"""The glossary names things that exist, and each word once a stage."""

from __future__ import annotations

import re
from functools import reduce
from pathlib import Path
from pkgutil import resolve_name

import pytest

PAGE = (Path(__file__).parent.parent / "docs" / "glossary.md").read_text(encoding="utf-8")
STAGES = "Ontology Saturation Grounding Circuit Learning Shortcuts Queries Certificates Benchmark".split()
NAMES = sorted(set(re.findall(r"`(moose\.[\w.]+)`", PAGE)))


def member(owner: object, name: str) -> object:
    """Return a member of a module or class; of a field without a default, its type."""
    fields: dict[str, object] = getattr(owner, "__annotations__", {})
    return getattr(owner, name) if hasattr(owner, name) else fields[name]


def find(name: str) -> object:
    """Return what a dotted name stands for: a module as far as there are any, then members."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module: object = resolve_name(".".join(parts[:length]) + ":")
        except ModuleNotFoundError:
            continue
        return reduce(member, parts[length:], module)
    raise LookupError(name)


def rows(stage: str) -> list[list[str]]:
    """Return the cells of a stage's table, without its head."""
    section = PAGE.partition(f"\n## {stage}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[2:]]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_the_code_exists(name: str) -> None:
    assert find(name) is not None


def test_a_name_that_does_not_exist_is_noticed() -> None:
    for name in ("moose.owl.load.lode", "moose.owl.lode.load", "moose.owl.ontology.Ontology.axiom"):
        with pytest.raises((AttributeError, KeyError)):
            find(name)


def test_stages_stand_in_the_order_of_the_pipeline() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.MULTILINE)[1:] == STAGES


@pytest.mark.parametrize("stage", STAGES)
def test_each_row_has_a_word_a_meaning_a_name_and_the_papers_word(stage: str) -> None:
    found = rows(stage)
    assert found and all(len(row) == 4 and all(row) for row in found)
    assert [row[0] for row in found if "`moose." not in row[2]] == []
    words = [row[0] for row in found]
    assert len(words) == len(set(words))
