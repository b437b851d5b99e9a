"""Minimal sets of which a monotone condition holds, the smallest first, by minimum hitting sets.

A set of which the condition holds meets every set whose complement it fails for. So a smallest set that meets all those
found so far is either the next answer, or grows into another set to meet (Ignatiev, Previti, Liffiton, Marques-Silva
2015, *Smallest MUS extraction with minimal hitting set dualization*). The smallest hitting sets are RC2's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Protocol

from moose.base.minimal_subsets import grown, shrunk

if TYPE_CHECKING:
    from pysat.examples.hitman import Hitman

Elements = frozenset[int]


class MonotoneCondition(Protocol):
    """A condition that holds of every set that has a part of which it holds; more of it may be learnt."""

    def holds(self, elements: Collection[int]) -> bool:
        """Return whether it is known to hold."""
        ...

    def learn(self, elements: Collection[int]) -> bool:
        """Find out whether it holds of a set of which that is not known; if so, `holds` knows from now on."""
        ...


def smallest_sets(elements: Collection[int], condition: MonotoneCondition) -> Iterator[Elements]:
    """Yield the minimal sets of which a condition holds, the smallest first; all of them."""
    everything = frozenset(elements)
    if not condition.holds(everything) and not condition.learn(everything):
        return
    with hitting_sets() as hitting:
        while (chosen := hitting.get()) is not None:
            candidate = frozenset(chosen)
            if condition.holds(candidate):
                yield candidate
                if not candidate:
                    return
                hitting.block(candidate)
            else:
                for to_hit in sets_to_hit(candidate, everything, condition):
                    hitting.hit(to_hit)


def sets_to_hit(candidate: Elements, everything: Elements, condition: MonotoneCondition) -> Iterator[list[int]]:
    """Yield sets, no two with a common element, that every set of which the condition holds must meet."""
    world = candidate
    while not condition.holds(world):
        largest = frozenset(grown(world, sorted(everything - world), condition.holds))
        if not condition.learn(largest):
            missing = everything - largest
            yield sorted(missing)
            world |= missing


def smallest_repairs(elements: Collection[int], condition: MonotoneCondition) -> Iterator[Elements]:
    """Yield the minimal sets without which a condition does not hold, the smallest first; all of them."""
    everything = frozenset(elements)
    with hitting_sets() as hitting:
        while (chosen := hitting.get()) is not None:
            candidate = frozenset(chosen)
            rest = everything - candidate
            if condition.holds(rest):
                needed = shrunk(sorted(rest), condition.holds)
                if not needed:  # it holds whatever is left out
                    return
                hitting.hit(sorted(needed))
            elif not condition.learn(rest):
                yield candidate
                if not candidate:
                    return
                hitting.block(candidate)


def hitting_sets() -> Hitman:
    """Return an enumerator of hitting sets, those with the fewest elements first."""
    from pysat.examples.hitman import Hitman

    return Hitman(solver="g4", htype="sorted")
