"""`import moose` offers its names lazily; what the type checker sees is what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import moose

ROOT = Path(__file__).parent.parent


def test_every_name_of_the_facade_is_there() -> None:
    for name in moose.__all__:
        assert getattr(moose, name) is not None
    assert set(moose.__all__) == {*moose._HOMES, "PIZZERIA", "__version__"} == set(dir(moose))


def test_the_type_checker_sees_the_same_names() -> None:
    tree = ast.parse(Path(moose.__file__).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname: f"{node.module}:{alias.name}"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == moose._HOMES


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'moose' has no attribute 'clasify'"):
        getattr(moose, "clasify")  # noqa: B009  # the point is the name


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"\nversion: {moose.__version__}\n" in citation
    newest = re.search(r"^## (\S+)", changes, re.MULTILINE)
    assert newest and newest[1] in (moose.__version__, "Unreleased")


def test_the_bundled_ontology_is_in_the_package() -> None:
    assert moose.PIZZERIA.is_file()
    assert Path(moose.__file__).parent in moose.PIZZERIA.parents
