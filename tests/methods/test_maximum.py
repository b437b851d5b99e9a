"""The maximum over subclasses against the dense formulas of its paper; labels that the theory completes."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import Tensor, nn

from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.learning.labels.complete_labels import complete_examples
from moose.learning.loss.objective import Prepared
from moose.methods.base.perception import Perception
from moose.methods.maximum.descendants import descendants
from moose.methods.maximum.max_constraint import MaximumModel
from moose.methods.registry import make_method
from moose.owl.ontology import Ontology
from tests.grounding.tasks import ontology_of as read_axioms
from tests.searching import examples as searches

SIZE = 6
NAMES = [f"C{number}" for number in range(SIZE)]
World = tuple[bool, ...]


def ontology_of(*axioms: str) -> Ontology:
    with TemporaryDirectory() as folder:
        return read_axioms(Path(folder), "\n".join(axioms))


class Drawn(NamedTuple):
    """Classes with some inclusions and disjointnesses, worlds that these allow, and which labels are shown."""

    inclusions: list[tuple[int, int]]
    disjoint: list[tuple[int, int]]
    logits: list[list[float]]
    worlds: list[World]
    shown: list[list[bool]]


def models_of(inclusions: Iterable[tuple[int, int]], disjoint: Iterable[tuple[int, int]]) -> list[World]:
    told, apart = list(inclusions), list(disjoint)
    return [
        world
        for world in product((False, True), repeat=SIZE)
        if all(world[more] or not world[less] for less, more in told)
        and not any(world[one] and world[other] for one, other in apart)
    ]


@st.composite
def hierarchies(draw: st.DrawFn) -> Drawn:
    pairs = st.tuples(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1)).filter(lambda pair: pair[0] != pair[1])
    inclusions, disjoint = draw(st.lists(pairs, max_size=8)), draw(st.lists(pairs, max_size=2))
    models = models_of(inclusions, disjoint)
    assume(all(any(world[one] for world in models) for one in range(SIZE)))
    count = draw(st.integers(1, 3))
    steps = st.integers(-60, 60).map(lambda step: step / 10)  # equals would share a slope, or not
    rows = st.lists(steps, min_size=SIZE, max_size=SIZE, unique=True)
    flags = st.lists(st.booleans(), min_size=SIZE, max_size=SIZE)
    return Drawn(
        inclusions,
        disjoint,
        draw(st.lists(rows, min_size=count, max_size=count)),
        draw(st.lists(st.sampled_from(models), min_size=count, max_size=count)),
        draw(st.lists(flags, min_size=count, max_size=count)),
    )


def task_of(drawn: Drawn) -> Task:
    axioms = [f"SubClassOf(:C{less} :C{more})" for less, more in drawn.inclusions]
    axioms += [f"DisjointClasses(:C{one} :C{other})" for one, other in drawn.disjoint]
    axioms += [f"Declaration(Class(:{name}))" for name in NAMES]
    return Task(ontology_of(*axioms), ["a"], [], NAMES)


def examples_of(drawn: Drawn, task: Task) -> Examples:
    truth = torch.tensor([[[1 if one else -1 for one in world]] for world in drawn.worlds], dtype=torch.int8)
    shown = torch.tensor(drawn.shown).unsqueeze(1)
    evidence = torch.where(shown, truth, 0).to(torch.int8)
    return Examples(task, torch.zeros(len(truth), 1, 3), evidence, truth, allow_latent=True)


def is_below(drawn: Drawn) -> Tensor:
    """A ⊑ B at [B, A], by enumeration of worlds."""
    worlds = models_of(drawn.inclusions, drawn.disjoint)
    rows = [[all(world[more] or not world[less] for world in worlds) for less in range(SIZE)] for more in range(SIZE)]
    return torch.tensor(rows)


def dense_maximum(values: Tensor, below: Tensor) -> Tensor:
    """Their formula: max over B of R[A, B] · h_B, of probabilities."""
    return (below.to(values.dtype) * values.unsqueeze(1)).max(2).values


def dense_loss(logits: Tensor, labels: Tensor, below: Tensor) -> Tensor:
    """MCLoss with a mask: y · max of y·h + (1 - y) · max of h in cross-entropy, where a label is known."""
    outputs, holds = logits.sigmoid(), (labels > 0).to(logits.dtype)
    read = holds * dense_maximum(holds * outputs, below) + (1 - holds) * dense_maximum(outputs, below)
    terms = holds * read.log() + (1 - holds) * (-read).log1p()
    return -(terms * (labels != 0)).sum(1).mean()


class Said(nn.Module):
    """Says the same whatever it sees."""

    def __init__(self, logits: Tensor) -> None:
        super().__init__()
        self.logits = nn.Parameter(logits)

    def forward(self, vectors: Tensor) -> Tensor:
        """Return input × concept."""
        return self.logits[: len(vectors)]


def prepared_model(drawn: Drawn, name: str) -> tuple[MaximumModel, Prepared]:
    task = task_of(drawn)
    model = make_method(name).model(task, Perception((3,)), seed=0)
    assert isinstance(model, MaximumModel)
    return model, model.prepare(examples_of(drawn, task))


@given(hierarchies())
@searches(25)
def test_loss_and_slopes_are_those_of_the_dense_formula(drawn: Drawn) -> None:
    model, prepared = prepared_model(drawn, "max-constraint")
    logits = torch.tensor(drawn.logits, dtype=torch.float64)
    said, plain = Said(logits.clone()), logits.clone().requires_grad_()
    found = model.objective(said, prepared, slice(None), 0.0).total
    wanted = dense_loss(plain, prepared.examples.evidence[:, 0], is_below(drawn))
    assert float(found.detach()) == pytest.approx(float(wanted.detach()), rel=1e-9, abs=1e-12)
    found.backward()
    slopes = torch.autograd.grad(wanted, plain)[0]
    assert said.logits.grad is not None
    assert torch.allclose(said.logits.grad, slopes, rtol=1e-7, atol=1e-12)


@given(hierarchies())
@searches(25)
def test_labels_are_all_that_the_worlds_agree_in(drawn: Drawn) -> None:
    task = task_of(drawn)
    completed = complete_examples(examples_of(drawn, task)).evidence[:, 0]
    for row, (world, shown) in enumerate(zip(drawn.worlds, drawn.shown, strict=True)):
        left = [
            other
            for other in models_of(drawn.inclusions, drawn.disjoint)
            if all(not flag or one == two for flag, one, two in zip(shown, world, other, strict=True))
        ]
        for column in range(SIZE):
            agreed = {other[column] for other in left}
            wanted = 0 if len(agreed) == 2 else 1 if agreed == {True} else -1
            assert int(completed[row, column]) == wanted


@given(hierarchies(), st.sampled_from(["max-constraint", "max-propagation"]))
@searches(15)
def test_predictions_never_contradict_the_hierarchy(drawn: Drawn, name: str) -> None:
    model, prepared = prepared_model(drawn, name)
    logits = torch.tensor(drawn.logits, dtype=torch.float64)
    model.network = Said(logits)  # type: ignore[assignment]  # any network with a logit for each concept
    with torch.no_grad():
        answer = model.answer(prepared, slice(0, len(prepared)), use_evidence=False)
    wanted = dense_maximum(logits.sigmoid(), is_below(drawn))
    assert torch.allclose(answer.posteriors[:, 0], wanted, rtol=1e-9)
    assert torch.allclose(answer.network[:, 0], logits.sigmoid(), rtol=1e-9)


def test_entailed_subclasses_count_not_only_told_ones() -> None:
    axioms = [
        "SubClassOf(:C0 ObjectSomeValuesFrom(:r :C5))",
        "SubClassOf(ObjectSomeValuesFrom(:r :C4) :C1)",
        "SubClassOf(:C5 :C4)",
        *(f"Declaration(Class(:{name}))" for name in NAMES),
    ]
    found = descendants(Task(ontology_of(*axioms), ["a"], [], NAMES))
    assert found.members[found.starts[1] : found.starts[2]].tolist() == [0]


def test_a_positive_label_learns_from_positive_subclasses_alone() -> None:
    drawn = Drawn([(1, 0), (2, 0)], [], [[-1.0, 3.0, 1.0, 0, 0, 0]], [(True, False, True, False, False, False)], [])
    full = drawn._replace(shown=[[True] * SIZE])
    model, prepared = prepared_model(full, "max-constraint")
    said = Said(torch.tensor(full.logits))
    model.objective(said, prepared, slice(None), 0.0).total.backward()
    assert said.logits.grad is not None
    assert said.logits.grad[0, 0] == 0  # C2, which holds too, is likelier
    assert said.logits.grad[0, 2] < 0 < said.logits.grad[0, 1]


def test_labels_that_contradict_the_theory_are_refused() -> None:
    drawn = Drawn([(0, 1)], [], [[0.0] * SIZE], [(True,) * SIZE], [[True] * SIZE])
    task = task_of(drawn)
    evidence = torch.zeros(2, 1, SIZE, dtype=torch.int8)
    evidence[1, 0, 0], evidence[1, 0, 1] = 1, -1
    examples = Examples(task, torch.zeros(2, 1, 3), evidence, torch.zeros_like(evidence), allow_latent=True)
    for name in ("max-constraint", "max-propagation"):
        with pytest.raises(ContradictoryEvidence, match=r"example 1 contradicts"):
            make_method(name).fit(task, examples, training=Training(epochs=1))


def test_latent_roles_are_refused() -> None:
    task = Task(ontology_of("SubClassOf(:A ObjectSomeValuesFrom(:r :B))"), ["a", "b"], ["A"], ["B", "r"])
    for name in ("max-constraint", "max-propagation"):
        with pytest.raises(MooseError, match="latent role r"):
            make_method(name).model(task, Perception((3,)), seed=0)


def test_several_individuals_are_read_one_by_one() -> None:
    axioms = ["SubClassOf(:C0 :C1)", *(f"Declaration(Class(:{name}))" for name in NAMES)]
    task = Task(ontology_of(*axioms), ["a", "b"], [], NAMES)
    model = make_method("max-constraint").model(task, Perception((3,)), seed=0)
    assert isinstance(model, MaximumModel)
    values = torch.randn(4, 2, SIZE, generator=torch.Generator().manual_seed(0))
    largest = model.descendants.maximum(values)
    assert torch.equal(largest[..., 1], values[..., :2].max(-1).values)
    assert torch.equal(largest[..., [0, 2, 3, 4, 5]], values[..., [0, 2, 3, 4, 5]])


def test_thousands_of_classes_take_no_square() -> None:
    names = [f"C{number}" for number in range(3000)]
    axioms = [f"SubClassOf(:C{number} :C{(number - 1) // 2})" for number in range(1, len(names))]
    task = Task(ontology_of(*axioms), ["a"], [], names)
    model = make_method("max-constraint").model(task, Perception((2,)), seed=0)
    truth = torch.full((8, 1, len(names)), -1, dtype=torch.int8)
    truth[:, 0, [0, 1, 3]] = 1
    prepared = model.prepare(Examples(task, torch.zeros(8, 1, 2), truth, truth, allow_latent=True))
    assert isinstance(model, MaximumModel) and len(model.descendants.members) < 40_000
    assert np.isfinite(float(model.objective(model.network, prepared, slice(None), 0.0).total.detach()))
