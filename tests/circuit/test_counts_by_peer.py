"""The number of models, beside Ganak, an exact model counter that shares nothing with ours."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from hypothesis import given

import moose
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.grounding.atoms import Atom
from moose.grounding.clauses import Clauses, clauses_from_lists
from moose.grounding.task.regimes import REGIMES, regime
from tests.circuit.ganak import count_by_ganak
from tests.circuit.random_clauses import clause_sets
from tests.circuit.test_tables import with_families
from tests.circuit.theories import theories
from tests.searching import examples

pytest.importorskip("pyganak", reason="pyganak is not installed: pip install 'moose-el[peers]'")


def count_by_tables(clauses: Clauses) -> int:
    return compile_circuit(clauses, vtree="tables").model_count()


@examples(150)
@given(theories() | with_families() | clause_sets(most=16))
def test_random_theories(clauses: Clauses) -> None:
    assert count_by_tables(clauses) == count_by_ganak(clauses)


@pytest.mark.parametrize("encoding", ["full", "paper"])
@pytest.mark.parametrize("name", REGIMES)
def test_regimes(name: str, encoding: str) -> None:
    clauses = moose.ground(regime(name), encoding=encoding)
    assert compile_circuit(clauses).model_count() == count_by_tables(clauses) == count_by_ganak(clauses)


def hierarchy(count: int, seed: int) -> Clauses:
    """Draw a tree of classes; one in four is also below a sibling of the class it is below, and some are disjoint."""
    source = random.Random(seed)
    above = {child: source.randrange(max(1, child // 4), child) for child in range(2, count + 1)}
    below: dict[int, list[int]] = {}
    for child, parent in above.items():
        below.setdefault(parent, []).append(child)
    rows: list[tuple[int, ...]] = []
    for child, parent in above.items():
        siblings = [one for one in below.get(above.get(parent, 0), []) if one < child]
        second = source.choice(siblings) if siblings and source.randrange(4) == 0 else parent
        rows += [(-child, one) for one in sorted({parent, second})]
    rows += [(-one, -other) for children in below.values() for one, other in combinations(children[:2], 2)][::9]
    return clauses_from_lists([Atom(f"C{k}", ("a",)) for k in range(count)], rows)


@pytest.mark.parametrize(("count", "seed"), [(60, 0), (150, 1), (300, 2), (600, 3), (900, 4)])
def test_hierarchies(count: int, seed: int) -> None:
    clauses = hierarchy(count, seed)
    assert count_by_tables(clauses) == count_by_ganak(clauses)


@pytest.mark.parametrize("side", [3, 4, 5])
def test_individuals_in_a_grid(side: int) -> None:
    """Each has one of three colours, and neighbours have different ones."""
    atoms = [Atom(colour, (f"n{i}",)) for i in range(side * side) for colour in "RGB"]
    rows: list[tuple[int, ...]] = []
    for cell in range(side * side):
        colours = range(3 * cell + 1, 3 * cell + 4)
        rows += [tuple(colours), *((-one, -other) for one, other in combinations(colours, 2))]
        right, below = (cell + 1) % side != 0, cell + side < side * side
        rows += [(-one, -one - 3) for one in colours if right] + [(-one, -one - 3 * side) for one in colours if below]
    clauses = clauses_from_lists(atoms, rows)
    assert count_by_tables(clauses) == count_by_ganak(clauses)
