"""Moose with siblings against plain enumeration: worlds are weighed by sigmoids, and by how many siblings hold."""

from __future__ import annotations

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.circuit.compile.settings import compiling
from moose.grounding.ground import ground
from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.labels.sibling_counts import Siblings, add_counts, find_siblings
from moose.learning.open_weights import SPEED, SiblingOdds
from moose.methods.base.method import Predictor
from moose.methods.base.model import Model
from moose.methods.base.perception import Perception
from moose.methods.load_predictor import load_predictor
from moose.methods.ours import moose_siblings
from moose.methods.ours.moose_siblings import MooseSiblings, MooseSiblingsModel
from tests.grounding.tasks import ontology_of
from tests.methods.test_spl import SIZE, Drawn, Says, World, hierarchies, is_world, labelled, share, task_drawn
from tests.searching import examples as searches


def predictor_of(task: Task, odds: list[float] | None = None) -> Predictor:
    perception = Perception(None, make=lambda _outputs, _seed: Says())
    method = MooseSiblings()
    predictor = Predictor(method, method.model(task, perception, seed=0), perception)
    own = odds_of(predictor)
    if odds is not None and own is not None:
        own.scaled.data.copy_(torch.tensor(odds[: len(own.scaled)]) / SPEED)
    return predictor


def odds_of(predictor: Predictor) -> SiblingOdds | None:
    assert isinstance(predictor.model, MooseSiblingsModel)
    odds = predictor.model.network.open_weights
    assert odds is None or isinstance(odds, SiblingOdds)
    return odds


def siblings_in(models: list[World]) -> set[tuple[int, ...]]:
    """Group what can hold by what is just above it, as the worlds have it."""
    can = [one for one in range(SIZE) if any(world[one] for world in models)]
    below = {(one, other) for one in can for other in can if all(world[other] for world in models if world[one])}
    can = [one for one in can if not any((one, other) in below and (other, one) in below for other in range(one))]
    strict = {(one, other) for one, other in below if one in can and other in can and one != other}
    direct = {pair for pair in strict if not any((pair[0], by) in strict and (by, pair[1]) in strict for by in can)}
    groups = [tuple(one for one in can if (one, parent) in direct) for parent in can]
    groups.append(tuple(one for one in can if not any(pair[0] == one for pair in direct)))
    return {group for group in groups if len(group) > 1}


@searches(60)
@given(hierarchies(), st.lists(st.floats(-4, 4), min_size=2 * (SIZE + 1), max_size=2 * (SIZE + 1)))
def test_likelihood_and_posteriors_are_those_of_all_worlds(drawn: Drawn, odds: list[float]) -> None:
    task = task_drawn(drawn._replace(latent=SIZE))
    models = [one for one in product((False, True), repeat=SIZE) if is_world(one, drawn.inclusions, drawn.disjoint)]
    can = {one for one in range(SIZE) if any(world[one] for world in models)}
    groups = find_siblings(task).every
    assert {found for group in groups if len(found := tuple(one for one in group if one in can)) > 1} == siblings_in(
        models
    )
    predictor = predictor_of(task, odds)

    def weight(world: World, logits: list[float]) -> float:
        counts = [sum(world[one] for one in group) for group in groups if sum(one in can for one in group) > 1]
        numbers = [number for number, group in enumerate(groups) if sum(one in can for one in group) > 1]
        extra = sum(
            odds[2 * number] * (count > 0) + odds[2 * number + 1] * (count > 1)
            for number, count in zip(numbers, counts, strict=True)
        )
        return share(world, logits) * math.exp(extra)

    signs = [
        [(1 if holds else -1) * seen for holds, seen in zip(world, shown)]
        for world, shown in zip(drawn.worlds, drawn.shown)
    ]
    known = labelled(task, drawn.logits, torch.tensor(signs, dtype=torch.int8)[:, None])
    loss = 0.0
    posteriors = predictor.predict(known, evidence=False)
    for row, (logits, own) in enumerate(zip(drawn.logits, signs)):
        whole = sum(weight(world, logits) for world in models)
        agreeing = [one for one in models if all(not sign or holds == (sign > 0) for holds, sign in zip(one, own))]
        loss -= math.log(sum(weight(world, logits) for world in agreeing) / whole) / len(signs)
        for column in range(SIZE):
            expected = sum(weight(world, logits) for world in models if world[column]) / whole
            assert posteriors.posteriors[row, 0, column] == pytest.approx(expected, abs=1e-5)
        assert posteriors.worlds is not None
        likeliest = tuple(sign > 0 for sign in posteriors.worlds[row, 0].tolist())
        assert weight(likeliest, logits) == pytest.approx(max(weight(world, logits) for world in models), rel=1e-4)
    assert float(predictor.loss(known).detach()) == pytest.approx(loss, abs=1e-4)


def rows_of_one_of_three(tmp_path: Path, *, hidden: float, features: int = 3) -> Examples:
    """Return rows of which each has one of three classes below A, told by a feature, with few labels."""
    axioms = [f"SubClassOf(:{name} :A)" for name in "BCD"]
    task = Task(ontology_of(tmp_path, "\n".join(axioms)), ["a"], observed=[], latent=list("ABCD"))
    generator = np.random.default_rng(0)
    kinds = generator.integers(0, 3, 300)
    truth = -np.ones((300, 1, 4), np.int8)
    truth[:, 0, 0] = 1
    truth[np.arange(300), 0, 1 + kinds] = 1
    evidence = np.where(generator.random(truth.shape) < hidden, 0, truth).astype(np.int8)
    inputs = np.eye(3, dtype=np.float32)[kinds] + generator.normal(0, 0.5, (300, features)).astype(np.float32)
    return Examples(
        task,
        torch.from_numpy(inputs[:, None]),
        torch.from_numpy(evidence),
        torch.from_numpy(truth),
        allow_latent=True,
    )


def test_siblings_that_never_hold_together_become_disjoint(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    training = Training(epochs=2, base_rates=True)
    predictor = moose.make_method("moose-siblings").fit(rows.task, rows, seed=0, training=training)
    odds = odds_of(predictor)
    assert odds is not None
    some, several = odds().tolist()
    assert some > 1.0
    assert several < -2.0


def test_without_odds_it_says_what_moose_says(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    plain, ours = (
        moose.make_method(name).fit(rows.task, rows, seed=0, training=Training(epochs=1))
        for name in ("moose", "moose-siblings")
    )
    ours.model.load_state_dict(plain.model.state_dict(), strict=False)
    odds = odds_of(ours)
    assert odds is not None
    odds.scaled.data.zero_()
    first, second = (one.predict(rows, evidence=False).posteriors for one in (plain, ours))
    np.testing.assert_allclose(first, second, atol=1e-6)


def test_what_is_learnt_is_kept(tmp_path: Path) -> None:
    rows = rows_of_one_of_three(tmp_path, hidden=0.5)
    training = Training(epochs=1, base_rates=True)
    predictor = moose.make_method("moose-siblings").fit(rows.task, rows, seed=0, training=training)
    predictor.save(tmp_path / "model")
    again = load_predictor(tmp_path / "model")
    first, second = (one.predict(rows, evidence=False).posteriors for one in (predictor, again))
    np.testing.assert_array_equal(first, second)


def test_where_tables_would_be_too_large_only_trees_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inclusions = [("C", "A"), ("C", "B"), ("D", "A"), ("E", "A"), ("F", "B")]
    axioms = "\n".join(f"SubClassOf(:{less} :{more})" for less, more in inclusions)
    task = Task(ontology_of(tmp_path, axioms), ["a"], observed=[], latent=list("ABCDEF"))

    def names(groups: tuple[Siblings, ...]) -> list[str]:
        return ["".join(task.concepts[one].name for one in group) for group in groups]

    def groups_of(model: Model) -> tuple[Siblings, ...]:
        assert isinstance(model, MooseSiblingsModel)
        return model.groups

    every, of_trees, *_ = find_siblings(task)
    assert (names(every), names(of_trees)) == (["CDE", "CF", "AB"], ["DE", "AB"])
    assert groups_of(predictor_of(task).model) == every
    with compiling(vtree="structure"):  # how it is compiled does not matter
        assert groups_of(predictor_of(task).model) == every
    monkeypatch.setattr(moose_siblings, "MOST_ROWS", 20)
    assert groups_of(predictor_of(task).model) == of_trees


def test_members_that_a_kind_lacks_are_not_counted(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:B :A) SubClassOf(:C :A) SubClassOf(:D :A)")
    kinds = {"first": Kind(["x"], latent=["B", "C"]), "second": Kind(["z"], latent=["D"])}
    task = Task(ontology, ["x", "z"], observed=[], latent=["A"], kinds=kinds)
    predictor = predictor_of(task, [1.3, -0.7])
    logits = torch.tensor([[[0.3, -0.2, 0.9, 0.0], [0.5, 0.0, 0.0, -1.1]]])
    rows = Examples(task, logits, torch.zeros(1, 2, 4, dtype=torch.int8), torch.zeros(1, 2, 4, dtype=torch.int8))
    found = predictor.predict(rows, evidence=False).posteriors[0]
    for individual, members in ((0, "BC"), (1, "D")):
        weights = dict[World, float]()
        for a, *below in product((False, True), repeat=1 + len(members)):
            if a or not any(below):
                own = [float(logits[0, individual, "ABCD".index(name)]) for name in f"A{members}"]
                extra = 1.3 * any(below) - 0.7 * (sum(below) > 1)
                weights[a, *below] = share((a, *below), own) * math.exp(extra)
        for place, name in enumerate(f"A{members}"):
            expected = sum(value for world, value in weights.items() if world[place]) / sum(weights.values())
            assert found[individual, "ABCD".index(name)] == pytest.approx(expected, abs=1e-6)


def test_no_evidence_has_likelihood_one_whoever_is_there(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:B :A) SubClassOf(:C :A) SubClassOf(ObjectSomeValuesFrom(:r :B) :C)")
    task = Task(ontology, ["x", "y"], observed=["r"], latent=list("ABC"))
    predictor = predictor_of(task, [2.0, -3.0])
    logits, nothing = torch.zeros(2, 2, 3), torch.zeros(2, 2, 3, dtype=torch.int8)
    rows = Examples(task, logits, nothing, nothing, individuals=[["x", "y"], ["x"]])
    assert float(predictor.loss(rows).detach()) == pytest.approx(0.0, abs=1e-5)


def test_odds_are_told_by_the_class_above(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:B :A) SubClassOf(:C :A) Declaration(Class(:D))")
    predictor = predictor_of(Task(ontology, ["x"], observed=[], latent=list("ABCD")), [1.5, -0.5, 0.25, 0.0])
    assert isinstance(predictor.model, MooseSiblingsModel)
    first, second = predictor.model.learnt_odds()
    assert (first.above, first.members, second.above, second.members) == ("A", ("B", "C"), None, ("A", "D"))
    assert (first.some, first.several, second.some) == pytest.approx((1.5, -0.5, 0.25))
    alone = predictor_of(Task(ontology, ["x"], observed=[], latent=["B"]))
    assert isinstance(alone.model, MooseSiblingsModel) and alone.model.learnt_odds() == ()


def test_of_siblings_that_exclude_each_other_nothing_is_told_of_several(tmp_path: Path) -> None:
    axioms = [f"SubClassOf(:{one} :A)" for one in "BCD"] + [f"SubClassOf(:{one} :E)" for one in "FGH"]
    axioms += ["DisjointClasses(:B :C :D)", "DisjointClasses(:F :G)"]  # F and H can hold together
    task = Task(ontology_of(tmp_path, "\n".join(axioms)), ["x", "y"], observed=[], latent=list("ABCDEFGH"))
    predictor = predictor_of(task, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    assert isinstance(predictor.model, MooseSiblingsModel)
    several = {one.members: one.several for one in predictor.model.learnt_odds()}
    assert several == {("B", "C", "D"): None, ("F", "G", "H"): 4.0, ("A", "E"): 6.0}


def test_what_is_known_of_individuals_does_not_part_siblings(tmp_path: Path) -> None:
    ontology = ontology_of(tmp_path, "SubClassOf(:B :A) SubClassOf(:C :A) SubClassOf(:D :A)")
    task = Task(ontology, ["x", "y"], observed=[], latent=list("ABCD"), facts=["not B(x)", "C(x)"])
    assert find_siblings(task).every == ((1, 2, 3),)


def test_long_families_are_counted_one_by_one(tmp_path: Path) -> None:
    names = [f"C{number:02d}" for number in range(40)]
    axioms = "\n".join(f"SubClassOf(:{name} :A)" for name in names)
    task = Task(ontology_of(tmp_path, axioms), ["a"], observed=[], latent=["A", *names])
    clauses = ground(task)
    longer = add_counts(task, clauses, find_siblings(task).every)
    assert len(longer.atoms) == len(clauses.atoms) + 2 * 39
    assert len(longer) == len(clauses) + 39 * 7 - 1  # `several` of one member has no clause of its own
    predictor = predictor_of(task, [0.0, -40.0])
    rows = labelled(task, [[0.0] * 41], torch.zeros(1, 1, 41, dtype=torch.int8))
    posteriors = predictor.predict(rows, evidence=False).posteriors[0, 0]
    assert posteriors[0] == pytest.approx(41 / 42, abs=1e-6)  # no A; A alone; A with one of 40
    assert posteriors[1:].tolist() == pytest.approx([1 / 42] * 40, abs=1e-6)
