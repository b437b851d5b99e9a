"""The loss is -log of the probability, summed world by world, that theory and evidence hold."""

from __future__ import annotations

import math

import pytest
import torch

from moose.circuit.circuit import Circuit
from moose.grounding.task.task import Task
from moose.learning.binding import bind, latent_columns
from moose.learning.examples import Examples
from moose.learning.heads import HEADS, HeadName, WeightMap, make_head
from moose.learning.loss.cover import Cover, entropy
from moose.learning.loss.objective import measure, prepare
from moose.methods.concept_learner import ConceptLearner
from tests.learning.toys import chain, task_of, toy_encoder, toy_examples


def weight_of_world(
    world: dict[str, bool], logits: dict[str, float], head: HeadName, families: list[list[str]]
) -> float:
    """Return the weight of a world, evidence apart: latent atoms by the network, all others ½."""
    weight = 1.0
    members = {atom for family in families for atom in family} if head == "softmax" else set()
    for atom, holds in world.items():
        if atom in members:
            continue
        on = 1 / (1 + math.exp(-logits[atom])) if atom in logits else 0.5
        weight *= on if holds else 1 - on
    if head == "softmax":
        for family in families:
            total = sum(math.exp(logits[atom]) for atom in family)
            weight *= sum(math.exp(logits[atom]) / total for atom in family if world[atom])
    return weight


def count_by_worlds(circuit: Circuit, evidence: tuple[str, ...], logits: dict[str, float], head: HeadName) -> float:
    families = [[str(circuit.clauses.atoms[place]) for place in family] for family in circuit.clauses.families]
    kept = 0.0
    for world in circuit.models(evidence=list(evidence)):
        observed = {text.removeprefix("not ") for text in evidence}
        variables = {str(atom): world[str(atom)] for atom in circuit.atoms if str(atom) not in observed}
        kept += weight_of_world(variables, logits, head, families)
    return kept


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("name", ["mnist1", "mnist2", "mnist3"])
def test_the_loss_is_that_of_enumeration(name: str, head: HeadName) -> None:
    examples = toy_examples(name, 4, seed=3)
    binding = bind(examples.task)
    weight_map = WeightMap(binding, make_head(head, binding))
    network = toy_encoder(seed=5)
    prepared = prepare(examples, weight_map)
    found = measure(network, prepared, slice(0, 4)).loss.item()
    expected = 0.0
    for row in range(4):
        outputs = network(examples.inputs[row])
        logits = {
            f"{examples.task.concepts[column].name}({individual})": outputs[place, output].item()
            for place, individual in enumerate(examples.task.individuals)
            for output, column in enumerate(latent_columns(examples.task))
        }
        expected -= math.log(count_by_worlds(binding.layer.circuit, examples.literals(row), logits, head)) / 4
    assert found == pytest.approx(expected, rel=1e-4)


def test_posteriors_of_a_closed_family_sum_to_one() -> None:
    examples = toy_examples("mnist2", 5)
    learner = ConceptLearner(examples.task, toy_encoder(), head="sigmoid")
    found = learner.predict(examples)
    assert found.posteriors[:, :, :10].sum(-1) == pytest.approx(1.0)
    assert learner.predict(examples, evidence=False).posteriors[:, :, :10].sum(-1) == pytest.approx(1.0)
    observed = examples.evidence.numpy()
    assert found.posteriors[observed == 1] == pytest.approx(1.0)
    assert found.posteriors[observed == -1] == pytest.approx(0.0)
    assert set(found.of(0, least=0.99)) >= {text for text in examples.literals(0) if not text.startswith("not")}


def test_a_latent_atom_that_a_fact_decides_is_weighed_too() -> None:
    base = task_of("mnist1")
    task = Task(base.ontology, individuals=["a"], observed=["Even", "Odd"], latent=["D1", "D2"], facts=["not D2(a)"])
    binding = bind(task)
    zeros = torch.zeros(1, 1, 4, dtype=torch.int8)
    examples = Examples(task, torch.zeros(1, 1, 1, 1, 10), zeros, zeros)
    network = toy_encoder(2)
    prepared = prepare(examples, WeightMap(binding, make_head("sigmoid", binding)))
    d1, d2 = network(examples.inputs[0]).sigmoid()[0].tolist()
    # worlds: D1, so Odd and not Even; or not D1, with at most one of Even and Odd
    expected = (1 - d2) * (d1 * 0.25 + (1 - d1) * 0.75)
    assert measure(network, prepared, slice(0, 1)).loss.item() == pytest.approx(-math.log(expected), rel=1e-5)
    assert ConceptLearner(task, network, head="sigmoid").predict(examples).posteriors[0, 0, 1] == 0.0


def test_without_closure_a_softmax_gives_independent_atoms() -> None:
    base = task_of("mnist1")
    task = Task(base.ontology, ["a"], base.observed, base.latent, base.families, closure=())
    binding = bind(task)
    head = make_head("softmax", binding)
    assert (binding.is_closed, head.is_closed) == (False, False)
    logits = torch.randn(3, 1, 10, generator=torch.Generator().manual_seed(0))
    sides = head.sides(logits)
    assert sides.positive.exp().sum(-1) == pytest.approx(torch.ones(3, 1))
    assert (sides.positive.exp() + sides.negative.exp()).flatten().tolist() == pytest.approx([1.0] * 30, rel=1e-5)


def test_only_latent_families_have_a_softmax() -> None:
    binding = bind(task_of("pizzaA"))
    assert make_head("softmax", binding).families == ()
    kinds = make_head("softmax", bind(task_of("pizzaB"))).families
    assert [len(family) for family in kinds] == [4]


def test_the_cover_falls_in_a_line() -> None:
    cover = Cover(weight=4, epochs=2)
    assert [cover.weight_at(done) for done in (0, 0.5, 1, 2, 5)] == [4, 3, 2, 0, 0]


def test_the_bonus_by_hand() -> None:
    first = torch.tensor([[1.0, 0.0], [0.0, 1.0]])  # over the batch, both members: log 2
    second = torch.tensor([[1.0, 0.0], [1.0, 0.0]])  # one member alone: 0
    assert Cover().bonus([first, second], "ab").item() == pytest.approx(math.log(2) / 2)
    mixed = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25))
    assert Cover(is_pooled=True).bonus([first, second], "aa").item() == pytest.approx(mixed)


def test_entropy_has_finite_derivatives() -> None:
    probabilities = torch.tensor([0.0, 1.0], requires_grad=True)
    entropy(probabilities).backward()
    assert probabilities.grad is not None
    assert probabilities.grad.isfinite().all()


def test_the_bonus_is_that_of_the_posteriors() -> None:
    examples = toy_examples("mnist2", 6, task=chain(2))
    binding = bind(examples.task)
    prepared = prepare(examples, WeightMap(binding, make_head("softmax", binding)))
    network = toy_encoder()
    bonus = measure(network, prepared, slice(0, 6), Cover()).bonus
    posteriors = torch.from_numpy(ConceptLearner(examples.task, network).predict(examples).posteriors[:, :, :10])
    assert bonus is not None
    assert bonus.item() == pytest.approx(entropy(posteriors.mean(0)).mean().item(), rel=1e-4)
