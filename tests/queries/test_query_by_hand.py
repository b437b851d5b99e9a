"""Queries by hand: small ontologies, limits, wrong arguments."""

from __future__ import annotations

import gc
import weakref
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest

import moose
from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import Class
from moose.owl.names import Names
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.owl.syntax.functional.read_functional import read_functional
from moose.queries.answer import Answer
from moose.queries.exact_answer import label_of
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Conditions, ranked
from moose.queries.program.goals import read_goal
from moose.queries.program.most_probable import minimal_sets
from moose.queries.program.probability_bounds import bound
from moose.queries.query import query, query_all

XSD = "http://www.w3.org/2001/XMLSchema#"
A, B, C, D = (Class(f"http://example.org/{name}") for name in "ABCD")
DIAMOND = ontology_from_axioms([ax.SubClassOf(A, B), ax.SubClassOf(B, D), ax.SubClassOf(A, C), ax.SubClassOf(C, D)])


def ask(ontology: Ontology, goal: str, *chances: str) -> Answer:
    """Ask with probabilities in the order of the axioms."""
    stated = {place: Fraction(chance) for place, chance in enumerate(chances)}
    return query(ontology, goal, probabilities=Probabilities(ontology, stated))


def test_diamond() -> None:
    answer = ask(DIAMOND, "SubClassOf(A D)", "1/2", "1/3", "1/5", "1")
    assert answer.probability == 1 - (1 - Fraction(1, 6)) * (1 - Fraction(1, 5))
    assert [float(one.probability) for one in answer.justifications] == [0.2, pytest.approx(1 / 6)]
    assert answer.sensitivities[DIAMOND.axioms[0]] == Fraction(1, 3) * Fraction(4, 5)
    assert "SubClassOf(A D): 0.333333" in str(answer)
    assert "SubClassOf(A C)" in str(answer.justifications[0])


def test_equivalence_needs_both_directions() -> None:
    ontology = ontology_from_axioms([ax.SubClassOf(A, B), ax.SubClassOf(B, A)])
    assert ask(ontology, "EquivalentClasses(A B)", "1/2", "1/3").probability == Fraction(1, 6)


def test_inconsistent_worlds_entail_everything() -> None:
    text = "Ontology(ClassAssertion(<a:A> <a:i>) ClassAssertion(<a:B> <a:i>) DisjointClasses(<a:A> <a:B>))"
    from moose.owl.syntax.functional.read_functional import read_functional

    ontology = ontology_from_axioms(read_functional(text, "a test").axioms)
    assert ask(ontology, "consistent", "1/2", "1/3", "1/5").probability == 1 - Fraction(1, 30)
    assert ask(ontology, "SubClassOf(B A)", "1/2", "1/3", "1/5").probability == Fraction(1, 30)
    assert ask(ontology, "unsatisfiable A", "1/2", "1/3", "1/5").probability == Fraction(1, 30)


def test_probability_zero_and_one() -> None:
    assert ask(DIAMOND, "SubClassOf(A D)", "0", "1", "0", "1").probability == 0
    assert ask(DIAMOND, "SubClassOf(A D)", "1", "1", "0", "1").probability == 1


def test_without_probabilities_everything_is_certain_and_justified() -> None:
    answer = query(DIAMOND, "SubClassOf(A D)")
    assert answer.probability == 1
    assert len(answer.justifications) == 2
    assert answer.are_all_justifications


def test_only_so_many_justifications() -> None:
    answer = query(DIAMOND, "SubClassOf(A D)", justifications=1)
    assert len(answer.justifications) == 1
    assert not answer.are_all_justifications


def test_several_queries_at_once() -> None:
    answers = query_all(DIAMOND, ["SubClassOf(A D)", "SubClassOf(D A)"])
    assert [answer.probability for answer in answers] == [1, 0]


def test_out_of_time_gives_bounds() -> None:
    count = 14
    names = [[Class(f"http://example.org/x{i}_{j}") for j in range(count)] for i in range(count)]
    grid = [ax.SubClassOf(names[i][j], names[i + 1][j]) for i in range(count - 1) for j in range(count)]
    grid += [ax.SubClassOf(names[i][j], names[i][j + 1]) for i in range(count) for j in range(count - 1)]
    ontology = ontology_from_axioms(grid)
    stated = dict.fromkeys(range(len(grid)), Fraction(9, 10))
    goal = ax.SubClassOf(names[0][0], names[-1][-1])
    answer = query(ontology, goal, probabilities=Probabilities(ontology, stated), limit=0.5)
    assert Fraction(9, 10) ** 26 <= answer.lower < answer.upper <= 1  # one path at least is found
    assert len(answer.justifications) == 1
    assert not answer.is_exact
    with pytest.raises(MooseError, match="the limit was reached"):
        _ = answer.probability
    assert "between" in str(answer)


def test_bounds_find_the_axiom_that_decides() -> None:
    count = 9
    names = [[Class(f"http://example.org/x{i}_{j}") for j in range(count)] for i in range(count)]
    grid = [ax.SubClassOf(names[i][j], names[i + 1][j]) for i in range(count - 1) for j in range(count)]
    grid += [ax.SubClassOf(names[i][j], names[i][j + 1]) for i in range(count) for j in range(count - 1)]
    goal = ax.SubClassOf(names[0][0], names[-1][-1])
    ontology = ontology_from_axioms([*grid, goal])
    stated = dict.fromkeys(range(len(grid)), Fraction(1, 2)) | {len(grid): Fraction(9, 10)}
    condition = Conditions(ontology).condition(read_goal(goal, Names(ontology)), stated)
    ticks = iter(range(2))
    found = bound([condition], stated, lambda: next(ticks, None) is None)
    assert found.lower >= Fraction(9, 10)


@pytest.mark.parametrize("limit", [0, -1.0])
def test_limit_must_be_some_time(limit: float) -> None:
    with pytest.raises(MooseError, match="expected a limit"):
        query(DIAMOND, "SubClassOf(A D)", limit=limit)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pizza.ofn", ["consistent"]), "moose.load"),
        ((DIAMOND, "consistent"), "put it in a list"),
    ],
)
def test_what_is_easily_mistaken(arguments: tuple[Any, Any], message: str) -> None:
    with pytest.raises(MooseError, match=message):
        query_all(*arguments)


@pytest.mark.parametrize(
    "options", [{"given": "consistent"}, {"limit": "5s"}, {"probabilities": "p.tsv"}], ids=["given", "limit", "file"]
)
def test_options_that_are_easily_mistaken(options: dict[str, Any]) -> None:
    with pytest.raises(MooseError, match="expected"):
        query(DIAMOND, "SubClassOf(A D)", **options)


@pytest.mark.parametrize(
    ("goal", "message"),
    [
        ("SubClassOf(A ObjectUnionOf(B C))", "expected class expressions of OWL 2 EL in the goal"),
        ("SubClassOf(A Nowhere)", "Nowhere"),
        ("nonsense", "expected"),
    ],
)
def test_wrong_goal(goal: str, message: str) -> None:
    with pytest.raises(MooseError, match=message):
        query(DIAMOND, goal)


def test_parts_of_an_axiom_are_one_variable() -> None:
    from moose.owl.syntax.functional.read_functional import read_functional

    text = "Ontology(SubClassOf(ObjectUnionOf(<a:A> <a:B>) <a:C>))"
    ontology = ontology_from_axioms(read_functional(text, "a test").axioms)
    assert [number for _, (number, _) in ranked(ontology)] == [0, 0]
    assert ask(ontology, "SubClassOf(A C)", "1/3").probability == Fraction(1, 3)


def test_justifications_come_as_they_are_asked_for() -> None:
    goal = read_goal("SubClassOf(A D)", Names(DIAMOND))
    condition = Conditions(DIAMOND).condition(goal, range(4))
    labels = Labels(axiom_order([condition]))
    label = label_of(labels, condition)
    sets = minimal_sets(labels, label, condition, {0: Fraction(1, 2)})
    assert list(islice(sets, 1)) == [frozenset({2, 3})]


def test_facade() -> None:
    assert moose.query is query
    assert moose.query_all is query_all


def test_nothing_keeps_an_ontology_that_was_asked() -> None:
    ontology = ontology_from_axioms(DIAMOND.axioms)
    query(ontology, "SubClassOf(A D)")
    reference = weakref.ref(ontology)
    del ontology
    gc.collect()
    assert reference() is None


def test_many_certain_data_ranges_cost_only_the_justifications() -> None:
    ranges = " ".join(f"DataPropertyRange(<a:d{i}> <{XSD}integer>)" for i in range(11))
    ranges += " ".join(f'SubClassOf(<a:A> DataHasValue(<a:d{i}> "1"^^<{XSD}integer>))' for i in range(11))
    document = read_functional(f"Ontology({ranges} SubClassOf(<a:A> <a:B>))", "a test")
    answer = query(ontology_from_axioms(document.axioms), "SubClassOf(A B)")
    assert answer.probability == 1
    assert not answer.justifications
    assert not answer.are_all_justifications


def test_probabilities_of_another_ontology_are_refused() -> None:
    with pytest.raises(MooseError, match="expected probabilities of"):
        query(DIAMOND, "SubClassOf(A D)", probabilities=Probabilities(ontology_from_axioms(DIAMOND.axioms), {}))
