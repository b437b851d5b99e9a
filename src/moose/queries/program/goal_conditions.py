"""A goal as a function of worlds: which choices of uncertain axioms make it hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from weakref import WeakKeyDictionary

from moose.base.errors import LimitReached
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.modules.gates import Name
from moose.owl.modules.module_extraction import Modules, names_in
from moose.owl.ontology import Ontology
from moose.queries.program.goals import Goal
from moose.queries.program.program import GoalProgram, Joint, NormalForms, goal_program

Numbered = tuple[int, ax.Axiom]

ROLE_AXIOMS = (
    *(ax.DataPropertyRange, ax.SubDataPropertyOf, ax.EquivalentDataProperties),
    *(ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.ObjectPropertyCharacteristic),
)
"""What may not be tracked; most uncertain axioms are about classes."""
MOST_SPLIT = 10
"""How many axioms may be taken in and out one by one: each doubles the work."""


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


class Prepared:
    """What depends on an ontology alone: its axioms by the names that bring them in."""

    def __init__(self, ontology: Ontology) -> None:
        self.joint = joint_sources(ontology)
        self.axioms = numbered(ontology)
        self.modules = Modules([axiom for _, axiom in self.axioms])


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

    def module(self, goal: Goal) -> list[Numbered]:
        """Return the axioms that can matter for a goal, one that several others imply once for each of these."""
        rows = self._module(name for sub, _ in goal.inclusions for name in names_in(sub))
        joint = self._prepared.joint
        return [(one, axiom) for number, axiom in rows for one in joint.get(number, (number,))]

    def condition(self, goal: Goal, uncertain: Collection[int]) -> Condition:
        """Return when a goal holds, given which axioms (by their position in the ontology) are uncertain."""
        parts = [
            tuple(cases(self._module(names_in(sub)), uncertain, (sub, sup), self._forms, self._prepared.joint))
            for sub, sup in goal.inclusions
        ]
        return Condition(goal, tuple(parts))

    def _module(self, names: Iterable[Name]) -> list[Numbered]:
        included = (self._prepared.axioms[position] for position in self._prepared.modules.module(names))
        joint, absent = self._prepared.joint, self._absent
        return [one for one in included if absent.isdisjoint(joint.get(one[0], one[:1]))]


def numbered(ontology: Ontology) -> list[Numbered]:
    """Return the EL axioms, each with the position of the axiom of the ontology that it is or is a part of.

    Those that follow from several axioms together come last, with numbers of their own (see `joint_sources`).
    """
    outside = iter(ontology.profile.outside)
    waiting = next(outside, None)
    rows: list[Numbered] = []
    for position, axiom in enumerate(ontology.axioms):
        if waiting is not None and waiting.axiom is axiom:
            rows += [(position, part) for part in waiting.used]
            waiting = next(outside, None)
        else:
            rows.append((position, axiom))
    first = len(ontology.axioms)
    for position, one in enumerate((*ontology.profile.joint, *ontology.profile.disjunctions)):
        rows.append((one.sources[0] if len(one.sources) == 1 else first + position, one.axiom))
    return rows


def joint_sources(ontology: Ontology) -> dict[int, tuple[int, ...]]:
    """Return, by its number, the positions of the axioms that an axiom follows from which rests on several."""
    first = len(ontology.axioms)
    joint = enumerate((*ontology.profile.joint, *ontology.profile.disjunctions))
    return {first + position: one.sources for position, one in joint if len(one.sources) > 1}


def cases(
    module: Sequence[Numbered],
    uncertain: Collection[int],
    goal: tuple[owl.ClassExpression, owl.ClassExpression],
    forms: NormalForms,
    joint: Joint,
) -> list[Case]:
    """Return programs that together say when C ⊑ D; more than one where an axiom's part in proofs is not tracked.

    What is entailed only grows with the axioms, so that a case need not say which axioms fail to hold.
    """
    split = untracked(module, uncertain)
    tracked = frozenset(uncertain).difference(split)
    rows = tracked_rows(module, tracked, joint)
    result = []
    for assumed in choices(split):
        left_out = set(split) - assumed
        axioms = [one for one in rows if left_out.isdisjoint(joint.get(one[0], one[:1]))]
        result.append(Case(assumed, goal_program(axioms, tracked, *goal, forms=forms, joint=joint)))
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
