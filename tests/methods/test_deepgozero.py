"""DeepGOZero: losses and scores by hand, and classes that nobody labels."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch.nn.functional import logsigmoid

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.deepgozero.deepgozero import Deepgozero, meeting, moved_inclusion
from moose.methods.elembeddings.balls import Balls, normal_form_losses
from moose.methods.registry import make_method
from tests.grounding.tasks import ontology_of
from tests.learning.toys import toy_encoder

BALLS = Balls(
    torch.tensor([[0.0, 0.0], [3.0, 4.0], [1.0, 0.0]]), torch.tensor([1.0, 2.0, 0.5]), torch.tensor([[3.0, 0.0]])
)


def test_existentials_by_hand() -> None:
    # C₀ ⊑ ∃r.C₁: ‖(0, 0) - (3, 4) - (3, 0)‖ - 1 - 2 - 0.1
    assert meeting(BALLS, torch.tensor([[0, 0, 1]]), 0.1).tolist() == pytest.approx([52**0.5 - 3.1])
    # ∃r.C₀ ⊑ C₁: ‖(3, 0) - (3, 4)‖ + 1 - 2 - 0.1
    assert moved_inclusion(BALLS, torch.tensor([[0, 0, 1]]), 0.1).tolist() == pytest.approx([2.9])
    assert moved_inclusion(BALLS, torch.tensor([[0, 2, 2]]), 0.1).tolist() == pytest.approx([2.9])


def small_task(folder: Path) -> Task:
    names = " ".join(f"Declaration(Class(:{name}))" for name in "ABL")
    return Task(ontology_of(folder, f"{names} SubClassOf(:L :A) SubClassOf(:A :B)"), ["a"], ["A", "B"], ["L"])


def small_examples(task: Task, count: int) -> Examples:
    kinds = torch.arange(count) % 2
    pixels = 0.9 * torch.eye(10)[kinds]
    truth = torch.where(kinds == 1, 1, -1).to(torch.int8)[:, None, None].repeat(1, 1, 3)
    is_observed = torch.tensor([not concept.is_latent for concept in task.concepts])
    evidence = torch.where(is_observed, truth, 0).to(torch.int8)
    return Examples(task, pixels[:, None, None, None, :], evidence, truth)


def perception_of(examples: Examples) -> Perception:
    return Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))


def test_the_loss_by_hand(tmp_path: Path) -> None:
    task = small_task(tmp_path)
    examples = small_examples(task, 2)
    model = Deepgozero(embed_dim=4, el_weight=0.5).model(task, perception_of(examples), seed=0)
    network, signs = model.network, examples.evidence[:, 0]
    with torch.no_grad():
        outcome = model.objective(network, model.prepare(examples), slice(None))
        vectors, known = network(examples.inputs[:, 0]), []
        for row, column in torch.nonzero(signs).tolist():
            moved = network.centres[column] + network.translations[-1]
            known.append(signs[row, column] * (vectors[row] @ moved + network.radii[column].abs()))
        centred = network.centres - network.centres.mean(0)
        normalised = centred / (centred.pow(2).mean(0) + 1e-5).sqrt()
        balls = Balls(normalised, network.radii.abs(), network.translations)
        losses = normal_form_losses(model.forms, balls, 0.1, promise=meeting, recognition=moved_inclusion)
        tbox = sum(float(one.mean()) for one in losses.values())
    abox = -float(logsigmoid(torch.stack(known)).mean())
    assert outcome.loss.item() == pytest.approx(abox + 0.5 * tbox, abs=1e-4)
    assert outcome.terms["tbox"] == pytest.approx(tbox, abs=1e-4)


def test_scores_are_read_off_the_balls(tmp_path: Path) -> None:
    task = small_task(tmp_path)
    examples = small_examples(task, 4)
    model = Deepgozero(embed_dim=4).model(task, perception_of(examples), seed=0)
    answer = model.answer(model.prepare(examples), slice(0, 4), use_evidence=False)
    logits = model.network.logits(model.network(examples.inputs[:, 0]), 3)
    assert torch.allclose(answer.posteriors[:, 0].float(), logits.sigmoid(), atol=1e-6)


def test_an_equivalent_class_without_labels_gets_the_ball_of_the_other(tmp_path: Path) -> None:
    names = " ".join(f"Declaration(Class(:{name}))" for name in "AL")
    task = Task(ontology_of(tmp_path, f"{names} EquivalentClasses(:A :L)"), ["a"], ["A"], ["L"])
    kinds = torch.arange(32) % 2
    truth = torch.where(kinds == 1, 1, -1).to(torch.int8)[:, None, None].repeat(1, 1, 2)
    is_observed = torch.tensor([not concept.is_latent for concept in task.concepts])
    pixels = 0.9 * torch.eye(10)[kinds][:, None, None, None, :]
    examples = Examples(task, pixels, torch.where(is_observed, truth, 0).to(torch.int8), truth)
    training = Training(epochs=60, batch_size=16, learning_rate=0.02)
    predictor = Deepgozero(embed_dim=8).fit(task, examples, training=training, perception=perception_of(examples))
    shown = predictor.predict(examples, evidence=False).posteriors[:, 0]
    assert ((shown > 0.5) == (kinds.numpy() == 1)[:, None]).all()


@pytest.mark.parametrize("options", [{"embed_dim": 0}, {"margin": -1}, {"el_weight": "much"}, {"decode": "guess"}])
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match="deepgozero"):
        make_method("deepgozero", **options)
