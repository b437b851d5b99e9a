"""The documentation site: its pages, their order, and the links that lead out of docs/. `make docs` builds it."""

from __future__ import annotations

import doctest
import re
import tomllib
from pathlib import Path

import pytest

from bench import run_tables
from docs import site_pages

ROOT = Path(__file__).parent.parent
SETTINGS = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
NAV = SETTINGS.partition("\nnav:\n")[2].partition("\n\n")[0]


def test_sections_stand_in_their_order() -> None:
    sections = re.findall(r"^  - ([\w-]+):$", NAV, re.MULTILINE)
    assert sections == ["Start", "Tutorials", "How-to", "Explanation", "Reference"]


def test_every_page_stands_in_one_section() -> None:
    listed = re.findall(r"[\w/-]+\.md$", NAV, re.MULTILINE)
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert sorted(listed) == sorted([*pages, *site_pages.BROUGHT.values()])


def test_what_is_brought_from_outside_is_there() -> None:
    assert [source for source in site_pages.BROUGHT if not (ROOT / source).is_file()] == []


def test_a_source_distribution_has_what_the_site_and_its_tables_are_made_of() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    always = {project["project"]["readme"], "pyproject.toml"}
    results = run_tables.RESULTS.relative_to(ROOT)
    needed = {path.parts[0] for path in (results, *map(Path, site_pages.BROUGHT))}
    assert needed - always <= set(packed)


@pytest.mark.parametrize(
    ("source", "written", "shown"),
    [
        ("docs/cli.md", "[a](owl.md#here)", "[a](owl.md#here)"),
        ("docs/cli.md", "[a](../README.md#install)", "[a](start.md#install)"),
        ("docs/decisions/index.md", "[a](../../README.md)", "[a](../start.md)"),
        ("README.md", "[a](docs/cli.md), [b](bench/README.md)", "[a](cli.md), [b](measuring.md)"),
        ("README.md", "[the licence](LICENSE)", "the licence"),
        ("docs/circuit.md", "![a](../bench/results/scaling_free.svg)", "![a](bench/results/scaling_free.svg)"),
        ("docs/cli.md", "[a](https://example.org/x)", "[a](https://example.org/x)"),
        ("docs/cli.md", "[a](nowhere.md)", "[a](nowhere.md)"),
        ("README.md", "```\n[a](docs/cli.md)\n```\n", "```\n[a](docs/cli.md)\n```\n"),
    ],
)
def test_links_are_made_to_fit_the_site(source: str, written: str, shown: str) -> None:
    assert site_pages.mend_links(written, source) == shown


@pytest.mark.parametrize(
    ("tag", "is_foreign"),
    [
        ('<script src="https://example.org/a.js">', True),
        ('<link rel="stylesheet" href="//example.org/a.css">', True),
        ('<img alt="a" src="images/a.svg">', False),
        ('<a href="https://example.org/">', False),
    ],
)
def test_what_is_loaded_from_another_host_is_noticed(tag: str, is_foreign: bool) -> None:
    assert bool(site_pages.LOADED.search(tag)) == is_foreign


def test_the_examples_of_the_hook_run() -> None:
    assert doctest.testmod(site_pages).failed == 0
