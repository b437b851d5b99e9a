"""Queries against all worlds one by one, exactly."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import MooseError
from moose.certificates.check_proof import check_proof
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import NOTHING, THING, Class
from moose.owl.names import Names
from moose.owl.ontology import ontology_from_axioms
from moose.queries.exact_answer import label_of
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program.axiom_order import axiom_order
from moose.queries.program.fact_diagrams import Labels
from moose.queries.program.goal_conditions import Conditions
from moose.queries.program.goals import read_goal
from moose.queries.program.probability_bounds import bound
from moose.queries.query import query
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
@given(asked, st.randoms(use_true_random=False))
def test_inconsistent_worlds_are_weighed_beside_the_answer(case: Asked, source: random.Random) -> None:
    contradiction, evidence = ax.SubClassOf(THING, NOTHING), draw_goal(source)
    wrong = case.entailing(contradiction)
    assert query(case.ontology, case.goal, probabilities=case.probabilities).inconsistent == (wrong, wrong)
    if whole := case.entailing(evidence):
        answer = query(case.ontology, case.goal, given=[evidence], probabilities=case.probabilities)
        assert answer.inconsistent == (wrong / whole, wrong / whole)
    if wrong < 1:
        answer = query(case.ontology, case.goal, given=["consistent"], probabilities=case.probabilities)
        assert answer.inconsistent == (Fraction(0), Fraction(0))
        sets = [frozenset(one.axioms) for one in answer.justifications]
        places = [{at for at, one in enumerate(case.ontology.axioms) if one in axioms} for axioms in sets]
        certain = set(range(len(case.ontology.axioms))) - case.uncertain.keys()
        assert not any(case.follows(certain | world, contradiction) for world in places)


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
    from moose.circuit.inference.evaluate import wmc

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
    from moose.owl.syntax.functional.read_functional import read_functional
    from moose.owl.syntax.functional.write_functional import render

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
