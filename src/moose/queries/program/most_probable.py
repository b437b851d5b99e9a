"""All minimal sets of axioms that entail a goal, most probable first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from heapq import heapify, heappop, heappush
from math import log, prod
from typing import TYPE_CHECKING

from moose.queries.program.brackets import WorldCondition
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition
from moose.queries.program.program import GOAL, GoalProgram

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


def supporting(
    condition: WorldCondition,
    axioms: Collection[int],
    probabilities: Mapping[int, Fraction],
    kept: frozenset[int],
) -> Collection[int]:
    """Return few of some axioms, which entail the goal, that still do: those of a likely derivation of each part.

    Knuth's generalisation of Dijkstra's algorithm (1977): facts are settled in the order of how likely the axioms of a
    derivation are, each counted as often as it is used; to keep an axiom costs nothing.
    """
    if not isinstance(condition, Condition):
        return axioms
    holding, needed = set(axioms) | kept, set(kept)
    costs = {axiom: 0.0 if axiom in kept else -log(probabilities.get(axiom, Fraction(1))) for axiom in holding}
    for part in condition.parts:
        found = ((case.assumed, derivation(case.program, costs)) for case in part if case.assumed <= holding)
        first = next((assumed | used for assumed, used in found if used is not None), None)
        if first is None:  # it does not follow
            return axioms
        needed |= first
    return needed & holding


def derivation(program: GoalProgram, costs: Mapping[int, float]) -> set[int] | None:
    """Return the axioms of a cheap derivation of the goal; none if it does not follow."""
    clauses, users = program.clauses, program.indexed.waiting_on
    missing = program.indexed.lengths.copy()
    sums = [0.0] * len(clauses)
    heap = [(cost, atom, -1) for atom, cost in costs.items() if atom in users]
    heap += [(0.0, head, position) for position, (body, head) in enumerate(clauses) if not body]
    heapify(heap)
    by: dict[int, int] = {}
    while heap and GOAL not in by:
        cost, atom, clause = heappop(heap)
        if atom in by:
            continue
        by[atom] = clause
        for position in users.get(atom, ()):
            missing[position] -= 1
            sums[position] += cost
            if not missing[position]:
                heappush(heap, (sums[position], clauses[position][1], position))
    if GOAL not in by:
        return None
    seen, stack = {GOAL}, [GOAL]
    while stack:
        clause = by[stack.pop()]
        if clause >= 0:
            new = clauses[clause][0] - seen
            seen |= new
            stack += new
    return {atom for atom in seen if by[atom] < 0}


def shrunk(
    condition: WorldCondition,
    axioms: Collection[int],
    probabilities: Mapping[int, Fraction],
    *,
    kept: frozenset[int] = frozenset(),
    is_over: Callable[[], bool] = lambda: False,
) -> frozenset[int]:
    """Leave out axioms, but for some to keep, as long as the rest entails the goal and it is not over.

    The least likely are tried first, many at a time: half of those that are left, then half of that, down to one.
    """
    enough = supporting(condition, axioms, probabilities, kept)
    trying = sorted(set(enough) - kept, key=lambda one: (probabilities.get(one, Fraction(1)), one))
    needed: set[int] = set(kept)
    while trying:
        if is_over():
            return frozenset(needed.union(trying))
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
    values = [probabilities[axiom] for axiom in axioms if axiom in probabilities]
    return Fraction(prod(one.numerator for one in values), prod(one.denominator for one in values))
