"""The hot loop: completion rules over integers, one context at a time.

A *context* is a concept C together with what is known of it: its subsumers (Σ), the links that leave it and reach it
(Λ). One context is active at a time; its subsumers are stamped in `marks`, so that asking "is C ⊑ D known?" costs one
array read. What the active context derives about another one is posted to that one's inbox. Each rule is one block
below under its sequent, with the name it has in the paper.

This file is plain Python on arrays and is run as it stands on small ontologies; `run.py` compiles the same
functions with numba for large ones. Nothing in here allocates: before each step the space it may take is checked, and
`run` returns NEEDS_SPACE for the caller to enlarge the arrays and go on.
"""

from __future__ import annotations

from moose.saturation.engine.agenda import (
    add_link,
    add_subsumer,
    has_space,
    is_new_link,
    post,
    retire,
    slot_of,
    store_link,
    store_subsumer,
    take_message,
)
from moose.saturation.engine.arrays import (
    ACTIVE,
    AGENDA,
    BASE,
    BOTTOM,
    COMPOSED,
    DONE,
    FLOOR,
    FRESH,
    FRESH_WEIGHT,
    LINK,
    MESSAGES,
    NEEDED,
    NEEDS_SPACE,
    NEGATIVES,
    PAUSED,
    STACK,
    STAMP,
    STEPS,
    TELLING,
    TOLD,
    UPGRADE,
    State,
    Theory,
)


def activate(theory: Theory, state: State, context: int) -> None:
    """Make a context the active one: stamp what it knows, or start it.

    R0              R⊤
        ──────          ──────
        C ⊑ C           C ⊑ ⊤
    """
    state.counters[ACTIVE] = context
    state.counters[FLOOR] = state.counters[STACK]
    state.counters[STAMP] += 2
    stamp = state.counters[STAMP]
    if not state.is_started[context]:
        state.is_started[context] = True
        add_subsumer(state, context, TOLD)
        add_subsumer(state, theory.top_of[context], COMPOSED)
        return
    entry = state.subsumer_head[context]
    while entry != -1:
        item = state.subsumer_item[entry]
        concept = item >> 2
        mark = stamp if item & 3 == COMPOSED else stamp + 1
        state.marks[concept] = max(mark, state.marks[concept])
        for row in range(theory.groups_ptr[concept], theory.groups_ptr[concept + 1]):
            state.group_marks[theory.groups[row]] = stamp
            state.group_members[theory.groups[row]] = concept
        entry = state.subsumer_next[entry]


def told_superclass(theory: Theory, state: State, concept: int) -> None:
    """R⊑

    C ⊑ D    D ⊑ E is told
    ───────────────────────
            C ⊑ E
    """
    for row in range(theory.told_ptr[concept], theory.told_ptr[concept + 1]):
        add_subsumer(state, theory.told[row], TOLD)


def disjoint(theory: Theory, state: State, concept: int) -> None:
    """Rdisjoint

    C ⊑ D    C ⊑ E    D and E are told disjoint
    ────────────────────────────────────────────
                    C ⊑ ⊥
    """
    stamp = state.counters[STAMP]
    for row in range(theory.groups_ptr[concept], theory.groups_ptr[concept + 1]):
        group = theory.groups[row]
        if state.group_marks[group] == stamp and state.group_members[group] != concept:
            add_subsumer(state, BOTTOM, TOLD)
        state.group_marks[group] = stamp
        state.group_members[group] = concept


def conjunction_plus(theory: Theory, state: State, context: int, concept: int) -> None:
    """R⊓+

    C ⊑ D    C ⊑ E    D ⊓ E occurs on a left-hand side
    ───────────────────────────────────────────────────
                    C ⊑ D ⊓ E
    """
    stamp = state.counters[STAMP]
    start = theory.conjoins_ptr[concept]
    stop = theory.conjoins_ptr[concept + 1]
    if stop - start <= state.subsumer_count[context]:
        for row in range(start, stop):
            if state.marks[theory.conjoins_other[row]] >= stamp:
                add_subsumer(state, theory.conjoins_result[row], COMPOSED)
        return
    concepts = len(theory.first)
    mask = len(theory.pair_keys) - 1
    entry = state.subsumer_head[context]
    while entry != -1:
        key = concept * concepts + (state.subsumer_item[entry] >> 2)
        slot = slot_of(key, mask)
        while theory.pair_keys[slot] != -1:
            if theory.pair_keys[slot] == key:
                add_subsumer(state, theory.pair_results[slot], COMPOSED)
                break
            slot = (slot + 1) & mask
        entry = state.subsumer_next[entry]


def note_negative(theory: Theory, state: State, context: int, concept: int) -> None:
    """Note C ⊑ D for those that have a link to C, if some ∃s.D occurs on a left-hand side."""
    weight = theory.somes_ptr[concept + 1] - theory.somes_ptr[concept]
    if weight == 0:
        return
    entry = state.counters[NEGATIVES]
    state.counters[NEGATIVES] = entry + 1
    state.negative_concept[entry] = concept
    state.negative_next[entry] = state.negative_head[context]
    state.negative_head[context] = entry
    state.negative_weight[context] += weight
    state.counters[FRESH_WEIGHT] += weight


def some_plus_backward(theory: Theory, state: State, context: int) -> bool:
    """R∃+, met from its second premise, for all D that were noted since the last time; False where space runs out.

    E → r → C    C ⊑ D    r ⊑* s    ∃s.D occurs on a left-hand side
    ────────────────────────────────────────────────────────────────
                              E ⊑ ∃s.D
    """
    roles = len(theory.left_row)
    link = state.counters[TELLING] if state.counters[TELLING] != -1 else state.backward_head[context]
    weight = state.counters[FRESH_WEIGHT]
    while link != -1:
        if state.counters[MESSAGES] + weight > len(state.inbox_item):
            state.counters[TELLING] = link
            state.counters[NEEDED] = weight
            return False
        base = state.link_role[link] * roles
        for entry in range(state.counters[FRESH], state.counters[NEGATIVES]):
            concept = state.negative_concept[entry]
            for row in range(theory.somes_ptr[concept], theory.somes_ptr[concept + 1]):
                if theory.is_subrole[base + theory.somes_role[row]]:
                    post(state, state.link_source[link], 4 * theory.somes_result[row] + COMPOSED)
        link = state.backward_next[link]
    state.counters[TELLING] = -1
    state.counters[FRESH] = state.counters[NEGATIVES]
    state.counters[FRESH_WEIGHT] = 0
    return True


def propagate_bottom(state: State, context: int) -> None:
    """R⊥, met from its second premise

    E → r → C    C ⊑ ⊥
    ───────────────────
           E ⊑ ⊥
    """
    state.is_bottom[context] = True
    link = state.backward_head[context]
    while link != -1:
        post(state, state.link_source[link], 4 * BOTTOM + TOLD)
        link = state.backward_next[link]


def decompose(theory: Theory, state: State, context: int, concept: int) -> None:
    """R⊓−, R∃− (with the ranges of r in D′) and Rself

    C ⊑ D ⊓ E         C ⊑ ∃r.D         C ⊑ ∃r.Self
    ──────────────    ────────────     ────────────
    C ⊑ D    C ⊑ E     C → r → D′       C → r → C
    """
    if theory.first[concept] >= 0:
        add_subsumer(state, theory.first[concept], TOLD)
        add_subsumer(state, theory.second[concept], TOLD)
    elif theory.some_role[concept] >= 0:
        add_link(theory, state, context, theory.some_target[concept], theory.some_role[concept])
    elif theory.self_role[concept] >= 0:
        add_link(theory, state, context, context, theory.self_role[concept])


def some_plus_forward(theory: Theory, state: State, target: int, role: int) -> None:
    """R∃+, met from its first premise

    C → r → D    D ⊑ E    r ⊑* s    ∃s.E occurs on a left-hand side
    ────────────────────────────────────────────────────────────────
                              C ⊑ ∃s.E
    """
    base = role * len(theory.left_row)
    entry = state.negative_head[target]
    while entry != -1:
        concept = state.negative_concept[entry]
        for row in range(theory.somes_ptr[concept], theory.somes_ptr[concept + 1]):
            if theory.is_subrole[base + theory.somes_role[row]]:
                add_subsumer(state, theory.somes_result[row], COMPOSED)
        entry = state.negative_next[entry]


def chain_forward(theory: Theory, state: State, context: int, target: int, role: int) -> None:
    """Rrchain, met from its first premise

    C → r → D    D → t → E    r ∘ t ⊑ s
    ────────────────────────────────────
                 C → s → E
    """
    base = theory.left_row[role] * theory.columns
    link = state.forward_head[target]
    while link != -1:
        cell = base + theory.right_column[state.link_role[link]]
        for row in range(theory.compositions_ptr[cell], theory.compositions_ptr[cell + 1]):
            add_link(theory, state, context, state.link_target[link], theory.compositions[row])
        link = state.forward_next[link]


def chain_backward(theory: Theory, state: State, context: int, target: int, role: int) -> None:
    """Rrchain, met from its second premise

    E → r → C    C → t → D    r ∘ t ⊑ s
    ────────────────────────────────────
                 E → s → D
    """
    roles = len(theory.left_row)
    column = theory.right_column[role]
    link = state.backward_head[context]
    while link != -1:
        row_of_left = theory.left_row[state.link_role[link]]
        if row_of_left >= 0:
            cell = row_of_left * theory.columns + column
            for row in range(theory.compositions_ptr[cell], theory.compositions_ptr[cell + 1]):
                result = theory.compositions[row]
                if is_new_link(theory, state, state.link_source[link], target, result):
                    post(state, state.link_source[link], 4 * (target * roles + result) + LINK)
        link = state.backward_next[link]


def apply_subsumer(theory: Theory, state: State, context: int, concept: int, kind: int) -> None:
    """Apply every rule that has C ⊑ D, for the active context C, as a premise."""
    store_subsumer(state, context, concept, kind)
    if concept == BOTTOM:
        propagate_bottom(state, context)
        return
    if kind != UPGRADE:
        told_superclass(theory, state, concept)
        disjoint(theory, state, concept)
        conjunction_plus(theory, state, context, concept)
        note_negative(theory, state, context, concept)
    if kind != COMPOSED:
        decompose(theory, state, context, concept)


def apply_link(theory: Theory, state: State, context: int, target: int, role: int) -> None:
    """Apply every rule that has C → r → D, for the active context C, as a premise."""
    store_link(theory, state, context, target, role)
    if state.is_bottom[target]:
        add_subsumer(state, BOTTOM, TOLD)  # R⊥, met from its first premise
    some_plus_forward(theory, state, target, role)
    if theory.left_row[role] >= 0:
        chain_forward(theory, state, context, target, role)
    if theory.right_column[role] >= 0:
        chain_backward(theory, state, context, target, role)


def space_for(theory: Theory, state: State, context: int, item: int) -> int:
    """Bound how many facts and messages the next step can add."""
    if item & 3 == LINK:
        roles = len(theory.left_row)
        target = (item >> 2) // roles
        role = (item >> 2) - target * roles
        onward = state.forward_count[target] * theory.left_bound[role]
        return int(
            state.negative_weight[target] + onward + state.backward_count[context] * theory.right_bound[role] + 8
        )
    concept = item >> 2
    told = theory.told_ptr[concept + 1] - theory.told_ptr[concept]
    conjunctions = min(
        theory.conjoins_ptr[concept + 1] - theory.conjoins_ptr[concept], state.subsumer_count[context] + 1
    )
    posts = state.backward_count[context] if concept == BOTTOM else 0
    return int(told + conjunctions + posts + 8)


def next_context(theory: Theory, state: State) -> int:
    """Activate the topmost context that has something to do and return it, or -1 when none has."""
    while state.counters[STACK] > state.counters[BASE]:
        state.counters[STACK] -= 1
        context = state.stack[state.counters[STACK] % len(state.stack)]
        state.is_queued[context] = False
        if not state.is_started[context] or state.inbox_head[context] != -1:
            activate(theory, state, context)
            return int(context)
    return -1


def wind_up(theory: Theory, state: State, context: int) -> bool:
    """Take a message, else tell those that have links to the active context, else retire; False without space."""
    if not has_space(state, 8):
        state.counters[NEEDED] = 8
        return False
    if state.counters[TELLING] == -1 and take_message(state, context):
        return True
    if state.counters[FRESH] < state.counters[NEGATIVES]:
        return some_plus_backward(theory, state, context)
    retire(state, context)
    return True


def run(theory: Theory, state: State, pause_after: int) -> int:
    """Apply the rules until nothing is left to do, space runs out, or that many steps are done."""
    roles = len(theory.left_row)
    stop = state.counters[STEPS] + pause_after
    context = state.counters[ACTIVE]
    while True:
        if context == -1:
            if not has_space(state, 8):
                state.counters[NEEDED] = 8
                return NEEDS_SPACE
            context = next_context(theory, state)
            if context == -1:
                return DONE
        if state.counters[AGENDA] == 0:
            if not wind_up(theory, state, context):
                return NEEDS_SPACE
            context = state.counters[ACTIVE]
            continue
        item = state.agenda[state.counters[AGENDA] - 1]
        needed = space_for(theory, state, context, item)
        if not has_space(state, needed):
            state.counters[NEEDED] = needed
            return NEEDS_SPACE
        state.counters[AGENDA] -= 1
        state.counters[STEPS] += 1
        if item & 3 == LINK:
            target = (item >> 2) // roles
            apply_link(theory, state, context, target, (item >> 2) - target * roles)
        else:
            apply_subsumer(theory, state, context, item >> 2, item & 3)
        if state.counters[STEPS] >= stop:
            return PAUSED
