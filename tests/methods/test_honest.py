"""The honest posterior is the plain mean over every reading that theory and evidence allow."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.errors import MooseError
from moose.grounding.task import Task
from moose.learning.examples import Examples
from moose.learning.fitting import Training
from moose.methods.honest import MooseHonest, Shares, count_shares
from moose.methods.method import Perception
from moose.methods.registry import make_method
from moose.shortcuts.showing import Showing
from tests.learning.toys import task_of, toy_encoder, toy_examples
from tests.searching import examples as times

CASES = {"mnist1": Showing(), "mnist2": Showing(()), "pizzaB": Showing()}


def mean_over_readings(task: Task, showing: Showing, weights: list[float]) -> list[float]:
    """Read every state by each map, and average what is then predicted: one by one, in plain numbers."""
    found = moose.find_shortcuts(task, showing)
    latent, places = found.problem.vocabulary.latent, found.problem.places
    readings = found.nearest(found.maps)
    assert len(readings) == found.maps
    totals = dict.fromkeys(latent, 0.0)
    for reading in readings:
        for place, weight in zip(places, weights, strict=True):
            for name in reading.table[place]:
                totals[name] += weight / found.maps
    return [totals[name] for name in latent]


@pytest.mark.parametrize("name", CASES)
@times(8)
@given(drawn=st.data())
def test_the_average_is_that_of_all_maps_one_by_one(name: str, drawn: st.DataObject) -> None:
    task, showing = moose.regime(name), CASES[name]
    shares = shares_of(name)
    raw = drawn.draw(st.lists(st.floats(0.01, 1.0), min_size=len(shares.holds), max_size=len(shares.holds)))
    weights = [value / sum(raw) for value in raw]
    said = torch.tensor(weights, dtype=torch.float64) @ shares.holds
    expected = mean_over_readings(task, showing, weights)
    assert shares.average(said).tolist() == pytest.approx(expected, abs=1e-9)


def shares_of(name: str) -> Shares:
    return count_shares(moose.regime(name), CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_whichever_reading_was_learnt_the_answer_is_the_same(name: str) -> None:
    shares, found = shares_of(name), moose.find_shortcuts(moose.regime(name), CASES[name])
    latent, places = found.problem.vocabulary.latent, found.problem.places
    for reading in found.sample(20, seed=1):
        read = torch.tensor([[float(one in reading.table[place]) for one in latent] for place in places])
        assert shares.average(read).numpy() == pytest.approx(shares.beliefs.numpy(), abs=1e-6)


def test_where_no_family_tells_states_apart_concepts_are_taken_as_independent() -> None:
    shares = count_shares(moose.regime("pizzaC"), Showing())
    assert shares.family is None and len(shares.holds) == 16
    said = torch.tensor([0.9, 0.2, 0.5, 0.0], dtype=torch.float64)
    expected = [np.prod([p if holds else 1 - p for p, holds in zip(said.tolist(), state)]) for state in shares.holds]
    assert shares.state_weights(said).tolist() == pytest.approx(expected, abs=1e-9)


def test_a_reading_that_the_evidence_settles_is_left_alone() -> None:
    shares = count_shares(moose.regime("mnist3"), Showing())
    said = torch.rand(5, 10, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    said /= said.sum(1, keepdim=True)
    assert torch.allclose(shares.average(said), said, atol=1e-6)


def test_it_doubts_what_the_plain_method_is_sure_of() -> None:
    task, examples = task_of("mnist1"), toy_examples("mnist1", 96)
    training = Training(epochs=12, batch_size=16, learning_rate=0.02)
    perception = perception_of(examples)
    plain, honest = (
        make_method(name).fit(task, examples, training=training, perception=perception).evaluate(examples).metrics
        for name in ("moose-cover", "moose-honest")
    )
    assert plain["ece"] is not None and honest["ece"] is not None
    assert honest["ece"] < 0.1 < plain["ece"]


def perception_of(examples: Examples) -> Perception:
    return Perception(examples.input_shape, make=lambda outputs, seed: toy_encoder(outputs=outputs, seed=seed))


def test_less_that_is_shown_leaves_more_readings() -> None:
    shown = MooseHonest(shown="Prime, Composite").showing
    assert shown == Showing(("Prime", "Composite"))
    few, many = (count_shares(moose.regime("mnist1"), one).beliefs.max(1).values.mean() for one in (Showing(), shown))
    assert many < few


@pytest.mark.parametrize(("options", "complaint"), [({"literals": "all"}, "positive"), ({"shown": 3}, "commas")])
def test_a_wrong_option_is_named(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(MooseError, match=complaint):
        make_method("moose-honest", **options)


def test_a_concept_that_is_not_there_is_named_before_training() -> None:
    task, examples = task_of("mnist1"), toy_examples("mnist1", 4)
    with pytest.raises(MooseError, match="Prime"):
        make_method("moose-honest", shown="Prim").fit(task, examples, perception=perception_of(examples))
