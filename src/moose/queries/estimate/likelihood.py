"""How likely cases are, and how that changes with each probability: diagrams shared by all cases of a pattern."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from moose.base.errors import MooseError
from moose.circuit.sdd.copy_sdd import Copier
from moose.owl.modules.unused import unused_positions
from moose.queries.estimate.cases import Evidence, ObservedPattern
from moose.queries.estimate.parameters import ParameterModel
from moose.queries.exact_answer import conjunction, label_of
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Condition, Conditions
from moose.queries.program.goals import Goal

Number = TypeVar("Number")
"""Float, or Fraction where all is to be exact."""


@dataclass(frozen=True, eq=False)
class Outcomes:
    """The diagrams of all outcomes of one pattern, in one list of decisions (see `moose.circuit.diagram`)."""

    axioms: tuple[int, ...]
    """The axiom that each variable stands for."""
    starts: list[int]
    primes: list[int]
    subs: list[int]
    roots: list[int]
    counts: list[int]
    """How often each outcome was seen."""

    @property
    def cases(self) -> int:
        """How many cases there are."""
        return sum(self.counts)

    def values(self, chances: Mapping[int, Number], one: Number) -> list[Number]:
        """Return the value of every slot: v(decision) = Σₑ v(primeₑ) · v(subₑ)."""
        on = [chances[axiom] for axiom in self.axioms]
        values = [*on, *(one - value for value in on), one, one - one]  # type: ignore[operator]
        starts, primes, subs = self.starts, self.primes, self.subs
        for begin, end in pairwise(starts):
            total = values[primes[begin]] * values[subs[begin]]
            for element in range(begin + 1, end):
                total += values[primes[element]] * values[subs[element]]
            values.append(total)
        return values

    def slopes(self, values: Sequence[Number], seeds: Mapping[int, Number]) -> list[Number]:
        """Return the derivative of Σ seed · v(root) by the probability of each axiom, in one pass down."""
        count = len(self.axioms)
        zero = values[2 * count + 1]
        rates = [zero] * len(values)
        for root, seed in seeds.items():
            rates[root] += seed  # type: ignore[operator]
        starts, primes, subs = self.starts, self.primes, self.subs
        first = 2 * count + 2
        for slot in range(len(values) - 1, first - 1, -1):
            rate = rates[slot]
            if rate:
                for element in range(starts[slot - first], starts[slot - first + 1]):
                    rates[primes[element]] += rate * values[subs[element]]  # type: ignore[operator]
                    rates[subs[element]] += rate * values[primes[element]]  # type: ignore[operator]
        return [rates[k] - rates[count + k] for k in range(count)]  # type: ignore[operator]


def compile_patterns(model: ParameterModel, patterns: Sequence[ObservedPattern]) -> list[Outcomes]:
    """Build the diagrams of all outcomes that were seen; a goal that several patterns look at is derived once."""
    uncertain = frozenset(place for parameter in model.parameters for place in parameter.positions)
    conditions = Conditions(model.ontology, absent=model.absent)
    known: dict[str, Condition] = {}
    for pattern in patterns:
        for goal in pattern.goals:
            if goal.text not in known:
                check_all_used(model, goal)
                known[goal.text] = conditions.condition(goal, uncertain)
    return [compile_pattern(pattern, [known[goal.text] for goal in pattern.goals]) for pattern in patterns]


def check_all_used(model: ParameterModel, goal: Goal) -> None:
    """Refuse a goal for which the likelihood would only be bounded."""
    left = unused_positions(model.ontology, goal.inclusions, absent=model.absent)
    if left:
        raise MooseError(
            f"{goal.text}: expected all axioms that can matter to be used whole, but {len(left):,} are not, being "
            "outside OWL 2 EL, so that only bounds are known; leave them out"
        )


def compile_pattern(pattern: ObservedPattern, conditions: Sequence[Condition]) -> Outcomes:
    """Build the diagram of each outcome of a pattern in one manager."""
    labels = Labels(axiom_order(conditions))
    manager = labels.manager
    holding = [label_of(labels, condition) for condition in conditions]
    failing = [manager.negate(label) for label in holding]
    copier = Copier(len(labels.variables))
    roots = []
    for evidence in pattern.counts:
        chosen = [on if truth else off for on, off, truth in zip(holding, failing, evidence, strict=True)]
        label = conjunction(manager, chosen)
        if label.is_false():
            raise impossible_case(pattern, evidence)
        roots.append(copier.copy(label))
    return Outcomes(
        tuple(labels.variables), copier.starts, copier.primes, copier.subs, roots, list(pattern.counts.values())
    )


def impossible_case(pattern: ObservedPattern, evidence: Evidence) -> MooseError:
    """Return the error that no world looks like a case."""
    seen = ", ".join(
        f"{goal.text} {'follows' if truth else 'does not follow'}" for goal, truth in zip(pattern.goals, evidence)
    )
    return MooseError(
        f"{pattern.where[evidence]}: expected what some world entails, but in none it is so that {seen}; "
        "correct the case, or make an axiom uncertain"
    )
