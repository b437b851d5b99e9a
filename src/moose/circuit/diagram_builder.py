"""Gather the decisions of a diagram, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from moose.circuit.diagram import Diagram

Slots = npt.NDArray[np.int64]


@dataclass(eq=False)
class Builder:
    """Gathers the decisions of a diagram over n atoms, those of a bag at a time."""

    atom_count: int
    decisions: int = 0
    elements: int = 0
    lengths: list[Slots] = field(default_factory=list)
    primes: list[Slots] = field(default_factory=list)
    subs: list[Slots] = field(default_factory=list)

    @property
    def next_slot(self) -> int:
        """The slot of the next decision."""
        return 2 * self.atom_count + 2 + self.decisions

    def add(self, lengths: Slots, primes: Slots, subs: Slots) -> None:
        """Add decisions."""
        self.lengths.append(lengths)
        self.primes.append(primes)
        self.subs.append(subs)
        self.decisions += len(lengths)
        self.elements += len(primes)

    def product(self, factors: Sequence[Slots]) -> Slots:
        """Multiply columns of slots, row by row, in pairs, so that the products stay low.

        A pair that occurs in several rows is multiplied once.
        """
        if len(factors) == 1:
            return factors[0]
        true = 2 * self.atom_count
        rows = np.stack(factors)
        while len(rows) > 1:
            half = len(rows) // 2
            left, right = rows[:half], rows[half : 2 * half]
            is_product = (left != true) & (right != true)
            joined = np.where(left == true, right, left)
            lefts, rights, which = different_pairs(left[is_product], right[is_product])
            joined[is_product] = self.next_slot + which
            self.add(np.ones(len(lefts), dtype=np.int64), lefts, rights)
            rows = np.concatenate([joined, rows[2 * half :]])
        product: Slots = rows[0]
        return product

    def pairs(self, left: Slots, right: Slots) -> Slots:
        """Multiply two columns of slots, each pair anew; what is true is left out."""
        true = 2 * self.atom_count
        is_left, is_right = left != true, right != true
        if not is_right.any():
            return left
        if is_left.all() and is_right.all():
            product = self.next_slot + np.arange(len(left))
            self.add(np.ones(len(left), dtype=np.int64), left, right)
            return product
        product = np.where(is_left, left, right)
        is_product = is_left & is_right
        count = int(is_product.sum())
        product[is_product] = self.next_slot + np.arange(count)
        self.add(np.ones(count, dtype=np.int64), left[is_product], right[is_product])
        return product

    def diagram(self, root: int) -> Diagram:
        """Return the whole."""
        nothing = np.zeros(0, dtype=np.int64)
        lengths = np.concatenate([nothing, *self.lengths])
        return Diagram(
            self.atom_count,
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            np.concatenate([nothing, *self.primes]).astype(np.int32),
            np.concatenate([nothing, *self.subs]).astype(np.int32),
            root,
        )


def different_pairs(left: Slots, right: Slots) -> tuple[Slots, Slots, Slots]:
    """Return each pair of slots once, and for each place which of them stands there."""
    span = int(right.max(initial=0)) + 1
    code, which = np.unique(left * span + right, return_inverse=True)
    return code // span, code % span, which.reshape(-1)
