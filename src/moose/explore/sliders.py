"""How likely a goal is, for probabilities that move: the diagram is made once, then only weighed."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import islice

from moose.base.errors import LimitReached, MooseError
from moose.circuit.inference.evaluate import wmc
from moose.owl.model.axioms import Axiom
from moose.owl.modules.unused import unused_positions
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.queries.exact_answer import label_of
from moose.queries.justify.justifications import justifications
from moose.queries.probabilities.probabilities import Probabilities, probabilities_of
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Conditions
from moose.queries.program.goals import read_goal

MOST_SLIDERS = 30
"""Axioms that may move at once: the diagram of more could take long to make."""
MOST_JUSTIFICATIONS = 10
SECONDS_FOR_JUSTIFICATIONS = 5.0


class Sliders:
    """A goal, and the probabilities of the axioms that matter for it.

    These are the axioms of its first justifications, certain or not, and the uncertain ones that can matter.

    >>> import moose
    >>> sliders = Sliders(moose.load(moose.PIZZERIA), "SubClassOf(Diavola Dish)")
    >>> sliders.probability({})
    Fraction(1, 1)
    >>> first = next(iter(sliders.values))
    >>> sliders.probability(dict.fromkeys(sliders.values, Fraction(1, 2))) > 0
    True
    """

    def __init__(self, ontology: Ontology, goal: str, *, stated: Probabilities | None = None) -> None:
        self._ontology = ontology
        stated = probabilities_of(ontology) if stated is None else stated
        names = Names(ontology)
        self.goal = read_goal(goal, names)
        found = justifications(ontology, goal, limit=SECONDS_FOR_JUSTIFICATIONS) if not self.goal.is_negated else None
        self.justifications = [] if found is None else [one.axioms for one in islice(found, MOST_JUSTIFICATIONS)]
        wanted = {id(axiom) for axioms in self.justifications for axiom in axioms}
        used = [position for position, axiom in enumerate(ontology.axioms) if id(axiom) in wanted]
        conditions = Conditions(ontology, absent=stated.copies)
        condition = conditions.condition(self.goal, {*used, *stated.uncertain, *stated.absent} - stated.copies)
        if len(condition.axioms) > MOST_SLIDERS:
            raise LimitReached(
                f"expected at most {MOST_SLIDERS} axioms that can move for a goal, but {len(condition.axioms)} can "
                "matter for this one; ask for it with `moose query`"
            )
        labels = Labels(axiom_order([condition]))
        self._diagram = labels.diagram(label_of(labels, condition))
        self._weights = labels.weights
        self.values = {one: stated[one] for one in sorted(condition.axioms)}
        """The probability that each axiom starts with, by its position in the ontology."""
        self.is_exact = not unused_positions(ontology, self.goal.inclusions, absent=stated.absent)
        """Whether all that can matter is used; else the goal may be likelier."""

    def axiom(self, position: int) -> Axiom:
        """Return the axiom at a position."""
        return self._ontology.axioms[position]

    def probability(self, moved: Mapping[int, Fraction]) -> Fraction:
        """Return how likely the goal is where some axioms have other probabilities than they start with."""
        self._check(moved)
        values = {**self.values, **moved}
        return wmc(self._diagram, self._weights(lambda axiom: (values[axiom], 1 - values[axiom])))

    def slopes(self, moved: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """Return by how much the answer changes with each axiom: it is linear in each, P(1) − P(0)."""
        return {
            one: self.probability({**moved, one: Fraction(1)}) - self.probability({**moved, one: Fraction(0)})
            for one in self.values
        }

    def _check(self, moved: Mapping[int, Fraction]) -> None:
        for position, value in moved.items():
            if position not in self.values or not 0 <= value <= 1:
                raise MooseError(
                    f"expected a probability from 0 to 1 of one of {len(self.values)} axioms of this goal, but got "
                    f"{value} for axiom {position}; ask for the goal again"
                )
