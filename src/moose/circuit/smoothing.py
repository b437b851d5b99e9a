"""Make a diagram smooth: every element of a decision mentions the same atoms, the root all of them."""

from __future__ import annotations

import numpy as np

from moose.circuit.diagram import Diagram
from moose.circuit.executor import as_lists


class _Growing:
    """A diagram that grows, and for sets of atoms (as bits of an integer) the slot that leaves them all free."""

    def __init__(self, atom_count: int) -> None:
        self.atom_count = atom_count
        self.starts = [0]
        self.primes: list[int] = []
        self.subs: list[int] = []
        self.free: dict[int, int] = {0: 2 * atom_count}

    def decision(self, elements: list[tuple[int, int]]) -> int:
        for prime, sub in elements:
            self.primes.append(prime)
            self.subs.append(sub)
        self.starts.append(len(self.primes))
        return 2 * self.atom_count + len(self.starts)

    def leave_free(self, gap: int) -> int:
        """Return a slot that is true whatever these atoms are, and mentions each of them: ⋀ (X ∨ ¬X)."""
        pending = []
        while gap not in self.free:
            pending.append(gap)
            gap &= gap - 1  # without its lowest atom
        rest = self.free[gap]
        for wider in reversed(pending):
            atom = (wider & -wider).bit_length() - 1
            rest = self.decision([(atom, rest), (self.atom_count + atom, rest)])
            self.free[wider] = rest
        return rest

    def conjunction(self, slot: int, gap: int) -> int:
        """Return the slot with these atoms mentioned too."""
        if not gap:
            return slot
        free = self.leave_free(gap)
        return free if slot == 2 * self.atom_count else self.decision([(slot, free)])

    def diagram(self, root: int) -> Diagram:
        primes, subs = np.array(self.primes, dtype=np.int32), np.array(self.subs, dtype=np.int32)
        return Diagram(self.atom_count, np.array(self.starts, dtype=np.int64), primes, subs, root)


def smoothed(diagram: Diagram) -> Diagram:
    """Return an equivalent diagram that is smooth; takes up to slots × atoms bits while it works.

    >>> nothing = np.zeros(0, np.int32)
    >>> smoothed(Diagram(2, np.zeros(1, np.int64), nothing, nothing, 0)).decision_count  # X₀ becomes X₀ ∧ (X₁ ∨ ¬X₁)
    2
    """
    growing = _Growing(diagram.atom_count)
    atoms = range(diagram.atom_count)
    scopes = [*(1 << atom for atom in atoms), *(1 << atom for atom in atoms), 0, 0]
    slots = list(range(diagram.first_decision))
    starts, primes, subs = as_lists(diagram)
    for decision in range(diagram.decision_count):
        elements = range(starts[decision], starts[decision + 1])
        scope = 0
        for element in elements:
            scope |= scopes[primes[element]] | scopes[subs[element]]
        filled = []
        for element in elements:
            gap = scope & ~(scopes[primes[element]] | scopes[subs[element]])
            filled.append((slots[primes[element]], growing.conjunction(slots[subs[element]], gap)))
        scopes.append(scope)
        slots.append(growing.decision(filled))
    if diagram.root == diagram.false:
        return growing.diagram(diagram.false)
    missing = ((1 << diagram.atom_count) - 1) & ~scopes[diagram.root]
    return growing.diagram(growing.conjunction(slots[diagram.root], missing))
