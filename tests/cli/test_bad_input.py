"""Bad input through every command: exit 2, one line, no traceback, no output file."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import moose as package
from tests.cli.running import Command

E = "http://e.org/"
DEEP = "ObjectSomeValuesFrom(<urn:r> " * 10_000 + "<urn:A>" + ")" * 10_000

BAD: dict[str, tuple[bytes | None, str]] = {
    "missing.owl": (None, "there is no such file"),
    "empty.owl": (b"", "the file is empty"),
    "empty.ofn.gz": (gzip.compress(b""), "the file is empty"),
    "truncated.ofn": (b"Ontology(<urn:o> SubClassOf(<urn:A> ", "truncated.ofn:1"),
    "truncated.ofn.gz": (gzip.compress(b"Ontology()" * 50)[:30], "cut short"),
    "truncated.owl": (b"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><a", "truncated.owl"),
    "prose.owl": (b"Dear all,\nhere it is.", "it opens with 'Dear all,'"),
    "prose.ttl": (b"Dear all,\nhere it is.", "prose.ttl"),
    "page.owl": (b"<!DOCTYPE html><html></html>", "HTML page"),
    "archive.owl": (b"PK\x03\x04....", "zip archive"),
    "latin.ofn": ("Ontology(\n# café\n)".encode("latin-1"), "latin.ofn:2: expected UTF-8 text, but byte 15 is 0xe9"),
    "utf16.ofn": ("Ontology()".encode("utf-16"), "UTF-16"),
    "deep.ofn": (f"Ontology(SubClassOf(<urn:A> {DEEP}))".encode(), "nested"),
    "prefix.ofn": (b"Ontology(\nSubClassOf(a:B a:C))", "prefix.ofn:2"),
    "imports.ofn": (b"Ontology(Import(<http://e.org/gone>))", "imports <http://e.org/gone>"),
}
COMMANDS: dict[str, Callable[[Path, Path], list[str | Path]]] = {
    "classify": lambda path, out: ["classify", path, "-o", out],
    "classify --json": lambda path, out: ["classify", path, "--json", "-o", out],
    "check": lambda path, out: ["check", path, "-o", out],
    "explain": lambda path, out: ["explain", path, "SubClassOf(A B)", "-o", out],
    "realise": lambda path, out: ["realise", path, "-o", out],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", BAD)
def test_bad_input(moose: Command, tmp_path: Path, command: str, name: str) -> None:
    content, said = BAD[name]
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    before = set(tmp_path.iterdir())
    assert said in moose(*COMMANDS[command](path, tmp_path / "out")).one_complaint()
    assert set(tmp_path.iterdir()) == before


def test_a_folder(moose: Command, tmp_path: Path) -> None:
    assert "this is a folder" in moose("classify", tmp_path).one_complaint()


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("SubClassOf(Diavola SpicyDsh)", "did you mean SpicyDish or"),
        ("SubClassOf(Diavola gina)", "'gina' is an individual"),
        ("SubClassOf(Diavola)", "SubClassOf"),
        ("SubClassOf(Diavola SpicyDish", "closes SubClassOf("),
        ("Diavola", "Diavola"),
        ("", "expected"),
        ("SubClassOf(x:Diavola SpicyDish)", "x:Diavola"),
    ],
)
def test_a_bad_goal(moose: Command, goal: str, said: str) -> None:
    assert said in moose("explain", package.PIZZERIA, goal).one_complaint()


def test_a_goal_or_inconsistency_not_both(moose: Command) -> None:
    assert "expected one thing to explain" in moose("explain", package.PIZZERIA).one_complaint()
    both = moose("explain", package.PIZZERIA, "SubClassOf(Diavola Pizza)", "--inconsistency")
    assert "expected one thing to explain" in both.one_complaint()


def test_the_ontology_as_output(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "o.ofn"
    path.write_text("Ontology()")
    for command in ("classify", "check", "realise"):
        assert "would be overwritten" in moose(command, path, "-o", path).one_complaint()
    assert path.read_text() == "Ontology()"


def test_an_output_folder_that_is_not_there(moose: Command, tmp_path: Path) -> None:
    outcome = moose("classify", package.PIZZERIA, "-o", tmp_path / "no" / "out.tsv")
    assert "cannot be written" in outcome.one_complaint()


def test_a_circle_of_imports_is_spelt_out_or_allowed(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "a.ofn").write_text(f"Ontology(<{E}a> Import(<{E}b>) SubClassOf(<{E}A> <{E}B>))")
    (tmp_path / "b.ofn").write_text(f"Ontology(<{E}b> Import(<{E}a>) SubClassOf(<{E}B> <{E}C>))")
    complaint = moose("classify", tmp_path / "a.ofn").one_complaint()
    assert f"they go {E}a → {E}b → {E}a; take one" in complaint
    outcome = moose("check", tmp_path / "a.ofn", "--allow-import-cycles")
    assert outcome.code == 0
    assert f"circle       {E}a → {E}b → {E}a" in outcome.out
    (line,) = outcome.err.splitlines()
    assert f"the imports go in a circle ({E}a → {E}b → {E}a); each document was read once" in line


def test_a_missing_import_can_be_ignored(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.ofn"
    path.write_text(f"Ontology(<{E}a> Import(<{E}gone>) SubClassOf(<{E}A> <{E}B>))")
    outcome = moose("check", path, "--ignore-missing-imports")
    assert outcome.code == 0
    assert f"not found    <{E}gone>" in outcome.out
    assert f"goes on without the import <{E}gone>" in outcome.err


def test_a_path_where_there_is_no_file(moose: Command, tmp_path: Path) -> None:
    (tmp_path / "drinks.ofn").write_text("Ontology(SubClassOf(<urn:A> <urn:B>))")
    (tmp_path / "drinks.toml").write_text('ontology = "drunks.ofn"\nindividuals = ["a"]\n')
    assert moose("check", "drink.ofn").one_complaint().endswith("there is no such file; did you mean drinks.ofn?")
    assert "did you mean drinks.toml" in moose("compile", "drink.toml").one_complaint()
    assert "did you mean drinks." in moose("compile", "drinkz").one_complaint()
    said = moose("compile", "drinks.toml").one_complaint()
    assert said.startswith("moose: drinks.toml: its ontology: drunks.ofn: expected an ontology file, but")
    assert "did you mean drinks.ofn" in said


def test_a_file_that_may_not_be_read(moose: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.ofn").write_text("Ontology()")
    opened = Path.open

    def refuse(path: Path, *arguments: Any, **options: Any) -> Any:
        if path.name == "secret.ofn":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **options)

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr("os.access", lambda *_arguments, **_options: False)
    assert "secret.ofn: the file cannot be read (permission denied)" in moose("check", "secret.ofn").one_complaint()
