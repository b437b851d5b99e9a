"""Stage 1 as Stages 2-5 take it: the rule instances that can matter for a goal, every fact with its name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from moose.owl.modules.module_extraction import Modules, names_in
from moose.owl.normal.normal_form import Kind
from moose.queries.program.goal_conditions import Numbered, choices, tracked_rows, untracked
from moose.queries.program.program import GOAL, Derivation, Joint, Running, derive, numbering
from moose.saturation.proofs.explain import Inclusion
from moose.saturation.proofs.expressions import Expressions
from moose.saturation.proofs.notation import Display, write_concept, write_role
from moose.saturation.recorded.calculus import Calculus
from moose.saturation.recorded.horn import HornClause, least_model, simplified, useful
from moose.saturation.recorded.rule_instance import Arrow, Below, Fact, Inhabited, Sub, Told


@dataclass(frozen=True)
class RuleInstances:
    """Horn clauses whose atoms are axioms (by position), facts (numbers after these) and GOAL."""

    clauses: tuple[HornClause, ...]
    axioms: tuple[int, ...]
    """The uncertain axioms that occur, sorted."""
    names: Mapping[int, str]
    """What each fact says."""


@dataclass(frozen=True)
class Reading:
    """How rule instances are recorded."""

    display: Display
    """How an IRI is shown."""
    is_groundable: bool = False
    """Keep groundable atoms alone, as the paper does for learning: what existentials bring about is lost."""


def rule_instances(  # noqa: PLR0913  # axioms, goals, and how they are to be written
    axioms: Sequence[Numbered],
    uncertain: Collection[int],
    goals: Sequence[Inclusion],
    reading: Reading,
    joint: Joint | None = None,
    *,
    most: int | None = None,
) -> RuleInstances:
    """Record every rule instance that can matter for goals C ⊑ D, all of which are to hold; at most so many for each.

    An uncertain axiom that rules do not name (a role inclusion, a range) is tried both ways: what follows where a set S
    of them is there becomes S ∧ … → goal. Entailment is monotone, so nothing is claimed too early.
    """
    modules = Modules([axiom for _, axiom in axioms])
    # An uncertain axiom of which nothing is in EL has a number too, and may have the last one.
    first_free = max((*(number for number, _ in axioms), *uncertain), default=-1) + 1 + len(goals)
    names: dict[int, str] = {}
    clauses: list[HornClause] = []
    heads = [GOAL] if len(goals) == 1 else [first_free - 1 - position for position in range(len(goals))]
    for head, goal in zip(heads, goals):
        module = [axioms[position] for position in modules.module(names_in(goal[0]))]
        if head != GOAL:
            names[head] = f"{write_concept(goal[0], reading.display)} ⊑ {write_concept(goal[1], reading.display)}"
        for there in choices(unsure := untracked(module, uncertain)):
            left_out, tracked = set(unsure) - there, frozenset(uncertain) - there
            rows = tracked_rows(module, tracked, joint or {})
            rest = [one for one in rows if left_out.isdisjoint((joint or {}).get(one[0], one[:1]))]
            derivation = derive(rest, tracked, *goal, running=Running(joint=joint, most=most))
            instances, facts = record(derivation, reading, first_free + len(names))
            names |= facts
            clauses += ((body | there, head) if one == GOAL else (body, one) for body, one in instances)
    if heads != [GOAL]:
        clauses.append((frozenset(heads), GOAL))
    return cleaned(clauses, uncertain, names)


def record(derivation: Derivation, reading: Reading, first_free: int) -> tuple[list[HornClause], dict[int, str]]:
    """Return the useful rule instances for one goal, and the names of their facts, numbered from the first free on."""
    clauses: Sequence[HornClause] = derivation.clauses
    if reading.is_groundable:
        clauses = list(groundable(derivation))
    certain = least_model(clauses)
    if GOAL in certain:
        return [(frozenset(), GOAL)], {}
    kept = useful(simplified(clauses, certain), ())
    numbers = numbering(kept, derivation.axiom_of, first_free=first_free)
    spelling = Spelling(derivation.calculus, reading.display)
    named = [(number, fact) for fact, number in numbers.items() if fact != GOAL and fact not in derivation.axiom_of]
    return (
        [(frozenset(numbers[fact] for fact in body), numbers[head]) for body, head in kept],
        {number: spelling.fact(derivation.calculus.facts[fact]) for number, fact in named},
    )


def cleaned(clauses: Sequence[HornClause], uncertain: Collection[int], names: Mapping[int, str]) -> RuleInstances:
    """Leave out what holds anyway, cannot hold or does not matter, now of all goals together."""
    certain = least_model(clauses)
    if GOAL in certain:
        return RuleInstances(((frozenset(), GOAL),), (), {})
    possible = least_model(clauses, uncertain)
    kept = useful(simplified((clause for clause in clauses if clause[0] <= possible), certain), ())
    atoms = {atom for body, head in kept for atom in (*body, head)}
    used = tuple(sorted(atoms & frozenset(uncertain)))
    return RuleInstances(tuple(kept), used, {atom: names[atom] for atom in sorted(atoms & names.keys())})


# ── The groundable atoms ──────────────────────────────────────────────────────────────────────────────────────────


def groundable(derivation: Derivation) -> Iterator[HornClause]:
    """Yield the instances among groundable atoms: C ⊑ D with D atomic, a conjunction of atomic concepts, ⊤ or ⊥.

    The paper restricts Clark completion so where it prepares learning (section C.1). It is sound and loses entailments:
    A ⊑ ∃r.B, ∃r.B ⊑ C entail A ⊑ C through a fact about ∃r.B, which is filtered out.
    """
    facts, form = derivation.calculus.facts, derivation.calculus.form
    expressions = Expressions(form)
    kept = {position for position, fact in enumerate(facts) if is_groundable(fact, expressions)} | {GOAL}
    return ((body, head) for body, head in derivation.clauses if head in kept and body <= kept)


def is_groundable(fact: Fact, expressions: Expressions) -> bool:
    """Return whether a fact has a ground counterpart; that an axiom holds is an input, not a derived atom."""
    if isinstance(fact, Sub):
        kinds = expressions.form.kinds
        is_written = fact.sup < len(kinds)  # else it is a filler with the ranges of its role, which may fail
        return is_written and all(kinds[one] == Kind.CLASS for one in expressions.conjuncts(fact.sup))
    return isinstance(fact, Told)


# ── Names ─────────────────────────────────────────────────────────────────────────────────────────────────────────


class Spelling:
    """What facts say, as a description logician writes them."""

    def __init__(self, calculus: Calculus, display: Display) -> None:
        self._roles = calculus.roles
        self._expressions = Expressions(calculus.form)
        self._display = display

    def fact(self, fact: Fact) -> str:
        """Write a fact."""
        match fact:
            case Sub(sub, sup):
                return f"{self.concept(sub)} ⊑ {self.concept(sup)}"
            case Arrow(source, role, target):
                return f"{self.concept(source)} → {self.role(role)} → {self.concept(target)}"
            case Inhabited(concept):
                return f"{self.concept(concept)} has an element"
            case Below(lower, upper):
                return f"{self.role(lower)} ⊑ {self.role(upper)}"
        assert isinstance(fact, Told)
        return f"axiom {fact.axiom} holds"

    def concept(self, number: int) -> str:
        """Write a concept, or what a role leads to where its ranges are uncertain."""
        if apart := self._roles.filler(number):
            role, filler = apart
            return f"({self.role(role)}-filler {self.concept(filler)})"
        return write_concept(self._expressions.concept(number), self._display)

    def role(self, number: int) -> str:
        """Write a role; a prefix of a chain has no name of its own."""
        named = len(self._expressions.form.roles)
        if number >= named:
            return f"chain {number - named + 1}"
        return write_role(self._expressions.role(number), self._display)
