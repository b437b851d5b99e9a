"""Circuits that a search leaves behind are what the compiler makes, and exact."""

from __future__ import annotations

import pytest
from hypothesis import given

from moose.base.unit_propagation import simplify_clauses
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.clauses import Clauses
from moose.shortcuts.count import search_compiler
from moose.shortcuts.count.cheapest_models import cheapest_models
from moose.shortcuts.count.search_compiler import compile_by_search
from tests.circuit.theories import theories
from tests.searching import examples


@examples(60)
@given(theories())
def test_a_trace_has_the_models_of_the_compiled_circuit(clauses: Clauses) -> None:
    traced, compiled = compile_by_search(clauses), compile_circuit(clauses, minimise=False)
    assert traced is not None
    assert traced.atoms == compiled.atoms
    assert traced.model_count() == compiled.model_count()
    worlds = {tuple(world.items()) for world in traced.models(200)}
    if traced.model_count() <= 200:
        assert worlds == {tuple(world.items()) for world in compiled.models()}


@examples(40)
@given(theories())
def test_a_trace_is_decomposable_and_deterministic(clauses: Clauses) -> None:
    traced = compile_by_search(clauses)
    assert traced is not None
    report = traced.check()
    assert report.is_decomposable and report.is_deterministic, report.faults


@examples(40)
@given(theories(8, auxiliary=False))
def test_cheapest_models_are_all_models_in_order(clauses: Clauses) -> None:
    traced = compile_by_search(clauses)
    assert traced is not None
    size = len(traced.atoms)
    positive, negative = [place % 3 for place in range(size)], [(place + 1) % 2 for place in range(size)]
    count = traced.model_count()
    found = cheapest_models(traced.diagram, positive, negative, count + 3)
    assert len(found) == len({tuple(model) for _, model in found}) == count
    costs = [cost for cost, _ in found]
    assert costs == sorted(costs)
    for cost, model in found:
        assert cost == sum(positive[place] if holds else negative[place] for place, holds in enumerate(model))
    assert cheapest_models(traced.diagram, positive, negative, 1) == found[:1]


def test_a_search_that_takes_too_long_gives_up(monkeypatch: pytest.MonkeyPatch) -> None:
    from moose.grounding.atoms import Atom
    from moose.grounding.clauses import clauses_from_lists

    monkeypatch.setattr(search_compiler, "MOST_WORK", 3)
    atoms = [Atom(name, ("a",)) for name in "ABCD"]
    assert compile_by_search(clauses_from_lists(atoms, [(1, 2), (-1, 3), (-2, 4), (-3, -4)])) is None


def test_contradictions_are_settled() -> None:
    assert simplify_clauses([(1,), (-1, 2), (-2,)]) is None
    assert simplify_clauses([()]) is None
    assert simplify_clauses([]) == (set(), [])
    assert simplify_clauses([(1, -1)]) == (set(), [])
