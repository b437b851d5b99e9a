"""The oracle: every question answered by looking at all worlds, in exact arithmetic.

A theory of n ≤ 16 atoms is a table of 2ⁿ truth values with one axis per atom; sums and maxima over worlds fold it one
axis at a time. Weights are turned into integers first, because those are quick and as exact as fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, prod

import numpy as np
import numpy.typing as npt

from moose.grounding.atoms import Atom
from moose.grounding.clauses import AtomKind, Clauses

Pair = tuple[Fraction, Fraction]
"""The weight of an atom and the weight of its negation."""
Objects = npt.NDArray[np.object_]


@dataclass(frozen=True, eq=False)
class Worlds:
    """Which worlds are models: `table[1, 0]` says whether atom 0 true, atom 1 false is one. Atoms as in `atoms`."""

    atoms: tuple[Atom, ...]
    table: npt.NDArray[np.bool_]

    def given(self, evidence: Mapping[int, bool]) -> Worlds:
        """Keep the models in which these atoms (by position) have these values."""
        table = self.table.copy()
        for position, truth in evidence.items():
            np.moveaxis(table, position, 0)[int(not truth)] = False
        return Worlds(self.atoms, table)

    def count(self) -> int:
        """Count the models."""
        return int(self.table.sum())

    def models(self) -> list[tuple[bool, ...]]:
        """List the models in lexicographic order, false before true."""
        return [tuple(bool(value) for value in row) for row in np.argwhere(self.table)]

    def is_model(self, world: Sequence[bool]) -> bool:
        """Say whether a world is a model."""
        return bool(self.table[tuple(int(truth) for truth in world)])

    def wmc(self, weights: Sequence[Pair]) -> Fraction:
        """Add up the weights of all models."""
        return _fold(self.table, weights, lambda off, on: off + on)

    def posteriors(self, weights: Sequence[Pair]) -> list[Fraction]:
        """Return the probability of each atom by two counts per atom; the whole must not weigh zero."""
        whole = self.wmc(weights)
        return [self.given({position: True}).wmc(weights) / whole for position in range(len(self.atoms))]

    def best(self, weights: Sequence[Pair]) -> Fraction:
        """Return the weight of the heaviest model, zero if there is none."""
        return _fold(self.table, weights, np.maximum)

    def entailed(self) -> dict[int, bool]:
        """Return the atoms that have the same value in every model; there must be a model."""
        rows = np.argwhere(self.table)
        return {
            position: bool(rows[0, position]) for position in range(len(self.atoms)) if np.ptp(rows[:, position]) == 0
        }


def world_weight(world: Sequence[bool], weights: Sequence[Pair]) -> Fraction:
    """Multiply the weights of a world's literals."""
    return prod((pair[0] if truth else pair[1] for truth, pair in zip(world, weights)), start=Fraction(1))


def clamped(weights: Sequence[Pair], evidence: Mapping[int, bool]) -> list[Pair]:
    """Give what is observed weight one and its negation weight zero."""
    one, zero = Fraction(1), Fraction(0)
    known = {True: (one, zero), False: (zero, one)}
    return [known[evidence[k]] if k in evidence else pair for k, pair in enumerate(weights)]


def worlds_of(clauses: Clauses) -> Worlds:
    """Find all models by trying every world; auxiliary atoms are projected away, `given` literals are not applied."""
    size = len(clauses.atoms)
    assert size <= 20, "too many atoms to try every world"
    axes = [np.arange(2, dtype=bool).reshape([-1 if k == axis else 1 for k in range(size)]) for axis in range(size)]
    table = np.ones((2,) * size, dtype=bool)
    for clause in clauses:
        holds = np.zeros((1,) * size, dtype=bool)
        for literal in clause:
            holds = holds | (axes[abs(literal) - 1] == (literal > 0))
        table &= holds
    hidden = tuple(k for k, kind in enumerate(clauses.kinds) if kind == AtomKind.AUXILIARY)
    shown = tuple(atom for atom, kind in zip(clauses.atoms, clauses.kinds) if kind != AtomKind.AUXILIARY)
    return Worlds(shown, np.asarray(table.any(axis=hidden), dtype=bool))


def all_worlds(size: int) -> Iterator[tuple[bool, ...]]:
    """Yield every world in lexicographic order."""
    for number in range(2**size):
        yield tuple(bool(number >> (size - 1 - k) & 1) for k in range(size))


def _fold(
    table: npt.NDArray[np.bool_], weights: Sequence[Pair], join: Callable[[Objects, Objects], Objects]
) -> Fraction:
    scales = [lcm(on.denominator, off.denominator) for on, off in weights]
    values = table.astype(int).astype(object)
    for (on, off), scale in zip(weights, scales):
        values = join(values[0] * int(off * scale), values[1] * int(on * scale))
    return Fraction(int(values), prod(scales))
