"""A circuit without names: plain arrays in topological order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int32]
Pointers = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Diagram:
    """Sums of binary products over literals: deterministic and decomposable, in topological order.

    Every value has a *slot*. With n atoms, slot k < n is the literal of atom k, slot n + k its negation, slot 2n is ⊤,
    slot 2n + 1 is ⊥, and slot 2n + 2 + i is decision i, which is

        ⋁ { primes[e] ∧ subs[e] : starts[i] ≤ e < starts[i + 1] }

    where primes[e] and subs[e] are slots below 2n + 2 + i. The disjuncts exclude each other, the two sides of each
    conjunction share no atom. An atom that a disjunct does not mention is free in it: the circuit is not smooth, and
    evaluation accounts for that.
    """

    atom_count: int
    starts: Pointers
    primes: Indices
    subs: Indices
    root: int
    """The slot of the whole."""

    @property
    def true(self) -> int:
        """The slot of ⊤."""
        return 2 * self.atom_count

    @property
    def false(self) -> int:
        """The slot of ⊥."""
        return 2 * self.atom_count + 1

    @property
    def first_decision(self) -> int:
        """The slot of decision 0."""
        return 2 * self.atom_count + 2

    @property
    def decision_count(self) -> int:
        """How many decisions there are."""
        return len(self.starts) - 1

    @property
    def element_count(self) -> int:
        """How many products there are."""
        return len(self.primes)

    @property
    def slot_count(self) -> int:
        """How many values one evaluation has."""
        return self.first_decision + self.decision_count
