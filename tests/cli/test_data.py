"""`moose data` lists data sets, fetches them, and shows them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from moose.datasets.open import DATASETS
from tests.cli.running import Command
from tests.datasets.hierarchies import make_genes, make_hmc
from tests.datasets.places import make_images, make_pizzaiolo


@pytest.fixture(autouse=True)
def an_empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOOSE_DATA", str(tmp_path / "cache"))


def test_every_data_set_is_listed(moose: Command) -> None:
    outcome = moose("data", "list")
    assert (outcome.code, outcome.err) == (0, "")
    assert tuple(row[0] for row in outcome.rows) == DATASETS
    states = {row[0]: row[1] for row in outcome.rows}
    assert (states["digits"], states["mnist"], states["images"]) == ("ready", "missing", "missing")


def test_the_list_for_programs(moose: Command) -> None:
    found = {row["name"]: row for row in moose("data", "list", "--json").json["datasets"]}
    assert found["pizzas"]["regimes"] == ["pizzaA", "pizzaB", "pizzaC"]
    assert found["pizzas"]["missing"] is None
    assert "moose data get mnist" in found["mnist"]["missing"]


def test_what_needs_no_files_says_so(moose: Command) -> None:
    outcome = moose("data", "get", "digits")
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "moose: digits needs no files to be fetched\n")


def test_getting_mnist(moose: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Path] = []
    monkeypatch.setattr("moose.datasets.mnist_files.fetching.fetch_mnist", lambda folder, tell: asked.append(folder))
    outcome = moose("data", "get", "mnist")
    assert (outcome.code, outcome.out) == (0, f"{tmp_path / 'cache' / 'mnist'}\n")
    assert moose("data", "get", "mnist", "--folder", tmp_path / "here").out == f"{tmp_path / 'here'}\n"
    assert asked == [tmp_path / "cache" / "mnist", tmp_path / "here"]


def test_getting_pizzaiolo_says_how(moose: Command, tmp_path: Path) -> None:
    assert "doi.org/10.5281/zenodo.10165941" in moose("data", "get", "pizzaiolo").one_complaint()
    folder = make_pizzaiolo(tmp_path / "there", each=1)
    assert moose("data", "get", "pizzaiolo", "--folder", folder).out == f"{folder}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("digits", "mnist2", "--split", "test"),
        ("digits", "mnist3", "--inductive", "--split", "held_out", "--seed", "3"),
        ("pizzas", "--size", "16"),
        ("pizzas", "pizzaA", "--split", "held_out", "--size", "16"),
    ],
)
def test_a_contact_sheet(moose: Command, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = tmp_path / "sheet.png"
    outcome = moose("data", "show", *arguments, "--count", "6", "-o", out)
    assert (outcome.code, outcome.out, outcome.err) == (0, "", "")
    with Image.open(out) as sheet:
        assert np.asarray(sheet).std() > 10
    assert list(tmp_path.iterdir()) == [out]


def test_a_sheet_of_ones_own_images(moose: Command, tmp_path: Path) -> None:
    folder, task = make_images(tmp_path / "mine"), tmp_path / "task.toml"
    task.write_text('ontology = "moose:mnist"\nindividuals = ["a"]\nobserved = ["Even"]\nlatent = ["D0"]\n')
    (folder / "literals.csv").write_text("image,literals\n0.png,Even(a)\n")
    outcome = moose("data", "show", "images", task, "--folder", folder, "-o", tmp_path / "sheet.png")
    assert (outcome.code, outcome.err) == (0, "")
    assert (tmp_path / "sheet.png").is_file()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("digts",), "expected a data set, but got 'digts'; did you mean digits"),
        (("digits", "pizzaA"), "the data set digits shows digits"),
        (("digits", "--split", "held_out"), "expected a split of digits, but got 'held_out'"),
        (("digits", "mnist1", "--inductive"), "has no inductive split"),
        (("digits", "--regime", "mnist1"), "now given without --regime: moose data show NAME mnist1"),
        (("images", "--task", "t.toml"), "now given without --task: moose data show NAME t.toml"),
        (("digits", "mnist5"), "expected a regime or a task's file, but got 'mnist5'; did you mean mnist"),
        (("pizzas", "--folder", "here"), "the data set pizzas is not read from a folder, but here is named"),
        (("mnist",), "run `moose data get mnist`"),
        (("pizzaiolo",), "zenodo"),
        (("images",), "expected a task for the data set images"),
        (("images", "gone.toml"), "gone.toml: expected a task's file"),
    ],
)
def test_what_cannot_be_shown_is_said_in_a_line(
    moose: Command, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert said in moose("data", "show", *arguments, "-o", tmp_path / "sheet.png").one_complaint()
    assert not (tmp_path / "sheet.png").exists()


def test_a_sheet_that_cannot_be_written(moose: Command, tmp_path: Path) -> None:
    outcome = moose("data", "show", "digits", "--count", "1", "-o", tmp_path / "gone" / "sheet.png")
    assert "cannot be written (no such file or directory)" in outcome.one_complaint()


def test_counting_a_hierarchy(moose: Command, tmp_path: Path) -> None:
    folder = make_hmc(tmp_path / "hmc")
    outcome = moose("data", "show", "hmc", "spo_fun-hidden50", "--folder", folder, "--seed", "1")
    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.rows[:3] == [("hmc", "spo_fun-hidden50"), ("features", "5"), ("classes", "7, depth 3, 5 axioms")]
    assert [row[0] for row in outcome.rows[3:]] == ["train", "valid", "test"]
    assert outcome.rows[3][1].startswith("50 rows with 2.4 classes; literals shown, true + false: ")
    assert outcome.rows[5][1].endswith("0.0 + 0.0")
    found = moose("data", "show", "hmc", "spo_fun", "--folder", folder, "--json").json
    assert (found["classes"], found["splits"]["train"]["rows"]) == (7, 50)
    first = found["splits"]["train"]
    assert first["shown_positive"] == first["labels"] and first["shown_positive"] + first["shown_negative"] == 7


def test_what_cannot_be_drawn_or_counted(moose: Command, tmp_path: Path) -> None:
    folder = make_genes(tmp_path / "genes")
    drawn = moose("data", "show", "genes", "--folder", folder, "-o", tmp_path / "sheet.png")
    assert "has no images to draw" in drawn.one_complaint()
    assert "name one with -o PNG" in moose("data", "show", "pizzas").one_complaint()
    counted = moose("data", "show", "pizzas", "--json", "-o", tmp_path / "sheet.png")
    assert "is drawn and not counted" in counted.one_complaint()
    assert "did you mean mf_family" in moose("data", "show", "genes", "mf_familiy", "--folder", folder).one_complaint()
    assert "github.com/EGiunchiglia/C-HMCNN" in moose("data", "get", "hmc").one_complaint()
    assert moose("data", "get", "genes", "--folder", folder).out == f"{folder}\n"
