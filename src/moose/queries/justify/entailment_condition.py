"""From which axioms a goal follows: by rule instances, which are quick to ask, and by saturation, which misses none.

Rule instances are recorded of what axioms of EL say, and what axioms outside EL say by themselves. What axioms outside
EL say together, or of what stands elsewhere, may have millions of instances; and of some axioms about data and
universal roles no instance tells that it needs them. There, sets of axioms are saturated one by one, and what is found
so is kept.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

from moose.base.errors import TooManyInstances
from moose.base.memory import paused_collection
from moose.base.minimal_subsets import shrunk
from moose.owl.model.axioms import Axiom
from moose.owl.modules.module_extraction import Modules, goal_module
from moose.owl.normal.normal_form import BOTTOM
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.queries.justify.horn_solver import Clause, HornSolver
from moose.queries.program.goal_conditions import Numbered, Rank, joint_sources, ranked, untracked_kinds
from moose.queries.program.program import GOAL, Joint, run_rules
from moose.saturation.proofs.explain import Inclusion, derivable, write_down
from moose.saturation.recorded.rule_instance import Sub, Told

MOST_INSTANCES = 100_000
"""Of what axioms outside EL say together: a few seconds. Beyond, sets of axioms are saturated one by one."""


class Rows:
    """The axioms that reasoning uses, each with the number of the axiom it comes from, and modules of them."""

    def __init__(self, ontology: Ontology) -> None:
        self.joint: Joint = joint_sources(ontology)
        rows = list(ranked(ontology))
        self.all: list[Numbered] = [row for _, row in rows]
        self.plain: list[Numbered] = [row for rank, row in rows if rank is Rank.BY_ITSELF]
        self.more: list[Numbered] = [row for rank, row in rows if rank is not Rank.BY_ITSELF]
        """What axioms outside EL say of what stands elsewhere, or together with others."""
        self.more_from: dict[int, list[Numbered]] = {}
        """The same by the first of the axioms that it needs."""
        for row in self.more:
            self.more_from.setdefault(self.sources(row[0])[0], []).append(row)

    @cached_property
    def modules(self) -> Modules:
        """Modules of all."""
        return Modules([axiom for _, axiom in self.all])

    @cached_property
    def plain_modules(self) -> Modules:
        """Modules of what axioms say by themselves."""
        return Modules([axiom for _, axiom in self.plain]) if self.more else self.modules

    def sources(self, number: int) -> Sequence[int]:
        """Return the positions in the ontology of the axioms that a row needs."""
        return self.joint.get(number, (number,))


_KEPT: WeakKeyDictionary[Ontology, Rows] = WeakKeyDictionary()
"""Kept as long as the ontology is, to which they must not refer."""


def rows_of(ontology: Ontology) -> Rows:
    """Return the rows of an ontology, made when they are first asked for."""
    rows = _KEPT.get(ontology)
    if rows is None:
        rows = _KEPT[ontology] = Rows(ontology)
    return rows


@dataclass(frozen=True)
class Programs:
    """The Horn program of a goal, over positions of axioms; whether every set that entails the goal does so by it."""

    solver: HornSolver
    axioms: frozenset[int]
    is_exact: bool


class EntailmentCondition:
    """Whether goals C ⊑ D follow, all of them, from sets of axioms, given by their positions in the ontology."""

    def __init__(self, ontology: Ontology, inclusions: Sequence[Inclusion]) -> None:
        self._inclusions = inclusions
        with paused_collection():
            self._rows = rows_of(ontology)
            plain = self._program(self._rows.plain, self._rows.plain_modules, most=None)
        assert plain is not None, "there is no limit"
        self._recorded = plain
        self._is_all_recorded = plain.is_exact and not self._rows.more

    @property
    def is_exact(self) -> bool:
        """Return whether rule instances tell of every set that entails the goal."""
        return self._is_all_recorded

    @property
    def solver(self) -> HornSolver:
        """What is known."""
        return self._recorded.solver

    @property
    def plain_axioms(self) -> frozenset[int]:
        """The positions of the axioms that recorded rule instances need."""
        return self._recorded.axioms

    def holds(self, axioms: Collection[int]) -> bool:
        """Return whether the goals are known to follow from these axioms."""
        return self.solver.holds(axioms)

    def learn(self, axioms: Collection[int]) -> bool:
        """Return whether the goals follow from these axioms, by saturation; if so, remember why."""
        if self.is_exact:
            return False
        rows = self._those_from(self._module, axioms)
        if not follow(rows, self._inclusions):
            return False
        used = self._used(rows)
        is_enough = follow(self._those_from(rows, used), self._inclusions)
        self.solver.add(self.minimised(used if is_enough else axioms))
        return True

    def widened(self) -> frozenset[int]:
        """Take in what axioms outside EL say together, where its rule instances are few; return all that can matter."""
        if self.is_exact:
            return self._recorded.axioms
        program = self._program(self._rows.all, self._rows.modules, most=MOST_INSTANCES)
        if program is not None and program.is_exact:
            self._recorded, self._is_all_recorded = program, True
        return frozenset(source for number, _ in self._module for source in self._rows.sources(number))

    def minimised(self, axioms: Collection[int]) -> frozenset[int]:
        """Leave out axioms as long as the goals follow from the rest, everything that the rest says taken in."""
        rows = self._those_from(self._rows.all, axioms)

        def entail(rest: Collection[int]) -> bool:
            return follow(self._those_from(rows, rest), self._inclusions)

        return frozenset(shrunk(sorted(axioms), entail))

    def says_more(self, axioms: Collection[int]) -> bool:
        """Return whether axioms say something that no rule instance was recorded of, so that fewer might do."""
        if not self._recorded.is_exact:
            return True
        more = self._rows.more_from
        return not self.is_exact and any(self._those_from(more[one], axioms) for one in axioms if one in more)

    @cached_property
    def _module(self) -> list[Numbered]:
        """All rows that can matter."""
        return module(self._rows.all, self._rows.modules, self._inclusions)

    def _those_from(self, rows: Sequence[Numbered], axioms: Collection[int]) -> list[Numbered]:
        there = frozenset(axioms)
        return [row for row in rows if there.issuperset(self._rows.sources(row[0]))]

    def _used(self, rows: Sequence[Numbered]) -> frozenset[int]:
        """Return the positions of axioms from which the goals follow: those of a proof of each."""
        numbers: dict[Axiom, int] = {}
        for number, axiom in rows:
            numbers.setdefault(axiom, number)
        used = {
            source
            for inclusion in self._inclusions
            for axiom in axioms_of_proof([axiom for _, axiom in rows], inclusion)
            for source in self._rows.sources(numbers[axiom])
        }
        return frozenset(used)

    def _program(self, rows: Sequence[Numbered], modules: Modules, *, most: int | None) -> Programs | None:
        """Record rule instances for all goals, or return None where there are too many.

        What no rule instance names, axioms about data ranges and beside universal roles, is left out: then what
        instances conclude is right, and not all.
        """
        clauses: list[Clause] = []
        is_exact = True
        first_goal = max((number for number, _ in self._rows.all), default=-1) + 1
        free = first_goal + len(self._inclusions)
        for goal, inclusion in enumerate(self._inclusions, first_goal):
            needed = module(rows, modules, [inclusion])
            kinds = untracked_kinds([axiom for _, axiom in needed])
            tracked = [row for row in needed if not isinstance(row[1], kinds)]
            is_exact = is_exact and len(tracked) == len(needed)
            try:
                more = clauses_back_from(tracked, inclusion, goal, first_free=free, most=most)
            except TooManyInstances:
                return None
            clauses += more
            free = max((free, *(head + 1 for _, head in more)))
        told = {atom for body, _ in clauses for atom in body if atom < first_goal}
        clauses += ((self._rows.joint[number], number) for number in told if number in self._rows.joint)
        clauses.append((tuple(range(first_goal, first_goal + len(self._inclusions))), GOAL))
        axioms = frozenset(source for number in told for source in self._rows.sources(number))
        return Programs(HornSolver(clauses, axioms), axioms, is_exact)


def clauses_back_from(
    rows: Sequence[Numbered], inclusion: Inclusion, goal: int, *, first_free: int, most: int | None
) -> list[Clause]:
    """Run the rules from C, and return those instances that C ⊑ D, numbered `goal`, can need.

    Axioms have their own numbers, other facts those from the first free one on. An individual that is impossible makes
    everything follow.
    """
    form = normalise([axiom for _, axiom in rows], goals=[inclusion])
    calculus = run_rules(form, range(len(rows)), most=most)
    bodies: dict[int, list[tuple[int, ...]]] = {}
    for body, head in calculus.rules:
        bodies.setdefault(head, []).append(body)
    context, concept = form.goals[0]
    ends = [Sub(context, concept), Sub(context, BOTTOM), *(Sub(one, BOTTOM) for one in form.nominal_concepts.tolist())]
    waiting = [position for end in dict.fromkeys(ends) if (position := calculus.find(end)) is not None]
    numbers = {position: first_free + count for count, position in enumerate(waiting)}
    clauses: list[Clause] = [((numbers[position],), goal) for position in waiting]
    for head in waiting:  # which grows while it is walked
        for body in bodies.get(head, ()):
            for position in body:
                if position not in numbers:
                    fact = calculus.facts[position]
                    numbers[position] = rows[fact.axiom][0] if isinstance(fact, Told) else first_free + len(waiting)
                    if not isinstance(fact, Told):
                        waiting.append(position)
            clauses.append((tuple([numbers[position] for position in body]), numbers[head]))
    calculus.release()
    return clauses


def module(rows: Sequence[Numbered], modules: Modules, inclusions: Sequence[Inclusion]) -> list[Numbered]:
    """Return the rows that can matter for goals."""
    positions = {position for goal in inclusions for position in goal_module(modules, goal)}
    return [rows[position] for position in sorted(positions)]


def follow(rows: Sequence[Numbered], inclusions: Sequence[Inclusion]) -> bool:
    """Return whether goals follow from rows, by saturation."""
    form = normalise([axiom for _, axiom in rows], goals=inclusions)
    return all(derivable(form, *goal) is not None for goal in form.goals)


def axioms_of_proof(axioms: Sequence[Axiom], goal: Inclusion) -> set[Axiom]:
    """Return the axioms of a proof of C ⊑ D, which follows."""
    form = normalise(axioms, goals=[goal])
    found = derivable(form, *form.goals[0])
    assert found is not None, "it follows"
    try:
        proof = write_down(found, axioms, goal, most=MOST_INSTANCES)
    except TooManyInstances:
        proof = write_down(found, axioms, goal, is_sparing=True)
    return {axiom for step in proof.steps for axiom in step.axioms}
