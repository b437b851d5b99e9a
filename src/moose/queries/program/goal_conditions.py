"""A goal as a function of worlds: which choices of uncertain axioms make it hold."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import combinations
from typing import TypeVar
from weakref import WeakKeyDictionary

from moose.base.errors import LimitReached, TooManyInstances
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.modules.gates import Name
from moose.owl.modules.module_extraction import Modules, names_in
from moose.owl.normal.normal_form import NormalForm
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.queries.program.goals import Goal
from moose.queries.program.program import GoalProgram, IsOver, Joint, NormalForms, Running, goal_program, resolved
from moose.queries.program.saturated_state import SaturatedState

Numbered = tuple[int, ax.Axiom]
Inclusion = tuple[owl.ClassExpression, owl.ClassExpression]
Made = TypeVar("Made")

ROLE_AXIOMS = (
    *(ax.DataPropertyRange, ax.SubDataPropertyOf, ax.EquivalentDataProperties),
    *(ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.ObjectPropertyCharacteristic),
)
"""What may not be tracked; most uncertain axioms are about classes."""
MOST_SPLIT = 10
"""How many axioms may be taken in and out one by one: each doubles the work."""
MOST_STATES = 4
"""How many choices of uncertain axioms are kept ready for questions: one for answers, one for justifications, twice."""
MOST_INSTANCES = 20_000
"""How many rule instances there may be with what axioms outside EL say together: half a second. EL has no limit."""


@dataclass(frozen=True)
class Case:
    """A program that is right where these axioms, which it does not name, hold."""

    assumed: frozenset[int]
    program: GoalProgram


@dataclass(frozen=True)
class Condition:
    """A goal holds where each of its inclusions has a case that does; or where not all do, for a negated goal."""

    goal: Goal
    parts: tuple[tuple[Case, ...], ...]

    @property
    def axioms(self) -> frozenset[int]:
        """The uncertain axioms that make a difference."""
        return frozenset(
            axiom for part in self.parts for case in part for axiom in (*case.assumed, *case.program.axioms)
        )

    @property
    def cases(self) -> list[Case]:
        """All cases of all parts."""
        return [case for part in self.parts for case in part]

    def holds(self, world: Collection[int]) -> bool:
        """Return whether the goal holds where just these uncertain axioms do."""
        return self.is_entailed(world) != self.goal.is_negated

    def is_entailed(self, world: Collection[int]) -> bool:
        """Return whether all inclusions follow where just these uncertain axioms hold."""
        return all(
            any(case.assumed <= set(world) and case.program.holds(world) for case in part) for part in self.parts
        )


class Rank(IntEnum):
    """What an EL axiom that reasoning uses comes from: the higher, the more there may be of its kind."""

    BY_ITSELF = 0
    """An axiom of the ontology says it."""
    OF_FILLERS = 1
    """An axiom outside EL says it of fillers that stand elsewhere, or together with others."""
    DISJUNCTION = 2
    """It is no EL axiom but a union, which is gone through case by case."""


class Prepared:
    """What depends on an ontology alone: its axioms by the names that bring them in."""

    def __init__(self, ontology: Ontology) -> None:
        self.joint = joint_sources(ontology)
        ranked_rows = list(ranked(ontology))
        self.axioms = [row for _, row in ranked_rows]
        self.ranks = [rank for rank, _ in ranked_rows]
        self._states: dict[tuple[frozenset[int], frozenset[int]], SaturatedState | None] = {}
        self._forms: dict[frozenset[int], NormalForm] = {}
        """The normal form of the axioms without those that were absent last: the same, whichever are uncertain."""

    @cached_property
    def modules(self) -> Modules:
        """The axioms by the names that bring them in, made when first asked for."""
        return Modules([axiom for _, axiom in self.axioms])

    def state(self, absent: frozenset[int], uncertain: frozenset[int]) -> SaturatedState | None:
        """Return what is kept between questions; none where what a question needs cannot be told from a shared one."""
        key = absent, uncertain
        if key not in self._states:
            if len(self._states) >= MOST_STATES:
                del self._states[next(iter(self._states))]
            self._states[key] = self._make_state(absent, uncertain)
        return self._states[key]

    def _make_state(self, absent: frozenset[int], uncertain: frozenset[int]) -> SaturatedState | None:
        if any(self.ranks):
            return None
        axioms = [one for one in self.axioms if one[0] not in absent]
        if any(number in uncertain and isinstance(axiom, ROLE_AXIOMS) for number, axiom in axioms):
            kinds = untracked_kinds([axiom for _, axiom in axioms])
            if any(number in uncertain and isinstance(axiom, kinds) for number, axiom in axioms):
                return None
        if absent not in self._forms:
            self._forms = {absent: normalise([axiom for _, axiom in axioms])}
        state = SaturatedState(axioms, uncertain, self._forms[absent])
        return None if state.has_universal_role else state


PREPARED: WeakKeyDictionary[Ontology, Prepared] = WeakKeyDictionary()
"""Kept as long as the ontology is, to which it must not refer, so that a second query does not pay again."""


class Conditions:
    """Finds the conditions of goals of one ontology, some of whose axioms may be absent."""

    def __init__(self, ontology: Ontology, *, absent: Collection[int] = ()) -> None:
        prepared = PREPARED.get(ontology)
        if prepared is None:
            prepared = PREPARED[ontology] = Prepared(ontology)
        self._prepared = prepared
        self._absent = frozenset(absent)
        self._forms = NormalForms()
        self._every = frozenset(range(len(ontology.axioms)))
        self._last: tuple[Collection[int], SaturatedState | None] | None = None

    def module(self, goal: Goal) -> list[Numbered]:
        """Return the axioms that can matter for a goal, one that several others imply once for each of these."""
        names = (name for sub, _ in goal.inclusions for name in names_in(sub))
        rows = self._module(names, Rank.DISJUNCTION)
        joint = self._prepared.joint
        return [(one, axiom) for number, axiom in rows for one in joint.get(number, (number,))]

    def condition(
        self, goal: Goal, uncertain: Collection[int], *, is_reduced: bool = True, is_over: IsOver | None = None
    ) -> Condition:
        """Return when a goal holds, given which axioms (by their position in the ontology) are uncertain.

        Facts are resolved away unless not `is_reduced`; `TimeIsOver` is raised when it is over before all is derived.
        """
        state = self._state(uncertain)
        return Condition(
            goal, tuple(tuple(self._cases(one, uncertain, state, is_reduced, is_over)) for one in goal.inclusions)
        )

    def prepare(self, uncertain: Collection[int]) -> bool:
        """Derive beforehand what questions can need; return whether that is possible and not too much to keep."""
        state = self._state(uncertain)
        return state is not None and state.saturate()

    def justifying(self, goal: Goal, is_over: IsOver | None = None) -> Condition:
        """Return when a goal holds if every axiom is uncertain, nothing resolved away."""
        every = self._every
        state = self._state(every)
        if state is None or not all(state.knows(*one) for one in goal.inclusions):
            every = frozenset(number for number, _ in self.module(goal))
        return self.condition(goal, every, is_reduced=False, is_over=is_over)

    def _state(self, uncertain: Collection[int]) -> SaturatedState | None:
        """Return what is kept for some uncertain axioms; the last ones are known by what they are, not read again."""
        if self._last is None or self._last[0] is not uncertain:
            self._last = uncertain, self._prepared.state(self._absent, frozenset(uncertain))
        return self._last[1]

    def _cases(
        self,
        goal: Inclusion,
        uncertain: Collection[int],
        state: SaturatedState | None,
        is_reduced: bool,
        is_over: IsOver | None,
    ) -> list[Case]:
        """Return when C ⊑ D."""
        if state is not None and state.knows(*goal):
            program = state.program(*goal, is_over)
            return [Case(frozenset(), resolved(program) if is_reduced else program)]

        def by_axioms(highest: Rank, most: int | None) -> list[Case]:
            module = self._module(names_in(goal[0]), highest)
            options = Making(self._forms, self._prepared.joint, is_reduced, is_over)
            return cases(module, uncertain, goal, options, most=most)

        return with_fewer_axioms(self._prepared.ranks, by_axioms)

    def _module(self, names: Iterable[Name], highest: Rank) -> list[Numbered]:
        prepared = self._prepared
        positions = (one for one in prepared.modules.module(names) if prepared.ranks[one] <= highest)
        included = (prepared.axioms[position] for position in positions)
        return [one for one in included if self._absent.isdisjoint(prepared.joint.get(one[0], one[:1]))]


def with_fewer_axioms(ranks: Iterable[Rank], make: Callable[[Rank, int | None], Made]) -> Made:
    """Return what is made by all axioms or, where they have too many rule instances, by those up to a lower rank.

    What follows from fewer axioms is less, and never wrong. `make` is told the highest rank and the most instances.
    """
    for highest in sorted({*ranks} - {Rank.BY_ITSELF}, reverse=True):
        try:
            return make(highest, MOST_INSTANCES)
        except TooManyInstances:
            pass
    return make(Rank.BY_ITSELF, None)


def ranked(ontology: Ontology) -> Iterator[tuple[Rank, Numbered]]:
    """Yield the EL axioms, each with the position of the axiom of the ontology that it is or is a part of.

    Those that follow from several axioms together come last, with numbers of their own (see `joint_sources`).
    """
    outside = iter(ontology.profile.outside)
    waiting = next(outside, None)
    for position, axiom in enumerate(ontology.axioms):
        if waiting is not None and waiting.axiom is axiom:
            for count, part in enumerate(waiting.used):
                yield Rank.BY_ITSELF if count < waiting.by_itself else Rank.OF_FILLERS, (position, part)
            waiting = next(outside, None)
        else:
            yield Rank.BY_ITSELF, (position, axiom)
    profile = ontology.profile
    for free, one in enumerate((*profile.joint, *profile.disjunctions), len(ontology.axioms)):
        rank = Rank.OF_FILLERS if free < len(ontology.axioms) + len(profile.joint) else Rank.DISJUNCTION
        yield rank, (one.sources[0] if len(one.sources) == 1 else free, one.axiom)


def joint_sources(ontology: Ontology) -> dict[int, tuple[int, ...]]:
    """Return, by its number, the positions of the axioms that an axiom follows from which rests on several."""
    first = len(ontology.axioms)
    joint = enumerate((*ontology.profile.joint, *ontology.profile.disjunctions))
    return {first + position: one.sources for position, one in joint if len(one.sources) > 1}


@dataclass(frozen=True)
class Making:
    """How programs are made."""

    forms: NormalForms
    joint: Joint
    is_reduced: bool = True
    is_over: IsOver | None = None


def cases(
    module: Sequence[Numbered], uncertain: Collection[int], goal: Inclusion, making: Making, *, most: int | None = None
) -> list[Case]:
    """Return programs that together say when C ⊑ D; more than one where an axiom's part in proofs is not tracked.

    What is entailed only grows with the axioms, so that a case need not say which axioms fail to hold.
    """
    split = untracked(module, uncertain)
    tracked = frozenset(uncertain).difference(split)
    joint = making.joint
    rows = tracked_rows(module, tracked, joint)
    result = []
    for assumed in choices(split):
        left_out = set(split) - assumed
        axioms = [one for one in rows if left_out.isdisjoint(joint.get(one[0], one[:1]))]
        running = Running(making.forms, joint, most, making.is_over)
        program = goal_program(axioms, tracked, *goal, is_reduced=making.is_reduced, running=running)
        result.append(Case(assumed, program))
    return result


def tracked_rows(module: Sequence[Numbered], uncertain: Collection[int], joint: Joint) -> list[Numbered]:
    """Leave out joint axioms that rule instances do not name and that rest on uncertain ones: a bound is then lower."""
    unsure = [one for one in module if one[0] in joint and any(source in uncertain for source in joint[one[0]])]
    kinds = untracked_kinds([axiom for _, axiom in module]) if unsure else ()
    lost = {number for number, axiom in unsure if isinstance(axiom, kinds)}
    return [one for one in module if one[0] not in lost]


def choices(numbers: Sequence[int]) -> Iterator[frozenset[int]]:
    """Yield every set of axioms that may be the ones to hold, smaller ones first."""
    for size in range(len(numbers) + 1):
        yield from map(frozenset, combinations(numbers, size))


def untracked(module: Sequence[Numbered], uncertain: Collection[int]) -> list[int]:
    """Return the uncertain axioms that rule instances do not name, so that they must be tried both ways."""
    unsure = [(number, axiom) for number, axiom in module if number in uncertain and isinstance(axiom, ROLE_AXIOMS)]
    kinds = untracked_kinds([axiom for _, axiom in module]) if unsure else ()
    numbers = sorted({number for number, axiom in unsure if isinstance(axiom, kinds)})
    if len(numbers) > MOST_SPLIT:
        raise LimitReached(
            f"expected at most {MOST_SPLIT} uncertain axioms about data ranges or beside universal roles, "
            f"but {len(numbers)} can matter here; make some of them certain"
        )
    return numbers


def untracked_kinds(axioms: Sequence[ax.Axiom]) -> tuple[type[ax.Axiom], ...]:
    """Return the types of axioms that the normal form takes in without saying where: no rule instance can name them."""
    kinds: tuple[type[ax.Axiom], ...] = (ax.DataPropertyRange,)
    if any(isinstance(axiom, ax.DataPropertyRange) for axiom in axioms):
        kinds += (ax.SubDataPropertyOf, ax.EquivalentDataProperties)
    if any(name == owl.TOP_OBJECT_PROPERTY for axiom in axioms for name in names_in(axiom)):
        kinds += (ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.ObjectPropertyCharacteristic)
    return kinds
