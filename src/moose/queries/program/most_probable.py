"""All minimal sets of axioms that entail a goal, most probable first."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING

from moose.queries.program.brackets import WorldCondition
from moose.queries.program.fact_diagrams import Labels

if TYPE_CHECKING:
    from pysdd.sdd import SddNode


def minimal_sets(
    labels: Labels,
    label: SddNode,
    condition: WorldCondition,
    probabilities: Mapping[int, Fraction],
) -> Iterator[frozenset[int]]:
    """Yield the minimal sets of axioms that entail the goal, most probable first.

    Where axioms that do not hold weigh nothing against a world, its weight is the probability of those that do: the
    heaviest world is a most probable set. Then the worlds that contain it are taken out, and so on.
    """
    manager = labels.manager
    weights = labels.weights(lambda axiom: (probabilities.get(axiom, Fraction(1)), Fraction(1)))
    while not label.is_false():
        world = labels.heaviest(label, weights)
        assert world is not None, "every axiom here is possible"
        justification = shrunk(condition, [axiom for axiom, holds in world.items() if holds], probabilities)
        yield justification
        together = manager.true()
        for axiom in sorted(justification):
            together = manager.conjoin(together, labels.axiom(axiom))
        label = manager.conjoin(label, manager.negate(together))


def shrunk(
    condition: WorldCondition,
    axioms: Collection[int],
    probabilities: Mapping[int, Fraction],
    *,
    kept: frozenset[int] = frozenset(),
) -> frozenset[int]:
    """Leave out axioms, but for some to keep, as long as the rest entails the goal.

    The least likely are tried first, many at a time: half of those that are left, then half of that, down to one.
    """
    trying = sorted(set(axioms) - kept, key=lambda one: (probabilities.get(one, Fraction(1)), one))
    needed: set[int] = set(kept)
    while trying:
        size = len(trying)
        while size and not condition.is_entailed(needed.union(trying[size:])):
            size //= 2
        if size:
            trying = trying[size:]
        else:
            needed.add(trying.pop(0))
    return frozenset(needed)


def probability_of(axioms: Collection[int], probabilities: Mapping[int, Fraction]) -> Fraction:
    """Return how likely axioms are to hold together."""
    return prod((probabilities.get(axiom, Fraction(1)) for axiom in axioms), start=Fraction(1))
