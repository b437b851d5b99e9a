"""The losses of readings are those of enumeration, and verdicts follow from them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Literal

import numpy as np
import pytest
import torch
from _pytest.mark import ParameterSet
from hypothesis import given
from hypothesis import strategies as st

import moose
from bench.verdicts import TASKS, Built, draw_things, is_right, run, task_of
from moose.base.errors import LimitReached, MooseError
from moose.circuit.limits import Limits
from moose.grounding.atoms import Atom
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from moose.learning.encoders import mlp_encoder
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.open_weights import OpenWeights
from moose.methods.base.perception import Perception
from moose.methods.concept_learner import ConceptLearner
from moose.methods.ours.moose import MooseModel
from moose.methods.registry import make_method
from moose.shortcuts.count.find_shortcuts import Effort
from moose.shortcuts.count.shortcuts import Shortcuts
from moose.shortcuts.model.examples import find_in_examples
from moose.shortcuts.model.follow import follow
from moose.training.diagnosis.diagnose import (
    EVIDENCE,
    LEARNT,
    OBJECTIVE,
    OPTIMISATION,
    VERDICTS,
    Compared,
    judge,
    preference,
)
from moose.training.diagnosis.ideal_network import IdealLosses, Reading
from moose.training.diagnosis.readings import ReadingLoss, likeliest_tables, truth_of, wrong_readings
from moose.training.diagnosis.states_shown import lay_out, seen_by, with_known_truth
from tests.learning.shelves import FEATURES as SHELF_FEATURES
from tests.learning.shelves import no_roles, plain_shelves, shelf_encoder
from tests.learning.test_many_graphs import drawn
from tests.learning.toys import toy_encoder
from tests.searching import examples as times
from tests.shortcuts import plain

MEMBERS, OBSERVED = ("A", "B", "C"), ("P", "Q")
AXIOMS = "SubClassOf(:A :P) DisjointClasses(:B :P) SubClassOf(:B :Q)"
BUILT = Built("", AXIOMS, MEMBERS, OBSERVED)


def closed_task(*, is_family: bool = True) -> Task:
    return task_of(replace(BUILT, is_family=is_family))


def is_allowed(state: frozenset[str], observed: dict[str, bool], *, is_family: bool) -> bool:
    """The theory of AXIOMS, and of one and only one member with its whole profile, by hand."""
    if ("A" in state and not observed["P"]) or ("B" in state and (observed["P"] or not observed["Q"])):
        return False
    if not is_family:
        return True
    return len(state) == 1


def likelihood(state: frozenset[str], seen: dict[str, bool], *, is_family: bool, is_paper: bool) -> float:
    """The share of the worlds of a state in which evidence holds; the paper's is of all values of what is not seen."""
    worlds = [dict(zip(OBSERVED, values)) for values in product([True, False], repeat=len(OBSERVED))]
    own = [one for one in worlds if is_allowed(state, one, is_family=is_family)]
    good = sum(all(one[name] == holds for name, holds in seen.items()) for one in own)
    return good / 2 ** (len(OBSERVED) - len(seen)) if is_paper else good / len(own)


def examples_of(task: Task, rows: list[tuple[frozenset[str], dict[str, bool]]]) -> Examples:
    names = [concept.name for concept in task.concepts]
    evidence, truth = np.zeros((2, len(rows), 1, len(names)), np.int8)
    for row, (state, seen) in enumerate(rows):
        for member in MEMBERS:
            truth[row, 0, names.index(member)] = 1 if member in state else -1
        for name, holds in seen.items():
            evidence[row, 0, names.index(name)] = 1 if holds else -1
    return Examples(task, torch.zeros(len(rows), 1, 2), torch.from_numpy(evidence), torch.from_numpy(truth))


def model_of(task: Task, objective: str, head: str, open_weights: str = "half") -> MooseModel:
    method = make_method("moose", head=head, objective=objective, open_weights=open_weights)
    perception = Perception((2,), make=lambda outputs, _: torch.nn.Linear(2, outputs))
    model = method.model(task, perception, seed=0)
    assert isinstance(model, MooseModel)
    return model


def losses_of(model: MooseModel, examples: Examples) -> tuple[Shortcuts, IdealLosses]:
    found = find_in_examples(seen_by(model, [examples]))
    odds = model.network.open_weights
    if odds is not None:
        odds = OpenWeights(len(model.task.concepts)).double()
        odds.look_at([examples.evidence])
    return found, IdealLosses(found.problem, lay_out(model, [examples], found.problem), model.head, odds)


states = {
    True: [frozenset([name]) for name in MEMBERS],
    False: [frozenset(some) for some in ((), ("A",), ("B",), ("C",), ("A", "C"), ("B", "C"))],
}


@times(40)
@given(st.data(), st.sampled_from(["conditional", "paper"]), st.sampled_from([("softmax", True), ("sigmoid", False)]))
def test_the_loss_of_a_reading_is_that_of_enumeration(
    drawn: st.DataObject, objective: str, kind: tuple[Literal["softmax", "sigmoid"], bool]
) -> None:
    head, is_family = kind
    task = closed_task(is_family=is_family)
    if is_family:
        task = replace(task, closure=("mutex", "cover"))
    rows: list[tuple[frozenset[str], dict[str, bool]]] = []
    for _ in range(drawn.draw(st.integers(1, 6))):
        state = drawn.draw(st.sampled_from(states[is_family]))
        worlds = [dict(zip(OBSERVED, values)) for values in product([True, False], repeat=2)]
        world = drawn.draw(st.sampled_from([one for one in worlds if is_allowed(state, one, is_family=is_family)]))
        shown = drawn.draw(st.sets(st.sampled_from(OBSERVED)))
        rows.append((state, {name: world[name] for name in shown}))
    model = model_of(task, objective, head)
    found, losses = losses_of(model, examples_of(task, rows))
    for one in [truth_of(found), *wrong_readings(found, losses, None, 50)]:
        read = {place[1]: state for place, state in one.table.items()}
        chances = [
            likelihood(read[state], seen, is_family=is_family, is_paper=objective == "paper") for state, seen in rows
        ]
        expected = sum(-math.log(chance) for chance in chances) / len(rows)
        assert losses.loss(losses.certain(one)) == pytest.approx(expected, abs=1e-6)


def test_learnt_odds_are_the_rates_of_what_a_member_leaves_open() -> None:
    task = replace(closed_task(), closure=("mutex", "cover"))
    c = frozenset("C")
    rows = [(c, {"P": number < 3}) for number in range(10)] + [(frozenset("A"), {"P": True})] * 10
    model = model_of(task, "conditional", "softmax", "learnt")
    found, losses = losses_of(model, examples_of(task, rows))
    network = losses.certain(truth_of(found))
    assert losses.loss(network) == pytest.approx(0.5 * math.log(2))
    entropy = -0.3 * math.log(0.3) - 0.7 * math.log(0.7)
    assert losses.best_odds(network) == pytest.approx(0.5 * entropy, abs=1e-5)


def test_where_individuals_are_apart_the_likeliest_readings_are_found() -> None:
    task = replace(closed_task(), closure=("mutex", "cover"))
    rows: list[tuple[frozenset[str], dict[str, bool]]] = [(frozenset(name), {}) for name in MEMBERS]
    rows.append((frozenset("C"), {"Q": True}))
    model = model_of(task, "paper", "softmax")
    found, losses = losses_of(model, examples_of(task, rows))
    assert found.maps == 27
    every = wrong_readings(found, losses, None, 26)
    costs = sorted(losses.loss(losses.certain(one)) for one in every)
    guessed = [losses.loss(losses.certain(Reading(one, {}))) for one in likeliest_tables(found, losses, None, 5)]
    assert len(every) == 26 and guessed == pytest.approx(costs[: len(guessed)])
    assert len(wrong_readings(found, losses, None, 8)) == 8


def one_of_each_cause() -> Iterator[ParameterSet]:
    """Yield the tasks, of those with the same cause all but the first as slow ones."""
    causes = set[str]()
    for name, built in TASKS.items():
        yield pytest.param(name, marks=pytest.mark.slow if built.cause in causes else ())
        causes.add(built.cause)


@pytest.mark.parametrize("name", list(one_of_each_cause()))
def test_the_cause_is_found_on_tasks_where_it_is_known(name: str) -> None:
    assert is_right(TASKS[name], run(TASKS[name], seed=0))


def test_two_tasks_of_each_cause() -> None:
    causes = [built.cause for built in TASKS.values()]
    assert len(causes) == 10 and all(causes.count(cause) == 2 for cause in causes)


def test_a_truth_that_is_not_known_and_another_objective_are_refused() -> None:
    built = TASKS["enough evidence"]
    task = task_of(built)
    train = draw_things(built, task, np.random.default_rng(0), np.zeros((10, 8)))[:8]
    perception = Perception((8,), make=lambda outputs, seed: mlp_encoder(8, outputs, hidden=(), seed=seed))
    fitted = make_method("moose").fit(task, train, training=Training(epochs=1), perception=perception)
    blind = replace(train, truth=torch.zeros_like(train.truth))
    with pytest.raises(MooseError, match="known in no example"):
        moose.diagnose(fitted, blind)
    half = replace(train, truth=torch.where(torch.arange(8)[:, None, None] < 4, train.truth, 0))
    assert moose.diagnose(fitted, half).left_out == 4
    for method in ("independent", "spl"):
        other = make_method(method).fit(task, train, training=Training(epochs=1), perception=perception)
        with pytest.raises(MooseError, match="minimises something else"):
            moose.diagnose(other, train)


def test_what_is_given_beforehand_costs_nothing() -> None:
    task = replace(closed_task(), closure=("mutex", "cover"))
    rows = examples_of(task, [(frozenset("C"), {"P": True, "Q": False})])
    for names, expected in (((), math.log(4)), (("P",), math.log(2))):
        model = model_of(task, "conditional", "softmax")
        found, losses = losses_of(model, replace(rows, given=names))
        assert losses.loss(losses.certain(truth_of(found))) == pytest.approx(expected, abs=1e-6)


def worlds_as_examples(task: Task, worlds: list[dict[Atom, bool]]) -> Examples:
    """Return worlds as examples, of which it is seen whether the first box is heavy."""
    people, names = list(task.individuals), [concept.name for concept in task.concepts]
    truth = torch.full((len(worlds), len(people), len(names)), -1, dtype=torch.int8)
    pairs = -torch.ones_like(no_roles(task, len(worlds)))
    roles = [role.name for role in task.role_predicates]
    for row, world in enumerate(worlds):
        for atom in (atom for atom, holds in world.items() if holds):
            places = [people.index(name) for name in atom.arguments]
            if len(places) == 1:
                truth[row, places[0], names.index(atom.predicate)] = 1
            else:
                pairs[row, roles.index(atom.predicate), *places] = 1
    evidence = torch.zeros_like(truth)
    evidence[:, 0, names.index("Heavy")] = truth[:, 0, names.index("Heavy")]
    known = [roles.index(name) for name in task.edges]
    pairs[:, known] = 0
    inputs = torch.rand(len(worlds), len(people), 1, 1, SHELF_FEATURES, generator=torch.Generator().manual_seed(0))
    return Examples(task, inputs, evidence, truth, role_truth=pairs)


def test_readings_of_roles_have_the_loss_of_enumeration() -> None:
    task = plain_shelves()
    every = plain.models(ground(task))
    rows = worlds_as_examples(task, every[:: max(1, len(every) // 12)])
    learner = ConceptLearner(task, shelf_encoder(), features=SHELF_FEATURES, objective="paper", open_weights="half")
    model = learner.predictor.model
    groups, _ = with_known_truth(model, [rows])
    found = find_in_examples(seen_by(model, groups))
    losses = IdealLosses(found.problem, lay_out(model, groups, found.problem), model.head, None)
    latent = [atom for atom in every[0] if atom.predicate != "Heavy"]
    total = 0.0
    for world in every[:: max(1, len(every) // 12)]:
        alike = [one for one in every if all(one[atom] == world[atom] for atom in latent)]
        heavy = Atom("Heavy", ("a",))
        total -= math.log(sum(one[heavy] == world[heavy] for one in alike) / 2)  # Heavy(b) weighs one half
    assert losses.loss(losses.certain(truth_of(found))) == pytest.approx(total / len(rows), abs=1e-6)
    learner.fit(rows, Training(epochs=1))
    diagnosis = moose.diagnose(learner, rows, most=5)
    assert diagnosis.verdict in VERDICTS and not diagnosis.is_complete
    assert diagnosis.truth == pytest.approx(total / len(rows), abs=1e-6)


def test_examples_with_graphs_of_their_own_are_diagnosed() -> None:
    rows = drawn(random.Random(0), 40)
    model = ConceptLearner(rows.task, toy_encoder(seed=1)).fit(rows, Training(epochs=1))
    found = moose.diagnose(model, rows)
    assert found.truth == pytest.approx(0.0, abs=1e-6), "every digit decides what is observed"
    assert found.model > 0.1 and found.verdict in VERDICTS
    assert found.as_dict()["verdict"] == found.verdict and found.text.startswith(found.verdict)
    assert "by the network alone, the model reads" in found.text
    with_theory = model.predict(rows, evidence=False).posteriors
    assert found.off_truth == pytest.approx(
        follow(found.followed.shortcuts, rows.task, with_theory, rows.truth.numpy()).off_truth
    )


def test_what_would_take_too_long_is_refused() -> None:
    rows = drawn(random.Random(0), 20)
    model = ConceptLearner(rows.task, toy_encoder(seed=1)).fit(rows, Training(epochs=1))
    with pytest.raises(LimitReached, match="raise the limit"):
        moose.diagnose(model, rows, effort=Effort(Limits(seconds=1e-3)))


def compared(truth: float, own: ReadingLoss, unsure: float, *readings: ReadingLoss) -> Compared:
    return Compared(truth, own, unsure, readings, None, 0.0)


WRONG = ReadingLoss("A→B", 1.0, 0.5)


@pytest.mark.parametrize(
    ("losses", "verdict", "preferred"),
    [
        (compared(1.0, WRONG, 1.2), EVIDENCE, None),
        (compared(1.0, replace(WRONG, loss=1.004), 1.2), EVIDENCE, None),
        (compared(1.0, replace(WRONG, loss=1.1), 1.2), OPTIMISATION, None),
        (compared(1.0, replace(WRONG, loss=math.inf), 0.9), OBJECTIVE, 0.9),
        (compared(1.0, replace(WRONG, loss=0.8), 1.2), OBJECTIVE, 0.8),
        (compared(1.0, replace(WRONG, loss=1.1), 1.2, ReadingLoss("A→C", 0.7, 0.5)), OBJECTIVE, 0.7),
        (compared(1.0, replace(WRONG, loss=1.1), 1.2, ReadingLoss("A→C", 0.997, 0.5)), OPTIMISATION, None),
    ],
)
def test_the_verdict_follows_from_the_losses(losses: Compared, verdict: str, preferred: float | None) -> None:
    task, shown = moose.regime("mnist1"), moose.find_shortcuts(moose.regime("mnist1"))
    truth = np.where(np.arange(14) == np.arange(10)[:, None], 1, -1).astype(np.int8)[:, None]
    wrong = follow(shown, task, (truth[[0, 1, 2, 5, 4, 3, 6, 7, 8, 9]] > 0) * 0.9, truth)
    said, best = judge(losses, wrong, is_right=True, tolerance=0.01)
    assert said == verdict and (None if best is None else best.loss) == preferred
    assert preference(losses, wrong, 0.01) == best
    right = follow(shown, task, (truth > 0) * 0.9, truth)
    assert judge(losses, right, is_right=True, tolerance=0.01)[0] == LEARNT
