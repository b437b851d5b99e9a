"""Index what was told for the kernel."""

from __future__ import annotations

import numpy as np

from moose.base.integer_arrays import distinct
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.owl.normal.role_hierarchy import refuse_compositions
from moose.saturation.engine.arrays import LITERAL, TOP, Flags, Indices, Integers, Theory

# The table of compositions has a row for each pair of roles that composes: 24 bytes, and as much again to sort it.
MOST_COMPOSITIONS = 1 << 24

Rows = tuple[Integers, tuple[Indices, ...]]


def index_theory(form: NormalForm, extra_told: Indices | None = None) -> Theory:
    """Index the normal form, with told rows (sub, sup) that rules outside the kernel have added."""
    concepts = len(form.kinds)
    ends = settled_ends(form)
    some_target = form.some_target.copy()
    some_target[ends] = form.second[ends]
    told = np.concatenate([form.told.rows[:, :2], settled_rows(form, ends)])
    told = told if extra_told is None else np.concatenate([told, extra_told])
    told_ptr, (told_sup,) = by_first(concepts, told)
    is_conjunction = form.kinds == Kind.CONJUNCTION
    is_some = form.kinds == Kind.SOME
    conjoins_ptr, (other, result) = by_first(concepts, recognised_conjunctions(form))
    pair_keys, pair_results = hash_pairs(concepts, conjoins_ptr, other, result)
    somes = np.flatnonzero(is_some & form.is_negative)
    somes_ptr, (somes_role, somes_result) = by_first(
        concepts, np.stack([form.second[somes], form.first[somes], somes], axis=1)
    )
    groups_ptr, (groups,) = by_first(
        concepts, pairs([(member, group) for group, (members, _) in enumerate(form.disjoint) for member in members])
    )
    columns, left_row, right_column, compositions_ptr, compositions = close_compositions(form)
    left_bound, right_bound = composition_bounds(left_row, right_column, columns, compositions_ptr)
    return Theory(
        told_ptr=told_ptr,
        told=told_sup,
        first=np.where(is_conjunction, form.first, -1).astype(np.int32),
        second=np.where(is_conjunction, form.second, -1).astype(np.int32),
        some_role=np.where(is_some, form.first, -1).astype(np.int32),
        some_target=some_target,
        self_role=np.where(form.kinds == Kind.SELF, form.first, -1).astype(np.int32),
        top_of=np.where(form.kinds == Kind.VALUES, LITERAL, TOP).astype(np.int32),
        conjoins_ptr=conjoins_ptr,
        conjoins_other=other,
        conjoins_result=result,
        pair_keys=pair_keys,
        pair_results=pair_results,
        somes_ptr=somes_ptr,
        somes_role=somes_role,
        somes_result=somes_result,
        groups_ptr=groups_ptr,
        groups=groups,
        is_subrole=form.is_subrole.ravel(),
        left_row=left_row,
        right_column=right_column,
        columns=columns,
        compositions_ptr=compositions_ptr,
        compositions=compositions,
        left_bound=left_bound,
        right_bound=right_bound,
    )


def settled_ends(form: NormalForm) -> Integers:
    """Return the ∃r.{b} that an individual is told to have, where r has ranges: b is known to be in these.

    Rnominal, before anything is derived, D being {b} with the ranges of r
        {a} ⊑ ∃r.{b} is told
        ─────────────────────
               {b} ⊑ D

    A link may then lead to {b}; else all that is derived of b would be derived of D once more.
    """
    below, above = form.told.column(0), form.told.column(1)
    is_ranged = (form.some_target >= 0) & (form.some_target != form.second)
    is_ranged &= form.kinds[form.second] == Kind.NOMINAL
    is_settled = np.zeros(len(form.kinds), dtype=np.bool_)
    is_settled[above[is_ranged[above] & (form.kinds[below] == Kind.NOMINAL)]] = True
    return np.flatnonzero(is_settled)


def settled_rows(form: NormalForm, ends: Integers) -> Indices:
    """Return what is told by these ends: rows (b, {b} with the ranges)."""
    return np.stack([form.second[ends], form.some_target[ends]], axis=1)


def pairs(rows: list[tuple[int, int]]) -> Indices:
    """Pack pairs of numbers."""
    return np.array(rows, dtype=np.int32).reshape(len(rows), 2)


def by_first(count: int, rows: Indices) -> Rows:
    """Group rows by their first number: pointers, and the other columns in the order of the groups."""
    order = np.argsort(rows[:, 0], kind="stable")
    pointers = np.zeros(count + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows[:, 0], minlength=count), out=pointers[1:])
    return pointers, tuple(rows[order, column].astype(np.int32) for column in range(1, rows.shape[1]))


def recognised_conjunctions(form: NormalForm) -> Indices:
    """Rows (conjunct, other conjunct, conjunction), both ways, of the conjunctions on left-hand sides."""
    both = np.flatnonzero((form.kinds == Kind.CONJUNCTION) & form.is_negative)
    first, second = form.first[both], form.second[both]
    return np.concatenate([np.stack([first, second, both], axis=1), np.stack([second, first, both], axis=1)])


def hash_pairs(concepts: int, pointers: Integers, other: Indices, result: Indices) -> tuple[Integers, Indices]:
    """Lay the conjunctions out as a hash table from conjunct·concepts + other conjunct.

    All keys are placed at once, each round giving every free slot to one of the keys that want it.
    """
    size = 16
    while size < 4 * len(other):
        size *= 2
    keys = np.full(size, -1, dtype=np.int64)
    values = np.zeros(size, dtype=np.int32)
    first = np.repeat(np.arange(concepts, dtype=np.int64), np.diff(pointers))
    waiting = first * concepts + other
    results = result
    slots = hash_slots(waiting, size - 1)
    while len(waiting):
        is_free = keys[slots] == -1
        keys[slots[is_free]] = waiting[is_free]
        placed = keys[slots] == waiting
        values[slots[placed]] = results[placed]
        waiting, results, slots = waiting[~placed], results[~placed], (slots[~placed] + 1) & (size - 1)
    return keys, values


def hash_slots(keys: Integers, mask: int) -> Integers:
    """Hash keys as the kernel's `slot_of` does."""
    mixed = ((keys ^ (keys >> 29)) & 0x7FFFFFFF) * np.int64(0x9E3779B1)
    return (mixed ^ (mixed >> 32)) & np.int64(mask)


def close_compositions(form: NormalForm) -> tuple[int, Indices, Indices, Integers, Indices]:
    """Return, for link roles r and t, the least s with r ∘ t ⊑* s: columns, rows and columns of roles, cells.

    A chain s₁ ∘ s₂ ⊑ s applies to all r ⊑* s₁ and t ⊑* s₂; super-roles of s are left to R∃+, which looks at r ⊑* s.
    """
    left_row = np.full(form.role_count, -1, dtype=np.int32)
    right_column = np.full(form.role_count, -1, dtype=np.int32)
    triples = []
    count = 0
    for left, right, result in dict.fromkeys(map(tuple, form.compositions.rows[:, :3].tolist())):
        below_left = np.flatnonzero(form.is_subrole[:, left])
        below_right = np.flatnonzero(form.is_subrole[:, right])
        count += len(below_left) * len(below_right)
        refuse_compositions(count, most=MOST_COMPOSITIONS)
        grid = np.stack(np.meshgrid(below_left, below_right, indexing="ij"), axis=-1).reshape(-1, 2)
        triples.append(np.column_stack([grid, np.full(len(grid), result)]))
    if not triples:
        return 0, left_row, right_column, np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.int32)
    left, right, result = np.concatenate(triples).T.astype(np.int64)
    keys = distinct((left * form.role_count + right) * form.role_count + result)
    pairs, results = np.divmod(keys, form.role_count)
    left, right = np.divmod(pairs, form.role_count)
    lefts, rights = distinct(left), distinct(right)
    refuse_compositions(len(lefts) * len(rights))
    left_row[lefts] = np.arange(len(lefts))
    right_column[rights] = np.arange(len(rights))
    cells = left_row[left].astype(np.int64) * len(rights) + right_column[right]
    kept = least_results(form.is_subrole, cells, results)
    pointers = np.zeros(len(lefts) * len(rights) + 1, dtype=np.int64)
    np.cumsum(np.bincount(cells[kept], minlength=len(pointers) - 1), out=pointers[1:])
    order = np.argsort(cells[kept], kind="stable")
    return len(rights), left_row, right_column, pointers, results[kept][order].astype(np.int32)


def least_results(is_subrole: Flags, cells: Integers, results: Indices) -> Flags:
    """Tell which results of a cell have no result strictly below them in the same cell; of equals, keep the first."""
    kept = np.ones(len(cells), dtype=np.bool_)
    order = np.argsort(cells, kind="stable")
    cells, results = cells[order], results[order]
    sizes = np.bincount(np.cumsum(np.append(False, cells[1:] != cells[:-1]))) if len(cells) else cells
    for distance in range(1, int(sizes.max(initial=1))):  # compare each row with those up to a cell's length away
        same = cells[distance:] == cells[:-distance]
        low, high = results[:-distance], results[distance:]
        down, up = is_subrole[low, high], is_subrole[high, low]
        kept[order[distance:][same & down]] = False
        kept[order[:-distance][same & up & ~down]] = False
    return kept


def composition_bounds(
    left_row: Indices, right_column: Indices, columns: int, pointers: Integers
) -> tuple[Integers, Integers]:
    """Return, for each role, the most results of one composition with it on the left, and on the right."""
    left = np.zeros(len(left_row), dtype=np.int64)
    right = np.zeros(len(left_row), dtype=np.int64)
    if columns:
        sizes = np.diff(pointers).reshape(-1, columns)
        left[left_row >= 0] = sizes.max(axis=1)[left_row[left_row >= 0]]
        right[right_column >= 0] = sizes.max(axis=0)[right_column[right_column >= 0]]
    return left, right
