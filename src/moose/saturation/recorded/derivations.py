"""Read rule instances off a `Calculus`, as proofs take them: over facts, with what the normal form hides spelt out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TypeGuard

from moose.owl.normal.normal_form import BOTTOM, NO_AXIOM, TOP, Kind, NormalForm
from moose.saturation.recorded.calculus import Calculus
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, Instance, NumberFact, Recorded, Sub

Concluded = tuple[NumberFact, Instance]
"""A fact, and a rule instance that concludes it."""


class Derivations:
    """The instances of the rules around one concept; with `is_assumed`, in the models where it has an element."""

    def __init__(  # noqa: PLR0913  # how the rules are to be run
        self,
        form: NormalForm,
        root: int,
        *,
        others: Iterable[int] = (),
        is_assumed: bool = False,
        is_goal_directed: bool = False,
        is_sparing: bool = False,
        most: int | None = None,
    ) -> None:
        """Run the rules from a concept, from ⊤ and from the individuals; if goal-directed, at first without these.

        `others` are further concepts to start from; for `is_sparing` and `most` see `Calculus`.
        """
        self.form = form
        self.root = root
        self.calculus = Calculus(form, is_goal_directed=is_goal_directed, is_sparing=is_sparing, most=most)
        self.calculus.start(TOP)
        self.calculus.give(Inhabited(TOP))
        for concept in (root, *others):
            self.calculus.start(concept)
        if is_assumed:
            self.calculus.give(Inhabited(root))
        self.calculus.run()

    def widen(self) -> bool:
        """Open the next ring of contexts; return whether there was one."""
        is_wider = self.calculus.widen()
        self.calculus.run()
        return is_wider

    def has(self, fact: NumberFact) -> bool:
        """Return whether a fact is among those that the rules speak of; it may still lack a derivation."""
        return self.calculus.find(fact) is not None or (fact == Sub(self.root, BOTTOM) and bool(self._impossible()))

    def all(self) -> Iterator[Concluded]:
        """Yield every rule instance so far.

        What no proof can write is spelt out or left out: a prefix of a longer chain is no role, and a data value is
        no element. There are as many instances of a chain as ways through it: `stepwise` has one for each step.
        """
        chains: dict[Arrow, list[Recorded]] = {}
        for fact, recorded in self._recorded():
            if self.is_prefix(fact) and recorded.rule == "Rrchain":
                chains.setdefault(fact, []).append(recorded)
        for fact, recorded in self._recorded():
            if not self.is_prefix(fact):
                yield from self._concluded(fact, recorded, chains)
        yield from self._inconsistency()

    def stepwise(self) -> Iterator[Concluded]:
        """Yield every rule instance so far, those of a longer chain step by step; `joined` puts the steps together."""
        for fact, recorded in self._recorded():
            if recorded.rule == "Rrchain":
                yield fact, Instance("Rrchain", tuple(map(self._fact, recorded.premises)), *recorded[2:])
            elif not self.is_prefix(fact):
                yield from self._concluded(fact, recorded, {})
        yield from self._inconsistency()

    def joined(self, chosen: Mapping[NumberFact, Instance]) -> dict[NumberFact, Instance]:
        """Return instances chosen among those of `stepwise` as a proof writes them: longer chains as told."""
        return {
            fact: self._joined(instance, chosen) if instance.rule == "Rrchain" else instance
            for fact, instance in chosen.items()
            if not self.is_prefix(fact)
        }

    def _joined(self, instance: Instance, chosen: Mapping[NumberFact, Instance]) -> Instance:
        premises, roles = instance.premises, instance.details
        while self.is_prefix(premises[0]):
            step = chosen[premises[0]]
            premises, roles = (*step.premises, *premises[1:]), (*step.details, *roles[1:])
        return Instance("Rrchain", premises, instance.axioms, roles)

    def _recorded(self) -> Iterator[tuple[NumberFact, Recorded]]:
        """Yield what was recorded, without what is said of data values as if they were elements."""
        for (_, head), instances in self.calculus.rules.items():
            fact = self._fact(head)
            if not isinstance(fact, Inhabited) or self.form.kinds[fact.concept] != Kind.VALUES:
                yield from ((fact, recorded) for recorded in instances)

    def is_prefix(self, fact: NumberFact) -> TypeGuard[Arrow]:
        """Return whether a link is by a prefix of a chain, which is no role of the ontology."""
        return isinstance(fact, Arrow) and fact.role >= len(self.form.roles)

    def _concluded(
        self, fact: NumberFact, recorded: Recorded, chains: dict[Arrow, list[Recorded]]
    ) -> Iterator[Concluded]:
        for instance in self._written(fact, recorded, chains):
            yield fact, instance
            if recorded.rule == "R⊓−" and isinstance(fact, Sub):  # a conjunct of a conjunct, in one step
                yield from ((Sub(fact.sub, part), instance) for part in self._conjuncts(fact.sup))

    def _written(self, fact: NumberFact, recorded: Recorded, chains: dict[Arrow, list[Recorded]]) -> Iterator[Instance]:
        premises = tuple(self._fact(premise) for premise in recorded.premises)
        match recorded.rule:
            case "R⊑":
                assert isinstance(fact, Sub) and isinstance(premises[0], Sub)
                yield self._told(premises[0], fact.sup, recorded.axioms[0])
            case "Rdisjoint":
                yield Instance(
                    "Rdisjoint", tuple(sorted(one for one in premises if isinstance(one, Sub))), recorded.axioms
                )
            case "R⊓+":
                assert isinstance(fact, Sub)
                yield Instance("R⊓+", tuple(Sub(fact.sub, part) for part in self._conjuncts(fact.sup)))
            case "Rrchain":
                for path, roles in self._paths(recorded, chains):
                    yield Instance("Rrchain", path, recorded.axioms, roles)
            case "Rkey":
                yield Instance("Rkey", self._key_premises(premises, recorded), recorded.axioms, recorded.details)
            case "given":
                yield Instance("Rnonempty")
            case rule if not any(map(self.is_prefix, premises)):
                yield Instance(rule, _with_element(rule, premises), recorded.axioms, recorded.details)

    def _conjuncts(self, whole: int) -> Iterator[int]:
        """Yield the conjuncts of a conjunction, those of conjuncts in place of these."""
        stack = [whole]
        while stack:
            concept = stack.pop()
            if self.form.kinds[concept] == Kind.CONJUNCTION:
                stack += (int(self.form.second[concept]), int(self.form.first[concept]))
            else:
                yield concept

    def _fact(self, position: int) -> NumberFact:
        fact = self.calculus.facts[position]
        assert isinstance(fact, NumberFact), "all axioms are certain"
        return fact

    def _paths(
        self, recorded: Recorded, chains: dict[Arrow, list[Recorded]]
    ) -> Iterator[tuple[tuple[Arrow, ...], tuple[int, ...]]]:
        """Yield the links of a chain with their roles as told, a prefix of the chain spelt out in every way."""
        first, last = (self._fact(premise) for premise in recorded.premises)
        left, right = recorded.details
        assert isinstance(first, Arrow) and isinstance(last, Arrow)
        if left < len(self.form.roles):
            yield (first, last), (left, right)
            return
        for prefix in chains.get(first, ()):
            for path, roles in self._paths(prefix, chains):
                yield (*path, last), (*roles, right)

    def _key_premises(self, premises: tuple[NumberFact, ...], recorded: Recorded) -> tuple[NumberFact, ...]:
        """Return {a} ⊑ C, {b} ⊑ C, and for each property of the key what shows that both have the shared filler."""
        half = len(premises) // 2
        mine, yours = iter(premises[:half]), iter(premises[half:])
        (key,) = (key for key in self.form.keys if key.axiom == recorded.axioms[0])
        ordered = [next(mine), next(yours)]
        for role, filler in zip(key.roles, recorded.details, strict=True):
            is_universal = self.calculus.index.is_universal(role)
            ordered += [Inhabited(filler) if is_universal else next(links) for links in (mine, yours)]
        return tuple(ordered)

    def _told(self, premise: Sub, sup: int, axiom: int) -> Instance:
        """Tell apart R⊑ from the rules for Self, empty roles and data that the normal form has written as told rows."""
        kinds, middle = self.form.kinds, premise.sup
        if axiom != NO_AXIOM:
            return self._told_axiom(premise, axiom)
        if kinds[middle] == Kind.VALUES:
            return Instance("Rdata", (premise,))
        if kinds[sup] == Kind.SOME:
            return Instance("Rdata-top")
        if kinds[sup] == Kind.SELF:
            return Instance("Rself-⊤") if middle == TOP else Instance("Rself-nominal", (premise,))
        return Instance("R⊥role", (premise,))

    def _told_axiom(self, premise: Sub, axiom: int) -> Instance:
        """Tell apart what kind of axiom a told row is from; those of roles tell of Self."""
        rule = self._rules_of_axioms.get(axiom, "R⊑")
        premises: tuple[Sub, ...] = (premise,)
        if rule == "Rdisjoint":  # which lists a concept twice
            premises *= 2
        elif rule == "Rself-range" and premise.sup == TOP:
            premises = ()
        return Instance(rule, premises, (axiom,))

    @cached_property
    def _rules_of_axioms(self) -> dict[int, str]:
        form = self.form
        rules = {axiom: "Rdisjoint" for _, axiom in form.disjoint}
        for table, rule in (
            (form.inclusions, "Rself-inc"),
            (form.compositions, "Rself-chain"),
            (form.ranges, "Rself-range"),
        ):
            rules |= dict.fromkeys(table.column(-1).tolist(), rule)
        return rules

    def _impossible(self) -> list[int]:
        everywhere = (TOP, *self.form.nominal_concepts.tolist())
        impossible = (concept for concept in everywhere if self.calculus.find(Sub(concept, BOTTOM)) is not None)
        return [concept for concept in impossible if concept != self.root]

    def _inconsistency(self) -> Iterator[Concluded]:
        """Rinconsistent: where ⊤ or an individual is impossible, so is everything

        D has an element    D ⊑ ⊥
        ──────────────────────────
                C ⊑ ⊥
        """
        for concept in self._impossible():
            premises = (Inhabited(concept), Sub(concept, BOTTOM))
            yield Sub(self.root, BOTTOM), Instance("Rinconsistent", premises)
        for nominal in self.form.nominal_concepts.tolist():
            yield Inhabited(nominal), Instance("Rnonempty")


def _with_element(rule: str, premises: tuple[NumberFact, ...]) -> tuple[NumberFact, ...]:
    """Add to a rule's only premise that an individual has an element, which the rules take for granted."""
    match rule, premises:
        case "Rnonempty-link", (Arrow(source, _, _),):
            return Inhabited(source), *premises
        case (("Rnominal" | "Runiversal"), (Sub(sub, _),)):
            return *premises, Inhabited(sub)
    return premises
