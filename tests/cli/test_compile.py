"""`moose compile` prints how large a task's circuit is, and what it rests on."""

from __future__ import annotations

import math
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
    outcome = moose("compile", regime, "--encoding", "paper", "--vtree", "balanced")
    assert (outcome.code, outcome.err) == (0, "")
    found = numbers(outcome.out)
    assert tuple(int(found[key]) for key in ("atoms", "clauses", "size")) == COUNTS[regime]
    assert "named individuals: the individuals are a" in outcome.out


@pytest.mark.parametrize(("regime", "largest"), [("mnist1", 80), ("mnist2", 450), ("mnist3", 500)])
def test_the_default_is_smaller(moose: Command, regime: str, largest: int) -> None:
    assert moose("compile", regime, "--json").json["size"] <= largest


def test_a_task_file(moose: Command, task: Path) -> None:
    found = moose("compile", task, "--json").json
    assert found["atoms"] == 2 * 3 + 4
    assert {"links", "family", "named individuals"} <= {one["name"] for one in found["assumptions"]}
    sizes = {"atoms", "clauses", "size", "nodes", "seconds", "vtree"}
    assert set(found) == sizes | {"satisfiable", "assumptions", "complete", "unused"}
    assert found["satisfiable"] is True


def test_without_closure_fewer_clauses_and_assumptions(moose: Command, task: Path) -> None:
    closed = moose("compile", task, "--encoding", "paper", "--json").json
    plain = moose("compile", task, "--encoding", "paper", "--no-closure", "--json").json
    assert closed["clauses"] - plain["clauses"] == 2 * (1 + 1 + 2)
    assert "family" not in {one["name"] for one in plain["assumptions"]}


def test_roles_are_pinned_when_asked(moose: Command) -> None:
    paper = ("compile", "mnist2", "--encoding", "paper", "--json")
    assert moose(*paper).json["atoms"] == 30
    assert moose(*paper, "--pin-roles").json["atoms"] == 28
    full = ("compile", "mnist2", "--json")
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
    assert "is read for this task" in moose("compile", task, option, task).one_complaint()
    assert task.read_text() == TASK


@pytest.mark.parametrize("option", ["-o", "--svg"])
def test_what_the_task_reads_is_not_overwritten(moose: Command, task: Path, option: str) -> None:
    folder = task.parent
    (folder / "pets.ofn").write_text(ANIMALS)
    importing = (
        "Ontology(<http://e.org/all> Import(<http://e.org/animals>) SubClassOf(<http://e.org/Cat> <http://e.org/Pet>))"
    )
    (folder / "animals.ofn").write_text(importing)
    (folder / "link").symlink_to("animals.ofn")
    for name, text in (("animals.ofn", importing), ("pets.ofn", ANIMALS), ("link", importing)):
        complaint = moose("compile", task, option, folder / name).one_complaint()
        assert f"{name}: is read for this task and would be overwritten; choose another name" in complaint
        assert (folder / name).read_text() == text
    assert "is read for this task" in moose("compile", task, option, folder / "catalog-v001.xml").one_complaint()


def test_the_circuit_and_its_picture_are_two_files(moose: Command, task: Path, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for picture in (tmp_path / "one", tmp_path / "inner" / ".." / "one"):
        complaint = moose("compile", task, "-o", tmp_path / "one", "--svg", picture).one_complaint()
        assert "is named by -o and by --svg; choose two names" in complaint
    assert not (tmp_path / "one").exists()


def test_the_standard_output_has_one_thing(moose: Command, task: Path) -> None:
    assert "a circuit is binary, so it cannot go to the standard output" in (
        moose("compile", task, "-o", "-").one_complaint()
    )
    assert not Path("-").exists()
    assert "--svg - and --json" in moose("compile", task, "--svg", "-", "--json").one_complaint()
    picture = moose("compile", task, "--svg", "-")
    assert (picture.code, picture.out[:4], picture.out.strip()[-6:]) == (0, "<svg", "</svg>")


def test_where_nothing_can_be_saved_there_is_advice(
    moose: Command, task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for option in ("-o", "--svg"):
        complaint = moose("compile", task, option, tmp_path / "none" / "out").one_complaint()
        assert "there is no such folder; make it, or choose another name" in complaint
    assert "is no file to write to; choose another name" in moose("compile", task, "-o", tmp_path).one_complaint()
    assert "is no file to write to; choose another name" in moose("compile", task, "-o", "/dev/null").one_complaint()

    def full_disk(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full_disk)
    complaint = moose("compile", task, "-o", tmp_path / "out").one_complaint()
    assert "No space left on device; check the folder, its permissions and the disk" in complaint


@pytest.mark.parametrize("encoding", ["full", "paper"])
def test_a_theory_without_models_is_named(moose: Command, task: Path, encoding: str) -> None:
    task.write_text(TASK + 'facts = ["Cat(x), Dog(x)"]\n')
    outcome = moose("compile", task, "--encoding", encoding)
    assert outcome.code == 1 and outcome.out.startswith("atoms\t")
    (line,) = outcome.err.splitlines()
    assert (
        line.startswith("moose: ")
        and ("no model at all" if encoding == "full" else "what the task knows contradicts") in line
    )
    assert moose("ask", task, "--encoding", encoding).code == 1
    found = moose("compile", task, "--encoding", encoding, "--json")
    assert (found.code, found.json["satisfiable"]) == (1, False)


def test_limits_are_kept(moose: Command) -> None:
    large = ("compile", "mnist2", "--encoding", "paper", "--vtree", "linear")
    assert "elements" in moose(*large, "--size-limit", "20").one_complaint()
    assert "--time-limit: expected a time such as 10s" in moose(*large, "--time-limit", "-1").one_complaint()


MISTAKES = [
    ((), "expected a task, but got none; name a regime (mnist1, mnist2,"),
    (("task.toml", "--regime", "mnist1"), "a task is now given without --regime: moose compile mnist1"),
    (("mnist4",), "expected a regime or a task's file, but got 'mnist4'; did you mean mnist"),
    (("none.toml",), "none.toml: expected a task's file, but there is no such file"),
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


def test_bounds(moose: Command, tmp_path: Path) -> None:
    found = moose("compile", "mnist1", "--bounds", "--json").json
    assert found["atoms"] == 14 and found["exact"]
    assert found["log_wmc"]["lower"] <= math.log(10 / 2**14) <= found["log_wmc"]["upper"]
    lines = moose("compile", "mnist1", "--bounds").out.splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["atoms", "clauses", "size", "seconds", "log WMC", "gap"]
    outcome = moose("compile", "mnist1", "--bounds", "-o", tmp_path / "out.moose")
    assert outcome.code == 2 and "which are not written" in outcome.err
