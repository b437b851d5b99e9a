"""What is known of when a goal holds where not all axioms that can matter for it are used.

EL finds some of the worlds in which a goal is entailed; in others it may be entailed by an axiom that is not used
whole, if such a one holds there. So the true condition lies between two, which are equal where everything is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import ClassExpression
from moose.owl.profile.profile import Outside
from moose.queries.program.goal_conditions import Case, Condition
from moose.queries.program.goals import Goal
from moose.queries.program.program import CERTAIN
from moose.saturation.answers.entailment import Reasoner


class WorldCondition(Protocol):
    """When a goal holds, as far as bounds need to know; a negated goal holds where its inclusions are not entailed."""

    @property
    def goal(self) -> Goal:
        """What is asked."""

    @property
    def axioms(self) -> frozenset[int]:
        """The uncertain axioms that make a difference."""

    def is_entailed(self, world: Collection[int]) -> bool:
        """Return whether the inclusions follow where just these uncertain axioms hold; more so in larger worlds."""


@dataclass(frozen=True)
class Bracket:
    """Two conditions around the true one: the goal holds where `surely` does, and only where `possibly` does."""

    surely: Condition
    possibly: Condition
    unused: Mapping[int, Outside] = field(default_factory=dict)
    """The axioms that can matter and are not used whole, by position."""

    @property
    def is_tight(self) -> bool:
        """Return whether the two are the same condition."""
        return self.surely is self.possibly

    @property
    def widest(self) -> Condition:
        """Return the one that has all cases of both."""
        return self.surely if self.surely.goal.is_negated else self.possibly


def bracket(condition: Condition, unused: Mapping[int, Outside], uncertain: Collection[int]) -> Bracket:
    """Put a bracket around when a goal holds, from when EL finds it entailed and the axioms that it does not use."""
    if not unused:
        return Bracket(condition, condition)
    wide = widened(condition, unused, uncertain)
    surely, possibly = (wide, condition) if condition.goal.is_negated else (condition, wide)
    return Bracket(surely, possibly, unused)


def widened(condition: Condition, more: Collection[int], uncertain: Collection[int]) -> Condition:
    """Return the condition that is also entailed wherever one of some axioms holds, which a certain one does."""
    cases = tuple(Case(frozenset([one]), CERTAIN) for one in sorted(more) if one in uncertain)
    if any(one not in uncertain for one in more):
        cases = (Case(frozenset(), CERTAIN),)
    return Condition(condition.goal, tuple((*part, *cases) for part in condition.parts))


class AskedCondition:
    """When a goal holds by another reasoner, which is asked only in worlds where EL does not know."""

    def __init__(
        self, bracket: Bracket, module: Mapping[int, ax.Axiom], uncertain: Collection[int], reasoner: Reasoner
    ) -> None:
        self.goal = bracket.surely.goal
        conditions = (bracket.surely, bracket.possibly)
        self._least, self._most = reversed(conditions) if self.goal.is_negated else conditions
        self._certain = [one for position, one in module.items() if position not in uncertain]
        self._uncertain = {position: one for position, one in module.items() if position in uncertain}
        self._reasoner = reasoner
        self._known: dict[frozenset[int], bool] = {}
        self.axioms = self._least.axioms.union(self._uncertain)

    def is_entailed(self, world: Collection[int]) -> bool:
        """Return whether all inclusions follow where just these uncertain axioms hold."""
        holding = self.axioms.intersection(world)
        if holding not in self._known:
            self._known[holding] = self._least.is_entailed(holding) or (
                self._most.is_entailed(holding) and self._is_entailed_by_reasoner(holding)
            )
        return self._known[holding]

    def _is_entailed_by_reasoner(self, holding: frozenset[int]) -> bool:
        axioms = [*self._certain, *(self._uncertain[one] for one in sorted(holding & self._uncertain.keys()))]
        return all(self._reasoner.entails(axioms, *pair) for pair in self.goal.inclusions)


class NegatedCondition:
    """Holds in just the worlds in which another condition does not."""

    def __init__(self, condition: WorldCondition) -> None:
        self.goal = replace(condition.goal, is_negated=not condition.goal.is_negated)
        self.axioms = condition.axioms
        self.is_entailed = condition.is_entailed


class WidenedCondition:
    """Is entailed where another condition is, and wherever one of some axioms holds."""

    def __init__(self, condition: WorldCondition, more: Collection[int], uncertain: Collection[int]) -> None:
        self.goal = condition.goal
        self._condition = condition
        self._more = frozenset(more)
        self._is_certain = any(one not in uncertain for one in more)
        self.axioms = condition.axioms | self._more.intersection(uncertain)

    def is_entailed(self, world: Collection[int]) -> bool:
        """Return whether this is so where just these uncertain axioms hold."""
        return self._is_certain or not self._more.isdisjoint(world) or self._condition.is_entailed(world)


def asked(
    bracket: Bracket, module: Mapping[int, ax.Axiom], uncertain: Collection[int], reasoner: Reasoner
) -> tuple[WorldCondition, WorldCondition]:
    """Return conditions around the true one by another reasoner; axioms that nobody could read stay open."""
    if bracket.is_tight:
        return bracket.surely, bracket.possibly
    read = {position: one for position, one in module.items() if not isinstance(one, ax.UnreadAxiom)}
    condition = AskedCondition(bracket, read, uncertain, reasoner)
    unread = module.keys() - read.keys()
    if not unread:
        return condition, condition
    wide = WidenedCondition(condition, unread, uncertain)
    return (wide, condition) if condition.goal.is_negated else (condition, wide)


class CountedReasoner:
    """Another reasoner, and how often it was asked."""

    def __init__(self, reasoner: Reasoner) -> None:
        self._reasoner = reasoner
        self.name = reasoner.name
        self.asked = 0

    def entails(self, axioms: Sequence[ax.Axiom], sub: ClassExpression, sup: ClassExpression) -> bool:
        """Ask it."""
        self.asked += 1
        return self._reasoner.entails(axioms, sub, sup)


def unused_of(brackets: Sequence[Bracket]) -> tuple[Outside, ...]:
    """Return the axioms that can matter for some goals and are not used whole, in the order of the ontology."""
    together = {position: row for one in brackets for position, row in one.unused.items()}
    return tuple(together[position] for position in sorted(together))


def all_tight(brackets: Sequence[Bracket]) -> bool:
    """Return whether everything is known of when goals hold."""
    return all(one.is_tight for one in brackets)
