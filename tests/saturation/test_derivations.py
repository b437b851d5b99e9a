"""Every rule instance that concludes a fact is found, each is right, and together they derive the whole closure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.certificates.check_proof import find_fault
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectSomeValuesFrom,
)
from moose.owl.normal.normal_form import BOTTOM, TOP, Kind
from moose.saturation.answers.closure import Closure, saturate
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import is_possible
from moose.saturation.proofs.instances import with_premises
from moose.saturation.proofs.proof import Fact, Inference, Link, NonEmpty, Subsumption
from moose.saturation.proofs.rule_writers import write_instance
from moose.saturation.proofs.writer import Writer
from moose.saturation.recorded.derivations import Concluded, Derivations
from moose.saturation.recorded.rule_instance import Instance, NumberFact, Sub
from tests.saturation.answers import make
from tests.saturation.instance_search import COMPOSING, Search, View
from tests.saturation.naive import naive_closure
from tests.saturation.random_keys import functional, keyed
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, INDIVIDUALS, ROLES, ontologies
from tests.searching import examples

A, B, C, D = CLASSES[:4]
a, b, c = INDIVIDUALS
r, s, t, u = ROLES


def views(closure: Closure) -> Iterator[View]:
    """Yield the instances around each named class, where it is settled, and around each individual."""
    form = closure.form
    for root in {*form.class_concepts.tolist(), *form.nominal_concepts.tolist()}:
        is_assumed = root in closure.worlds
        derivations = Derivations(form, root, is_assumed=is_assumed)
        calculus = derivations.calculus
        asserted = {fact for fact in (calculus.facts[one] for one in calculus.asserted) if isinstance(fact, NumberFact)}
        every = list(derivations.all())
        decomposed = {fact for fact, instance in every if instance.rule not in COMPOSING}
        yield View(form, root, is_assumed, with_premises(every), decomposed, asserted)


def derivable(recorded: Sequence[Concluded], *, without: frozenset[int] = frozenset()) -> set[NumberFact]:
    """Close the instances, from those without premises up; leave out those that use some axioms."""
    known: set[NumberFact] = set()
    while True:
        more = {
            fact
            for fact, one in recorded
            if fact not in known and known.issuperset(one.premises) and without.isdisjoint(one.axioms)
        }
        if not more:
            return known
        known |= more


# ── Enough ────────────────────────────────────────────────────────────────────────────────────────────────────────


def assert_derives_closure(axioms: list[Axiom]) -> None:
    """Assert that the instances derive what the kernel does of each root, and nothing else."""
    closure = saturate(make(axioms))
    for view in views(closure):
        facts, known = closure.world_of(view.root), derivable(view.recorded)
        assert {premise for _, one in view.recorded for premise in one.premises} <= known
        is_impossible = bool(facts.is_bottom[view.root]) or not is_possible(facts)
        assert is_impossible == (Sub(view.root, BOTTOM) in known)
        if not is_impossible:
            asked = [concept for concept, kind in enumerate(view.form.kinds.tolist()) if kind != Kind.CONJUNCTION]
            ours = {concept for concept in asked if Sub(view.root, concept) in known}
            assert ours == {concept for concept in asked if facts.has(view.root, concept)}


@examples(80)
@given(ontologies() | keyed | functional)
def test_instances_derive_the_whole_closure_and_nothing_else(axioms: list[Axiom]) -> None:
    assert_derives_closure(axioms)


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
@examples(6)
@given(st.data())
def test_instances_derive_the_whole_closure_with_one_feature(feature: str, data: st.DataObject) -> None:
    companions = {"functional": {"data"}, "keys": {"data", "assertions"}, "self": {"nominals", "roles"}}
    assert_derives_closure(data.draw(ontologies(frozenset({feature} | companions.get(feature, set())), max_axioms=12)))


@examples(40)
@given(ontologies() | keyed | functional)
def test_ring_by_ring_the_same_is_derived_as_at_once(axioms: list[Axiom]) -> None:
    closure = saturate(make(axioms))
    for view in views(closure):
        rings = Derivations(view.form, view.root, is_assumed=view.is_assumed, is_goal_directed=True)
        while rings.widen():
            pass
        assert derivable(with_premises(list(rings.all()))) == derivable(view.recorded)


# ── Right ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def faults(view: View, fact: NumberFact, instance: Instance, axioms: Sequence[Axiom]) -> list[str]:
    """Write an instance as steps from its premises, and have the checker judge each of them."""
    writer = Writer(view.form, axioms)
    given = [writer.fact(premise) for premise in instance.premises]
    for premise in given:
        writer.step("premise", premise)
    write_instance(writer, fact, instance)
    assumption = writer.expressions.class_expression(view.root) if view.is_assumed else None
    shown: set[Fact] = set(given)
    found = []
    for step in writer.steps.values():
        if step.rule != "premise":
            found.append(find_fault(step, shown, axioms, assumption))
            shown.add(step.conclusion)
    assert writer.fact(fact) in shown
    return [f"{instance}: {fault}" for fault in found if fault]


@examples(60)
@given(ontologies(max_axioms=10) | keyed | functional)
def test_every_instance_is_one_that_the_checker_accepts(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    for view in views(saturate(ontology)):
        for fact, instance in view.recorded:
            assert faults(view, fact, instance, ontology.profile.el_axioms) == []


# ── Every one ─────────────────────────────────────────────────────────────────────────────────────────────────────


FOUND_BOTH_WAYS = frozenset(
    "R0 R⊤ R⊑ R⊑⊑ R⊓− R⊓+ R∃− R∃+ Rself Rrinc Rrchain Rrange R⊥ Rdisjoint Rnonempty Rnonempty-link Rnominal "
    "Rlink-nominal Runiversal Rkey Rinconsistent".split()
)
"""The rules that `Search` knows; those of data and Self are cut up by the normal form in its own way."""


def comparable(concluded: Iterable[Concluded]) -> set[tuple[NumberFact, str, frozenset[NumberFact], tuple[int, ...]]]:
    """Forget the order of premises, and what follows from them alone."""
    return {
        (fact, one.rule, frozenset(one.premises), one.axioms)
        for fact, one in concluded
        if one.rule in FOUND_BOTH_WAYS and fact not in one.premises
    }


@examples(80)
@given(ontologies(max_axioms=12) | keyed)
def test_every_instance_is_found_and_no_other(axioms: list[Axiom]) -> None:
    for view in views(saturate(make(axioms))):
        recorded = comparable(view.recorded)
        expected = comparable(Search(view).all())
        assert (expected - recorded, recorded - expected) == (set(), set())


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


@examples(40)
@given(ontologies(PLAIN - {"nominals", "assertions"}, max_axioms=7), st.data())
def test_without_some_axioms_the_rest_of_the_instances_derive_what_still_follows(
    axioms: list[Axiom], data: st.DataObject
) -> None:
    ontology = make(axioms)
    form = ontology.normal_form
    numbers = {one: form.class_number(one.iri) for one in CLASSES}
    recorded = {one: list(Derivations(form, number).all()) for one, number in numbers.items() if number is not None}
    for _ in range(4):
        positions = range(len(ontology.profile.el_axioms))
        gone = frozenset(data.draw(st.sets(st.sampled_from(positions), max_size=3)) if positions else ())
        left = [axiom for position, axiom in enumerate(ontology.profile.el_axioms) if position not in gone]
        pairs, impossible, is_consistent = naive_closure(left, [one.iri for one in CLASSES])
        for one in CLASSES:
            known = derivable(recorded[one], without=gone)
            for other in CLASSES:
                sub, sup = numbers[one], numbers[other]
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
