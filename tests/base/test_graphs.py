"""Components, against repeated merging of sets."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moose.base.graphs import component_of, strong_components
from tests.searching import examples

LINKS = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), max_size=8)


def merged(links: list[list[int]]) -> set[frozenset[int]]:
    """Join any two sets that share a node, until no two do."""
    groups = [set(link) for link in links]
    while pair := next(((a, b) for a in groups for b in groups if a is not b and a & b), None):
        groups = [group for group in groups if group is not pair[0] and group is not pair[1]] + [pair[0] | pair[1]]
    return {frozenset(group) for group in groups}


@examples(200)
@given(LINKS)
def test_what_hangs_together_has_one_representative(links: list[list[int]]) -> None:
    component = component_of(links)
    groups: dict[int, set[int]] = {}
    for node, representative in component.items():
        groups.setdefault(representative, set()).add(node)
    assert {frozenset(group) for group in groups.values()} == merged(links)
    assert all(representative in group for representative, group in groups.items())


@examples(200)
@given(st.dictionaries(st.integers(0, 6), st.lists(st.integers(0, 6), max_size=4), max_size=7))
def test_strong_components_reach_one_another_and_come_in_order(graph: dict[int, list[int]]) -> None:
    def reached(start: int) -> set[int]:
        seen, stack = {start}, [start]
        while stack:
            new = set(graph.get(stack.pop(), ())) - seen
            seen |= new
            stack += new
        return seen

    components = list(strong_components(graph, lambda node: graph.get(node, ())))
    earlier: set[int] = set()
    for component in components:
        first = component[0]
        earlier.update(component)
        assert set(component) == {node for node in reached(first) if first in reached(node)}
        assert reached(first) <= earlier
    assert earlier == set().union(*map(reached, graph))
