"""Canonical labelling: names make no difference, and equal certificates are isomorphic graphs."""

from __future__ import annotations

import random
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from moose.base.canonical import Certificate, Edge, canonical_order, certificate
from tests.searching import examples


def drawn_graph(source: random.Random, nodes: int, edges: int) -> tuple[list[int], list[Edge]]:
    colours = [source.randrange(2) for _ in range(nodes)]
    drawn = {(source.randrange(2), source.randrange(nodes), source.randrange(nodes)) for _ in range(edges)}
    return colours, sorted(drawn)


def written(colours: list[int], edges: list[Edge]) -> Certificate:
    order = canonical_order(colours, edges)
    assert sorted(order) == list(range(len(colours)))
    return certificate(colours, edges, order)


def renamed(source: random.Random, colours: list[int], edges: list[Edge]) -> tuple[list[int], list[Edge]]:
    names = list(range(len(colours)))
    source.shuffle(names)
    painted = [0] * len(colours)
    for node, name in enumerate(names):
        painted[name] = colours[node]
    moved = [(label, names[one], names[other]) for label, one, other in edges]
    source.shuffle(moved)
    return painted, moved


def are_isomorphic(one: tuple[list[int], list[Edge]], other: tuple[list[int], list[Edge]]) -> bool:
    """Try every renaming."""
    wanted = (other[0], sorted(other[1]))
    for names in permutations(range(len(one[0]))):
        painted = [0] * len(names)
        for node, name in enumerate(names):
            painted[name] = one[0][node]
        if (painted, sorted((label, names[a], names[b]) for label, a, b in one[1])) == wanted:
            return True
    return False


@examples(150)
@given(source=st.randoms(use_true_random=False), nodes=st.integers(1, 9), edges=st.integers(0, 14))
def test_names_make_no_difference(source: random.Random, nodes: int, edges: int) -> None:
    graph = drawn_graph(source, nodes, edges)
    assert written(*graph) == written(*renamed(source, *graph))


@examples(150)
@given(source=st.randoms(use_true_random=False), nodes=st.integers(1, 5))
def test_the_same_certificate_is_isomorphism(source: random.Random, nodes: int) -> None:
    edges = source.randrange(7)
    one, other = drawn_graph(source, nodes, edges), drawn_graph(source, nodes, edges)
    assert (written(*one) == written(*other)) == are_isomorphic(one, other)


def test_trees_of_six_nodes_have_twenty_shapes() -> None:
    shapes = set()
    for number in range(720):
        parents, rest = [], number
        for node in range(1, 6):
            rest, parent = divmod(rest, node)
            parents.append((0, parent, node))
        shapes.add(written([0] * 6, parents))
    assert len(shapes) == 20  # rooted trees of six nodes: A000081


def test_large_regular_graphs_come_to_an_end() -> None:
    star = [(0, 0, node) for node in range(1, 3000)]
    chain = [(0, node, node + 1) for node in range(2999)]
    circle = [(0, node, (node + 1) % 300) for node in range(300)]
    cliques = [(0, a, b) for block in range(0, 40, 8) for a in range(block, block + 8) for b in range(block, block + 8)]
    source = random.Random(0)
    for nodes, edges in ((3000, star), (3000, chain), (300, circle), (40, cliques)):
        graph = ([0] * nodes, edges)
        assert written(*graph) == written(*renamed(source, *graph))
