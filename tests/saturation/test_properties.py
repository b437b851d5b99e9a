"""Laws that hold for every ontology, tried on random ones: a naive fixpoint's answer, in whatever order and way."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.owl.model.axioms import Axiom, ClassAssertion, SubClassOf
from moose.owl.model.expressions import NOTHING, Class, NamedIndividual
from moose.owl.normal.normal_form import NormalForm
from moose.saturation.engine import agenda, kernel
from moose.saturation.engine import run as world
from moose.saturation.engine.arrays import (
    DONE,
    LINKS,
    NEEDED,
    NEEDS_SPACE,
    PAUSED,
    SUBSUMERS,
    State,
    Theory,
)
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.run import Run, compiled_run
from moose.saturation.engine.saturate import saturate_form
from moose.saturation.engine.state import POOLS, enlarged, new_state
from tests.saturation.answers import is_complete, make, naive_answer, our_answer, wrong
from tests.saturation.kernel_space import watched_space
from tests.saturation.random_keys import functional, keyed
from tests.saturation.random_ontologies import ALL_FEATURES, ontologies, random_axioms
from tests.searching import examples

# ── The same answer as a naive fixpoint ───────────────────────────────────────────────────────────────────────────

COMPANIONS = {
    "functional": {"data", "assertions"},
    "keys": {"assertions", "nominals", "data"},
    "data": {"assertions", "range", "domain", "disjoint"},
    "self": {"nominals", "roles", "range"},
    "chains": {"roles", "range"},
    "range": {"roles"},
    "reflexive": {"chains", "range"},
    "top-role": {"nominals", "assertions"},
    "bottom": {"nominals", "assertions"},
    "disjoint": {"assertions"},
}
"""Features without which another one shows little."""


def assert_as_naive(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    assert wrong(our_answer(ontology), naive_answer(axioms), complete=is_complete(ontology)) == []


@examples(200)
@given(ontologies())
def test_answer_is_that_of_the_naive_fixpoint(axioms: list[Axiom]) -> None:
    assert_as_naive(axioms)


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
@examples(25)
@given(st.data())
def test_answer_with_one_feature_is_that_of_the_naive_fixpoint(feature: str, data: st.DataObject) -> None:
    assert_as_naive(data.draw(ontologies(frozenset({feature} | COMPANIONS.get(feature, set())))))


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
@examples(10)
@given(st.data())
def test_answer_without_one_feature_is_that_of_the_naive_fixpoint(feature: str, data: st.DataObject) -> None:
    assert_as_naive(data.draw(ontologies(ALL_FEATURES - {feature})))


@examples(100)
@given(keyed | functional)
def test_answer_where_keys_and_functional_properties_matter_is_that_of_the_naive_fixpoint(axioms: list[Axiom]) -> None:
    assert_as_naive(axioms)


def test_random_ontologies_are_nearly_all_within_what_is_complete() -> None:
    complete = [is_complete(make(random_axioms(random.Random(seed)))) for seed in range(200)]
    assert sum(complete) >= 180


# ── Laws of entailment ────────────────────────────────────────────────────────────────────────────────────────────


@examples(100)
@given(ontologies(), st.data())
def test_more_axioms_entail_no_less(axioms: list[Axiom], data: st.DataObject) -> None:
    is_kept = data.draw(st.lists(st.booleans(), min_size=len(axioms), max_size=len(axioms)))
    fewer = our_answer(make([axiom for axiom, kept in zip(axioms, is_kept) if kept]))
    all_of_them = our_answer(make(axioms))
    if all_of_them.is_consistent:
        assert fewer.is_consistent
        impossible = set(all_of_them.unsatisfiable)
        assert set(fewer.unsatisfiable) <= impossible
        assert {pair for pair in fewer.closure if pair[:1] not in impossible} <= set(all_of_them.closure)
        for part in ("types", "roles", "same"):
            assert set(getattr(fewer, part)) <= set(getattr(all_of_them, part)), part


@examples(100)
@given(ontologies(), st.randoms(use_true_random=False))
def test_order_of_axioms_does_not_matter(axioms: list[Axiom], source: random.Random) -> None:
    shuffled = source.sample(axioms, len(axioms))
    assert our_answer(make(shuffled)).differences(our_answer(make(axioms))) == []


@examples(60)
@given(ontologies())
def test_consequence_that_is_added_changes_nothing(axioms: list[Axiom]) -> None:
    before = our_answer(make(axioms))
    told: list[Axiom] = [SubClassOf(Class(sub), Class(sup)) for sub, sup in before.closure]
    told += [SubClassOf(Class(name), NOTHING) for (name,) in before.unsatisfiable]
    told += [ClassAssertion(Class(name), NamedIndividual(one)) for one, name in before.types]
    assert our_answer(make([*axioms, *told])).differences(before) == []


@examples(60)
@given(ontologies())
def test_closure_is_transitive(axioms: list[Axiom]) -> None:
    pairs = set(our_answer(make(axioms)).closure)
    assert {(a, d) for a, b in pairs for c, d in pairs if b == c and a != d} <= pairs


# ── The same closure however the kernel is run ────────────────────────────────────────────────────────────────────

Numbers = tuple[object, ...]


def numbers(facts: Facts) -> Numbers:
    """Return all facts of a closure, in the order in which the kernel found them."""
    columns = (facts.contexts, facts.concepts, facts.sources, facts.roles, facts.targets)
    flags = (facts.is_bottom, facts.is_started)
    return (*(tuple(column.tolist()) for column in (*columns, *flags)), facts.added)


def closure_numbers(form: NormalForm) -> list[Numbers]:
    closure = saturate_form(form)
    return [numbers(closure.base), *(numbers(closure.worlds[concept]) for concept in sorted(closure.worlds))]


@contextmanager
def changed(**values: object) -> Iterator[None]:
    """Change names of `moose.saturation.engine.run` for a while."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setattr(world, name, value)
        yield


def without_room(concepts: int, groups: int) -> State:
    """Make arrays that are full from the start."""
    state = new_state(concepts, groups)
    full = {name: getattr(state, name)[:0] for name in POOLS}
    return state._replace(link_keys=np.full(1, -1, dtype=np.int64), **full)


@pytest.fixture(scope="module")
def compiled() -> Run:
    """Compile the kernel once (ten seconds where no earlier run has left the compiled code)."""
    run = compiled_run()
    with changed(SMALL=-1):
        saturate_form(make([]).normal_form)
    return run


PLAIN: dict[str, object] = {"is_compiled": lambda: False}
WAYS: dict[str, dict[str, object]] = {
    "compiled": {"SMALL": -1},
    "compiled, taking over after a few plain steps": {**PLAIN, "PLAIN_STEPS": 7},
    "compiled, pausing after each step": {"SMALL": -1, "STEPS_BETWEEN_PAUSES": 1},
    "compiled, without room": {"SMALL": -1, "new_state": without_room},
    "plain, without room": {**PLAIN, "new_state": without_room},
    "compiled, as it is in memory": {"is_compiled": lambda: True},
}


@pytest.mark.parametrize("way", WAYS)
@examples(50)
@given(axioms=ontologies())
def test_closure_is_the_same_in_every_way_of_running(compiled: Run, way: str, axioms: list[Axiom]) -> None:
    form = make(axioms).normal_form
    with changed(**PLAIN):
        expected = closure_numbers(form)
    with changed(**WAYS[way]):
        assert closure_numbers(form) == expected


def run_plain(theory: Theory, state: State, pause_after: int) -> int:
    """Run the plain kernel on lists, as it always is, and put what it has done back into the arrays."""
    lists = world.as_lists(state)
    code = kernel.run(world.as_lists(theory), lists, pause_after)
    for array, items in zip(state, lists):
        cast("np.ndarray[Any, Any]", array)[:] = items
    return code


@examples(30)
@given(ontologies())
def test_plain_kernel_on_arrays_may_pause_anywhere_and_grow(axioms: list[Axiom]) -> None:
    """The plain kernel in the place of the compiled one: one step at a time, in arrays without room, counting codes."""
    form = make(axioms).normal_form
    with changed(**PLAIN):
        expected = closure_numbers(form)
    codes: list[int] = []

    def run(theory: Theory, state: State, pause_after: int) -> int:
        codes.append(run_plain(theory, state, pause_after))
        return codes[-1]

    with changed(SMALL=-1, STEPS_BETWEEN_PAUSES=1, new_state=without_room, compiled_run=lambda: run):
        assert closure_numbers(form) == expected
    assert codes.count(NEEDS_SPACE) >= 1
    assert codes.count(PAUSED) > codes.count(DONE) >= 1


@examples(30)
@given(ontologies())
def test_no_step_takes_more_space_than_was_checked_for(axioms: list[Axiom]) -> None:
    """The compiled kernel writes without looking: the bound before each step must hold."""
    form = make(axioms).normal_form
    with watched_space() as check, changed(SMALL=10**9, PLAIN_STEPS=10**9):
        saturate_form(form)
        assert check() > 0


@examples(20)
@given(ontologies())
def test_progress_counts_steps_upwards(axioms: list[Axiom]) -> None:
    heard: list[int] = []
    with changed(SMALL=-1, STEPS_BETWEEN_PAUSES=5, compiled_run=lambda: run_plain):
        saturate_form(make(axioms).normal_form, progress=heard.append)
    assert heard
    assert all(count >= 0 for count in heard)


def test_enlarged_arrays_keep_what_was_in_them() -> None:
    state = new_state(10, 0)
    full = state._replace(link_keys=np.arange(16, dtype=np.int64))
    full.counters[:] = 0
    full.counters[[LINKS, NEEDED, SUBSUMERS]] = 16, 5000, 20
    full.subsumer_item[:20] = range(20)
    larger = enlarged(full)
    assert sorted(key for key in larger.link_keys.tolist() if key != -1) == list(range(16))
    assert larger.subsumer_item[:20].tolist() == list(range(20))
    assert len(larger.link_keys) & (len(larger.link_keys) - 1) == 0
    assert agenda.has_space(larger, 5000)
