"""Propositional Horn programs: what holds anyway, what matters, and how to do without auxiliary atoms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable
from heapq import heapify, heappop, heappush
from itertools import product

FALSUM = -1
"""In place of a head: the body cannot hold."""

HornClause = tuple[frozenset[int], int]
"""Body → head."""


class DerivedFacts:
    """The least model of a Horn program that grows: what is derived by the clauses so far."""

    def __init__(self) -> None:
        self.facts: set[int] = set()
        self._waiting: dict[int, list[tuple[tuple[int, ...], int]]] = {}
        """Instances by a premise that is not derived yet."""

    def add(self, body: tuple[int, ...], head: int) -> None:
        """Add an instance, and derive what it makes derivable."""
        stack = [(body, head)]
        while stack:
            premises, fact = stack.pop()
            if fact in self.facts:
                continue
            missing = next((premise for premise in premises if premise not in self.facts), None)
            if missing is None:
                self.facts.add(fact)
                stack += self._waiting.pop(fact, ())
            else:
                self._waiting.setdefault(missing, []).append((premises, fact))


class IndexedClauses:
    """Clauses by what they wait for, for those who ask for many least models."""

    def __init__(self, clauses: Iterable[HornClause]) -> None:
        self.lengths: list[int] = []
        self._heads: list[int] = []
        self.waiting_on: defaultdict[int, list[int]] = defaultdict(list)
        self._units: list[int] = []
        for position, (body, head) in enumerate(clauses):
            self.lengths.append(len(body))
            self._heads.append(head)
            for atom in body:
                self.waiting_on[atom].append(position)
            if not body:
                self._units.append(head)

    def least_model(self, given: Iterable[int] = (), *, until: int | None = None) -> set[int]:
        """Return what follows from given atoms, or part of it in which `until` is, if that follows."""
        missing, heads, waiting_on = self.lengths.copy(), self._heads, self.waiting_on
        stack = list(dict.fromkeys((*given, *self._units)))
        true = set(stack)
        while stack and until not in true:
            for position in waiting_on.get(stack.pop(), ()):
                missing[position] -= 1
                if not missing[position] and heads[position] not in true:
                    true.add(heads[position])
                    stack.append(heads[position])
        return true


def least_model(clauses: Iterable[HornClause], given: Iterable[int] = ()) -> set[int]:
    """Return what follows from given atoms; FALSUM is among it when they contradict the clauses.

    >>> sorted(least_model([(frozenset(), 1), (frozenset([1, 2]), 3)], given=[2]))
    [1, 2, 3]
    """
    return IndexedClauses(clauses).least_model(given)


def simplified(clauses: Iterable[HornClause], certain: Collection[int]) -> list[HornClause]:
    """Leave out what holds anyway, and clauses that say nothing; each clause is kept once."""
    result: dict[HornClause, None] = {}
    for body, head in clauses:
        if head not in certain and head not in body:
            result[body.difference(certain), head] = None
    return list(result)


def useful(clauses: Iterable[HornClause], kept: Collection[int]) -> list[HornClause]:
    """Leave out clauses from which nothing follows about the atoms to keep, nor a contradiction."""
    rows = list(clauses)
    by_head: defaultdict[int, list[int]] = defaultdict(list)
    for position, (_, head) in enumerate(rows):
        by_head[head].append(position)
    stack = [FALSUM, *kept]
    wanted = set(stack)
    while stack:
        for position in by_head.get(stack.pop(), ()):
            new = rows[position][0] - wanted
            wanted |= new
            stack.extend(new)
    return [row for row in rows if row[1] in wanted]


def eliminate(clauses: Iterable[HornClause], is_auxiliary: Callable[[int], bool]) -> list[HornClause]:
    """Do without auxiliary atoms where that makes the program no longer; what is said of the others stays the same.

    Resolution on an atom v, after which no clause mentions it (Davis and Putnam 1960)
        B → v    v ∧ C → h
        ──────────────────
            B ∧ C → h
    """
    program = Program(clauses)
    heap = [(program.cost(atom), atom) for atom in program.atoms() if is_auxiliary(atom)]
    heapify(heap)
    while heap:
        cost, atom = heappop(heap)
        now = program.cost(atom)
        if now > cost:
            heappush(heap, (now, atom))
            continue
        for other in program.resolve_away(atom):
            if is_auxiliary(other):
                heappush(heap, (program.cost(other), other))
    return program.clauses()


class Program:
    """Clauses that can be looked up by head and by body, added and removed."""

    def __init__(self, clauses: Iterable[HornClause]) -> None:
        self._clauses: dict[HornClause, None] = {}
        self._heads: defaultdict[int, dict[HornClause, None]] = defaultdict(dict)
        self._bodies: defaultdict[int, dict[HornClause, None]] = defaultdict(dict)
        for clause in clauses:
            self.add(clause)

    def clauses(self) -> list[HornClause]:
        """Return what the program says now."""
        return list(self._clauses)

    def atoms(self) -> list[int]:
        """Return the atoms that occur, sorted."""
        return sorted({*self._heads, *self._bodies} - {FALSUM})

    def cost(self, atom: int) -> int:
        """Bound how many clauses resolution on an atom makes."""
        return len(self._heads[atom]) * len(self._bodies[atom])

    def add(self, clause: HornClause) -> None:
        """Add a clause unless it says nothing or another says more."""
        body, head = clause
        if head in body or clause in self._clauses or self._is_subsumed(body, head):
            return
        self._clauses[clause] = None
        self._heads[head][clause] = None
        for atom in body:
            self._bodies[atom][clause] = None

    def remove(self, clause: HornClause) -> None:
        """Take a clause out."""
        del self._clauses[clause]
        del self._heads[clause[1]][clause]
        for atom in clause[0]:
            del self._bodies[atom][clause]

    def resolve_away(self, atom: int) -> set[int]:
        """Resolve on an atom unless that adds clauses; return the atoms of the clauses that changed."""
        concluding, using = list(self._heads[atom]), list(self._bodies[atom])
        resolvents: dict[HornClause, None] = {}
        for (body, _), (other, head) in product(concluding, using):
            if head not in body and head not in other:
                resolvents[body | (other - {atom}), head] = None
                if len(resolvents) > len(concluding) + len(using):
                    return set()
        for clause in {*concluding, *using}:
            self.remove(clause)
        for clause in resolvents:
            self.add(clause)
        return {one for body, head in resolvents for one in (*body, head)} - {FALSUM, atom}

    def _is_subsumed(self, body: frozenset[int], head: int) -> bool:
        # Only short lists are looked through: a clause that says too little does no harm.
        for rival in (self._heads[head], self._heads[FALSUM]):
            if len(rival) <= 64 and any(other <= body for other, _ in rival):
                return True
        return False
