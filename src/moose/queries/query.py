"""How likely it is that the ontology entails a goal (DISPONTE), exactly, and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from moose.base.errors import LimitReached, MooseError
from moose.circuit.inference.evaluate import wmc
from moose.circuit.inference.marginals import exact_marginals
from moose.circuit.inference.weights import LiteralWeights
from moose.owl.model import axioms as ax
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.queries.answer import Answer, Justification
from moose.queries.in_subprocess import run_in_subprocess
from moose.queries.probabilities.probabilities import Probabilities, probabilities_of
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition, Conditions
from moose.queries.program.goals import Goal, read_goal
from moose.queries.program.justifications import minimal_sets, probability_of, shrunk
from moose.queries.program.probability_bounds import Bounds, bound

if TYPE_CHECKING:
    from pysdd.sdd import SddNode

Goals = Iterable[str | ax.Axiom]
FEW_AXIOMS = 30
"""Up to which diagrams are built here: they take milliseconds, which another process would double."""
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
    check_arguments(ontology, (goals, given), probabilities, limit, justifications)
    asking = Asking(ontology, probabilities or probabilities_of(ontology))
    conditions = [read_goal(one, asking.names) for one in given]
    return [
        asking.answer(read_goal(goal, asking.names), conditions, limit=limit, justifications=justifications)
        for goal in goals
    ]


def check_arguments(
    ontology: object, goals: tuple[object, object], probabilities: object, limit: object, most: object
) -> None:
    """Refuse what is easily mistaken for the right thing, with what to write instead."""
    if not isinstance(ontology, Ontology):
        raise MooseError(f"expected an ontology, but got {ontology!r}; read one with moose.load")
    if not isinstance(probabilities, Probabilities | None):
        raise MooseError(
            f"expected probabilities as moose.probabilities(ontology, …) reads them, got {probabilities!r}"
        )
    if isinstance(probabilities, Probabilities) and probabilities.ontology is not ontology:
        raise MooseError(f"expected probabilities of {ontology!r}, but got those of {probabilities.ontology!r}")
    for what, several in zip(("goals", "given"), goals):
        if isinstance(several, str):
            raise MooseError(f"expected a list of goals as {what}, but got the text {several!r}; put it in a list")
    if not isinstance(most, int) or most < 0:
        raise MooseError(f"expected how many justifications to look for, 0 or more, but got {most!r}")
    if not isinstance(limit, int | float | None) or (limit is not None and not limit > 0):
        raise MooseError(f"expected a limit of some seconds, but got {limit!r}")


class Asking:
    """An ontology with probabilities, ready for queries."""

    def __init__(self, ontology: Ontology, probabilities: Probabilities) -> None:
        self.ontology = ontology
        self.probabilities = probabilities.uncertain
        self._conditions = Conditions(ontology, absent=probabilities.absent)
        self.names = Names(ontology)

    def answer(self, goal: Goal, given: Sequence[Goal], *, limit: float | None, justifications: int) -> Answer:
        """Answer one query."""
        end = None if limit is None else time.monotonic() + limit
        conditions = [self._conditions.condition(one, self.probabilities) for one in (goal, *given)]
        why = self._all_uncertain(goal) if justifications else None
        stages = partial(self._stages, conditions, why, justifications)
        if most_axioms([*conditions, *([] if why is None else [why])]) <= FEW_AXIOMS:
            results, is_done = list(stages()), True
        else:
            results, is_done = run_in_subprocess(stages, None if limit is None else limit * SHARE_OF_DIAGRAMS)
        if not results and end is None:
            raise MooseError(
                "the process that builds diagrams was killed, perhaps out of memory; give a limit for bounds"
            )
        if not results:
            bounds = self._bounded(conditions, lambda: end is not None and time.monotonic() > end)
            first = [] if why is None else self._first_justification(goal, why)
            return Answer(goal.text, bounds.lower, bounds.upper, tuple(first), are_all_justifications=False)
        return self._written(goal, results, is_all=is_done and (not justifications or results[-1] == ALL))

    def _all_uncertain(self, goal: Goal) -> Condition | None:
        """Return when a goal holds if every axiom is uncertain, for its justifications.

        None where that cannot be found out: many axioms, certain or not, would have to be tried both ways.
        """
        try:
            return self._conditions.condition(goal, {number for number, _ in self._conditions.module(goal)})
        except LimitReached:
            return None

    def _first_justification(self, goal: Goal, why: Condition) -> list[Justification]:
        """Return a likely justification, found without diagrams, if the goal can follow at all."""
        if not why.is_entailed(why.axioms):
            return []
        return [self._justification(goal, shrunk(why, why.axioms, self.probabilities))]

    def _stages(self, conditions: Sequence[Condition], why: Condition | None, most: int) -> Iterator[Stage]:
        """Yield the exact answer, then each justification, then whether these are all."""
        yield self._exact(conditions)
        if why is None:
            return
        labels = Labels(axiom_order([why]))
        sets = minimal_sets(labels, label_of(labels, why, is_negated=False), why, self.probabilities)
        yield from islice(sets, most)
        if next(sets, None) is None:
            yield ALL

    def _exact(self, conditions: Sequence[Condition]) -> Exact:
        """Compute the probability of the first condition given the others, and all that goes with it."""
        labels = Labels(axiom_order(conditions))
        first, *others = (label_of(labels, condition) for condition in conditions)
        given = labels.manager.true()
        for other in others:
            given = labels.manager.conjoin(given, other)
        both = labels.manager.conjoin(first, given)
        weights = labels.weights(lambda axiom: (self.probabilities[axiom], 1 - self.probabilities[axiom]))
        whole = Weighed.of(labels, given, weights)
        if not whole.total:
            raise MooseError("expected something that can hold as given, but it has probability 0; leave it out")
        part = Weighed.of(labels, both, weights)
        slopes = {
            axiom: (part.slopes[position] * whole.total - part.total * whole.slopes[position]) / whole.total**2
            for position, axiom in enumerate(labels.variables)
        }
        world = labels.heaviest(both, weights) if part.total else None
        return Exact(part.total / whole.total, slopes, world or {})

    def _bounded(self, conditions: Sequence[Condition], is_over: Callable[[], bool]) -> Bounds:
        """Bound the probability of the first condition given the others."""
        both = bound(conditions, self.probabilities, is_over)
        if len(conditions) == 1:
            return both
        given = bound(conditions[1:], self.probabilities, is_over)
        lower = both.lower / given.upper if given.upper else Fraction(0)
        return Bounds(lower, min(Fraction(1), both.upper / given.lower) if given.lower else Fraction(1))

    def _written(self, goal: Goal, results: Sequence[Stage], *, is_all: bool) -> Answer:
        """Write an answer with axioms in place of their positions."""
        axioms = self.ontology.axioms
        exact = results[0]
        assert isinstance(exact, Exact)
        return Answer(
            goal.text,
            exact.probability,
            exact.probability,
            tuple(self._justification(goal, one) for one in results[1:] if isinstance(one, frozenset)),
            is_all,
            {axioms[axiom]: slope for axiom, slope in exact.slopes.items() if slope},
            {axioms[axiom]: holds for axiom, holds in exact.world.items()},
        )

    def _justification(self, goal: Goal, axioms: Iterable[int]) -> Justification:
        numbers = sorted(axioms)
        return Justification(
            goal,
            tuple(self.ontology.axioms[number] for number in numbers),
            probability_of(numbers, self.probabilities),
            self.names,
        )


@dataclass(frozen=True)
class Exact:
    """A probability, its derivatives by those of the axioms, and the most probable world; axioms by position."""

    probability: Fraction
    slopes: dict[int, Fraction]
    world: dict[int, bool]


ALL = "there are no more justifications"
Stage = Exact | frozenset[int] | str
"""What is found one after another: the exact answer, then justifications, then that they are all."""


def most_axioms(conditions: Iterable[Condition]) -> int:
    """Return the largest number of axioms that one condition depends on."""
    return max(len(condition.axioms) for condition in conditions)


def label_of(labels: Labels, condition: Condition, *, is_negated: bool | None = None) -> SddNode:
    """Return the diagram of the worlds in which a condition holds."""
    manager = labels.manager
    result = manager.true()
    for part in condition.parts:
        choice = manager.false()
        for case in part:
            together = labels.goal(case.program)
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
