"""Show that the disjuncts of a diagram exclude each other, pair by pair, each from pairs below it."""

from __future__ import annotations

from itertools import combinations, pairwise

from moose.circuit.diagram import Diagram

Pair = tuple[int, int]


class Exclusions:
    """Pairs of slots that cannot both hold, in an order in which each follows from those before it.

    Two slots exclude each other where they are opposite literals; where each element of one has a side that excludes
    the other slot; or where each element of one and each of the other have sides that exclude each other.
    """

    def __init__(self, diagram: Diagram) -> None:
        self._atoms = diagram.atom_count
        self._first = diagram.first_decision
        starts, primes, subs = diagram.starts.tolist(), diagram.primes.tolist(), diagram.subs.tolist()
        self._elements = [list(zip(primes[a:b], subs[a:b])) for a, b in pairwise(starts)]
        self.known: dict[Pair, bool] = {}
        self.order: list[Pair] = []

    def elements(self, slot: int) -> list[Pair]:
        """Return the elements of a decision; none for a literal or a constant."""
        return self._elements[slot - self._first] if slot >= self._first else []

    def exclude(self, one: int, other: int) -> bool:
        """Tell whether two slots exclude each other, and remember how."""
        pair = (one, other) if one < other else (other, one)
        found = self.known.get(pair)
        if found is None:
            found = self.known[pair] = self._find(*pair)
            if found:
                self.order.append(pair)
        return found

    def _find(self, low: int, high: int) -> bool:
        if high < self._first:
            return high < 2 * self._atoms and high - low == self._atoms
        if low == high:
            return False
        if all(self.exclude(low, prime) or self.exclude(low, sub) for prime, sub in self.elements(high)):
            return True
        if low < self._first:
            return False
        if all(self.exclude(high, prime) or self.exclude(high, sub) for prime, sub in self.elements(low)):
            return True
        return all(self.apart(mine, yours) for mine in self.elements(low) for yours in self.elements(high))

    def apart(self, mine: Pair, yours: Pair) -> bool:
        """Tell whether two elements exclude each other by one of their sides."""
        return any(self.exclude(one, other) for one in mine for other in yours)

    def show(self) -> Pair | None:
        """Show that the elements of every decision exclude each other; return two that were not shown to."""
        for row in self._elements:
            for mine, yours in combinations(row, 2):
                if not self.apart(mine, yours):
                    return mine
        return None
