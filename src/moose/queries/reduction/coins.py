"""Coins that stand for several axioms: all of them hold (in series), or one of them does (in parallel)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Coin:
    """What a new coin is made of: others, of which all must hold, or one."""

    parts: tuple[int, ...]
    is_parallel: bool


class Coins:
    """Axioms and what was made of them, by number, with the probability of each."""

    def __init__(self, probabilities: Mapping[int, Fraction], first_free: int) -> None:
        self.probabilities: dict[int, Fraction] = dict(probabilities)
        self._made: dict[int, Coin] = {}
        self._heaviest: dict[int, tuple[Fraction, Fraction]] = {}
        self._next = first_free

    def leave_free(self, first: int) -> None:
        """Give new coins numbers from here on, so that those below can be the numbers of facts."""
        self._next = max(self._next, first)

    def add(self, parts: Sequence[int], *, is_parallel: bool) -> int:
        """Make one coin of several independent ones, and return its number."""
        number, self._next = self._next, self._next + 1
        self._made[number] = Coin(tuple(parts), is_parallel)
        values = [self.probabilities[part] for part in parts]
        self.probabilities[number] = ONE - product([ONE - one for one in values]) if is_parallel else product(values)
        return number

    def axioms(self, coin: int) -> Iterator[int]:
        """Yield the axioms that a coin stands for."""
        stack = [coin]
        while stack:
            one = stack.pop()
            made = self._made.get(one)
            if made is None:
                yield one
            else:
                stack.extend(reversed(made.parts))

    def slopes(self, slopes: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """Return derivatives by the probabilities of axioms, from those by the probabilities of coins.

        In series, p = p₁ ⋯ pₙ, so that ∂p/∂pᵢ = p / pᵢ; in parallel the same holds of 1 − p and 1 − pᵢ.
        """
        result: dict[int, Fraction] = {}
        stack = list(slopes.items())
        while stack:
            coin, slope = stack.pop()
            made = self._made.get(coin)
            if made is None:
                result[coin] = slope
                continue
            whole = self.probabilities[coin]
            shares: dict[Fraction, Fraction] = {}  # a chain has many equally likely parts, and large fractions
            for part in made.parts:
                one = self.probabilities[part]
                if one not in shares:
                    share = (ONE - whole) / (ONE - one) if made.is_parallel else whole / one
                    shares[one] = share if slope == 1 else slope * share
                stack.append((part, shares[one]))
        return result

    def heaviest(self, coin: int) -> tuple[Fraction, Fraction]:
        """Return the weights of the heaviest worlds in which a coin holds, and in which it does not."""
        if coin not in self._heaviest:
            for number, value in self.probabilities.items():  # parts come before the whole
                made = self._made.get(number)
                self._heaviest[number] = (value, ONE - value) if made is None else self._heaviest_of(made)
        return self._heaviest[coin]

    def _heaviest_of(self, made: Coin) -> tuple[Fraction, Fraction]:
        pairs = [self._heaviest[part] for part in made.parts]
        if made.is_parallel:
            pairs = [(off, on) for on, off in pairs]
        together = product([on for on, _ in pairs])
        failing = product([max(pair) for pair in pairs]) * max(off / max(on, off) for on, off in pairs)
        return (failing, together) if made.is_parallel else (together, failing)

    def world(self, world: Mapping[int, bool]) -> dict[int, bool]:
        """Return which axioms hold in a heaviest world, from which coins do."""
        result: dict[int, bool] = {}
        stack = list(world.items())
        while stack:
            coin, holds = stack.pop()
            made = self._made.get(coin)
            if made is None:
                result[coin] = holds
            else:
                stack.extend(self._choose(made, holds=holds))
        return result

    def _choose(self, made: Coin, *, holds: bool) -> list[tuple[int, bool]]:
        """Return which parts hold in the heaviest world where the whole does, or does not."""
        if holds != made.is_parallel:
            return [(part, holds) for part in made.parts]
        pairs = [self.heaviest(part) for part in made.parts]
        chosen = {part: on > off for part, (on, off) in zip(made.parts, pairs, strict=True)}
        if holds not in chosen.values():
            costs = [(on / off if holds else off / on) for on, off in pairs]
            chosen[made.parts[costs.index(max(costs))]] = holds
        return list(chosen.items())


def product(values: Sequence[Fraction]) -> Fraction:
    """Multiply fractions; many are brought to their lowest terms once."""
    if len(values) == 2:
        return values[0] * values[1]
    return Fraction(prod(one.numerator for one in values), prod(one.denominator for one in values))
