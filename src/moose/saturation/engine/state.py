"""Make and enlarge the arrays that the kernel fills."""

from __future__ import annotations

import numpy as np

from moose.base.memory import refuse_beyond_memory
from moose.saturation.engine.arrays import (
    ACTIVE,
    AGENDA,
    COUNTERS,
    FREE,
    LINK_ENTRIES,
    LINKS,
    MESSAGES,
    NEEDED,
    NEGATIVES,
    STAMP,
    SUBSUMERS,
    TELLING,
    Integers,
    State,
)
from moose.saturation.engine.told_axioms import hash_slots

POOLS = {
    "agenda": AGENDA,
    "subsumer_item": SUBSUMERS,
    "subsumer_context": SUBSUMERS,
    "subsumer_next": SUBSUMERS,
    "negative_concept": NEGATIVES,
    "negative_next": NEGATIVES,
    "link_role": LINK_ENTRIES,
    "link_source": LINK_ENTRIES,
    "backward_next": LINK_ENTRIES,
    "link_target": LINK_ENTRIES,
    "forward_next": LINK_ENTRIES,
    "inbox_item": MESSAGES,
    "inbox_next": MESSAGES,
}
"""Arrays that fill up, and the counter that says how far."""


def new_state(concepts: int, groups: int) -> State:
    """Make the arrays for that many concepts and disjointness axioms, with room for a few facts a concept."""
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[[ACTIVE, FREE, TELLING]] = -1
    counters[STAMP] = 0
    room = 1024 + 4 * concepts
    link_slots = 1 << (room - 1).bit_length()

    def heads() -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return np.full(concepts, -1, dtype=np.int32)

    return State(
        counters=counters,
        marks=np.zeros(concepts, dtype=np.int64),
        group_marks=np.zeros(groups, dtype=np.int64),
        group_members=np.zeros(groups, dtype=np.int32),
        is_started=np.zeros(concepts, dtype=np.bool_),
        is_queued=np.zeros(concepts, dtype=np.bool_),
        is_bottom=np.zeros(concepts, dtype=np.bool_),
        stack=np.zeros(concepts + 2, dtype=np.int32),
        agenda=np.zeros(1024, dtype=np.int64),
        subsumer_head=heads(),
        subsumer_count=np.zeros(concepts, dtype=np.int32),
        subsumer_item=np.empty(room, dtype=np.int32),
        subsumer_context=np.empty(room, dtype=np.int32),
        subsumer_next=np.empty(room, dtype=np.int32),
        negative_head=heads(),
        negative_weight=np.zeros(concepts, dtype=np.int64),
        negative_concept=np.empty(room, dtype=np.int32),
        negative_next=np.empty(room, dtype=np.int32),
        link_keys=np.full(link_slots, -1, dtype=np.int64),
        backward_head=heads(),
        backward_count=np.zeros(concepts, dtype=np.int64),
        link_role=np.empty(room, dtype=np.int32),
        link_source=np.empty(room, dtype=np.int32),
        link_target=np.empty(room, dtype=np.int32),
        backward_next=np.empty(room, dtype=np.int32),
        forward_head=heads(),
        forward_count=np.zeros(concepts, dtype=np.int64),
        forward_next=np.empty(room, dtype=np.int32),
        inbox_head=heads(),
        inbox_item=np.empty(room, dtype=np.int64),
        inbox_next=np.empty(room, dtype=np.int32),
    )


def enlarged(state: State) -> State:
    """Give every array that is nearly full at least twice its room."""
    needed = int(state.counters[NEEDED])
    larger = {}
    size = 0
    for name, counter in POOLS.items():
        pool = getattr(state, name)
        used = int(state.counters[counter])
        if used + needed + 8 > len(pool):
            grown = np.empty(max(2 * len(pool), used + 2 * needed + 8), dtype=pool.dtype)
            size += grown.nbytes
            refuse_beyond_memory(size)  # nothing of it has been touched, so nothing taken, until here
            grown[:used] = pool[:used]
            larger[name] = grown
    links = int(state.counters[LINKS])
    if 8 * (links + needed + 8) > 5 * len(state.link_keys):
        larger["link_keys"] = rehashed(state.link_keys, links + needed)
    return state._replace(**larger)


def rehashed(keys: Integers, wanted: int) -> Integers:
    """Lay the keys of a hash table out in one at least twice as large, at most a third full once it holds that many."""
    return hashed(keys[keys != -1], wanted, least=2 * len(keys))


def hashed(keys: Integers, wanted: int, *, least: int = 1) -> Integers:
    """Lay keys out in a hash table at most a third full once it holds that many; its size is a power of two."""
    size = least
    while size < 3 * wanted:
        size *= 2
    table = np.full(size, -1, dtype=np.int64)
    waiting, slots = keys, hash_slots(keys, size - 1)
    while len(waiting):
        is_free = table[slots] == -1
        table[slots[is_free]] = waiting[is_free]
        is_waiting = table[slots] != waiting
        waiting, slots = waiting[is_waiting], (slots[is_waiting] + 1) & (size - 1)
    return table
