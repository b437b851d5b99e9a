"""The honest posterior is the plain mean over every reading that theory and evidence allow."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.datasets.open import open_dataset
from moose.grounding.task.task import Task
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.base.perception import Perception
from moose.methods.ours.moose_honest import HonestModel, MooseHonest, Readings, count_readings
from moose.methods.registry import make_method
from moose.shortcuts.problem.options import Showing
from tests.learning.toys import task_of, toy_encoder, toy_examples
from tests.searching import examples as times

CASES = {"mnist1": Showing(), "mnist2": Showing(()), "pizzaB": Showing()}


def mean_over_readings(task: Task, showing: Showing, said: list[float], consistent: list[float]) -> list[float]:
    """Go through every map and every true state one by one, and count which of them are read as what was said."""
    found = moose.find_shortcuts(task, showing)
    latent, places = found.problem.vocabulary.latent, found.problem.true_states
    readings = found.nearest(found.maps)
    assert len(readings) == found.maps
    totals = dict.fromkeys(latent, 0.0)
    for (_, read), weight in zip(places, said, strict=True):
        counts = [
            is_consistent * float(found.problem.frequencies[place]) * sum(one.table[place] == read for one in readings)
            for place, is_consistent in zip(places, consistent, strict=True)
        ]
        truths = [state for _, state in places] if sum(counts) else [read]
        for state, share in zip(truths, [count / sum(counts) for count in counts] if sum(counts) else [1.0]):
            for name in state:
                totals[name] += weight * share
    return [totals[name] for name in latent]


@pytest.mark.parametrize("name", CASES)
@times(8)
@given(drawn=st.data())
def test_the_average_is_that_of_all_maps_one_by_one(name: str, drawn: st.DataObject) -> None:
    readings = readings_of(name)
    size = len(readings.holds)
    raw = drawn.draw(st.lists(st.floats(0.01, 1.0), min_size=size, max_size=size))
    consistent = drawn.draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=size, max_size=size))
    weights = [value / sum(raw) for value in raw]
    expected = mean_over_readings(moose.regime(name), CASES[name], weights, consistent)
    found = average(readings, *(torch.tensor(one, dtype=torch.float64).view(1, 1, -1) for one in (weights, consistent)))
    assert found.flatten().tolist() == pytest.approx(expected, abs=1e-9)


def average(readings: Readings, read: torch.Tensor, consistent: torch.Tensor | None = None) -> torch.Tensor:
    """Return P(concept), where all that is read is a state that evidence shows."""
    return read @ readings.holds + readings.change(read, consistent)


@cache
def readings_of(name: str) -> Readings:
    return count_readings(moose.regime(name), CASES[name])


@pytest.mark.parametrize("name", CASES)
def test_whichever_reading_was_learnt_the_answer_is_the_same(name: str) -> None:
    readings, found = readings_of(name), moose.find_shortcuts(moose.regime(name), CASES[name])
    latent, places = found.problem.vocabulary.latent, found.problem.true_states
    honest = torch.tensor([[float(found.beliefs[place][one]) for one in latent] for place in places])
    states = [state for _, state in places]
    for reading in found.sample(20, seed=1):
        read = torch.zeros(len(places), len(places), dtype=torch.float64)
        for row, place in enumerate(places):
            read[row, states.index(reading.table[place])] = 1.0
        assert average(readings, read).numpy() == pytest.approx(honest.numpy(), abs=1e-6)


def test_a_pizza_without_spicy_toppings_is_not_taken_at_its_word() -> None:
    # Each of the 15 states with a topping is read as none by a sixteenth of all maps, and none always as itself.
    readings = count_readings(moose.regime("pizzaC"), Showing())
    none = (readings.holds.sum(1) == 0).double()
    assert average(readings, none).tolist() == pytest.approx([8 / 31] * 4)


@pytest.mark.parametrize("name", ["mnist2", "mnist3", "pizzaA"])
def test_where_there_is_one_reading_it_says_what_the_cover_says(name: str) -> None:
    data, size = ("pizzas", 32) if name == "pizzaA" else ("digits", None)
    dataset = open_dataset(data, regime=name, count=24, test_count=12, size=size)
    training = Training(epochs=1, batch_size=8)
    plain, honest = (
        make_method(method).fit(dataset.train.task, dataset.train, training=training)
        for method in ("moose-cover", "moose-honest")
    )
    for split in dataset:
        for use in (True, False):
            said, wanted = (one.predict(dataset[split], evidence=use) for one in (honest, plain))
            assert said.posteriors == pytest.approx(wanted.posteriors, abs=1e-5), split
            assert np.array_equal(said.network, wanted.network, equal_nan=True)


def test_a_theory_that_lets_states_be_read_as_nothing_is_counted() -> None:
    task = replace(moose.regime("mnist1"), closure=())
    readings = count_readings(task, Showing())
    assert len(readings.holds) == len(readings.joint) == 11 and readings.joint.sum() == pytest.approx(1.0)
    assert readings.holds[10].sum() == 0 and readings.joint[10].sum() == 0, "read as nothing, and never true"


def test_evidence_rules_out_states_that_do_not_bear_it() -> None:
    data = open_dataset("pizzas", regime="pizzaC", count=8, test_count=16, size=32)
    predictor = make_method("moose-honest").fit(data.train.task, data.train, training=Training(epochs=1, batch_size=8))
    task, found = data.test.task, predictor.predict(data.test)
    spicy = [concept.name for concept in task.concepts].index("SpicyPizza")
    latent = [column for column, concept in enumerate(task.concepts) if concept.is_latent]
    is_mild = data.test.evidence[:, 0, spicy].numpy() < 0
    assert is_mild.any() and not is_mild.all()
    assert (found.posteriors[is_mild][..., latent] < 1e-9).all(), "a pizza that is not spicy has no spicy topping"
    assert (found.posteriors[~is_mild][..., latent] > 0.2).all(), "nobody can be sure of one that is"


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
    shown = MooseHonest(shown="Prime, Composite", evidence="all").showing
    assert shown == Showing(("Prime", "Composite"))
    few, many = (count_readings(moose.regime("mnist1"), one).joint.diagonal().sum() for one in (Showing(), shown))
    assert many < few


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"literals": "all"}, "positive"),
        ({"shown": 3}, "commas"),
        ({"shown": "Prime"}, "evidence=all"),
        ({"evidence": "some"}, "data"),
    ],
)
def test_a_wrong_option_is_named(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(MooseError, match=complaint):
        make_method("moose-honest", **options)


def test_a_concept_that_is_not_there_is_named_before_training() -> None:
    task, examples = task_of("mnist1"), toy_examples("mnist1", 4)
    with pytest.raises(MooseError, match="Prime"):
        make_method("moose-honest", shown="Prim", evidence="all").fit(
            task, examples, perception=perception_of(examples)
        )


def test_readings_are_counted_under_the_evidence_of_the_examples(tmp_path: Path) -> None:
    task, full = task_of("mnist1"), toy_examples("mnist1", 96)
    names = [concept.name for concept in task.concepts]
    only = torch.zeros(len(names), dtype=torch.int8)
    only[[names.index("Even"), names.index("Odd")]] = 1
    parity = replace(full, evidence=full.evidence * only)
    blind = replace(parity, truth=torch.zeros_like(full.truth))
    training, perception = Training(epochs=1, batch_size=32), perception_of(full)
    found = {
        name: make_method("moose-honest").fit(task, some, training=training, perception=perception)
        for name, some in (("parity", parity), ("blind", blind))
    }
    for one in found.values():
        model = one.model
        assert isinstance(model, HonestModel)
        ideal = count_readings(task, Showing(("Even", "Odd")))
        assert model.readings.joint.numpy() == pytest.approx(ideal.joint.numpy()), "no truth was looked at"
    found["parity"].save(tmp_path / "kept")
    again = moose.load_predictor(tmp_path / "kept", lambda outputs, seed: toy_encoder(outputs=outputs, seed=seed))
    assert np.array_equal(again.predict(parity).posteriors, found["parity"].predict(parity).posteriors)
    everything = make_method("moose-honest", evidence="all").fit(task, parity, training=training, perception=perception)
    assert isinstance(everything.model, HonestModel)
    assert everything.model.readings.joint[3, 1] == 0, "under all evidence no 3 is read as a 1"
