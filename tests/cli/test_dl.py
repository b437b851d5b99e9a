"""`moose dl`: the answers, in lines and in JSON, and what is said about questions that make no sense."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import moose as package
from tests.cli.running import Command

BASE = "https://example.org/pizzeria#"


def test_lines(moose: Command) -> None:
    found = moose("dl", package.PIZZERIA, "Pizza and contains some Fish")
    assert found.code == 0
    assert found.rows == [
        *(("super", BASE + name) for name in ("Dish", "Food", "OvenDish", "Pizza")),
        ("sub", BASE + "Napoli"),
    ]


def test_relations_can_be_chosen(moose: Command) -> None:
    found = moose("dl", package.PIZZERIA, "contains some Milk", "--sub", "--instances", "--direct")
    assert found.rows == [
        *(("sub", BASE + name) for name in ("DairyDish", "Mozzarella")),
        ("instance", BASE + "tonightsSpecial"),
    ]


def test_a_file_of_queries(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("# both syntaxes\n\nPizza and contains some Fish\nObjectSomeValuesFrom(contains Fish)\n")
    found = moose("dl", package.PIZZERIA, "--file", file, "--sub", "--direct", "--names", "curie")
    assert found.rows[0] == ("Pizza and contains some Fish", "sub", ":Napoli")
    assert {row[0] for row in found.rows} == {"Pizza and contains some Fish", "ObjectSomeValuesFrom(contains Fish)"}


def test_queries_from_the_input(moose: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("Napoli\n"))
    assert moose("dl", package.PIZZERIA, "--file", "-", "--equivalent").rows == [("equivalent", BASE + "Napoli")]


def test_json(moose: Command) -> None:
    found = moose("dl", package.PIZZERIA, "VeganSalami and Fish", "Napoli", "--json").json
    assert [one["satisfiable"] for one in found["queries"]] == [False, True]
    assert found["queries"][1]["equivalent"] == [BASE + "Napoli"]
    assert found["unused"] == []


def test_lines_go_to_a_file_beside_json(moose: Command, tmp_path: Path) -> None:
    moose("dl", package.PIZZERIA, "Napoli", "--json", "--equivalent", "-o", tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == f"equivalent\t{BASE}Napoli\n"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (
            "contains some Fsh",
            "the query: expected the name of a class, but the ontology has no 'Fsh'; did you mean Fi",
        ),
        ("hasTopping Fish", "but 'hasTopping' is an object property; write 'hasTopping some Fish'"),
        ("Pizza and hasTopping (Fish and Vegetable)", "is an object property; write 'hasTopping some (…)'"),
        ("hasTopping", "is an object property; write 'hasTopping some Thing'"),
        ("Pizza hasTopping Fish", "is an object property; write 'hasTopping some Fish'"),
        ("Pizza or Fish", "the query: expected a class expression of OWL 2 EL, but got ObjectUnionOf"),
        ("Pizza and", "the query:1: expected a class expression, but the end of the text came"),
    ],
)
def test_mistakes(query: str, message: str, moose: Command) -> None:
    assert message in moose("dl", package.PIZZERIA, query).one_complaint()


@pytest.fixture
def partly_wrong(tmp_path: Path) -> Path:
    file = tmp_path / "queries.txt"
    file.write_text("Napoli\n\nPizzza\nPizza and\nDiavola\n")
    return file


def test_of_several_queries_the_others_are_answered_beside_a_mistake(moose: Command, partly_wrong: Path) -> None:
    found = moose("dl", package.PIZZERIA, "--file", partly_wrong, "--equivalent")
    assert found.code == 2
    assert found.rows == [(name, "equivalent", BASE + name) for name in ("Napoli", "Diavola")]
    first, second = found.err.splitlines()
    assert "queries.txt:3: expected the name of a class" in first and "did you mean Pizza" in first
    assert "queries.txt:4:" in second and "expected a class expression" in second


def test_json_has_an_error_where_there_is_no_answer(moose: Command, partly_wrong: Path) -> None:
    found = moose("dl", package.PIZZERIA, "--file", partly_wrong, "--json")
    assert found.code == 2
    queries = found.json["queries"]
    assert [("error" in one, "super" in one) for one in queries] == [
        (False, True),
        (True, False),
        (True, False),
        (False, True),
    ]
    assert queries[1]["query"] == "Pizzza" and "queries.txt:3:" in queries[1]["error"]


def test_without_a_query(moose: Command) -> None:
    assert "expected a class expression, but got none" in moose("dl", package.PIZZERIA).one_complaint()


def test_an_inconsistent_ontology(moose: Command, inconsistent: Path) -> None:
    found = moose("dl", inconsistent, "Cat")
    assert (found.code, found.out) == (3, "")


def test_labels_that_have_the_words_are_suggested(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "cells.obo"
    file.write_text(
        "format-version: 1.2\nontology: cells\n\n[Term]\nid: CL:0000000\nname: cell\n\n"
        "[Typedef]\nid: RO:0002104\nname: has plasma membrane part\n"
    )
    said = moose("dl", file, "'plasma membrane part' some cell").one_complaint()
    assert "the ontology has no 'plasma membrane part'; did you mean 'has plasma membrane part'?" in said
