"""Do without auxiliary atoms by resolution, where that does not make the clauses many more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from itertools import product

from moose.base.unit_propagation import Clause

GROWTH = 16
"""How many clauses more an atom may leave behind, as in solvers that eliminate variables: what it ties together falls
apart without it."""
MOST_CLAUSES = 20_000
"""How many clauses there may be where atoms are to go at a higher price."""


def resolve_away(clauses: Iterable[Clause], atoms: Iterable[int], *, growth: int = GROWTH) -> list[Clause]:
    """Resolve on atoms (numbered as in DIMACS) one after the other, after which no clause mentions them.

    What clauses say of the other atoms stays the same (Davis and Putnam 1960); an atom stays where its resolvents would
    be many more, by `growth`, than the clauses that they replace. Where that is much, what another clause says is not
    said again.

        B ∨ X    ¬X ∨ C
        ────────────────
             B ∨ C

    >>> resolve_away([(-1, 3), (-2, 3), (-3, 4)], [3])
    [(-1, 4), (-2, 4)]
    """
    index = ClauseIndex(clauses, growth)
    queue = [(index.cost(atom), atom) for atom in atoms]
    auxiliary = {atom for _, atom in queue}
    heapify(queue)
    while queue:
        cost, atom = heappop(queue)
        if atom not in auxiliary:
            continue
        now = index.cost(atom)
        if now > cost:
            heappush(queue, (now, atom))
            continue
        changed = index.resolve(atom)
        if changed is not None:
            auxiliary.discard(atom)
            for other in sorted(changed & auxiliary):
                heappush(queue, (index.cost(other), other))
    return index.clauses()


class ClauseIndex:
    """Clauses that can be looked up by literal, added and removed."""

    def __init__(self, clauses: Iterable[Clause], growth: int = GROWTH) -> None:
        self._growth = growth
        self._is_thorough = growth > GROWTH
        self._clauses: dict[frozenset[int], None] = {}
        self._with: defaultdict[int, dict[frozenset[int], None]] = defaultdict(dict)
        for clause in clauses:
            self.add(frozenset(clause))

    def clauses(self) -> list[Clause]:
        """Return the clauses, literals in ascending order."""
        return [tuple(sorted(clause)) for clause in self._clauses]

    def add(self, clause: frozenset[int]) -> None:
        """Add a clause."""
        self._clauses[clause] = None
        for literal in clause:
            self._with[literal][clause] = None

    def remove(self, clause: frozenset[int]) -> None:
        """Take a clause out."""
        del self._clauses[clause]
        for literal in clause:
            del self._with[literal][clause]

    def cost(self, atom: int) -> int:
        """Bound how many clauses resolution on an atom makes."""
        return len(self._with[atom]) * len(self._with[-atom])

    def resolve(self, atom: int) -> set[int] | None:
        """Resolve on an atom; return the atoms of the resolvents, or None where these would be too many."""
        having, lacking = list(self._with[atom]), list(self._with[-atom])
        if self._is_thorough and len(self._clauses) > MOST_CLAUSES:
            return None
        resolvents = self._resolvents(atom, having, lacking)
        if resolvents is None:
            return None
        for clause in (*having, *lacking):
            self.remove(clause)
        for clause in resolvents:
            if not (self._is_thorough and self._is_subsumed(clause)):
                self.add(clause)
        return {abs(literal) for clause in resolvents for literal in clause}

    def _is_subsumed(self, clause: frozenset[int]) -> bool:
        """Return whether a clause says no more than another; each that does so has a literal with it in common."""
        return any(other <= clause for literal in clause for other in self._with[literal])

    def _resolvents(
        self, atom: int, having: Sequence[frozenset[int]], lacking: Sequence[frozenset[int]]
    ) -> list[frozenset[int]] | None:
        found: dict[frozenset[int], None] = {}
        for first, second in product(having, lacking):
            resolvent = (first - {atom}) | (second - {-atom})
            if not any(-literal in resolvent for literal in resolvent):
                found[resolvent] = None
                if len(found) > len(having) + len(lacking) + self._growth:
                    return None
        return list(found)
