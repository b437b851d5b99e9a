"""All rule instances among facts found by brute force: from any premises to a conclusion that is a fact."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from moose.owl.model.expressions import NamedIndividual
from moose.owl.normal.normal_form import BOTTOM, NO_AXIOM, TOP, Key, Kind, NormalForm
from moose.saturation.recorded.derivations import Concluded
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, Instance, NumberFact, Sub

COMPOSING = frozenset({"R⊓+", "R∃+", "Runiversal"})
"""What these alone conclude needs no taking apart."""
LAST = "Rinconsistent"
"""What it concludes is no premise of other rules: there is nothing more to show."""


class View(NamedTuple):
    """The rule instances around one concept, those with a premise that nothing derives left out."""

    form: NormalForm
    root: int
    is_assumed: bool
    recorded: list[Concluded]
    decomposed: set[NumberFact]
    """What is taken apart, because it may be concluded otherwise than by putting it together."""
    asserted: set[NumberFact]
    """What is said of all that is an individual."""


class Search:
    """All instances of the rules, found the other way round: from any premises to a conclusion that is a fact."""

    def __init__(self, view: View) -> None:
        """Take the facts, and which of them are to be taken apart or shared, from what was recorded."""
        form, self.root, self.is_assumed, recorded, self.decomposed, self.shared = view
        self.form = form
        self.facts = {fact for fact, instance in recorded if instance.rule != LAST}
        self.subs = sorted(fact for fact in self.facts if isinstance(fact, Sub))
        self.arrows = sorted(fact for fact in self.facts if isinstance(fact, Arrow))
        self.contexts = {sub for sub, _ in self.subs}
        self.nominals = set(form.nominal_concepts.tolist())
        self.named = {
            concept
            for one, concept in zip(form.individuals, form.nominal_concepts.tolist(), strict=True)
            if isinstance(one, NamedIndividual)
        }
        self.is_data = form.kinds == Kind.VALUES

    def all(self) -> set[Concluded]:
        rules = (self.concepts, self.existentials, self.links, self.elements, self.individuals, self.named_links)
        found = [concluded for rule in rules for concluded in rule()]
        return {
            (fact, instance)
            for fact, instance in found
            if (fact in self.facts or instance.rule == LAST) and fact not in instance.premises
        }

    def concepts(self) -> Iterator[Concluded]:
        conjunctions = np.flatnonzero((self.form.kinds == Kind.CONJUNCTION) & self.form.is_negative).tolist()
        for sub in self.contexts:
            yield Sub(sub, sub), Instance("R0")
            if not self.is_data[sub]:
                yield Sub(sub, TOP), Instance("R⊤")
            for whole in conjunctions:
                parts = tuple(Sub(sub, part) for part in conjuncts(self.form, whole))
                if self.facts.issuperset(parts):
                    yield Sub(sub, whole), Instance("R⊓+", parts)
        yield from self.told()

    def told(self) -> Iterator[Concluded]:
        for sub, sup in self.subs:
            for low, high, axiom in self.form.told.rows.tolist():
                if low == sup and axiom != NO_AXIOM and axiom not in role_axioms(self.form) | disjointness(self.form):
                    yield Sub(sub, high), Instance("R⊑", (Sub(sub, sup),), (axiom,))
            if self.form.kinds[sup] == Kind.CONJUNCTION and Sub(sub, sup) in self.decomposed:
                halves = (int(self.form.first[sup]), int(self.form.second[sup]))
                for part in (*halves, *conjuncts(self.form, sup)):
                    yield Sub(sub, part), Instance("R⊓−", (Sub(sub, sup),))
            for other in (other for low, other in self.subs if low == sub and sup < other):
                for members, axiom in self.form.disjoint:
                    if sup in members and other in members:
                        yield Sub(sub, BOTTOM), Instance("Rdisjoint", (Sub(sub, sup), Sub(sub, other)), (axiom,))

    def existentials(self) -> Iterator[Concluded]:
        somes = np.flatnonzero((self.form.kinds == Kind.SOME) & self.form.is_negative).tolist()
        for sub, sup in self.subs:
            role = int(self.form.first[sup])
            if self.form.kinds[sup] == Kind.SOME and Sub(sub, sup) in self.decomposed:
                yield Arrow(sub, role, int(self.form.some_target[sup])), Instance("R∃−", (Sub(sub, sup),))
            if self.form.kinds[sup] == Kind.SELF and Sub(sub, sup) in self.decomposed:
                yield Arrow(sub, role, sub), Instance("Rself", (Sub(sub, sup),))
        for arrow, some in product(self.arrows, somes):
            filler = Sub(arrow.target, int(self.form.second[some]))
            if self.form.is_subrole[arrow.role, self.form.first[some]] and filler in self.facts:
                yield Sub(arrow.source, some), Instance("R∃+", (arrow, filler))

    def links(self) -> Iterator[Concluded]:
        for arrow in self.arrows:
            if Sub(arrow.target, BOTTOM) in self.facts:
                yield Sub(arrow.source, BOTTOM), Instance("R⊥", (arrow, Sub(arrow.target, BOTTOM)))
        for chain, role, axiom in chains(self.form):
            for path in self.paths(chain):
                yield Arrow(path[0].source, role, path[-1].target), Instance("Rrchain", path, (axiom,), chain)

    def paths(self, chain: tuple[int, ...]) -> Iterator[tuple[Arrow, ...]]:
        for arrow in (arrow for arrow in self.arrows if self.form.is_subrole[arrow.role, chain[-1]]):
            if len(chain) == 1:
                yield (arrow,)
            else:
                yield from ((*path, arrow) for path in self.paths(chain[:-1]) if path[-1].target == arrow.source)

    def there(self, concept: int) -> tuple[NumberFact, ...] | None:
        """Return the premise that a concept has an element; None where it may have none."""
        return (Inhabited(concept),) if Inhabited(concept) in self.facts else None

    def elements(self) -> Iterator[Concluded]:
        for concept in (TOP, *self.nominals, *([self.root] if self.is_assumed else [])):
            yield Inhabited(concept), Instance("Rnonempty")
        for concept in {TOP, *self.nominals} - {self.root}:
            if Sub(concept, BOTTOM) in self.facts:
                premises = (Inhabited(concept), Sub(concept, BOTTOM))
                yield Sub(self.root, BOTTOM), Instance(LAST, premises)
        for arrow in self.arrows:
            there = self.there(arrow.source)
            if there is not None and arrow.target not in self.nominals and not self.is_data[arrow.target]:
                yield Inhabited(arrow.target), Instance("Rnonempty-link", (*there, arrow))
        somes = [some for some in np.flatnonzero(self.form.is_negative).tolist() if self.is_everywhere(some)]
        for some in somes:
            for sub in self.contexts:
                there = self.there(sub)
                if Sub(sub, int(self.form.second[some])) in self.facts and there is not None:
                    there_below = (Sub(sub, int(self.form.second[some])), *there)
                    yield Inhabited(some), Instance("Runiversal", there_below)
                if not self.is_data[sub] and Inhabited(some) in self.facts:
                    yield Sub(sub, some), Instance("Runiversal", (Inhabited(some),))

    def is_everywhere(self, some: int) -> bool:
        """Return whether an existential is one of a role that relates everything."""
        universal = self.form.universal_role
        is_some = self.form.kinds[some] == Kind.SOME
        return bool(universal >= 0 and is_some and self.form.is_subrole[universal, self.form.first[some]])

    def individuals(self) -> Iterator[Concluded]:
        for sub, sup in self.subs:
            if sup in self.nominals and sub != sup:
                there = self.there(sub)
                if there is not None:
                    yield Sub(sup, sub), Instance("Rnominal", (Sub(sub, sup), *there))
                for low, concept in self.subs:
                    if low == sup and Sub(sup, concept) in self.shared:
                        yield Sub(sub, concept), Instance("R⊑⊑", (Sub(sub, sup), Sub(sup, concept)))
        for key, one, other in product(self.form.keys, self.named, self.named):
            if one != other:
                yield from self.keys(key, one, other)

    def named_links(self) -> Iterator[Concluded]:
        for arrow in (arrow for arrow in self.arrows if arrow.source in self.nominals):
            for nominal in self.nominals - {arrow.target}:
                if Sub(arrow.target, nominal) in self.facts:
                    premises = (arrow, Sub(arrow.target, nominal))
                    yield Arrow(arrow.source, arrow.role, nominal), Instance("Rlink-nominal", premises)
            if arrow.target in self.nominals:
                for role in np.flatnonzero(self.form.is_subrole[arrow.role, : len(self.form.roles)]).tolist():
                    yield Arrow(arrow.source, role, arrow.target), Instance("Rrinc", (arrow,))
                for role, concept, axiom in self.form.ranges.rows.tolist():
                    if self.form.is_subrole[arrow.role, role]:
                        yield Sub(arrow.target, concept), Instance("Rrange", (arrow,), (axiom,))

    def keys(self, key: Key, one: int, other: int) -> Iterator[Concluded]:
        told = (Sub(one, key.concept), Sub(other, key.concept))
        if self.facts.issuperset(told):
            for ways in product(*(self.agreements(one, other, role) for role in key.roles)):
                premises = (*told, *(fact for _, way in ways for fact in way))
                fillers = tuple(filler for filler, _ in ways)
                yield Sub(one, other), Instance("Rkey", premises, (key.axiom,), fillers)

    def agreements(self, one: int, other: int, role: int) -> list[tuple[int, tuple[NumberFact, ...]]]:
        """List the ways in which two individuals have a named filler, or a value, of a role in common."""
        universal = self.form.universal_role
        if universal >= 0 and self.form.is_subrole[universal, role]:
            return [(filler, (Inhabited(filler), Inhabited(filler))) for filler in self.named]
        values = zip(self.form.value_concepts.tolist(), self.form.value_sets, strict=True)
        single = self.named | {concept for concept, value in values if value.single is not None}
        return [
            (mine.target, (mine, yours))
            for mine in self.arrows
            for yours in self.arrows
            if (mine.source, yours.source) == (one, other)
            and mine.target == yours.target
            and mine.target in single
            and self.form.is_subrole[mine.role, role]
            and self.form.is_subrole[yours.role, role]
        ]


def conjuncts(form: NormalForm, whole: int) -> Iterator[int]:
    """List what a conjunction is made of, however it is nested."""
    if form.kinds[whole] == Kind.CONJUNCTION:
        yield from conjuncts(form, int(form.first[whole]))
        yield from conjuncts(form, int(form.second[whole]))
    else:
        yield whole


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
