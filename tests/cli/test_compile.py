"""`moose compile` prints how large a task's circuit is, and what it rests on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Command

COUNTS = {
    "mnist1": (14, 117, 155),
    "mnist2": (30, 274, 659),
    "mnist3": (32, 314, 775),
    "pizzaA": (26, 103, 245),
    "pizzaB": (26, 107, 245),
    "pizzaC": (6, 10, 16),
}
TASK = """
ontology = "animals.ofn"
individuals = ["x", "y"]
observed = ["Pet", "likes"]
latent = ["Cat", "Dog"]
families = [["Cat", "Dog"]]
"""
ANIMALS = """
Prefix(:=<http://e.org/>)
Ontology(<http://e.org/animals>
  SubClassOf(:Cat :Pet) SubClassOf(:Cat ObjectSomeValuesFrom(:likes :Cat)) Declaration(Class(:Dog)))
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    (tmp_path / "animals.ofn").write_text(ANIMALS)
    path = tmp_path / "task.toml"
    path.write_text(TASK)
    return path


def numbers(out: str) -> dict[str, str]:
    return dict(line.split("\t") for line in out.splitlines() if line.count("\t") == 1)


@pytest.mark.parametrize("regime", COUNTS)
def test_the_papers_sizes(moose: Command, regime: str) -> None:
    outcome = moose("compile", "--regime", regime, "--encoding", "paper", "--vtree", "balanced")
    assert (outcome.code, outcome.err) == (0, "")
    found = numbers(outcome.out)
    assert tuple(int(found[key]) for key in ("atoms", "clauses", "size")) == COUNTS[regime]
    assert "closed domain: the individuals are a" in outcome.out


@pytest.mark.parametrize(("regime", "largest"), [("mnist1", 80), ("mnist2", 450), ("mnist3", 500)])
def test_the_default_is_smaller(moose: Command, regime: str, largest: int) -> None:
    assert moose("compile", "--regime", regime, "--json").json["size"] <= largest


def test_a_task_file(moose: Command, task: Path) -> None:
    found = moose("compile", task, "--json").json
    assert found["atoms"] == 2 * 3 + 4
    assert {"links", "family", "closed domain"} <= {one["name"] for one in found["assumptions"]}
    assert set(found) == {"atoms", "clauses", "size", "nodes", "seconds", "vtree", "assumptions"}


def test_without_closure_fewer_clauses_and_assumptions(moose: Command, task: Path) -> None:
    closed = moose("compile", task, "--encoding", "paper", "--json").json
    plain = moose("compile", task, "--encoding", "paper", "--no-closure", "--json").json
    assert closed["clauses"] - plain["clauses"] == 2 * (1 + 1 + 2)
    assert "family" not in {one["name"] for one in plain["assumptions"]}


def test_roles_are_pinned_when_asked(moose: Command) -> None:
    paper = ("compile", "--regime", "mnist2", "--encoding", "paper", "--json")
    assert moose(*paper).json["atoms"] == 30
    assert moose(*paper, "--pin-roles").json["atoms"] == 28
    full = ("compile", "--regime", "mnist2", "--json")
    assert moose(*full).json["atoms"] == 28
    assert moose(*full, "--no-pin-roles").json["atoms"] == 32  # with succ(a,a) and succ(b,b)


def test_the_circuit_is_saved_and_drawn(moose: Command, task: Path, tmp_path: Path) -> None:
    from moose.circuit.circuit import Circuit

    circuit, picture = tmp_path / "circuit.npz", tmp_path / "circuit.svg"
    outcome = moose("compile", task, "-o", circuit, "--svg", picture, "--json")
    assert outcome.code == 0
    assert Circuit.load(circuit).statistics.size == outcome.json["size"]
    assert picture.read_text(encoding="utf-8").lstrip().startswith("<svg")


@pytest.mark.parametrize("option", ["-o", "--svg"])
def test_the_task_is_not_overwritten(moose: Command, task: Path, option: str) -> None:
    assert "is the task itself" in moose("compile", task, option, task).one_complaint()
    assert task.read_text() == TASK


def test_limits_are_kept(moose: Command) -> None:
    large = ("compile", "--regime", "mnist2", "--encoding", "paper", "--vtree", "linear")
    assert "elements" in moose(*large, "--size-limit", "20").one_complaint()
    assert "positive number" in moose(*large, "--time-limit", "-1").one_complaint()


MISTAKES = [
    ((), "expected a task file or --regime NAME, but got neither"),
    (("task.toml", "--regime", "mnist1"), "but got both"),
    (("--regime", "mnist4"), "expected a regime, but got 'mnist4'; did you mean mnist"),
    (("none.toml",), "none.toml: cannot be read (no such file or directory)"),
]


@pytest.mark.parametrize(("arguments", "message"), MISTAKES)
def test_mistakes_are_one_line(moose: Command, arguments: tuple[str, ...], message: str) -> None:
    assert message in moose("compile", *arguments).one_complaint()


def test_an_inconsistent_ontology_has_its_own_exit_code(moose: Command, inconsistent: Path, tmp_path: Path) -> None:
    path = tmp_path / "task.toml"
    path.write_text(f'ontology = "{inconsistent.name}"\nindividuals = ["tom"]\nlatent = ["Cat"]\n')
    outcome = moose("compile", path, "--encoding", "paper")
    assert outcome.code == 3
    assert "the ontology is inconsistent" in outcome.err
