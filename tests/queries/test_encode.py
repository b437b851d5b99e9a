"""Encodings of goals against all worlds one by one, through the reasoner."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.base.errors import LimitReached, MooseError
from moose.owl.model import axioms as ax
from moose.owl.model.expressions import THING, Class, ObjectProperty, ObjectSomeValuesFrom
from moose.owl.ontology import Ontology, ontology_from_axioms
from moose.owl.syntax.functional.read_functional import read_functional
from moose.queries.export.encode import Encoding, encode
from moose.queries.export.weighted_cnf import decimal, is_finite_decimal, weighted_cnf, write_weighted_cnf
from moose.queries.probabilities.probabilities import Probabilities
from moose.queries.program.program import GOAL
from moose.saturation.answers.taxonomy import classify
from moose.saturation.proofs.explain import inclusions
from tests.queries.peers import ask_ganak, is_near
from tests.queries.programs import holds, projected
from tests.queries.programs import worlds as choices
from tests.queries.worlds import chosen, entails
from tests.saturation.answers import make
from tests.saturation.random_ontologies import ALL_FEATURES, CLASSES, Draw, concept, ontologies
from tests.searching import examples

A, B, C, D, E, F = CLASSES
R = ObjectProperty("http://example.org/r")
MOST_UNCERTAIN = 7


class Asked:
    """A random ontology with uncertain axioms, and a goal."""

    def __init__(self, axioms: list[ax.Axiom], source: random.Random) -> None:
        self.ontology = make(axioms)
        places = range(len(self.ontology.axioms))
        stated = source.sample(places, min(len(places), MOST_UNCERTAIN))
        values = (Fraction(source.randint(1, 99), source.choice((100, 99 * 7, 128))) for _ in stated)
        self.probabilities = Probabilities(self.ontology, dict(zip(stated, values, strict=True)))
        self.goal = self.draw_goal(source)

    def draw_goal(self, source: random.Random) -> ax.Axiom:
        """Draw a goal, of those that follow when all axioms hold the one that most can go into: others are dull."""
        if source.random() < 0.15:
            draw = Draw(source, ALL_FEATURES)
            return ax.SubClassOf(concept(draw), concept(draw))
        pairs = [(Class(sub), Class(sup)) for sub, sup in classify(self.ontology).closure_pairs()]
        goals: list[ax.Axiom] = [ax.SubClassOf(*source.choice(pairs or [(A, B), (B, C)])) for _ in range(4)]
        goals += [ax.EquivalentClasses(source.choice(pairs))] if pairs else []
        return max(goals, key=lambda goal: len(encode(self.ontology, goal, self.probabilities).axioms))


FEATURES = (frozenset[str](), frozenset({"roles", "chains", "range", "domain", "disjoint"}), ALL_FEATURES)
asked = st.builds(
    Asked,
    st.sampled_from(FEATURES).flatmap(lambda features: ontologies(features, max_axioms=14)),
    st.randoms(use_true_random=False),
).filter(lambda case: not case.ontology.profile.outside)


def entailing(case: Asked, axioms: tuple[int, ...]) -> list[frozenset[int]]:
    """Return the choices of these axioms under which the goal follows, all other uncertain ones being absent."""
    certain = frozenset(range(len(case.ontology.axioms))) - case.probabilities.stated.keys()
    return [
        world
        for world in choices(axioms)
        if all(entails(chosen(case.ontology, certain | world), *one) for one in inclusions(case.goal))
    ]


def weight(encoding: Encoding, world: frozenset[int]) -> Fraction:
    """Return what a choice of axioms weighs."""
    return prod(
        (value if axiom in world else 1 - value for axiom, value in encoding.probabilities.items()), start=Fraction(1)
    )


@examples(60)
@given(asked)
def test_models_are_the_worlds_that_entail_once_each(case: Asked) -> None:
    encoding = encode(case.ontology, case.goal, case.probabilities)
    found = projected(encoding.cnf, encoding.axioms)
    wanted = entailing(case, encoding.axioms)
    assert sorted(map(sorted, found)) == sorted(map(sorted, wanted))


@examples(25)
@given(asked, st.data())
def test_other_axioms_make_no_difference(case: Asked, data: st.DataObject) -> None:
    encoding = encode(case.ontology, case.goal, case.probabilities)
    world = data.draw(st.sampled_from(list(choices(case.probabilities.stated))))
    certain = frozenset(range(len(case.ontology.axioms))) - case.probabilities.stated.keys()
    follows = all(entails(chosen(case.ontology, certain | world), *one) for one in inclusions(case.goal))
    assert holds(encoding.instances.clauses, world & frozenset(encoding.axioms)) == follows


@examples(40)
@given(asked)
def test_ganak_counts_the_probability(case: Asked) -> None:
    encoding = encode(case.ontology, case.goal, case.probabilities)
    worlds = [world for world in choices(encoding.axioms) if holds(encoding.instances.clauses, world)]
    assert is_near(ask_ganak(encoding), sum((weight(encoding, world) for world in worlds), start=Fraction(0)))


@examples(30)
@given(asked)
def test_groundable_atoms_claim_nothing_too_much(case: Asked) -> None:
    whole = encode(case.ontology, case.goal, case.probabilities)
    part = encode(case.ontology, case.goal, case.probabilities, is_groundable=True)
    for world in choices(part.axioms):
        if holds(part.instances.clauses, world):
            assert holds(whole.instances.clauses, world)


@examples(30)
@given(asked)
def test_every_fact_can_be_derived_and_matters(case: Asked) -> None:
    for is_groundable in (False, True):
        instances = encode(case.ontology, case.goal, case.probabilities, is_groundable=is_groundable).instances
        heads = {head for _, head in instances.clauses}
        bodies = {atom for body, _ in instances.clauses for atom in body}
        assert bodies == (heads - {GOAL}) | set(instances.axioms)
        assert instances.names.keys() == heads - {GOAL}


# ── By hand ───────────────────────────────────────────────────────────────────────────────────────────────────────


def uncertain(axioms: list[ax.Axiom], value: Fraction = Fraction(1, 2)) -> tuple[Ontology, Probabilities]:
    """Make an ontology all of whose axioms are as likely."""
    ontology = ontology_from_axioms(axioms, declarations=CLASSES)
    return ontology, Probabilities(ontology, dict.fromkeys(range(len(ontology.axioms)), value))


def some(filler: Class) -> ObjectSomeValuesFrom:
    """Return ∃r.C."""
    return ObjectSomeValuesFrom(R, filler)


def test_what_goes_through_existentials_is_not_groundable() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, some(B)), ax.SubClassOf(some(B), C), ax.SubClassOf(A, C)])
    goal = ax.SubClassOf(A, C)
    assert encode(ontology, goal, probabilities).axioms == (0, 1, 2)
    assert encode(ontology, goal, probabilities, is_groundable=True).axioms == (2,)


def test_a_cycle_is_unrolled() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, B), ax.EquivalentClasses((B, C)), ax.SubClassOf(A, C)])
    goal = ax.EquivalentClasses((B, C))
    assert encode(ontology, goal, probabilities).axioms == (1,)
    encoding = encode(ontology, ax.SubClassOf(A, C), probabilities)
    assert encoding.diagnostics.non_trivial_components == 1
    assert encoding.diagnostics.unrolled_copies > 0
    assert len(projected(encoding.cnf, encoding.axioms)) == 5


def test_a_certain_goal_has_one_model_without_axioms() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, B)])
    encoding = encode(ontology, ax.SubClassOf(A, THING), probabilities)
    assert encoding.axioms == () and encoding.instances.names == {}
    assert projected(encoding.cnf, ()) == [frozenset()]
    assert "c p show 0" in weighted_cnf(encoding).splitlines()


def test_an_impossible_goal_has_no_model() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, B)])
    encoding = encode(ontology, ax.SubClassOf(B, A), probabilities)
    assert encoding.axioms == () and projected(encoding.cnf, ()) == []
    assert not any(line == "0" for line in weighted_cnf(encoding).splitlines())


def test_an_axiom_of_probability_one_is_certain_and_one_of_zero_absent() -> None:
    ontology, _ = uncertain([ax.SubClassOf(A, B), ax.SubClassOf(B, C), ax.SubClassOf(A, C)])
    stated = Probabilities(ontology, {0: Fraction(1), 1: Fraction(1, 3), 2: Fraction(0)})
    assert encode(ontology, ax.SubClassOf(A, C), stated).probabilities == {1: Fraction(1, 3)}


def test_consistency_asserts_that_nothing_follows() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(THING, A), ax.DisjointClasses((A, B)), ax.SubClassOf(THING, B)])
    encoding = encode(ontology, "consistent", probabilities)
    assert len(projected(encoding.cnf, encoding.axioms)) == 7


def test_facts_have_names() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, some(B)), ax.SubClassOf(B, C), ax.SubClassOf(some(C), D)])
    encoding = encode(ontology, ax.SubClassOf(A, D), probabilities)
    assert {"A ⊑ ∃r.B", "A → r → B", "B ⊑ C"} <= set(encoding.instances.names.values())
    assert encoding.atom_name(0) == "SubClassOf(A ObjectSomeValuesFrom(r B))"


def test_a_limit_is_kept() -> None:
    ontology, probabilities = uncertain([ax.SubClassOf(A, B), ax.SubClassOf(B, C)])
    encoding = encode(ontology, ax.SubClassOf(A, C), probabilities, most_literals=2)
    with pytest.raises(LimitReached, match="more than the limit of 2"):
        encoding.cnf  # noqa: B018 - the stages are run when first asked for


# ── Weighted DIMACS ───────────────────────────────────────────────────────────────────────────────────────────────


def third() -> Encoding:
    """Encode a chain of two axioms of probability ⅓."""
    ontology, probabilities = uncertain([ax.SubClassOf(A, B), ax.SubClassOf(B, C)], Fraction(1, 3))
    return encode(ontology, ax.SubClassOf(A, C), probabilities)


@examples(30)
@given(asked)
def test_the_file_says_what_the_encoding_does(case: Asked) -> None:
    encoding = encode(case.ontology, case.goal, case.probabilities)
    lines = weighted_cnf(encoding, is_exact=True).splitlines()
    clauses = [tuple(map(int, line.split()))[:-1] for line in lines if line[0] not in "cp"]
    weights = {int(row[3]): Fraction(row[4]) for row in map(str.split, lines) if row[:3] == ["c", "p", "weight"]}
    assert tuple(clauses) == encoding.cnf.clauses
    assert f"p cnf {encoding.cnf.variable_count} {len(clauses)}" in lines
    variables = {encoding.cnf.axiom_variable(axiom): value for axiom, value in encoding.probabilities.items()}
    assert weights == variables | {-variable: 1 - value for variable, value in variables.items()}
    assert " ".join(["c p show", *map(str, variables), "0"]) in lines


def test_fractions_that_do_not_end_are_rounded_and_that_is_said() -> None:
    rounded, exact = weighted_cnf(third()), weighted_cnf(third(), is_exact=True)
    assert f"c p weight 1 0.{'3' * 40} 0" in rounded and "rounded to 40 digits" in rounded
    assert "c p weight 1 1/3 0" in exact and "rounded" not in exact


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_weighted_cnf(third(), tmp_path / "goal.cnf")
    assert (tmp_path / "goal.cnf").read_text(encoding="utf-8") == weighted_cnf(third())
    assert [file.name for file in tmp_path.iterdir()] == ["goal.cnf"]
    with pytest.raises(MooseError, match="cannot be written"):
        write_weighted_cnf(third(), tmp_path / "absent" / "goal.cnf")


@given(st.fractions(min_value=0, max_value=1, max_denominator=10**6))
def test_decimals_are_exact_where_they_end(value: Fraction) -> None:
    error = abs(Fraction(decimal(value)) - value)
    assert error == 0 if is_finite_decimal(value) else 0 < error <= Fraction(1, 10**40)


def test_decimals_of_extremes() -> None:
    tiny = Fraction(1, 2**300)
    assert Fraction(decimal(tiny)) == tiny and "E" not in decimal(tiny)
    assert Fraction(decimal(1 - tiny)) == 1 - tiny


def test_uncertain_axiom_of_which_nothing_is_in_el() -> None:
    axioms = "SubClassOf(<a:A> <a:B>) SubClassOf(<a:B> <a:C>) FunctionalObjectProperty(<a:r>)"
    text = f"Ontology({axioms} FunctionalObjectProperty(<a:s>))"
    ontology = ontology_from_axioms(read_functional(text, "a test").axioms)
    stated = Probabilities(ontology, dict.fromkeys(range(4), Fraction(1, 2)))
    assert encode(ontology, "SubClassOf(A C)", stated).diagnostics.variables > 0
