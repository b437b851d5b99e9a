"""The encoder that looks at patches: it sees a thing wherever it is, and nothing that is told by the whole image."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import moose
from moose.base.errors import MooseError
from moose.grounding.task.regimes import regime
from moose.learning.encoders import PatchPlan, patch_encoder
from moose.methods.base.perception import Perception
from moose.methods.concept_learner import ConceptLearner
from moose.training.run import Run
from tests.cli.running import Command


def test_mean_of_the_highest_patches() -> None:
    encoder = patch_encoder(3, top=5).eval()
    images = torch.rand(2, 3, 64, 64, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        patches = encoder.patches(images).numpy()
        logits = encoder(images).numpy()
    assert patches.shape == (2, 3, 8, 8)
    assert np.allclose(np.sort(patches.reshape(2, 3, 64))[:, :, -5:].mean(2), logits, atol=1e-5)


def test_patch_sees_eleven_pixels_either_way_and_no_more() -> None:
    encoder = patch_encoder(2, input_shape=(3, 96, 96)).eval()
    plain = torch.zeros(1, 3, 96, 96)
    spotted = plain.clone()
    spotted[:, :, 48, 48] = 5.0
    with torch.no_grad():
        differs = (encoder.patches(plain) != encoder.patches(spotted)).any(1)[0]
    rows = differs.nonzero()
    assert len(rows) and int(rows.min()) >= (48 - 11) // 8 - 1 and int(rows.max()) <= (48 + 11) // 8 + 1


def test_thing_is_seen_wherever_it_is() -> None:
    encoder = patch_encoder(2, input_shape=(3, 64, 64), top=1).eval()
    images = torch.zeros(2, 3, 64, 64)
    images[0, :, 24:28, 24:28] = 1.0
    images[1, :, 32:36, 24:28] = 1.0  # eight pixels lower: one patch further
    with torch.no_grad():
        first, second = encoder(images)
    assert torch.allclose(first, second, atol=1e-5)


def test_same_seed_same_weights() -> None:
    first, second, other = (patch_encoder(2, seed=seed).state_dict() for seed in (1, 1, 2))
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


@pytest.mark.parametrize(
    ("shape", "top", "expected"),
    [((3, 64, 64), 65, "at most 64 patches"), ((3, 4, 64), 1, "at least 8 pixels"), ((3, 64, 64), 0, "positive whole")],
)
def test_what_makes_no_sense_is_refused(shape: tuple[int, int, int], top: int, expected: str) -> None:
    with pytest.raises(MooseError, match=expected):
        patch_encoder(2, input_shape=shape, top=top)


def test_plan_is_read_back() -> None:
    perception = Perception((3, 32, 32), plan=PatchPlan(1, (3, 32, 32), (8, 8), 2, True))
    again = Perception.from_facts(perception.facts(), None)
    assert again == perception
    assert again.encoder(4, seed=0)(torch.zeros(2, 3, 32, 32)).shape == (2, 4)


def test_model_with_it_is_saved_and_read(tmp_path: Path) -> None:
    learner = ConceptLearner(regime("pizzaC"), patch_encoder(4, input_shape=(3, 16, 16), top=2))
    learner.save(tmp_path / "model")
    assert isinstance(moose.load_predictor(tmp_path / "model").perception.plan, PatchPlan)


def test_run_takes_patches_of_images_alone() -> None:
    run = Run(regime="pizzaA", data="pizzas", patches=3)
    plan = run.perception((3, 32, 32)).plan
    assert isinstance(plan, PatchPlan) and plan.top == 3
    with pytest.raises(MooseError, match="patches are those of images"):
        run.perception((7,))


@pytest.mark.parametrize("layers", [("--hidden", "50"), ("--dropout", "0.2")])
def test_layers_of_features_beside_patches_are_refused(
    capsys: pytest.CaptureFixture[str], layers: tuple[str, ...]
) -> None:
    said = Command(capsys)("train", "pizzaA", "--patches", "3", *layers).one_complaint()
    assert "(--hidden, --dropout) are for feature vectors, and patches (--patches) for images" in said
    with pytest.raises(MooseError, match="leave out one or the other"):
        Run(regime="pizzaA", data="pizzas", patches=3, hidden=(50,)).perception((3, 64, 64))
