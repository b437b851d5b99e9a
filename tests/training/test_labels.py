"""A hierarchy whose labels are mostly missing: what a model reads is what it says together with the theory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from moose.cli import main
from moose.grounding.task.task import Task
from moose.learning.encoders import MLPPlan
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method
from moose.owl.load import load
from moose.training.diagnosis.diagnose import LEARNT, diagnose
from moose.training.diagnosis.read_by import read_by

CLASSES = ("Low", "High", "Left", "Right")
THEORY = """Prefix(:=<urn:h#>) Ontology(
  SubClassOf(:Left :Low) SubClassOf(:Right :Low) DisjointClasses(:Left :Right) DisjointClasses(:Low :High)
)"""


def drawn(count: int, folder: Path) -> Examples:
    """Draw points: high ones, and low ones left or right; a third of the labels is shown."""
    (folder / "h.ofn").write_text(THEORY, "utf-8")
    task = Task(load(folder / "h.ofn"), ["a"], observed=[], latent=CLASSES)
    source = torch.Generator().manual_seed(0)
    points = torch.rand(count, 2, generator=source) * 2 - 1
    high, left = points[:, 1] > 0, points[:, 0] < 0
    holds = torch.stack([~high, high, ~high & left, ~high & ~left], dim=1)
    truth = torch.where(holds, 1, -1).to(torch.int8)[:, None]
    evidence = torch.where(torch.rand(truth.shape, generator=source) < 1 / 3, truth, 0).to(torch.int8)
    return Examples(task, points[:, None], evidence, truth, allow_latent=True)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Predictor, Examples]:
    examples = drawn(400, tmp_path_factory.mktemp("h"))
    training = Training(epochs=60, learning_rate=0.01)
    perception = Perception((2,), plan=MLPPlan(1, 2, (16,), False))
    return make_method("moose").fit(examples.task, examples, training=training, perception=perception), examples


def test_concepts_in_no_family_are_read_together_with_the_theory(trained: tuple[Predictor, Examples]) -> None:
    predictor, examples = trained
    said = predictor.predict(examples, evidence=False)
    assert (read_by(predictor, examples) == said.posteriors).all()
    assert not (said.network == said.posteriors).all()
    found = diagnose(predictor, examples)
    assert (found.verdict, found.view) == (LEARNT, "without evidence")
    assert found.off_truth == pytest.approx(found.followed.off_truth)
    assert found.text.startswith("learnt: without evidence, the model reads what is true")


def test_members_of_a_family_below_other_concepts_are_read_together_with_the_theory(tmp_path: Path) -> None:
    drawn_ones = drawn(400, tmp_path)
    task = replace(drawn_ones.task, families=[["High", "Left", "Right"]])
    examples = Examples(task, drawn_ones.inputs, drawn_ones.evidence, drawn_ones.truth, allow_latent=True)
    training = Training(epochs=60, learning_rate=0.01)
    perception = Perception((2,), plan=MLPPlan(1, 2, (16,), False))
    predictor = make_method("moose", head="softmax").fit(task, examples, training=training, perception=perception)
    said = predictor.predict(examples, evidence=False)
    assert (read_by(predictor, examples) == said.posteriors).all()
    assert not (said.network == said.posteriors).all()
    # there are three worlds, one for each member
    members = said.posteriors[:, 0, 1:]
    assert said.worlds is not None
    assert (said.worlds[:, 0, 1:] == np.where(members == members.max(1, keepdims=True), 1, -1)).all()
    assert (said.worlds[:, 0, 0] == -said.worlds[:, 0, 1]).all()
    found = diagnose(predictor, examples)
    assert found.followed.off_most_common < 0.1
    assert found.verdict == LEARNT


def test_metrics_of_labels_are_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    names = ", ".join(f'"{name}"' for name in CLASSES)
    (tmp_path / "h.toml").write_text(f'ontology = "h.ofn"\nindividuals = ["a"]\nobserved = []\nlatent = [{names}]\n')
    examples = drawn(60, tmp_path)
    lines = ["x,y,literals,truth,split"]
    for row in range(60):
        x, y = examples.inputs[row, 0].tolist()
        every = [
            f"{'' if sign > 0 else 'not '}{name}(a)" for name, sign in zip(CLASSES, examples.truth[row, 0].tolist())
        ]
        literals = "" if row >= 40 else every[row % 4]
        lines.append(f'{x},{y},{literals},"{", ".join(every)}",{"train" if row < 40 else "test"}')
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n", "utf-8")
    arguments = [str(tmp_path / "h.toml"), "--table", str(tmp_path / "t.csv"), "--allow-latent", "--epochs", "1"]
    assert main(["train", *arguments]) == 0
    told = capsys.readouterr().out.splitlines()
    assert not [line for line in told if line.endswith("\t-\t-\t-")]
    printed = {line.split("\t")[0].strip() for line in told}
    assert {"label_au_prc", "label_exact_match", "label_f_max", "label_consistency", "label_ece"} <= printed
    untold = [line.split(",")[:3] for line in lines[1:]]
    rows = [f"{','.join(cells)},{'train' if row < 40 else 'test'}" for row, cells in enumerate(untold)]
    (tmp_path / "t.csv").write_text("\n".join(["x,y,literals,split", *rows]) + "\n", "utf-8")
    assert main(["train", *arguments]) == 0
    assert "no scores, as the truth of these rows is not known" in capsys.readouterr().out
    moved = [f"{x},{y},,{'High' if float(y) > 0 else 'Low'}(a),test" for x, y, _ in untold[40:]]
    labelled = [f"{row.rpartition(',')[0]},,train" for row in rows[:40]]
    (tmp_path / "t.csv").write_text("\n".join(["x,y,literals,truth,split", *labelled, *moved]) + "\n", "utf-8")
    assert main(["train", *arguments]) == 0
    scored = capsys.readouterr().out
    assert "\n  acc_c\t" in scored and "no scores" not in scored
