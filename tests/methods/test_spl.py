"""The semantic probabilistic layer against plain enumeration of worlds; its predictions are always consistent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor, nn

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method
from moose.methods.spl import Spl
from tests.grounding.tasks import ontology_of
from tests.learning.test_conditional import evidence_of, wear, worlds
from tests.learning.toys import task_of, toy_encoder, toy_examples
from tests.searching import examples as searches

SIZE = 5
NAMES = [f"C{number}" for number in range(SIZE)]
World = tuple[bool, ...]


class Drawn(NamedTuple):
    """Classes with some inclusions and disjointnesses, what a network says of them, and labels that some world has."""

    inclusions: list[tuple[int, int]]
    disjoint: list[tuple[int, int]]
    latent: int
    logits: list[list[float]]
    worlds: list[World]
    shown: list[list[bool]]


def is_world(world: World, inclusions: Iterable[tuple[int, int]], disjoint: Iterable[tuple[int, int]]) -> bool:
    return all(world[more] or not world[less] for less, more in inclusions) and not any(
        world[one] and world[other] for one, other in disjoint
    )


@st.composite
def hierarchies(draw: st.DrawFn) -> Drawn:
    pairs = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)).filter(lambda pair: pair[0] != pair[1])
    inclusions, disjoint = draw(st.lists(pairs, max_size=5)), draw(st.lists(pairs, max_size=3))
    models = [one for one in product((False, True), repeat=SIZE) if is_world(one, inclusions, disjoint)]
    count = draw(st.integers(1, 3))
    rows = st.lists(st.floats(-6, 6), min_size=SIZE, max_size=SIZE)
    shown = st.lists(st.booleans(), min_size=SIZE, max_size=SIZE) | st.just([True] * SIZE)
    return Drawn(
        inclusions,
        disjoint,
        draw(st.integers(0, SIZE)),
        draw(st.lists(rows, min_size=count, max_size=count)),
        draw(st.lists(st.sampled_from(models), min_size=count, max_size=count)),
        draw(st.lists(shown, min_size=count, max_size=count)),
    )


def task_drawn(drawn: Drawn) -> Task:
    axioms = [f"Declaration(Class(:{name}))" for name in NAMES]
    axioms += [f"SubClassOf(:{NAMES[less]} :{NAMES[more]})" for less, more in drawn.inclusions]
    axioms += [f"DisjointClasses(:{NAMES[one]} :{NAMES[other]})" for one, other in drawn.disjoint]
    with TemporaryDirectory() as folder:
        ontology = ontology_of(Path(folder), "\n".join(axioms))
    return Task(ontology, ["a"], observed=NAMES[drawn.latent :], latent=NAMES[: drawn.latent])


class Says(nn.Module):
    """A network that gives its inputs as logits."""

    def forward(self, inputs: Tensor) -> Tensor:
        return inputs.flatten(1)


def predictor_of(task: Task, **options: bool) -> Predictor:
    perception = Perception(None, make=lambda _outputs, _seed: Says())
    method = Spl(**options)
    return Predictor(method, method.model(task, perception, seed=0), perception)


def labelled(task: Task, logits: list[list[float]], labels: Tensor) -> Examples:
    """Return examples of one individual whose inputs are what the network will say."""
    inputs = torch.tensor(logits).reshape(len(logits), 1, -1)
    return Examples(task, inputs, labels, torch.zeros_like(labels), allow_latent=True)


def share(world: Iterable[bool], logits: Iterable[float]) -> float:
    """Weigh a world by sigmoids."""
    return math.prod(1 / (1 + math.exp(-one if holds else one)) for holds, one in zip(world, logits, strict=True))


@searches(40)
@given(hierarchies())
def test_loss_marginals_and_worlds_are_those_of_all_worlds(drawn: Drawn) -> None:
    task = task_drawn(drawn)
    predictor = predictor_of(task)
    models = [one for one in product((False, True), repeat=SIZE) if is_world(one, drawn.inclusions, drawn.disjoint)]
    signs = [
        [(1 if holds else -1) * seen for holds, seen in zip(world, shown)]
        for world, shown in zip(drawn.worlds, drawn.shown)
    ]
    known = labelled(task, drawn.logits, torch.tensor(signs, dtype=torch.int8)[:, None])
    losses = []
    given, without = predictor.predict(known), predictor.predict(known, evidence=False)
    for row, (logits, own) in enumerate(zip(drawn.logits, signs)):
        agreeing = [
            world for world in models if all(sign == 0 or holds == (sign > 0) for holds, sign in zip(world, own))
        ]
        whole, part = (sum(share(world, logits) for world in some) for some in (models, agreeing))
        losses.append(-math.log(part / whole))
        for prediction, some, total in ((given, agreeing, part), (without, models, whole)):
            assert prediction.worlds is not None
            marginals = [sum(share(world, logits) for world in some if world[one]) / total for one in range(SIZE)]
            assert prediction.posteriors[row, 0] == pytest.approx(marginals, abs=1e-5)
            chosen = tuple((prediction.worlds[row, 0] > 0).tolist())
            assert chosen in some
            assert share(chosen, logits) == pytest.approx(max(share(world, logits) for world in some), rel=1e-5)
    assert float(predictor.loss(known)) == pytest.approx(sum(losses) / len(losses), abs=1e-4)


def test_families_are_closed_unless_that_is_left_out() -> None:
    task = wear()
    names = [concept.name for concept in task.concepts]
    logits = torch.randn(1, len(names), generator=torch.Generator().manual_seed(4)).tolist()
    labels = evidence_of(task, {"Boot(a)": 1, "Rubber(a)": 1})
    known = labelled(task, logits, labels)
    for closure, models in ((True, worlds(task)), (False, worlds(wear(closure=())))):
        weights = [(world, share([world[f"{name}(a)"] for name in names], logits[0])) for world in models]
        part = sum(weight for world, weight in weights if world["Boot(a)"] and world["Rubber(a)"])
        expected = -math.log(part / sum(weight for _, weight in weights))
        assert float(predictor_of(task, closure=closure).loss(known)) == pytest.approx(expected, abs=1e-5)


def test_known_roles_are_evidence_and_no_part_of_the_theory() -> None:
    task = wear(["a", "b"], roles={"beside": [("a", "b")]})
    names = [concept.name for concept in task.concepts]
    logits = torch.randn(2, len(names), generator=torch.Generator().manual_seed(5))
    labels = evidence_of(task, {"Bag(b)": 1, "Footwear(a)": 1})
    known = Examples(task, logits[None], labels, torch.zeros_like(labels), allow_latent=True)

    def weigh(world: dict[str, bool], who: str, row: int) -> float:
        return share([world[f"{name}({who})"] for name in names], logits[row].tolist())

    part = sum(
        weigh(world, "a", 0) * weigh(world, "b", 1)
        for world in worlds(task)
        if world["Bag(b)"] and world["Footwear(a)"]
    )
    whole = math.prod(sum(weigh(world, "a", row) for world in worlds(wear())) for row in (0, 1))
    assert float(predictor_of(task).loss(known)) == pytest.approx(-math.log(part / whole), abs=1e-5)
    found = predictor_of(task).predict(known)
    assert found.worlds is not None and found.posteriors[0, 0, names.index("Warm")] == pytest.approx(1.0)
    assert found.worlds[0, 0, names.index("Warm")] == 1  # who is beside a bag is warm


def test_complete_labels_are_learnt_and_predictions_are_consistent() -> None:
    examples = toy_examples("mnist2", 64)
    train = Examples(examples.task, examples.inputs, examples.truth, examples.truth, allow_latent=True)
    perception = Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))
    training = Training(epochs=12, batch_size=16, learning_rate=0.02)
    predictor = make_method("spl").fit(task_of("mnist2"), train, training=training, perception=perception)
    scores = predictor.evaluate(train)
    assert scores.without_evidence.scores.acc_f == 1.0 and scores.observed.acc_y == 1.0
    unlike = Examples(  # inputs that are no digits, of which anything may be said, but nothing impossible
        examples.task, 5 * torch.rand_like(examples.inputs), torch.zeros_like(examples.truth), examples.truth
    )
    found = predictor.predict(unlike)
    assert found.worlds is not None
    binding = predictor.model.weight_map(unlike.task).binding
    weights, mask = torch.zeros(1, binding.layer.literal_count), binding.evidence_mask(torch.from_numpy(found.worlds))
    logs = binding.layer(weights, mask)
    assert bool(logs.isfinite().all())


def test_all_concepts_may_be_observed() -> None:
    task = task_drawn(Drawn([(0, 1), (1, 2)], [], 0, [], [], []))
    labels = torch.tensor([[[1, 1, 1, -1, 1]], [[-1, -1, 1, 1, -1]]], dtype=torch.int8)
    known = Examples(task, torch.eye(2)[:, None], labels, labels)
    perception = Perception((2,), make=lambda outputs, _seed: nn.Linear(2, outputs))
    training = Training(epochs=60, learning_rate=0.1)
    predictor = make_method("spl").fit(task, known, training=training, perception=perception)
    found = predictor.predict(known, evidence=False)
    assert found.worlds is not None and np.array_equal(found.worlds, labels.numpy())
    assert predictor.evaluate(known).observed.acc_y == 1.0
    with pytest.raises(MooseError, match="no latent concept"):
        make_method("moose").fit(task, known, training=training, perception=perception)


def test_labels_that_contradict_the_theory_are_named() -> None:
    task = task_drawn(Drawn([(0, 1)], [], SIZE, [], [], []))
    labels = torch.tensor([[[1, -1, 0, 0, 0]]], dtype=torch.int8)
    with pytest.raises(ContradictoryEvidence, match="example 0"):
        predictor_of(task).loss(labelled(task, [[0.0] * SIZE], labels))


@pytest.mark.parametrize(("options", "message"), [({"closure": "yes"}, "closure"), ({"head": "softmax"}, "option")])
def test_bad_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        make_method("spl", **options)


def test_hundreds_of_classes() -> None:
    """A hierarchy in which some classes have two parents; every class is a variable of one individual."""
    numbers, count = np.random.default_rng(0), 300
    above = [sorted({int(numbers.integers(one)) for _ in range(1 + (one % 9 == 0))}) for one in range(1, count)]
    axioms = [f"SubClassOf(:K{low} :K{high})" for low, highs in enumerate(above, start=1) for high in highs]
    with TemporaryDirectory() as folder:
        ontology = ontology_of(Path(folder), "\n".join(axioms))
    task = Task(ontology, ["a"], observed=[f"K{one}" for one in range(count)], latent=[])
    labels = np.full((24, 1, count), -1, np.int8)
    for row, leaf in enumerate(numbers.integers(1, count, 24).tolist()):
        waiting = [leaf]
        while waiting:
            labels[row, 0, one := waiting.pop()] = 1
            waiting += above[one - 1] if one else []
    hidden = np.where(numbers.random(labels.shape) < 0.5, 0, labels)
    train = Examples(
        task,
        torch.from_numpy(numbers.normal(size=(24, 1, 30))).float(),
        torch.from_numpy(hidden),
        torch.from_numpy(labels),
    )
    predictor = make_method("spl").fit(task, train, training=Training(epochs=3, batch_size=8, learning_rate=0.01))
    assert predictor.history[-1].loss < predictor.history[0].loss
    found = predictor.predict(train, evidence=False)
    assert found.worlds is not None and len(above) == count - 1
    holds = found.worlds[:, 0] > 0
    for low, highs in enumerate(above, start=1):
        assert (holds[:, highs] | ~holds[:, [low]]).all()
        assert (found.posteriors[:, 0, highs] >= found.posteriors[:, 0, [low]] - 1e-5).all()
