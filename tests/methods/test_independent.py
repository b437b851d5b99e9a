"""Cross-entropy on what is observed, and nothing else."""

from __future__ import annotations

from math import exp, log

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from moose.base.errors import MooseError
from moose.grounding.atoms import Atom
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.loss.objective import Prepared
from moose.methods.base.answers import decoded
from moose.methods.base.perception import Perception
from moose.methods.independent import Independent, IndependentModel, cross_entropy
from tests.learning.toys import task_of, toy_encoder, toy_examples


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs, seed=seed)


PERCEPTION = Perception((1, 1, 10), make=toy_network)


class Fixed(nn.Module):
    """Says the same of every image of a batch that is as long as it is."""

    def __init__(self, logits: Tensor) -> None:
        super().__init__()
        self.logits = nn.Parameter(logits)

    def forward(self, images: Tensor) -> Tensor:
        """Return image × concept."""
        return self.logits[: len(images)]


def prepared_toys(name: str, count: int, share: float) -> tuple[IndependentModel, Prepared]:
    examples = toy_examples(name, count, share=share)
    model = Independent().model(examples.task, PERCEPTION, seed=0)
    return model, model.prepare(examples)


def test_loss_by_hand() -> None:
    task = task_of("mnist1")
    evidence = torch.zeros(2, 1, 14, dtype=torch.int8)
    evidence[0, 0, 10], evidence[0, 0, 12] = 1, -1  # Even, not Prime; nothing of the second example
    examples = Examples(task, torch.zeros(2, 1, 1, 1, 10), evidence, torch.zeros_like(evidence))
    prepared = Independent().model(task, PERCEPTION, seed=0).prepare(examples)
    logits = torch.zeros(2, 14)
    logits[0, 10], logits[0, 12] = 2.0, -1.0
    outcome = cross_entropy(Fixed(logits), prepared, slice(0, 2))
    wanted = (log(1 + exp(-2.0)) + log(1 + exp(-1.0))) / 2
    assert float(outcome.total.detach()) == pytest.approx(wanted)


def test_loss_is_that_of_torch() -> None:
    _, prepared = prepared_toys("mnist2", 16, 0.5)
    logits = torch.randn(32, 14, generator=torch.Generator().manual_seed(1)) * 3
    evidence = prepared.examples.evidence.flatten(0, 1)
    wanted = binary_cross_entropy_with_logits(
        logits, (evidence > 0).float(), weight=(evidence != 0).float(), reduction="sum"
    )
    found = cross_entropy(Fixed(logits), prepared, slice(0, 16)).loss
    assert float(found.detach()) == pytest.approx(float(wanted) / 16, rel=1e-5)


def test_outputs_of_latent_concepts_are_not_learnt() -> None:
    model, prepared = prepared_toys("mnist1", 32, 0.5)
    cross_entropy(model.network, prepared, slice(0, 32)).total.backward()
    assert isinstance(model.network.encoder, nn.Sequential)
    last = model.network.encoder[-1]
    assert isinstance(last, nn.Linear) and last.weight.grad is not None
    assert (last.weight.grad[:10] == 0).all()
    assert (last.weight.grad[10:] != 0).any(1).all()


def test_nothing_is_learnt_without_evidence() -> None:
    model, prepared = prepared_toys("mnist1", 8, 0.0)
    outcome = cross_entropy(model.network, prepared, slice(0, 8))
    outcome.total.backward()
    assert float(outcome.loss.detach()) == 0.0
    assert all(parameter.grad is not None and (parameter.grad == 0).all() for parameter in model.network.parameters())


def test_observed_concepts_are_learnt_and_latent_ones_are_not() -> None:
    examples = toy_examples("mnist1", 200, share=1.0)
    training = Training(epochs=20, batch_size=20, learning_rate=0.02)
    predictor = Independent().fit(examples.task, examples, training=training, perception=PERCEPTION)
    without = predictor.predict(examples, evidence=False).posteriors
    right = (without > 0.5) == (examples.truth.numpy() > 0)
    assert right[..., 10:].mean() > 0.97
    assert predictor.evaluate(examples).network.scores.acc_f < 0.5  # type: ignore[operator]
    given = predictor.predict(examples).posteriors
    assert (given[..., 10:] == (examples.truth.numpy() > 0)[..., 10:]).all()
    assert (given[..., :10] == without[..., :10]).all()


@pytest.mark.parametrize("use", [True, False])
def test_the_circuit_takes_every_probability(use: bool) -> None:
    _, prepared = prepared_toys("mnist1", 4, 0.4)
    logits = 2 * torch.randn(4, 1, 14, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    atoms_of_circuit = decoded(prepared, slice(0, 4), logits, use_evidence=use)
    found = prepared.weight_map.binding.by_concept(atoms_of_circuit)
    task, circuit = prepared.examples.task, prepared.weight_map.binding.layer.circuit
    atoms = [Atom(concept.name, ("a",)) for concept in task.concepts]
    for row in range(4):
        weights = dict(zip(atoms, logits[row, 0].sigmoid().tolist(), strict=True))
        wanted = circuit.posterior(prepared.examples.literals(row) if use else None, weights)
        assert found[row, 0].tolist() == pytest.approx([wanted[atom] for atom in atoms], abs=1e-9)


def test_the_circuit_helps_at_test_time_alone() -> None:
    examples = toy_examples("mnist1", 100, share=1.0)
    training = Training(epochs=5, batch_size=20, learning_rate=0.02)
    own, circuit = (
        Independent(decode).fit(examples.task, examples, training=training, perception=PERCEPTION)
        for decode in ("own", "circuit")
    )
    for one, two in zip(own.model.parameters(), circuit.model.parameters(), strict=True):
        assert torch.equal(one, two)
    zero = examples.truth[:, 0, 0] > 0  # the only digit that is neither prime nor composite, and even
    assert circuit.predict(examples).posteriors[zero.numpy(), 0, 0] == pytest.approx(1.0)


def test_one_output_for_each_concept() -> None:
    network = Independent().model(task_of("pizzaC"), Perception((3, 32, 32)), seed=0).network
    assert network.outputs == 6


def test_bad_options_are_refused() -> None:
    with pytest.raises(MooseError, match=r"decode of independent among own, circuit, but got 'mean'"):
        Independent("mean")  # type: ignore[arg-type]
