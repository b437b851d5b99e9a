"""Embed2Sym: names of clusters by hand and against a search of all, and what becomes of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import pytest
import torch
from torch import nn

from moose.base.errors import MooseError
from moose.learning.binding import Binding, bind
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.embed2sym.embed2sym import Embed2sym, Embed2symModel
from moose.methods.embed2sym.naming import Names, NamingProblem, Sight, frequent_sights, probabilities, reduced
from moose.methods.registry import make_method
from tests.learning.toys import task_of, toy_encoder, toy_examples

DIGITS = [f"D{digit}" for digit in range(10)]


def sight_of(binding: Binding, clusters: tuple[int, ...], **literals: int) -> Sight:
    evidence = [literals.get(f"{atom.predicate}_{atom.arguments[0]}", 0) for atom in binding.layer.circuit.atoms]
    return Sight(clusters, tuple(evidence))


def test_a_cluster_is_named_by_what_most_of_it_shows() -> None:
    binding = bind(task_of("mnist1"))
    problem = NamingProblem(2, DIGITS)
    problem.add_family(DIGITS)
    problem.add_sight(binding, sight_of(binding, (0,), Even_a=1, Prime_a=1), 5)
    problem.add_sight(binding, sight_of(binding, (0,), Odd_a=1), 2)
    problem.add_sight(binding, sight_of(binding, (1,), Odd_a=1, Prime_a=-1, Composite_a=-1), 3)
    names = problem.solve()
    assert [row.index(True) for row in names.holds.tolist()] == [2, 1]  # the even prime, and 1
    assert names.holds.sum().item() == 2 and names.cost == 2
    assert names.explained.tolist() == pytest.approx([5 / 7, 1.0])


def test_a_role_names_what_evidence_does_not_separate() -> None:
    # Clusters 0, 1 and 2 are a prime, what follows it, and what follows that: 2, 3 and 4, not 3, 4 and 5.
    binding = bind(task_of("mnist2"))
    first, second = binding.task.individuals
    problem = NamingProblem(3, DIGITS)
    problem.add_family(DIGITS)
    problem.add_sight(binding, sight_of(binding, (0, 1), **{f"Prime_{first}": 1, f"Prime_{second}": 1}), 4)
    problem.add_sight(binding, sight_of(binding, (1, 2)), 4)
    assert [row.index(True) for row in problem.solve().holds.tolist()] == [2, 3, 4]


def explained(problem: NamingProblem, holds: set[int]) -> int:
    """Count the examples that names explain, by a solver for each sight."""
    from pysat.solvers import Solver

    names = problem.clusters * len(problem.concepts)
    with Solver("cadical153", bootstrap_with=problem.hard) as solver:
        fixed = [one if one in holds else -one for one in range(1, names + 1)]
        return sum(count for one, count in problem.soft.items() if solver.solve(assumptions=[*fixed, -one]))


def all_names(problem: NamingProblem) -> Iterator[set[int]]:
    for digits in permutations(range(10), 2):
        yield {problem.holds(cluster, f"D{digit}") for cluster, digit in enumerate(digits)}


def test_no_other_names_explain_more() -> None:
    binding = bind(task_of("mnist2"))
    examples = toy_examples("mnist2", 24, share=0.4, seed=3)
    clusters = torch.randint(2, (24, 2), generator=torch.Generator().manual_seed(1))
    problem = NamingProblem(2, DIGITS)
    problem.add_family(DIGITS)
    for sight, count in frequent_sights(clusters, binding.evidence_mask(examples.evidence), 24):
        problem.add_sight(binding, sight, count)
    best = max(explained(problem, holds) for holds in all_names(problem))
    assert sum(problem.soft.values()) - problem.solve().cost == best


def test_as_many_clusters_as_members_have_different_names() -> None:
    problem = NamingProblem(10, DIGITS)
    problem.add_family(DIGITS)
    binding = bind(task_of("mnist1"))
    problem.add_sight(binding, sight_of(binding, (0,), Odd_a=1), 1)
    assert (problem.solve().holds.sum(0) == 1).all()


def test_what_is_known_reduces_clauses() -> None:
    binding = bind(task_of("pizzaC"))
    clauses = binding.layer.circuit.clauses
    spicy = next(place for place, atom in enumerate(clauses.atoms) if atom.predicate == "SpicyTopping")
    known = [0] * len(clauses.atoms)
    known[spicy] = -1
    left = {clauses.clause_text(clause) for clause in reduced(clauses, known)}
    assert "JalapenoPepperTopping(a) → ⊥" in left and "SpicyPizza(a) → ⊥" in left and len(left) == 5


def test_how_far_names_are_believed() -> None:
    names = Names(torch.tensor([[True, False, False, True]]), torch.tensor([0.8]), 0)
    assert probabilities(names, [[0, 1, 2]]).tolist() == [pytest.approx([0.8, 0.1, 0.1, 0.8])]
    assert probabilities(names, []).tolist() == [pytest.approx([0.8, 0.2, 0.2, 0.8])]
    poor = Names(names.holds, torch.tensor([0.1]), 0)
    assert probabilities(poor, [[0, 1, 2]]).tolist() == [pytest.approx([0.5, 0.25, 0.25, 0.5])]


def toy_network(outputs: int, seed: int) -> nn.Module:
    return toy_encoder(outputs, seed=seed)


def test_inputs_that_are_easy_to_tell_apart_get_their_names() -> None:
    examples = toy_examples("mnist1", 64, share=1.0)
    perception = Perception(examples.input_shape, make=toy_network)
    training = Training(epochs=10, batch_size=16, learning_rate=0.02)
    predictor = Embed2sym().fit(examples.task, examples, seed=1, training=training, perception=perception)
    model = predictor.model
    assert isinstance(model, Embed2symModel) and model.centres.abs().max() < 1e5
    shown = predictor.predict(examples, evidence=False).posteriors[..., :10]
    assert shown.sum(-1) == pytest.approx(1, abs=1e-4)
    accuracy = predictor.evaluate(examples).metrics["acc_f"]
    assert accuracy is not None and accuracy > 0.3  # evidence alone separates six groups of digits


@pytest.mark.parametrize("options", [{"embed_dim": 0}, {"clusters": 0}, {"sights": 1.5}, {"decode": "names"}])
def test_bad_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(MooseError, match="embed2sym"):
        make_method("embed2sym", **options)


def test_without_scikit_learn_nothing_is_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("moose.methods.embed2sym.embed2sym.find_spec", lambda _: None)
    examples = toy_examples("mnist1", 4)
    perception = Perception(examples.input_shape, make=toy_network)
    with pytest.raises(MooseError, match="embed2sym clusters with scikit-learn, which is not installed; run `pip"):
        Embed2sym().fit(examples.task, examples, seed=0, training=Training(epochs=1), perception=perception)
