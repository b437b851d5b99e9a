"""The conditional objective against plain enumeration of worlds, and what it is good for: members that say little."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import moose
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.heads import Sides
from moose.learning.loss.likelihood import weigh
from moose.learning.loss.theory_alone import theory_alone
from moose.learning.open_weights import OpenWeights
from moose.methods.base.perception import Perception
from moose.methods.ours.moose import Moose, MooseModel
from moose.owl.model.axioms import DisjointClasses, SubClassOf
from moose.owl.model.expressions import Class
from moose.owl.ontology import Ontology
from tests.grounding.tasks import ontology_of

MEMBERS = ("Sandal", "Boot", "Bag")
OBSERVED = ("Footwear", "Rubber", "Warm")
ONTOLOGY = """SubClassOf(:Sandal :Footwear) SubClassOf(:Boot :Footwear) SubClassOf(:Boot :Rubber)
SubClassOf(:Warm :Rubber) DisjointClasses(:Bag :Footwear) SubClassOf(ObjectSomeValuesFrom(:beside :Bag) :Warm)"""


@cache
def ontology() -> Ontology:
    with TemporaryDirectory() as folder:
        return ontology_of(Path(folder), ONTOLOGY)


def wear(individuals: Sequence[str] = ("a",), **changes: object) -> Task:
    return Task(ontology(), individuals, OBSERVED, MEMBERS, [MEMBERS], **changes)  # type: ignore[arg-type]


def model_of(task: Task, **options: object) -> MooseModel:
    method = Moose(head="softmax", **options)  # type: ignore[arg-type]
    return method.model(task, Perception((1, 2, 2), make=lambda outputs, _: torch.nn.Linear(4, outputs)), seed=0)


def worlds(task: Task) -> list[dict[str, bool]]:
    """Enumerate the models of the clauses of a task."""
    clauses = ground(task)
    fixed = {str(atom): truth for atom, truth in clauses.fixed.items()}
    return [
        fixed | {str(atom): value for atom, value in zip(clauses.atoms, values)}
        for values in product((False, True), repeat=len(clauses.atoms))
        if all(any(values[abs(one) - 1] == (one > 0) for one in clause) for clause in clauses)
    ]


def weight(world: dict[str, bool], task: Task, logits: Tensor, odds: Tensor) -> float:
    """Weigh a world by hand: the members of the individuals, and ½ and the odds of what they have."""
    names = [concept.name for concept in task.concepts]
    total = 1.0
    for place, who in enumerate(task.individuals):
        chances = logits[place].softmax(-1).tolist()
        member = next(name for name in MEMBERS if world[f"{name}({who})"])
        total *= chances[MEMBERS.index(member)] * 0.5 ** len(OBSERVED)
        for name in OBSERVED:
            if world[f"{name}({who})"] and is_open(member, name):
                total *= math.exp(odds[names.index(member), names.index(name)].item())
    return total


@cache
def is_open(member: str, name: str) -> bool:
    """Ask all worlds of a member whether they agree about an observable."""
    return len({world[f"{name}(a)"] for world in worlds(wear()) if world[f"{member}(a)"]}) == 2


def evidence_of(task: Task, literals: dict[str, int]) -> Tensor:
    columns = {concept.name: place for place, concept in enumerate(task.concepts)}
    evidence = torch.zeros(1, len(task.individuals), len(columns), dtype=torch.int8)
    for text, sign in literals.items():
        name, who = text.rstrip(")").split("(")
        evidence[0, task.individuals.index(who), columns[name]] = sign
    return evidence


def agrees(world: dict[str, bool], literals: dict[str, int]) -> bool:
    return all(world[text] == (sign > 0) for text, sign in literals.items())


literals = st.dictionaries(st.sampled_from([f"{name}(a)" for name in OBSERVED]), st.sampled_from([-1, 1]), max_size=3)
numbers = st.lists(st.floats(-3, 3), min_size=3, max_size=3)


@given(literals, numbers, st.lists(st.floats(-2, 2), min_size=9, max_size=9))
@settings(max_examples=60, deadline=None)
def test_it_is_the_likelihood_given_the_theory(
    observed: dict[str, int], logits: list[float], weights: list[float]
) -> None:
    task = wear()
    model = model_of(task)
    weight_map, names = model.weight_map(task), [concept.name for concept in task.concepts]
    open_weights = OpenWeights(len(names))
    for (member, name), value in zip(product(MEMBERS, OBSERVED), weights):
        open_weights.scaled.data[names.index(member), names.index(name)] = value / 10
    model.network.open_weights = open_weights
    scores = torch.tensor([logits])
    # each member has the probability that the network gives it, whatever it leaves open
    shares = []
    for member in MEMBERS:
        own = [one for one in worlds(task) if one[f"{member}(a)"]]
        wanted = sum(weight(one, task, scores, open_weights()) for one in own if agrees(one, observed))
        shares.append(wanted / sum(weight(one, task, scores, open_weights()) for one in own))
    expected = float(scores.softmax(-1)[0] @ torch.tensor(shares))
    sides = weight_map.head.sides(scores.unsqueeze(1))
    mask = weight_map.binding.evidence_mask(evidence_of(task, observed))
    found = weigh(weight_map, sides, mask, model.network).log_likelihood()
    assert found.exp().item() == pytest.approx(expected, rel=1e-4, abs=1e-6)


def test_without_evidence_the_posterior_is_what_the_network_says() -> None:
    task = wear(["a", "b"], roles={"beside": [("a", "b")]})
    alone = wear(["a", "b"])
    model = model_of(alone)
    weight_map = model.weight_map(alone)
    logits = torch.tensor([[[0.3, -1.0, 2.0], [1.0, 0.0, 0.5]]])
    sides = weight_map.head.sides(logits)
    mask = torch.zeros(1, weight_map.binding.layer.atom_count, dtype=torch.int8)
    posteriors = weight_map.binding.by_concept(weigh(weight_map, sides, mask).posteriors())
    assert posteriors[..., :3].numpy() == pytest.approx(logits.softmax(-1).numpy(), abs=1e-6)
    # the pair that is known is evidence: beside a bag it is warm, so of rubber, and no sandal
    known = model_of(task)
    found = weigh(known.weight_map(task), sides, torch.zeros(1, known.weight_map(task).binding.layer.atom_count).char())
    assert found.log_likelihood().item() < -0.01


def test_with_sigmoids_the_count_of_the_theory_is_divided_by() -> None:
    task = replace(wear(), closure=())
    model = Moose(head="sigmoid").model(
        task, Perception((1, 2, 2), make=lambda outputs, _: torch.nn.Linear(4, outputs)), seed=0
    )
    weight_map = model.weight_map(task)
    logits = torch.tensor([[[0.3, -1.0, 2.0]]])
    evidence = weight_map.binding.evidence_mask(evidence_of(task, {"Footwear(a)": 1, "Rubber(a)": -1}))
    found = weigh(weight_map, weight_map.head.sides(logits), evidence).log_likelihood().exp().item()
    chances = dict(zip(MEMBERS, logits.sigmoid()[0, 0].tolist()))

    def count(some: list[dict[str, bool]]) -> float:
        return math.fsum(
            math.prod(chances[name] if one[f"{name}(a)"] else 1 - chances[name] for name in MEMBERS) for one in some
        )

    every = worlds(task)
    expected = count([one for one in every if agrees(one, {"Footwear(a)": 1, "Rubber(a)": -1})]) / count(every)
    assert found == pytest.approx(expected, rel=1e-4)


def test_where_members_decide_everything_the_objectives_have_one_derivative() -> None:
    task = moose.regime("mnist2")
    logits = torch.randn(4, 2, 10, generator=torch.Generator().manual_seed(0), requires_grad=True)
    evidence = torch.zeros(4, 2, len(task.concepts), dtype=torch.int8)
    slopes = []
    for objective in ("conditional", "paper"):
        model = Moose(head="softmax", objective=objective).model(
            task, Perception((1, 2, 2), make=lambda outputs, _: torch.nn.Linear(4, outputs)), seed=0
        )
        weight_map = model.weight_map(task)
        mask = weight_map.binding.evidence_mask(evidence)
        total = weigh(weight_map, weight_map.head.sides(logits), mask, model.network).log_likelihood().sum()
        slopes.append(torch.autograd.grad(total, logits)[0])
    assert slopes[0].numpy() == pytest.approx(slopes[1].numpy(), abs=1e-5)


def test_what_is_known_of_an_instance_is_no_part_of_the_theory() -> None:
    task = wear(["a", "b"], roles={"beside": [("a", "b")]}, facts=["Warm(b)"])
    alone = theory_alone(task, "softmax", with_pairs=True)
    assert alone.is_apart
    assert [len(part.binding.task.individuals) for part in alone.parts] == [1]
    assert alone.part_of(task) == [0, 0]
    assert not alone.parts[0].binding.task.known


def test_open_roles_keep_individuals_together() -> None:
    task = Task(ontology(), ["a", "b"], [*OBSERVED, "beside"], MEMBERS, [MEMBERS])
    alone = theory_alone(task, "softmax", with_pairs=False)
    assert not alone.is_apart
    assert len(alone.parts[0].binding.task.individuals) == 2
    zeros = torch.zeros(3, 2, 3)
    sides = Sides(zeros.log_softmax(-1), zeros)
    assert alone.log_total(task, sides, None).shape == (3,)


def test_what_is_never_denied_is_not_learnt() -> None:
    weights = OpenWeights(3)
    weights.scaled.data.fill_(1.0)
    evidence = torch.tensor([[[0, 1, 1]], [[0, -1, 1]]], dtype=torch.int8)
    weights.look_at([evidence])
    (slope,) = torch.autograd.grad(weights()[0].sum(), weights.scaled)
    assert slope[0].tolist() == [0.0, 10.0, 0.0]
    assert weights()[0].tolist() == [10.0, 10.0, 10.0], "what another training has learnt stays"
    weights.look_at([-evidence], is_all=False)
    (slope,) = torch.autograd.grad(weights()[0].sum(), weights.scaled)
    assert slope[0].tolist() == [0.0, 10.0, 10.0]


@pytest.mark.parametrize(
    ("regime", "objective", "is_conditional"),
    [
        ("mnist2", "auto", True),
        ("pizzaB", "auto", True),
        ("pizzaA", "auto", False),
        ("pizzaC", "auto", False),
        ("pizzaC", "conditional", True),
        ("mnist2", "paper", False),
    ],
)
def test_the_default_depends_on_a_latent_family(regime: str, objective: str, is_conditional: bool) -> None:
    model = model_of(moose.regime(regime), objective=objective)
    assert model.is_conditional == is_conditional
    prepared = model.weight_map(model.task)
    assert (prepared.alone is not None) == is_conditional


def test_a_member_that_cannot_be_takes_no_part_in_the_likelihood() -> None:
    """D is below O and excluded by it; without evidence the likelihood is 1, whatever a network says of D."""
    a, b, d, o = (Class(f"urn:t#{name}") for name in "ABDO")
    ontology = moose.ontology([SubClassOf(a, o), SubClassOf(d, o), DisjointClasses((d, o)), DisjointClasses((b, o))])
    task = moose.Task(ontology, individuals=["x"], observed=["O"], latent=["A", "B", "D"], families=[["A", "B", "D"]])
    learner = moose.ConceptLearner(task, nn.Identity(), objective="conditional", cover=None)
    nothing = torch.zeros(1, 1, 4, dtype=torch.int8)
    seen = nothing.clone()
    seen[0, 0, [one.name for one in task.concepts].index("O")] = 1
    logits = torch.tensor([[[0.3, -0.4, 2.0]]], requires_grad=True)
    examples = [moose.Examples(task, logits.detach(), evidence, nothing) for evidence in (nothing, seen)]
    losses = [float(learner.loss(one)) for one in examples]
    assert losses[0] == pytest.approx(0.0, abs=1e-6)
    assert losses[1] == pytest.approx(float(torch.log1p(torch.exp(torch.tensor(-0.7)))), abs=1e-6)
