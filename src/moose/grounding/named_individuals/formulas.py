"""Propositional formulas with counting, in negation normal form, and the clauses that say the same.

A formula is a truth value, a literal as in DIMACS, a conjunction or disjunction, or that at least so many of several
formulas hold. Auxiliary literals stand for what is nested: they imply it, which is enough where nothing is negated
(Plaisted and Greenbaum 1986).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All parts hold."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Some part holds."""

    parts: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class AtLeast:
    """So many of the parts hold; more than one, and fewer than all."""

    count: int
    parts: tuple[Formula, ...]


Formula = bool | int | Conjunction | Disjunction | AtLeast


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return a formula that says all of several, flat and without what is true.

    >>> conjunction([1, True, Conjunction((2, 3))])
    Conjunction(parts=(1, 2, 3))
    """
    flat: dict[Formula, None] = {}
    for part in parts:
        if part is False:
            return False
        if part is not True:
            flat.update(dict.fromkeys(part.parts if isinstance(part, Conjunction) else (part,)))
    if any(isinstance(part, int) and -part in flat for part in flat):
        return False
    return next(iter(flat)) if len(flat) == 1 else Conjunction(tuple(flat)) if flat else True


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Return a formula that says one of several."""
    return negation(conjunction(map(negation, parts)))


def at_least(count: int, parts: Iterable[Formula]) -> Formula:
    """Return a formula that says that so many of several hold, each counted by itself.

    >>> at_least(2, [1, True, 2]), at_least(2, [1, False, 2])
    (Disjunction(parts=(1, 2)), Conjunction(parts=(1, 2)))
    """
    every = list(parts)
    needed = count - sum(part is True for part in every)
    open_ones = tuple(part for part in every if not isinstance(part, bool))
    if needed <= 0:
        return True
    if needed > len(open_ones):
        return False
    if needed == 1:
        return disjunction(open_ones)
    return conjunction(open_ones) if needed == len(open_ones) else AtLeast(needed, open_ones)


def at_most(count: int, parts: Iterable[Formula]) -> Formula:
    """Return a formula that says that no more than so many of several hold."""
    return negation(at_least(count + 1, parts))


def negation(formula: Formula) -> Formula:
    """Return the opposite, again in negation normal form.

    >>> negation(AtLeast(2, (1, 2, 3)))
    AtLeast(count=2, parts=(-1, -2, -3))
    """
    match formula:
        case bool():
            return not formula
        case int():
            return -formula
        case Conjunction(parts):
            return Disjunction(tuple(map(negation, parts)))
        case Disjunction(parts):
            return Conjunction(tuple(map(negation, parts)))
        case AtLeast(count, parts):
            return AtLeast(len(parts) - count + 1, tuple(map(negation, parts)))


@dataclass
class ClauseWriter:
    """Writes formulas as clauses, each nested one that needs it under an auxiliary literal of its own."""

    fresh: Callable[[], int]
    """Make an auxiliary literal."""
    clauses: dict[tuple[int, ...], None] = field(default_factory=dict)
    """What was written, each clause once."""
    _literals: dict[Formula, int] = field(default_factory=dict)

    def write(self, formula: Formula, *given: int) -> None:
        """Say that a formula holds, or else one of some literals.

        >>> writer = ClauseWriter(iter([8, 9]).__next__)
        >>> writer.write(Conjunction((1, Disjunction((2, 3)))), 7)
        >>> list(writer.clauses)
        [(1, 7), (2, 3, 7)]
        """
        match formula:
            case True:
                pass
            case Conjunction(parts):
                for part in parts:
                    self.write(part, *given)
            case Disjunction(parts):
                self._write_disjunction(parts, given)
            case AtLeast(count, parts) if is_short(count, len(parts)):
                for chosen in combinations(parts, len(parts) - count + 1):
                    self.write(disjunction(chosen), *given)
            case AtLeast(count, parts):
                self._add((self._counter(count, [self.literal(part) for part in parts]), *given))
            case _:
                self._add((*(() if formula is False else (formula,)), *given))

    def literal(self, formula: Formula) -> int:
        """Return a literal that implies a formula, which is no truth value."""
        if isinstance(formula, int):
            return formula
        if formula not in self._literals:
            self._literals[formula] = self.fresh()
            self.write(formula, -self._literals[formula])
        return self._literals[formula]

    def _write_disjunction(self, parts: Sequence[Formula], given: tuple[int, ...]) -> None:
        """Write a clause; of the parts that are no literals, the last is multiplied out."""
        literals = [part for part in _flat(parts) if isinstance(part, int)]
        nested = [part for part in _flat(parts) if not isinstance(part, int)]
        literals += [self.literal(part) for part in nested[:-1]]
        self.write(nested[-1] if nested else False, *literals, *given)

    def _counter(self, count: int, literals: Sequence[int]) -> int:
        """Return a literal that implies that so many literals hold, by a sequential counter (Sinz 2005).

        s(i, j): at least j of the first i hold
        s(i, j) → s(i-1, j) ∨ Lᵢ        s(i, j) → s(i-1, j-1)
        """
        key = AtLeast(count, tuple(literals))
        if key not in self._literals:
            last = len(literals)
            rows = {
                (i, j): self.fresh()
                for i in range(last, 0, -1)
                for j in range(count, 0, -1)
                if j <= i and count - j <= last - i
            }
            self._literals[key] = rows[last, count]
            for (i, j), here in rows.items():
                self._add((-here, literals[i - 1], *([rows[i - 1, j]] if (i - 1, j) in rows else [])))
                if j > 1:
                    self._add((-here, rows[i - 1, j - 1]))
        return self._literals[key]

    def _add(self, clause: tuple[int, ...]) -> None:
        once = set(clause)
        if not any(-literal in once for literal in once):
            self.clauses[tuple(sorted(once, key=abs))] = None


def _flat(parts: Iterable[Formula]) -> Iterator[Formula]:
    for part in parts:
        if isinstance(part, Disjunction):
            yield from _flat(part.parts)
        else:
            yield part


def is_short(count: int, of: int) -> bool:
    """Return whether a clause for each choice of parts takes no more of them than a counter does.

    >>> is_short(2, 3), is_short(4, 12)
    (True, False)
    """
    return comb(of, of - count + 1) <= 2 * count * of
