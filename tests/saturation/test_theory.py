"""What the kernel looks up: hash tables of links and conjunctions, and which role a chain gives."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import Class, ObjectIntersectionOf, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.normal.normal_form import Kind
from moose.owl.normal.normalise import normalise
from moose.saturation.engine import agenda
from moose.saturation.engine import run as worlds
from moose.saturation.engine.arrays import LINKS, State, Theory
from moose.saturation.engine.run import World
from moose.saturation.engine.state import enlarged, new_state, rehashed
from moose.saturation.engine.told_axioms import close_compositions, hash_pairs, hash_slots, index_theory, least_results
from tests.searching import examples

A = Class("A")
r, s, t, u = (ObjectProperty(name) for name in "rstu")
ROLE_NUMBERS = st.integers(0, 4)

# ── Hash tables ───────────────────────────────────────────────────────────────────────────────────────────────────


@examples(200)
@given(st.integers(0, 2**62), st.integers(0, 20))
def test_both_hash_functions_agree(key: int, bits: int) -> None:
    mask = (1 << bits) - 1
    slot = agenda.slot_of(key, mask)
    assert 0 <= slot <= mask
    assert slot == hash_slots(np.array([key], dtype=np.int64), mask)[0]


def fill(keys: Iterable[tuple[int, int]], state: State, theory: Theory) -> list[bool]:
    return [agenda.is_new_link(theory, state, source, target, 0) for source, target in keys]


def test_link_table_finds_every_link_again_when_it_is_as_full_as_it_may_be() -> None:
    form = normalise([ax.SubClassOf(Class(f"N{place}"), ObjectSomeValuesFrom(r, A)) for place in range(40)])
    theory, state = index_theory(form), new_state(len(form.kinds), 0)
    state = state._replace(link_keys=np.full(1024, -1, dtype=np.int64))
    keys = [(source, target) for source in range(32) for target in range(20)]
    assert len(keys) == 640 == 1024 * 5 // 8
    assert all(fill(keys, state, theory))
    assert not any(fill(keys, state, theory))
    assert state.counters[LINKS] == 640
    larger = state._replace(link_keys=rehashed(state.link_keys, 640))
    assert not any(fill(keys, larger, theory))
    assert all(fill([(33, target) for target in range(20)], larger, theory))


def test_kernel_asks_for_space_before_the_link_table_is_too_full(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[tuple[int, int]] = []
    plain = enlarged

    def watching(state: State) -> State:
        sizes.append((int(state.counters[LINKS]), len(state.link_keys)))
        return plain(state)

    monkeypatch.setattr(worlds, "enlarged", watching)
    tiny = new_state
    monkeypatch.setattr(
        worlds, "new_state", lambda *args: tiny(*args)._replace(link_keys=np.full(16, -1, dtype=np.int64))
    )
    ring = [Class(f"N{place:02}") for place in range(30)]
    axioms: list[Axiom] = [ax.SubClassOf(one, ObjectSomeValuesFrom(r, other)) for one in ring for other in ring]
    world = World(normalise(axioms))
    world.start(world.form.class_concepts.tolist())
    world.run()
    assert len(world.links()[0]) == 900
    assert len(sizes) >= 3
    assert all(8 * filled <= 5 * size for filled, size in sizes)
    assert 8 * world.state.counters[LINKS] <= 5 * len(world.state.link_keys)


def test_pair_table_holds_every_conjunction_both_ways() -> None:
    names = [Class(f"N{place:02}") for place in range(25)]
    form = normalise(
        [
            ax.SubClassOf(ObjectIntersectionOf((one, other)), A)
            for one in names
            for other in names
            if one.iri < other.iri
        ]
    )
    theory = index_theory(form)
    keys, results = hash_pairs(len(form.kinds), theory.conjoins_ptr, theory.conjoins_other, theory.conjoins_result)
    held = {(int(key), int(result)) for key, result in zip(keys, results, strict=True) if key != -1}
    conjunctions = np.flatnonzero(form.kinds == Kind.CONJUNCTION).tolist()
    count = len(form.kinds)
    expected = {(int(form.first[one]) * count + int(form.second[one]), one) for one in conjunctions}
    expected |= {(int(form.second[one]) * count + int(form.first[one]), one) for one in conjunctions}
    assert held == expected


# ── Compositions ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_of_compositions_only_the_least_are_kept() -> None:
    form = normalise(
        [
            ax.SubObjectPropertyOf((r, s), t),
            ax.SubObjectPropertyOf((r, s), u),
            ax.SubObjectPropertyOf((t,), u),
        ]
    )
    columns, left_row, right_column, pointers, results = close_compositions(form)
    roles = {role: place for place, role in enumerate(form.roles)}
    cell = left_row[roles[r]] * columns + right_column[roles[s]]
    assert results[pointers[cell] : pointers[cell + 1]].tolist() == [roles[t]]


@examples(100)
@given(
    st.lists(st.tuples(st.integers(0, 2), ROLE_NUMBERS), max_size=10), st.sets(st.tuples(ROLE_NUMBERS, ROLE_NUMBERS))
)
def test_least_results_are_below_all_results_of_their_cell(
    rows: list[tuple[int, int]], told: set[tuple[int, int]]
) -> None:
    below = np.eye(5, dtype=np.bool_)
    for one, other in told:
        below[one, other] = True
    for middle in range(5):
        below |= np.outer(below[:, middle], below[middle])
    rows = sorted(set(rows))
    cells, results = (np.array([row[place] for row in rows]) for place in (0, 1))
    kept = least_results(below, cells.astype(np.int64), results.astype(np.int32))
    for cell, result in rows:
        least = [other for (where, other), flag in zip(rows, kept, strict=True) if where == cell and flag]
        assert any(below[other, result] for other in least)
        assert sum(1 for other in least if below[other, result] and below[result, other]) <= 1
