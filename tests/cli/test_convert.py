"""`moose convert` and `moose merge`."""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import pytest

import moose
from moose.cli import main

OTHER = """\
Prefix(:=<http://example.org/other#>)
Ontology(<http://example.org/other>
Annotation(rdfs:comment "of the other")
Declaration(Class(:A))
AnnotationAssertion(rdfs:label :A "a"@en)
AnnotationAssertion(rdfs:label :A "ein A"@de)
SubClassOf(Annotation(rdfs:comment "why") :A ObjectSomeValuesFrom(:r ObjectUnionOf(:B :C)))
)
"""
IMPORTING = """\
Ontology(<http://example.org/main>
Import(<http://example.org/other>)
Annotation(rdfs:comment "of the main one")
Declaration(Class(<http://example.org/main#M>))
SubClassOf(<http://example.org/main#M> <http://example.org/other#A>)
)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "other.ofn").write_text(OTHER)
    (tmp_path / "main.ofn").write_text(IMPORTING)
    return tmp_path


@pytest.mark.parametrize("ending", [".ofn", ".owx", ".owl", ".ttl", ".nt", ".obo", ".ttl.gz"])
def test_an_ontology_goes_through_every_syntax(folder: Path, ending: str) -> None:
    out = folder / f"written{ending}"
    assert main(["convert", str(folder / "other.ofn"), str(out)]) == 0
    before, after = moose.load(folder / "other.ofn"), moose.load(out)
    assert set(after.axioms) == set(before.axioms) and after.axioms[0].annotations
    assert set(before.annotations.assertions) <= set(after.annotations.assertions)
    assert set(before.annotations.header) <= set(after.annotations.header)


def test_imports_stay_imports_unless_they_are_merged(folder: Path) -> None:
    out = folder / "written.ttl"
    assert main(["convert", str(folder / "main.ofn"), "-o", str(out)]) == 0
    alone = moose.load_document(out)
    assert alone.ignored_imports == ("http://example.org/other",) and len(alone.axioms) == 1
    assert main(["convert", str(folder / "main.ofn"), "-o", str(out), "--merge-imports"]) == 0
    merged = moose.load(out)
    assert merged.ignored_imports == () and len(merged.axioms) == 2
    assert [note.value.lexical for note in merged.annotations.header] == ["of the main one"]  # type: ignore[union-attr]


def test_an_import_that_is_not_there_is_kept(folder: Path) -> None:
    (folder / "other.ofn").unlink()
    assert main(["convert", str(folder / "main.ofn"), str(folder / "written.owl")]) == 0
    assert moose.load_document(folder / "written.owl").ignored_imports == ("http://example.org/other",)


def test_merging_takes_what_is_imported_and_each_statement_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(folder / "main.ofn"), str(folder / "other.ofn")]
    assert main(["merge", *files, "-o", str(folder / "all.ofn"), "--json"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["axioms"] == 2 and summary["annotation_assertions"] == 2 and summary["imports"] == []
    assert summary["iri"] == "http://example.org/main" and summary["syntax"] == "functional"
    assert main(["merge", *files, "-o", str(folder / "kept.ofn"), "--keep-imports", "--iri", "urn:x:new"]) == 0
    kept = moose.load(folder / "kept.ofn")
    assert kept.iri == "urn:x:new" and len(kept.axioms) == 2 and kept.ignored_imports == ()


def test_the_standard_streams(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Stream:
        buffer = io.BytesIO(gzip.compress(OTHER.encode()))

    monkeypatch.setattr("sys.stdin", Stream)
    assert main(["convert", "-", "-", "--syntax", "turtle"]) == 0
    text = capsys.readouterr().out
    (folder / "piped.ttl").write_text(text)
    assert set(moose.load(folder / "piped.ttl").axioms) == set(moose.load(folder / "other.ofn").axioms)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["other.ofn", "out.xyz"], "expected a file that ends in"),
        (["other.ofn"], "expected a file to write or a syntax for the output, but got neither"),
        (["other.ofn", "a.ttl", "-o", "b.ttl"], "expected one file to write"),
        (["other.ofn", "other.ofn"], "is the ontology itself and would be overwritten"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path, arguments: list[str], said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    assert main(["convert", *arguments]) == 2
    shown = capsys.readouterr().err
    assert said in shown and shown.count("\n") == 1


def test_what_cannot_be_written_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "x.obo").write_text("format-version: 1.4\ntreat-xrefs-as-is_a: Z\n\n[Term]\nid: X:1\n")
    assert main(["convert", str(folder / "x.obo"), str(folder / "x.ttl"), "--json"]) == 0
    captured = capsys.readouterr()
    (unwritten,) = json.loads(captured.out)["unwritten"]
    assert "treat-xrefs-as-is_a: Z" in unwritten["statement"] and "only a comment" in captured.err


def test_nothing_is_written_where_writing_fails(folder: Path) -> None:
    (folder / "x.ofn").write_text('Ontology(AnnotationAssertion(<urn:x:p> <urn:x:a> "a\x01"))')
    assert main(["convert", str(folder / "x.ofn"), str(folder / "x.owx")]) == 2
    assert not (folder / "x.owx").exists() and not [*folder.glob(".*")]


def test_two_runs_give_the_same_bytes(folder: Path) -> None:
    for name in ("first.owl.gz", "second.owl.gz"):
        assert main(["convert", str(folder / "other.ofn"), str(folder / name)]) == 0
    assert (folder / "first.owl.gz").read_bytes() == (folder / "second.owl.gz").read_bytes()
