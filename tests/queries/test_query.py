"""Queries against all worlds one by one, exactly."""

from __future__ import annotations

import gc
import random
import weakref
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.errors import MooseError
from moose.owl import axioms as ax
from moose.owl.merge import ontology_from_axioms
from moose.owl.model import Class
from moose.owl.names import Names
from moose.owl.ontology import Ontology
from moose.queries.answer import Answer
from moose.queries.apart import run_apart
from moose.queries.bounds import bound
from moose.queries.conditions import Conditions, numbered
from moose.queries.goals import read_goal
from moose.queries.justifications import minimal_sets
from moose.queries.labels import Labels
from moose.queries.ordering import axiom_order
from moose.queries.probabilities import Probabilities
from moose.queries.query import label_of, query, query_all
from moose.saturation.checker import check_proof
from tests.queries.worlds import chosen, entails, worlds
from tests.saturation.answers import make
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, Draw, concept, ontologies
from tests.searching import examples

MOST_UNCERTAIN = 6


class Asked:
    """A random ontology with uncertain axioms, and a goal."""

    def __init__(self, axioms: list[ax.Axiom], source: random.Random) -> None:
        self.ontology = make(axioms)
        places = range(len(self.ontology.axioms))
        stated = source.sample(places, min(len(places), MOST_UNCERTAIN))
        self.probabilities = Probabilities(self.ontology, {one: Fraction(source.randint(0, 9), 9) for one in stated})
        self.uncertain = self.probabilities.uncertain
        self.goal = draw_goal(source)

    def is_complete(self) -> bool:
        """Tell whether the reasoner knows all of it."""
        return not self.ontology.profile.outside

    def entailing(self, *goals: ax.SubClassOf) -> Fraction:
        """Add up the worlds that entail goals."""
        weights = {axiom: (value, 1 - value) for axiom, value in self.uncertain.items()}
        return sum(
            (
                weight
                for world, weight in worlds(self.ontology, weights)
                if all(self.follows(world, goal) for goal in goals)
            ),
            start=Fraction(0),
        )

    def follows(self, world: set[int], goal: ax.SubClassOf) -> bool:
        """Tell whether a goal follows from axioms."""
        return entails(chosen(self.ontology, world - self.probabilities.absent), goal.sub, goal.sup)


def draw_goal(source: random.Random) -> ax.SubClassOf:
    """Draw an inclusion, now and then of complex concepts."""
    if source.random() < 0.3:
        draw = Draw(source, ALL_FEATURES)
        return ax.SubClassOf(concept(draw), concept(draw))
    return ax.SubClassOf(source.choice(CLASSES), source.choice(CLASSES))


asked = st.builds(Asked, ontologies(max_axioms=12), st.randoms(use_true_random=False)).filter(Asked.is_complete)


@examples(60)
@given(asked)
def test_probability_is_that_of_all_worlds(case: Asked) -> None:
    answer = query(case.ontology, case.goal, probabilities=case.probabilities, justifications=0)
    assert answer.probability == case.entailing(case.goal)


@examples(30)
@given(asked, st.randoms(use_true_random=False))
def test_conditional_probability(case: Asked, source: random.Random) -> None:
    evidence = draw_goal(source)
    whole = case.entailing(evidence)
    if not whole:
        with pytest.raises(MooseError, match="probability 0"):
            query(case.ontology, case.goal, given=[evidence], probabilities=case.probabilities)
        return
    answer = query(case.ontology, case.goal, given=[evidence], probabilities=case.probabilities, justifications=0)
    assert answer.probability == case.entailing(case.goal, evidence) / whole


@examples(30)
@given(asked)
def test_justifications_are_minimal_and_are_all(case: Asked) -> None:
    answer = query(case.ontology, case.goal, probabilities=case.probabilities, justifications=1000)
    assert answer.are_all_justifications
    sets = [frozenset(justification.axioms) for justification in answer.justifications]
    assert len(set(sets)) == len(sets)
    chances = [justification.probability for justification in answer.justifications]
    assert chances == sorted(chances, reverse=True)
    for axioms in sets:
        positions = {place for place, axiom in enumerate(case.ontology.axioms) if axiom in axioms}
        assert case.follows(positions, case.goal)
        assert not any(case.follows(positions - {place}, case.goal) for place in positions)
    weights = {axiom: (value, 1 - value) for axiom, value in case.uncertain.items()}
    covered = sum(
        (
            weight
            for world, weight in worlds(case.ontology, weights)
            if any(
                axioms <= {case.ontology.axioms[one] for one in world - case.probabilities.absent} for axioms in sets
            )
        ),
        start=Fraction(0),
    )
    assert covered == answer.probability


def held(case: Asked, world: set[int]) -> frozenset[ax.Axiom]:
    """Return the axioms of a world."""
    return frozenset(case.ontology.axioms[one] for one in world - case.probabilities.absent)


@examples(20)
@given(asked)
def test_each_justification_has_a_checked_proof(case: Asked) -> None:
    for justification in query(case.ontology, case.goal, probabilities=case.probabilities).justifications[:3]:
        for proof in justification.explanation().proofs:
            check_proof(proof, justification.axioms)


@examples(25)
@given(asked)
def test_sensitivity_is_the_difference_an_axiom_makes(case: Asked) -> None:
    answer = query(case.ontology, case.goal, probabilities=case.probabilities, justifications=0)
    for place in case.uncertain:
        stated = dict(case.probabilities.stated)
        with_it, without = (
            query(
                case.ontology,
                case.goal,
                probabilities=Probabilities(case.ontology, stated | {place: Fraction(value)}),
                justifications=0,
            ).probability
            for value in (1, 0)
        )
        assert answer.sensitivities.get(case.ontology.axioms[place], 0) == with_it - without


@examples(25)
@given(asked)
def test_most_probable_world(case: Asked) -> None:
    answer = query(case.ontology, case.goal, probabilities=case.probabilities, justifications=0)
    weights = {axiom: (value, 1 - value) for axiom, value in case.uncertain.items()}
    entailing = [w for world, w in worlds(case.ontology, weights) if case.follows(world, case.goal)]
    if not answer.probability:
        assert not entailing
        return
    held = {
        place: answer.most_probable_world.get(case.ontology.axioms[place], value > Fraction(1, 2))
        for place, value in case.uncertain.items()
    }
    certain = set(range(len(case.ontology.axioms))) - case.uncertain.keys()
    assert case.follows(certain | {place for place, holds in held.items() if holds}, case.goal)
    weight = Fraction(1)
    for place, holds in held.items():
        weight *= weights[place][not holds]
    assert weight == max(entailing)


@examples(30)
@given(asked, st.integers(0, 12))
def test_bounds_hold_whenever_the_search_is_stopped(case: Asked, steps: int) -> None:
    goal = read_goal(case.goal, Names(case.ontology))
    condition = Conditions(case.ontology, absent=case.probabilities.absent).condition(goal, case.uncertain)
    ticks = iter(range(steps))
    found = bound([condition], case.uncertain, lambda: next(ticks, None) is None)
    exact = case.entailing(case.goal)
    assert found.lower <= exact <= found.upper
    done = bound([condition], case.uncertain, lambda: False)
    assert done.lower == done.upper == exact


# ── The paper's theorems ──────────────────────────────────────────────────────────────────────────────────────────


@examples(30)
@given(asked)
def test_models_of_the_circuit_are_the_worlds_that_entail(case: Asked) -> None:
    """Theorem 1, its first part."""
    goal = read_goal(case.goal, Names(case.ontology))
    condition = Conditions(case.ontology, absent=case.probabilities.absent).condition(goal, case.uncertain)
    labels = Labels(axiom_order([condition]))
    label = label_of(labels, condition)
    for world, _ in worlds(case.ontology, {one: (Fraction(1), Fraction(1)) for one in case.uncertain}):
        restricted = label
        for axiom, variable in labels.variables.items():
            restricted = labels.manager.condition(variable if axiom in world else -variable, restricted)
        assert restricted.is_true() == case.follows(world, case.goal)


@examples(30)
@given(asked, st.randoms(use_true_random=False))
def test_weighted_count_is_the_sum_over_worlds_for_any_weights(case: Asked, source: random.Random) -> None:
    """Theorems 1 and 2: the weights of an axiom need not sum to one."""
    from moose.circuit.evaluate import wmc

    weights = {one: (Fraction(source.randint(0, 7), 3), Fraction(source.randint(-3, 5), 2)) for one in case.uncertain}
    expected = sum(
        (weight for world, weight in worlds(case.ontology, weights) if case.follows(world, case.goal)),
        start=Fraction(0),
    )
    goal = read_goal(case.goal, Names(case.ontology))
    condition = Conditions(case.ontology, absent=case.probabilities.absent).condition(goal, case.uncertain)
    labels = Labels(axiom_order([condition]))
    counted = wmc(labels.diagram(label_of(labels, condition)), labels.weights(weights.__getitem__))
    if not labels.variables:
        counted = Fraction(label_of(labels, condition).is_true())
    for axiom, (on, off) in weights.items():
        if axiom not in labels.variables:
            counted *= on + off
    assert counted == expected


def renamed(axioms: tuple[ax.Axiom, ...]) -> list[ax.Axiom]:
    """Return axioms over other names, sharing none."""
    from moose.owl.functional import read_functional
    from moose.owl.render import render

    lines = " ".join(render(axiom) for axiom in axioms).replace("http://example.org/", "http://example.com/")
    return list(read_functional(f"Ontology({lines})", "a copy").axioms)


NOT_JOINED = frozenset(ALL_FEATURES - {"nominals", "assertions", "keys", "top-role", "reflexive", "data", "functional"})


@examples(25)
@given(ontologies(NOT_JOINED, max_axioms=8), ontologies(NOT_JOINED, max_axioms=5), st.randoms(use_true_random=False))
def test_what_shares_no_name_makes_no_difference(
    first: list[ax.Axiom], second: list[ax.Axiom], source: random.Random
) -> None:
    """Theorems 3 and 4: for arbitrary rational weights, not only uniform ones; and the closed form 2^|O₂|."""
    one, other = make(first), ontology_from_axioms(renamed(make(second).axioms))
    if one.profile.outside or other.profile.outside or entails(other.profile.el_axioms, moose_top(), moose_bottom()):
        return
    both = ontology_from_axioms([*one.axioms, *other.axioms])
    goal = ax.SubClassOf(source.choice(CLASSES), source.choice(CLASSES))
    chances = [Fraction(source.randint(1, 8), 9) for _ in both.axioms]
    joint = Probabilities(both, dict(enumerate(chances)))
    alone = Probabilities(one, dict(enumerate(chances[: len(one.axioms)])))
    assert (
        query(both, goal, probabilities=joint, justifications=0).probability
        == query(one, goal, probabilities=alone, justifications=0).probability
    )
    half = Probabilities(both, dict.fromkeys(range(len(both.axioms)), Fraction(1, 2)))
    half_alone = Probabilities(one, dict.fromkeys(range(len(one.axioms)), Fraction(1, 2)))
    models = query(both, goal, probabilities=half, justifications=0).probability * 2 ** len(both.axioms)
    models_alone = query(one, goal, probabilities=half_alone, justifications=0).probability * 2 ** len(one.axioms)
    assert models == models_alone * 2 ** len(other.axioms)


def moose_top() -> Class:
    """Return ⊤."""
    return Class("http://www.w3.org/2002/07/owl#Thing")


def moose_bottom() -> Class:
    """Return ⊥."""
    return Class("http://www.w3.org/2002/07/owl#Nothing")


# ── By hand ───────────────────────────────────────────────────────────────────────────────────────────────────────

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
    from moose.owl.functional import read_functional

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
    from moose.owl.functional import read_functional

    text = "Ontology(SubClassOf(ObjectUnionOf(<a:A> <a:B>) <a:C>))"
    ontology = ontology_from_axioms(read_functional(text, "a test").axioms)
    assert [number for number, _ in numbered(ontology)] == [0, 0]
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


def test_error_in_another_process_is_raised_here() -> None:
    def failing() -> Iterator[int]:
        yield 1
        raise MooseError("as expected")

    with pytest.raises(MooseError, match="as expected"):
        run_apart(failing, 10)


def test_work_apart_is_cut_off() -> None:
    def endless() -> Iterator[int]:
        yield 1
        while True:
            pass

    assert run_apart(endless, 0.3) == ([1], False)
