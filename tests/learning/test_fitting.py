"""Training: the same by seed, goes on after an interruption as if there had been none, keeps the best weights."""

from __future__ import annotations

import json
import math
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.encoders import mnist_encoder
from moose.learning.fit import checkpoints
from moose.learning.fit.training_loop import Training, batches
from moose.learning.fit.watchers import Epoch, Step
from moose.learning.loss.cover import Cover
from moose.methods.concept_learner import ConceptLearner
from tests.learning.toys import chain, task_of, toy_encoder, toy_examples

TRAINING = Training(epochs=4, batch_size=16, learning_rate=0.02, seed=1)


def weights(learner: ConceptLearner) -> dict[str, Tensor]:
    return {name: tensor.clone() for name, tensor in learner.network.state_dict().items()}


def same(first: dict[str, Tensor], second: dict[str, Tensor]) -> bool:
    return first.keys() == second.keys() and all(torch.equal(first[name], second[name]) for name in first)


def learner(*, cover: Cover | None = None, dropout: float = 0.0, encoder: nn.Module | None = None) -> ConceptLearner:
    return ConceptLearner(task_of("mnist2"), encoder or toy_encoder(dropout=dropout), cover=cover)


class Stop(Exception):
    pass


class Interruption:
    """Ends a training in the middle, as a kill would."""

    def __init__(self, at: int) -> None:
        self.at = at

    def step(self, report: Step) -> None:
        if report.step == self.at:
            raise Stop

    def epoch(self, report: Epoch) -> None:
        """Hear nothing."""


def sgd(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
    return torch.optim.SGD(parameters, lr=0.05, momentum=0.9)


@pytest.mark.parametrize("training", [TRAINING, replace(TRAINING, make_optimiser=sgd)], ids=["adam", "momentum"])
@pytest.mark.parametrize("at", [8, 17])
def test_a_training_that_was_interrupted_ends_with_the_same_bits(tmp_path: Path, training: Training, at: int) -> None:
    examples = toy_examples(count=120)
    whole = learner(cover=Cover(2, 3), dropout=0.2).fit(examples, training)
    broken = learner(cover=Cover(2, 3), dropout=0.2)
    with pytest.raises(Stop):
        broken.fit(examples, training, folder=tmp_path, watchers=[Interruption(at)])
    resumed = learner(cover=Cover(2, 3), dropout=0.2).fit(examples, training, folder=tmp_path)
    assert same(weights(whole), weights(resumed))
    assert [epoch.loss for epoch in resumed.history] == [epoch.loss for epoch in whole.history]
    assert [json.loads(line)["epoch"] for line in (tmp_path / "log.jsonl").read_text().splitlines()] == [1, 2, 3, 4]


def test_short_epochs_are_not_written_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, written = checkpoints.write_checkpoint, list[int]()

    def count(folder: Path, checkpoint: checkpoints.Checkpoint, settings: dict[str, object]) -> None:
        written.append(checkpoint.epoch)
        write(folder, checkpoint, settings)

    monkeypatch.setattr(checkpoints, "write_checkpoint", count)
    monkeypatch.setattr(checkpoints, "EVERY", 1000.0)
    examples, training = toy_examples(count=16), replace(TRAINING, epochs=30)
    with pytest.raises(Stop):
        learner().fit(examples, training, folder=tmp_path, watchers=[Interruption(21)])
    assert written == [1, 20], "the first, and the last before it was stopped"
    resumed = learner().fit(examples, training, folder=tmp_path)
    assert written == [1, 20, 21, 30]
    assert same(weights(resumed), weights(learner().fit(examples, training)))
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 30
    monkeypatch.setattr(checkpoints, "EVERY", 0.0)
    learner().fit(examples, replace(TRAINING, epochs=33), folder=tmp_path)
    assert written[4:] == [31, 32, 33], "long epochs are written each"


def test_batch_normalisation_is_resumed_too(tmp_path: Path) -> None:
    examples = replace(toy_examples(count=24), inputs=torch.rand(24, 2, 1, 4, 4, generator=torch.Generator()))

    def normalised() -> ConceptLearner:
        return learner(encoder=mnist_encoder(10, input_shape=(1, 4, 4), batch_norm=True, seed=3))

    training = replace(TRAINING, epochs=2)
    whole = normalised().fit(examples, training)
    with pytest.raises(Stop):
        normalised().fit(examples, training, folder=tmp_path, watchers=[Interruption(3)])
    assert same(weights(whole), weights(normalised().fit(examples, training, folder=tmp_path)))


def test_a_finished_training_is_not_repeated_and_can_be_continued(tmp_path: Path) -> None:
    examples = toy_examples(count=64)
    short = learner().fit(examples, TRAINING, epochs=2, folder=tmp_path)
    again = learner().fit(examples, TRAINING, epochs=2, folder=tmp_path, watchers=[Interruption(1)])
    assert same(weights(short), weights(again))
    longer = learner().fit(examples, TRAINING, folder=tmp_path)
    assert same(weights(longer), weights(learner().fit(examples, TRAINING)))


def test_seeds_decide_and_nothing_else() -> None:
    examples = toy_examples(count=64)
    first = learner(dropout=0.5)
    before = torch.random.get_rng_state()
    first.fit(examples, TRAINING)
    assert torch.equal(before, torch.random.get_rng_state())
    torch.manual_seed(12)
    assert same(weights(first), weights(learner(dropout=0.5).fit(examples, TRAINING)))
    assert not same(weights(first), weights(learner(dropout=0.5).fit(examples, TRAINING, seed=2)))


def test_encoders_leave_the_random_state_alone() -> None:
    before = torch.random.get_rng_state()
    mnist_encoder(10, seed=1)
    ConceptLearner(task_of("mnist1"), nn.Flatten(), features=10)
    assert torch.equal(before, torch.random.get_rng_state())


def test_batches_hold_each_example_once() -> None:
    drawn = batches([10, 3], 4, torch.Generator().manual_seed(0))
    assert sorted(len(rows) for ((_, rows),) in drawn) == [2, 3, 4, 4]
    for group, size in ((0, 10), (1, 3)):
        rows = torch.cat([rows for ((place, rows),) in drawn if place == group])
        assert sorted(rows.tolist()) == list(range(size))


def test_different_numbers_of_individuals_are_learnt_together() -> None:
    groups = [toy_examples(count=120), toy_examples("mnist2", 80, task=chain(3), seed=1)]
    found = learner(cover=Cover(3, 4)).fit(groups, TRAINING, epochs=10)
    assert found.history[-1].loss < found.history[0].loss
    evaluation = found.evaluate(groups)
    assert evaluation.network.confusions[0].sum() == 120 * 2 + 80 * 3
    accuracy = evaluation.network.scores.acc_f
    assert accuracy is not None and accuracy > 0.8


class Shaken(nn.Module):
    """A network that gets worse after some epochs: it forgets more and more."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = toy_encoder()
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, images: Tensor) -> Tensor:
        found: Tensor = self.inner(images)
        return found * self.scale


class Spoiler:
    """Changes the weights for the worse after an epoch."""

    def __init__(self, encoder: Shaken, after: int) -> None:
        self.encoder, self.after = encoder, after

    def step(self, report: Step) -> None:
        if report.epoch > self.after:
            with torch.no_grad():
                self.encoder.scale.fill_(-3.0)

    def epoch(self, report: Epoch) -> None:
        """Hear nothing."""


def test_early_stopping_goes_back_to_the_best_weights(tmp_path: Path) -> None:
    encoder = Shaken()
    validation = toy_examples(count=40, seed=9)
    training = replace(TRAINING, epochs=20, patience=2)
    found = learner(encoder=encoder).fit(
        toy_examples(count=64), training, validation=validation, watchers=[Spoiler(encoder, after=3)], folder=tmp_path
    )
    losses = [epoch.validation_loss for epoch in found.history]
    assert len(losses) == 5, "two epochs without a better loss"
    assert None not in losses and min(losses) == losses[2]  # type: ignore[type-var]
    assert encoder.scale.item() > 0
    best = learner(encoder=Shaken()).fit(toy_examples(count=64), TRAINING, epochs=3)
    assert same(weights(found), weights(best))


def test_early_stopping_is_resumed_too(tmp_path: Path) -> None:
    examples, validation = toy_examples(count=64), toy_examples(count=16, seed=9)
    training = replace(TRAINING, epochs=40, patience=1, learning_rate=0.2)
    whole = learner().fit(examples, training, validation=validation)
    assert len(whole.history) < 40
    at = 4 * len(whole.history) - 1  # in the epoch that ends the training
    with pytest.raises(Stop):
        learner().fit(examples, training, validation=validation, folder=tmp_path, watchers=[Interruption(at)])
    resumed = learner().fit(examples, training, validation=validation, folder=tmp_path)
    assert same(weights(whole), weights(resumed))
    again = learner().fit(examples, training, validation=validation, folder=tmp_path, watchers=[Interruption(1)])
    assert same(weights(whole), weights(again))


def test_patience_needs_validation_examples() -> None:
    with pytest.raises(MooseError, match="needs validation examples"):
        learner().fit(toy_examples(count=8), replace(TRAINING, patience=1))


class Breaking(nn.Module):
    """A network that gives NaN after some calls."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.inner, self.calls = toy_encoder(), calls

    def forward(self, images: Tensor) -> Tensor:
        if self.training:
            self.calls -= 1
        found: Tensor = self.inner(images)
        return found * math.nan if self.calls < 0 else found


def test_a_loss_that_is_not_a_number_stops_the_training(tmp_path: Path) -> None:
    examples = toy_examples(count=64)  # four steps an epoch
    good = learner(encoder=Breaking(1000)).fit(examples, TRAINING, epochs=2)
    broken = learner(encoder=Breaking(10))
    with pytest.raises(MooseError, match=r"the loss is nan at step 11 \(epoch 3\).*after epoch 2, and the checkpoint"):
        broken.fit(examples, TRAINING, folder=tmp_path)
    assert same(weights(broken), weights(good))
    kept = learner(encoder=Breaking(1000)).fit(examples, TRAINING, epochs=2, folder=tmp_path)
    assert same(weights(kept), weights(good))
    with pytest.raises(MooseError, match=r"at step 1 \(epoch 1\); the weights are those from before the first step"):
        learner(encoder=Breaking(0)).fit(examples, TRAINING)


def test_a_bonus_that_is_not_a_number_stops_the_training(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Cover, "bonus", lambda *_: torch.tensor(math.nan))
    with pytest.raises(MooseError, match="the loss is nan at step 1"):
        learner(cover=Cover()).fit(toy_examples(count=16), TRAINING)


KILLED = """
import os, signal, sys
import torch
from pathlib import Path
from tests.learning.test_fitting import TRAINING, learner, toy_examples

class Kill:
    def step(self, report):
        if report.step == 9:
            os.kill(os.getpid(), signal.SIGKILL)

    def epoch(self, report):
        pass

torch.set_num_threads(1)
learner().fit(toy_examples(count=64), TRAINING, folder=Path(sys.argv[1]), watchers=[Kill()])
"""


@pytest.mark.slow
def test_a_process_that_was_killed_ends_with_the_same_bits(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"checkpoint.safetensors", "log.jsonl"}
    resumed = learner().fit(toy_examples(count=64), TRAINING, folder=tmp_path)
    assert same(weights(resumed), weights(learner().fit(toy_examples(count=64), TRAINING)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 2}, "whose seed differs: 1 there, 2 here"),
        ({"batch_size": 8}, "whose batch size differs: 16 there, 8 here"),
        (
            {"learning_rate": 0.5},
            r"whose learning rate differs: 0\.02 there, 0\.5 here; give what it was to go on, choose",
        ),
        (
            {"weight_decay": 0.5, "seed": 2},
            r"whose seed differs: 1 there, 2 here; weight decay differs: 0(\.0)? there, 0\.5",
        ),
    ],
)
def test_the_checkpoint_of_another_training_is_refused(tmp_path: Path, change: dict[str, float], message: str) -> None:
    examples = toy_examples(count=16)
    learner().fit(examples, TRAINING, epochs=1, folder=tmp_path)
    with pytest.raises(MooseError, match=message):
        learner().fit(examples, replace(TRAINING, **change), folder=tmp_path)  # type: ignore[arg-type]


def test_the_checkpoint_of_another_task_is_refused(tmp_path: Path) -> None:
    learner().fit(toy_examples(count=16), TRAINING, epochs=1, folder=tmp_path)
    other = ConceptLearner(task_of("mnist3"), toy_encoder(), cover=None)
    with pytest.raises(MooseError, match="is the checkpoint of another training, whose task differs; give what it was"):
        other.fit(toy_examples("mnist3", 16), TRAINING, folder=tmp_path)
    with pytest.raises(MooseError, match="whose set of examples differs"):
        learner().fit(toy_examples(count=16, seed=5), TRAINING, folder=tmp_path)


def test_of_two_trainings_only_what_differs_is_named() -> None:
    numbers = "amsgrad=False, betas=(0.9, 0.999), eps=1e-08, lr={}, weight_decay=0"
    there: dict[str, object] = {"method": "moose", "options": {"head": "softmax", "objective": None}, "task": "1"}
    there |= {"optimiser": f"Adam({numbers.format(0.1)})", "set of examples": "2"}

    def told(**changes: object) -> list[str]:
        return checkpoints.differences(there, there | changes)

    assert told() == []
    assert told(optimiser=f"Adam({numbers.format(0.5)})") == ["learning rate differs: 0.1 there, 0.5 here"]
    betas = f"Adam({numbers.format(0.1).replace('0.999', '0.99')})"
    assert told(optimiser=betas) == ["betas differs: (0.9, 0.999) there, (0.9, 0.99) here"]
    groups = f"{there['optimiser']} [{{'lr': 0.2}}]"
    assert told(optimiser=groups) == ["optimiser differs: nothing there, [{'lr': 0.2}] here"]
    assert told(optimiser="SGD(lr=0.1)") == [f"optimiser differs: {there['optimiser']!r} there, 'SGD(lr=0.1)' here"]
    sigmoid = told(options={"head": "sigmoid", "objective": None}, task="7")
    assert sigmoid == ["option head differs: 'softmax' there, 'sigmoid' here"]
    assert told(method="bears", options={"members": 5}) == ["method differs: 'moose' there, 'bears' here"]
    assert told(task="7", **{"set of examples": "8"}) == ["task differs"]


def test_a_damaged_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "checkpoint.safetensors").write_bytes(b"nonsense")
    with pytest.raises(MooseError, match=r"checkpoint\.safetensors: expected a file that Moose wrote"):
        learner().fit(toy_examples(count=16), TRAINING, folder=tmp_path)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"epochs": 0}, "epochs"),
        ({"batch_size": -1}, "batch_size"),
        ({"learning_rate": 0.0}, "learning rate"),
        ({"seed": -1}, "seed"),
    ],
)
def test_settings_are_checked(settings: dict[str, int], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        Training(**settings)  # type: ignore[arg-type]


def test_a_frozen_encoder_cannot_learn() -> None:
    frozen = toy_encoder().requires_grad_(False)
    with pytest.raises(MooseError, match="no parameter to learn"):
        learner(encoder=frozen).fit(toy_examples(count=8), TRAINING)


@pytest.mark.parametrize("decay", [0.0, 0.01])
def test_fused_steps_are_those_of_adam(decay: float) -> None:
    ours, plain = (nn.Linear(6, 4).double() for _ in range(2))
    plain.load_state_dict(ours.state_dict())
    training = Training(learning_rate=0.02, weight_decay=decay)
    fused = training.optimiser(ours)
    assert fused.defaults["fused"]
    for network, optimiser in ((ours, fused), (plain, torch.optim.Adam(plain.parameters(), 0.02, weight_decay=decay))):
        for step in range(20):
            inputs = torch.rand(5, 6, dtype=torch.float64, generator=torch.Generator().manual_seed(step))
            optimiser.zero_grad()
            network(inputs).square().sum().backward()
            optimiser.step()
    torch.testing.assert_close(ours.weight, plain.weight, rtol=1e-12, atol=1e-12)


def test_a_training_begun_without_fused_steps_goes_on(tmp_path: Path) -> None:
    def adam(parameters: list[nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.Adam(parameters, lr=TRAINING.learning_rate, weight_decay=0.0)

    learner().fit(toy_examples(), replace(TRAINING, epochs=2, make_optimiser=adam), folder=tmp_path)
    gone_on = learner()
    gone_on.fit(toy_examples(), TRAINING, folder=tmp_path)
    whole = learner()
    whole.fit(toy_examples(), TRAINING)
    for name, tensor in weights(whole).items():
        torch.testing.assert_close(weights(gone_on)[name], tensor, rtol=1e-3, atol=1e-4)
