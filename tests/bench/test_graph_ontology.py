"""What is mined of a small graph, and what follows from it by hand and by the reasoner."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.graph_ontology import Graph, Rules, Thresholds, closed, members_of, mine, read_graph, saturated, thinned
from bench.knowledge_graph import NOTHING, Told, examples_of, link_scores, replace_chains, task_of
from bench.yeast import broken, hide
from bench.yeast_actions import ABOVE, ROLES, SYMMETRIC, _followed, complete, cover_terms
from moose.learning.graph_pairs import all_pairs, pair_signs

TRIPLES = {
    "train": "dog isa animal;cat isa animal;animal isa thing;dog likes bone;animal likes thing;dog eats bone",
    "valid": "cat likes bone",
    "test": "cat isa thing",
}


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    for part, told in TRIPLES.items():
        lines = ["\t".join(triple.split()) for triple in told.split(";")]
        (tmp_path / f"{part}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return read_graph(tmp_path)


def names(graph: Graph, cube: np.ndarray, role: str) -> set[tuple[str, str]]:
    entities = graph.entities
    return {(entities[one], entities[other]) for one, other in np.argwhere(cube[graph.roles.index(role)]).tolist()}


def test_what_follows_by_chains_is_what_the_reasoner_finds(graph: Graph) -> None:
    likes, eats = graph.roles.index("likes"), graph.roles.index("eats")
    rules = Rules(((eats, likes),), (), (likes,), (likes,), None)
    whole = saturated(graph, rules)
    everything = {"animal", "cat", "dog", "thing"}
    assert names(graph, whole, "isa") == names(graph, graph.parts["train"], "isa") | {
        ("dog", "thing"),
        ("cat", "thing"),
    }
    below_thing = {(one, other) for one in ("animal", "cat", "dog") for other in everything}
    assert names(graph, whole, "likes") == below_thing | {("dog", "bone")}
    assert names(graph, closed(graph.parts["train"], Rules(((likes, eats),), (eats,), (), (), None)), "eats") == {
        ("dog", "bone"),
        ("bone", "dog"),
        ("animal", "thing"),
        ("thing", "animal"),
    }


def test_members_are_found_through_the_training_part(graph: Graph) -> None:
    above, numbers = members_of(graph), {name: number for number, name in enumerate(graph.entities)}
    assert above[numbers["cat"], numbers["thing"]] and not above[numbers["thing"], numbers["cat"]]
    assert above.diagonal().all()


def test_nothing_is_mined_of_rare_roles(graph: Graph) -> None:
    rules = mine(graph, Thresholds(inclusion=0.1, chain=0.1, cover=0.5))
    assert not rules.inclusions and not rules.down_first and rules.covers is not None
    assert replace_chains(rules).covers == rules.covers


@given(st.integers(0, 1000), st.sampled_from([0.5, 0.75]))
@settings(max_examples=15, deadline=None)
def test_what_is_mined_agrees_with_what_is_known(seed: int, share: float) -> None:
    """No known triple, nor one that is derived, breaks a rule: the circuit would refuse the evidence."""
    numbers = np.random.default_rng(seed)
    parts = {part: numbers.random((4, 9, 9)) < 0.25 for part in ("train", "valid", "test")}
    for cube in parts.values():
        cube[:, np.arange(9), np.arange(9)] = False
    parts["train"][1] |= numbers.random((9, 9)) < 0.6
    parts["train"][1, np.arange(9), np.arange(9)] = False
    parts["train"][3] = np.triu(np.ones((9, 9), bool), 1) & (numbers.random((9, 9)) < 0.15)
    graph = Graph(tuple(f"e{number}" for number in range(9)), ("a", "b", "c", "isa"), parts)
    rules = mine(graph, Thresholds(share, share, share))
    known = saturated(graph, rules)
    assert (known & closed(parts["train"], rules)).sum() == closed(parts["train"], rules).sum()
    above = members_of(graph)
    assert rules.covers is not None
    for role, (first, second) in enumerate(rules.covers):
        allowed = np.outer(above[:, list(first)].any(1), above[:, list(second)].any(1))
        assert not (known[role] & ~allowed).any()
    for low, high in rules.inclusions:
        assert not (known[low] & ~known[high]).any()
    fewer = thinned(graph, 0.5, seed=seed)
    everything = parts["train"] | parts["valid"] | parts["test"]
    assert (np.any(list(fewer.parts.values()), 0) == everything).all(), "what is left out is still true"


def test_a_perfect_score_has_the_first_rank(graph: Graph) -> None:
    truth = np.any(list(graph.parts.values()), 0)
    assert link_scores(graph, truth.astype(float), "test")["mrr"] == 1.0
    assert (link_scores(graph, 1.0 - truth, "test")["mrr"] or 1.0) < 0.5


def test_everything_else_is_said_to_be_false(graph: Graph) -> None:
    told = Told(graph, NOTHING, graph.parts["train"])
    examples = examples_of(told, task_of(graph, NOTHING), others=-1)
    assert examples.role_evidence is not None
    assert int((examples.role_evidence > 0).sum()) == graph.parts["train"].sum()
    assert len(examples) == len(all_pairs(len(graph.entities))) and not examples.task.reads_loops


# ---------------------------------------------------------------------------------------------------------- yeast


@given(st.integers(0, 10_000), st.sampled_from([0.3, 0.9]))
@settings(max_examples=40, deadline=None)
def test_labels_are_completed_by_what_every_world_agrees_on(seed: int, share: float) -> None:
    numbers = np.random.default_rng(seed)
    triples = {
        triple
        for role in numbers.choice(ROLES, 3)
        for triple in _followed(*(("a", str(role), "b") if numbers.random() < 0.5 else ("b", str(role), "a")))
    }
    edges = np.array([("ab".index(one), ROLES.index(role), "ab".index(other)) for one, role, other in sorted(triples)])
    full = pair_signs(np.array([[0, 1]]), edges, roles=len(ROLES), others=-1)
    assert (complete(full) == full).all() and broken(np.where(full > 0, 0.9, 0.1)) == 0.0
    seen = hide(full, share, seed=seed)
    whole = complete(seen)
    assert (whole[seen != 0] == seen[seen != 0]).all()
    assert (full[whole != 0] == whole[whole != 0]).all(), "nothing is added that is wrong here"
    for below, above in ABOVE:
        low, high = whole[:, ROLES.index(below)], whole[:, ROLES.index(above)]
        assert not ((low > 0) & (high <= 0)).any() and not ((high < 0) & (low >= 0))[:, [0, 1], [1, 0]].any()
    for role in SYMMETRIC:
        assert (whole[:, ROLES.index(role)] == whole[:, ROLES.index(role)].swapaxes(1, 2)).all()


def test_a_broken_hierarchy_is_seen() -> None:
    said = np.zeros((2, len(ROLES), 2, 2))
    said[0, ROLES.index("activates"), 0, 1] = 0.9
    assert broken(said) == 0.5


def test_terms_cover_all_that_is_seen() -> None:
    has_term = np.random.default_rng(0).random((30, 8)) < 0.3
    seen = np.flatnonzero(has_term.any(1))[:10]
    terms = cover_terms(has_term, seen)
    assert terms and has_term[seen][:, terms].any(1).all()
    assert cover_terms(np.zeros((3, 2), bool), np.array([1])) == []
