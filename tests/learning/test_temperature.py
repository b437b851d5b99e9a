"""How sure a network may be, by what was held back."""

from __future__ import annotations

from io import BytesIO
from math import exp, log
from typing import cast

import pytest
import torch
from torch import Tensor, nn

import moose
from moose.learning.examples import Examples
from moose.learning.fit.temperature import set_temperature
from moose.learning.fit.training_loop import Training
from moose.learning.network import ConceptNetwork, Memory
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

ONTOLOGY = """
Prefix(:=<urn:shapes#>)
Ontology(SubClassOf(:Disc :Round) SubClassOf(:Ball :Round) SubClassOf(:Cube :Angular) SubClassOf(:Tile :Angular)
SubClassOf(:Disc :Flat) SubClassOf(:Tile :Flat) DisjointClasses(:Round :Angular) DisjointClasses(:Ball :Flat)
DisjointClasses(:Cube :Flat))
"""
MEMBERS, SEEN = ("Disc", "Ball", "Cube", "Tile"), ("Round", "Angular", "Flat")


class Fixed(nn.Module):
    """An encoder that says what it is given."""

    def forward(self, inputs: Tensor) -> Tensor:
        return inputs


@pytest.mark.parametrize("times", [2.0, 4.0, 10.0])
def test_a_network_that_is_too_sure_by_a_factor_is_scaled_back_by_it(times: float) -> None:
    drawn = torch.Generator().manual_seed(3)
    logits = torch.randn(4000, 5, generator=drawn) * 2
    labels = torch.multinomial(logits.softmax(1), 1, generator=drawn).squeeze(1)
    network = ConceptNetwork(Fixed(), 5)
    set_temperature(network, lambda: float(nn.functional.cross_entropy(network(logits * times), labels)))
    assert float(network.log_scale) == pytest.approx(-log(times), abs=0.06)


def test_where_no_scale_is_better_nothing_changes() -> None:
    network = ConceptNetwork(Fixed(), 5)
    set_temperature(network, lambda: 1.0)
    assert float(network.log_scale) == 0.0


def test_a_network_that_is_not_sure_enough_is_left_alone() -> None:
    logits = 2 * torch.eye(5)
    network = ConceptNetwork(Fixed(), 5)
    set_temperature(network, lambda: float(nn.functional.cross_entropy(network(logits), torch.arange(5))))
    assert exp(float(network.log_scale)) == pytest.approx(1.0, abs=0.01)


def examples(count: int, *, seed: int) -> Examples:
    """Blurred points around four corners, with one literal each."""
    task = task_of_shapes()
    drawn = torch.Generator().manual_seed(seed)
    kinds = torch.randint(0, 4, (count,), generator=drawn)
    inputs = torch.nn.functional.one_hot(kinds, 4) + torch.randn(count, 4, generator=drawn)
    truth = torch.full((count, 1, 7), -1, dtype=torch.int8)
    profiles = {"Disc": (0, 2), "Ball": (0,), "Cube": (1,), "Tile": (1, 2)}
    for row, kind in enumerate(kinds.tolist()):
        truth[row, 0, [kind, *(4 + one for one in profiles[MEMBERS[kind]])]] = 1
    evidence = torch.zeros_like(truth)
    shown = 4 + torch.randint(0, 3, (count,), generator=drawn)
    rows = torch.arange(count)
    evidence[rows, 0, shown] = truth[rows, 0, shown]
    return Examples(task, inputs.unsqueeze(1), evidence, truth)


def task_of_shapes() -> moose.Task:
    return moose.Task(
        moose.load(BytesIO(ONTOLOGY.encode())), individuals=["x"], latent=MEMBERS, observed=SEEN, families=[MEMBERS]
    )


def encoder(outputs: int, seed: int) -> nn.Module:
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(4, 200), nn.ReLU(), nn.Linear(200, outputs))


def test_what_is_held_back_keeps_a_network_from_being_too_sure() -> None:
    train, held, test = (examples(count, seed=count) for count in (60, 200, 1000))
    # Of Adam at this rate already the first epoch is too sure, so that stopping early does not hide the matter.
    training = Training(epochs=12, batch_size=10, learning_rate=0.05, patience=12)
    perception = Perception(train.input_shape, make=encoder)
    held_back = make_method("moose-cover").fit(
        train.task, train, training=training, perception=perception, validation=held
    )
    network = cast(ConceptNetwork, held_back.model.stages()[0].network)
    assert exp(float(network.log_scale)) < 0.9
    tempered = float(held_back.loss(test, epochs_done=99).detach())
    answers = held_back.predict(test).network
    network.log_scale.fill_(0.0)
    assert tempered < float(held_back.loss(test, epochs_done=99).detach())
    assert (held_back.predict(test).network[..., :4].argmax(-1) == answers[..., :4].argmax(-1)).all()


def test_the_scale_is_written_and_read_again() -> None:
    network = ConceptNetwork(Fixed(), 3)
    network.log_scale.fill_(-0.5)
    other = ConceptNetwork(Fixed(), 3)
    other.load_state_dict(network.state_dict())
    inputs = torch.randn(4, 3)
    assert torch.equal(other(inputs), network(inputs))
    other.load_state_dict({})  # weights of a time when there was no scale
    assert torch.equal(other(inputs), inputs)


class Counting(nn.Module):
    """An encoder that knows how often it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0

    def forward(self, inputs: Tensor) -> Tensor:
        self.asked += 1
        return inputs


def test_the_encoder_is_asked_once_for_all_scales() -> None:
    encoder, parts = Counting(), torch.randn(3, 8, 5, generator=torch.Generator().manual_seed(0)) * 9
    network, labels = ConceptNetwork(encoder, 5), torch.arange(8) % 5

    def loss() -> float:
        with torch.no_grad():
            return sum(float(nn.functional.cross_entropy(network(part), labels)) for part in parts)

    before = loss()
    least = set_temperature(network, loss)
    assert encoder.asked == 3 + 3
    assert loss() == pytest.approx(least) and least < before
    assert encoder.asked == 3 + 3 + 3  # nothing is remembered afterwards


def test_what_is_remembered_is_of_the_same_inputs_alone() -> None:
    network, first, second = ConceptNetwork(Counting(), 2), torch.zeros(3, 2), torch.ones(3, 2)
    network.memory = Memory()
    with torch.no_grad():
        for inputs in (first, second, first):
            network.memory.begin()
            assert torch.equal(network(inputs), inputs)
