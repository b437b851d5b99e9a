"""Find, in a finished closure, every rule instance that concludes a fact.

Nothing is recorded during saturation: for each rule, the premises that could give the conclusion are looked up. Facts
here are over numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, product

import numpy as np

from moose.owl.model.datatypes import ValueSet
from moose.owl.normal.normal_form import BOTTOM, LITERAL, NO_AXIOM, TOP, Kind
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.global_rules import fillers, named_nominals
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, Instance, NumberFact, Sub

__all__ = ["Arrow", "Derivations", "Inhabited", "Instance", "NumberFact", "Sub"]


class Derivations:
    """The rule instances of a finished closure; with an assumption, of that where the concept has an element."""

    def __init__(self, facts: Facts, assumption: int | None = None, *, is_left_linear: bool = False) -> None:
        """Take `is_left_linear` to leave out instances of transitivity that no proof needs (see `is_first_step`)."""
        self.facts = facts
        self.form = facts.form
        self.assumption = assumption
        self.is_left_linear = is_left_linear
        self._first_steps: dict[tuple[int, int], list[Arrow]] = {}

    def of(self, fact: NumberFact) -> Iterator[Instance]:
        """Yield every rule instance that concludes a fact."""
        match fact:
            case Sub(sub, sup):
                yield from self.of_subsumption(sub, sup)
            case Arrow(source, role, target):
                yield from self.of_link(source, role, target)
            case Inhabited(concept):
                yield from self.of_inhabited(concept)

    # ── Indices, made when first needed ──

    @cached_property
    def _told_by_sup(self) -> dict[int, list[tuple[int, int]]]:
        index: dict[int, list[tuple[int, int]]] = {}
        for sub, sup, axiom in self.form.told.rows.tolist():
            index.setdefault(sup, []).append((sub, axiom))
        return index

    @cached_property
    def _added_by_sup(self) -> dict[int, list[int]]:
        index: dict[int, list[int]] = {}
        for item in self.facts.added:
            if item.rule != "Runiversal":
                index.setdefault(item.sup, []).append(item.sub)
        return index

    @cached_property
    def _wholes(self) -> dict[int, list[int]]:
        index: dict[int, list[int]] = {}
        for whole in np.flatnonzero(self.form.kinds == Kind.CONJUNCTION).tolist():
            for part in self.conjuncts(whole):
                index.setdefault(part, []).append(whole)
        return index

    def conjuncts(self, whole: int) -> list[int]:
        """Return the conjuncts of a conjunction, those of conjuncts in place of these."""
        found: list[int] = []
        stack = [whole]
        while stack:
            concept = stack.pop()
            if self.form.kinds[concept] == Kind.CONJUNCTION:
                stack += (int(self.form.second[concept]), int(self.form.first[concept]))
            else:
                found.append(concept)
        return found

    @cached_property
    def _groups(self) -> dict[int, list[int]]:
        index: dict[int, list[int]] = {}
        for group, (members, _) in enumerate(self.form.disjoint):
            for member in members:
                index.setdefault(member, []).append(group)
        return index

    @cached_property
    def _incoming(self) -> dict[int, list[tuple[int, int]]]:
        index: dict[int, list[tuple[int, int]]] = {}
        columns = (self.facts.sources.tolist(), self.facts.roles.tolist(), self.facts.targets.tolist())
        for source, role, target in zip(*columns, strict=True):
            index.setdefault(target, []).append((source, role))
        return index

    @cached_property
    def _reached(self) -> frozenset[int]:
        start = np.append(self.form.nominal_concepts, TOP if self.assumption is None else [TOP, self.assumption])
        is_reached = self.facts.reachable(start.astype(np.int32)) & (self.form.kinds != Kind.VALUES)
        return frozenset(np.flatnonzero(is_reached).tolist())

    # ── C ⊑ D ──

    def of_subsumption(self, sub: int, sup: int) -> Iterator[Instance]:
        """Yield the rule instances that conclude C ⊑ D."""
        if sub == sup:
            yield Instance("R0")
        elif sup in (TOP, LITERAL):
            yield Instance("R⊤" if sup == TOP else "Rdata")
        for middle, axiom in self._told_by_sup.get(sup, ()):
            if self.facts.has(sub, middle):
                yield from self.told(sub, middle, sup, axiom)
        for middle in self._added_by_sup.get(sup, ()):
            if sub != middle and self.facts.has(sub, middle):
                yield Instance("R⊑⊑", (Sub(sub, middle), Sub(middle, sup)))
        for whole in self._wholes.get(sup, ()):
            if self.facts.has(sub, whole):
                yield Instance("R⊓−", (Sub(sub, whole),))
        yield from self.composed(sub, sup)
        yield from self.by_elements(sub, sup)

    def composed(self, sub: int, sup: int) -> Iterator[Instance]:
        """Yield the instances that put a conjunction, an existential or ⊥ together from what is known."""
        form = self.form
        if form.kinds[sup] == Kind.CONJUNCTION:
            parts = self.conjuncts(sup)
            if all(self.facts.has(sub, part) for part in parts):
                yield Instance("R⊓+", tuple(Sub(sub, part) for part in parts))
            yield from self.wider_conjunction(sub, sup, frozenset(parts))
        elif form.kinds[sup] == Kind.SOME:
            yield from self.some_plus(sub, int(form.first[sup]), int(form.second[sup]))
        elif sup == BOTTOM:
            yield from self.bottom(sub)

    def wider_conjunction(self, sub: int, sup: int, parts: frozenset[int]) -> Iterator[Instance]:
        """R⊓−, from a conjunction that has all the conjuncts of another and more."""
        for whole in self._wholes[next(iter(parts))]:
            if whole != sup and parts <= frozenset(self.conjuncts(whole)) and self.facts.has(sub, whole):
                yield Instance("R⊓−", (Sub(sub, whole),))

    def told(self, sub: int, middle: int, sup: int, axiom: int) -> Iterator[Instance]:
        """R⊑, and the rules for Self, empty roles and data that the normal form has written as told rows."""
        kinds = self.form.kinds
        if axiom != NO_AXIOM:
            yield from self.told_axiom(sub, middle, axiom)
        elif kinds[middle] == Kind.VALUES:
            if sub == middle:
                yield Instance("Rdata")
            elif self.facts.has(middle, sup):
                yield Instance("R⊑⊑", (Sub(sub, middle), Sub(middle, sup)))
        elif kinds[sup] == Kind.SOME:
            yield Instance("Rdata-top")
        elif kinds[sup] == Kind.SELF:
            yield from [Instance("Rself-⊤")] if middle == TOP else self.named_loop(sub, middle, sup)
        elif kinds[middle] == Kind.SELF:
            yield Instance("R⊥role", (Sub(sub, middle),))
        else:
            for arrow in self.arrows(sub, int(self.form.first[middle])):
                yield Instance("R⊥role", (arrow,))

    def told_axiom(self, sub: int, middle: int, axiom: int) -> Iterator[Instance]:
        """Tell apart what kind of axiom a told row is from; those of roles tell of Self."""
        rule = self._rules_of_axioms.get(axiom, "R⊑")
        premises: tuple[Sub, ...] = (Sub(sub, middle),)
        if rule == "Rdisjoint":  # which lists a concept twice
            premises *= 2
        elif rule == "Rself-range" and middle == TOP:
            premises = ()
        yield Instance(rule, premises, (axiom,))

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

    def named_loop(self, sub: int, middle: int, sup: int) -> Iterator[Instance]:
        """Rself-nominal: the row is {a} ⊓ ∃r.{a} ⊑ ∃r.Self."""
        form = self.form
        parts = [int(form.first[middle]), int(form.second[middle])]
        nominal = next(part for part in parts if form.kinds[part] == Kind.NOMINAL)
        for arrow in self.arrows(sub, int(form.first[sup])):
            if self.facts.has(arrow.target, nominal):
                yield Instance("Rself-nominal", (Sub(sub, nominal), arrow, Sub(arrow.target, nominal)))

    def by_elements(self, sub: int, sup: int) -> Iterator[Instance]:
        """Rnominal, Runiversal and Rkey, whether or not the fact was first found by them."""
        form = self.form
        if form.kinds[sub] == Kind.NOMINAL and sub != sup:
            if sup in self._reached and self.facts.has(sup, sub):
                yield Instance("Rnominal", (Sub(sup, sub), Inhabited(sup)))
            if {sub, sup} <= self._named_nominals:
                yield from self.key(sub, sup)
        if form.kinds[sup] == Kind.SOME and self.is_universal(int(form.first[sup])):
            filler = int(form.second[sup])
            for concept in sorted(self._reached):
                if self.facts.has(concept, filler):
                    yield Instance("Runiversal", (Sub(concept, filler), Inhabited(concept)))

    def is_universal(self, role: int) -> bool:
        """Tell whether a role relates everything."""
        return self.form.universal_role >= 0 and bool(self.form.is_subrole[self.form.universal_role, role])

    @cached_property
    def _named_nominals(self) -> frozenset[int]:
        return frozenset(named_nominals(self.form))

    def key(self, one: int, other: int) -> Iterator[Instance]:
        """Rkey, with each way to share a filler for each of the properties."""
        for key in self.form.keys:
            if all(self.facts.has(nominal, key.concept) for nominal in (one, other)):
                ways = [self.agreements(one, other, role) for role in key.roles]
                for choice in product(*ways):
                    premises = (Sub(one, key.concept), Sub(other, key.concept), *chain.from_iterable(choice))
                    yield Instance("Rkey", premises, (key.axiom,))

    def agreements(self, one: int, other: int, role: int) -> list[tuple[NumberFact, ...]]:
        """Return the ways to show that two individuals share a filler of a role."""
        return [
            (*mine, *yours)
            for filler in sorted(fillers(self.facts, one, role) & fillers(self.facts, other, role))
            for mine in self.has(one, role, filler)
            for yours in self.has(other, role, filler)
        ]

    def has(self, nominal: int, role: int, filler: int) -> Iterator[tuple[NumberFact, NumberFact]]:
        """Yield pairs of facts that show {a} ⊑ ∃r.{c}: a link and what its target is below, or that r is universal."""
        for arrow in self.arrows(nominal, role):
            if self.facts.has(arrow.target, filler):
                yield arrow, Sub(arrow.target, filler)
        if self.is_universal(role):
            yield Inhabited(filler), Sub(filler, filler)

    def some_plus(self, sub: int, role: int, filler: int) -> Iterator[Instance]:
        """R∃+"""
        for arrow in self.arrows(sub, role):
            if self.facts.has(arrow.target, filler):
                yield Instance("R∃+", (arrow, Sub(arrow.target, filler)))

    def arrows(self, source: int, role: int) -> Iterator[Arrow]:
        """Yield the links C → s → D with s ⊑* r, as links by r."""
        roles, targets = self.facts.links_from(source)
        for target in dict.fromkeys(targets[self.form.is_subrole[roles, role]].tolist()):
            yield Arrow(source, role, target)

    def bottom(self, sub: int) -> Iterator[Instance]:
        """R⊥, Rdisjoint and Rinconsistent"""
        roles, targets = self.facts.links_from(sub)
        for role, target in zip(roles.tolist(), targets.tolist(), strict=True):
            if self.facts.is_bottom[target] and role < len(self.form.roles):
                yield Instance("R⊥", (Arrow(sub, role, target), Sub(target, BOTTOM)))
        members: dict[int, list[int]] = {}
        for concept in self.facts.subsumers(sub).tolist():
            for group in self._groups.get(concept, ()):
                members.setdefault(group, []).append(concept)
        for group, found in members.items():
            for position, first in enumerate(found):
                for second in found[position + 1 :]:
                    yield Instance("Rdisjoint", (Sub(sub, first), Sub(sub, second)), (self.form.disjoint[group][1],))
        for concept in (TOP, *self.form.nominal_concepts.tolist()):
            if self.facts.is_bottom[concept] and concept != sub:
                yield Instance("Rinconsistent", (Inhabited(concept), Sub(concept, BOTTOM)))

    # ── C → r → D ──

    def of_link(self, source: int, role: int, target: int) -> Iterator[Instance]:
        """Yield the rule instances that conclude C → r → D."""
        form = self.form
        roles, targets = self.facts.links_from(source)
        for sub in dict.fromkeys(roles[(targets == target) & form.is_subrole[roles, role]].tolist()):
            if sub != role and sub < len(form.roles):
                yield Instance("Rrinc", (Arrow(source, sub, target),))
        above = self.facts.subsumers(source)
        somes = above[(form.kinds[above] == Kind.SOME) & (form.some_target[above] == target)]
        for some in somes[form.first[somes] == role].tolist():
            yield Instance("R∃−", (Sub(source, some),))
        if source == target:
            loops = above[(form.kinds[above] == Kind.SELF) & (form.first[above] == role)]
            for loop in loops.tolist():
                yield Instance("Rself", (Sub(source, loop),))
        for left, right, axiom in self._chains_to.get(role, ()):
            if self.is_left_linear and left == right == role:
                found = self.first_step_paths(source, role, target)
            else:
                found = self.paths(source, left, right, target)
            yield from (Instance("Rrchain", path, (axiom,)) for path in found)
        if form.kinds[target] == Kind.VALUES and len(form.functional.rows):
            yield from self.functional(source, role, target)

    def first_step_paths(self, source: int, role: int, target: int) -> Iterator[tuple[Arrow, ...]]:
        """Yield the links C → r → D → r → E of a transitive role whose first is there without transitivity."""
        for arrow in self.first_steps(source, role):
            roles, targets = self.facts.links_from(arrow.target)
            if bool((self.form.is_subrole[roles, role] & (targets == target)).any()):
                yield arrow, Arrow(arrow.target, role, target)

    def first_steps(self, source: int, role: int) -> list[Arrow]:
        """Return the links by a transitive role that leave C and are there without its transitivity."""
        found = self._first_steps.get((source, role))
        if found is None:
            found = [arrow for arrow in self.arrows(source, role) if self.is_first_step(arrow)]
            self._first_steps[source, role] = found
        return found

    def is_first_step(self, arrow: Arrow) -> bool:
        """Tell whether a link by a transitive role is there without its transitivity.

        A path of such links can be put together from its end, one first step at a time; other ways to put it together
        lead to the same link, and there are as many as trees with that many leaves.
        """
        if len(self._chains_to.get(arrow.role, ())) > 1:
            return True
        roles, targets = self.facts.links_from(arrow.source)
        by = roles[(targets == arrow.target) & self.form.is_subrole[roles, arrow.role]]
        if bool((by != arrow.role).any()):
            return True
        above = self.facts.subsumers(arrow.source)
        somes = above[(self.form.kinds[above] == Kind.SOME) & (self.form.some_target[above] == arrow.target)]
        loops = above[(self.form.kinds[above] == Kind.SELF) & (arrow.source == arrow.target)]
        return bool((self.form.first[somes] == arrow.role).any() or (self.form.first[loops] == arrow.role).any())

    @cached_property
    def _chains_to(self) -> dict[int, list[tuple[int, int, int]]]:
        index: dict[int, list[tuple[int, int, int]]] = {}
        for left, right, result, axiom in self.form.compositions.rows.tolist():
            index.setdefault(result, []).append((left, right, axiom))
        return index

    def paths(self, source: int, left: int, right: int, target: int) -> Iterator[tuple[Arrow, ...]]:
        """Yield the links C → r → D → t → E along a chain; a prefix of a longer chain is spelt out."""
        lasts = {
            middle
            for middle, role in self._incoming.get(target, ())
            if self.form.is_subrole[role, right] and self.facts.is_started[middle]
        }
        for arrow in self.arrows(source, left):
            if arrow.target in lasts:
                last = Arrow(arrow.target, right, target)
                if left < len(self.form.roles):
                    yield (arrow, last)
                else:
                    for one, two, _ in self._chains_to[left]:
                        for path in self.paths(source, one, two, arrow.target):
                            yield (*path, last)

    def functional(self, source: int, role: int, target: int) -> Iterator[Instance]:
        """Rfunctional, from links by properties below a functional one that have just the target's values in common."""
        form = self.form
        wanted = form.value_sets[form.first[target]]
        roles, targets = self.facts.links_from(source)
        for functional, axiom in form.functional.rows.tolist():
            if not form.is_subrole[role, functional]:
                continue
            is_below = form.is_subrole[roles, functional]
            pairs = sorted(set(zip(roles[is_below].tolist(), targets[is_below].tolist(), strict=True)))
            links = [(Arrow(source, *pair), form.value_sets[form.first[pair[1]]]) for pair in pairs]
            links = [(link, values) for link, values in links if wanted.is_subset(values)]
            for mine, values in links:
                if mine.role == role and mine.target != target:
                    for others in narrowings(values, links, wanted):
                        yield Instance("Rfunctional", (mine, *others), (axiom,))

    # ── C has an element ──

    def of_inhabited(self, concept: int) -> Iterator[Instance]:
        """Rnonempty and Rnonempty-link"""
        if concept in (TOP, self.assumption) or self.form.kinds[concept] == Kind.NOMINAL:
            yield Instance("Rnonempty")
        if concept in self._reached:
            for source, role in self._incoming.get(concept, ()):
                if source in self._reached and role < len(self.form.roles):
                    yield Instance("Rnonempty-link", (Inhabited(source), Arrow(source, role, concept)))


def narrowings(
    values: ValueSet, links: Sequence[tuple[Arrow, ValueSet]], wanted: ValueSet
) -> Iterator[tuple[Arrow, ...]]:
    """Yield the links, each narrowing what those before it leave, that narrow some values to the wanted ones."""
    if values == wanted:
        yield ()
        return
    for position, (link, others) in enumerate(links):
        both = values.intersect(others)
        if both != values:
            for rest in narrowings(both, links[position + 1 :], wanted):
                yield (link, *rest)
