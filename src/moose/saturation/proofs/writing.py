"""Write rule instances over numbers as inferences over expressions, one small step at a time."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from moose.owl.model import expressions as owl
from moose.owl.model.axioms import (
    Axiom,
    DataPropertyRange,
    DifferentIndividuals,
    DisjointClasses,
    FunctionalDataProperty,
    HasKey,
    ObjectPropertyCharacteristic,
    ObjectPropertyRange,
    SubObjectPropertyOf,
)
from moose.saturation.engine.facts import Facts
from moose.saturation.proofs.derivations import Arrow, Inhabited, Instance, NumberFact, Sub
from moose.saturation.proofs.expressions import Expressions, canonical, intersection, some
from moose.saturation.proofs.proof import Concept, Fact, Inference, Link, NonEmpty, Role, RoleInclusion, Subsumption
from moose.saturation.proofs.search import Chosen
from moose.saturation.proofs.spelling import Spelling


class Line(NamedTuple):
    """A rule instance over expressions, before it is cut into steps."""

    conclusion: Fact
    premises: list[Fact]
    axioms: list[Axiom]


class Writer:
    """Collects the steps of a proof, each conclusion once, premises before what uses them."""

    def __init__(self, facts: Facts, axioms: Sequence[Axiom]) -> None:
        self.form = facts.form
        self.axioms = axioms
        self.expressions = Expressions(facts.form)
        self.steps: dict[Fact, Inference] = {}

    def write(self, chosen: Chosen, goal: NumberFact) -> None:
        """Write the chosen instances for a goal and all it needs."""
        stack = [goal]
        while stack:
            fact = stack[-1]
            waiting = [premise for premise in chosen[fact].premises if self.fact(premise) not in self.steps]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if self.fact(fact) not in self.steps:
                self.instance(fact, chosen[fact])

    def steps_to(self, goal: Fact) -> tuple[Inference, ...]:
        """Return the steps that a goal needs; a step within one rule can show what another rule was to show."""
        needed = {goal}
        kept = []
        for step in reversed(self.steps.values()):
            if step.conclusion in needed:
                needed.update(step.premises)
                kept.append(step)
        return tuple(reversed(kept))

    def fact(self, fact: NumberFact) -> Fact:
        """Return a fact over expressions."""
        concept = self.expressions.concept
        match fact:
            case Sub(sub, sup):
                return Subsumption(concept(sub), concept(sup))
            case Arrow(source, role, target):
                return Link(concept(source), self.expressions.role(role), concept(target))
            case Inhabited(number):
                return NonEmpty(concept(number))

    def step(self, rule: str, conclusion: Fact, premises: Sequence[Fact] = (), axioms: Sequence[Axiom] = ()) -> Fact:
        """Add a step, unless its conclusion is already there."""
        if conclusion not in self.steps:
            self.steps[conclusion] = Inference(rule, conclusion, tuple(premises), tuple(axioms))
        return conclusion

    def instance(self, fact: NumberFact, instance: Instance) -> None:
        """Write one rule instance, through intermediate steps where the numbers had none."""
        conclusion = self.fact(fact)
        premises = [self.fact(premise) for premise in instance.premises]
        axioms = [self.axioms[axiom] for axiom in instance.axioms]
        special = SPECIAL.get(instance.rule)
        if special is None:
            self.step(instance.rule, conclusion, premises, axioms)
        else:
            special(self, Line(conclusion, premises, axioms))

    # ── Roles ──

    def inclusion(self, sub: Role, sup: Role) -> Fact:
        """Add the steps that show r ⊑ s."""
        fact = self.step("Rrefl-role", RoleInclusion(sub, sub))
        for role, axiom in self.role_path(sub, sup):
            conclusion = RoleInclusion(sub, role)
            if isinstance(axiom, SubObjectPropertyOf) and len(axiom.chain) > 1:
                parts = [self.inclusion(owl.TOP_OBJECT_PROPERTY, _named(part)) for part in axiom.chain]
                fact = self.step("Runiversal-chain", conclusion, [fact, *parts], [axiom])
            else:
                fact = self.step("Rrole", conclusion, [fact], [] if axiom is None else [axiom])
        return fact

    def role_path(self, sub: Role, sup: Role) -> list[tuple[Role, Axiom | None]]:
        """Return the shortest way from a role to a role above it: the roles met, each with the axiom that led there."""
        roles = self.form.roles
        start, goal = roles.index(sub), roles.index(sup)
        came: dict[int, tuple[int, int | None]] = {start: (start, None)}
        queue = deque([start])
        rows = self.form.inclusions.rows.tolist()
        while queue and goal not in came:
            role = queue.popleft()
            above = [(other, axiom) for low, other, axiom in rows if low == role]
            if self.form.universal_role >= 0 and isinstance(roles[role], owl.ObjectProperty):
                above.append((self.form.universal_role, None))
            for other, axiom in above:
                if other not in came:
                    came[other] = (role, axiom)
                    queue.append(other)
        path: list[tuple[Role, Axiom | None]] = []
        while goal != start:
            before, axiom = came[goal]
            path.append((roles[goal], None if axiom is None else self.axioms[axiom]))
            goal = before
        return path[::-1]

    # ── Data ranges that an axiom spells otherwise ──

    @cached_property
    def spelling(self) -> Spelling | None:
        """Return how axioms spell data ranges; without data nothing can be spelt otherwise."""
        return Spelling(self.form) if len(self.form.value_sets) > 1 else None

    def respelt(self, fact: Fact, axiom: Axiom, *, last: bool = False) -> Fact:
        """Go from C ⊑ D to the same with D as the axiom first (or last) spells it."""
        if self.spelling is None or not isinstance(fact, Subsumption):
            return fact
        sup = self.spelling.in_axiom(axiom, fact.sup, last=last)
        return fact if sup == fact.sup else self.step("Rdata-≡", Subsumption(fact.sub, sup), [fact])

    def restated(self, fact: Sub, sub: Concept | None, sup: Concept) -> Fact:
        """Go from C ⊑ D to the same in the spelling of who asks; where C is assumed to have an element, C stays."""
        shown = self.fact(fact)
        assert isinstance(shown, Subsumption)
        if sub is not None and sub != shown.sub:
            respelt = self.step("Rdata-≡", Subsumption(sub, shown.sub), [self.step("R0", Subsumption(sub, sub))])
            shown = Subsumption(sub, shown.sup)
            self.step("R⊑⊑", shown, [respelt, self.fact(fact)])
        return shown if sup == shown.sup else self.step("Rdata-≡", Subsumption(shown.sub, sup), [shown])

    def range_of(self, axiom: int) -> Concept:
        """Return a range as its axiom spells it."""
        told = self.axioms[axiom]
        assert isinstance(told, ObjectPropertyRange | DataPropertyRange)
        return canonical(told.range)

    def told(self, line: Line) -> None:
        """R⊑, Rdisjoint and Rself-range, from premises and to a conclusion in the axiom's own spelling."""
        assert isinstance(line.conclusion, Subsumption)
        rule = {DisjointClasses: "Rdisjoint", DifferentIndividuals: "Rdisjoint"}.get(type(line.axioms[0]), "R⊑")
        if isinstance(line.axioms[0], ObjectPropertyRange):
            rule = "Rself-range"
        premises = [
            self.respelt(premise, line.axioms[0], last=place > 0) for place, premise in enumerate(line.premises)
        ]  # of a concept that a disjointness lists twice, both spellings
        sup = line.conclusion.sup
        if self.spelling is not None and rule != "Rdisjoint":
            sup = self.spelling.in_axiom(line.axioms[0], sup)
        shown = self.step(rule, Subsumption(line.conclusion.sub, sup), premises, line.axioms)
        if shown != line.conclusion:
            self.step("Rdata-≡", line.conclusion, [shown])

    # ── Rules that take several steps ──

    def some_minus(self, line: Line) -> None:
        """R∃− and then Rrange for every range of the role."""
        assert isinstance(line.conclusion, Link) and isinstance(line.premises[0], Subsumption)
        role, source = line.conclusion.role, line.conclusion.source
        target = _filler(line.premises[0].sup)
        link = self.step("R∃−", Link(source, role, target), line.premises)
        number = self.form.roles.index(role)
        for above, _, axiom in self.form.ranges.rows.tolist():
            if self.form.is_subrole[number, above]:
                narrower = intersection([target, self.range_of(axiom)])
                if narrower != target:
                    up = self.inclusion(role, self.form.roles[above])
                    link = self.step("Rrange", Link(source, role, narrower), [link, up], [self.axioms[axiom]])
                    target = narrower
        self.retarget(link, line.conclusion)

    def retarget(self, link: Fact, conclusion: Fact) -> None:
        """Go from a link to the same link with its target written in the way of the normal form."""
        assert isinstance(link, Link) and isinstance(conclusion, Link)
        if link == conclusion:
            return
        if isinstance(link.target, owl.DataRange):
            inside = self.step("Rdata", Subsumption(link.target, conclusion.target))
        else:
            same = self.step("R0", Subsumption(link.target, link.target))
            inside = self.step("Rdata-≡", Subsumption(link.target, conclusion.target), [same])
        exists = self.step("R∃+", Subsumption(link.source, some(link.role, conclusion.target)), [link, inside])
        self.step("R∃−", conclusion, [exists])

    def functional(self, line: Line) -> None:
        """Rfunctional, one further value at a time."""
        assert isinstance(line.axioms[0], FunctionalDataProperty)
        link = line.premises[0]
        assert isinstance(link, Link)
        up = self.inclusion(link.role, line.axioms[0].property)
        for other in line.premises[1:]:
            assert isinstance(other, Link)
            target = intersection([link.target, other.target])
            also_up = self.inclusion(other.role, line.axioms[0].property)
            joined = Link(link.source, link.role, target)
            link = (
                joined
                if target == link.target
                else self.step("Rfunctional", joined, [link, other, up, also_up], line.axioms)
            )
            assert isinstance(link, Link)
        self.retarget(link, line.conclusion)

    def role_inclusion(self, line: Line) -> None:
        """Rrinc, with the steps that show the role inclusion."""
        assert isinstance(line.conclusion, Link) and isinstance(line.premises[0], Link)
        self.step(
            "Rrinc", line.conclusion, [line.premises[0], self.inclusion(line.premises[0].role, line.conclusion.role)]
        )

    def self_inclusion(self, line: Line) -> None:
        """Rself-inc, with the steps that show the role inclusion."""
        assert isinstance(line.conclusion, Subsumption) and isinstance(line.premises[0], Subsumption)
        sub, sup = (_loop_role(fact.sup) for fact in (line.premises[0], line.conclusion))
        same = self.step("Rrefl-role", RoleInclusion(sub, sub))
        self.step(
            "Rself-inc",
            line.conclusion,
            [line.premises[0], self.step("Rrole", RoleInclusion(sub, sup), [same], line.axioms)],
        )

    def self_chain(self, line: Line) -> None:
        """Rself-chain, from the conjunction of all the ∃r.Self that the chain needs."""
        assert isinstance(line.conclusion, Subsumption)
        parts = []
        for role in _chain(line.axioms[0]):
            part = Subsumption(line.conclusion.sub, owl.ObjectHasSelf(role))
            parts.append(part if part in self.steps else self.step("R⊓−", part, line.premises))
        self.step("Rself-chain", line.conclusion, parts, line.axioms)

    def self_range(self, line: Line) -> None:
        """Rself-range; for a role that relates everything, its ∃r.Self first."""
        assert isinstance(line.conclusion, Subsumption) and isinstance(line.axioms[0], ObjectPropertyRange)
        loop = (
            line.premises[0]
            if line.premises
            else self.universal_loop(line.conclusion.sub, _named(line.axioms[0].property))
        )
        self.told(Line(line.conclusion, [loop], line.axioms))

    def universal_self(self, line: Line) -> None:
        """Rself-⊤ and Rself-inc."""
        assert isinstance(line.conclusion, Subsumption) and isinstance(line.conclusion.sup, owl.ObjectHasSelf)
        self.universal_loop(line.conclusion.sub, _named(line.conclusion.sup.property))

    def universal_loop(self, sub: Concept, role: owl.ObjectProperty) -> Fact:
        """Add the steps that show C ⊑ ∃r.Self for a role r that relates everything."""
        loop = self.step("Rself-⊤", Subsumption(sub, owl.ObjectHasSelf(owl.TOP_OBJECT_PROPERTY)))
        if role == owl.TOP_OBJECT_PROPERTY:
            return loop
        up = self.inclusion(owl.TOP_OBJECT_PROPERTY, role)
        return self.step("Rself-inc", Subsumption(sub, owl.ObjectHasSelf(role)), [loop, up])

    def universal(self, line: Line) -> None:
        """Runiversal, or Runiversal-role for a role above owl:topObjectProperty."""
        assert isinstance(line.conclusion, Subsumption) and isinstance(line.conclusion.sup, owl.ObjectSomeValuesFrom)
        role = _named(line.conclusion.sup.property)
        if role == owl.TOP_OBJECT_PROPERTY:
            self.step("Runiversal", line.conclusion, line.premises)
        else:
            up = self.inclusion(owl.TOP_OBJECT_PROPERTY, role)
            self.step("Runiversal-role", line.conclusion, [up, line.premises[1], line.premises[0]])

    def key(self, line: Line) -> None:
        """Rkey, with each link and what its target is below put together by R∃+."""
        assert isinstance(line.axioms[0], HasKey)
        parts = [self.respelt(premise, line.axioms[0]) for premise in line.premises[:2]]
        roles = [
            role for role in (*line.axioms[0].object_properties, *line.axioms[0].data_properties) for _ in range(2)
        ]
        sources = [fact.sub for fact in parts if isinstance(fact, Subsumption)] * len(roles)
        for role, source, link, above in zip(roles, sources, line.premises[2::2], line.premises[3::2], strict=False):
            assert isinstance(above, Subsumption) and not isinstance(role, owl.ObjectInverseOf)
            exists = Subsumption(source, some(role, above.sup))
            if isinstance(link, Link):
                parts.append(self.step("R∃+", exists, [link, above]))
            else:
                self.universal(Line(exists, [above, link], []))
                parts.append(exists)
        self.step("Rkey", line.conclusion, parts, line.axioms)


SPECIAL = {
    "R⊑": Writer.told,
    "Rdisjoint": Writer.told,
    "R∃−": Writer.some_minus,
    "Rfunctional": Writer.functional,
    "Rrinc": Writer.role_inclusion,
    "Rself-inc": Writer.self_inclusion,
    "Rself-chain": Writer.self_chain,
    "Rself-range": Writer.self_range,
    "Rself-⊤": Writer.universal_self,
    "Runiversal": Writer.universal,
    "Rkey": Writer.key,
}


def _filler(concept: Concept) -> Concept:
    assert isinstance(concept, owl.ObjectSomeValuesFrom | owl.DataSomeValuesFrom)
    return concept.filler if isinstance(concept, owl.ObjectSomeValuesFrom) else concept.range


def _named(role: owl.ObjectPropertyExpression) -> owl.ObjectProperty:
    assert isinstance(role, owl.ObjectProperty)
    return role


def _loop_role(concept: Concept) -> owl.ObjectProperty:
    assert isinstance(concept, owl.ObjectHasSelf)
    return _named(concept.property)


def _chain(axiom: Axiom) -> tuple[owl.ObjectPropertyExpression, ...]:
    """Return the roles whose ∃r.Self an axiom puts together."""
    if isinstance(axiom, ObjectPropertyCharacteristic):
        return (axiom.property, axiom.property)
    assert isinstance(axiom, SubObjectPropertyOf)
    return axiom.chain
