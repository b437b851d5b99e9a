"""How likely it is that the ontology entails a goal (DISPONTE), exactly, and why."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import islice

from moose.base.errors import LimitReached, MooseError, TimeIsOver
from moose.base.memory import half_of_memory
from moose.base.processes.in_subprocess import run_in_subprocess
from moose.base.processes.parallel import ALONE, Workers, work_in_parallel
from moose.owl.model import axioms as ax
from moose.owl.modules.unused import module_of, unused_positions
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.profile.profile import Outside
from moose.queries.answer import Answer, ProbableJustification
from moose.queries.bounded_answer import bounded, unsettled
from moose.queries.exact_answer import Exact, exact_answer, label_of
from moose.queries.inconsistent_worlds import InconsistentWorlds
from moose.queries.probabilities.probabilities import GivenProbabilities, Probabilities, stated_for
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.brackets import (
    Bracket,
    CountedReasoner,
    all_tight,
    asked,
    bracket,
    unused_of,
)
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition, Conditions
from moose.queries.program.goals import CONSISTENT, Goal, read_goal
from moose.queries.program.most_probable import minimal_sets, probability_of, shrunk
from moose.queries.reduction.coins import Coins
from moose.queries.reduction.reduce import Reduced, reduce_conditions
from moose.saturation.answers.entailment import Reasoner

Goals = Iterable[str | ax.Axiom]
MOST_QUESTIONS = 2_000
"""How often another reasoner is asked for one answer: a minute or so on small modules; then there are bounds."""
FEW_AXIOMS = 30
"""Up to which diagrams are built here: they take milliseconds, which another process would double."""
SHARE_OF_REDUCTION = 0.6
"""Of the time allowed, how much may be over when a program is still made smaller: it takes moments, but cannot stop."""
SHARE_OF_DIAGRAMS = 0.6
"""Of the time allowed, how much the exact answer gets before bounds are sought instead."""
MOST_LEFT_OUT = 100
"""How many justifications that are impossible with what is given are passed over in search of others."""


def query(  # noqa: PLR0913 - all but the first two are options with a default
    ontology: Ontology,
    goal: str | ax.Axiom,
    *,
    given: Goals = (),
    probabilities: GivenProbabilities = None,
    limit: float | None = None,
    justifications: int = 10,
    reasoner: Reasoner | None = None,
) -> Answer:
    """Return how likely a goal is to be entailed, given that others are.

    Probabilities are those that stand as annotations in the ontology, and in a file beside it whose path is given, or
    those that `moose.probabilities` gave. With a limit in seconds, the
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
    probabilities: GivenProbabilities = None,
    limit: float | None = None,
    justifications: int = 10,
    reasoner: Reasoner | None = None,
    workers: Workers = ALONE,
) -> list[Answer]:
    """Answer several queries, the limit being for each; what depends on the ontology alone is done once.

    With `workers`, in several processes or on a cluster; what a lost process was at is done again.
    """
    begin = time.monotonic()
    check_arguments(ontology, (goals, given), limit, justifications)
    stated = stated_for(ontology, probabilities)
    asked_goals = list(goals)
    options = AnswerOptions(tuple(given), limit, justifications)
    if workers.is_alone or len(asked_goals) < 2:
        return Asking(ontology, stated, reasoner).answer_all(asked_goals, options, begin=begin)
    if reasoner is not None:
        raise MooseError("expected one process where another reasoner is asked, but got workers; leave out one of them")
    parts = workers.split(asked_goals)
    found = dict(work_in_parallel(partial(answer_apart, stated, options), parts, workers))
    names = Names(ontology)
    return [with_names(answer, names) for position in range(len(parts)) for answer in found[position]]


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """What is given, how long an answer may take, and how many justifications it is to have."""

    given: tuple[str | ax.Axiom, ...]
    limit: float | None
    justifications: int


def answer_apart(probabilities: Probabilities, options: AnswerOptions, goals: Sequence[str | ax.Axiom]) -> list[Answer]:
    """Answer in another process; names, which know the whole ontology, are not sent back."""
    answers = Asking(probabilities.ontology, probabilities).answer_all(goals, options)
    return [with_names(answer, None) for answer in answers]


def with_names(answer: Answer, names: Names | None) -> Answer:
    """Return an answer whose justifications are written with these names."""
    shown = tuple(replace(one, names=names) for one in answer.justifications)  # type: ignore[arg-type]  # on its way
    return replace(answer, justifications=shown)


def check_arguments(ontology: object, goals: tuple[object, object], limit: object, most: object) -> None:
    """Refuse what is easily mistaken for the right thing, with what to write instead."""
    if not isinstance(ontology, Ontology):
        raise MooseError(f"expected an ontology, but got {ontology!r}; read one with moose.load")
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

    def prepare(self) -> bool:
        """Derive beforehand what questions on named classes and individuals can need; return whether that was done.

        Without it each question derives what the ones before did not: better for few questions on a large ontology.
        """
        return self._conditions.prepare(self.probabilities)

    def answer_all(
        self, goals: Sequence[str | ax.Axiom], options: AnswerOptions, *, begin: float | None = None
    ) -> list[Answer]:
        """Answer several queries one after the other; the limit of the first counts from `begin`."""
        given = [read_goal(one, self.names, "given") for one in options.given]
        limit, most = options.limit, options.justifications
        answers = []
        consistent = read_goal(CONSISTENT, self.names)
        worlds = InconsistentWorlds(given, partial(self.answer, consistent, given, justifications=0))
        for goal in goals:
            read = read_goal(goal, self.names)
            begin = time.monotonic() if begin is None else begin
            answer = self.answer(read, given, limit=limit, justifications=most, begin=begin)
            left = math.inf if limit is None else limit - (time.monotonic() - begin)
            answers.append(replace(answer, inconsistent=worlds.beside(answer, left)))
            begin = None
        return answers

    def answer(
        self,
        goal: Goal,
        given: Sequence[Goal],
        *,
        limit: float | None,
        justifications: int,
        begin: float | None = None,
    ) -> Answer:
        """Answer one query; the limit counts from `begin`, or from now."""
        begin = time.monotonic() if begin is None else begin
        is_over = deadline(limit, begin)
        is_late = deadline(None if limit is None else limit * SHARE_OF_REDUCTION, begin)
        try:
            brackets = [self._bracket(one, is_over) for one in (goal, *given)]
        except TimeIsOver:
            return Answer(goal.text, Fraction(0), Fraction(1), are_all_justifications=False, is_limit_reached=True)
        why = self._all_uncertain(brackets[0], is_late) if justifications else None
        negated = tuple(one.possibly for one in brackets[1:] if one.surely.goal.is_negated)
        sought = Sought(why, justifications, negated)
        if self._reasoner is not None and not all_tight(brackets):
            return self._asked(brackets, sought, self._reasoner, is_over)
        posed = self._reduced(brackets, is_late, why)
        left = None if limit is None else max(0.0, limit - (time.monotonic() - begin))
        return self._by_coins(posed, sought, left=left, is_over=is_over)

    def _by_coins(self, posed: Posed, sought: Sought, *, left: float | None, is_over: Callable[[], bool]) -> Answer:
        """Answer by diagrams or, where the time that is left does not suffice, by bounds."""
        brackets, goal = posed.brackets, posed.brackets[0].surely.goal
        stages, why = partial(stages_of, posed, sought), sought.why
        if most_axioms([*(one.widest for one in brackets), *([] if why is None else why.conditions)]) <= FEW_AXIOMS:
            results, is_done = list(stages()), True
        else:
            seconds = None if left is None else left * SHARE_OF_DIAGRAMS
            results, is_done = run_in_subprocess(stages, seconds, megabytes=half_of_memory())
        if not results and left is None:
            raise MooseError(
                "the process that builds diagrams was killed, or took half of the memory; give a limit for bounds"
            )
        if not results:
            first = self._first_justification(goal, sought)
            pairs = [(one.surely, one.possibly) for one in brackets]
            bounds = bounded(pairs, posed.coins.probabilities, is_over)
            return unsettled(goal, bounds, first, unused_of(brackets), is_limit_reached=True)
        is_all = is_done and not brackets[0].unused and (not sought.most or results[-1] == ALL)
        return self._written(goal, results, unused_of(brackets), is_all=is_all)

    def _reduced(self, brackets: Sequence[Bracket], is_over: Callable[[], bool], why: Reduced | None) -> Posed:
        """Put coins in place of axioms that matter in the same way; if it is over before, nothing is changed.

        Where justifications are sought of the same condition, its axioms are in series already.
        """
        conditions = [condition for one in brackets for condition in (one.surely, one.possibly)]
        coins = None
        if why is not None and self._are_all_uncertain and len(brackets) == 1 and brackets[0].is_tight:
            conditions, coins = [why.conditions[0]] * 2, why.coins
        try:
            reduced = reduce_conditions(conditions, self.probabilities, coins=coins, is_over=is_over)
        except TimeIsOver:
            return Posed(brackets, Coins(self.probabilities, len(self.ontology.axioms)))
        pairs = zip(reduced.conditions[::2], reduced.conditions[1::2], strict=True)
        changed = [replace(one, surely=low, possibly=high) for one, (low, high) in zip(brackets, pairs, strict=True)]
        return Posed(changed, reduced.coins)

    def _bracket(self, goal: Goal, is_over: Callable[[], bool]) -> Bracket:
        """Return what is known of when a goal holds."""
        left = unused_positions(self.ontology, goal.inclusions, absent=self._absent)
        condition = self._conditions.condition(goal, self.probabilities, is_reduced=False, is_over=is_over)
        return bracket(condition, left, self.probabilities)

    def _asked(
        self, brackets: Sequence[Bracket], sought: Sought, reasoner: Reasoner, is_over: Callable[[], bool]
    ) -> Answer:
        """Answer by another reasoner, which is asked about worlds until all is settled, or too often."""
        counting = CountedReasoner(reasoner)
        pairs = []
        for one in brackets:
            goal = one.surely.goal
            positions = module_of(self.ontology, goal.inclusions, absent=self._absent) if not one.is_tight else ()
            module = {position: self.ontology.axioms[position] for position in positions}
            pairs.append(asked(one, module, self.probabilities, counting))
        bounds = bounded(pairs, self.probabilities, lambda: is_over() or counting.asked > MOST_QUESTIONS)
        unread = tuple(row for row in unused_of(brackets) if isinstance(row.axiom, ax.UnreadAxiom))
        is_cut = bounds.lower != bounds.upper and (is_over() or counting.asked > MOST_QUESTIONS)
        goal = brackets[0].surely.goal
        first = self._first_justification(goal, sought)
        found = unsettled(goal, bounds, first, unread, is_limit_reached=is_cut)
        return replace(found, reasoner=reasoner.name if counting.asked else None)

    @cached_property
    def _are_all_uncertain(self) -> bool:
        """Whether no axiom is certain, or absent."""
        return not self._absent and len(self.probabilities) == len(self.ontology.axioms)

    def _all_uncertain(self, bracket: Bracket, is_over: Callable[[], bool]) -> Reduced | None:
        """Return when a goal holds if every axiom is uncertain, for its justifications.

        None where that cannot be found out in time, or at all: many axioms would have to be tried both ways.
        """
        try:
            if self._are_all_uncertain and bracket.is_tight:
                condition = bracket.surely
            else:
                condition = self._conditions.justifying(bracket.surely.goal, is_over)
            return reduce_conditions([condition], self.probabilities, is_parallel=False, is_over=is_over)
        except LimitReached:
            return None

    def _first_justification(self, goal: Goal, sought: Sought) -> list[ProbableJustification]:
        """Return a likely justification, found without diagrams, if the goal can follow at all."""
        if sought.why is None:
            return []
        (condition,) = sought.why.conditions
        if not condition.is_entailed(condition.axioms):
            return []
        needed = axioms_of(shrunk(condition, condition.axioms, sought.why.coins.probabilities), sought.why.coins)
        return [self._justification(goal, needed)] if sought.is_possible(needed) else []

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
class Posed:
    """A goal and what is given, over coins."""

    brackets: Sequence[Bracket]
    coins: Coins


@dataclass(frozen=True)
class Sought:
    """Which justifications are sought."""

    why: Reduced | None
    """When the goal holds if every axiom is uncertain; None where none are sought, or that is not known."""
    most: int
    negated: tuple[Condition, ...] = ()
    """What is given not to be entailed: a contradiction, where it is given that the ontology is consistent."""

    def is_possible(self, axioms: frozenset[int]) -> bool:
        """Return whether some axioms can hold together with what is given: more axioms entail no less."""
        return all(condition.holds(axioms) for condition in self.negated)


ALL = "there are no more justifications"
Stage = Exact | frozenset[int] | str
"""What is found one after another: the exact answer, then justifications, then that they are all."""


def stages_of(posed: Posed, sought: Sought) -> Iterator[Stage]:
    """Yield the exact answer, then each justification, then whether these are all."""
    yield exact_answer(posed.brackets, posed.coins)
    if sought.why is None:
        return
    (condition,) = sought.why.conditions
    labels = Labels(axiom_order([condition]))
    label = label_of(labels, condition, is_negated=False)
    sets = minimal_sets(labels, label, condition, sought.why.coins.probabilities)
    found = (axioms_of(one, sought.why.coins) for one in sets)
    possible = filter(sought.is_possible, islice(found, sought.most + MOST_LEFT_OUT))
    yield from islice(possible, sought.most)
    if next(possible, None) is None and next(found, None) is None:
        yield ALL


def deadline(limit: float | None, begin: float) -> Callable[[], bool]:
    """Return what says whether some seconds from the beginning are over."""
    end = None if limit is None else begin + limit
    return lambda: end is not None and time.monotonic() > end


def most_axioms(conditions: Iterable[Condition]) -> int:
    """Return the largest number of axioms that one condition depends on."""
    return max(len(condition.axioms) for condition in conditions)


def axioms_of(needed: Iterable[int], coins: Coins) -> frozenset[int]:
    """Return the axioms that coins stand for."""
    return frozenset(axiom for coin in needed for axiom in coins.axioms(coin))
