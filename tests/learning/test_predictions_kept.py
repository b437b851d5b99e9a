"""What `moose predict` writes to files, and what it does about rows whose evidence contradicts the theory."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

import moose
from moose.base.errors import ContradictoryEvidence
from moose.learning.examples import Examples
from tests.cli.running import Command
from tests.learning.test_data_again import BIRDS

QUICK = ("--epochs", "1", "--threads", "1")
TASK = """ontology = "birds.ofn"
individuals = {}
latent = ["Bird", "Robin", "Wren", "Singer"]
"""


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture(scope="module")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("birds"), "ring,x,weight,literals,split", "G{0},{1},{2},{3},{4}", "a")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return train(tmp_path_factory.mktemp("pairs"), "ring,x_a,x_b,literals,split", "G{0},{1},{2},{3},{4}", "a", "b")


def train(folder: Path, header: str, row: str, *individuals: str) -> Path:
    """Train on a table with a column of words and one of numbers that is not looked at."""
    (folder / "birds.ofn").write_text(BIRDS)
    (folder / "birds.toml").write_text(TASK.format(json.dumps(individuals)))
    said = ("Robin(a)", '"Wren(a), not Singer(a)"')
    lines = [row.format(one, one % 2, one, said[one % 2], "test" if one > 7 else "") for one in range(10)]
    (folder / "birds.csv").write_text("\n".join([header, *lines]) + "\n")
    arguments = ["train", f"{folder}/birds.toml", "--table", f"{folder}/birds.csv", "--features", "x*"]
    assert moose.cli.main([*arguments, "--allow-latent", *QUICK, "-o", f"{folder}/model"]) == 0
    return folder / "model"


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_table_has_every_concept_and_what_names_a_row(command: Command, birds: Path, tmp_path: Path) -> None:
    new, kept = tmp_path / "new.csv", tmp_path / "kept.csv"
    new.write_text("ring,x,literals,truth\nR7,1,,Robin(a)\nR8,0,not Robin(a),\n")
    outcome = command("predict", birds, "--table", new, "--world", "-o", kept)
    assert (outcome.code, outcome.out) == (0, "")
    rows, told = rows_of(kept), command("predict", birds, "--table", new, "--json").json
    assert list(rows[0]) == ["instance", "ring", "Bird", "Robin", "Wren", "Singer", "world"]
    assert [(row["instance"], row["ring"]) for row in rows] == [(f"{new}:2", "R7"), (f"{new}:3", "R8")]
    for row, one in zip(rows, told["instances"], strict=True):
        assert set(one["posterior"]) == {f"{name}(a)" for name in ("Bird", "Robin", "Wren", "Singer")}
        assert all(float(row[name[:-3]]) == pytest.approx(value, abs=1e-5) for name, value in one["posterior"].items())
    assert [one["evidence"] for one in told["instances"]] == [[], ["not Robin(a)"]] and "evidence" not in told
    assert told["instances"][1]["columns"] == {"ring": "R8"} and rows[1]["Robin"] == "0"
    worlds = [
        list(one["world"]) for one in command("predict", birds, "--table", new, "--world", "--json").json["instances"]
    ]
    assert [row["world"] for row in rows] == [", ".join(world) for world in worlds]


def test_a_json_file_is_what_is_printed_as_json(command: Command, birds: Path, tmp_path: Path) -> None:
    assert command("predict", birds, "-o", tmp_path / "kept.json").out == ""
    kept = json.loads((tmp_path / "kept.json").read_text())
    assert kept == command("predict", birds, "--json").json
    assert kept["instances"][0]["columns"] == {"ring": "G8", "weight": "8"}, "the model's own table has them, too"


def test_each_individual_has_a_line(command: Command, pairs: Path, tmp_path: Path) -> None:
    assert command("predict", pairs, "-o", tmp_path / "kept.csv").code == 0
    rows = rows_of(tmp_path / "kept.csv")
    assert [(row["ring"], row["individual"]) for row in rows] == [("G8", "a"), ("G8", "b"), ("G9", "a"), ("G9", "b")]
    assert rows[0]["Robin"] == "1" != rows[1]["Robin"]


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        (("kept.xlsx",), "kept.xlsx: expected a name that ends in .csv or .json, but it ends in .xlsx"),
        (("kept",), "kept: expected a name that ends in .csv or .json, but it has no ending"),
        (("kept.csv", "--json"), "has a column for every concept, so --json has no meaning"),
        (("kept.csv", "--least", "0.5"), "has a column for every concept, so --least has no meaning"),
        (("new.csv",), "new.csv: is read for this and would be overwritten"),
    ],
)
def test_what_cannot_be_written_is_refused(
    command: Command, birds: Path, tmp_path: Path, rest: tuple[str, ...], message: str
) -> None:
    (tmp_path / "new.csv").write_text("x\n1\n")
    output = tmp_path / rest[0]
    told = command("predict", birds, "--table", tmp_path / "new.csv", "-o", output, *rest[1:]).one_complaint()
    assert message in told and sorted(tmp_path.iterdir()) == [tmp_path / "new.csv"]


def test_a_column_that_is_called_as_a_concept_is_refused(command: Command, birds: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("x,Robin\n1,yes\n")
    told = command("predict", birds, "--table", tmp_path / "new.csv", "-o", tmp_path / "kept.csv").one_complaint()
    assert "'Robin' is a column of the table" in told and not (tmp_path / "kept.csv").exists()


def test_rows_that_contradict_the_theory_do_not_lose_the_others(command: Command, birds: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.csv"
    said = ["", '"Robin(a), Wren(a)"', "Robin(a)", *['"Robin(a), not Bird(a)"'] * 6]
    new.write_text("\n".join(["x,literals", *(f"1,{one}" for one in said)]) + "\n")
    outcome = command("predict", birds, "--table", new)
    assert outcome.code == 1 and [row[0] for row in outcome.rows if row[0][0] != " "] == [f"{new}:2", f"{new}:4"]
    (line,) = outcome.err.splitlines()
    assert f"the evidence of {new}:3 (and that of {new}:5, {new}:6, {new}:7, {new}:8 and 2 more) contradicts" in line
    assert "Robin(a), Wren(a) cannot hold together" in line and line.endswith("; all other instances are predicted")
    assert command("predict", birds, "--table", new, "-o", tmp_path / "kept.csv").code == 1
    assert [row["Robin"] for row in rows_of(tmp_path / "kept.csv")][1:4] == ["", "1", ""]
    told = command("predict", birds, "--table", new, "--json")
    assert told.code == 1 and [one["posterior"] is None for one in told.json["instances"][:3]] == [False, True, False]
    new.write_text('x,literals\n1,"Robin(a), Wren(a)"\n')
    outcome = command("predict", birds, "--table", new)
    assert (outcome.code, outcome.out) == (1, "")


@pytest.mark.parametrize("method", ["moose", "moose-labels", "max-constraint"])
def test_the_error_has_all_examples_that_contradict(method: str) -> None:
    task = moose.regime("mnist1")
    evidence = torch.zeros(5, 1, 14, dtype=torch.int8)
    columns = [concept.name for concept in task.concepts]
    evidence[[1, 3, 4], 0, columns.index("Even")] = 1
    evidence[[1, 4], 0, columns.index("Odd")] = 1
    examples = Examples(task, torch.zeros(5, 1, 2), evidence, torch.zeros_like(evidence), allow_latent=True)
    predictor = moose.make_method(method).fit(task, examples.take([0, 2]), training=moose.Training(epochs=1))
    with pytest.raises(ContradictoryEvidence, match=r"of example 1 \(and that of example 4\) contradicts") as said:
        predictor.predict(examples)
    assert said.value.examples == (1, 4)


def test_the_error_has_the_examples_of_all_shapes() -> None:
    task = replace(moose.regime("mnist2"), roles={"succ": []})
    evidence = torch.zeros(4, 2, 14, dtype=torch.int8)
    columns = [concept.name for concept in task.concepts]
    evidence[[0, 3], 0, columns.index("Even")] = evidence[[0, 3], 0, columns.index("Odd")] = 1
    roles = [{"succ": pairs} for pairs in ([], [("a", "b")], [], [("a", "b")])]
    examples = Examples(task, torch.zeros(4, 2, 2), evidence, torch.zeros_like(evidence), roles=roles)
    predictor = moose.make_method("moose").fit(task, examples.take([1, 2]), training=moose.Training(epochs=1))
    with pytest.raises(ContradictoryEvidence, match=r"of example 0 \(and that of example 3\).*Even\(a\)") as said:
        predictor.predict(examples)
    assert said.value.examples == (0, 3)
