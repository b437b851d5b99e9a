"""A diagram with fewer slots: products of two that only another product reads become one product of three."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import cast

import numpy as np

from moose.circuit.diagram import Diagram, Indices, Pointers
from moose.layer.kernels import joined_products as product_loops

COMPILE_FROM = 50_000  # elements; fewer take less time in plain Python than the compiled code takes to load


@dataclass(frozen=True, eq=False)
class Products:
    """Sums of products of several slots, a missing factor being ⊤.

    Slots are those of a diagram (literals, ⊤, ⊥, decisions in topological order), with fewer decisions.
    """

    starts: Pointers
    """For each decision its first element."""
    factors: Indices
    """Factor × element."""
    root: int
    slot_count: int
    """How many values one evaluation has."""


def make_products(diagram: Diagram) -> Products:
    """Write three factors where one product of two reads another that nobody else reads."""
    first = diagram.first_decision
    factors, is_gone = joined(diagram)
    lengths = np.diff(diagram.starts)
    is_kept = np.repeat(~is_gone, lengths)
    places = np.concatenate([np.arange(first), first + np.cumsum(~is_gone) - 1]).astype(np.int32)
    factors = np.ascontiguousarray(places[factors[:, is_kept]])
    starts = np.concatenate([[0], np.cumsum(lengths[~is_gone])]).astype(np.int64)
    return Products(starts, factors, int(places[diagram.root]), first + len(starts) - 1)


def joined(diagram: Diagram) -> tuple[Indices, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Return the factors of each element, and which decisions stand in others now."""
    first, count = diagram.first_decision, diagram.decision_count
    children = np.concatenate([diagram.primes, diagram.subs])
    uses = np.bincount(children[children >= first] - first, minlength=count)
    factors = np.full((3, diagram.element_count), diagram.true, dtype=np.int32)
    fates = np.zeros(count, dtype=np.int8)
    arrays = (diagram.starts, diagram.primes, diagram.subs)
    if diagram.element_count >= COMPILE_FROM:
        compiled_join()(*arrays, first, diagram.root, uses, *factors, fates)
        return factors, fates == product_loops.GONE
    rows, plain = factors.tolist(), fates.tolist()
    starts, primes, subs = (array.tolist() for array in arrays)
    firsts, seconds, thirds = rows
    product_loops.join_products(
        starts, primes, subs, first, int(diagram.root), uses.tolist(), firsts, seconds, thirds, plain
    )
    return np.array(rows, dtype=np.int32).reshape(factors.shape), np.array(plain, dtype=np.int8) == product_loops.GONE


def expand_products(diagram: Diagram, most: int) -> Products:
    """Write each product into all that read it, up to so many factors: more factors in all, in fewer levels."""
    first, true = diagram.first_decision, diagram.true
    starts, primes, subs = diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()
    parts: dict[int, list[int]] = {true: []}  # the factors of slots that need no decision of their own
    lengths, factors = list[int](), list[list[int]]()
    for decision in range(diagram.decision_count):
        slot = first + decision
        elements = [
            parts.get(prime, [prime]) + parts.get(sub, [sub])
            for prime, sub in zip(primes[starts[decision] : starts[decision + 1]], subs[starts[decision] :])
        ]
        for number, whole in enumerate(elements):
            if len(whole) > most:  # then the two sides stay apart
                prime, sub = primes[starts[decision] + number], subs[starts[decision] + number]
                elements[number] = [prime, sub]
        if len(elements) == 1 and len(elements[0]) <= most and slot != diagram.root:
            parts[slot] = elements[0]
        lengths.append(len(elements))
        factors += elements
    return _without_unread(diagram, lengths, factors, most)


def find_uses(made: Products, diagram: Diagram) -> tuple[Pointers, Indices]:
    """Return for each slot its first use, and three × use: where it is one of three factors, and the other two.

    There are none of ⊤ and ⊥. Of the uses of a slot those last in topological order stand first.
    """
    starts, factors = made.starts, made.factors
    first, true = diagram.first_decision, diagram.true
    decisions = np.repeat(first + np.arange(len(starts) - 1), np.diff(starts)).astype(np.int32)
    slots = factors.ravel()
    others = np.concatenate([factors[[1, 2]], factors[[0, 2]], factors[[0, 1]]], axis=1)
    others = np.where(others[0] == true, others[::-1], others)
    uses = np.concatenate([np.tile(decisions, 3)[None], others])
    is_used = (slots < true) | (slots >= first)
    slots, uses = slots[is_used], uses[:, is_used]
    order = np.lexsort((-uses[0], slots))
    counts = np.bincount(slots, minlength=first + len(starts) - 1)
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), np.ascontiguousarray(uses[:, order])


def _without_unread(diagram: Diagram, lengths: list[int], factors: list[list[int]], most: int) -> Products:
    """Leave out the decisions that nothing reads any more, and number the others."""
    first = diagram.first_decision
    ends = np.cumsum([0, *lengths]).tolist()
    is_read = [False] * len(lengths)
    if diagram.root >= first:
        is_read[diagram.root - first] = True
    for decision in range(len(lengths) - 1, -1, -1):
        if is_read[decision]:
            for element in factors[ends[decision] : ends[decision + 1]]:
                for slot in element:
                    if slot >= first:
                        is_read[slot - first] = True
    kept = np.flatnonzero(is_read)
    places = np.arange(diagram.slot_count)
    places[first + kept] = first + np.arange(len(kept))
    chosen = [element for one in kept.tolist() for element in factors[ends[one] : ends[one + 1]]]
    padded = [element + [diagram.true] * (most - len(element)) for element in chosen]
    table = places[np.array(padded, dtype=np.int64).reshape(len(padded), most)].T
    starts = np.concatenate([[0], np.cumsum(np.array(lengths, dtype=np.int64)[kept])]).astype(np.int64)
    root = int(places[diagram.root])
    return Products(starts, np.ascontiguousarray(table, dtype=np.int32), root, first + len(kept))


@cache
def compiled_join() -> Callable[..., None]:
    """Compile the loop."""
    from moose.base.compiled.numba_compilation import compile_functions

    return cast(Callable[..., None], compile_functions([product_loops], ["join_products"])["join_products"])
