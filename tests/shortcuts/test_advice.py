"""Advice is confirmed by counting again, and no smaller set of changes would do."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given

import moose
from moose.base.errors import InconsistentOntology, MooseError
from moose.cli.learn.shortcuts_output import advice_facts, advice_lines
from moose.grounding.task.task import Task
from moose.owl.model.axioms import Axiom, DisjointClasses, SubClassOf
from moose.owl.model.expressions import Class, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.ontology import ontology_from_axioms
from moose.shortcuts.advice import advise as advising
from moose.shortcuts.advice.ablation import ablate
from moose.shortcuts.advice.advise import Adviser, advise, find_shortcut
from moose.shortcuts.advice.changes import Change, candidates
from moose.shortcuts.count.find_shortcuts import ONE_FOR_ALL, find_shortcuts
from moose.shortcuts.problem import worlds
from moose.shortcuts.problem.options import Encoder, Showing
from tests.searching import examples
from tests.shortcuts import plain


def test_advice_on_mnist1_makes_every_digit_identifiable() -> None:
    task = moose.regime("mnist1")
    anyhow = advise(task, Showing())
    assert anyhow.fewest == (Change("relate", "plus_two"),)
    assert anyhow.maps_left == 1
    literals = advise(task, Showing(), only_literals=True)
    assert literals.fewest == tuple(Change("supervise", name) for name in ("D3", "D4", "D5", "D6"))
    assert [step.maps for step in literals.steps] == [108, 16, 4, 1]
    more = Showing(("Even", "Odd", "Prime", "Composite", "D3", "D4", "D5", "D6"))
    found = find_shortcuts(task, more)  # without the adviser
    assert (found.maps, len(found.identifiable)) == (1, 10)


def test_negative_literals_are_proposed_where_there_are_none() -> None:
    advice = advise(moose.regime("pizzaB"), Showing(("VegetarianPizza",), "positive"), only_literals=True)
    assert advice.fewest is not None
    assert advice.fewest[:1] == (Change("negatives"),)
    assert advice.maps_left == 1


def test_a_proposed_axiom_is_weighed() -> None:
    axioms: list[Axiom] = [SubClassOf(Class("A"), Class("P")), DisjointClasses((Class("B"), Class("Q")))]
    ontology = ontology_from_axioms(axioms, declarations=[Class("C")])
    task = Task(ontology, ["a"], ["P", "Q"], ["A", "B"], [["A", "B"]], closure=["mutex", "cover"])
    assert find_shortcuts(task).maps == 2  # where neither P nor Q is seen, as of B, nothing but A is excluded
    advice = advise(task, Showing(("Q",)), axioms=["SubClassOf(A Q)"])
    assert Change("axiom", "SubClassOf(A Q)") in (advice.fewest or ())
    for axiom in ("SubClassOf(B owl:Nothing)", "SubClassOf(owl:Thing owl:Nothing)"):
        with pytest.raises(MooseError, match="cannot be added"):
            advise(task, Showing(), axioms=[axiom])


def test_a_family_that_is_not_declared_is_proposed() -> None:
    axioms: list[Axiom] = [SubClassOf(Class(name), Class("P")) for name in "AB"]
    task = Task(ontology_from_axioms(axioms), ["a"], ["P"], ["A", "B"])
    showing = Showing(("P", "A"), states=[["A"], ["B"]])
    advice = advise(task, showing)
    assert advice.maps == 4  # whether B holds is open
    assert advice.fewest == (Change("family", "A, B"),)


def test_there_is_no_advice_for_exchanged_variables() -> None:
    with pytest.raises(MooseError, match="exchanged"):
        advise(moose.regime("mnist1"), Showing(), encoder=Encoder(reads="exchanged"))


@examples(15)
@given(plain.small_tasks(most_individuals=1))
def test_no_smaller_set_of_changes_removes_the_shortcuts(task: Task) -> None:
    showing = Showing(("P",), "positive")
    adviser = Adviser(task, showing, ONE_FOR_ALL)
    try:
        true_states = adviser.problem(frozenset()).true_states
        base = find_shortcuts(task, showing).maps
    except InconsistentOntology:
        return
    options = adviser.possible([one for one in candidates(task, showing, true_states) if one.kind != "relate"])
    advice = advise(task, showing, only_literals=True)
    assert advice.maps == base
    usable = [one for one in options if one.kind in ("show", "negatives", "declare", "supervise")]
    sizes = [
        size
        for size in range(len(usable) + 1)
        if any(adviser.count(frozenset(chosen)) == 1 for chosen in combinations(usable, size))
    ]
    if advice.fewest is None:
        assert not sizes and advice.maps_left > 1
    else:
        assert (len(advice.fewest), advice.maps_left) == (sizes[0], 1)
        assert (find_shortcut(adviser.problem(frozenset())) is None) == (base == 1)


def test_the_role_chain_is_what_makes_mnist3_identifiable() -> None:
    rows = {row.name: row.removes for row in ablate(moose.regime("mnist3"), Showing())}
    assert rows["SubObjectPropertyOf(ObjectPropertyChain(succ succ) plus_two)"] == 728
    assert rows["mutex"] == 0

    assert {row.kind for row in ablate(moose.regime("pizzaB"), Showing())} == {"component", "clause", "axiom"}


def toppings(count: int) -> Task:
    names = [f"T{number}" for number in range(count)]
    axioms: list[Axiom] = [SubClassOf(Class(name), Class("P")) for name in names]
    axioms.append(SubClassOf(Class("T0"), ObjectSomeValuesFrom(ObjectProperty("r"), Class("T1"))))
    return Task(ontology_from_axioms(axioms), ["a"], ["P"], names)


def test_a_candidate_that_is_too_large_is_skipped_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worlds, "MOST_WORLDS", 40)  # 16 states, so that pairs in a role have hundreds of worlds
    advice = advise(toppings(4), Showing())
    [skipped] = advice.skipped
    assert skipped.change == Change("relate", "r") and "more than 40 worlds" in skipped.reason
    assert advice.fewest == tuple(Change("supervise", f"T{number}") for number in range(4))
    assert (advice.maps_left, advice.unfinished) == (1, None)
    lines = advice_lines(advice)
    assert any(line.startswith("  skipped\tshow pairs that are known to stand in r\ttoo large: ") for line in lines)
    assert lines[-1].endswith("\t4 labels\tcounted again: 1 map left")
    assert advice_facts(advice)["skipped"] == [{"change": str(skipped.change), "why": skipped.reason}]


def test_the_steps_remain_where_the_fewest_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising, "MOST_TRIED", 3)
    advice = advise(toppings(4), Showing(), only_literals=True)
    assert advice.fewest is None and "too many to be found" in (advice.unfinished or "")
    assert advice.maps_left == advice.steps[-1].maps
    assert any("not known" in line for line in advice_lines(advice))


def test_labels_are_told_from_observations() -> None:
    assert Change("supervise", "D3").needs == "label"
    assert {Change(kind, "C").needs for kind in ("show", "negatives", "declare", "relate")} == {"observation"}
    assert {Change(kind, "C").needs for kind in ("close", "family", "axiom")} == {"knowledge"}
