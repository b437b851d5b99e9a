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
    """Sums of products of three slots, a missing factor being ⊤, and for each slot where it is a factor.

    Slots are those of a diagram (literals, ⊤, ⊥, decisions in topological order), with fewer decisions.
    """

    starts: Pointers
    """For each decision its first element."""
    factors: Indices
    """Three × element."""
    use_starts: Pointers
    """For each slot its first use; none for ⊤ and ⊥."""
    uses: Indices
    """Three × use: the decision in which it is a factor, and the other two factors."""
    root: int

    @property
    def slot_count(self) -> int:
        """How many values one evaluation has."""
        return len(self.use_starts) - 1


def make_products(diagram: Diagram) -> Products:
    """Join the products of a diagram, and number the decisions that are left."""
    first = diagram.first_decision
    factors, is_gone = joined(diagram)
    lengths = np.diff(diagram.starts)
    is_kept = np.repeat(~is_gone, lengths)
    places = np.concatenate([np.arange(first), first + np.cumsum(~is_gone) - 1]).astype(np.int32)
    factors = np.ascontiguousarray(places[factors[:, is_kept]])
    starts = np.concatenate([[0], np.cumsum(lengths[~is_gone])]).astype(np.int64)
    use_starts, uses = find_uses(starts, factors, diagram)
    return Products(starts, factors, use_starts, uses, int(places[diagram.root]))


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


def find_uses(starts: Pointers, factors: Indices, diagram: Diagram) -> tuple[Pointers, Indices]:
    """Return for each slot the decisions in which it is a factor, those first in topological order last."""
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


@cache
def compiled_join() -> Callable[..., None]:
    """Compile the loop."""
    from moose.base.numba_compilation import compile_functions

    return cast(Callable[..., None], compile_functions([product_loops], ["join_products"])["join_products"])
