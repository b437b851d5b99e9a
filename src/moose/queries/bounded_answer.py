"""The answer where time does not suffice for the exact one: bounds of the probability of a goal given others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from moose.owl.profile.profile import Outside
from moose.queries.answer import Answer, ProbableJustification
from moose.queries.exact_answer import impossible
from moose.queries.program.brackets import NegatedCondition, WorldCondition
from moose.queries.program.goals import Goal
from moose.queries.program.probability_bounds import Bounds, bound

Pair = tuple[WorldCondition, WorldCondition]
"""Two conditions around the true one."""


def bounded(pairs: Sequence[Pair], probabilities: Mapping[int, Fraction], is_over: Callable[[], bool]) -> Bounds:
    """Bound the probability of the first condition given the others, each between what is sure and possible."""

    def bounds(*conditions: WorldCondition) -> Bounds:
        return bound(conditions, probabilities, is_over)

    (sure, possible), sure_given = pairs[0], [low for low, _ in pairs[1:]]
    possible_given = [high for _, high in pairs[1:]]
    both = bounds(sure, *sure_given)
    if not sure_given:
        return both if sure is possible else Bounds(both.lower, bounds(possible).upper)
    without = bounds(NegatedCondition(sure), *possible_given)
    lower = both.lower / (both.lower + without.upper) if both.lower else Fraction(0)
    most = without.upper
    if any(low is not high for low, high in pairs):
        both, without = bounds(possible, *possible_given), bounds(NegatedCondition(possible), *sure_given)
    if not both.upper + most:
        given = [high.goal for high in possible_given]
        raise impossible(given, [one.goal for one in possible_given if not bounds(one).upper])
    return Bounds(lower, both.upper / (both.upper + without.lower) if both.upper else Fraction(0))


def unsettled(
    goal: Goal,
    bounds: Bounds,
    first: Sequence[ProbableJustification],
    unused: tuple[Outside, ...],
    *,
    is_limit_reached: bool,
) -> Answer:
    """Write bounds as an answer, with what justification there is."""
    return Answer(
        goal.text,
        bounds.lower,
        bounds.upper,
        tuple(first),
        are_all_justifications=False,
        unused=unused if bounds.lower != bounds.upper else (),
        is_limit_reached=is_limit_reached,
    )
