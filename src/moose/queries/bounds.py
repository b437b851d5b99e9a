"""Bounds that hold at any time: worlds are split where it matters most, and those that are settled are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from moose.queries.conditions import Condition


@dataclass(frozen=True)
class Bounds:
    """A probability lies between these."""

    lower: Fraction
    upper: Fraction


def bound(
    conditions: Sequence[Condition], probabilities: Mapping[int, Fraction], is_over: Callable[[], bool]
) -> Bounds:
    """Bound the probability that all conditions hold; exact when time suffices.

    A set of worlds is given by axioms that hold and axioms that do not, the rest being open. Entailment grows with the
    axioms, so that a goal that follows from the first alone holds in all of these worlds, and one that does not follow
    even from all but the second holds in none.
    """
    order = branching_order(conditions)
    lower, upper = Fraction(0), Fraction(1)
    heap: list[tuple[Fraction, int, frozenset[int], frozenset[int]]] = []
    count = 0
    waiting: list[tuple[Fraction, frozenset[int], frozenset[int]]] = [(Fraction(1), frozenset(), frozenset(order))]
    while True:
        for weight, surely, possibly in waiting:
            verdict = judge(conditions, surely, possibly)
            if verdict is None:
                count += 1
                heappush(heap, (-weight, count, surely, possibly))
            elif verdict:
                lower += weight
            else:
                upper -= weight
        if not heap or is_over():
            return Bounds(lower, upper)
        negated, _, surely, possibly = heappop(heap)
        axiom = next(one for one in order if one in possibly and one not in surely)
        share = probabilities[axiom]
        waiting = [
            (-negated * share, surely | {axiom}, possibly),
            (-negated * (1 - share), surely, possibly - {axiom}),
        ]


def judge(conditions: Sequence[Condition], surely: frozenset[int], possibly: frozenset[int]) -> bool | None:
    """Tell whether all conditions hold in every world between two, or one of them in none; None for neither."""
    found: bool | None = True
    for condition in conditions:
        least, most = condition.is_entailed(surely), condition.is_entailed(possibly)
        holds = None if least != most else least != condition.goal.is_negated
        if holds is False:
            return False
        found = None if holds is None else found
    return found


def branching_order(conditions: Sequence[Condition]) -> list[int]:
    """Return the axioms, those in most clauses first."""
    counts = Counter(
        atom
        for condition in conditions
        for case in condition.cases
        for body, _ in case.program.clauses
        for atom in body & case.program.axioms
    )
    every = {axiom for condition in conditions for axiom in condition.axioms}
    return sorted(every, key=lambda axiom: (-counts[axiom], axiom))
