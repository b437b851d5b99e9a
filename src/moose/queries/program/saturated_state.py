"""What is kept of an ontology between questions: its normal form, and the facts and rule instances derived so far.

The rules run on from where the last question left them, so that what two questions share is derived once. That a
class of a question has an element is not taken as given here, as it is for one question alone: it is a fact that may
hold, and the question says that it does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from threading import RLock

from moose.base.errors import TimeIsOver
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.normal.normal_form import BOTTOM, TOP, NormalForm
from moose.owl.normal.normalise import normalise
from moose.queries.program.program import CERTAIN, GOAL, GoalProgram, IsOver, numbered_program
from moose.saturation.recorded.calculus import Calculus
from moose.saturation.recorded.horn import DerivedFacts, HornClause
from moose.saturation.recorded.rule_instance import Inhabited, Sub, Told

MOST_INSTANCES = 1_000_000
"""How many rule instances are kept for later questions: some hundred megabytes. Beyond, it is begun anew."""


class SaturatedState:
    """The rules on one ontology, run as far as the questions so far needed, over numbered axioms."""

    def __init__(
        self, axioms: Sequence[tuple[int, ax.Axiom]], uncertain: Collection[int], form: NormalForm | None = None
    ) -> None:
        self._numbers = [number for number, _ in axioms]
        self._form = normalise([axiom for _, axiom in axioms]) if form is None else form
        self._uncertain = [position for position, number in enumerate(self._numbers) if number in uncertain]
        self._first_free = max((*self._numbers, *uncertain), default=-1) + 1
        form = self._form
        self._concepts: dict[owl.ClassExpression, int] = {
            **{owl.Class(iri): concept for iri, concept in zip(form.classes, form.class_concepts.tolist())},
            **{
                owl.ObjectOneOf((one,)): concept
                for one, concept in zip(form.individuals, form.nominal_concepts.tolist(), strict=True)
            },
            owl.THING: TOP,
            owl.NOTHING: BOTTOM,
        }
        self._lock = RLock()
        self._begin()

    @property
    def has_universal_role(self) -> bool:
        """Return whether a role relates everything to everything."""
        return self._form.universal_role >= 0

    def _begin(self) -> None:
        self._calculus = Calculus(self._form, self._uncertain, are_paths_one_way=True)
        self._bodies: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
        self._certain = DerivedFacts()
        self._count = 0

    def knows(self, sub: owl.ClassExpression, sup: owl.ClassExpression) -> bool:
        """Return whether C ⊑ D can be asked here: both are classes or individuals that the axioms name."""
        return sub in self._concepts and sup in self._concepts

    def saturate(self) -> bool:
        """Derive what questions on any class or individual can need; return whether it was not too much to keep."""
        with self._lock:
            for concept in self._concepts.values():
                self._calculus.start(concept)
            try:
                self._calculus.run(lambda: len(self._calculus.rules) > MOST_INSTANCES)
            except TimeIsOver:
                self._begin()
                return False
            self._take_in()
            return True

    def program(self, sub: owl.ClassExpression, sup: owl.ClassExpression, is_over: IsOver | None = None) -> GoalProgram:
        """Return the program for C ⊑ D, with nothing resolved away."""
        with self._lock:
            if self._count > MOST_INSTANCES:
                self._begin()
            context, concept = self._concepts[sub], self._concepts[sup]
            return self._program(context, concept, self._run(context, is_over))

    def _run(self, context: int, is_over: IsOver | None) -> int | None:
        """Open the context of a question and run the rules; return the fact that it has an element if that matters."""
        calculus = self._calculus
        calculus.start(context)
        given = calculus.position(Inhabited(context)) if self._form.individuals else None
        calculus.run(is_over)
        self._take_in()
        return given

    def _take_in(self) -> None:
        """Sort the new rule instances by what they conclude, and see what is certain by them."""
        calculus = self._calculus
        fresh = list(islice(reversed(calculus.rules), len(calculus.rules) - self._count))
        for body, head in reversed(fresh):
            self._bodies[head].append(body)
            self._certain.add(body, head)
        self._count = len(calculus.rules)

    def _program(self, context: int, concept: int, given: int | None) -> GoalProgram:
        """Return the instances from which the goal, or a contradiction, can follow."""
        certain = self._certain.facts
        contradictions = self._found(Sub(one, BOTTOM) for one in self._form.nominal_concepts.tolist())
        ends = sorted({*contradictions, *self._found([Sub(context, concept), Sub(context, BOTTOM)])})
        if not certain.isdisjoint(ends):
            return CERTAIN
        clauses: list[HornClause] = [(frozenset([fact]), GOAL) for fact in ends]
        if given is not None:
            clauses.append((frozenset(), given))
        seen, stack = set(ends), ends
        while stack:
            head = stack.pop()
            for body in self._bodies[head]:
                rest = frozenset(atom for atom in body if atom not in certain)
                if contradictions.isdisjoint(rest):
                    clauses.append((rest, head))
                    new = rest - seen
                    seen |= new
                    stack += new
        facts = self._calculus.facts
        axiom_of = {one: self._numbers[fact.axiom] for one in seen if isinstance(fact := facts[one], Told)}
        return numbered_program(clauses, axiom_of, first_free=self._first_free)

    def _found(self, facts: Iterable[Sub]) -> set[int]:
        """Return the numbers of those facts that can be derived."""
        return {position for fact in facts if (position := self._calculus.find(fact)) is not None}
