"""`moose train`, `moose evaluate` and `moose predict`, from end to end on few digits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import pytest
import torch

from moose.cli.learn.learning_output import option_text
from tests.cli.running import Command

pytest.importorskip("sklearn")
TRAIN = (
    "train",
    "mnist2",
    "--data",
    "digits",
    "--epochs",
    "1",
    "--count",
    "96",
    "--size",
    "8",
    "--threads",
    "1",
)
KEYS = {"acc_f", "acc_c", "acc_atom", "nll", "ece", "rs_cons", "f1_macro", "confident_error"}


def is_fraction(value: object) -> bool:
    return isinstance(value, float) and 0 <= value <= 1


@pytest.fixture
def moose(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Train once for all tests that only look at the model."""
    from moose.cli import main

    folder = tmp_path_factory.mktemp("model")
    torch.set_num_threads(1)
    assert main([*TRAIN, "--cover", "3", "-o", str(folder), "--json"]) == 0
    return folder


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    from PIL import Image

    folder = tmp_path_factory.mktemp("images")
    paths = [folder / f"{place}.png" for place in range(2)]
    for place, path in enumerate(paths):
        Image.new("RGB", (40, 40), (0, 90 * place, 0)).save(path)
    return paths


def test_a_run_is_kept(model: Path) -> None:
    names = {path.name for path in model.iterdir()}
    kept = {"model.safetensors", "task.toml", "ontology.ofn", "run.json", "log.jsonl", "checkpoint.safetensors"}
    assert kept <= names
    assert {"reliability.png", "confusion.png", "predictions.png"} <= names
    record = json.loads((model / "run.json").read_text())
    assert (record["regime"], record["data"], record["method"], record["seed"]) == (
        "mnist2",
        "digits",
        "moose-cover",
        0,
    )
    assert record["configuration"]["cover"] == 3.0
    assert {"version", "seconds", "metrics", "metrics_without_evidence", "metrics_network"} <= set(record)
    assert set(record["metrics"]) >= KEYS
    assert all(is_fraction(record["metrics"][key]) for key in KEYS - {"nll"})


def test_the_same_command_does_not_train_again(moose: Command, model: Path) -> None:
    before = json.loads((model / "run.json").read_text())
    outcome = moose(*TRAIN, "--cover", "3", "-o", model, "--json")
    assert outcome.code == 0
    assert outcome.err.startswith("moose: nothing is left to train after epoch ") and outcome.err.count("\n") == 1
    assert outcome.json["metrics"] == before["metrics"]


def test_another_run_does_not_overwrite_one(moose: Command, model: Path) -> None:
    assert "whose seed differs" in moose(*TRAIN, "--cover", "3", "--seed", "1", "-o", model).one_complaint()


def test_evaluation_repeats_what_the_run_said(moose: Command, model: Path, tmp_path: Path) -> None:
    record = json.loads((model / "run.json").read_text())
    outcome = moose("evaluate", model, "--json", "--pictures", tmp_path)
    assert outcome.json["metrics"] == record["metrics"]
    assert (tmp_path / "confusion.png").exists()
    other = moose("evaluate", model, "--test-count", "20", "--seed", "3")
    assert other.rows[0] == ("moose-cover", "mnist2", "digits", "seed 3")
    assert {row[0].strip() for row in other.rows} >= KEYS


def test_images_are_told(moose: Command, model: Path, images: list[Path]) -> None:
    outcome = moose("predict", model, *images, "--evidence", "Prime(a), Even(a)")
    assert outcome.rows[0] == (str(images[0]), str(images[1]))
    assert ("  D2(a)", "1.0000") in outcome.rows and ("  D3(b)", "1.0000") in outcome.rows
    found = moose("predict", model, *images, *images, "--invert", "--least", "0", "--json").json
    assert len(found["instances"]) == 2
    digits = [found["instances"][1]["posterior"][f"D{digit}(b)"] for digit in range(10)]
    assert sum(cast(list[float], digits)) == pytest.approx(1.0, abs=1e-5)


def test_mistakes_are_one_line(moose: Command, model: Path, images: list[Path], tmp_path: Path) -> None:
    text = tmp_path / "text.png"
    text.write_text("no image")
    bears, strange = ("--method", "bears", "--option"), tmp_path / "strange"
    strange.mkdir()
    strange.joinpath("run.json").write_text('{"configuration": {}, "regime": "mnist2", "data": "digits", "seed": 0}')
    mistakes: list[tuple[tuple[str | Path, ...], str]] = [
        (("predict", model, images[0]), "expected 2 images for each instance (a, b), but got 1 in all"),
        (("predict", model, images[0], text), "text.png: expected an image"),
        (
            ("predict", model, images[0], tmp_path / "none.png"),
            "none.png: expected an image, but there is no such file",
        ),
        (("predict", model, *images, "--evidence", "Evne(a)"), "but got 'Evne(a)'; did you mean Even(a)"),
        (
            ("predict", tmp_path, *images),
            "model.safetensors: expected a file that Moose wrote, but there is no such file",
        ),
        (("predict", tmp_path / "strnage"), f"there is no such folder; did you mean {strange}?"),
        (("evaluate", tmp_path / "strnage"), f"there is no such folder; did you mean {strange}?"),
        (("evaluate", tmp_path), "expected a folder that `moose train -o DIR` wrote"),
        (("train", "mnist4"), "did you mean mnist"),
        (("train", "mnist2", "--data", "digit"), "did you mean digits"),
        (("train", "pizzaA", "--data", "digits"), "shows digits, but the regime pizzaA"),
        (("train", "mnist2", "--count", "8", "--learning-rate", "-1"), "positive learning rate"),
        (("train", "mnist2", "--cover", "0", "--cover-epochs", "2"), "--cover-epochs needs a cover"),
        (("train", "mnist2", "--patience", "2"), "--patience would do nothing, as no rows are kept to judge by; add"),
        (("train", "mnist2", "--stop-by", "au_prc", "--valid", "learn"), "--stop-by would do nothing"),
        (("train", "mnist2", "--method", "moose", "--head", "softmax"), "--option head=softmax"),
        (
            ("train", "mnist2", "--method", "moose-cover", "--cover", "2"),
            "give its own option, --option cover_weight=2",
        ),
        (
            ("train", "mnist2", "--method", "moose-siblings", "--objective", "paper"),
            "--objective has no meaning for moose-siblings, which leaves no such choice (its options: odds); leave it",
        ),
        (
            ("train", "mnist2", "--method", "df-el", "--head", "softmax"),
            "--head has no meaning for df-el, which leaves",
        ),
        (("train", "mnist2", *bears, "gamma1=1", "--option", "gamma1=2"), "gamma1 is given twice"),
        (("train", "mnist2", *bears, "members=2.5"), "whole number for members of bears"),
        (("train", "mnist2", *bears, "gamma1=NaN"), "at least 0 for gamma1 of bears, but got nan"),
        (("evaluate", strange), "the record of its run"),
    ]
    for arguments, message in mistakes:
        assert message in moose(*arguments).one_complaint()
    for evidence, message in (("not Even(a)", "both Even(a) and not Even(a)"), ("Odd(a)", "cannot hold together")):
        clash = moose("predict", model, *images, "--evidence", f"Even(a), {evidence}")
        assert (clash.code, clash.out) == (1, "") and message in clash.err, "as `moose ask` has it"


def test_without_closure_and_with_sigmoids(moose: Command) -> None:
    outcome = moose(*TRAIN, "--no-closure", "--head", "sigmoid", "--cover", "0", "--json")
    assert outcome.json["configuration"]["closure"] is False
    assert outcome.json["method"] == "moose"


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        pytest.param(("--cover", "0"), marks=pytest.mark.slow),
        pytest.param(("--head", "sigmoid"), marks=pytest.mark.slow),
        ("--head", "sigmoid", "--cover", "2"),
    ],
)
def test_the_name_that_is_reported_is_one_that_can_be_asked_for(
    moose: Command, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    record = moose(*TRAIN, *arguments, "-o", tmp_path / "first", "--json").json
    options = [part for key, value in record["options"].items() for part in ("--option", option_text(key, value))]
    again = moose(*TRAIN, "--method", record["method"], *options, "-o", tmp_path / "second", "--json").json
    assert again["metrics"] == record["metrics"]
    assert (again["method"], again["options"]) == (record["method"], record["options"])
    first, second = (folder / "model.safetensors" for folder in (tmp_path / "first", tmp_path / "second"))
    assert first.read_bytes() == second.read_bytes()
    printed = moose("evaluate", tmp_path / "first").rows
    assert printed[0][0] == record["method"]
    assert printed[1] == ("options", *options[1::2])


def test_a_task_without_a_latent_family_is_trained_by_default(moose: Command) -> None:
    record = moose("train", "pizzaC", "--count", "12", "--epochs", "1", "--threads", "1", "--json").json
    assert record["method"] == "moose"
    assert record["configuration"]["cover"] == 0.0
    told = moose("train", "pizzaC", "--count", "12", "--epochs", "1", "--cover", "3").one_complaint()
    assert "declares none; declare one, or leave the cover out (--cover 0)" in told


HIERARCHY = """Prefix(:=<urn:x#>)
Ontology(SubClassOf(:Robin :Bird) SubClassOf(:Bird :Animal) SubClassOf(:Trout :Fish) SubClassOf(:Fish :Animal)
DisjointClasses(:Bird :Fish))
"""
CLASSES = """ontology = "animals.ofn"
individuals = ["x"]
latent = ["Animal", "Bird", "Robin", "Fish", "Trout"]
observed = []
"""


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A task whose classes are all latent, and a table with labels of some of them."""
    (tmp_path / "animals.ofn").write_text(HIERARCHY)
    (tmp_path / "animals.toml").write_text(CLASSES)
    numbers = torch.Generator().manual_seed(0)
    lines = ["f1,f2,literals,truth,split"]
    for row in range(120):
        sign = 1 if row % 2 else -1
        values = [round(sign + float(torch.randn((), generator=numbers)) / 4, 3) for _ in range(2)]
        said = ("Robin(x)", "Bird(x)", "not Fish(x)") if row % 2 else ("Trout(x)", "Fish(x)", "not Bird(x)")
        truth = '"Robin(x), Bird(x), not Trout(x)"' if row % 2 else '"Trout(x), Fish(x), not Robin(x)"'
        lines.append(f"{values[0]},{values[1]},{said[row % 3]},{truth},{'test' if row % 4 > 1 else 'train'}")
    (tmp_path / "animals.csv").write_text("\n".join(lines) + "\n")
    return tmp_path


def test_labels_of_some_classes_of_a_hierarchy_are_learnt_from(moose: Command, labelled: Path) -> None:
    command = ("train", str(labelled / "animals.toml"), "--table", str(labelled / "animals.csv"), "--threads", "1")
    assert "--allow-latent" in moose(*command).one_complaint()
    rest = ("--allow-latent", "--objective", "conditional", "--epochs", "12", "--learning-rate", "0.02")
    model = labelled / "model"
    record = moose(*command, *rest, "-o", str(model), "--json").json
    assert record["options"]["objective"] == record["objective"] == "conditional"
    assert record["metrics_without_evidence"]["acc_c"] > 0.9
    again = moose("evaluate", str(model), "--json").json
    assert again["metrics_without_evidence"]["acc_c"] == record["metrics_without_evidence"]["acc_c"]


@pytest.mark.parametrize(
    ("task", "options", "wanted"),
    [("mnist1", (), "conditional"), ("pizzaC", (), "paper"), ("mnist1", ("--method", "independent"), None)],
)
def test_the_objective_that_was_taken_is_told(
    moose: Command, tmp_path: Path, task: str, options: tuple[str, ...], wanted: str | None
) -> None:
    told = moose("train", task, "--count", "12", "--epochs", "1", "--threads", "1", *options, "-o", tmp_path / "model")
    assert [row[1] for row in told.rows if row[0] == "objective"] == ([wanted] if wanted else [])
    record = json.loads((tmp_path / "model" / "run.json").read_text())
    assert record.get("objective") == wanted and "objective" not in record["options"]
    assert moose("evaluate", tmp_path / "model").rows == told.rows[: len(moose("evaluate", tmp_path / "model").rows)]


def test_the_odds_of_siblings_are_told(moose: Command, labelled: Path) -> None:
    command = ("train", labelled / "animals.toml", "--table", labelled / "animals.csv", "--threads", "1")
    told = moose(*command, "--allow-latent", "--method", "moose-siblings", "--epochs", "5", "-o", labelled / "m")
    (group,) = json.loads((labelled / "m" / "run.json").read_text())["siblings"]
    assert (group["above"], group["members"]) == ("Animal", ["Bird", "Fish"]) and group["some"] != 0.0
    assert ("some of siblings", f"λ {group['some']:.2f} in the mean of 1") in told.rows
    assert moose("evaluate", labelled / "m", "--json").json["siblings"] == [group]


def test_free_concepts_get_a_word_before_training(moose: Command, labelled: Path) -> None:
    command = ("train", str(labelled / "animals.toml"), "--table", str(labelled / "animals.csv"), "--allow-latent")
    assert "no family" not in moose(*command, "--epochs", "1", "--threads", "1").err  # all that is seen is labels
    seen = CLASSES.replace('"Animal", ', "").replace("observed = []", 'observed = ["Animal"]')
    (labelled / "animals.toml").write_text(seen)
    told = moose(*command, "--epochs", "1", "--threads", "1").err
    assert "no family of latent concepts is declared" in told and "--objective conditional" in told
    assert "no family" not in moose(*command, "--epochs", "1", "--objective", "paper").err


def test_a_table_without_a_test_split_is_learnt_with_a_word(moose: Command, labelled: Path) -> None:
    table = labelled / "animals.csv"
    table.write_text(table.read_text().replace(",test", ",train"))
    told = moose(
        "train", labelled / "animals.toml", "--table", table, "--allow-latent", "--epochs", "1", "--threads", "1"
    )
    assert told.code == 0 and "\ntrain\t" in told.out and "\ntest\t" not in told.out
    assert "no instance is of the split test" in told.err


def test_the_verdict_is_of_what_was_learnt_from(moose: Command, tmp_path: Path) -> None:
    """Only instances that seed 0 holds back tell A from B."""
    held = set(torch.randperm(60, generator=torch.Generator().manual_seed(0))[:12].tolist())
    numbers = torch.Generator().manual_seed(1)
    lines = ["p,q,r,literals,truth"]
    for row in range(60):
        member = "ABC"[row % 3]
        values = 3 * torch.eye(3)[row % 3] + 0.3 * torch.randn(3, generator=numbers)
        deciding = {"A": "Small(x)", "B": "not Small(x)"} if row in held else {"A": "Red(x)", "B": "Red(x)"}
        said = deciding.get(member, "not Red(x)")
        lines.append(",".join(f"{value:.3f}" for value in values.tolist()) + f",{said},{member}(x)")
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "t.ofn").write_text(
        "Prefix(:=<urn:h#>) Ontology(SubClassOf(:A :Red) SubClassOf(:A :Small) SubClassOf(:B :Red) "
        "DisjointClasses(:B :Small) DisjointClasses(:C :Red) DisjointClasses(:C :Small))"
    )
    (tmp_path / "t.toml").write_text(
        'ontology = "t.ofn"\nindividuals = ["x"]\nlatent = ["A", "B", "C"]\nobserved = ["Red", "Small"]\n'
        'families = [["A", "B", "C"]]\n'
    )
    shown = ("--table", tmp_path / "t.csv", "--threads", "1", "--hold-back", "0.2", "--epochs", "10")
    found = moose("train", tmp_path / "t.toml", *shown, "--learning-rate", "0.02", "-o", tmp_path / "m", "--json").json
    assert found["diagnosis"]["verdict"] != "optimisation"
    told = moose("shortcuts", "--model", tmp_path / "m", "--json").json
    assert told["maps"] > 1
