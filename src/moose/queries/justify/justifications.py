"""All justifications of a goal, and all its repairs, one after another, the smallest first."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from moose.base.errors import LimitReached, MooseError
from moose.owl.model.axioms import Axiom, without_annotations
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.owl.syntax.functional.write_functional import render
from moose.queries.answer import Justification
from moose.queries.justify.entailment_condition import EntailmentCondition, module, rows_of
from moose.queries.justify.hitting_sets import Elements, smallest_repairs, smallest_sets
from moose.queries.justify.laconic import Parts
from moose.queries.program.goals import Goal, read_goal

Progress = Callable[[int], None]
"""Is told how many sets of axioms were tried so far."""


def justifications(
    ontology: Ontology,
    goal: str | Axiom,
    *,
    is_laconic: bool = False,
    limit: float | None = None,
    progress: Progress | None = None,
) -> Justifications:
    """Return an iterator over the minimal sets of axioms that entail a goal, those with the fewest axioms first.

    Where axioms outside EL say something together, the sets that need this come last, again the smallest first. With a
    limit in seconds, the iterator stops when the time is over, which `is_limit_reached` tells; `are_all` tells whether
    there are no more.

    If `is_laconic`, axioms are cut into parts, and of each only what is needed is there; those with the fewest parts
    come first. What axioms outside EL say together is then left out.

    >>> import moose
    >>> ontology = moose.load(moose.PIZZERIA)
    >>> [len(one.axioms) for one in justifications(ontology, "SubClassOf(Diavola Dish)")]
    [2, 4]
    """
    return Justifications(Asked(ontology, goal, is_laconic=is_laconic, limit=limit, progress=progress))


def repairs(
    ontology: Ontology, goal: str | Axiom, *, limit: float | None = None, progress: Progress | None = None
) -> Iterator[Repair]:
    """Yield the minimal sets of axioms without which a goal does not follow, those with the fewest axioms first.

    With a limit in seconds, `LimitReached` is raised when the time is over.

    >>> import moose
    >>> ontology = moose.load(moose.PIZZERIA)
    >>> [len(one.axioms) for one in repairs(ontology, "SubClassOf(Diavola Dish)")]
    [1, 2, 2, 2]
    """
    asked = Asked(ontology, goal, limit=limit, progress=progress)
    elements = asked.condition.widened()
    for found in smallest_repairs(elements, asked):
        yield Repair(asked.goal, asked.axioms(found), asked.names)


@dataclass(frozen=True)
class Repair:
    """Axioms without which the goal does not follow, all of which must go."""

    goal: Goal
    axioms: tuple[Axiom, ...]
    names: Names = field(repr=False, compare=False)

    def __str__(self) -> str:
        return "\n  ".join(
            ["leave out", *(render(without_annotations(axiom), self.names.show) for axiom in self.axioms)]
        )


class Asked:
    """A goal of an ontology, as a condition that counts how often it is asked and stops when the time is over."""

    def __init__(
        self,
        ontology: Ontology,
        goal: str | Axiom,
        *,
        is_laconic: bool = False,
        limit: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        if not isinstance(ontology, Ontology):
            raise MooseError(f"expected an ontology, but got {ontology!r}; read one with moose.load")
        if limit is not None and not limit > 0:
            raise MooseError(f"expected a limit of some seconds, but got {limit!r}")
        self._end = None if limit is None else time.monotonic() + limit
        self._limit = limit
        self._progress = progress
        self._count = 0
        self.names = Names(ontology)
        self.goal = read_goal(goal, self.names)
        self._parts = parts_for(ontology, self.goal) if is_laconic else None
        self._ontology = ontology if self._parts is None else self._parts.ontology
        self.condition = EntailmentCondition(self._ontology, self.goal.inclusions)
        self.is_whole = self._parts is None or not rows_of(ontology).more
        """Whether nothing that axioms say is left out."""

    def holds(self, axioms: Collection[int]) -> bool:
        """Return whether the goal is known to follow from axioms, given by position."""
        self._tick()
        return self.condition.holds(axioms)

    def learn(self, axioms: Collection[int]) -> bool:
        """Find out whether the goal follows from axioms."""
        self._tick()
        return self.condition.learn(axioms)

    def axioms(self, positions: Collection[int]) -> tuple[Axiom, ...]:
        """Return the axioms at some positions, in the order of the ontology; if laconic, put together from parts."""
        axioms = tuple(self._ontology.axioms[position] for position in sorted(positions))
        return axioms if self._parts is None else self._parts.joined(axioms)

    def _tick(self) -> None:
        self._count += 1
        if self._progress is not None:
            self._progress(self._count)
        if self._end is not None and time.monotonic() > self._end:
            raise LimitReached(f"{self.goal.text}: the limit of {self._limit:g} seconds is over; raise it for more")


class Justifications:
    """The justifications of a goal, found when they are asked for: an iterator that knows whether it has them all."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._search = self._found()
        self.are_all = False
        """Whether there are no more than were found; known at the end."""
        self.is_limit_reached = False
        """Whether the search stopped as the time was over."""

    @property
    def goal(self) -> Goal:
        """What is asked."""
        return self._asked.goal

    def __iter__(self) -> Iterator[Justification]:
        return self

    def __next__(self) -> Justification:
        try:
            positions = next(self._search)
        except LimitReached:
            self.is_limit_reached = True
            raise StopIteration from None
        asked = self._asked
        return Justification(asked.goal, asked.axioms(positions), asked.names)

    def _found(self) -> Iterator[Elements]:
        asked, condition = self._asked, self._asked.condition
        seen: set[Elements] = set()
        for found in smallest_sets(condition.plain_axioms, OnlyKnown(asked)):
            least = condition.minimised(found) if condition.says_more(found) else found
            if least != found:
                condition.solver.add(least)
            if least not in seen:
                seen.add(least)
                yield least
        if not condition.is_exact:
            everything = condition.widened()
            for least in seen:
                condition.solver.add(least)
            for found in smallest_sets(everything, asked):
                if found not in seen:
                    seen.add(found)
                    yield found
        self.are_all = asked.is_whole


def parts_for(ontology: Ontology, goal: Goal) -> Parts:
    """Cut the axioms that can matter for a goal into parts."""
    rows = rows_of(ontology)
    return Parts(axiom for _, axiom in module(rows.plain, rows.plain_modules, goal.inclusions))


@dataclass(frozen=True)
class OnlyKnown:
    """A condition of which nothing more is learnt."""

    asked: Asked

    def holds(self, axioms: Collection[int]) -> bool:
        """Return whether it is known to hold."""
        return self.asked.holds(axioms)

    def learn(self, axioms: Collection[int]) -> bool:
        """Learn nothing."""
        return self.asked.holds(axioms)
