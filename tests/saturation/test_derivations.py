"""Every rule instance that concludes a fact is found, each is right, and together they derive the whole closure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product

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
from moose.owl.normal.normal_form import BOTTOM, TOP
from moose.owl.ontology import Ontology
from moose.saturation.answers.closure import Closure, saturate
from moose.saturation.engine.facts import Facts
from moose.saturation.proofs.derivations import Derivations, Instance, NumberFact, Sub
from moose.saturation.proofs.proof import Fact, Inference, Link, NonEmpty, Subsumption
from moose.saturation.proofs.writing import Writer
from tests.saturation.answers import make
from tests.saturation.instance_search import Search, all_facts
from tests.saturation.naive import naive_closure
from tests.saturation.random_keys import functional, keyed
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


@examples(80)
@given(ontologies() | keyed | functional)
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
        for fact, listed in instances(view, all_facts(view)).items():
            for instance in listed:
                assert faults(view, fact, instance, ontology.profile.el_axioms) == []


# ── Every one ─────────────────────────────────────────────────────────────────────────────────────────────────────


FOUND_BOTH_WAYS = frozenset(
    "R0 R⊤ R⊑ R⊓− R⊓+ R∃− R∃+ Rself Rrinc Rrchain R⊥ Rdisjoint Rnonempty Rnonempty-link Rnominal Runiversal Rkey "
    "Rinconsistent".split()
)
"""The rules that `Search` knows; those of data and Self are cut up by the normal form in its own way."""


@examples(80)
@given(ontologies(max_axioms=12) | keyed)
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
