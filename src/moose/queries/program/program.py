"""A goal as a Horn program over uncertain axioms: it holds in a world just when the program concludes it there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from moose.owl.model import axioms as ax
from moose.owl.model.expressions import ClassExpression
from moose.owl.normal.normal_form import BOTTOM, NormalForm
from moose.owl.normal.normalise import normalise
from moose.saturation.recorded.calculus import Calculus
from moose.saturation.recorded.horn import (
    FALSUM,
    HornClause,
    IndexedClauses,
    eliminate,
    least_model,
    simplified,
    useful,
)
from moose.saturation.recorded.rule_instance import Inhabited, Sub, Told

GOAL = -1
"""The atom that stands for the goal; a contradiction entails every goal, so it is that too."""
assert GOAL == FALSUM

NO_SUCH_AXIOM = 1 << 40
"""Above the positions of all axioms of a normal form."""

Joint = Mapping[int, Sequence[int]]
"""The numbers of axioms that follow from several others together, and the numbers of these."""
IsOver = Callable[[], bool]
"""Says whether the time that was allowed is over."""


@dataclass(frozen=True)
class GoalProgram:
    """Horn clauses whose atoms are axioms (by position), auxiliary ones after these, and GOAL."""

    clauses: tuple[HornClause, ...]
    axioms: frozenset[int]
    """The uncertain axioms that occur; every other makes no difference."""

    @property
    def is_certain(self) -> bool:
        """Return whether the goal holds in every world."""
        return (frozenset(), GOAL) in self.clauses

    def holds(self, world: Collection[int]) -> bool:
        """Return whether the goal holds where just these uncertain axioms do."""
        given = [axiom for axiom in world if axiom in self.axioms]
        return GOAL in self.indexed.least_model(given, until=GOAL)

    @cached_property
    def indexed(self) -> IndexedClauses:
        """The clauses by what they wait for."""
        return IndexedClauses(self.clauses)


CERTAIN = GoalProgram(((frozenset(), GOAL),), frozenset())
"""What holds in every world."""


class NormalForms:
    """Normal forms of axioms with a goal, each made once: which axioms are uncertain makes no difference to them."""

    def __init__(self) -> None:
        self._made: dict[tuple[object, ...], tuple[Sequence[ax.Axiom], NormalForm]] = {}

    def of(self, axioms: Sequence[ax.Axiom], sub: ClassExpression, sup: ClassExpression) -> NormalForm:
        """Return the normal form for C ⊑ D; axioms are told apart by identity, and kept so that none is mistaken."""
        key = (tuple(map(id, axioms)), sub, sup)
        if key not in self._made:
            self._made[key] = (axioms, normalise(axioms, goals=[(sub, sup)]))
        return self._made[key][1]


@dataclass(frozen=True)
class Running:
    """What is known of the axioms of several goals, and how long the rules may run."""

    forms: NormalForms | None = None
    joint: Joint | None = None
    most: int | None = None
    """How many rule instances there may be before `TooManyInstances` is raised."""
    is_over: IsOver | None = None


def goal_program(  # noqa: PLR0913  # axioms, a goal, and how it is to be written
    axioms: Sequence[tuple[int, ax.Axiom]],
    uncertain: Collection[int],
    sub: ClassExpression,
    sup: ClassExpression,
    *,
    is_reduced: bool = True,
    running: Running | None = None,
) -> GoalProgram:
    """Return the program for C ⊑ D over numbered axioms; auxiliary atoms are resolved away unless not `is_reduced`."""
    derivation = derive(axioms, uncertain, sub, sup, running=running)
    certain = least_model(derivation.clauses)
    if GOAL in certain:
        return CERTAIN
    kept = useful(simplified(derivation.clauses, certain), ())
    program = numbered_program(kept, derivation.axiom_of, first_free=derivation.first_free)
    return resolved(program) if is_reduced else program


def resolved(program: GoalProgram) -> GoalProgram:
    """Return the same program with auxiliary atoms resolved away where that makes it no longer."""
    certain = least_model(program.clauses)
    if GOAL in certain:
        return CERTAIN
    axioms = program.axioms
    kept = useful(eliminate(simplified(program.clauses, certain), lambda atom: atom not in axioms), ())
    return GoalProgram(tuple(kept), axioms & {atom for body, _ in kept for atom in body})


@dataclass(frozen=True, eq=False)
class Derivation:
    """Every rule instance that a goal can need, over positions in `calculus.facts` and GOAL."""

    calculus: Calculus
    clauses: tuple[HornClause, ...]
    axiom_of: dict[int, int]
    """The facts that are premises "an axiom holds", and the numbers of the axioms."""
    first_free: int
    """A number above all axioms."""


def derive(
    axioms: Sequence[tuple[int, ax.Axiom]],
    uncertain: Collection[int],
    sub: ClassExpression,
    sup: ClassExpression,
    *,
    running: Running | None = None,
) -> Derivation:
    """Run the rules from C, keep their instances, and say which facts are the goal C ⊑ D."""
    running = running or Running()
    form = (running.forms or NormalForms()).of([axiom for _, axiom in axioms], sub, sup)
    numbers = [number for number, _ in axioms]
    joint = running.joint or {}
    rests_on = {number: [one for one in joint[number] if one in uncertain] for number in numbers if number in joint}
    unsure = {number for number, sources in rests_on.items() if sources}.union(uncertain)
    places = [position for position, number in enumerate(numbers) if number in unsure]
    calculus = run_rules(form, places, most=running.most, is_over=running.is_over)
    from moose.grounding.encodings.entailments import horn_clauses  # which justifications do without

    clauses = (*horn_clauses(calculus), *conclusions(calculus, *form.goals[0]))
    axiom_of = {position: numbers[fact.axiom] for position, fact in enumerate(calculus.facts) if isinstance(fact, Told)}
    first_free = max((*numbers, *uncertain), default=-1) + 1
    if rests_on:
        clauses = with_sources(calculus, clauses, axiom_of, rests_on)
    return Derivation(calculus, clauses, axiom_of, first_free)


def run_rules(
    form: NormalForm, uncertain: Collection[int], *, most: int | None, is_over: IsOver | None = None
) -> Calculus:
    """Run the rules from C of a normal form's goal C ⊑ D, some of whose rows may fail to hold."""
    calculus = Calculus(form, uncertain, are_paths_one_way=True, are_rules_named=False, most=most)
    context, _ = form.goals[0]
    calculus.start(context)
    if form.individuals or form.universal_role >= 0:  # else nothing follows from there being an element
        calculus.give(Inhabited(context))
    calculus.run(is_over)
    return calculus


def with_sources(
    calculus: Calculus, clauses: Sequence[HornClause], axiom_of: dict[int, int], rests_on: Mapping[int, Sequence[int]]
) -> tuple[HornClause, ...]:
    """Put, in place of the premise that a joint axiom holds, the premises that the axioms do which it follows from."""
    facts = {number: fact for fact, number in axiom_of.items()}
    bodies: dict[int, frozenset[int]] = {}
    for fact, number in list(axiom_of.items()):
        if number in rests_on:
            del axiom_of[fact]
            for source in rests_on[number]:
                if source not in facts:  # nothing of the source itself matters here: a number that no axiom has
                    facts[source] = calculus.position(Told(len(calculus.facts) + NO_SUCH_AXIOM))
                    axiom_of[facts[source]] = source
            bodies[fact] = frozenset(facts[source] for source in rests_on[number])
    return tuple(
        (body.difference(bodies).union(*(bodies[one] for one in body if one in bodies)), head) for body, head in clauses
    )


def conclusions(calculus: Calculus, context: int, concept: int) -> Iterator[HornClause]:
    """Yield that C ⊑ D, and C ⊑ ⊥, are the goal."""
    for goal in (concept, BOTTOM):
        fact = calculus.find(Sub(context, goal))
        if fact is not None:
            yield frozenset([fact]), GOAL


def numbered_program(clauses: Sequence[HornClause], axiom_of: dict[int, int], *, first_free: int) -> GoalProgram:
    """Number axioms by their positions and other atoms after all of them."""
    numbers = numbering(clauses, axiom_of, first_free=first_free)
    # Several parts of an axiom outside EL are one axiom, so clauses may become equal.
    renamed = dict.fromkeys((frozenset(numbers[atom] for atom in body), numbers[head]) for body, head in clauses)
    return GoalProgram(tuple(renamed), frozenset(axiom_of[atom] for atom in numbers if atom in axiom_of))


def numbering(clauses: Sequence[HornClause], axiom_of: dict[int, int], *, first_free: int) -> dict[int, int]:
    """Return the number that each atom of clauses gets: an axiom its own, any other the next that is free."""
    atoms = sorted({atom for body, head in clauses for atom in (*body, head)} - {GOAL})
    others = [atom for atom in atoms if atom not in axiom_of]
    numbers = {atom: first_free + position for position, atom in enumerate(others)}
    return numbers | {atom: axiom_of[atom] for atom in atoms if atom in axiom_of} | {GOAL: GOAL}
