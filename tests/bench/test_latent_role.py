"""The task of successors: what its three theories allow, on real digits."""

from __future__ import annotations

import pytest

from bench.latent_role import count_readings, drawn, read_pools, task_of, without_pairs
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.ground import ground


@pytest.mark.parametrize(("theory", "maps"), [("defined", 729), ("neighbours", 1)])
def test_readings_are_counted_first(theory: str, maps: int) -> None:
    train, _ = read_pools(None)
    examples = drawn(train, task_of(theory), 1_500, only_neighbours=theory == "neighbours", seed=1)
    assert count_readings(examples)["maps"] == str(maps)


def test_neighbours_have_twenty_worlds() -> None:
    """Ten digits with the next or the one before; which is the successor follows."""
    assert compile_circuit(ground(task_of("neighbours"))).model_count() == 20


def test_a_role_may_be_left_unread() -> None:
    train, _ = read_pools(None)
    examples = drawn(train, task_of("free"), 8, only_neighbours=False, seed=0)
    assert examples.task.read_roles == (0,) and without_pairs(examples).task.read_roles == ()
