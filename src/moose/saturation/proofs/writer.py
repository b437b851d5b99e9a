"""Collect the steps of a proof: facts over numbers as facts over expressions, role inclusions, spellings."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property

from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Axiom, DataPropertyRange, ObjectPropertyRange, SubObjectPropertyOf
from moose.owl.normal.normal_form import NormalForm
from moose.saturation.proofs.expressions import Expressions, canonical, filler_of, some
from moose.saturation.proofs.proof import Concept, Fact, Inference, Link, NonEmpty, Role, RoleInclusion, Subsumption
from moose.saturation.proofs.spelling import Spelling
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, NumberFact, Sub


class Writer:
    """Collects the steps of a proof, each conclusion once, premises before what uses them."""

    def __init__(self, form: NormalForm, axioms: Sequence[Axiom]) -> None:
        self.form = form
        self.axioms = axioms
        self.expressions = Expressions(form)
        self.steps: dict[Fact, Inference] = {}

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

    # ── Roles ──

    def inclusion(self, sub: Role, sup: Role) -> Fact:
        """Add the steps that show r ⊑ s."""
        fact = self.step("Rrefl-role", RoleInclusion(sub, sub))
        for role, axiom in self.role_path(sub, sup):
            conclusion = RoleInclusion(sub, role)
            if isinstance(axiom, SubObjectPropertyOf) and len(axiom.chain) > 1:
                parts = [self.inclusion(owl.TOP_OBJECT_PROPERTY, named(part)) for part in axiom.chain]
                fact = self.step("Runiversal-chain", conclusion, [fact, *parts], [axiom])
            else:
                fact = self.step("Rrole", conclusion, [fact], [] if axiom is None else [axiom])
        return fact

    def raised(self, link: Fact, role: Role) -> Fact:
        """Rrinc, with the steps that show the role inclusion: go from a link to the same by a role above."""
        assert isinstance(link, Link)
        if link.role == role:
            return link
        return self.step("Rrinc", Link(link.source, role, link.target), [link, self.inclusion(link.role, role)])

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

    def respelt_inside(self, fact: Fact, axiom: Axiom, roles: Mapping[Concept, Role]) -> Fact:
        """Go from D ⊑ E to the same with E as the axiom spells it; where a link by r ends in D, as it does in ∃r.E."""
        if self.spelling is None or not isinstance(fact, Subsumption):
            return fact
        if fact.sub in roles:
            sup = filler_of(self.spelling.in_axiom(axiom, some(roles[fact.sub], fact.sup)))
        else:
            sup = self.spelling.inside_axiom(axiom, fact.sup)
        return fact if sup == fact.sup else self.step("Rdata-≡", Subsumption(fact.sub, sup), [fact])

    def cite(self, rule: str, conclusion: Fact, premises: Sequence[Fact], axioms: Sequence[Axiom]) -> None:
        """Add a step to C ⊑ D with D as the axiom spells it and, where that is another spelling, one from there."""
        shown = conclusion
        if self.spelling is not None and isinstance(shown, Subsumption):
            shown = Subsumption(shown.sub, self.spelling.inside_axiom(axioms[0], shown.sup))
        self.step(rule, shown, premises, axioms)
        if shown != conclusion:
            self.step("Rdata-≡", conclusion, [shown])

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
        stated = self.axioms[axiom]
        assert isinstance(stated, ObjectPropertyRange | DataPropertyRange)
        return canonical(stated.range)

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


def named(role: owl.ObjectPropertyExpression) -> owl.ObjectProperty:
    """Return a role that EL admits."""
    assert isinstance(role, owl.ObjectProperty)
    return role
