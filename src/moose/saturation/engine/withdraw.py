"""Undo what was found of contexts that were added for a while, so that the state is again as it was before.

Plain Python on arrays, as `kernel.py` is, and compiled by numba where it pays.
"""

from __future__ import annotations

from moose.saturation.engine.agenda import slot_of
from moose.saturation.engine.arrays import FRESH, LINK_ENTRIES, LINKS, NEGATIVES, SUBSUMERS, Integers, State, Theory


def withdraw_links(theory: Theory, state: State, count: int) -> None:
    """Take links away, the last first, until that many are left.

    A key is taken out of the hash table by leaving its slot empty: all that were put in after it go too, so that no
    other key is behind it.
    """
    mask = len(state.link_keys) - 1
    for entry in range(state.counters[LINK_ENTRIES] - 1, count - 1, -1):
        source, target, role = int(state.link_source[entry]), int(state.link_target[entry]), int(state.link_role[entry])
        state.backward_head[target] = state.backward_next[entry]
        state.backward_count[target] -= 1
        key = (source * len(theory.first) + target) * len(theory.left_row) + role
        slot = slot_of(key, mask)
        while state.link_keys[slot] != key:
            slot = (slot + 1) & mask
        state.link_keys[slot] = -1
    state.counters[LINK_ENTRIES] = count
    state.counters[LINKS] = count


def withdraw(theory: Theory, state: State, first: int, counters: Integers) -> None:
    """Forget all contexts from a number on, and the facts beyond those that there were by the counters then."""
    withdraw_links(theory, state, counters[LINK_ENTRIES])
    state.counters[SUBSUMERS] = counters[SUBSUMERS]
    state.counters[NEGATIVES] = state.counters[FRESH] = counters[NEGATIVES]
    for context in range(first, len(theory.first)):
        state.is_started[context] = False
        state.is_bottom[context] = False
        state.subsumer_head[context] = -1
        state.subsumer_count[context] = 0
        state.negative_head[context] = -1
        state.negative_weight[context] = 0
        state.backward_head[context] = -1
        state.backward_count[context] = 0
        state.forward_head[context] = -1
        state.forward_count[context] = 0
