"""EL embeddings: the losses by hand, and what learning comes to."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.elembeddings import balls as geometry
from moose.methods.elembeddings.balls import Balls
from moose.methods.elembeddings.elembeddings import BallNetwork, Elembeddings
from moose.methods.theory.known_tensors import known_concepts, known_roles
from moose.methods.theory.normal_forms import normal_forms
from moose.methods.theory.task_axioms import told_axioms
from tests.learning.toys import task_of, toy_encoder, toy_examples


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs=outputs, seed=seed)


def perception_of(examples: Examples) -> Perception:
    return Perception(examples.input_shape, make=toy_network)


# c at the origin with radius 1, d at (3, 4) with radius 2, e at (0, 2) with radius ½; ρ = (1, 0)
BALLS = Balls(
    centres=torch.tensor([[0.0, 0.0], [3.0, 4.0], [0.0, 2.0]]),
    radii=torch.tensor([1.0, 2.0, 0.5]),
    translations=torch.tensor([[1.0, 0.0], [2.0, 0.5]]),
)


def rows(*numbers: int) -> Tensor:
    return torch.tensor([numbers])


def test_the_losses_by_hand() -> None:
    margin = 0.1
    assert geometry.inclusion(BALLS, rows(0, 1), margin).item() == pytest.approx(5 + 1 - 2 - 0.1)
    assert geometry.inclusion(BALLS, rows(2, 2), margin).item() == 0
    overlap = (5 - 1 - 2 - 0.1) + (2 - 1 - 0.1) + (math.hypot(3, 2) - 2 - 0.1)
    assert geometry.overlap(BALLS, rows(0, 1, 2), margin).item() == pytest.approx(overlap)
    assert geometry.separation(BALLS, rows(0, 1), margin).item() == 0
    assert geometry.separation(BALLS, rows(0, 2), 0.7).item() == pytest.approx(1 + 0.5 - 2 + 0.7)
    assert geometry.promise(BALLS, rows(0, 0, 1), margin).item() == pytest.approx(math.hypot(2, 4) + 1 - 2 - 0.1)
    assert geometry.recognition(BALLS, rows(0, 0, 1), margin).item() == pytest.approx(math.hypot(4, 4) - 1 - 2 - 0.1)
    assert geometry.on_unit_sphere(BALLS).item() == pytest.approx((1 + 4 + 1) / 3)
    assert geometry.chain_losses(BALLS, [((0, 0), 1)]).item() == pytest.approx(0.5)
    assert len(geometry.chain_losses(BALLS, [])) == 0


def test_the_scores_by_hand() -> None:
    points = torch.tensor([[[0.0, 0.0], [1.0, 2.0]]])
    logits = geometry.concept_logits(BALLS, points, 0.1)
    assert logits[0, 0].tolist() == pytest.approx([0.1 + 1, 0.1 - 5 + 2, 0.1 - 2 + 0.5])
    roles = geometry.role_logits(BALLS, points, 0.1)
    assert roles.shape == (1, 2, 2, 2)
    assert roles[0, 0, 0, 1].item() == pytest.approx(0.1 - 2)  # (0, 0) + (1, 0) - (1, 2)
    assert roles[0, 0, 1, 0].item() == pytest.approx(0.1 - math.hypot(2, 2))


def test_derivatives_are_finite_where_points_meet() -> None:
    centres = torch.zeros(2, 3, requires_grad=True)
    balls = Balls(centres, torch.ones(2), torch.zeros(1, 3))
    geometry.separation(balls, rows(0, 1), 0.1).sum().backward()
    assert centres.grad is not None and centres.grad.isfinite().all()


def test_every_normal_form_has_its_mean_in_the_loss() -> None:
    task = task_of("mnist2")
    forms = normal_forms(told_axioms(task))
    examples = toy_examples("mnist2", 4, share=0.0)
    model = Elembeddings(el_weight=2.0).model(task, perception_of(examples), seed=0)
    balls = model.network.balls()
    losses = geometry.normal_form_losses(forms, balls, 0.1)
    assert {kind: len(found) for kind, found in losses.items()} == {"nf1": 18, "nf2_bottom": 47, "nf3": 10}
    tbox = sum(found.mean().item() for found in losses.values()) + geometry.on_unit_sphere(balls).item()
    outcome = model.objective(model.network, model.prepare(examples), slice(0, 4))
    assert outcome.terms["tbox"] == pytest.approx(tbox)
    assert outcome.loss.item() == pytest.approx(outcome.terms["abox"] + 2 * tbox)


def test_observed_literals_and_known_roles_by_hand() -> None:
    task = task_of("mnist2")
    examples = toy_examples("mnist2", 2, seed=5)
    model = Elembeddings(embed_dim=3).model(task, perception_of(examples), seed=0)
    network = model.network
    points = network(examples.inputs.flatten(0, 1)).unflatten(0, (2, 2)).double()
    balls = network.balls()
    terms = []
    for row in range(2):
        for place, concept in torch.nonzero(examples.evidence[row]).tolist():
            distance = (points[row, place] - balls.centres[concept]).norm() - balls.radii[concept]
            chance = torch.sigmoid(0.1 - distance).item()
            terms.append(math.log(chance if examples.evidence[row, place, concept] > 0 else 1 - chance))
        for first, second, holds in ((0, 1, True), (1, 0, False)):
            step = points[row, first] + balls.translations[0] - points[row, second]
            chance = torch.sigmoid(0.1 - step.norm()).item()
            terms.append(math.log(chance if holds else 1 - chance))
    outcome = model.objective(network, model.prepare(examples), slice(0, 2))
    assert outcome.terms["abox"] == pytest.approx(-sum(terms) / len(terms), rel=1e-4)


def test_facts_are_known() -> None:
    base = task_of("mnist2")
    task = Task(base.ontology, ["a", "b"], base.observed, [*base.latent, "plus_two"],
                roles={"succ": [("a", "b")]}, facts=["not Even(b)", "not plus_two(a,b)"])  # fmt: skip
    names = [role.name for role in task.role_predicates]
    is_known, known = known_roles(task)
    assert is_known[names.index("succ")].all() and known[names.index("succ")].tolist() == [[0, 1], [0, 0]]
    assert is_known[names.index("plus_two")].tolist() == [[False, True], [False, False]]
    assert not known[names.index("plus_two")].any()
    assert torch.nonzero(known_concepts(task)).tolist() == [[1, 10]] and known_concepts(task)[1, 10] == -1


def test_chains_are_penalised_on_demand() -> None:
    task = task_of("mnist3")
    examples = toy_examples("mnist3", 2)
    plain, penalised = (
        Elembeddings(chain=chain).model(task, perception_of(examples), seed=0) for chain in (False, True)
    )
    prepared = plain.prepare(examples)
    tbox = [model.objective(model.network, prepared, slice(0, 2)).terms["tbox"] for model in (plain, penalised)]
    names = [role.name for role in task.role_predicates]
    step, two = (plain.network.translations[names.index(name)] for name in ("succ", "plus_two"))
    assert tbox[1] - tbox[0] == pytest.approx((step + step - two).norm().item(), rel=1e-4)


def test_first_weights_are_of_length_one_and_come_from_the_seed() -> None:
    before, task = torch.random.get_rng_state(), task_of("mnist2")
    one, same, other = (Elembeddings().model(task, Perception((1, 8, 8)), seed=seed).network for seed in (1, 1, 2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert torch.equal(one.centres, same.centres) and not torch.equal(one.centres, other.centres)
    assert one.centres.detach().norm(dim=1).tolist() == pytest.approx([1.0] * 15)


def test_axioms_alone_pull_a_latent_ball_into_the_observed_one() -> None:
    task = task_of("mnist1")
    forms = normal_forms(told_axioms(task))
    examples = toy_examples("mnist1", 1)
    network = Elembeddings(embed_dim=16).model(task, perception_of(examples), seed=0).network
    assert isinstance(network, BallNetwork)
    optimiser = torch.optim.Adam([network.centres, network.radii], lr=0.02)
    for _ in range(200):
        optimiser.zero_grad()
        losses = geometry.normal_form_losses(forms, network.balls(), 0.1)
        sum(found.mean() for found in losses.values()).backward()  # type: ignore[union-attr]
        optimiser.step()
    balls = network.balls()
    distances = (balls.centres[:, None] - balls.centres).norm(dim=-1)
    assert distances[2, 10] + balls.radii[2] < balls.radii[10] + 0.15  # D2 in Even, but for the margin
    assert distances[2, 11] > balls.radii[2] + balls.radii[11]  # and apart from Odd


def test_learning_shows_on_digits() -> None:
    examples = toy_examples("mnist1", 256, share=1.0)
    predictor = Elembeddings(embed_dim=16).fit(
        examples.task,
        examples,
        training=Training(epochs=10, batch_size=16, learning_rate=0.02),
        perception=perception_of(examples),
    )
    found = predictor.predict(examples, evidence=False).posteriors
    even = examples.truth[:, 0, 10].numpy() > 0
    assert ((found[:, 0, 10] > 0.5) == even).mean() > 0.8
    accuracy = predictor.evaluate(examples).without_evidence.scores.acc_f
    assert accuracy is not None and accuracy > 0.2  # twice chance, by axioms alone


def test_groups_of_different_tasks_share_balls() -> None:
    groups = [toy_examples(name, 16) for name in ("mnist2", "mnist1")]
    predictor = Elembeddings().fit(
        groups[0].task, groups, training=Training(epochs=1, batch_size=8), perception=perception_of(groups[0])
    )
    assert predictor.predict(groups[1]).posteriors.shape == (16, 1, 14)


def test_a_role_that_the_model_never_saw_is_named() -> None:
    examples = toy_examples("mnist2", 2)
    model = Elembeddings().model(task_of("mnist1"), perception_of(examples), seed=0)
    with pytest.raises(MooseError, match="succ"):
        model.objective(model.network, model.prepare(examples), slice(0, 2))


@pytest.mark.parametrize(
    "options", [{"embed_dim": 0}, {"margin": -1}, {"el_weight": "much"}, {"chain": 1}, {"decode": ""}]
)
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match=f"{next(iter(options))} of elembeddings"):
        Elembeddings(**options)  # type: ignore[arg-type]
