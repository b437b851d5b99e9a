"""The exact probability of a goal given others, from diagrams over coins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from moose.base.errors import MooseError
from moose.circuit.inference.evaluate import wmc
from moose.circuit.inference.marginals import exact_marginals
from moose.circuit.inference.weights import LiteralWeights
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.brackets import Bracket, all_tight
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition
from moose.queries.program.goals import Goal
from moose.queries.program.program import CERTAIN
from moose.queries.reduction.coins import Coins

if TYPE_CHECKING:
    from pysdd.sdd import SddManager, SddNode


@dataclass(frozen=True)
class Exact:
    """What a probability lies between, the derivatives of the lower bound by the probabilities of axioms, and the most
    probable world in which the goal surely holds; axioms by position.
    """

    lower: Fraction
    upper: Fraction
    slopes: dict[int, Fraction]
    world: dict[int, bool]


def exact_answer(brackets: Sequence[Bracket], coins: Coins) -> Exact:
    """Compute the probability of the first goal given the others, and all that goes with it, for each axiom."""
    found = known_at_once(brackets, coins) or by_diagrams(brackets, coins)
    return Exact(found.lower, found.upper, coins.slopes(found.slopes), coins.world(found.world))


def known_at_once(brackets: Sequence[Bracket], coins: Coins) -> Exact | None:
    """Return the answer where no diagram is needed: nothing is given; the goal is certain, impossible or one coin."""
    if len(brackets) > 1 or not brackets[0].is_tight or brackets[0].surely.goal.is_negated:
        return None
    condition = brackets[0].surely
    if len(condition.cases) != 1 or condition.cases[0].assumed:
        return None
    clauses = condition.cases[0].program.clauses
    if not clauses or clauses == CERTAIN.clauses:
        value = Fraction(len(clauses))
        return Exact(value, value, {}, {})
    if len(clauses) > 1 or len(condition.axioms) > 1:
        return None
    (coin,) = condition.axioms
    value = coins.probabilities[coin]
    return Exact(value, value, {coin: Fraction(1)}, {coin: True})


def by_diagrams(brackets: Sequence[Bracket], coins: Coins) -> Exact:
    """Compute the same for coins.

    With what surely holds and what possibly does, P(G | H) = P(G ∧ H) / (P(G ∧ H) + P(H ∧ ¬G)) is least where
    G ∧ H is smallest and H ∧ ¬G largest, and greatest the other way round.
    """
    labels = Labels(axiom_order(one.widest for one in brackets))
    manager, values = labels.manager, coins.probabilities
    surely = [label_of(labels, one.surely) for one in brackets]
    weights = labels.weights(lambda coin: (values[coin], 1 - values[coin]))
    if len(brackets) == 1 and brackets[0].is_tight:
        part = Weighed.of(labels, surely[0], weights)
        world = labels.heaviest(surely[0], labels.weights(coins.heaviest)) if part.total else None
        return Exact(part.total, part.total, dict(zip(labels.variables, part.slopes)), world or {})
    possibly = [low if one.is_tight else label_of(labels, one.possibly) for low, one in zip(surely, brackets)]
    sure_given, possible_given = (conjunction(manager, several[1:]) for several in (surely, possibly))
    if not wmc(labels.diagram(possible_given), weights):
        given = {one.surely.goal: label for one, label in zip(brackets[1:], possibly[1:], strict=True)}
        raise impossible([*given], [goal for goal, label in given.items() if label.is_false()])
    both = manager.conjoin(surely[0], sure_given)
    without = manager.conjoin(possible_given, manager.negate(surely[0]))
    part, whole = (Weighed.of(labels, one, weights) for one in (both, manager.disjoin(both, without)))
    if not whole.total:  # what is given cannot hold without the goal
        return Exact(Fraction(1), Fraction(1), {}, {})
    slopes = {
        coin: (part.slopes[position] * whole.total - part.total * whole.slopes[position]) / whole.total**2
        for position, coin in enumerate(labels.variables)
    }
    upper = lower = part.total / whole.total
    if not all_tight(brackets):
        most = wmc(labels.diagram(manager.conjoin(possibly[0], possible_given)), weights)
        least = wmc(labels.diagram(manager.conjoin(sure_given, manager.negate(possibly[0]))), weights)
        upper = most / (most + least) if most else Fraction(0)
    world = labels.heaviest(both, labels.weights(coins.heaviest)) if part.total else None
    return Exact(lower, upper, slopes, world or {})


def impossible(given: Sequence[Goal], alone: Sequence[Goal]) -> MooseError:
    """Return the error that what is given holds in no world: some goals each by itself or, where none is, together."""
    one_of = next((goal for goal in alone if goal.is_negated), None)
    if one_of is not None:
        told = f"'{one_of.text}' has probability 0, as every world is inconsistent"
        advice = "`moose explain FILE --inconsistency` shows why"
    elif alone:
        told = f"{listed(alone)} {'has' if len(alone) == 1 else 'have'} probability 0, following in no world"
        advice = "write a new fact into the ontology, as an axiom, instead of giving it"
    else:
        told = f"{listed(given)} have probability 0 together, as no world has them all"
        advice = "leave one out, and write a new fact into the ontology, as an axiom"
    return MooseError(f"expected something that can hold as given, but {told}; {advice}")


def listed(goals: Sequence[Goal]) -> str:
    """Name some goals in a sentence."""
    return " and ".join(f"'{goal.text}'" for goal in goals)


def conjunction(manager: SddManager, labels: Iterable[SddNode]) -> SddNode:
    """Return the diagram of the worlds of all of some diagrams."""
    result = manager.true()
    for label in labels:
        result = manager.conjoin(result, label)
    return result


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
