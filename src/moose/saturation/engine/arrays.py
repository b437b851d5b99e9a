"""The arrays that the kernel reads and fills, and the numbers it knows by name.

How things are laid out:

- *Items.* What waits on the agenda or in an inbox is one number, 4·payload + kind. For a subsumer the payload is the
  concept; for a link it is target·roles + role. `item >> 2` is the payload, `item & 3` the kind.
- *Marks.* Each activation of a context takes a new even `STAMP`. `marks[D] == stamp` says that the active context is
  known to be below D, `stamp + 1` that D has been told and so decomposed too; anything less is from another context.
- *Lists.* All facts of a kind stand in one pool, in the order in which they were found. The facts of one context are a
  thread through the pool: `head[context]` is the last, `next[entry]` the one before, -1 the end.
- *Negatives.* Those that the active context has come to know stand in the pool from `FRESH` on. Before it retires, the
  links that lead to it are gone through once for all of them, `TELLING` being the one whose turn it is.
- *Scheduling.* `stack` holds the contexts with something to do, from `BASE` to `STACK`, both modulo its length. New
  contexts go on top; one that is sent a message goes to the bottom, where more may reach it before its turn. A context
  that starts others while it is active (the stack grows above `FLOOR`) is put below them when it retires, so that it
  next hears from all of them at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Integers = npt.NDArray[np.int64]
Indices = npt.NDArray[np.int32]
Flags = npt.NDArray[np.bool_]

TOP, BOTTOM, LITERAL = 0, 1, 2

DONE, NEEDS_SPACE, PAUSED = 0, 1, 2

# An item of the agenda or of an inbox is 4·payload + kind. A subsumer that was composed from what is below it needs no
# decomposition; one that comes from an axiom does, and a composed one may later be told (UPGRADE).
COMPOSED, TOLD, UPGRADE, LINK = 0, 1, 2, 3

# Positions in `State.counters`.
(
    STAMP,
    AGENDA,
    SUBSUMERS,
    NEGATIVES,
    FRESH,
    FRESH_WEIGHT,
    TELLING,
    LINKS,
    LINK_ENTRIES,
    MESSAGES,
    FREE,
    STACK,
    BASE,
    ACTIVE,
    FLOOR,
    NEEDED,
    STEPS,
) = range(17)
COUNTERS = 17


class Theory(NamedTuple):
    """What was told, indexed for the rules: a row of `x` is x[x_ptr[i]:x_ptr[i + 1]]."""

    told_ptr: Integers
    told: Indices
    first: Indices  # conjunction: first conjunct, else -1
    second: Indices
    some_role: Indices  # ∃r.D: r, else -1
    some_target: (
        Indices  # ∃r.D: the node a link leads to, D narrowed by the ranges of r unless D is settled to be in them
    )
    self_role: Indices  # ∃r.Self: r, else -1
    top_of: Indices  # ⊤ of the concept's sort
    conjoins_ptr: Integers  # D: the conjunctions D ⊓ E that occur on a left-hand side
    conjoins_other: Indices
    conjoins_result: Indices
    pair_keys: Integers  # the same as a hash table from D·n + E
    pair_results: Indices
    somes_ptr: Integers  # D: the ∃r.D that occur on a left-hand side
    somes_role: Indices
    somes_result: Indices
    groups_ptr: Integers  # D: the disjointness axioms D is a member of
    groups: Indices
    is_subrole: Flags  # r·roles + s: r ⊑* s
    left_row: Indices  # role as the left of a composition: its row, else -1
    right_column: Indices
    columns: int
    compositions_ptr: Integers  # row·columns + column: the least s with r ∘ t ⊑ s
    compositions: Indices
    left_bound: Integers  # role: the most compositions in its row
    right_bound: Integers


class State(NamedTuple):
    """The closure in the making. Lists are threads through pools: `head[c]`, then `next`, -1 at the end."""

    counters: Integers
    marks: Integers
    group_marks: Integers
    group_members: Indices
    is_started: Flags
    is_queued: Flags
    is_bottom: Flags
    stack: Indices
    agenda: Integers
    subsumer_head: Indices
    subsumer_count: Indices
    subsumer_item: Indices
    subsumer_context: Indices
    subsumer_next: Indices
    negative_head: Indices  # the subsumers D of a context with some ∃r.D on a left-hand side
    negative_weight: Integers
    negative_concept: Indices
    negative_next: Indices
    link_keys: Integers
    link_role: Indices  # link number: its role, source and target
    link_source: Indices
    link_target: Indices
    backward_head: Indices
    backward_count: Integers
    backward_next: Indices
    forward_head: Indices  # only links whose role can be the right of a composition
    forward_count: Integers
    forward_next: Indices
    inbox_head: Indices
    inbox_item: Integers
    inbox_next: Indices
