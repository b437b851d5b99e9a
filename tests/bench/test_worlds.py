"""The worlds of the benchmark: evidence is true, labels are cross-entropy, and what is closed is what it should be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn.functional import cross_entropy

import moose
from bench.worlds import digit_rows, white_cells
from bench.worlds.tables import garments_table, worlds_table
from bench.worlds.ways import WAYS, labelled, ways_of
from bench.worlds.world import World, closed, observed_columns, profiles_of, some_literals
from moose.base.errors import ContradictoryEvidence
from moose.methods.base.method import Predictor
from moose.methods.base.perception import Perception
from moose.methods.registry import make_method

CELLS = Path(__file__).parents[3] / "shared" / "data" / "scale" / "cells"
ARITHMETIC: dict[str, Callable[[int], bool]] = {
    "Even": lambda n: n % 2 == 0,
    "Odd": lambda n: n % 2 == 1,
    "Prime": lambda n: n in (2, 3, 5, 7),
    "Composite": lambda n: n in (4, 6, 8, 9),
    "Square": lambda n: n in (1, 4, 9),
    "Triangular": lambda n: n in (1, 3, 6),
    "Fibonacci": lambda n: n in (1, 2, 3, 5, 8),
}


@pytest.fixture(scope="module")
def rows() -> World:
    return digit_rows.make()


@pytest.fixture(scope="module")
def slim() -> World:
    if not (CELLS / white_cells.SLIM).exists():
        pytest.skip("the folder ../shared/data/scale/cells is not there")
    return white_cells.make(CELLS, textbook=False)


@given(
    st.lists(st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4), min_size=1, max_size=5), st.integers(0, 9)
)
def test_one_to_three_known_literals_are_shown_as_they_are(truth: list[list[int]], seed: int) -> None:
    signs = np.array(truth, dtype=np.int8)
    among = [0, 1, 3]
    shown = some_literals(signs, among, np.random.default_rng(seed))
    for own, true in zip(shown, signs):
        known = int(np.count_nonzero(true[among]))
        assert min(1, known) <= int(np.count_nonzero(own)) <= min(3, known)
        assert all(own[column] in (0, true[column]) for column in among) and own[2] == 0


def test_the_profiles_of_digits_are_those_of_arithmetic_and_all_different(rows: World) -> None:
    profiles = profiles_of(rows.task)
    names = [concept.name for concept in rows.task.concepts]
    for digit, profile in enumerate(profiles):
        for name, holds in ARITHMETIC.items():
            assert (profile[names.index(name)] > 0) == holds(digit), (digit, name)
    assert len({tuple(profile) for profile in profiles}) == 10


def test_what_is_true_of_a_row_is_what_the_closed_domain_entails(rows: World) -> None:
    task = closed(rows.task, "only", "closed_domain")
    layer = moose.WMCLayer(moose.compile_circuit(moose.ground(task)))
    digits = np.array([[0, 7, 6], [3, 8, 9], [5, 0, 1]])
    truth = digit_rows.true_of_rows(task, digits)
    for own, true in zip(digits, truth):
        known = {f"D{digit}({place})": True for digit, place in zip(own, digit_rows.PLACES)}
        for place, signs in zip(digit_rows.PLACES, true):
            for concept, sign in zip(task.concepts, signs):
                assert layer.entails(known, f"{concept.name}({place})") == (sign > 0), (own, concept.name, place)


def test_one_digit_of_each_row_is_known_by_what_stands_before_it_alone(rows: World) -> None:
    train, test = rows.draw(rows.task, 0)
    own = [column for column in observed_columns(rows.task) if rows.task.concepts[column].name in digit_rows.OWN]
    for examples in (train, test):
        assert ((examples.evidence[:, :, own] != 0).any(-1).sum(1) == 2).all()
        shown = examples.evidence != 0
        assert (examples.evidence[shown] == examples.truth[shown]).all()
        assert shown[:, :, [c for c in observed_columns(rows.task) if c not in own]].any()


def test_every_label_as_evidence_is_cross_entropy_but_for_a_constant(rows: World) -> None:
    """The constant is how likely known roles and what they settle are, given the labels; the network is not in it."""
    way = WAYS["full labels"]
    task = closed(rows.task, *way.closure)
    some = rows.draw(task, 0)[0].take(slice(0, 40))
    labels = some.truth[:, :, rows.members].argmax(-1).flatten()
    method, perception = make_method(way.method, **way.options), Perception(some.input_shape, make=rows.make)
    constants = []
    for seed in (0, 1):
        predictor = Predictor(method, method.model(task, perception, seed=seed), perception)
        predictor.look_at(some)
        network = predictor.model.network
        assert isinstance(network, torch.nn.Module)
        network.eval()
        with torch.no_grad():
            total = float(predictor.loss(labelled(some, rows)))
            constants.append(total - 3 * float(cross_entropy(network(some.inputs.flatten(0, 1)), labels)))
    assert constants[0] == pytest.approx(constants[1], abs=1e-4)


def test_every_world_has_the_supervised_and_the_closed_world_beside_the_defaults(rows: World) -> None:
    assert {"full labels", "defaults", "defaults, only", "deepproblog", "paper"} < set(ways_of(rows))


def test_a_world_that_one_seed_was_refused_has_no_mean() -> None:
    run = {"network": 0.25, "given": 0.5, "ece": 0.125}
    rows = {"defaults": [run, run | {"ece": 0.25}], "defaults, only": [run, None]}
    table = worlds_table({"worlds": {"w": rows}, "machine": {"cores": 1, "processor": "p", "memory_gb": 1}})
    assert "| w | defaults | 25.0 | 50.0 | 18.8 | 2 |" in table and "| w | defaults, only | – | – | – | 2 |" in table


def test_the_way_to_learn_may_have_a_comma() -> None:
    rows = {"defaults, only, 6 epochs, plain": [{"network": 0.25, "given": 0.5, "ece": 0.125}]}
    table = garments_table({"bits": 1.0, "rows": rows, "machine": {"cores": 1, "processor": "p", "memory_gb": 1}})
    assert "| plain, 6 epochs | defaults, only | 25.0 | 50.0 | 12.5 | 1 |" in table


def test_the_slim_tells_all_kinds_of_white_cells_apart(slim: World) -> None:
    profiles = profiles_of(slim.task)
    names = [concept.name for concept in slim.task.concepts]
    assert len({tuple(profile) for profile in profiles}) == len(white_cells.KINDS)
    kinds = list(white_cells.KINDS.values())
    receptor = profiles[:, names.index("CCR3Positive")]
    assert [kinds[k] for k in np.flatnonzero(receptor > 0)] == ["eosinophil", "basophil"]  # by a role below another


def test_textbooks_contradict_the_closed_reading_and_not_the_open_one(slim: World) -> None:
    world = white_cells.make(CELLS, textbook=True)
    for way, is_refused in (("defaults", False), ("defaults, only", True), ("deepproblog", True)):
        task = closed(world.task, *WAYS[way].closure)
        train, _ = world.draw(task, 0)
        short = replace(world, epochs=1)
        if is_refused:
            with pytest.raises(ContradictoryEvidence):
                make_method(WAYS[way].method).fit(
                    task, train, perception=Perception(train.input_shape, make=short.make)
                )
        else:
            moose.WMCLayer(moose.compile_circuit(moose.ground(task)))
    assert torch.equal(world.draw(world.task, 0)[0].inputs, slim.draw(slim.task, 0)[0].inputs)
