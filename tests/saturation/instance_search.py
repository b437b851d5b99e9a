"""All rule instances of a closure found by brute force: from any premises to a conclusion that is a fact."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from moose.owl.model.expressions import NamedIndividual
from moose.owl.normal.normal_form import BOTTOM, NO_AXIOM, TOP, Kind, NormalForm
from moose.saturation.proofs.derivations import Arrow, Derivations, Inhabited, Instance, NumberFact, Sub


def all_facts(view: Derivations) -> set[NumberFact]:
    """List every fact: subsumptions, links by each role above theirs, and what has an element."""
    facts, named = view.facts, len(view.form.roles)
    found: set[NumberFact] = {Sub(*pair) for pair in zip(facts.contexts.tolist(), facts.concepts.tolist(), strict=True)}
    links = zip(facts.sources.tolist(), facts.roles.tolist(), facts.targets.tolist(), strict=True)
    for source, role, target in links:
        found |= {Arrow(source, above, target) for above in np.flatnonzero(view.form.is_subrole[role, :named]).tolist()}
    return found | {Inhabited(concept) for concept in reached(view)}


def reached(view: Derivations) -> set[int]:
    """List, link by link, what has an element; a data value is none."""
    found = {TOP, *view.form.nominal_concepts.tolist()} | ({view.assumption} if view.assumption is not None else set())
    links = list(zip(view.facts.sources.tolist(), view.facts.targets.tolist(), strict=True))
    for _ in view.form.kinds:
        found |= {target for source, target in links if source in found}
    return {concept for concept in found if view.form.kinds[concept] != Kind.VALUES}


class Search:
    """All instances of the rules, found the other way round: from any premises to a conclusion that is a fact."""

    def __init__(self, view: Derivations) -> None:
        self.view, self.form, self.facts = view, view.form, all_facts(view)
        self.subs = sorted(fact for fact in self.facts if isinstance(fact, Sub))
        self.arrows = sorted(fact for fact in self.facts if isinstance(fact, Arrow))
        self.parts = [frozenset(view.conjuncts(concept)) for concept in range(len(self.form.kinds))]
        self.is_data = self.form.kinds == Kind.VALUES
        columns = (view.facts.sources.tolist(), view.facts.roles.tolist(), view.facts.targets.tolist())
        self.stored = list(zip(*columns, strict=True))

    def all(self) -> set[tuple[NumberFact, Instance]]:
        found = [*self.concepts(), *self.existentials(), *self.links(), *self.elements(), *self.keys()]
        return {(fact, instance) for fact, instance in found if fact in self.facts and fact not in instance.premises}

    def concepts(self) -> Iterator[tuple[NumberFact, Instance]]:
        for sub, sup in self.subs:
            yield Sub(sub, sub), Instance("R0")
            if not self.is_data[sub] and sub != TOP:
                yield Sub(sub, TOP), Instance("R⊤")
            for low, high, axiom in self.form.told.rows.tolist():
                if low == sup and axiom != NO_AXIOM and axiom not in role_axioms(self.form) | disjointness(self.form):
                    yield Sub(sub, high), Instance("R⊑", (Sub(sub, sup),), (axiom,))
            if self.form.kinds[sup] == Kind.CONJUNCTION:
                parts = self.view.conjuncts(sup)
                if self.facts.issuperset(Sub(sub, part) for part in parts):
                    yield Sub(sub, sup), Instance("R⊓+", tuple(Sub(sub, part) for part in parts))
                for other in range(len(self.form.kinds)):
                    if self.parts[other] < self.parts[sup]:
                        yield Sub(sub, other), Instance("R⊓−", (Sub(sub, sup),))
            for other in (other for low, other in self.subs if low == sub and sup < other):
                for members, axiom in self.form.disjoint:
                    if sup in members and other in members:
                        yield Sub(sub, BOTTOM), Instance("Rdisjoint", (Sub(sub, sup), Sub(sub, other)), (axiom,))

    def existentials(self) -> Iterator[tuple[NumberFact, Instance]]:
        somes = np.flatnonzero(self.form.kinds == Kind.SOME).tolist()
        for sub, sup in self.subs:
            role = int(self.form.first[sup])
            if self.form.kinds[sup] == Kind.SOME:
                yield Arrow(sub, role, int(self.form.some_target[sup])), Instance("R∃−", (Sub(sub, sup),))
            if self.form.kinds[sup] == Kind.SELF:
                yield Arrow(sub, role, sub), Instance("Rself", (Sub(sub, sup),))
        for arrow, some in product(self.arrows, somes):
            filler = Sub(arrow.target, int(self.form.second[some]))
            if self.form.first[some] == arrow.role and filler in self.facts:
                yield Sub(arrow.source, some), Instance("R∃+", (arrow, filler))

    def links(self) -> Iterator[tuple[NumberFact, Instance]]:
        for link in self.stored:
            arrow = Arrow(*link)
            if arrow.role < len(self.form.roles):
                for role in np.flatnonzero(self.form.is_subrole[arrow.role, : len(self.form.roles)]).tolist():
                    yield Arrow(arrow.source, role, arrow.target), Instance("Rrinc", (arrow,))
                if Sub(arrow.target, BOTTOM) in self.facts:
                    yield Sub(arrow.source, BOTTOM), Instance("R⊥", (arrow, Sub(arrow.target, BOTTOM)))
        for chain, role, axiom in chains(self.form):
            for path in self.paths(chain):
                yield Arrow(path[0].source, role, path[-1].target), Instance("Rrchain", path, (axiom,))

    def paths(self, chain: tuple[int, ...]) -> Iterator[tuple[Arrow, ...]]:
        for arrow in (arrow for arrow in self.arrows if arrow.role == chain[-1]):
            if len(chain) == 1:
                yield (arrow,)
            else:
                yield from ((*path, arrow) for path in self.paths(chain[:-1]) if path[-1].target == arrow.source)

    def elements(self) -> Iterator[tuple[NumberFact, Instance]]:
        everywhere = [TOP, *self.form.nominal_concepts.tolist()]
        for concept in everywhere if self.view.assumption is None else [*everywhere, self.view.assumption]:
            yield Inhabited(concept), Instance("Rnonempty")
        for concept, sub in product(everywhere, {sub for sub, _ in self.subs}):
            if Sub(concept, BOTTOM) in self.facts:
                yield Sub(sub, BOTTOM), Instance("Rinconsistent", (Inhabited(concept), Sub(concept, BOTTOM)))
        for source, role, target in self.stored:
            if Inhabited(source) in self.facts and role < len(self.form.roles):
                yield Inhabited(target), Instance("Rnonempty-link", (Inhabited(source), Arrow(source, role, target)))
        for sub, sup in self.subs:
            if Inhabited(sub) in self.facts:
                premises = (Sub(sub, sup), Inhabited(sub))
                if self.form.kinds[sup] == Kind.NOMINAL:
                    yield Sub(sup, sub), Instance("Rnominal", premises)
                for below, some in self.subs:
                    if self.is_everywhere(some) and self.form.second[some] == sup:
                        yield Sub(below, some), Instance("Runiversal", premises)

    def is_everywhere(self, some: int) -> bool:
        """Say whether an existential is one of a role that relates everything."""
        universal = self.form.universal_role
        is_some = self.form.kinds[some] == Kind.SOME
        return bool(universal >= 0 and is_some and self.form.is_subrole[universal, self.form.first[some]])

    def keys(self) -> Iterator[tuple[NumberFact, Instance]]:
        named = [
            concept
            for one, concept in zip(self.form.individuals, self.form.nominal_concepts.tolist(), strict=True)
            if isinstance(one, NamedIndividual)
        ]
        for key, one, other in product(self.form.keys, named, named):
            told = (Sub(one, key.concept), Sub(other, key.concept))
            if one != other and self.facts.issuperset(told):
                for ways in product(*(self.shared(one, other, role, named) for role in key.roles)):
                    premises = (*told, *(fact for way in ways for fact in way))
                    yield Sub(one, other), Instance("Rkey", premises, (key.axiom,))

    def shared(self, one: int, other: int, role: int, named: list[int]) -> list[tuple[NumberFact, ...]]:
        """List the ways in which two individuals have a named filler, or a value, of a role in common."""
        values = [
            int(concept)
            for concept, values in zip(self.form.value_concepts, self.form.value_sets, strict=True)
            if values.single is not None
        ]
        return [
            (*mine, *yours)
            for filler in (*named, *values)
            for mine in self.has(one, role, filler)
            for yours in self.has(other, role, filler)
        ]

    def has(self, source: int, role: int, filler: int) -> Iterator[tuple[NumberFact, NumberFact]]:
        for arrow in self.arrows:
            if (arrow.source, arrow.role) == (source, role) and Sub(arrow.target, filler) in self.facts:
                yield arrow, Sub(arrow.target, filler)
        universal = self.form.universal_role
        if universal >= 0 and self.form.is_subrole[universal, role] and self.form.kinds[filler] == Kind.NOMINAL:
            yield Inhabited(filler), Sub(filler, filler)


def role_axioms(form: NormalForm) -> set[int]:
    tables = (form.inclusions, form.compositions, form.ranges)
    return {axiom for table in tables for axiom in table.column(-1).tolist()}


def disjointness(form: NormalForm) -> set[int]:
    return {axiom for _, axiom in form.disjoint}


def chains(form: NormalForm) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """Put the chains together again that the normal form cuts into pairs."""
    rows = form.compositions.rows.tolist()
    prefixes: dict[int, tuple[int, ...]] = {}
    for left, right, result, axiom in rows:
        whole = (*prefixes.get(left, (left,)), right)
        if result >= len(form.roles):
            prefixes[result] = whole
        else:
            yield whole, result, axiom
