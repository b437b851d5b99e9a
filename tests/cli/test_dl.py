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
        ("Pizza or Fish", "the query: expected a class expression of OWL 2 EL, but got ObjectUnionOf"),
        ("Pizza and", "the query:1: expected a class expression, but the end of the text came"),
    ],
)
def test_mistakes(query: str, message: str, moose: Command) -> None:
    assert message in moose("dl", package.PIZZERIA, query).one_complaint()


def test_a_mistake_in_a_file_has_its_line(moose: Command, tmp_path: Path) -> None:
    file = tmp_path / "queries.txt"
    file.write_text("Pizza\n\nPizzza\n")
    assert (
        "queries.txt:3: expected the name of a class" in moose("dl", package.PIZZERIA, "--file", file).one_complaint()
    )


def test_without_a_query(moose: Command) -> None:
    assert "expected a class expression, but got none" in moose("dl", package.PIZZERIA).one_complaint()


def test_an_inconsistent_ontology(moose: Command, inconsistent: Path) -> None:
    found = moose("dl", inconsistent, "Cat")
    assert (found.code, found.out) == (3, "")
