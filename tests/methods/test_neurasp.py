"""Stable models: against a plain search, and by hand."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import pytest
import torch

from moose.base.errors import MooseError
from moose.grounding.task.task import Task
from moose.methods.deepproblog.neural_program import NeuralProgram
from moose.methods.neurasp import answer_sets
from moose.methods.neurasp.answer_sets import answer_set_program, latent_atoms, list_choices
from moose.methods.neurasp.neurasp import NeuraspModel
from moose.methods.registry import make_method
from tests.grounding.tasks import ontology_of
from tests.learning.toys import task_of
from tests.methods.test_deepproblog import PERCEPTION, drawn_logits, examples_of
from tests.methods.worlds_of_programs import least_model

CIRCLE = "SubClassOf(:A :O) SubClassOf(:O :P) SubClassOf(:P :O) SubClassOf(:P :Q) SubClassOf(:R :A)"
Model = frozenset[int]


def circle(folder: Path) -> Task:
    """O and P hold each other up; only A is a reason for them. R is observed and head of nothing."""
    declared = " ".join(f"Declaration(Class(:{name}))" for name in "AOPQR")
    return Task(ontology_of(folder, f"{declared} {CIRCLE}"), ["a"], ["O", "P", "Q", "R"], ["A"])


def stable_models(program: NeuralProgram) -> set[Model]:
    """Try all choices."""
    free = (*program.facts, *program.coins)
    chosen = product(*program.disjunctions, *(((one,), ()) for one in free))
    flat = ([one for part in choice for one in (part if isinstance(part, tuple) else (part,))] for choice in chosen)
    models = (frozenset(least_model(program.rules, choice)) for choice in flat)
    return {
        model
        for model in models
        if all(any((abs(one) - 1 in model) == (one > 0) for one in clause) for clause in program.theory)
    }


def model_of(task: Task) -> NeuraspModel:
    model = make_method("neurasp").model(task, PERCEPTION, seed=0)
    assert isinstance(model, NeuraspModel)
    return model


@pytest.mark.parametrize("name", ["mnist1", "mnist2", "pizzaC", "circle"])
def test_choices_are_those_of_all_stable_models(name: str, tmp_path: Path) -> None:
    task = circle(tmp_path) if name == "circle" else task_of(name)
    program, layer = answer_set_program(task), model_of(task).binding(task).layer
    models = stable_models(program)
    latent = latent_atoms(layer, task)
    places = [program.theory.positions[layer.circuit.atoms[column]] for column in latent]
    wanted = Counter(tuple(place in model for place in places) for model in models)
    choices = list_choices(layer, latent, torch.zeros(layer.atom_count, dtype=torch.int8))
    assert {tuple(one) for one in (choices.holds > 0).tolist()} == set(wanted)
    assert choices.log_shares.exp().tolist() == pytest.approx([1.0] * len(wanted))
    for row, held in zip(choices.posteriors, (choices.holds > 0).tolist(), strict=True):
        same = [model for model in models if [place in model for place in places] == held]
        shares = [
            sum(program.theory.positions[atom] in one for one in same) / len(same) for atom in layer.circuit.atoms
        ]
        assert row.tolist() == pytest.approx(shares)


def test_a_circle_by_hand(tmp_path: Path) -> None:
    task = circle(tmp_path)
    assert len(stable_models(answer_set_program(task))) == 3  # nothing; A, O, P and Q; and these with R, if A is chosen
    model = model_of(task)
    logits = torch.tensor([[[0.4]]] * 4, dtype=torch.float64)
    evidence = [{"O(a)": True}, {"Q(a)": False}, {"R(a)": True}, {}]
    prepared = model.prepare(examples_of(task, evidence))
    found = model.log_probabilities(prepared, prepared.weight_map.head.sides(logits), prepared.mask)
    chance = float(logits[0].sigmoid())
    assert found.exp().tolist() == pytest.approx([chance, 1 - chance, chance / 2, 1.0])


def test_digits_by_hand() -> None:
    task = task_of("mnist1")
    logits, model = drawn_logits(task, 2), model_of(task)
    prepared = model.prepare(examples_of(task, [{"Even(a)": True, "Prime(a)": True}, {"Odd(a)": True}]))
    found = model.log_probabilities(prepared, prepared.weight_map.head.sides(logits), prepared.mask)
    shares = logits[:, 0].softmax(-1)
    assert found.exp().tolist() == pytest.approx([float(shares[0, 2]), float(shares[1, 1::2].sum())])


def test_a_recipe_is_not_made_up() -> None:
    program = answer_set_program(task_of("pizzaA"))
    free = {program.theory.atoms[position].predicate for position in program.coins}
    assert {"Mushroom", "Cajun", "Capricciosa", "FourSeasons"} <= free


def test_too_many_choices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_sets, "MOST_CHOICES", 5)
    task = task_of("mnist1")
    layer = model_of(task).binding(task).layer
    with pytest.raises(MooseError, match=r"more than 5 choices.*deepproblog"):
        list_choices(layer, latent_atoms(layer, task), torch.zeros(layer.atom_count, dtype=torch.int8))
