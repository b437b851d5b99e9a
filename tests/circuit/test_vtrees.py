from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysdd.sdd import SddManager, Vtree

from moose.circuit.sdd.jobs import Job, whole_job
from moose.circuit.sdd.vtrees import Tree, balanced, candidates, leaves, linear, make_vtree, random_candidates
from tests.searching import examples


def test_a_vtree_needs_no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.mkstemp", None)
    assert read(SddManager.from_vtree(make_vtree(((1, 2), 3))).vtree()) == ((1, 2), 3)


def read(vtree: Vtree) -> Tree:
    """Return PySDD's vtree as pairs."""
    return int(vtree.var()) if vtree.is_leaf() else (read(vtree.left()), read(vtree.right()))


@pytest.mark.parametrize("count", range(1, 30))
def test_vtrees_are_shaped_as_pysdd_shapes_them(count: int) -> None:
    order = list(range(1, count + 1))
    for shape, name in ((balanced, "balanced"), (linear, "right")):
        expected = read(Vtree(count, order, name))
        assert shape(order) == expected
        assert read(SddManager.from_vtree(make_vtree(shape(order))).vtree()) == expected


@st.composite
def jobs(draw: st.DrawFn) -> Job:
    """Draw a job without clauses, but with individuals, roles, a separator and classes."""
    own, apart, named = draw(st.integers(0, 8)), draw(st.integers(0, 3)), draw(st.lists(st.integers(1, 3), max_size=2))
    total = max(1, own + apart + sum(named))
    own = total - apart - sum(named)
    nothing = np.zeros(0, np.int32)
    job = whole_job(total, nothing, np.zeros(1, np.int64), shape="best", minimise=True)
    return replace(
        job,
        separator=np.arange(own + 1, own + apart + 1, dtype=np.int32),
        names=np.arange(own + apart + 1, total + 1, dtype=np.int32),
        block_starts=np.cumsum([0, *named]).astype(np.int64),
        clusters=np.array(draw(st.lists(st.integers(-4, 3), min_size=own, max_size=own)), np.int32),
    )


@examples(200)
@given(jobs())
def test_every_vtree_to_try_has_every_variable_once(job: Job) -> None:
    trees = [*candidates(job), *random_candidates(job)]
    assert trees
    for tree in trees:
        assert sorted(leaves(tree)) == list(range(1, job.variable_count + 1))
        if len(job.separator) and len(job.separator) < job.variable_count:
            assert isinstance(tree, tuple)
            assert leaves(tree[0]) == job.separator.tolist()
