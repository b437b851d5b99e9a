"""A syntax is one value in one list: whoever looks for a reader goes through it, and a new syntax is a line there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

import moose
from moose.base.errors import ParseError
from moose.owl import load
from moose.owl.files.imports import peek_iris
from moose.owl.files.sniff import sniff
from moose.owl.load import SYNTAXES
from moose.owl.model.axioms import Declaration, Document, SubClassOf
from moose.owl.model.expressions import Class, Entity
from moose.owl.syntax.common.syntax import Opening, Syntax, header_by, opens_with
from tests.owl.test_sniff import BY_CONTENT

PAGE = Path(__file__).parents[2] / "docs" / "owl.md"


def test_names_titles_and_extensions_are_of_one_syntax_each() -> None:
    for values in (
        [syntax.name for syntax in SYNTAXES],
        [syntax.title for syntax in SYNTAXES],
        [extension for syntax in SYNTAXES for extension in syntax.extensions],
    ):
        assert len(set(values)) == len(values) > 0


@pytest.mark.parametrize(("text", "name"), BY_CONTENT)
def test_one_syntax_takes_a_document_for_its_own(text: str, name: str) -> None:
    start = re.match(r"(?:\s+|[#!][^\n]*\n)*", text)
    assert start
    opening = Opening(text, start.end(), "o.owl")
    sure = [syntax.name for syntax in SYNTAXES if syntax.opens(opening)]
    likely = [syntax.name for syntax in SYNTAXES if syntax.resembles(opening)]
    assert (sure or likely) == [name]


def test_the_documentation_lists_every_syntax() -> None:
    page = PAGE.read_text("utf-8")
    for syntax in SYNTAXES:
        assert syntax.title.removesuffix(" syntax") in page
        assert all(f"`{extension}`" in page for extension in syntax.extensions)


def test_functional_syntax_writes_what_it_reads() -> None:
    a, b = Class("urn:a"), Class("urn:b")
    document = Document("urn:o", declarations=(Declaration(a),), axioms=(SubClassOf(a, b),))
    writers = {syntax.name: syntax for syntax in SYNTAXES if syntax.write}
    assert list(writers) == ["functional", "owlxml", "rdfxml", "turtle", "ntriples", "obo"]
    syntax = writers["functional"]
    assert syntax.write
    assert replace(syntax.read(syntax.write(document).text.encode(), "o.ofn", ()), prefixes={}) == document


def test_the_list_loads_no_reader() -> None:
    code = "import sys, json, moose.owl.load; print(json.dumps(sorted(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = json.loads(run.stdout)
    assert not [name for name in loaded if re.search(r"read_|pyoxigraph", name)]


# ── A syntax of one's own ─────────────────────────────────────────────────────────────────────────────────────────


def read_arrows(data: bytes, where: str, known: Iterable[Entity]) -> Document:
    """Read a title line and lines such as `a --> b`."""
    title, *lines = data.decode().splitlines()
    pairs = [line.split(" --> ") for line in lines]
    axioms = [SubClassOf(Class(f"urn:{sub}"), Class(f"urn:{sup}")) for sub, sup in pairs]
    return Document(title.removeprefix("%arrows "), axioms=tuple(axioms))


ARROWS = Syntax(
    name="arrows",
    title="arrows",
    extensions=(".arrows",),
    opens=opens_with(re.compile("%arrows ")),
    read=read_arrows,
    header=header_by(re.compile(r"%arrows (\S+)")),
)


@pytest.fixture
def with_arrows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "SYNTAXES", (*SYNTAXES, ARROWS))


@pytest.mark.usefixtures("with_arrows")
def test_a_new_syntax_is_recognised_read_and_found_as_an_import(tmp_path: Path) -> None:
    imported = tmp_path / "animals.arrows"
    imported.write_text("%arrows urn:x:beasts\ncat --> animal\n")
    (tmp_path / "o.ofn").write_text("Ontology(<urn:x:o> Import(<urn:x:beasts>) SubClassOf(<urn:tom> <urn:cat>))")
    assert moose.load(imported).axioms == (SubClassOf(Class("urn:cat"), Class("urn:animal")),)
    assert peek_iris(imported, load.SYNTAXES) == ("urn:x:beasts",)
    taxonomy = moose.classify(moose.load(tmp_path / "o.ofn"))
    assert taxonomy.is_below("tom", "animal")


@pytest.mark.usefixtures("with_arrows")
def test_a_new_syntax_is_known_by_its_extension_and_named_in_messages() -> None:
    assert sniff(b"what is this", "o.arrows.gz", load.SYNTAXES) is ARROWS
    with pytest.raises(ParseError, match=f", {SYNTAXES[-1].title} or arrows, but it opens with"):
        sniff(b"what is this", "o.txt", load.SYNTAXES)


def test_without_its_line_a_syntax_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "o.arrows").write_text("%arrows urn:x:beasts\n")
    with pytest.raises(ParseError, match="it opens with '%arrows urn:x:beasts'"):
        moose.load(tmp_path / "o.arrows")
