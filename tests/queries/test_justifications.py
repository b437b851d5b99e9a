"""Justifications and repairs: minimal, complete, the smallest first, against every set of axioms tried."""

from __future__ import annotations

import gc
from itertools import combinations, count, islice
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import LimitReached, MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.ontology import merge_documents
from moose.owl.syntax.functional.read_functional import read_functional
from moose.queries.justify import entailment_condition
from moose.queries.justify.hitting_sets import smallest_repairs, smallest_sets
from moose.queries.justify.justifications import justifications, repairs
from moose.queries.program import program
from tests.queries.small_ontologies import axioms, follows, goals, minimal_repairs, minimal_sets
from tests.searching import examples

A, B, C, D = (owl.Class(f"urn:{name}") for name in "ABCD")


@examples(60)
@given(st.lists(axioms, min_size=3, max_size=8, unique=True), goals)
def test_justifications_are_all_minimal_sets(some: list[ax.Axiom], goal: ax.Axiom) -> None:
    ontology = moose.ontology(some)
    search = justifications(ontology, goal)
    found = [frozenset(one.axioms) for one in search]
    expected = minimal_sets(ontology.axioms, goal)
    assert search.are_all
    assert len(found) == len(set(found))
    assert set(found) == set(expected)
    assert list(map(len, found)) == sorted(map(len, found))
    cuts = [frozenset(one.axioms) for one in repairs(ontology, goal)]
    if frozenset() not in expected:
        assert set(cuts) == minimal_repairs(ontology.axioms, expected)
        assert list(map(len, cuts)) == sorted(map(len, cuts))
    else:
        assert cuts == []


class Table:
    """A monotone condition by the minimal sets of which it holds, some of which are not known at first."""

    def __init__(self, sets: list[frozenset[int]], *, known: int) -> None:
        self.known, self.hidden = sets[:known], sets[known:]

    def holds(self, elements: object) -> bool:
        return any(one <= frozenset(elements) for one in self.known)  # type: ignore[call-overload]

    def learn(self, elements: object) -> bool:
        new = next((one for one in self.hidden if one <= frozenset(elements)), None)  # type: ignore[call-overload]
        if new is not None:
            self.hidden.remove(new)
            self.known.append(new)
        return new is not None


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), max_size=8), st.integers(0, 8))
def test_smallest_sets_of_a_condition_that_is_learnt(sets: list[frozenset[int]], known: int) -> None:
    minimal = {one for one in sets if not any(other < one for other in sets)}
    found = list(smallest_sets(range(7), Table(list(sets), known=known)))
    assert set(found) == minimal
    assert list(map(len, found)) == sorted(map(len, found))
    cuts = list(smallest_repairs(range(7), Table(list(sets), known=known)))
    assert set(cuts) == hitting(list(minimal))
    assert list(map(len, cuts)) == sorted(map(len, cuts))


def hitting(sets: list[frozenset[int]]) -> set[frozenset[int]]:
    """Return the minimal sets that meet each of some sets, all being tried."""
    found: list[frozenset[int]] = []
    for size in range(8):
        for some in map(frozenset, combinations(range(7), size)):
            if not any(one <= some for one in found) and all(some & one for one in sets):
                found.append(some)
    return set(found)


def test_a_goal_that_does_not_follow_has_none() -> None:
    ontology = moose.ontology([ax.SubClassOf(A, B)])
    search = justifications(ontology, ax.SubClassOf(B, A))
    assert list(search) == []
    assert search.are_all
    assert [one.axioms for one in repairs(ontology, ax.SubClassOf(B, A))] == [()]


def test_a_goal_without_axioms_has_the_empty_one() -> None:
    ontology = moose.ontology([ax.SubClassOf(A, B)])
    assert [one.axioms for one in justifications(ontology, ax.SubClassOf(A, A))] == [()]
    assert list(repairs(ontology, ax.SubClassOf(A, A))) == []


def test_what_axioms_outside_el_say_together_comes_last() -> None:
    text = """
    Prefix(:=<urn:>)
    Ontology(
      InverseObjectProperties(:r :s)
      SubClassOf(:A ObjectSomeValuesFrom(:r :B))
      SubClassOf(ObjectSomeValuesFrom(:s :A) :D)
      SubClassOf(ObjectSomeValuesFrom(:r :D) :C)
      SubClassOf(:A :E) SubClassOf(:E :F) SubClassOf(:F :G) SubClassOf(:G :H) SubClassOf(:H :C)
    )
    """
    ontology = merge_documents([read_functional(text, "inverse.ofn")])
    search = justifications(ontology, "SubClassOf(A C)")
    assert [len(one.axioms) for one in search] == [5, 4]
    assert search.are_all
    assert {len(one.axioms) for one in repairs(ontology, "SubClassOf(A C)")} == {2}


def test_axioms_that_rule_instances_do_not_name_are_found() -> None:
    text = """
    Prefix(:=<urn:>) Prefix(xsd:=<http://www.w3.org/2001/XMLSchema#>)
    Ontology(
      SubClassOf(:A DataHasValue(:d "1"^^xsd:integer))
      DataPropertyRange(:d xsd:string)
      SubClassOf(:A :B) SubClassOf(:B owl:Nothing)
    )
    """
    ontology = merge_documents([read_functional(text, "range.ofn")])
    found = [set(one.axioms) for one in justifications(ontology, "unsatisfiable A")]
    assert found == [set(ontology.axioms[2:]), set(ontology.axioms[:2])]


def test_an_inconsistent_ontology_has_justifications() -> None:
    one = owl.NamedIndividual("urn:a")
    told: list[ax.Axiom] = [
        ax.ClassAssertion(A, one),
        ax.SubClassOf(A, B),
        ax.SubClassOf(B, owl.NOTHING),
        ax.SubClassOf(C, D),
    ]
    (found,) = justifications(moose.ontology(told), "consistent")
    assert set(found.axioms) == set(told[:3])
    assert found.explanation().goal == ax.SubClassOf(owl.THING, owl.NOTHING)


def many(count: int) -> list[ax.Axiom]:
    """Return axioms by which there are 2 to the power of `count` ways from one class to another."""
    steps = [owl.Class(f"urn:S{number}") for number in range(count + 1)]
    ways = [(owl.Class(f"urn:L{number}"), owl.Class(f"urn:R{number}")) for number in range(count)]
    return [
        axiom
        for number, way in enumerate(ways)
        for side in way
        for axiom in (ax.SubClassOf(steps[number], side), ax.SubClassOf(side, steps[number + 1]))
    ]


def test_the_first_of_very_many_come_at_once() -> None:
    ontology = moose.ontology(many(40))
    goal = ax.SubClassOf(owl.Class("urn:S0"), owl.Class("urn:S40"))
    search = justifications(ontology, goal)
    first = list(islice(search, 20))
    assert {len(one.axioms) for one in first} == {80}
    assert len({one.axioms for one in first}) == 20
    assert all(follows(one.axioms, goal) for one in first)
    assert not search.are_all


def test_a_limit_ends_the_search_and_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    ontology = moose.ontology(many(40))
    goal = ax.SubClassOf(owl.Class("urn:S0"), owl.Class("urn:S40"))
    asked: list[int] = []
    clock = count()
    monkeypatch.setattr("time.monotonic", lambda: next(clock))  # so that the machine's load decides nothing
    search = justifications(ontology, goal, limit=20_000, progress=asked.append)
    assert 0 < len(list(search)) < 20_000
    assert not search.are_all
    assert asked == list(range(1, len(asked) + 1))
    with pytest.raises(LimitReached, match="raise it"):
        list(repairs(ontology, goal, limit=1e-9))


def test_bad_arguments_are_told() -> None:
    ontology = moose.ontology([ax.SubClassOf(A, B)])
    with pytest.raises(MooseError, match=r"moose\.load"):
        justifications("file.owl", ax.SubClassOf(A, B))  # type: ignore[arg-type]
    with pytest.raises(MooseError, match="seconds"):
        justifications(ontology, ax.SubClassOf(A, B), limit=0)


def test_rule_instances_are_freed_without_the_cycle_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    """The calculus refers back to itself; its thousands of instances must not wait for a collection."""
    rules = []

    def run_rules(*arguments: object, **options: object) -> object:
        calculus = program.run_rules(*arguments, **options)  # type: ignore[arg-type]  # passed on
        rules.append(ref(calculus))
        return calculus

    monkeypatch.setattr(entailment_condition, "run_rules", run_rules)
    gc.disable()
    try:
        next(justifications(moose.ontology([ax.SubClassOf(A, B), ax.SubClassOf(B, C)]), ax.SubClassOf(A, C)))
        assert [one() for one in rules] == [None]
    finally:
        gc.enable()
