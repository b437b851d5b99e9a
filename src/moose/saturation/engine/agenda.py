"""Where facts go when they are derived, and what is taken up next: agenda, inboxes, lists, the space they have.

Plain Python on arrays, compiled together with `kernel.py`.
"""

from __future__ import annotations

from moose.saturation.engine.arrays import (
    ACTIVE,
    AGENDA,
    BASE,
    FLOOR,
    FREE,
    LINK,
    LINK_ENTRIES,
    LINKS,
    MESSAGES,
    NEGATIVES,
    STACK,
    STAMP,
    SUBSUMERS,
    TOLD,
    UPGRADE,
    State,
    Theory,
)


def slot_of(key: int, mask: int) -> int:
    """Hash a key to a slot of a table of mask + 1 slots."""
    folded = (key ^ (key >> 29)) & 0x7FFFFFFF  # 31 bits, so that the product fits into 63 and never wraps
    mixed = folded * 0x9E3779B1
    return (mixed ^ (mixed >> 32)) & mask


def add_subsumer(state: State, concept: int, kind: int) -> None:
    """Put C ⊑ D on the agenda of the active context C, if it is new."""
    stamp = state.counters[STAMP]
    mark = state.marks[concept]
    if mark < stamp:
        state.marks[concept] = stamp + kind
        state.agenda[state.counters[AGENDA]] = 4 * concept + kind
        state.counters[AGENDA] += 1
    elif mark == stamp and kind == TOLD:
        state.marks[concept] = stamp + 1
        state.agenda[state.counters[AGENDA]] = 4 * concept + UPGRADE
        state.counters[AGENDA] += 1


def is_new_link(theory: Theory, state: State, source: int, target: int, role: int) -> bool:
    """Note the link C → r → D and return whether it was not known before."""
    key = (source * len(theory.first) + target) * len(theory.left_row) + role
    mask = len(state.link_keys) - 1
    slot = slot_of(key, mask)
    while state.link_keys[slot] != -1:
        if state.link_keys[slot] == key:
            return False
        slot = (slot + 1) & mask
    state.link_keys[slot] = key
    state.counters[LINKS] += 1
    return True


def enqueue(state: State, context: int) -> None:
    """Put a context on the stack of those with something to do."""
    state.is_queued[context] = True
    state.stack[state.counters[STACK] % len(state.stack)] = context
    state.counters[STACK] += 1


def enqueue_last(state: State, context: int) -> None:
    """Put a context below all those with something to do."""
    state.is_queued[context] = True
    state.counters[BASE] -= 1
    state.stack[state.counters[BASE] % len(state.stack)] = context


def add_link(theory: Theory, state: State, source: int, target: int, role: int) -> None:
    """Put the link C → r → D of the active context C on its agenda, if it is new, and start the context D."""
    if is_new_link(theory, state, source, target, role):
        state.agenda[state.counters[AGENDA]] = 4 * (target * len(theory.left_row) + role) + LINK
        state.counters[AGENDA] += 1
        if not state.is_started[target] and not state.is_queued[target]:
            enqueue(state, target)


def post(state: State, context: int, item: int) -> None:
    """Put an item into the inbox of a context."""
    free = state.counters[FREE]
    if free != -1:
        state.counters[FREE] = state.inbox_next[free]
    else:
        free = state.counters[MESSAGES]
        state.counters[MESSAGES] += 1
    state.inbox_item[free] = item
    state.inbox_next[free] = state.inbox_head[context]
    state.inbox_head[context] = free
    if not state.is_queued[context]:
        enqueue_last(state, context)


def store_subsumer(state: State, context: int, concept: int, kind: int) -> None:
    """Put C ⊑ D into the list of the active context C."""
    entry = state.counters[SUBSUMERS]
    state.counters[SUBSUMERS] = entry + 1
    state.subsumer_item[entry] = 4 * concept + kind
    state.subsumer_context[entry] = context
    state.subsumer_next[entry] = state.subsumer_head[context]
    state.subsumer_head[context] = entry
    if kind != UPGRADE:
        state.subsumer_count[context] += 1


def store_link(theory: Theory, state: State, context: int, target: int, role: int) -> None:
    """Put C → r → D into the lists of C and D."""
    entry = state.counters[LINK_ENTRIES]
    state.counters[LINK_ENTRIES] = entry + 1
    state.link_role[entry] = role
    state.link_source[entry] = context
    state.link_target[entry] = target
    state.backward_next[entry] = state.backward_head[target]
    state.backward_head[target] = entry
    state.backward_count[target] += 1
    if theory.right_column[role] >= 0:
        state.forward_next[entry] = state.forward_head[context]
        state.forward_head[context] = entry
        state.forward_count[context] += 1


def take_message(state: State, context: int) -> bool:
    """Move one message of the active context from its inbox to its agenda; False when there is none."""
    entry = state.inbox_head[context]
    if entry == -1:
        return False
    state.inbox_head[context] = state.inbox_next[entry]
    state.inbox_next[entry] = state.counters[FREE]
    state.counters[FREE] = entry
    item = state.inbox_item[entry]
    if item & 3 == LINK:
        state.agenda[state.counters[AGENDA]] = item
        state.counters[AGENDA] += 1
    else:
        add_subsumer(state, item >> 2, item & 3)
    return True


def retire(state: State, context: int) -> None:
    """End the activation; where it has started contexts, queue it below them, to hear from all of them at once."""
    floor = state.counters[FLOOR]
    height = state.counters[STACK]
    if height > floor and not state.is_queued[context]:
        state.is_queued[context] = True
        size = len(state.stack)
        state.stack[height % size] = state.stack[floor % size]
        state.stack[floor % size] = context
        state.counters[STACK] = height + 1
    state.counters[ACTIVE] = -1


def has_space(state: State, needed: int) -> bool:
    """Return whether every array can take that many more entries."""
    return bool(
        state.counters[AGENDA] + needed <= len(state.agenda)
        and state.counters[MESSAGES] + needed <= len(state.inbox_item)
        and state.counters[SUBSUMERS] + 2 <= len(state.subsumer_item)
        and state.counters[NEGATIVES] + 2 <= len(state.negative_concept)
        and state.counters[LINK_ENTRIES] + 2 <= len(state.link_role)
        and 8 * (state.counters[LINKS] + needed) <= 5 * len(state.link_keys)
    )
