"""How likely it is that the ontology entails a goal (DISPONTE), exactly, and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING

from moose.circuit.evaluate import wmc
from moose.circuit.marginals import exact_marginals
from moose.circuit.weights import LiteralWeights
from moose.errors import LimitReached, MooseError
from moose.owl import axioms as ax
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.queries.answer import Answer, Justification
from moose.queries.bounds import Bounds, bound
from moose.queries.conditions import Condition, Conditions
from moose.queries.goals import Goal, read_goal
from moose.queries.justifications import minimal_sets, probability_of
from moose.queries.labels import Labels
from moose.queries.ordering import axiom_order
from moose.queries.probabilities import Probabilities, probabilities_of

if TYPE_CHECKING:
    from pysdd.sdd import SddNode

Goals = Iterable[str | ax.Axiom]
SHARE_OF_DIAGRAMS = 0.6
"""Of the time allowed, how much the exact answer gets before bounds are sought instead."""


def query(  # noqa: PLR0913 - all but the first two are options with a default
    ontology: Ontology,
    goal: str | ax.Axiom,
    *,
    given: Goals = (),
    probabilities: Probabilities | None = None,
    limit: float | None = None,
    justifications: int = 10,
) -> Answer:
    """Return how likely a goal is to be entailed, given that others are.

    Probabilities are those that stand as annotations in the ontology unless given. With a limit in seconds, the
    answer holds bounds where time did not suffice.
    """
    return query_all(
        ontology, [goal], given=given, probabilities=probabilities, limit=limit, justifications=justifications
    )[0]


def query_all(  # noqa: PLR0913 - all but the first two are options with a default
    ontology: Ontology,
    goals: Goals,
    *,
    given: Goals = (),
    probabilities: Probabilities | None = None,
    limit: float | None = None,
    justifications: int = 10,
) -> list[Answer]:
    """Answer several queries, the limit being for each; what depends on the ontology alone is done once."""
    asking = Asking(ontology, probabilities or probabilities_of(ontology))
    conditions = [read_goal(one, asking.names) for one in given]
    return [
        asking.answer(read_goal(goal, asking.names), conditions, limit=limit, justifications=justifications)
        for goal in goals
    ]


@dataclass(frozen=True)
class Watch:
    """Tells when time is over."""

    end: float | None

    @classmethod
    def start(cls, seconds: float | None) -> Watch:
        """Start to count."""
        return cls(None if seconds is None else time.monotonic() + seconds)

    def is_over(self) -> bool:
        """Tell whether the time has passed."""
        return self.end is not None and time.monotonic() > self.end

    def check(self, _: int = 0) -> None:
        """Stop what is under way when the time has passed."""
        if self.is_over():
            raise LimitReached("the time allowed has passed")


class Asking:
    """An ontology with probabilities, ready for queries."""

    def __init__(self, ontology: Ontology, probabilities: Probabilities) -> None:
        self.ontology = ontology
        self.names = Names(ontology)
        self.probabilities = probabilities.uncertain
        self._conditions = Conditions(ontology, absent=probabilities.absent)

    def answer(self, goal: Goal, given: Sequence[Goal], *, limit: float | None, justifications: int) -> Answer:
        """Answer one query."""
        if limit is not None and not limit > 0:
            raise MooseError(f"expected a limit of some seconds, but got {limit!r}")
        watch = Watch.start(limit)
        conditions = [self._conditions.condition(one, self.probabilities) for one in (goal, *given)]
        try:
            exact = self._exact(conditions, Watch.start(None if limit is None else limit * SHARE_OF_DIAGRAMS))
        except LimitReached:
            found = self._bounded(conditions, watch)
            return Answer(goal.text, found.lower, found.upper, are_all_justifications=False)
        return self._justified(exact, goal, watch, justifications)

    def _exact(self, conditions: Sequence[Condition], watch: Watch) -> Answer:
        """Compute the probability of the first condition given the others, and all that goes with it."""
        labels = Labels(axiom_order(conditions))
        first, *others = (label_of(labels, condition, watch.check) for condition in conditions)
        given = labels.manager.true()
        for other in others:
            given = labels.manager.conjoin(given, other)
        both = labels.manager.conjoin(first, given)
        weights = labels.weights(lambda axiom: (self.probabilities[axiom], 1 - self.probabilities[axiom]))
        whole = Weighed.of(labels, given, weights)
        if not whole.total:
            raise MooseError("expected something that can hold as given, but it has probability 0; leave it out")
        part = Weighed.of(labels, both, weights)
        probability = part.total / whole.total
        slopes = {
            self.ontology.axioms[axiom]: (part.slopes[place] * whole.total - part.total * whole.slopes[place])
            / whole.total**2
            for place, axiom in enumerate(labels.variables)
        }
        world = labels.heaviest(both, weights) if part.total else None
        return Answer(
            conditions[0].goal.text,
            probability,
            probability,
            sensitivities={axiom: slope for axiom, slope in slopes.items() if slope},
            most_probable_world={self.ontology.axioms[axiom]: holds for axiom, holds in (world or {}).items()},
        )

    def _bounded(self, conditions: Sequence[Condition], watch: Watch) -> Bounds:
        """Bound the probability of the first condition given the others."""
        if len(conditions) == 1:
            return bound(conditions, self.probabilities, watch.is_over)
        both = bound(conditions, self.probabilities, watch.is_over)
        given = bound(conditions[1:], self.probabilities, watch.is_over)
        lower = both.lower / given.upper if given.upper else Fraction(0)
        return Bounds(lower, min(Fraction(1), both.upper / given.lower) if given.lower else Fraction(1))

    def _justified(self, answer: Answer, goal: Goal, watch: Watch, most: int) -> Answer:
        """Add the justifications, for which every axiom is taken to be uncertain."""
        if most == 0:
            return answer
        found: list[Justification] = []
        is_all = False
        try:
            module = self._conditions.module(goal)
            condition = self._conditions.condition(goal, {number for number, _ in module})
            labels = Labels(axiom_order([condition]))
            label = label_of(labels, condition, watch.check, is_negated=False)
            sets = minimal_sets(labels, label, condition, self.probabilities, watch.is_over)
            found = [self._justification(goal, axioms) for axioms in islice(sets, most)]
            is_all = not watch.is_over() and next(sets, None) is None
        except LimitReached:
            pass
        return Answer(
            answer.goal,
            answer.lower,
            answer.upper,
            tuple(found),
            is_all,
            answer.sensitivities,
            answer.most_probable_world,
        )

    def _justification(self, goal: Goal, axioms: Iterable[int]) -> Justification:
        numbers = sorted(axioms)
        return Justification(
            goal,
            tuple(self.ontology.axioms[number] for number in numbers),
            probability_of(numbers, self.probabilities),
            self.names,
        )


def label_of(
    labels: Labels, condition: Condition, check: Callable[[int], None], *, is_negated: bool | None = None
) -> SddNode:
    """Return the diagram of the worlds in which a condition holds."""
    manager = labels.manager
    result = manager.true()
    for part in condition.parts:
        choice = manager.false()
        for case in part:
            together = labels.goal(case.program, check)
            for axiom in sorted(case.assumed):
                together = manager.conjoin(together, labels.axiom(axiom))
            choice = manager.disjoin(choice, together)
        result = manager.conjoin(result, choice)
    negate = condition.goal.is_negated if is_negated is None else is_negated
    return manager.negate(result) if negate else result


@dataclass(frozen=True)
class Weighed:
    """The weight of a diagram, and its derivative by each variable's probability."""

    total: Fraction
    slopes: tuple[Fraction, ...]

    @classmethod
    def of(cls, labels: Labels, label: SddNode, weights: LiteralWeights) -> Weighed:
        """Weigh a diagram: of a part f, ∂f/∂p is the weight where p's axiom holds less that where it does not."""
        diagram = labels.diagram(label)
        total = wmc(diagram, weights)
        shares = exact_marginals(diagram, weights)
        if shares is None:
            return cls(total, (Fraction(0),) * len(weights.positive))
        slopes = [
            total * (share / on - (1 - share) / off)
            for share, on, off in zip(shares, weights.positive, weights.negative, strict=True)
        ]
        return cls(total, tuple(slopes))
