"""`moose realise` writes what the individuals are."""

from __future__ import annotations

from pathlib import Path

import moose as package
from tests.cli.running import Command

P = "https://example.org/pizzeria#"
TYPES = {
    "bellaNapoli": ["Pizzeria"],
    "gina": ["Cook", "NoviceCook"],
    "tonightsSpecial": [
        "DairyDish", "Diavola", "Dish", "Food", "HouseDish", "Margherita", "Marinara", "OvenDish", "Pizza", "SpicyDish",
    ],
}  # fmt: skip
ROWS = [(P + individual, P + name) for individual, names in TYPES.items() for name in names]


def test_all_types(moose: Command, tmp_path: Path) -> None:
    outcome = moose("realise", package.PIZZERIA)
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.rows == ROWS
    assert moose("realise", package.PIZZERIA, "-o", tmp_path / "types.tsv").out == ""
    assert (tmp_path / "types.tsv").read_text() == outcome.out


def test_role_assertions(moose: Command) -> None:
    rows = moose("realise", package.PIZZERIA, "--roles").rows
    assert (P + "gina", P + "cooks", P + "tonightsSpecial") in rows
    assert (P + "gina", P + "knows", P + "gina") in rows
    assert rows == sorted(rows)


def test_json(moose: Command) -> None:
    found = moose("realise", package.PIZZERIA, "--json").json
    assert found["individuals"] == 3
    assert found["consistent"] is True
    assert [tuple(row) for row in found["types"]] == ROWS


def test_an_inconsistent_ontology(moose: Command, inconsistent: Path, tmp_path: Path) -> None:
    outcome = moose("realise", inconsistent, "-o", tmp_path / "out.tsv")
    assert (outcome.code, outcome.out) == (3, "")
    assert "the ontology is inconsistent" in outcome.err
    assert not (tmp_path / "out.tsv").exists()
    assert moose("realise", inconsistent, "--json").json["consistent"] is False
