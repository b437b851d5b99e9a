"""The golden ontologies go through every syntax and come back: axioms, annotations, header."""

from __future__ import annotations

from pathlib import Path

import pytest

import moose
from bench.peers import PeersAbsentError, find_peers
from bench.round_trips import ENDINGS, ONTOLOGIES, SHARED, difference, golden_files, run_golden
from moose.owl.ontology import Ontology
from moose.owl.write import WRITTEN

SYNTAXES = [syntax.name for syntax in WRITTEN]


def there_and_back(ontology: Ontology, syntax: str, folder: Path) -> Ontology:
    path = folder / f"written{ENDINGS[syntax]}"
    moose.write(ontology, path)
    return moose.load(path)


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_every_golden_ontology_comes_back(syntax: str, tmp_path: Path) -> None:
    for path in golden_files():
        ontology = moose.load(path)
        found = difference(ontology, there_and_back(ontology, syntax, tmp_path), syntax)
        assert (found.lost, found.added) == ([], []), path.name


def test_the_pizzeria_comes_back_with_its_probabilities(tmp_path: Path) -> None:
    ontology = moose.load(moose.PIZZERIA)
    for syntax in SYNTAXES:
        found = difference(ontology, there_and_back(ontology, syntax, tmp_path), syntax)
        assert (found.lost, found.added) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("syntax", SYNTAXES)
def test_the_cells_slim_comes_back(syntax: str, tmp_path: Path) -> None:
    source = SHARED / ONTOLOGIES["cells"]
    if not source.exists():
        pytest.skip("needs the data of ../shared")
    ontology = moose.load(source)
    found = difference(ontology, there_and_back(ontology, syntax, tmp_path), syntax)
    assert (found.lost, found.added) == ([], [])


@pytest.mark.slow
def test_the_owlapi_reads_what_was_meant_in_every_golden_ontology(tmp_path: Path) -> None:
    try:
        peers = find_peers()
    except PeersAbsentError as absent:
        pytest.skip(str(absent))
    for row in run_golden(tmp_path, peers):
        assert (row.lost, row.added, row.owlapi_lost or 0, row.owlapi_added or 0) == (0, 0, 0, 0), row.examples
