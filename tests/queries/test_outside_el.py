"""Queries where axioms that can matter are outside EL: bounds that hold, and the truth by another reasoner."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.names import Names
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.queries import query as query_module
from moose.queries.answer import Answer
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program import goal_conditions
from moose.queries.program.goals import read_goal
from moose.queries.query import query
from tests.queries.truth_tables import TruthTables, axioms, goals, truth
from tests.searching import examples

HALF = Fraction(1, 2)
A, B, C, D = (owl.Class(f"http://example.org/{name}") for name in "ABCD")


@dataclass(frozen=True)
class Question:
    ontology: Ontology
    probabilities: Probabilities
    goal: str | ax.Axiom
    given: list[str | ax.Axiom]

    def truth(self) -> Fraction | None:
        names = Names(self.ontology)
        given = [read_goal(one, names) for one in self.given]
        return truth(self.ontology, self.probabilities.uncertain, read_goal(self.goal, names), given)

    def ask(self, reasoner: TruthTables | None = None, limit: float | None = None) -> Answer:
        return query(
            self.ontology,
            self.goal,
            given=self.given,
            probabilities=self.probabilities,
            reasoner=reasoner,
            limit=limit,
            justifications=2,
        )


@st.composite
def questions(draw: st.DrawFn) -> Question:
    ontology = ontology_from_axioms(draw(st.lists(axioms, min_size=1, max_size=6, unique=True)))
    count = len(ontology.axioms)
    stated = draw(
        st.dictionaries(st.integers(0, count - 1), st.sampled_from([Fraction(1, 3), HALF, Fraction(1)]), max_size=5)
    )
    given = draw(st.lists(goals, max_size=1))
    return Question(ontology, Probabilities(ontology, stated), draw(goals), given)


@examples(300)
@given(questions())
def test_the_truth_lies_between_the_bounds(question: Question) -> None:
    expected = question.truth()
    assume(expected is not None)
    assert expected is not None
    answer = question.ask()
    assert answer.lower <= expected <= answer.upper
    assert answer.is_exact or answer.unused
    assert not answer.is_limit_reached


@examples(200)
@given(questions())
def test_another_reasoner_gives_the_truth(question: Question) -> None:
    expected = question.truth()
    assume(expected is not None)
    answer = question.ask(TruthTables())
    assert (answer.lower, answer.upper) == (expected, expected)


@examples(100)
@given(questions())
def test_what_cannot_be_given_is_refused_by_another_reasoner(question: Question) -> None:
    assume(question.given and question.truth() is None)
    with pytest.raises(MooseError, match="probability 0"):
        question.ask(TruthTables())


@examples(100)
@given(questions())
def test_bounds_hold_without_diagrams(question: Question) -> None:
    expected = question.truth()
    assume(expected is not None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(query_module, "FEW_AXIOMS", -1)
        patch.setattr(query_module, "run_in_subprocess", lambda *_, **__: ([], False))
        try:
            answer = question.ask(limit=60)
        except MooseError as error:  # where it is sure that what is given cannot hold, that is said
            pytest.fail(str(error))
    assert expected is not None
    assert answer.lower <= expected <= answer.upper


@examples(100)
@given(questions(), st.integers(0, 40))
def test_bounds_hold_with_few_rule_instances(question: Question, most: int) -> None:
    expected = question.truth()
    assume(expected is not None)
    by_all = question.ask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(goal_conditions, "MOST_INSTANCES", most)
        answer = question.ask()
    assert expected is not None
    assert answer.lower <= expected <= answer.upper
    assert answer.is_exact or answer.unused
    assert question.given or answer.lower <= by_all.lower or question_is_negated(question)


def question_is_negated(question: Question) -> bool:
    return read_goal(question.goal, Names(question.ontology)).is_negated


@examples(20)
@given(questions())
def test_another_process_says_the_same(question: Question) -> None:
    assume(question.truth() is not None)
    here = question.ask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(query_module, "FEW_AXIOMS", -1)
        there = question.ask()
    assert (there.lower, there.upper, there.unused) == (here.lower, here.upper, here.unused)


def test_too_many_rule_instances_leave_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    told = [ax.SubClassOf(A, owl.ObjectUnionOf((B, C))), ax.SubClassOf(B, D), ax.SubClassOf(C, D), ax.SubClassOf(A, D)]
    goal = ax.SubClassOf(A, D)
    assert asked(told, {1: HALF, 3: HALF}, goal).lower == Fraction(3, 4)
    monkeypatch.setattr(goal_conditions, "MOST_INSTANCES", 3)
    answer = asked(told, {1: HALF, 3: HALF}, goal)
    assert (answer.lower, answer.is_exact, [row.axiom for row in answer.unused]) == (HALF, False, told[:1])


# ── By hand ───────────────────────────────────────────────────────────────────────────────────────────────────────

EITHER = owl.ObjectIntersectionOf((owl.ObjectUnionOf((B, C)), owl.ObjectUnionOf((B, D))))
BOTH = owl.ObjectIntersectionOf((C, D))
SPLIT: list[ax.Axiom] = [ax.SubClassOf(A, EITHER), ax.SubClassOf(BOTH, B)]
"""That A is below B needs two distinctions at once, where one after the other is tried."""


def asked(told: Sequence[ax.Axiom], stated: dict[int, Fraction], goal: str | ax.Axiom, **options: object) -> Answer:
    ontology = ontology_from_axioms(told)
    return query(ontology, goal, probabilities=Probabilities(ontology, stated), **options)  # type: ignore[arg-type]


def test_a_certain_axiom_that_is_not_used_leaves_everything_open() -> None:
    answer = asked([*SPLIT, ax.SubClassOf(A, B)], {2: HALF}, ax.SubClassOf(A, B))
    assert (answer.lower, answer.upper, answer.is_exact) == (HALF, Fraction(1), False)
    assert [row.axiom for row in answer.unused] == SPLIT[:1]
    assert not answer.are_all_justifications
    with pytest.raises(MooseError, match="1 axiom that may matter was not used"):
        _ = answer.probability


def test_an_uncertain_one_opens_only_the_worlds_in_which_it_holds() -> None:
    answer = asked([*SPLIT, ax.SubClassOf(A, B)], {0: Fraction(1, 3), 2: HALF}, ax.SubClassOf(A, B))
    assert (answer.lower, answer.upper) == (HALF, HALF + HALF / 3)


def test_one_that_is_absent_or_cannot_matter_opens_nothing() -> None:
    told = [*SPLIT, ax.SubClassOf(A, B)]
    assert asked(told, {0: Fraction(0), 2: HALF}, ax.SubClassOf(A, B)).probability == HALF
    assert asked(told, {2: HALF}, ax.SubClassOf(BOTH, B)).probability == 1
    assert asked(told, {1: HALF}, ax.SubClassOf(BOTH, B)).probability == HALF


def test_consistency_is_bounded_from_above() -> None:
    individual = owl.NamedIndividual("http://example.org/a")
    two_of_three = owl.ObjectIntersectionOf((EITHER, owl.ObjectUnionOf((C, D))))
    told: list[ax.Axiom] = [
        ax.SubClassOf(A, two_of_three),
        ax.ClassAssertion(A, individual),
        ax.DisjointClasses((B, C, D)),
    ]
    answer = asked(told, {0: Fraction(1, 3)}, "consistent")
    assert (answer.lower, answer.upper) == (Fraction(2, 3), Fraction(1))
    assert asked(told, {0: Fraction(1, 3)}, "consistent", reasoner=TruthTables()).probability == Fraction(2, 3)


def test_a_part_of_an_axiom_shares_its_coin() -> None:
    told: list[ax.Axiom] = [ax.EquivalentClasses((A, owl.ObjectUnionOf((B, C)))), ax.SubClassOf(C, B)]
    answer = asked(told, {0: Fraction(1, 3)}, ax.SubClassOf(C, A))
    assert answer.probability == Fraction(1, 3)  # by the part that is used
    answer = asked(told, {0: Fraction(1, 3)}, ax.SubClassOf(A, B))
    assert (answer.lower, answer.upper) == (Fraction(1, 3), Fraction(1, 3))  # case by case


def test_an_axiom_that_nobody_can_read_stays_open() -> None:
    told: list[ax.Axiom] = [ax.UnreadAxiom("Rule()", "a rule"), ax.SubClassOf(A, B)]
    answer = asked(told, {0: HALF, 1: HALF}, ax.SubClassOf(A, B), reasoner=TruthTables())
    assert (answer.lower, answer.upper) == (HALF, Fraction(3, 4))
    assert [row.axiom for row in answer.unused] == told[:1]


def test_entailment_has_three_answers() -> None:
    ontology = moose.ontology(SPLIT)
    assert moose.entailment(ontology, ax.SubClassOf(BOTH, B)).follows is True
    assert moose.entailment(ontology, ax.SubClassOf(D, A)).follows is False
    open_ = moose.entailment(ontology, ax.SubClassOf(A, B))
    assert (open_.follows, [row.axiom for row in open_.unused]) == (None, SPLIT[:1])
    with pytest.raises(MooseError, match="read `follows`"):
        bool(open_)
    settled = moose.entailment(ontology, ax.SubClassOf(A, B), reasoner=TruthTables())
    assert (settled.follows, settled.reasoner, settled.explanation) == (True, "truth tables", None)
    assert moose.entailment(ontology, ax.SubClassOf(A, C), reasoner=TruthTables()).follows is False
    assert bool(settled)
