from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.circuit.compile.decomposition import decompose, find_bags, fuse
from moose.circuit.compile.elimination import Bag, eliminate, height, merge
from moose.circuit.compile.scopes import connected, find_scopes
from moose.circuit.tables.definitions import define_auxiliary
from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses, clauses_from_lists
from tests.circuit.theories import digits, theories, truth_table
from tests.searching import examples

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=15)


@examples(100)
@given(PAIRS)
def test_connected_labels_are_the_smallest_of_their_component(pairs: list[tuple[int, int]]) -> None:
    expected = list(range(10))
    for _ in range(10):
        for left, right in pairs:
            expected[left] = expected[right] = min(expected[left], expected[right])
    lefts, rights = np.array([*pairs, (0, 0)], dtype=np.int64).T
    assert connected(10, lefts, rights).tolist() == expected


@examples(100)
@given(PAIRS, st.booleans())
def test_bags_are_a_tree_decomposition(pairs: list[tuple[int, int]], is_low: bool) -> None:
    bags = eliminate(10, pairs, is_low=is_low)
    assert sorted(individual for bag in bags for individual in bag.own) == list(range(10))
    home = {individual: place for place, bag in enumerate(bags) for individual in bag.own}
    for pair in pairs:
        assert any(set(pair) <= set(bag.members) for bag in bags)
    for place, bag in enumerate(bags):
        assert all(home[individual] > place for individual in bag.separator)
        if bag.separator:  # what a bag shares with the rest, its parent shares too
            assert set(bag.separator) <= set(bags[home[bag.separator[0]]].members)
    merged = merge(bags, range(10))
    assert sorted(individual for bag in merged for individual in bag.own) == list(range(10))
    assert max(len(bag.members) for bag in merged) == max(len(bag.members) for bag in bags)
    for bag in merged:
        if bag.separator:
            parent = next(other for other in merged if bag.separator[0] in other.own)
            assert set(bag.separator) <= set(parent.members)


def test_a_clique_becomes_one_bag_and_a_chain_does_not() -> None:
    clique = merge(eliminate(4, [(0, 1, 2, 3)]), range(4))
    assert clique == [Bag((0, 1, 2, 3), ())]
    chain = merge(eliminate(4, [(0, 1), (1, 2), (2, 3)]), [])
    assert [len(bag.members) for bag in chain] == [2, 2, 2, 1]


@pytest.mark.parametrize(("is_low", "levels"), [(False, 501), (True, 11)])
def test_the_height_of_a_chain(is_low: bool, levels: int) -> None:
    bags = eliminate(1000, [(i, i + 1) for i in range(999)], is_low=is_low)
    assert height(bags) <= levels


def test_trees_are_fused_one_by_one() -> None:
    bags = eliminate(6, [(0, 1), (1, 2), (3, 4), (4, 5)])
    fused = fuse(bags, {3})
    assert sorted(len(bag.own) for bag in fused) == [1, 1, 1, 3]
    assert fuse(bags, {0, 5}) == [
        Bag(tuple(b for bag in bags for b in bag.own if b in part), ()) for part in _roots(bags)
    ]


def _roots(bags: list[Bag]) -> list[set[int]]:
    """Return the two trees, in the order of their roots."""
    return [{0, 1, 2} if bag.own[0] < 3 else {3, 4, 5} for bag in bags if not bag.separator]


def test_bags_that_read_the_same_have_the_same_content() -> None:
    places = find_scopes(digits(50, [(i, i + 1) for i in range(49)]))
    decomposition = decompose(places, find_bags(places))
    assert len(decomposition.bags) == 50
    assert len(set(decomposition.contents)) == 3  # the root, and those before and after it


def test_the_order_and_repetition_of_clauses_do_not_matter() -> None:
    atoms = [Atom(name, (who,)) for who in "ab" for name in "ABC"]
    rows = [(1, 2), (-2, 3, 1), (4, 5), (-5, 6, 4), (5, 4, 4)]
    places = find_scopes(clauses_from_lists(atoms, rows))
    contents = decompose(places, find_bags(places)).contents
    reordered = find_scopes(clauses_from_lists(atoms, [(3, 1, -2), (2, 1), *rows[2:]]))
    assert decompose(reordered, find_bags(reordered)).contents == contents


def test_atoms_that_nothing_connects_fall_apart() -> None:
    atoms = [Atom(name, ("a",)) for name in "ABCD"]
    places = find_scopes(clauses_from_lists(atoms, [(1, 2), (3, 4)]))
    assert [bag.members for bag in find_bags(places)] == [(0,), (1,)]


# ── Auxiliary atoms ───────────────────────────────────────────────────────────────────────────────────────────────


@examples(100)
@given(theories())
def test_defining_auxiliary_atoms_changes_nothing_that_is_seen(theory: Clauses) -> None:
    extended, is_determined = define_auxiliary(theory)
    assert (truth_table(extended) == truth_table(theory)).all()
    visible = theory.kinds != AtomKind.AUXILIARY
    assert not (is_determined & visible).any()
    # Where all are determined, each visible world extends in one way.
    if (is_determined | visible).all():
        every = replace(extended, kinds=np.full(len(theory.atoms), AtomKind.OBSERVABLE, np.int8))
        assert truth_table(every).sum() == truth_table(theory).sum()


def auxiliary_theory(rows: Sequence[tuple[int, ...]], count: int, auxiliary: list[int]) -> Clauses:
    theory = clauses_from_lists([Atom(f"A{k}", ("a",)) for k in range(count)], rows)
    theory.kinds[auxiliary] = AtomKind.AUXILIARY
    return theory


@pytest.mark.parametrize(
    ("rows", "determined"),
    [
        ([(-1, 3), (-2, 3), (-3, 4)], [2]),  # A0 → X, A1 → X, X → A3
        ([(-1, 3, 5), (-3, 4), (-5, 2)], []),  # A0 → X ∨ Y: which of them, nothing says
        ([(-1, 3), (-3, 5), (-5, 4)], [2, 4]),  # A0 → X → Y → A3
        ([(-1, 3), (-3, 5), (-5, 3), (-5, 4)], []),  # X → Y → X: a circle
        ([(-3, 4), (-5, 4)], [2, 4]),  # nothing makes them true
        ([(3,), (-3, -1, 5)], [2, 4]),
    ],
)
def test_which_auxiliary_atoms_the_others_determine(rows: list[tuple[int, ...]], determined: list[int]) -> None:
    theory = auxiliary_theory(rows, 5, [2, 4])
    _, is_determined = define_auxiliary(theory)
    mentioned = {abs(literal) - 1 for row in rows for literal in row}
    assert [atom for atom in np.flatnonzero(is_determined).tolist() if atom in mentioned] == determined


def test_an_atom_with_many_long_bodies_is_quantified() -> None:
    bodies = [(-(3 * k + 2), -(3 * k + 3), -(3 * k + 4), 1) for k in range(4)]
    _, is_determined = define_auxiliary(auxiliary_theory(bodies, 13, [0]))
    assert not is_determined.any()  # 3⁴ clauses would be needed
    _, is_determined = define_auxiliary(auxiliary_theory(bodies[:3], 13, [0]))
    assert is_determined[0]
