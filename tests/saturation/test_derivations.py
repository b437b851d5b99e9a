"""Every rule instance that concludes a fact is found, each is right, and together they derive the whole closure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.owl import axioms as ax
from moose.owl.axioms import Axiom
from moose.owl.model import (
    NOTHING,
    THING,
    Class,
    NamedIndividual,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectSomeValuesFrom,
)
from moose.owl.normal_form import BOTTOM, NO_AXIOM, TOP, Kind, NormalForm
from moose.owl.ontology import Ontology
from moose.saturation.checker import find_fault
from moose.saturation.checker_forms import canonical_fact
from moose.saturation.derivations import Arrow, Derivations, Inhabited, Instance, NumberFact, Sub
from moose.saturation.facts import Facts
from moose.saturation.proof import Fact, Inference, Link, NonEmpty, Subsumption
from moose.saturation.saturate import Closure, saturate
from moose.saturation.writing import Writer
from tests.saturation.answers import make
from tests.saturation.naive import naive_closure
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, ontologies
from tests.searching import examples

A, B, C, D = CLASSES[:4]
a, b, c = INDIVIDUALS
r, s, t, u = ROLES
Found = dict[NumberFact, list[Instance]]


def views(closure: Closure) -> Iterator[Derivations]:
    """Yield the derivations of what holds in all models, and of each conditional world."""
    yield Derivations(closure.base)
    for root, facts in closure.worlds.items():
        yield Derivations(facts, root)


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


def instances(view: Derivations, facts: Iterable[NumberFact]) -> Found:
    return {fact: list(dict.fromkeys(view.of(fact))) for fact in facts}


def derivable(found: Found, *, without: frozenset[int] = frozenset()) -> set[NumberFact]:
    """Close the instances, from those without premises up; leave out those that use some axioms."""
    known: set[NumberFact] = set()
    while True:
        more = {
            fact
            for fact, listed in found.items()
            if fact not in known
            and any(known.issuperset(one.premises) and without.isdisjoint(one.axioms) for one in listed)
        }
        if not more:
            return known
        known |= more


# ── Enough ────────────────────────────────────────────────────────────────────────────────────────────────────────


@examples(60)
@given(ontologies())
def test_instances_derive_the_whole_closure_and_nothing_else(axioms: list[Axiom]) -> None:
    for view in views(saturate(make(axioms))):
        facts = all_facts(view)
        found = instances(view, facts)
        assert {premise for listed in found.values() for one in listed for premise in one.premises} <= facts
        assert derivable(found) == facts


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
@examples(6)
@given(st.data())
def test_instances_derive_the_whole_closure_with_one_feature(feature: str, data: st.DataObject) -> None:
    companions = {"functional": {"data"}, "keys": {"data", "assertions"}, "self": {"nominals", "roles"}}
    axioms = data.draw(ontologies(frozenset({feature} | companions.get(feature, set())), max_axioms=12))
    for view in views(saturate(make(axioms))):
        facts = all_facts(view)
        assert derivable(instances(view, facts)) == facts


# ── Right ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def faults(view: Derivations, fact: NumberFact, instance: Instance, axioms: Sequence[Axiom]) -> list[str]:
    """Write an instance as steps from its premises, and have the checker judge each of them."""
    writer = Writer(view.facts, axioms)
    given = [writer.fact(premise) for premise in instance.premises]
    for premise in given:
        writer.step("premise", premise)
    writer.instance(fact, instance)
    assumption = None if view.assumption is None else writer.expressions.class_expression(view.assumption)
    shown: set[Fact] = set(map(canonical_fact, given))
    found = []
    for step in writer.steps.values():
        if step.rule != "premise":
            found.append(find_fault(step, shown, axioms, assumption))
            shown.add(canonical_fact(step.conclusion))
    assert canonical_fact(writer.fact(fact)) in shown
    return [f"{instance}: {fault}" for fault in found if fault]


@examples(40)
@given(ontologies(max_axioms=10))
def test_every_instance_is_one_that_the_checker_accepts(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    for view in views(saturate(ontology)):
        for fact, listed in instances(view, all_facts(view)).items():
            for instance in listed:
                assert faults(view, fact, instance, ontology.profile.el_axioms) == []


# ── Every one ─────────────────────────────────────────────────────────────────────────────────────────────────────


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


FOUND_BOTH_WAYS = frozenset(
    "R0 R⊤ R⊑ R⊓− R⊓+ R∃− R∃+ Rself Rrinc Rrchain R⊥ Rdisjoint Rnonempty Rnonempty-link Rnominal Runiversal Rkey "
    "Rinconsistent".split()
)
"""The rules that `Search` knows; those of data and Self are cut up by the normal form in its own way."""


@examples(60)
@given(ontologies(max_axioms=12))
def test_every_instance_is_found_and_no_other(axioms: list[Axiom]) -> None:
    for view in views(saturate(make(axioms))):
        search = Search(view)
        found = {
            (fact, one)
            for fact, ones in instances(view, search.facts).items()
            for one in ones
            if one.rule in FOUND_BOTH_WAYS and fact not in one.premises
        }
        expected = search.all()
        assert (expected - found, found - expected) == (set(), set())


# ── Over expressions ──────────────────────────────────────────────────────────────────────────────────────────────


def inferences(axioms: list[Axiom], fact: Fact) -> tuple[Inference, ...]:
    return saturate(make(axioms)).derivations(fact)


def test_two_ways_to_one_conclusion_are_both_returned() -> None:
    one, other = ax.SubClassOf(A, C), ax.SubClassOf(B, C)
    found = inferences([ax.SubClassOf(A, B), one, other], Subsumption(A, C))
    assert {(step.rule, step.premises, step.axioms) for step in found} == {
        ("R⊑", (Subsumption(A, A),), (one,)),
        ("R⊑", (Subsumption(A, B),), (other,)),
    }


def test_link_names_the_axioms_of_ranges_and_role_inclusions() -> None:
    told, below, of_s = (
        ax.SubClassOf(A, ObjectSomeValuesFrom(r, B)),
        ax.SubObjectPropertyOf((r,), s),
        ax.ObjectPropertyRange(s, C),
    )
    both = ObjectIntersectionOf((B, C))
    (link,) = inferences([told, below, of_s], Link(A, r, both))
    assert (link.rule, link.premises) == ("R∃−", (Subsumption(A, told.sup),))
    assert set(link.axioms) == {below, of_s}
    (above,) = inferences([told, below, of_s], Link(A, s, both))
    assert (above.rule, above.premises, above.axioms) == ("Rrinc", (Link(A, r, both),), (below,))


def test_element_is_there_because_of_a_link() -> None:
    told: list[Axiom] = [ax.ClassAssertion(ObjectSomeValuesFrom(r, B), a)]
    is_a = ObjectOneOf((a,))
    assert [step.rule for step in inferences(told, NonEmpty(is_a))] == ["Rnonempty"]
    (step,) = inferences(told, NonEmpty(B))
    assert (step.rule, step.premises) == ("Rnonempty-link", (NonEmpty(is_a), Link(is_a, r, B)))


@pytest.mark.parametrize(
    "fact",
    [
        Subsumption(B, A),
        Subsumption(A, NOTHING),
        Subsumption(Class("http://example.org/unheard of"), A),
        Link(A, r, B),
        NonEmpty(A),
    ],
    ids=repr,
)
def test_what_does_not_hold_has_no_derivation(fact: Fact) -> None:
    assert inferences([ax.SubClassOf(A, B), ax.SubClassOf(C, ObjectSomeValuesFrom(r, A))], fact) == ()


def test_everything_has_the_derivations_of_its_kind() -> None:
    assert [step.rule for step in inferences([ax.SubClassOf(A, B)], Subsumption(A, A))] == ["R0"]
    assert [step.rule for step in inferences([ax.SubClassOf(A, B)], Subsumption(A, THING))] == ["R⊤"]


# ── Removal: a fact follows from fewer axioms exactly if some instances that use no others derive it ──────────────

PLAIN = frozenset({"bottom", "disjoint", "nominals", "assertions", "domain", "self", "reflexive"})
"""Features whose axioms an instance names one by one; see below for role inclusions and ranges."""


def numbers_by_axioms(ontology: Ontology) -> tuple[Closure, Found]:
    closure = saturate(ontology)
    view = Derivations(closure.base)
    return closure, instances(view, all_facts(view))


@examples(40)
@given(ontologies(PLAIN - {"nominals", "assertions"}, max_axioms=7), st.data())
def test_without_some_axioms_the_rest_of_the_instances_derive_what_still_follows(
    axioms: list[Axiom], data: st.DataObject
) -> None:
    ontology = make(axioms)
    closure, found = numbers_by_axioms(ontology)
    for _ in range(4):
        places = range(len(ontology.profile.el_axioms))
        gone = frozenset(data.draw(st.sets(st.sampled_from(places), max_size=3)) if places else ())
        left = [axiom for place, axiom in enumerate(ontology.profile.el_axioms) if place not in gone]
        pairs, impossible, is_consistent = naive_closure(left, [one.iri for one in CLASSES])
        known = derivable(found, without=gone)
        for one, other in product(CLASSES, CLASSES):
            sub, sup = closure.form.class_number(one.iri), closure.form.class_number(other.iri)
            assert sub is not None and sup is not None
            follows = not is_consistent or one.iri in impossible or (one.iri, other.iri) in pairs or one == other
            is_derived = not {Sub(sub, sup), Sub(sub, BOTTOM), Sub(TOP, BOTTOM)}.isdisjoint(known)
            assert follows == is_derived, (gone, one, other)


def test_pairs_of_disjoint_classes_are_instances_of_their_own() -> None:
    members = (B, C, D)
    told: list[Axiom] = [ax.DisjointClasses(members), *(ax.SubClassOf(A, member) for member in members)]
    found = inferences(told, Subsumption(A, NOTHING))
    expected = {(Subsumption(A, one), Subsumption(A, other)) for one, other in combinations(members, 2)}
    assert {frozenset(step.premises) for step in found} == set(map(frozenset, expected))


def test_facts_of_a_closure_are_over_expressions() -> None:
    closure = saturate(make([ax.SubClassOf(A, ObjectSomeValuesFrom(r, B)), ax.SubObjectPropertyOf((r,), s)]))
    assert Subsumption(A, ObjectSomeValuesFrom(r, B)) in set(closure.subsumptions())
    assert {(link.role, link.target) for link in closure.links()} == {(r, B), (s, B)}


def test_facts_do_not_name_a_subsumption_twice() -> None:
    facts: Facts = saturate(make([ax.EquivalentClasses((A, ObjectIntersectionOf((B, C)))), ax.SubClassOf(A, B)])).base
    pairs = list(zip(facts.contexts.tolist(), facts.concepts.tolist(), strict=True))
    assert len(set(pairs)) == len(pairs)
