"""`moose train --table`, and models that remember where their data were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from moose import PIZZERIA
from moose.learning.fit.watchers import Bar, Step
from moose.training.run import Run
from tests.cli.running import Command
from tests.cli.test_progress import put_terminal
from tests.datasets.places import make_images, make_table

TASK = """ontology = "digits.ofn"
individuals = ["a"]
observed = ["Even", "Odd", "Prime", "Composite"]
latent = ["D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9"]
families = [["D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9"]]
"""
QUICK = ("--epochs", "1", "--threads", "1")


@pytest.fixture
def moose(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return make_table(tmp_path / "digits.csv")


@pytest.fixture
def model(moose: Command, table: Path, tmp_path: Path) -> Path:
    outcome = moose("train", "mnist1", "--table", table, "--features", "x2,x1", *QUICK, "-o", tmp_path / "model")
    assert (outcome.code, outcome.err) == (0, "")
    return tmp_path / "model"


def test_a_table_is_trained_on_and_remembered(moose: Command, model: Path, table: Path) -> None:
    record = json.loads((model / "run.json").read_text())
    assert record["data"] == "table"
    assert record["configuration"]["folder"] == str(table.resolve())
    assert record["configuration"]["features"] == ["x2", "x1"]
    assert set(record["metrics_observed"]) == {"acc_y", "f1_y"}
    again = moose("evaluate", model, "--json")
    assert again.json["metrics"] == record["metrics"]
    rows = {row[0].strip(): row[1:] for row in moose("evaluate", model).rows}
    assert rows["acc_y"][0] == rows["acc_y"][2] == "-" and rows["acc_y"][1] != "-"
    assert moose("shortcuts", "--model", model, "--json").code == 0


def test_without_a_split_test_all_is_called_train(moose: Command, table: Path, tmp_path: Path) -> None:
    table.write_text(table.read_text().replace(",test\n", ",\n"))
    model = tmp_path / "model"
    told = moose("train", "mnist1", "--table", table, *QUICK, "-o", model, "--json")
    assert told.json["split"] == "train" and told.json["metrics"] and "test_split" not in told.json
    assert {one["instance"].split()[0] for one in moose("predict", model, "--json").json["instances"]} == {"train"}
    headed = [row[0] for row in moose("evaluate", model).rows]
    assert "train" in headed and "test" not in headed
    assert moose("shortcuts", "--model", model, "--json").code == 0


def test_the_columns_that_are_looked_at_are_told(moose: Command, model: Path) -> None:
    assert ("features", "x2, x1") in moose("evaluate", model).rows


def test_a_model_that_looks_at_a_column_says_what_can_be_done(moose: Command, model: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("x1,x2\n1,two\n")
    told = moose("predict", model, "--table", tmp_path / "new.csv").err
    assert "new.csv:2: expected a number under x2, but got 'two'; mend it, leave the row out, or train another" in told
    (tmp_path / "new.csv").write_text("x1,x2\n1,\n")
    told = moose("predict", model, "--table", tmp_path / "new.csv").err
    assert "but it is empty; fill it in, leave the row out, or train another model without this column" in told
    (tmp_path / "new.csv").write_text("x1\n1\n")
    told = moose("predict", model, "--table", tmp_path / "new.csv").err
    assert "new.csv: expected a column x2, as the model was trained on, but there is none; there is x1" in told


def test_what_was_not_learnt_from_is_predicted(moose: Command, model: Path, table: Path) -> None:
    rows = moose("predict", model, "--least", "0.3").rows
    titles = [row for row in rows if not row[0].startswith(" ")]
    assert titles == [("test 0", f"{table}:12"), ("test 1", f"{table}:13")], "the lines that say test"
    assert [line.rsplit(",", 1)[1] for line in table.read_text().splitlines()[10:]] == ["", "test", "test"]
    told = moose("predict", model, "--json").json["instances"]
    assert [(one["instance"], one["where"]) for one in told] == titles
    assert ("  Even(a)", "1.0000") in rows
    turned = table.with_name("other.csv")
    turned.write_text("x1,x2,other\n8,8,u\n")
    found = moose("predict", model, "--table", turned, "--least", "0", "--json").json["instances"]
    assert found[0]["instance"] == f"{turned}:2"
    by_split = moose("predict", model, "--json", "--least", "0").json["instances"][0]["posterior"]
    assert found[0]["posterior"] != by_split  # there it is given that it is even


BIRDS = """Prefix(:=<http://example.org/birds#>)
Ontology(<http://example.org/birds>
SubClassOf(:Robin :Bird) SubClassOf(:Wren :Bird) SubClassOf(:Robin :Singer) DisjointClasses(:Robin :Wren))
"""


@pytest.fixture
def birds(moose: Command, tmp_path: Path) -> Path:
    (tmp_path / "birds.ofn").write_text(BIRDS)
    (tmp_path / "birds.toml").write_text(
        'ontology = "birds.ofn"\nindividuals = ["a"]\nlatent = ["Bird", "Robin", "Wren", "Singer"]\n'
    )
    said = {True: "Robin(a)", False: '"Wren(a), not Singer(a)"'}
    rows = [f"{x},{y},{said[x > y]}," for x in range(4) for y in range(4)]
    table = tmp_path / "birds.csv"
    table.write_text("\n".join(["x1,x2,literals,split", *rows, "3,0,,test", "0,3,,test"]) + "\n")
    outcome = moose(
        "train", tmp_path / "birds.toml", "--table", table, "--allow-latent", *QUICK, "-o", tmp_path / "model"
    )
    assert outcome.code == 0, outcome.err
    return tmp_path / "model"


def test_the_most_probable_world_is_told_whole(moose: Command, birds: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.csv"
    new.write_text('x1,x2,literals\n3,0,\n3,0,not Bird(a)\n0,3,"Bird(a), not Wren(a), Singer(a)"\n0,3,Robin(a)\n')
    worlds = [
        set(one["world"]) for one in moose("predict", birds, "--table", new, "--world", "--json").json["instances"]
    ]
    likely = [one["posterior"] for one in moose("predict", birds, "--table", new, "--json").json["instances"]]
    assert all({"Bird(a)", "Singer(a)"} <= world for world in worlds if "Robin(a)" in world)
    assert all("Bird(a)" in world and "Robin(a)" not in world for world in worlds if "Wren(a)" in world)
    assert worlds[1] <= {"Singer(a)"} and worlds[3] == {"Robin(a)", "Bird(a)", "Singer(a)"}
    assert {"Bird(a)", "Singer(a)"} <= worlds[2] and "Wren(a)" not in worlds[2]
    rows = moose("predict", birds, "--table", new, "--world").rows
    assert len(rows) == len(worlds) + sum(map(len, worlds))
    assert ("  Robin(a)", f"{likely[3]['Robin(a)']:.4f}") in rows


def test_one_world_and_what_is_likely_are_not_asked_for_together(moose: Command, birds: Path) -> None:
    told = moose("predict", birds, "--world", "--least", "0.3")
    assert told.code != 0 and "--world tells all that holds in one world, and --least what is likely" in told.err


def test_a_task_with_families_has_posteriors_alone(moose: Command, model: Path) -> None:
    told = moose("predict", model, "--world")
    assert told.code == 2 and "no most probable world was looked for" in told.err


class StopAt:
    """In the place of a bar: interrupts at a step, and remembers the epochs that there were."""

    def __init__(self) -> None:
        self.step, self.epochs = 0, list[int]()

    def hear(self, report: Step) -> None:
        self.epochs.append(report.epoch)
        if report.step == self.step:
            raise KeyboardInterrupt


def test_an_interruption_says_how_to_go_on(
    moose: Command, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop, folder = StopAt(), tmp_path / "kept"
    monkeypatch.setattr(Bar, "step", lambda _, report: stop.hear(report))
    train = ("train", "mnist1", "--table", table, "--epochs", "4", "--threads", "1")
    for step, where, said in (
        (3, (), "stopped, and nothing is kept; with -o DIR, the same command would go on after its last epoch"),
        (1, ("-o", folder), "stopped before the first of 4 epochs was done; the same command begins anew"),
        (3, ("-o", folder), f"stopped; the same command goes on after epoch 2, of 4, which is kept in {folder}"),
    ):
        stop.step = step
        outcome = moose(*train, *where)
        assert (outcome.code, outcome.out, outcome.err) == (130, "", f"moose: {said}\n")
    for command in (("predict", folder), ("evaluate", folder), ("shortcuts", "--model", folder)):
        complaint = moose(*command).one_complaint()
        assert "the training was stopped after epoch 2, before it was finished" in complaint, command
    stop.step, stop.epochs = 0, []
    on = moose(*train, "-o", folder)
    assert (on.code, on.err) == (0, f"moose: going on after epoch 2, of 4, which is kept in {folder}\n")
    assert stop.epochs == [3, 4]
    told = moose(*train, "-o", folder)
    assert told.err.startswith("moose: nothing is left to train after epoch 4, of 4") and told.err.count("\n") == 1
    assert told.rows[-1] == on.rows[-1]
    stop.step = 2
    several = moose(*train, "--method", "bears", "--option", "members=2", "-o", tmp_path / "pair")
    assert "goes on after epoch 1 in stage-1, of 4" in several.err


def test_an_interruption_while_data_are_opened_is_told(
    moose: Command, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "open", interrupted)
    outcome = moose("train", "mnist1", "--table", table, *QUICK, "-o", tmp_path / "model")
    assert (outcome.code, outcome.out) == (130, "")
    assert "stopped before the first of 1 epochs was done" in outcome.err


def test_a_folder_that_cannot_be_written_is_refused_before_training(
    moose: Command, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bar, "step", lambda *_: pytest.fail("trained"))
    complaint = moose("train", "mnist1", "--table", table, *QUICK, "-o", table).one_complaint()
    assert complaint == f"moose: {table}: cannot be written (not a directory); give -o another folder"
    inside = moose("train", "mnist1", "--table", table, *QUICK, "-o", table / "model").one_complaint()
    assert "cannot be written (not a directory)" in inside
    refused = moose("train", "mnist1", "--table", tmp_path / "none.csv", *QUICK, "-o", tmp_path / "new")
    assert refused.code == 2
    assert not (tmp_path / "new").exists(), "nothing is left of a training that did not begin"


def test_the_bar_moves_about_on_a_terminal(moose: Command, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that would steer the terminal are shown, but the bar itself may steer it."""
    terminal = put_terminal(monkeypatch)
    steering = table.rename(table.with_name("x[red]\x1b[2J.csv"))
    assert moose("train", "mnist1", "--table", steering, *QUICK).code == 0
    shown = terminal.getvalue()
    assert "moose-cover, mnist1, table" in shown and "\x1b[2K" in shown
    assert "\\u001b[?25" not in shown
    assert "\x1b[2J" not in shown


def test_evidence_that_contradicts_the_theory_is_a_no_in_every_command(
    moose: Command, model: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "odd.csv"
    odd.write_text('x1,x2,literals,truth,split\n1,2,Even(a),D2(a),train\n1,2,"Odd(a), Even(a)",D3(a),test\n')
    alone = tmp_path / "alone.csv"
    alone.write_text('x1,x2,literals\n1,2,"Odd(a), Even(a)"\n')
    both = "Even(a), Odd(a)"
    for command in (
        ("train", "mnist1", "--table", odd, "--features", "x1,x2", *QUICK),
        ("predict", model, "--table", alone),
        ("evaluate", model, "--table", odd),
        ("ask", "mnist1", "--evidence", both),
    ):
        outcome = moose(*command)
        assert (outcome.code, outcome.out) == (1, ""), command
        assert outcome.err.startswith("moose: the evidence") and "contradicts the theory" in outcome.err, command
    assert "odd.csv:3" in moose("predict", model, "--table", odd).err


def test_data_that_were_moved(moose: Command, model: Path, table: Path, tmp_path: Path) -> None:
    before = moose("evaluate", model, "--json").json["metrics"]
    moved = table.rename(tmp_path / "moved.csv")
    for command in (("evaluate", model), ("predict", model), ("shortcuts", "--model", model)):
        complaint = moose(*command).one_complaint()
        assert "the data were here in training, but no longer are; say where with --table FILE" in complaint
    assert moose("evaluate", model, "--table", moved, "--json").json["metrics"] == before


def test_a_table_that_is_not_there_is_no_table_of_the_training(moose: Command, model: Path, table: Path) -> None:
    slip = table.with_name("digtis.csv")
    expected = f"digtis.csv: expected a table, but there is no such file; did you mean {table}?"
    for command in (
        ("train", "mnist1", "--table", slip, *QUICK),
        ("shortcuts", "mnist1", "--table", slip),
        *(("evaluate", model, "--table", slip), ("predict", model, "--table", slip)),
        ("shortcuts", "--model", model, "--table", slip),
    ):
        assert moose(*command).one_complaint().endswith(expected), command
    folder = moose("train", "mnist1", "--data", "images", "--folder", model.with_name("modle"), *QUICK).one_complaint()
    assert folder.endswith(f"modle: expected the data's folder, but there is no such folder; did you mean {model}?")


def test_training_without_data_says_how_they_are_given(moose: Command, table: Path, tmp_path: Path) -> None:
    task = tmp_path / "own.toml"
    task.write_text(TASK.replace("digits.ofn", "moose:mnist"))
    none = moose("train", task).one_complaint()
    assert "--table FILE" in none and "--folder FOLDER" in none
    beside = moose("train", task, table)
    assert beside.code == 2 and f"extra argument(s) ({table}); a table is given by --table {table}" in beside.err
    assert "--table" not in moose("compile", task, table).err, "a command that takes none does not speak of one"


def test_a_folder_of_images_and_a_task_of_ones_own_are_remembered(
    moose: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    folder = make_images(tmp_path / "images")
    (tmp_path / "digits.ofn").write_bytes(PIZZERIA.with_name("mnist.ofn").read_bytes())
    (tmp_path / "digits.toml").write_text(TASK)
    outcome = moose("train", "digits.toml", "--folder", "images", *QUICK, "-o", "model", "--json")
    assert outcome.code == 0, outcome.err
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    (tmp_path / "digits.toml").unlink()
    assert moose("evaluate", "../model", "--json").json["metrics"] == outcome.json["metrics"]
    name, where = moose("predict", "../model").rows[0]
    assert name == "test 0" and "literals.csv:" in where
    folder.rename(tmp_path / "gone")
    assert "say where with --folder FOLDER" in moose("evaluate", "../model").one_complaint()
    assert moose("evaluate", "../model", "--folder", "../gone").code == 0


def test_mistakes_are_one_line(moose: Command, model: Path, table: Path, tmp_path: Path) -> None:
    mistakes: list[tuple[tuple[str | Path, ...], str]] = [
        (("train", "mnist1", "--table", table, "--data", "digits"), "so --data has no meaning beside it"),
        (("train", "mnist1", "--table", table, "--folder", tmp_path), "so --folder has no meaning beside it"),
        (("train", "mnist1", "--features", "x*"), "features are columns of a table"),
        (("train", "mnist1", "--table", table, "--device", "abacus"), "but got 'abacus'"),
        (("shortcuts", "mnist1", "--features", "x*"), "name one with --data or --table"),
        (("predict", model, table), "looks at 2 features, not at images"),
        (("predict", model, table, "--table", table), "images or a table of features, but got both"),
        (("predict", model, "--evidence", "Even(a)"), "are for images"),
    ]
    for arguments, message in mistakes:
        assert message in moose(*arguments).one_complaint()


def test_shortcuts_are_counted_under_the_evidence_of_a_table(moose: Command, table: Path) -> None:
    assert moose("shortcuts", "mnist1", "--table", table, "--json").json["maps"] > 1
