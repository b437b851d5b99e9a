"""LTN on tasks: what is minimised, and what it comes to."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.ltn.ltn import Ltn, LtnModel
from tests.learning.toys import chain, task_of, toy_encoder, toy_examples


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs=outputs, seed=seed)


def perception_of(examples: Examples) -> Perception:
    return Perception(examples.input_shape, make=toy_network)


def two_concepts() -> Examples:
    """One example: Even is observed, and D2 ⊑ Even is all that is told."""
    base = task_of("mnist1")
    task = Task(base.ontology, ["a"], observed=["Even"], latent=["D2"])
    evidence = torch.tensor([[[0, 1]]], dtype=torch.int8)
    return Examples(task, torch.full((1, 1, 1, 1, 10), 0.5), evidence, torch.ones_like(evidence))


@pytest.mark.parametrize("p", [2, 4])
def test_the_loss_by_hand(p: int) -> None:
    examples = two_concepts()
    model = Ltn(p=p).model(examples.task, perception_of(examples), seed=0)
    prepared = model.prepare(examples)
    d2, even = model.network(examples.inputs[:, 0]).sigmoid()[0].tolist()
    errors = [d2 - d2 * even, 1 - even]  # of D2(a) → Even(a), and of Even(a)
    expected = (sum(error**p for error in errors) / 2) ** (1 / p)
    found = model.dissatisfaction(model.network, prepared, slice(0, 1))
    assert found.loss.item() == pytest.approx(expected, abs=3e-4)
    assert found.terms["evidence"] == pytest.approx(even)


@pytest.mark.parametrize(
    "options", [{}, {"forall": "mean", "p": 2}, {"exists": "skolem", "closure": True, "over": "example"}]
)
@pytest.mark.parametrize("name", ["mnist2", "mnist3"])
def test_the_derivative_is_that_of_differences(name: str, options: dict[str, object]) -> None:
    examples = toy_examples(name, 2, seed=1)
    model = Ltn(**options).model(examples.task, perception_of(examples), seed=0)  # type: ignore[arg-type]
    theory = model.fuzzy_theory(examples.task)
    raw = torch.randn(2, 2, model.plan.size, generator=torch.Generator().manual_seed(0), dtype=torch.float64)

    def loss(values: torch.Tensor) -> torch.Tensor:
        return 1 - theory.satisfaction(model.plan.read(values), examples.evidence).sat.mean()

    assert torch.autograd.gradcheck(loss, raw.requires_grad_(), fast_mode=True)


def test_all_concepts_false_satisfy_the_ontology() -> None:
    examples = toy_examples("mnist1", 1, share=0.0)
    model = Ltn().model(examples.task, perception_of(examples), seed=0)
    raw = torch.full((1, 1, 14), -20.0)
    sat = model.fuzzy_theory(examples.task).satisfaction(model.plan.read(raw), examples.evidence).sat
    assert sat.item() == pytest.approx(1, abs=1e-3)
    closed = Ltn(closure=True).model(examples.task, perception_of(examples), seed=0)
    sat = closed.fuzzy_theory(examples.task).satisfaction(closed.plan.read(raw), examples.evidence).sat
    assert sat.item() < 0.7


def test_the_outputs_are_those_that_formulas_need() -> None:
    plan = {
        (name, exists): Ltn(exists=exists).model(task_of(name), perception_of(toy_examples(name, 1)), seed=0).plan
        for name in ("mnist1", "mnist2", "mnist3")
        for exists in ("universe", "skolem")
    }
    assert plan["mnist1", "skolem"].size == plan["mnist2", "universe"].size == 14
    assert plan["mnist2", "skolem"].witnesses == ("succ",) and plan["mnist2", "skolem"].size == 28
    assert plan["mnist3", "universe"].free == ("succ",) and plan["mnist3", "universe"].size == 14 + 16


def test_groups_of_different_tasks_share_a_network() -> None:
    groups = [toy_examples(name, 16) for name in ("mnist2", "mnist1")]
    method = Ltn(exists="skolem", closure=True)
    training = Training(epochs=1, batch_size=8)
    predictor = method.fit(groups[0].task, groups, training=training, perception=perception_of(groups[0]))
    assert predictor.predict(groups[1]).posteriors.shape == (16, 1, 14)
    longer = chain(4)
    raw = torch.randn(2, 4, 28, generator=torch.Generator().manual_seed(0))
    model = predictor.model
    assert isinstance(model, LtnModel)
    found = model.fuzzy_theory(longer).satisfaction(model.plan.read(raw), torch.zeros(2, 4, 14, dtype=torch.int8))
    assert found.axioms.shape == (1, 75 + 1) and ((found.axioms >= 0) & (found.axioms <= 1)).all()


def test_observed_concepts_are_learnt_and_the_circuit_can_decode_them() -> None:
    examples = toy_examples("mnist1", 128, share=1.0)
    own = Ltn(p=2).fit(
        examples.task,
        examples,
        training=Training(epochs=12, batch_size=16, learning_rate=0.02),
        perception=perception_of(examples),
    )
    even = examples.truth[:, 0, 10].numpy() > 0
    found = own.predict(examples, evidence=False).posteriors
    assert ((found[:, 0, 10] > 0.5) == even).mean() > 0.95
    circuit = Ltn(p=2, decode="circuit")
    model = circuit.model(examples.task, own.perception, seed=0)
    model.load_state_dict(own.model.state_dict())
    decoded = Predictor(circuit, model, own.perception)
    found = decoded.predict(examples, evidence=False).posteriors
    assert found[:, 0, :10].sum(-1) == pytest.approx(1, abs=1e-5)
    accuracy = decoded.evaluate(examples).without_evidence.scores.acc_f
    assert accuracy is not None and accuracy > 0.3  # parity and primality leave one to three digits


@pytest.mark.parametrize(
    "options",
    [
        {"p": 0},
        {"p": 2.5},
        {"forall": "max"},
        {"exists": "nowhere"},
        {"over": "all"},
        {"closure": 1},
        {"decode": "guess"},
    ],
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match=f"{next(iter(options))} of ltn"):
        Ltn(**options)  # type: ignore[arg-type]
