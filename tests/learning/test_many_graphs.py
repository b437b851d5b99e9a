"""Examples with graphs of their own: batched by shape, they come to what each of them comes to alone."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

import moose
from moose.base.errors import ContradictoryEvidence, MooseError
from moose.grounding.task.kinds import Kind
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training, batches
from moose.learning.loss.cover import Cover
from moose.learning.loss.objective import Part, WMCObjective, joint_outcome
from moose.learning.shapes import alone, split_by_shape
from moose.methods.concept_learner import ConceptLearner
from moose.methods.registry import METHODS, make_method
from tests.grounding.tasks import ontology_of
from tests.learning.toys import task_of, toy_encoder
from tests.searching import examples

PEOPLE = ("a", "b", "c", "d")
AXIOMS = """
Declaration(Class(:Zero)) Declaration(Class(:One)) Declaration(Class(:Low)) Declaration(Class(:High))
Declaration(Class(:Bright)) Declaration(ObjectProperty(:of))
SubClassOf(:One :Bright) DisjointClasses(:Zero :Bright)
SubClassOf(ObjectIntersectionOf(:High ObjectSomeValuesFrom(:of :Zero)) owl:Nothing)
SubClassOf(ObjectSomeValuesFrom(:of :One) :High)
"""


def sums(folder: Path) -> Task:
    """Images, and sums of them of which there is nothing to be seen."""
    kinds = {
        "image": Kind(["a", "b", "c"], ["Bright"], ["Zero", "One"], [["Zero", "One"]]),
        "sum": Kind(["s", "t"], ["Low", "High"], families=[["Low", "High"]], has_input=False),
    }
    return Task(ontology_of(folder, AXIOMS), [], [], [], roles={"of": []}, kinds=kinds)


@pytest.fixture(scope="module")
def sum_task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    return sums(tmp_path_factory.mktemp("sums"))


def digits(names: tuple[str, ...] = PEOPLE) -> Task:
    return replace(task_of("mnist2"), individuals=names, roles={"succ": []})


def drawn(source: random.Random, count: int, *, task: Task | None = None) -> Examples:
    """Draw digits on forests: each follows the one that it hangs on; not everybody is always there."""
    task = task or digits()
    columns = [concept.name for concept in task.concepts]
    truth = torch.zeros(count, len(task.individuals), len(columns), dtype=torch.int8)
    pixels = torch.zeros(count, len(task.individuals), 1, 1, 10)
    people, roles = [], []
    for row in range(count):
        present = source.sample(task.individuals, source.randint(1, len(task.individuals)))
        value: dict[str, int] = {}
        pairs = []
        for position, name in enumerate(present):
            above = source.choice(present[:position]) if position and source.random() < 0.7 else None
            value[name] = source.randrange(4) if above is None else value[above] + 1
            pairs += [(above, name)] if above is not None else []
            truth[row, task.individuals.index(name)] = truths(value[name], columns)
            pixels[row, task.individuals.index(name), 0, 0, value[name]] = 0.5 + source.random() / 2
        people.append(present)
        roles.append({"succ": pairs})
    is_observable = torch.tensor([not concept.is_latent for concept in task.concepts])
    generator = torch.Generator().manual_seed(source.randrange(1000))
    is_observed = (torch.rand(truth.shape, generator=generator) < 0.5) & is_observable
    evidence = torch.where(is_observed, truth, 0).to(torch.int8)
    return Examples(task, pixels, evidence, truth, individuals=people, roles=roles)


def truths(digit: int, columns: list[str]) -> Tensor:
    members = {"Even": (0, 2, 4, 6, 8), "Odd": (1, 3, 5, 7, 9), "Prime": (2, 3, 5, 7), "Composite": (4, 6, 8, 9)}
    holds = [digit in members.get(name, ()) or name == f"D{digit}" for name in columns]
    return torch.tensor([1 if one else -1 for one in holds], dtype=torch.int8)


def learner(task: Task, **options: Any) -> ConceptLearner:
    return ConceptLearner(task, toy_encoder(seed=1), **options)


@examples(8)
@given(source=st.randoms(use_true_random=False))
def test_posteriors_and_losses_are_those_of_each_example_alone(source: random.Random) -> None:
    chosen = drawn(source, 6)
    found = learner(chosen.task)
    model = found.predictor.model
    predictions = found.predict(chosen)
    parts = [Part(prepared, torch.arange(len(prepared))) for _, prepared in model.prepare_shapes(chosen)]
    joint = joint_outcome(WMCObjective(), found.network, parts, 0.0)
    losses = []
    for row in range(len(chosen)):
        own = alone(chosen, row)
        one = model.prepare(own)
        losses.append(joint_outcome(WMCObjective(), found.network, [Part(one, torch.arange(1))], 0.0).loss)
        expected = found.predict(own)
        places = [chosen.task.individuals.index(name) for name in own.task.individuals]
        np.testing.assert_allclose(predictions.posteriors[row, places], expected.posteriors[0], atol=1e-6)
        np.testing.assert_allclose(predictions.network[row, places], expected.network[0], atol=1e-6)
        absent = [place for place in range(len(chosen.task.individuals)) if place not in places]
        assert np.isnan(predictions.posteriors[row, absent]).all()
        assert not any(f"({PEOPLE[place]})" in atom for place in absent for atom in predictions.of(row))
    assert joint.loss.item() == pytest.approx(torch.stack(losses).mean().item(), abs=1e-5)
    gradient = torch.autograd.grad(joint.loss, list(found.network.parameters()))
    plain = torch.autograd.grad(torch.stack(losses).mean(), list(found.network.parameters()))
    for joined, apart in zip(gradient, plain, strict=True):
        torch.testing.assert_close(joined, apart, atol=1e-5, rtol=1e-4)


@examples(8)
@given(source=st.randoms(use_true_random=False))
def test_names_make_no_difference(source: random.Random) -> None:
    chosen = drawn(source, 5)
    order = list(range(4))
    source.shuffle(order)
    names = {PEOPLE[old]: PEOPLE[new] for new, old in enumerate(order)}
    assert chosen.individuals is not None and chosen.roles is not None
    renamed = Examples(
        chosen.task,
        chosen.inputs[:, order],
        chosen.evidence[:, order],
        chosen.truth[:, order],
        individuals=[[names[name] for name in people] for people in chosen.individuals],
        roles=[{"succ": [(names[a], names[b]) for a, b in one["succ"]]} for one in chosen.roles],
    )
    found = learner(chosen.task)
    one, other = found.predict(chosen).posteriors, found.predict(renamed).posteriors
    np.testing.assert_allclose(one[:, order], other, atol=1e-6)
    assert len(split_by_shape(chosen)) == len(split_by_shape(renamed))


def test_isomorphic_examples_share_one_circuit() -> None:
    task = digits()
    roles = [{"succ": [("a", "b"), ("b", "c")]}, {"succ": [("d", "a"), ("c", "d")]}, {"succ": [("a", "b"), ("a", "c")]}]
    people = [("a", "b", "c"), ("c", "d", "a"), ("a", "b", "c")]
    empty = torch.zeros(3, 4, 14, dtype=torch.int8)
    chosen = Examples(task, torch.zeros(3, 4, 1, 1, 10), empty, empty, individuals=people, roles=roles)
    groups = split_by_shape(chosen)
    assert [group.rows.tolist() for group in groups] == [[0, 1], [2]]
    assert [[PEOPLE[place] for place in row] for row in groups[0].places.tolist()] in (
        [["a", "b", "c"], ["c", "d", "a"]],
        [["c", "b", "a"], ["a", "d", "c"]],
        [["b", "a", "c"], ["d", "c", "a"]],
        [["b", "c", "a"], ["d", "a", "c"]],
    )
    assert split_by_shape(chosen)[0].examples.task is groups[0].examples.task  # so that it is compiled once


def test_kinds_are_not_exchanged(sum_task: Task) -> None:
    empty = torch.zeros(2, 5, 5, dtype=torch.int8)
    chosen = Examples(
        sum_task,
        torch.zeros(2, 3, 1, 1, 10),
        empty,
        empty,
        individuals=[("a", "s"), ("s", "t")],
        roles=[{"of": [("s", "a")]}, {"of": [("s", "t")]}],
    )
    assert len(split_by_shape(chosen)) == 2


def test_batches_of_a_pool_hold_examples_of_several_groups() -> None:
    drawn_batches = batches([5, 4, 3], 4, torch.Generator().manual_seed(0), [0, 0, 1])
    pooled = [batch for batch in drawn_batches if batch[0][0] != 2]
    assert sum(len(rows) for batch in pooled for _, rows in batch) == 9
    assert max(len(batch) for batch in pooled) == 2
    for group, size in enumerate((5, 4, 3)):
        rows = [row for batch in drawn_batches for one, some in batch if one == group for row in some.tolist()]
        assert sorted(rows) == list(range(size))


@pytest.mark.parametrize("cover", [None, Cover(2, 4)])
def test_digits_are_learnt_from_many_graphs(cover: Cover | None) -> None:
    chosen = drawn(random.Random(1), 240)
    assert len(split_by_shape(chosen)) > 6
    found = learner(chosen.task, cover=cover).fit(chosen, Training(batch_size=32, learning_rate=0.02), epochs=8)
    assert found.history[-1].loss < 0.7 * found.history[0].loss
    evaluation = found.evaluate(chosen)
    known = (chosen.truth[..., :10] > 0).sum().item()
    assert evaluation.network.confusions[0].sum() == known


def test_a_training_goes_on_and_a_model_is_kept(tmp_path: Path) -> None:
    chosen = drawn(random.Random(2), 40)
    whole = learner(chosen.task).fit(chosen, epochs=2, validation=chosen.take(slice(0, 10)))
    learner(chosen.task).fit(chosen, epochs=1, folder=tmp_path / "run", validation=chosen.take(slice(0, 10)))
    again = learner(chosen.task).fit(chosen, epochs=2, folder=tmp_path / "run", validation=chosen.take(slice(0, 10)))
    assert again.history[-1].loss == whole.history[-1].loss
    again.save(tmp_path / "model")
    loaded = ConceptLearner.load(tmp_path / "model", toy_encoder())
    np.testing.assert_allclose(loaded.predict(chosen).posteriors, again.predict(chosen).posteriors)


# ── Kinds ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def seen_sums(task: Task, count: int, *, seed: int = 0) -> Examples:
    """Draw images that are bright or not, and sums of some of them, of which alone something is said."""
    source = random.Random(seed)
    names = [concept.name for concept in task.concepts]
    truth = torch.zeros(count, 5, len(names), dtype=torch.int8)
    inputs = torch.zeros(count, 3, 1, 1, 10)
    roles = []
    for row in range(count):
        ones = [source.random() < 0.5 for _ in range(3)]
        for place, is_one in enumerate(ones):
            inputs[row, place, 0, 0, 7 if is_one else 2] = 1.0
            for name, holds in {"Zero": not is_one, "One": is_one, "Bright": is_one}.items():
                truth[row, place, names.index(name)] = 1 if holds else -1
        pairs = [("s", "a"), ("t", "b")]
        for place, is_high in ((3, ones[0]), (4, ones[1])):
            truth[row, place, names.index("High")] = 1 if is_high else -1
            truth[row, place, names.index("Low")] = -1 if is_high else 1
        roles.append({"of": pairs})
    evidence = truth.clone()
    evidence[:, :3] = 0
    return Examples(task, inputs, evidence, truth, roles=roles)


@pytest.mark.parametrize("method", ["moose", "moose-cover", "semantic-loss", "independent", "ensemble"])
def test_methods_learn_from_kinds_without_inputs(sum_task: Task, method: str) -> None:
    chosen = seen_sums(sum_task, 60)
    options = {"members": 2} if method == "ensemble" else {}
    predictor = make_method(method, **options).fit(
        sum_task,
        chosen,
        training=Training(epochs=4, batch_size=16, learning_rate=0.02),
        perception=moose_perception(),
    )
    predictions = predictor.predict(chosen)
    names = [concept.name for concept in sum_task.concepts]
    assert np.isnan(predictions.network[:, 3:]).all()
    assert np.isnan(predictions.posteriors[:, :3, names.index("Low")]).all()
    assert not np.isnan(predictions.posteriors[:, :3, names.index("One")]).any()
    scores = predictor.evaluate(chosen).given_evidence.scores
    assert scores.f1_macro is not None
    if method in ("moose", "moose-cover", "ensemble"):
        assert scores.acc_f is not None and scores.acc_f > 0.95
        assert predictions.of(0)["High(s)"] in (0.0, 1.0)


@pytest.mark.parametrize("method", list(METHODS))
def test_every_method_takes_many_graphs(method: str) -> None:
    chosen = drawn(random.Random(1), 8, task=digits(("a", "b", "c")))
    training = Training(epochs=1, batch_size=4)
    predictor = make_method(method).fit(chosen.task, chosen, training=training, perception=moose_perception())
    posteriors = predictor.predict(chosen).posteriors
    assert chosen.graphs is not None
    for row, graph in enumerate(chosen.graphs):
        is_there = np.isin(np.arange(3), graph.individuals)
        assert not np.isnan(posteriors[row, is_there]).any() and np.isnan(posteriors[row, ~is_there]).all()


def moose_perception() -> Any:
    from moose.methods.base.perception import Perception

    return Perception(None, make=lambda outputs, seed: toy_encoder(outputs, seed=seed))


def test_a_method_that_knows_no_kinds_says_so(sum_task: Task) -> None:
    with pytest.raises(MooseError, match="kinds that lack concepts or inputs; choose moose"):
        make_method("ltn").fit(sum_task, seen_sums(sum_task, 4), perception=moose_perception())


# ── What is refused ───────────────────────────────────────────────────────────────────────────────────────────────

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "too few": ({"roles": [{}]}, "one entry for each of the 2 examples, but got 1 entries"),
    "no list": ({"roles": {"succ": []}}, "one entry for each of the 2 examples"),
    "no table": ({"roles": [[], []]}, "expected a table from roles"),
    "unknown role": ({"roles": [{"next": []}, {}]}, "'next'"),
    "no pair": ({"roles": [{"succ": ["ab"]}, {}]}, "expected a pair of individuals for succ of example 0"),
    "no list of pairs": ({"roles": [{"succ": "ab"}, {}]}, "expected a list of pairs"),
    "unknown individual": ({"individuals": [["a"], ["z"]]}, "'z'"),
    "nobody": ({"individuals": [["a"], []]}, "at least one"),
    "twice": ({"individuals": [["a"], ["a", "a"]]}, "each individual of example 1 once"),
    "a word": ({"individuals": [["a"], "ab"]}, "expected a list of individuals for example 1"),
    "no name": ({"individuals": [["a"], [["b"]]]}, "an individual of the task in example 1, but got"),
    "no name in a pair": ({"roles": [{"succ": [(["a"], "b")]}, {}]}, "joins ['a'], which is no individual"),
    "a number": ({"individuals": 2}, "one entry for each of the 2 examples, but got 2"),
    "an iterator": ({"roles": iter([{}, {}])}, "one entry for each of the 2 examples, but got <"),
    "absent pair": ({"individuals": [["a"], ["a"]], "roles": [{"succ": [("a", "b")]}, {}]}, "no individual of that"),
    "absent truth": ({"individuals": [["a"], ["b", "c", "d"]]}, "truth of example 1 speaks of D0(a), but a is not in"),
}


@pytest.mark.parametrize(("changes", "expected"), BAD.values(), ids=BAD.keys())
def test_bad_graphs_are_named_in_one_sentence(changes: dict[str, Any], expected: str) -> None:
    truth = torch.zeros(2, 4, 14, dtype=torch.int8)
    truth[:, 0, 0] = 1
    with pytest.raises(MooseError) as error:
        Examples(digits(), torch.zeros(2, 4, 1, 1, 10), torch.zeros_like(truth), truth, **changes)
    assert expected in str(error.value)
    assert "\n" not in str(error.value)


def test_examples_that_are_taken_keep_their_graphs() -> None:
    task = digits()
    task = replace(task, roles=None, observed=[*task.observed, "succ"])
    known = torch.zeros(3, 4, len(task.concepts), dtype=torch.int8)
    # the second lists no role, but has no pair of one that the first lists; pairs may come from anything that yields
    pairs: list[dict[str, Any]] = [{"succ": iter([("a", "b")])}, {}, {"succ": (pair for pair in [("b", "c")])}]
    whole = Examples(task, torch.zeros(3, 4, 1, 1, 10), known, known, roles=pairs)
    assert whole.graphs is not None and [graph.roles for graph in whole.graphs] == [
        (("succ", ((0, 1),)),),
        (("succ", ()),),
        (("succ", ((1, 2),)),),
    ]
    for rows in ([1], [2, 0], [1, 1]):
        assert whole.take(rows).take(slice(None)).graphs == tuple(whole.graphs[row] for row in rows)
    few = Examples(task, whole.inputs, known, known, individuals=[iter("ab"), ["c"], ("d", "a")])  # type: ignore[list-item]
    assert few.graphs is not None and few.take([2, 0]).graphs == (few.graphs[2], few.graphs[0])


def test_latent_roles_are_not_listed() -> None:
    base = task_of("mnist2")
    task = replace(base, roles=None, latent=[*base.latent, "succ"], observed=[n for n in base.observed if n != "succ"])
    empty = torch.zeros(1, 2, 14, dtype=torch.int8)
    with pytest.raises(MooseError, match="is latent in the task"):
        Examples(task, torch.zeros(1, 2, 1, 1, 10), empty, empty, roles=[{"succ": []}])


def test_a_contradiction_is_told_in_the_names_of_the_example() -> None:
    task = digits()
    evidence = torch.zeros(3, 4, 14, dtype=torch.int8)
    names = [concept.name for concept in task.concepts]
    evidence[2, 3, names.index("Even")] = evidence[2, 1, names.index("Even")] = 1
    roles = [{"succ": [("a", "b")]}, {"succ": [("a", "b")]}, {"succ": [("d", "b")]}]
    people = [("a", "b"), ("a", "b"), ("b", "d")]
    chosen = Examples(
        task, torch.zeros(3, 4, 1, 1, 10), evidence, torch.zeros_like(evidence), individuals=people, roles=roles
    )
    with pytest.raises(ContradictoryEvidence) as error:
        learner(task).fit(chosen)
    assert "example 2" in str(error.value)
    assert "(d)" in str(error.value) and "(a)" not in str(error.value)


def test_evidence_on_what_a_kind_lacks_is_refused(sum_task: Task) -> None:
    evidence = torch.zeros(1, 5, 5, dtype=torch.int8)
    evidence[0, 0, 4] = 1
    with pytest.raises(MooseError, match=r"evidence of example 0 speaks of .*\(a\), but a is of a kind that has no"):
        Examples(sum_task, torch.zeros(1, 3, 1, 1, 10), evidence, torch.zeros_like(evidence))


def test_the_facade_knows_kinds() -> None:
    assert moose.Kind is Kind
