"""`moose classify` writes the taxonomy: direct edges, the closure, an inferred ontology, or a summary."""

from __future__ import annotations

import gzip
import shlex
from pathlib import Path

import moose as package
from moose.owl.model.axioms import SubClassOf
from moose.owl.model.expressions import Class
from tests.cli.running import Command

P = "https://example.org/pizzeria#"
THING = "http://www.w3.org/2002/07/owl#Thing"


def test_direct_edges(moose: Command) -> None:
    outcome = moose("classify", package.PIZZERIA)
    assert outcome.code == 0
    command = f"moose explain {shlex.quote(str(package.PIZZERIA))} 'unsatisfiable VeganSalami'"
    assert f"1 class is unsatisfiable: VeganSalami; `{command}` shows why" in outcome.err
    assert moose("explain", package.PIZZERIA, "unsatisfiable VeganSalami").code == 0
    rows = outcome.rows
    assert rows == sorted(set(rows))
    for sub, sup in [
        ("Diavola", "Margherita"),
        ("Diavola", "SpicyDish"),
        ("Margherita", "DairyDish"),
        ("Pizza", "OvenDish"),
    ]:
        assert (P + sub, P + sup) in rows
    for sub, sup in [("Diavola", "Pizza"), ("Diavola", "DairyDish"), ("Pizza", "Dish")]:
        assert (P + sub, P + sup) not in rows


def test_the_closure(moose: Command) -> None:
    rows = moose("classify", package.PIZZERIA, "--closure").rows
    assert rows == sorted(set(rows))
    above = {sup.removeprefix(P) for sub, sup in rows if sub == P + "Diavola"}
    assert above == {
        "Margherita", "Marinara", "Pizza", "OvenDish", "Dish", "Food", "SpicyDish", "DairyDish",
    }  # fmt: skip
    names = {name for row in rows for name in row}
    assert THING not in names
    assert P + "VeganSalami" not in names
    assert all(sub != sup for sub, sup in rows)


def test_to_a_file(moose: Command, tmp_path: Path) -> None:
    target = tmp_path / "out.tsv"
    expected = moose("classify", package.PIZZERIA).out
    outcome = moose("classify", package.PIZZERIA, "-o", target)
    assert (outcome.code, outcome.out) == (0, "")
    assert target.read_text() == expected
    assert list(tmp_path.iterdir()) == [target]


def test_json_is_a_summary(moose: Command, tmp_path: Path) -> None:
    outcome = moose("classify", package.PIZZERIA, "--json", "-o", tmp_path / "out.tsv")
    assert outcome.code == 0
    summary = outcome.json
    assert summary.pop("seconds") > 0
    assert summary == {
        "classes": len(package.load(package.PIZZERIA).classes),
        "consistent": True,
        "unsatisfiable": [P + "VeganSalami"],
        "complete": True,
        "unused": [],
        "reasoner": None,
        "outside_el": [],
    }
    assert (tmp_path / "out.tsv").read_text() == moose("classify", package.PIZZERIA).out


def test_an_inferred_ontology(moose: Command, tmp_path: Path) -> None:
    target = tmp_path / "inferred.ofn"
    assert moose("classify", package.PIZZERIA, "--format", "ofn", "-o", target).code == 0
    inferred = package.load(target)
    assert SubClassOf(Class(P + "Diavola"), Class(P + "SpicyDish")) in inferred.axioms
    assert SubClassOf(Class(P + "VeganSalami"), Class(THING.replace("Thing", "Nothing"))) in inferred.axioms
    again = moose("classify", target, "--closure").rows
    assert again == moose("classify", package.PIZZERIA, "--closure").rows


def test_a_gzip_file(moose: Command, tmp_path: Path) -> None:
    path = tmp_path / "pizzeria.owl"
    path.write_bytes(gzip.compress(package.PIZZERIA.read_bytes()))
    assert moose("classify", path).out == moose("classify", package.PIZZERIA).out


def test_an_inconsistent_ontology(moose: Command, inconsistent: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.tsv"
    outcome = moose("classify", inconsistent, "-o", target)
    assert (outcome.code, outcome.out) == (3, "")
    assert "the ontology is inconsistent" in outcome.err
    assert not target.exists()
    with_json = moose("classify", inconsistent, "--json")
    assert with_json.code == 3
    assert with_json.json["consistent"] is False


def test_what_is_outside_el_is_said(moose: Command, outside: Path) -> None:
    outcome = moose("classify", outside)
    assert outcome.code == 0
    assert "2 axioms are outside OWL 2 EL" in outcome.err
    assert ("http://e.org/Cat", "http://e.org/Pet") in outcome.rows
    assert len(moose("classify", outside, "--json").json["outside_el"]) == 2
