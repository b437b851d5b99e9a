"""What is shown of labels, and what the theory says besides: against all worlds of small hierarchies."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import moose
from moose.base.errors import MooseError
from moose.datasets.hierarchies.hiding import USUAL, Shown, read_shown, show_labels
from moose.datasets.hierarchies.hierarchy import (
    Hierarchy,
    ancestors,
    complete_evidence,
    hierarchy_ontology,
    label_truth,
    make_hierarchy,
    part_of_hierarchy,
    with_disjoint_siblings,
)
from moose.datasets.hierarchies.labelled import hierarchy_task

NAMES = "abcdef"


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """Draw a small graph, perhaps with disjoint pairs; classes may stand below disjoint ones."""
    names = NAMES[: draw(st.integers(1, len(NAMES)))]
    order = draw(st.permutations(names))
    later = [(low, high) for place, low in enumerate(order) for high in order[:place]]
    pairs = draw(st.lists(st.sampled_from(later), unique=True)) if later else []
    disjoint = draw(st.lists(st.sampled_from(later), unique=True, max_size=2)) if later else []
    return make_hierarchy(names, pairs, disjoint=disjoint)


def worlds(hierarchy: Hierarchy) -> NDArray[np.int8]:
    """Return all worlds that the theory allows, one after the other."""
    found = [
        world
        for world in product((1, -1), repeat=len(hierarchy))
        if all(world[high] > 0 for low, highs in enumerate(hierarchy.parents) if world[low] > 0 for high in highs)
        and not any(world[one] > 0 and world[other] > 0 for one, other in hierarchy.disjoint)
    ]
    return np.array(found, dtype=np.int8)


def entailed(allowed: NDArray[np.int8], evidence: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return what is the same in all worlds that agree with the evidence."""
    agreeing = allowed[((evidence == 0) | (allowed == evidence)).all(axis=1)]
    return np.where((agreeing == agreeing[0]).all(axis=0), agreeing[0], 0).astype(np.int8)


@given(hierarchies(), st.data())
def test_completed_evidence_is_what_the_theory_entails(hierarchy: Hierarchy, data: st.DataObject) -> None:
    allowed = worlds(hierarchy)
    world = allowed[data.draw(st.integers(0, len(allowed) - 1))]
    is_shown = np.array(data.draw(st.lists(st.booleans(), min_size=len(world), max_size=len(world))))
    evidence = np.where(is_shown, world, 0).astype(np.int8)
    assert complete_evidence(hierarchy, evidence[None])[0].tolist() == entailed(allowed, evidence).tolist()


@given(hierarchies(), st.data())
def test_labels_that_no_world_has_are_refused(hierarchy: Hierarchy, data: st.DataObject) -> None:
    signs = data.draw(st.lists(st.sampled_from((-1, 0, 1)), min_size=len(hierarchy), max_size=len(hierarchy)))
    evidence = np.array(signs, dtype=np.int8)
    allowed = worlds(hierarchy)
    if ((evidence == 0) | (allowed == evidence)).all(axis=1).any():
        complete_evidence(hierarchy, evidence[None])
    else:
        with pytest.raises(MooseError, match="contradict"):
            complete_evidence(hierarchy, evidence[None])


@settings(max_examples=25)
@given(hierarchies())
def test_the_circuit_of_the_task_has_the_worlds_of_the_hierarchy(hierarchy: Hierarchy) -> None:
    task = hierarchy_task(hierarchy, lambda name: f"http://example.org/{name}")
    assert [concept.name for concept in task.concepts] == list(hierarchy.names)
    assert moose.compile_circuit(moose.ground(task)).model_count([]) == len(worlds(hierarchy))


@given(hierarchies(), st.lists(st.sets(st.sampled_from(NAMES)), min_size=1, max_size=4))
def test_a_label_brings_all_above_it(hierarchy: Hierarchy, drawn: list[set[str]]) -> None:
    labels = [own & set(hierarchy.names) for own in drawn]
    above, truth = ancestors(hierarchy), label_truth(hierarchy, labels)
    for own, signs in zip(labels, truth):
        expected = {
            hierarchy.names[high]
            for low, name in enumerate(hierarchy.names)
            if name in own
            for high in np.flatnonzero(above[low]).tolist()
        }
        assert {name for name, sign in zip(hierarchy.names, signs.tolist()) if sign > 0} == expected


@pytest.fixture(scope="module")
def wide() -> Hierarchy:
    """Return a tree of three levels with ten classes below each."""
    names = [f"{a}" for a in range(10)] + [f"{a}.{b}" for a in range(10) for b in range(10)]
    names += [f"{name}.{c}" for name in names[10:] for c in range(3)]
    return make_hierarchy(names, [(name, name.rpartition(".")[0]) for name in names if "." in name])


def one_path_each(hierarchy: Hierarchy, count: int = 60) -> NDArray[np.int8]:
    leaves = [name for name in hierarchy.names if name.count(".") == 2]
    chosen = np.random.default_rng(3).choice(leaves, size=count)
    return label_truth(hierarchy, [[name] for name in chosen.tolist()])


@pytest.mark.parametrize("word", USUAL)
def test_what_is_shown_is_true_and_decided_by_the_seed(wide: Hierarchy, word: str) -> None:
    truth, shown = one_path_each(wide), read_shown(word)
    one, same, other = (show_labels(wide, truth, shown, seed=seed, split="train") for seed in (1, 1, 2))
    assert (one[one != 0] == truth[one != 0]).all()
    assert (one == same).all()
    drawn = bool(shown.number) and shown.kind != "coarse"
    assert (one != other).any() == drawn
    assert (show_labels(wide, truth, shown, seed=1, split="valid") != one).any() == drawn
    assert (complete_evidence(wide, one) == one).all()


def test_more_hidden_is_less_shown(wide: Hierarchy) -> None:
    truth = one_path_each(wide)
    for kind in ("hidden", "positives"):
        few, many = (show_labels(wide, truth, Shown(kind, n), seed=0, split="train") for n in (50, 90))
        assert (few[many != 0] == many[many != 0]).all()
        assert (many != 0).sum() < (few != 0).sum() < truth.size


def test_the_share_hidden_is_as_said(wide: Hierarchy) -> None:
    truth = one_path_each(wide, 200)
    flat = make_hierarchy(wide.names, [])  # where nothing follows from anything
    for percent in (10, 50, 97):
        evidence = show_labels(flat, truth, Shown("hidden", percent), seed=0, split="train")
        assert (evidence == 0).mean() == pytest.approx(percent / 100, abs=0.005)
        positive = show_labels(flat, truth, Shown("positives", percent), seed=0, split="train")
        assert not (positive < 0).any()
        assert (positive > 0).sum() / (truth > 0).sum() == pytest.approx(1 - percent / 100, abs=0.06)


def test_coarse_shows_what_is_above_a_depth_and_what_follows(wide: Hierarchy) -> None:
    truth = one_path_each(wide)
    evidence = show_labels(wide, truth, Shown("coarse", 2), seed=0, split="train")
    assert (evidence[:, wide.depths <= 2] == truth[:, wide.depths <= 2]).all()
    assert ((evidence > 0).sum(axis=1) == 2).all()
    deep = wide.depths == 3
    parents = np.array([highs[0] if highs else -1 for highs in wide.parents])
    assert (evidence[:, deep] == np.where(truth[:, parents[deep]] < 0, -1, 0)).all()


def test_positives_alone_say_nothing_else_unless_classes_are_disjoint(wide: Hierarchy) -> None:
    truth = one_path_each(wide)
    assert (show_labels(wide, truth, Shown("positives"), seed=0, split="train") == np.maximum(truth, 0)).all()
    disjoint = with_disjoint_siblings(wide)
    evidence = show_labels(disjoint, truth, Shown("positives"), seed=0, split="train")
    assert (evidence == truth).all()  # with one whole path each, siblings decide everything
    assert len(disjoint.disjoint) == 45 * 11 + 3 * 100


def test_siblings_of_a_graph_are_not_declared_disjoint() -> None:
    with pytest.raises(MooseError, match="trees only"):
        with_disjoint_siblings(make_hierarchy("abc", [("c", "a"), ("c", "b")]))


def test_a_circle_is_refused() -> None:
    with pytest.raises(MooseError, match="circle"):
        make_hierarchy("abc", [("a", "b"), ("b", "c"), ("c", "a")])


def test_depth_is_the_shortest_way_and_parts_keep_their_edges() -> None:
    whole = make_hierarchy("abcd", [("b", "a"), ("c", "b"), ("c", "a"), ("d", "c")], disjoint=[("a", "b")])
    assert dict(zip(whole.names, whole.depths.tolist())) == {"a": 1, "b": 2, "c": 2, "d": 3}
    part = part_of_hierarchy(whole, np.array([name != "d" for name in whole.names]))
    assert (part.names, part.parents, part.disjoint) == (whole.names[:3], whole.parents[:3], whole.disjoint)
    assert len(hierarchy_ontology(part, lambda name: f"http://example.org/{name}").axioms) == 4


@pytest.mark.parametrize("word", ["hidden", "hidden0", "hidden100", "coarse", "coarse0", "positives0", "hidden9x"])
def test_words_that_say_nothing_are_refused(word: str) -> None:
    with pytest.raises(MooseError, match="expected hiddenPERCENT"):
        read_shown(word)


@pytest.mark.parametrize("word", USUAL)
def test_words_are_written_as_they_are_read(word: str) -> None:
    assert str(read_shown(word)) == word
