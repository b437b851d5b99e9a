"""A-NeSI: worlds are drawn exactly, and what is learnt from them approaches the circuit."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import torch
from torch import Tensor

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.circuit.bounds.compile_bounds import compile_bounds
from moose.circuit.limits import Limits
from moose.circuit.tables.compile_tables import TooWide
from moose.datasets.open import open_dataset
from moose.grounding.ground import ground
from moose.learning.binding import Binding, bind
from moose.learning.fit.training_loop import Training
from moose.learning.heads import WeightMap, make_head
from moose.methods.anesi import anesi
from moose.methods.anesi.anesi import Anesi, AnesiModel
from moose.methods.anesi.exact_worlds import draw_logits, draw_worlds
from moose.methods.anesi.surrogate import Surrogate, log_evidence, log_truths, mean_error, observed_like, prefixes
from moose.methods.base.latent_variables import LatentVariables, find_variables
from moose.methods.base.model import Model
from moose.methods.base.perception import Perception
from moose.methods.load_predictor import load_predictor
from moose.methods.registry import make_method
from tests.learning.toys import chain, task_of, toy_encoder, toy_examples
from tests.methods.lights import lights

PERCEPTION = Perception((1, 1, 10), make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
"""Of toy examples."""


def variables_of(name: str) -> LatentVariables:
    binding = bind(lights() if name == "lights" else task_of(name))
    return find_variables(WeightMap(binding, make_head("softmax", binding)))


def weights_of(variables: LatentVariables, logits: Tensor) -> Tensor:
    free = torch.zeros(len(logits), variables.weight_map.binding.layer.atom_count, dtype=torch.int8)
    return variables.weight_map.log_weights(variables.weight_map.head.sides(logits), free)


@pytest.mark.parametrize("name", ["mnist1", "lights", "pizzaC"])
def test_worlds_are_drawn_as_often_as_the_circuit_has_them(name: str) -> None:
    variables, generator = variables_of(name), torch.Generator().manual_seed(0)
    logits = draw_logits(variables, 1, 1.0, generator).expand(4000, -1, -1)
    weights = weights_of(variables, logits)
    world = draw_worlds(variables, weights, generator)
    layer = variables.weight_map.binding.layer
    assert ((world == 1) | (world == -1)).all()
    assert not layer(torch.zeros(1, layer.literal_count), world).isneginf().any()  # all are models
    marginals = layer.posteriors(weights[:1])[0]
    assert (world > 0).float().mean(0).tolist() == pytest.approx(marginals.tolist(), abs=0.04)
    pairs = torch.einsum("na,nb->ab", (world > 0).float(), (world > 0).float()) / len(world)
    first = int(marginals.sub(0.5).abs().argmin())
    given = torch.zeros(1, layer.atom_count, dtype=torch.int8)
    given[0, first] = 1
    joint = layer.posteriors(weights[:1], given)[0] * marginals[first]
    assert pairs[first].tolist() == pytest.approx(joint.tolist(), abs=0.04)


def test_beliefs_of_the_prior() -> None:
    variables = variables_of("lights")
    logits = draw_logits(variables, 4000, 1.0, torch.Generator().manual_seed(1))
    wet, colours = logits[..., 0].sigmoid(), logits[..., 1:].softmax(-1)
    assert float(wet.mean()) == pytest.approx(0.5, abs=0.02) and float(wet.var()) == pytest.approx(1 / 12, abs=0.01)
    assert colours.mean((0, 1)).tolist() == pytest.approx([1 / 3] * 3, abs=0.02)
    assert float(colours[..., 0].var()) == pytest.approx(2 / 36, abs=0.01)  # of a Dirichlet(1, 1, 1)


def test_evidence_comes_in_one_literal_after_the_other() -> None:
    # A surrogate that says that a literal is as likely as 1 / (2 + how many are known already).
    def answers(beliefs: Tensor, signs: Tensor, links: Tensor) -> Tensor:
        count = (signs != 0).flatten(1).sum(1).view(-1, 1, 1)
        return torch.logit(1 / (2.0 + count)).expand_as(signs)

    head = variables_of("pizzaC").weight_map.head
    evidence = torch.tensor([[[0, 1, 0, 1, 0, 0]], [[-1, 0, 1, 0, 1, 0]], [[0] * 6]], dtype=torch.int8)
    found = log_evidence(answers, head, torch.full((3, 1, 4), 0.5), evidence, torch.zeros(0, 1, 1))
    assert found.exp().tolist() == pytest.approx([1 / 2 * 1 / 3, 1 / 2 * 1 / 3 * 1 / 4, 1.0])


def test_prefixes_by_hand() -> None:
    evidence = torch.tensor([[[0, 1, -1]]] * 4, dtype=torch.int8)
    found = prefixes(evidence, torch.tensor([0.0, 0.4, 0.7, 0.99]))
    assert found[:, 0].tolist() == [[0, 0, 0], [0, 1, 0], [0, 1, -1], [0, 1, -1]]
    assert observed_like(evidence[:1], -torch.ones(1, 1, 3)).tolist() == [[[0, -1, -1]]]


def test_a_family_is_one_softmax() -> None:
    head = variables_of("mnist1").weight_map.head
    truths = log_truths(head, torch.randn(2, 1, 14, generator=torch.Generator().manual_seed(0)))
    assert truths.holds[..., :10].exp().sum(-1).flatten().tolist() == pytest.approx([1, 1])
    assert (truths.holds.exp() + truths.fails.exp()).flatten().tolist() == pytest.approx([1] * 28, abs=1e-5)


def test_a_surrogate_that_is_sure_and_wrong_still_learns() -> None:
    head = variables_of("mnist1").weight_map.head
    logits = torch.zeros(1, 1, 14)
    logits[..., 0] = 200.0
    world = -torch.ones(1, 1, 14)
    world[..., 3] = 1.0
    error = mean_error(head, logits.requires_grad_(), world, torch.zeros(1, 1, 14))
    error.backward()
    assert error.isfinite() and logits.grad is not None and logits.grad[0, 0, 0] > 0


def test_the_surrogate_approaches_the_posterior() -> None:
    variables, generator = variables_of("pizzaC"), torch.Generator().manual_seed(0)
    head, task = variables.weight_map.head, task_of("pizzaC")
    surrogate = Surrogate(task, 4, width=32, rounds=1, seed=0)
    links, optimiser = surrogate.links(task), torch.optim.Adam(surrogate.parameters(), lr=0.01)
    binding = variables.weight_map.binding
    nothing, asked = torch.zeros(128, 1, 6, dtype=torch.int8), draw_logits(variables, 128, 1.0, generator)
    exact = binding.by_concept(binding.layer.posteriors(weights_of(variables, asked)))

    def error() -> float:
        with torch.no_grad():
            return float((surrogate(asked.sigmoid(), nothing, links).sigmoid() - exact).abs().mean())

    before = error()
    for _ in range(40):
        logits = draw_logits(variables, 128, 1.0, generator)
        world = binding.by_concept(draw_worlds(variables, weights_of(variables, logits), generator).float())
        optimiser.zero_grad()
        mean_error(head, surrogate(logits.sigmoid(), nothing, links), world, nothing).backward()
        optimiser.step()
    assert error() < before / 3


def test_perception_learns_through_the_surrogate_which_it_leaves_alone() -> None:
    examples = toy_examples("mnist2", 8)
    model = Anesi(draws=4, width=8).model(examples.task, PERCEPTION, seed=0)
    assert isinstance(model, AnesiModel)
    prepared = model.prepare(examples)
    model.objective(model.network, prepared, slice(None), None).total.backward()
    assert all(weight.grad is None for weight in model.network.surrogate.parameters())
    assert any(bool(weight.grad.any()) for weight in model.network.perception.parameters() if weight.grad is not None)
    assert model.links(model.prepare(toy_examples("mnist2", 2, task=chain(3)))).shape == (2, 3, 3)


@pytest.mark.parametrize(
    "options", [{"draws": 0}, {"own_share": 2}, {"concentration": 0}, {"width": 1.5}, {"rounds": 0}, {"own_share": -1}]
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match="a-nesi"):
        make_method("a-nesi", **options)


# ------------------------------------------------------------------------------------------- circuits that are too wide


@pytest.fixture
def too_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every circuit be too wide, and bounds coarse."""

    def refuse(*_: object) -> Binding:
        raise TooWide("too many atoms hang together")

    monkeypatch.setattr(Model, "binding", refuse)
    monkeypatch.setattr(anesi, "compile_bounds", partial(compile_bounds, limits=Limits(size=10)))


@pytest.mark.usefixtures("too_wide")
def test_worlds_of_a_bound_are_worlds_of_the_theory() -> None:
    examples = toy_examples("mnist2", 24)
    model = AnesiModel(Anesi(draws=40), examples.task, PERCEPTION, seed=0)
    prepared = model.prepare(examples)
    variables = model.variables(prepared)
    logits = draw_logits(variables, 40, 1.0, torch.Generator().manual_seed(0))
    world = draw_worlds(variables, weights_of(variables, logits), torch.Generator().manual_seed(1))
    exact = bind(examples.task).layer
    assert exact.circuit.atoms == prepared.weight_map.binding.layer.circuit.atoms
    assert not exact(torch.zeros(1, exact.literal_count), world).isneginf().any()
    lower = prepared.weight_map.binding.layer
    assert lower(torch.zeros(1, lower.literal_count), prepared.mask).isneginf().any(), "evidence that it never draws"
    # what is missed is bounded: by enumeration of all pairs of digits
    count = [layer(weights_of(variables, logits)).logsumexp(0) for layer in (lower, exact)]
    missed = model._missed(prepared, weights_of(variables, logits))["worlds_missed"]
    assert count[0] < count[1] and 0 < 1 - float((count[0] - count[1]).exp()) <= 1 and 0 < missed <= 1


@pytest.mark.usefixtures("too_wide")
def test_a_bounded_surrogate_is_trained_saved_and_read(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    examples = open_dataset("digits", regime="mnist2", count=24, test_count=2, size=8).train
    training = Training(epochs=1, batch_size=8)
    predictor = make_method("a-nesi", draws=8, width=8).fit(examples.task, examples, seed=0, training=training)
    assert 0 < predictor.history[-1].terms["worlds_missed"] <= 1
    posteriors = predictor.predict(examples).posteriors
    predictor.save(tmp_path / "kept")
    assert load_predictor(tmp_path / "kept").predict(examples).posteriors.tolist() == posteriors.tolist()
    wrong = replace(examples, evidence=examples.truth.abs(), allow_latent=True)  # every digit at once
    with pytest.raises(ContradictoryEvidence):
        predictor.predict(wrong)


def test_a_theory_that_no_bound_helps_is_too_wide(monkeypatch: pytest.MonkeyPatch, too_wide: None) -> None:
    del too_wide
    task = task_of("mnist1")
    nothing = compile_bounds(ground(task), limits=Limits(seconds=1e-9))
    monkeypatch.setattr(anesi, "compile_bounds", lambda clauses: nothing)
    model = AnesiModel(Anesi(), task, PERCEPTION, seed=0)
    with pytest.raises(TooWide, match="nor are there worlds"):
        model.prepare(toy_examples("mnist1", 4))
