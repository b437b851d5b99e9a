"""Parts that one compilation leaves to the next: the circuits are the same, and less is solved."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.circuit.compile import shared_parts
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.compile.shared_parts import SharedParts
from moose.circuit.diagram import Diagram
from moose.grounding.clauses import Clauses
from moose.grounding.ground import ground
from moose.grounding.task.task import Task
from tests.circuit.theories import theories
from tests.searching import examples


def tree(base: Task, seed: int, size: int = 5) -> Clauses:
    source = random.Random(seed)
    names = [f"n{number}" for number in range(size)]
    pairs = [(names[source.randrange(number)], names[number]) for number in range(1, size)]
    return ground(replace(base, individuals=names, roles={"succ": pairs}))


def same(one: Diagram, other: Diagram) -> bool:
    arrays = ((one.starts, other.starts), (one.primes, other.primes), (one.subs, other.subs))
    return one.root == other.root and all(np.array_equal(*pair) for pair in arrays)


@pytest.mark.parametrize("vtree", ["tables", "structure"])
def test_circuits_are_those_of_a_compilation_alone(vtree: str) -> None:
    base, parts = moose.regime("mnist2"), SharedParts()
    for seed in range(4):
        clauses = tree(base, seed)
        together = compile_circuit(clauses, vtree=vtree, parts=parts)
        assert same(together.diagram, compile_circuit(clauses, vtree=vtree, parts=SharedParts()).diagram)
        assert together.model_count() == compile_circuit(clauses, vtree=vtree).model_count()


def test_what_is_solved_is_not_solved_again() -> None:
    base, parts = moose.regime("mnist2"), SharedParts()
    alone = []
    for seed in range(12):
        clauses, own = tree(base, seed), SharedParts()
        compile_circuit(clauses, vtree="tables", parts=own)
        alone.append(len(own.known.tables.tables))
        compile_circuit(clauses, vtree="tables", parts=parts)
    assert len(parts.known.tables.tables) < sum(alone) / 3
    before = len(parts.known.tables.tables)
    compile_circuit(tree(base, 0), vtree="tables", parts=parts)
    assert len(parts.known.tables.tables) == before


def test_too_many_tables_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_parts, "MOST_ROWS", 10)
    base, parts = moose.regime("mnist2"), SharedParts()
    for seed in range(3):
        compile_circuit(tree(base, seed), vtree="tables", parts=parts)
        alone = SharedParts()
        compile_circuit(tree(base, seed), vtree="tables", parts=alone)
        assert parts.known.tables.row_count == alone.known.tables.row_count


@examples(60)
@given(st.lists(theories(), min_size=2, max_size=4))
def test_unlike_theories_do_not_disturb_each_other(several: list[Clauses]) -> None:
    parts = SharedParts()
    for clauses in several:
        together, alone = (compile_circuit(clauses, parts=one) for one in (parts, SharedParts()))
        assert same(together.diagram, alone.diagram)
        assert together.model_count() == compile_circuit(clauses).model_count()
