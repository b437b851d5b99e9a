from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.circuit.compile import compile_circuit as compiling
from moose.circuit.compile import division as arrange
from moose.circuit.compile.compile_circuit import compile_circuit
from moose.circuit.compile.settings import VTREES
from moose.circuit.diagram import Diagram
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from tests.circuit.theories import diagram_table, digits, model_count, theories, truth_table
from tests.searching import examples

A, B, C = (Atom(name, ("a",)) for name in "ABC")


@examples(150)
@given(theories(), st.booleans())
def test_the_structural_compiler_agrees_with_the_truth_table(theory: Clauses, minimise: bool) -> None:
    circuit = compile_circuit(theory, minimise=minimise)
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()


@examples(60)
@given(theories(auxiliary=False), st.booleans())
def test_low_trees_and_undivided_ones_agree_with_the_truth_table(theory: Clauses, is_low: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrange, "HIGH", 1 if is_low else 100)
        patch.setattr(compiling, "MOST_DIVIDED", compiling.MOST_DIVIDED if is_low else 3)
        circuit = compile_circuit(theory)
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()


@examples(60)
@given(theories(), st.sampled_from(["balanced", "linear"]), st.booleans())
def test_one_diagram_agrees_with_the_truth_table(theory: Clauses, vtree: str, minimise: bool) -> None:
    circuit = compile_circuit(theory, vtree=vtree, minimise=minimise)
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()


@examples(15)
@given(theories())
def test_the_same_clauses_give_the_same_circuit(theory: Clauses) -> None:
    first, second = (compile_circuit(theory).diagram for _ in range(2))
    assert first.root == second.root
    for name in ("starts", "primes", "subs"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


@pytest.mark.parametrize("vtree", VTREES)
@pytest.mark.parametrize(
    ("atoms", "rows", "root"),
    [
        ([], [], "true"),
        ([], [()], "false"),
        ([A], [], "true"),
        ([A], [()], "false"),
        ([A], [(1,)], 0),
        ([A], [(-1,)], 1),
        ([A], [(1, -1)], "true"),
        ([A], [(1,), (-1,)], "false"),
        ([A, B], [(2, 2), (2,)], 1),
        ([A, B, C], [(1,), (-1, 2), (-2, 3), (-3,)], "false"),
    ],
)
def test_small_theories_compile_to_literals_and_constants(
    vtree: str, atoms: list[Atom], rows: list[tuple[int, ...]], root: int | str
) -> None:
    circuit = compile_circuit(clauses_from_lists(atoms, rows), vtree=vtree)
    wanted = {"true": circuit.diagram.true, "false": circuit.diagram.false}.get(str(root), root)
    assert circuit.diagram.root == wanted
    assert circuit.atoms == tuple(atoms)
    assert circuit.statistics.size == 0


@pytest.mark.parametrize("vtree", VTREES)
def test_auxiliary_atoms_are_quantified_away(vtree: str) -> None:
    theory = clauses_from_lists([A, B, C], [(-1, 2), (-2, 3)])
    theory.kinds[1] = AtomKind.AUXILIARY
    circuit = compile_circuit(theory, vtree=vtree)
    assert circuit.atoms == (A, C)
    assert (diagram_table(circuit.diagram) == truth_table(theory)).all()
    everything = replace(theory, kinds=np.full(3, AtomKind.AUXILIARY, np.int8))
    assert compile_circuit(everything, vtree=vtree).diagram.root == 0 == compile_circuit(everything).diagram.true


def test_an_auxiliary_atom_that_spans_individuals_is_quantified_away() -> None:
    names = ["a", "b", "c", "d"]
    atoms = [Atom("X", (name,)) for name in names] + [Atom("C", (name,)) for name in names]
    rows = [(5 + i, -(1 + i)) for i in range(4)] + [(-(1 + i), 6 + i) for i in range(3)] + [(1, 4)]
    theory = clauses_from_lists(atoms, rows)
    theory.kinds[:4] = AtomKind.AUXILIARY
    assert (diagram_table(compile_circuit(theory).diagram) == truth_table(theory)).all()


def test_an_unknown_vtree_is_refused() -> None:
    with pytest.raises(MooseError, match=r"expected a vtree among auto, tables, structure, .*but got 'round'"):
        compile_circuit(clauses_from_lists([A], []), vtree="round")


def test_progress_goes_up_to_one_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[str, float]] = []
    compile_circuit(digits(12, chain(12)), progress=lambda message, share: told.append((message, share)))
    compile_circuit(digits(2, chain(2)))
    assert told[-1] == ("compiled", 1.0)
    assert all(0 <= share <= 1 for _, share in told)
    assert any("12 of 12 parts" in message for message, _ in told)
    assert capfd.readouterr() == ("", "")


# ── Digits in a row: what templates are for ───────────────────────────────────────────────────────────────────────


def chain(count: int) -> list[tuple[int, int]]:
    return [(i, i + 1) for i in range(count - 1)]


def random_tree(count: int) -> list[tuple[int, int]]:
    random = np.random.default_rng(0)
    return [(int(random.integers(i)), i) for i in range(1, count)]


def star(count: int) -> list[tuple[int, int]]:
    return [(0, i) if i % 2 else (i, 0) for i in range(1, count)]


def ring(count: int) -> list[tuple[int, int]]:
    return [*chain(count), (count - 1, 0)]


@pytest.mark.parametrize("edges", [chain, random_tree, star])
@pytest.mark.parametrize("vtree", VTREES)
def test_templates_count_like_one_diagram(edges: Callable[[int], list[tuple[int, int]]], vtree: str) -> None:
    assert model_count(compile_circuit(digits(6, edges(6)), vtree=vtree).diagram) == 10


def test_a_ring_closes_only_where_the_digits_do() -> None:
    assert model_count(compile_circuit(digits(10, ring(10))).diagram) == 10
    assert model_count(compile_circuit(digits(7, ring(7))).diagram) == 0


def test_a_long_chain_becomes_a_low_circuit() -> None:
    circuit = compile_circuit(digits(100, chain(100)))
    assert circuit.statistics.vtree.endswith("balanced")
    assert model_count(circuit.diagram) == 10
    assert depth(circuit.diagram) < 50


def depth(diagram: Diagram) -> int:
    """Return how many decisions stand above each other at most."""
    depths = [0] * diagram.first_decision
    primes, subs = diagram.primes.tolist(), diagram.subs.tolist()
    for start, stop in pairwise(diagram.starts.tolist()):
        depths.append(1 + max(depths[slot] for slot in (*primes[start:stop], *subs[start:stop])))
    return depths[diagram.root]


def test_a_long_chain_of_loose_links_is_rolled_up() -> None:
    names = [f"D{k}" for k in range(4)]
    atoms = [Atom(name, (f"i{i}",)) for i in range(60) for name in names]
    rows: list[tuple[int, ...]] = []
    for first in range(1, 240, 4):
        rows += [tuple(range(first, first + 4)), *((-(first + i), -(first + j)) for i, j in combinations(range(4), 2))]
        if first > 4:  # a digit is not followed by itself
            rows += [(-(first - 4 + d), -(first + d)) for d in range(4)]
    circuit = compile_circuit(clauses_from_lists(atoms, rows))
    assert "balanced" not in circuit.statistics.vtree
    assert model_count(circuit.diagram) == 4 * 3**59


def test_trees_apart_are_multiplied() -> None:
    apart = [edge for edge in chain(9) if edge not in {(2, 3), (5, 6)}]
    assert model_count(compile_circuit(digits(9, apart)).diagram) == 1000


@pytest.mark.parametrize("edges", [chain, random_tree, star])
def test_the_size_is_linear_and_templates_are_few(edges: Callable[[int], list[tuple[int, int]]]) -> None:
    small, large = (compile_circuit(digits(n, edges(n))).statistics for n in (80, 320))
    assert large.size < 4.4 * small.size
    assert small.size < 250 * 80
    assert int(large.vtree.split()[3]) <= 14  # different parts


def test_the_count_of_many_individuals_is_right() -> None:
    assert model_count(compile_circuit(digits(60, random_tree(60))).diagram) == 10


@pytest.mark.parametrize("vtree", VTREES)
def test_the_diagram_leaves_out_false_elements_that_the_size_counts(vtree: str) -> None:
    circuit = compile_circuit(digits(1, []), vtree=vtree)
    assert circuit.diagram.element_count < circuit.statistics.size
    assert circuit.statistics.nodes >= circuit.diagram.decision_count


# ── The paper's figures ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_digits_of_the_paper_have_155_elements_on_a_balanced_vtree() -> None:
    assert compile_circuit(digits(1, []), vtree="balanced").statistics.size == 155
    assert compile_circuit(digits(1, [])).statistics.size <= 80


def test_wide_separators_tell_no_impossible_states_apart() -> None:
    """Four individuals in a cycle, each one of six things and other than its neighbours."""
    atoms = [Atom(f"D{kind}", (f"i{place}",)) for place in range(4) for kind in range(6)]
    clauses: list[tuple[int, ...]] = []
    for place in range(4):
        kinds = range(6 * place + 1, 6 * place + 7)
        clauses.append(tuple(kinds))
        clauses += [(-one, -other) for one, other in combinations(kinds, 2)]
        clauses += [(-one, -((one + 5) % 24 + 1)) for one in kinds]
    circuit = compile_circuit(clauses_from_lists(atoms, clauses))
    assert circuit.model_count() == 5**4 + 5  # the chromatic polynomial of a cycle of four, at six
