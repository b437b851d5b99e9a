"""What commands take for granted of images of one's own, where nothing is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from moose.base.errors import MooseError
from moose.cli import main
from moose.cli.learn import train
from moose.training.run import Run

ONTOLOGY = """Prefix(:=<urn:c#>)
Ontology(<urn:c> SubClassOf(:Cat :Soft) SubClassOf(:Stone :Hard) DisjointClasses(:Soft :Hard))
"""
TASK = """ontology = "things.ofn"
individuals = ["a"]
latent = ["Cat", "Stone"]
observed = ["Soft", "Hard"]
families = [["Cat", "Stone"]]
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """A task of one's own with two images."""
    (tmp_path / "things.ofn").write_text(ONTOLOGY, "utf-8")
    (tmp_path / "things.toml").write_text(TASK, "utf-8")
    for name, side in (("one.png", 8), ("two.png", 9)):
        Image.new("L", (side, side)).save(tmp_path / name)
    rows = "image,literals,truth,split\none.png,Soft(a),Cat(a),train\ntwo.png,Hard(a),Stone(a),test\n"
    (tmp_path / "literals.csv").write_text(rows, "utf-8")
    return tmp_path / "things.toml"


def run_of(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Run:
    """Return the run that a command line comes to, without running it."""
    runs = list[Run]()

    def keep(run: Run, *_: object) -> dict[str, object]:
        runs.append(run)
        raise MooseError("kept")

    monkeypatch.setattr(train, "train_and_tell", keep)
    assert main(["train", *arguments]) == 2
    return runs[0]


@pytest.mark.parametrize(("given", "wanted"), [((), True), (("--no-batch-norm",), False), (("--batch-norm",), True)])
def test_your_own_images_are_normalised_unless_you_say_no(
    task: Path, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], wanted: bool
) -> None:
    assert run_of(monkeypatch, str(task), "--folder", str(task.parent), "--size", "8", *given).batch_norm is wanted


@pytest.mark.parametrize(("given", "wanted"), [((), False), (("--batch-norm",), True)])
def test_the_papers_regimes_stay_as_they_are(
    monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], wanted: bool
) -> None:
    run = run_of(monkeypatch, "mnist1", "--count", "4", *given)
    assert run.batch_norm is wanted and run.hold_back == 0.0


def test_a_share_is_held_back_if_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run_of(monkeypatch, "mnist1", "--count", "4", "--hold-back", "0.25").hold_back == 0.25


def test_readings_are_counted_whatever_the_sizes_of_images(task: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["shortcuts", str(task), "--data", "images", "--folder", str(task.parent)]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("maps\t")
