"""What the explorer answers where an ontology is out of the ordinary."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from time import monotonic, sleep

import pytest

import moose
from moose.explore.explorer import Explorer
from moose.explore.export import exported_page
from moose.owl.model.annotations import AnnotationAxioms
from moose.owl.model.expressions import NOTHING, THING

SYNONYM = "http://www.geneontology.org/formats/oboInOwl#hasExactSynonym"


def explorer_of(tmp_path: Path, text: str) -> Explorer:
    file = tmp_path / "a.ofn"
    file.write_text(f"Prefix(:=<urn:x:>)\nOntology({text})", "utf-8")
    return Explorer(moose.load(file))


def test_an_inconsistent_ontology_says_so_everywhere(tmp_path: Path) -> None:
    told = "DisjointClasses(:A :B) ClassAssertion(:A :i) ClassAssertion(:B :i) SubClassOf(:C :A)"
    explorer = explorer_of(tmp_path, told)
    assert not explorer.about({})["is_consistent"]
    assert explorer.children({"iri": THING.iri})["total"] == 0
    assert explorer.unsatisfiable({}) == {"is_consistent": False, "classes": []}
    assert not explorer.describe({"iri": "C"})["is_satisfiable"]
    assert explorer.why({"sub": THING.iri, "sup": NOTHING.iri})["proofs"]
    assert "inconsistent" not in exported_page(explorer).partition('id="kept"')[0].partition("<main")[0]


def test_an_empty_ontology_has_a_page(tmp_path: Path) -> None:
    explorer = explorer_of(tmp_path, "")
    explorer.prepare()
    assert explorer.search({"text": "a"})["matches"] == []
    assert explorer.path({"iri": THING.iri})["path"]
    assert exported_page(explorer)


def test_synonyms_are_read_while_labels_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    explorer = Explorer(moose.load(moose.PIZZERIA))
    may_read, was_asked = Event(), Event()

    def annotations() -> AnnotationAxioms:
        was_asked.set()
        assert may_read.wait(60)
        return explorer.ontology.annotations

    monkeypatch.setattr(explorer, "_annotations", annotations)
    explorer.read_synonyms()
    assert was_asked.wait(60)
    assert explorer.answer("search", {"text": "xyz"}) == {"matches": [], "is_cut": False, "is_reading": True}
    assert explorer.answer("search", {"text": "Napoli"})["is_reading"] is False
    may_read.set()
    deadline = monotonic() + 60
    while explorer.answer("search", {"text": "xyz"})["is_reading"]:
        assert monotonic() < deadline
        sleep(0.01)
    assert explorer.answer("search", {"text": "xyz"}) == {"matches": [], "is_cut": False, "is_reading": False}


def test_a_synonym_is_found_where_no_label_fits(tmp_path: Path) -> None:
    explorer = explorer_of(tmp_path, f'AnnotationAssertion(<{SYNONYM}> :A "thymocyte") SubClassOf(:A :B)')
    assert [one["name"] for one in rows(explorer, "thymo")] == ["A"]
    gone = explorer_of(tmp_path, f'AnnotationAssertion(<{SYNONYM}> :A "thymocyte") SubClassOf(:A :B)')
    (tmp_path / "a.ofn").unlink()
    assert rows(gone, "thymo") == []


def rows(explorer: Explorer, text: str) -> list[dict[str, str]]:
    matches = explorer.search({"text": text})["matches"]
    assert isinstance(matches, list)
    return matches


def test_many_children_come_in_pages(tmp_path: Path) -> None:
    explorer = explorer_of(tmp_path, " ".join(f"SubClassOf(:c{number:04} :top)" for number in range(450)))
    names = []
    for start in (0, 200, 400):
        page = explorer.children({"iri": "urn:x:top", "from": str(start)})
        assert page["total"] == 450 and isinstance(page["children"], list)
        names += [one["name"] for one in page["children"]]
    assert names == [f"c{number:04}" for number in range(450)]
