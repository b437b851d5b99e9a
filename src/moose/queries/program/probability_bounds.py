"""Bounds that hold at any time: worlds are split along justifications, and those that are settled are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import heappop, heappush

from moose.queries.program.brackets import WorldCondition
from moose.queries.program.most_probable import shrunk


@dataclass(frozen=True)
class Bounds:
    """A probability lies between these."""

    lower: Fraction
    upper: Fraction


@dataclass(frozen=True, slots=True)
class Worlds:
    """All worlds in which some axioms hold and no others than some more; each other axiom is open."""

    weight: Fraction
    surely: frozenset[int]
    possibly: frozenset[int]
    split_by: WorldCondition | None = None
    """The condition whose justification they were split along."""
    is_entailed: bool = False
    """Whether that is entailed by the axioms that surely hold: as the justification is minimal, this is known."""


def bound(
    conditions: Sequence[WorldCondition], probabilities: Mapping[int, Fraction], is_over: Callable[[], bool]
) -> Bounds:
    """Bound the probability that all conditions hold; exact when time suffices.

    Entailment grows with the axioms: a goal that follows from the axioms that surely hold does so in all of these
    worlds, and one that does not follow even from those that possibly hold does so in none. Worlds that are not
    settled are split, the heaviest first; once in any case, so that something is known.
    """
    lower, upper = Fraction(0), Fraction(1)
    every = frozenset(axiom for condition in conditions for axiom in condition.axioms)
    waiting: list[Worlds] = [Worlds(Fraction(1), frozenset(), every)]
    heap: list[tuple[Fraction, int, Worlds]] = []
    count, has_split = 0, False
    while True:
        for worlds in waiting:
            verdict = judge(conditions, worlds)
            if verdict is None:
                count += 1
                heappush(heap, (-worlds.weight, count, worlds))
            elif verdict:
                lower += worlds.weight
            else:
                upper -= worlds.weight
        if not heap or (has_split and is_over()):
            return Bounds(lower, upper)
        waiting = list(split(heappop(heap)[2], conditions, probabilities, is_over if has_split else never))
        has_split = True


def never() -> bool:
    """Say that there is time."""
    return False


def judge(conditions: Sequence[WorldCondition], worlds: Worlds) -> bool | None:
    """Return whether all conditions hold in every one of some worlds, or one of them in none; None for neither."""
    verdict: bool | None = True
    for condition in conditions:
        is_open, holds = settled(condition, worlds)
        if not is_open and not holds:
            return False
        verdict = None if is_open else verdict
    return verdict


def settled(condition: WorldCondition, worlds: Worlds) -> tuple[bool, bool]:
    """Return whether a condition is still open, and if it is not, whether it holds."""
    least = worlds.is_entailed if condition is worlds.split_by else condition.is_entailed(worlds.surely)
    most = least or condition.is_entailed(worlds.possibly)
    return least != most, least != condition.goal.is_negated


def split(
    worlds: Worlds,
    conditions: Sequence[WorldCondition],
    probabilities: Mapping[int, Fraction],
    is_over: Callable[[], bool],
) -> Iterator[Worlds]:
    """Split worlds along a justification x₁ … xₖ of an open condition: x₁ fails; x₁ holds, x₂ fails; … all hold."""
    condition = next(one for one in conditions if settled(one, worlds)[0])
    needed = shrunk(condition, worlds.possibly, probabilities, kept=worlds.surely, is_over=is_over) - worlds.surely
    if is_over():
        yield worlds
        return
    weight, surely = worlds.weight, worlds.surely
    # What is least likely to hold comes first: the worlds where it fails are heavy, and soon known to lack the goal.
    for axiom in sorted(needed, key=lambda one: (probabilities[one], one)):
        yield Worlds(weight * (1 - probabilities[axiom]), surely, worlds.possibly - {axiom}, condition)
        weight, surely = weight * probabilities[axiom], surely | {axiom}
    yield Worlds(weight, surely, worlds.possibly, condition, is_entailed=True)
