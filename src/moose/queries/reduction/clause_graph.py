"""Horn clauses that are rewritten in place, looked up by head and by body."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from moose.queries.reduction.coins import Coins
from moose.saturation.recorded.horn import HornClause


class ClauseGraph:
    """Clauses by number; facts may be done away with, coins may be put together, goals stay."""

    def __init__(self, clauses: Iterable[HornClause], is_fact: Callable[[int], bool]) -> None:
        self._bodies: dict[int, set[int]] = {}
        self._head: dict[int, int] = {}
        self._concluding: defaultdict[int, set[int]] = defaultdict(set)
        self._using: defaultdict[int, set[int]] = defaultdict(set)
        self._is_fact = is_fact
        for number, (body, head) in enumerate(clauses):
            if head not in body:
                self._bodies[number], self._head[number] = set(body), head
                self._concluding[head].add(number)
                for atom in body:
                    self._using[atom].add(number)

    def clauses(self) -> list[HornClause]:
        """Return what the clauses say now, each once."""
        return list(dict.fromkeys((frozenset(body), self._head[number]) for number, body in self._bodies.items()))

    def _remove(self, number: int) -> None:
        for atom in self._bodies.pop(number):
            self._using[atom].discard(number)
        self._concluding[self._head.pop(number)].discard(number)

    def settle(self) -> None:
        """Leave out what holds anyway, and what can be derived in no world.

        ∅ → f    B ∪ {f} → h        no clause concludes f    B ∪ {f} → h
        ────────────────────        ─────────────────────────────────────
               B → h                           (nothing)
        """
        units = [number for number, body in self._bodies.items() if not body]
        while units:
            number = units.pop()
            if number not in self._bodies:
                continue
            head = self._head[number]
            for other in self._concluding[head] - {number}:
                self._remove(other)
            if not self._is_fact(head):
                continue
            self._remove(number)
            for other in list(self._using.pop(head, ())):
                self._bodies[other].discard(head)
                if not self._bodies[other]:
                    units.append(other)
        missing = [atom for atom in list(self._using) if self._is_missing(atom)]
        while missing:
            for number in list(self._using[missing.pop()]):
                head = self._head[number]
                self._remove(number)
                if self._is_missing(head):
                    missing.append(head)

    def _is_missing(self, atom: int) -> bool:
        return self._is_fact(atom) and not self._concluding[atom] and bool(self._using[atom])

    def inline(self) -> bool:
        """Put its only definition in place of a fact that is used once, or that is another atom; return if any was.

        B → f    C ∪ {f} → h
        ─────────────────────   no other clause concludes f
             B ∪ C → h
        """
        waiting = [atom for atom in self._concluding if self._is_fact(atom)]
        has_changed = False
        while waiting:
            fact = waiting.pop()
            if len(self._concluding[fact]) != 1 or not self._using[fact]:
                continue
            (number,) = self._concluding[fact]
            if len(self._bodies[number]) > 1 and len(self._using[fact]) > 1:
                continue
            has_changed = True
            waiting += self._unfold(fact, number)
        return has_changed

    def _unfold(self, fact: int, number: int) -> list[int]:
        """Unfold a fact, the smaller body into the larger one where it is used once; return what to look at next."""
        users = list(self._using.pop(fact))
        if len(users) == 1:
            (user,) = users
            head, rest = self._head[user], self._bodies[user] - {fact}
            self._bodies[user].discard(fact)
            if len(rest) <= len(self._bodies[number]):
                self._remove(user)
                self._concluding[fact].discard(number)
                return [*self._extend(number, rest, head), *(atom for atom in rest if self._is_fact(atom))]
        definition = list(self._bodies[number])
        self._remove(number)
        changed: list[int] = []
        for user in users:
            self._bodies[user].discard(fact)
            head = self._head[user]
            self._concluding[head].discard(user)
            changed += self._extend(user, definition, head)
        return [*changed, *(atom for atom in definition if self._is_fact(atom))]

    def _extend(self, number: int, atoms: Iterable[int], head: int) -> list[int]:
        """Add atoms to a body, and give the clause a head; a clause that says nothing goes."""
        for atom in atoms:
            self._bodies[number].add(atom)
            self._using[atom].add(number)
        self._head[number] = head
        self._concluding[head].add(number)
        if head in self._bodies[number]:
            self._remove(number)
        return [head] if self._is_fact(head) else []

    def in_series(self, coins: Coins, mergeable: set[int]) -> bool:
        """Make one coin of those that occur in the same clauses; return whether there were any."""
        groups: defaultdict[frozenset[int], list[int]] = defaultdict(list)
        for coin in sorted(mergeable):
            if self._using[coin]:
                groups[frozenset(self._using[coin])].append(coin)
        has_changed = False
        for numbers, several in groups.items():
            if len(several) > 1:
                has_changed = True
                self._replace(several, coins.add(several, is_parallel=False), numbers, mergeable)
        return has_changed

    def _replace(self, several: Sequence[int], coin: int, numbers: Iterable[int], mergeable: set[int]) -> None:
        for number in numbers:
            self._bodies[number].difference_update(several)
            self._bodies[number].add(coin)
            self._using[coin].add(number)
        for one in several:
            del self._using[one]
        mergeable.difference_update(several)
        mergeable.add(coin)

    def in_parallel(self, coins: Coins, mergeable: set[int]) -> bool:
        """Make one coin of those that each occur once, in clauses that say the same otherwise."""
        groups: defaultdict[HornClause, list[int]] = defaultdict(list)
        for coin in sorted(mergeable):
            if len(self._using[coin]) == 1:
                (number,) = self._using[coin]
                groups[frozenset(self._bodies[number] - {coin}), self._head[number]].append(coin)
        has_changed = False
        for (rest, _), several in groups.items():
            # A group that was made earlier in this pass may have changed what another says: it has its turn later.
            numbers = [next(iter(self._using[one])) for one in several if self._using.get(one)]
            if len(numbers) < len(several) or len(several) < 2:
                continue
            if any(self._bodies[number] != rest | {one} for number, one in zip(numbers, several, strict=True)):
                continue
            has_changed = True
            for number in numbers[1:]:
                self._remove(number)
            self._replace(several, coins.add(several, is_parallel=True), numbers[:1], mergeable)
        return has_changed

    def subsume(self) -> None:
        """Leave out clauses that say less than another with the same head, where there are few to compare."""
        for numbers in list(self._concluding.values()):
            if 1 < len(numbers) <= FEW_CLAUSES:
                for number in sorted(numbers, key=lambda one: (-len(self._bodies[one]), one)):
                    body = self._bodies[number]
                    if any(other != number and self._bodies[other] <= body for other in numbers):
                        self._remove(number)


FEW_CLAUSES = 64
"""Of one head, up to which each pair of clauses is compared."""
