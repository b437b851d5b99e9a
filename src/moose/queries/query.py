"""How likely it is that the ontology entails a goal (DISPONTE), exactly, and why."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from moose.base.errors import LimitReached, MooseError
from moose.circuit.inference.evaluate import wmc
from moose.circuit.inference.marginals import exact_marginals
from moose.circuit.inference.weights import LiteralWeights
from moose.owl.model import axioms as ax
from moose.owl.modules.unused import module_of, unused_positions
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside
from moose.queries.answer import Answer, ProbableJustification
from moose.queries.in_subprocess import run_in_subprocess
from moose.queries.probabilities.probabilities import Probabilities, probabilities_of
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.brackets import (
    Bracket,
    CountedReasoner,
    NegatedCondition,
    WorldCondition,
    all_tight,
    asked,
    bracket,
    unused_of,
)
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition, Conditions
from moose.queries.program.goals import Goal, read_goal
from moose.queries.program.most_probable import minimal_sets, probability_of, shrunk
from moose.queries.program.probability_bounds import Bounds, bound
from moose.saturation.answers.entailment import Reasoner

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode

Goals = Iterable[str | ax.Axiom]
Pair = tuple[WorldCondition, WorldCondition]
"""Two conditions around the true one."""
MOST_QUESTIONS = 2_000
"""How often another reasoner is asked for one answer: a minute or so on small modules; then there are bounds."""
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
    reasoner: Reasoner | None = None,
) -> Answer:
    """Return how likely a goal is to be entailed, given that others are.

    Probabilities are those that stand as annotations in the ontology unless given. With a limit in seconds, the
    answer holds bounds where time did not suffice; also where axioms that can matter are outside EL and not used whole,
    unless another reasoner is there to be asked.
    """
    return query_all(
        ontology,
        [goal],
        given=given,
        probabilities=probabilities,
        limit=limit,
        justifications=justifications,
        reasoner=reasoner,
    )[0]


def query_all(  # noqa: PLR0913 - all but the first two are options with a default
    ontology: Ontology,
    goals: Goals,
    *,
    given: Goals = (),
    probabilities: Probabilities | None = None,
    limit: float | None = None,
    justifications: int = 10,
    reasoner: Reasoner | None = None,
) -> list[Answer]:
    """Answer several queries, the limit being for each; what depends on the ontology alone is done once."""
    check_arguments(ontology, (goals, given), probabilities, limit, justifications)
    asking = Asking(ontology, probabilities or probabilities_of(ontology), reasoner)
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

    def __init__(self, ontology: Ontology, probabilities: Probabilities, reasoner: Reasoner | None = None) -> None:
        self.ontology = ontology
        self.probabilities = probabilities.uncertain
        self._absent = probabilities.absent
        self._conditions = Conditions(ontology, absent=probabilities.absent)
        self._reasoner = reasoner
        self.names = Names(ontology)

    def answer(self, goal: Goal, given: Sequence[Goal], *, limit: float | None, justifications: int) -> Answer:
        """Answer one query."""
        is_over = deadline(limit)
        brackets = [self._bracket(one) for one in (goal, *given)]
        why = self._all_uncertain(goal) if justifications else None
        if self._reasoner is not None and not all_tight(brackets):
            return self._asked(brackets, why, self._reasoner, is_over)
        stages = partial(self._stages, brackets, why, justifications)
        if most_axioms([*(one.widest for one in brackets), *([] if why is None else [why])]) <= FEW_AXIOMS:
            results, is_done = list(stages()), True
        else:
            results, is_done = run_in_subprocess(stages, None if limit is None else limit * SHARE_OF_DIAGRAMS)
        if not results and limit is None:
            raise MooseError(
                "the process that builds diagrams was killed, perhaps out of memory; give a limit for bounds"
            )
        if not results:
            pairs = [(one.surely, one.possibly) for one in brackets]
            bounds = self._bounded(pairs, is_over)
            return self._unsettled(goal, bounds, why, unused_of(brackets), is_limit_reached=True)
        is_all = is_done and not brackets[0].unused and (not justifications or results[-1] == ALL)
        return self._written(goal, results, unused_of(brackets), is_all=is_all)

    def _bracket(self, goal: Goal) -> Bracket:
        """Return what is known of when a goal holds."""
        left = unused_positions(self.ontology, goal.inclusions, absent=self._absent)
        return bracket(self._conditions.condition(goal, self.probabilities), left, self.probabilities)

    def _asked(
        self, brackets: Sequence[Bracket], why: Condition | None, reasoner: Reasoner, is_over: Callable[[], bool]
    ) -> Answer:
        """Answer by another reasoner, which is asked about worlds until all is settled, or too often."""
        counting = CountedReasoner(reasoner)
        pairs = []
        for one in brackets:
            goal = one.surely.goal
            positions = module_of(self.ontology, goal.inclusions, absent=self._absent) if not one.is_tight else ()
            module = {position: self.ontology.axioms[position] for position in positions}
            pairs.append(asked(one, module, self.probabilities, counting))
        bounds = self._bounded(pairs, lambda: is_over() or counting.asked > MOST_QUESTIONS)
        unread = tuple(row for row in unused_of(brackets) if isinstance(row.axiom, ax.UnreadAxiom))
        is_cut = bounds.lower != bounds.upper and (is_over() or counting.asked > MOST_QUESTIONS)
        found = self._unsettled(brackets[0].surely.goal, bounds, why, unread, is_limit_reached=is_cut)
        return replace(found, reasoner=reasoner.name if counting.asked else None)

    def _unsettled(
        self, goal: Goal, bounds: Bounds, why: Condition | None, unused: tuple[Outside, ...], *, is_limit_reached: bool
    ) -> Answer:
        """Write bounds as an answer, with one justification."""
        first = [] if why is None else self._first_justification(goal, why)
        return Answer(
            goal.text,
            bounds.lower,
            bounds.upper,
            tuple(first),
            are_all_justifications=False,
            unused=unused if bounds.lower != bounds.upper else (),
            is_limit_reached=is_limit_reached,
        )

    def _all_uncertain(self, goal: Goal) -> Condition | None:
        """Return when a goal holds if every axiom is uncertain, for its justifications.

        None where that cannot be found out: many axioms, certain or not, would have to be tried both ways.
        """
        try:
            return self._conditions.condition(goal, {number for number, _ in self._conditions.module(goal)})
        except LimitReached:
            return None

    def _first_justification(self, goal: Goal, why: Condition) -> list[ProbableJustification]:
        """Return a likely justification, found without diagrams, if the goal can follow at all."""
        if not why.is_entailed(why.axioms):
            return []
        return [self._justification(goal, shrunk(why, why.axioms, self.probabilities))]

    def _stages(self, brackets: Sequence[Bracket], why: Condition | None, most: int) -> Iterator[Stage]:
        """Yield the exact answer, then each justification, then whether these are all."""
        yield self._exact(brackets)
        if why is None:
            return
        labels = Labels(axiom_order([why]))
        sets = minimal_sets(labels, label_of(labels, why, is_negated=False), why, self.probabilities)
        yield from islice(sets, most)
        if next(sets, None) is None:
            yield ALL

    def _exact(self, brackets: Sequence[Bracket]) -> Exact:
        """Compute the probability of the first goal given the others, and all that goes with it.

        With what surely holds and what possibly does, P(G | H) = P(G ∧ H) / (P(G ∧ H) + P(H ∧ ¬G)) is least where
        G ∧ H is smallest and H ∧ ¬G largest, and greatest the other way round.
        """
        labels = Labels(axiom_order(one.widest for one in brackets))
        manager = labels.manager
        surely = [label_of(labels, one.surely) for one in brackets]
        possibly = [low if one.is_tight else label_of(labels, one.possibly) for low, one in zip(surely, brackets)]
        weights = labels.weights(lambda axiom: (self.probabilities[axiom], 1 - self.probabilities[axiom]))
        sure_given, possible_given = (conjunction(manager, several[1:]) for several in (surely, possibly))
        if not wmc(labels.diagram(possible_given), weights):
            raise impossible()
        both = manager.conjoin(surely[0], sure_given)
        without = manager.conjoin(possible_given, manager.negate(surely[0]))
        part, whole = (Weighed.of(labels, one, weights) for one in (both, manager.disjoin(both, without)))
        if not whole.total:  # what is given cannot hold without the goal
            return Exact(Fraction(1), Fraction(1), {}, {})
        slopes = {
            axiom: (part.slopes[position] * whole.total - part.total * whole.slopes[position]) / whole.total**2
            for position, axiom in enumerate(labels.variables)
        }
        upper = lower = part.total / whole.total
        if not all_tight(brackets):
            most = wmc(labels.diagram(manager.conjoin(possibly[0], possible_given)), weights)
            least = wmc(labels.diagram(manager.conjoin(sure_given, manager.negate(possibly[0]))), weights)
            upper = most / (most + least) if most else Fraction(0)
        world = labels.heaviest(both, weights) if part.total else None
        return Exact(lower, upper, slopes, world or {})

    def _bounded(self, pairs: Sequence[Pair], is_over: Callable[[], bool]) -> Bounds:
        """Bound the probability of the first condition given the others, each between what is sure and possible."""

        def bounds(*conditions: WorldCondition) -> Bounds:
            return bound(conditions, self.probabilities, is_over)

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
            raise impossible()
        return Bounds(lower, both.upper / (both.upper + without.lower) if both.upper else Fraction(0))

    def _written(self, goal: Goal, results: Sequence[Stage], unused: tuple[Outside, ...], *, is_all: bool) -> Answer:
        """Write an answer with axioms in place of their positions."""
        axioms = self.ontology.axioms
        exact = results[0]
        assert isinstance(exact, Exact)
        return Answer(
            goal.text,
            exact.lower,
            exact.upper,
            tuple(self._justification(goal, one) for one in results[1:] if isinstance(one, frozenset)),
            is_all,
            {axioms[axiom]: slope for axiom, slope in exact.slopes.items() if slope},
            {axioms[axiom]: holds for axiom, holds in exact.world.items()},
            unused if exact.lower != exact.upper else (),
        )

    def _justification(self, goal: Goal, axioms: Iterable[int]) -> ProbableJustification:
        numbers = sorted(axioms)
        return ProbableJustification(
            goal,
            tuple(self.ontology.axioms[number] for number in numbers),
            probability_of(numbers, self.probabilities),
            self.names,
        )


@dataclass(frozen=True)
class Exact:
    """What a probability lies between, the derivatives of the lower bound by the probabilities of axioms, and the most
    probable world in which the goal surely holds; axioms by position.
    """

    lower: Fraction
    upper: Fraction
    slopes: dict[int, Fraction]
    world: dict[int, bool]


ALL = "there are no more justifications"
Stage = Exact | frozenset[int] | str
"""What is found one after another: the exact answer, then justifications, then that they are all."""


def deadline(limit: float | None) -> Callable[[], bool]:
    """Return what says whether some seconds from now are over."""
    end = None if limit is None else time.monotonic() + limit
    return lambda: end is not None and time.monotonic() > end


def impossible() -> MooseError:
    """Return the error that a condition on nothing was asked for."""
    return MooseError("expected something that can hold as given, but it has probability 0; leave it out")


def conjunction(manager: SddManager, labels: Iterable[SddNode]) -> SddNode:
    """Return the diagram of the worlds of all of some diagrams."""
    result = manager.true()
    for label in labels:
        result = manager.conjoin(result, label)
    return result


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
