"""Take up a saturation that is done: the kernel's arrays made again from its facts, with room for more contexts.

A context that is added leads to others, and no other leads to it; so what was known of the others stays as it is, and
what was found of the added ones can be withdrawn again (`withdraw.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.engine.arrays import (
    COMPOSED,
    FRESH,
    LINK_ENTRIES,
    LINKS,
    NEGATIVES,
    SUBSUMERS,
    TOLD,
    Indices,
    State,
    Theory,
)
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.state import hashed, new_state

LEAST_ROOM = 64
Number = TypeVar("Number", np.int32, np.int64)


def with_room(form: NormalForm, spare: int) -> NormalForm:
    """Return a normal form with that many more concepts, of which nothing is told."""

    def longer(column: Indices, filler: int) -> Indices:
        return np.concatenate([column, np.full(spare, filler, dtype=column.dtype)])

    return replace(
        form,
        kinds=longer(form.kinds, Kind.CLASS),
        first=longer(form.first, -1),
        second=longer(form.second, -1),
        is_negative=np.concatenate([form.is_negative, np.zeros(spare, dtype=np.bool_)]),
        some_target=longer(form.some_target, -1),
    )


def resumed(facts: Facts, theory: Theory, form: NormalForm) -> State:
    """Fill the kernel's arrays with facts, for a theory and its form that have the concepts of the facts and more.

    Whether a subsumer was composed or told is not kept among the facts. One that can have been composed is taken to
    have been: if it is told later, what it is decomposed into is known already, and nothing is lost.
    """
    concepts, known = len(form.kinds), len(facts.is_started)
    state = new_state(concepts, len(form.disjoint))
    state.is_started[:known] = facts.is_started
    state.is_bottom[:known] = facts.is_bottom
    is_composed = form.is_negative & ((form.kinds == Kind.SOME) | (form.kinds == Kind.CONJUNCTION))
    kinds = np.where(is_composed[facts.concepts], COMPOSED, TOLD)
    return _with_links(
        facts, theory, _with_subsumers(facts, theory, state, (4 * facts.concepts + kinds).astype(np.int32))
    )


def _with_subsumers(facts: Facts, theory: Theory, state: State, items: Indices) -> State:
    concepts = len(theory.first)
    head, following = threads(facts.contexts, concepts)
    weights = np.diff(theory.somes_ptr)[facts.concepts]
    is_negative = weights > 0
    negative_contexts = facts.contexts[is_negative]
    negative_head, negative_next = threads(negative_contexts, concepts)
    state.counters[SUBSUMERS] = len(items)
    state.counters[NEGATIVES] = state.counters[FRESH] = len(negative_contexts)
    return state._replace(
        subsumer_head=head,
        subsumer_count=np.bincount(facts.contexts, minlength=concepts).astype(np.int32),
        subsumer_item=roomy(items),
        subsumer_context=roomy(facts.contexts),
        subsumer_next=roomy(following),
        negative_head=negative_head,
        negative_weight=np.bincount(facts.contexts, weights=weights, minlength=concepts).astype(np.int64),
        negative_concept=roomy(facts.concepts[is_negative]),
        negative_next=roomy(negative_next),
    )


def _with_links(facts: Facts, theory: Theory, state: State) -> State:
    concepts, roles = len(theory.first), len(theory.left_row)
    count = len(facts.sources)
    backward_head, backward_next = threads(facts.targets, concepts)
    is_right = np.flatnonzero(theory.right_column[facts.roles] >= 0).astype(np.int32)
    forward_head, right_next = threads(facts.sources[is_right], concepts)
    forward_next = np.full(count, -1, dtype=np.int32)
    forward_next[is_right] = np.where(right_next >= 0, is_right[right_next], -1) if count else right_next
    has_next = forward_head >= 0
    forward_head[has_next] = is_right[forward_head[has_next]]
    keys = (facts.sources.astype(np.int64) * concepts + facts.targets) * roles + facts.roles
    state.counters[LINKS], state.counters[LINK_ENTRIES] = count, count
    return state._replace(
        link_keys=hashed(keys, count + LEAST_ROOM),
        link_role=roomy(facts.roles),
        link_source=roomy(facts.sources),
        link_target=roomy(facts.targets),
        backward_head=backward_head,
        backward_count=np.bincount(facts.targets, minlength=concepts).astype(np.int64),
        backward_next=roomy(backward_next),
        forward_head=forward_head,
        forward_count=np.bincount(facts.sources[is_right], minlength=concepts).astype(np.int64),
        forward_next=roomy(forward_next),
    )


def threads(owners: Indices, count: int) -> tuple[Indices, Indices]:
    """Thread entries through a pool by their owners: the last entry of each, and of each entry the one before.

    >>> head, before = threads(np.array([1, 0, 1], dtype=np.int32), 3)
    >>> head.tolist(), before.tolist()
    ([1, 2, -1], [-1, -1, 0])
    """
    order = np.argsort(owners, kind="stable").astype(np.int32)
    ordered = owners[order]
    is_same = ordered[1:] == ordered[:-1]
    head = np.full(count, -1, dtype=np.int32)
    before = np.full(len(owners), -1, dtype=np.int32)
    before[order[1:][is_same]] = order[:-1][is_same]
    is_last = np.append(~is_same, True)[: len(order)]
    head[ordered[is_last]] = order[is_last]
    return head, before


def roomy(pool: npt.NDArray[Number]) -> npt.NDArray[Number]:
    """Copy a pool into one with some room behind."""
    grown: npt.NDArray[Number] = np.empty(len(pool) + len(pool) // 8 + 1024, dtype=pool.dtype)
    grown[: len(pool)] = pool
    return grown
