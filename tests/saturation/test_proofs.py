"""What follows has a proof that the checker accepts, what does not follow has none."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.errors import MooseError
from moose.owl import axioms as ax
from moose.owl.axioms import Axiom
from moose.owl.model import (
    NOTHING,
    THING,
    Class,
    ObjectComplementOf,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectSomeValuesFrom,
)
from moose.saturation.checker import check_proof
from moose.saturation.checker_forms import canonical_fact
from moose.saturation.explain import explain, prove
from moose.saturation.proof import Proof, Subsumption
from moose.saturation.saturate import saturate
from moose.saturation.taxonomy import Taxonomy, classify
from tests.saturation.answers import is_complete, make
from tests.saturation.goals import Inclusion, asked, complex_goals, entailed, follows_by_names, goals_of, proofs_of
from tests.saturation.random_mending import closed, is_composite, self_roles, told
from tests.saturation.random_ontologies import (
    ALL_FEATURES,
    CLASSES,
    INDIVIDUALS,
    NAMESPACE,
    ROLES,
    ontologies,
)
from tests.searching import examples


def assert_proves(proof: Proof | None, goal: Inclusion, axioms: frozenset[Axiom]) -> None:
    """Assert that a proof shows what was asked, is accepted, and has no step that nothing needs."""
    assert proof is not None, goal
    assert canonical_fact(proof.goal) == canonical_fact(Subsumption(*goal))
    check_proof(proof, axioms)
    needed = {premise for step in proof.steps for premise in step.premises}
    assert [step for step in proof.steps[:-1] if step.conclusion not in needed] == []
    assert len({step.conclusion for step in proof.steps}) == len(proof.steps)


# ── Real ontologies ───────────────────────────────────────────────────────────────────────────────────────────────


def test_every_subsumption_of_a_real_ontology_has_a_proof(taxonomy: Taxonomy) -> None:
    axioms = frozenset(taxonomy.ontology.profile.el_axioms)
    goals = goals_of(taxonomy)
    assert len(goals) > 370
    for goal, proof in proofs_of(taxonomy, goals):
        assert_proves(proof, goal, axioms)


def test_proofs_one_by_one_are_the_same_size_as_from_one_closure(taxonomy: Taxonomy) -> None:
    axioms = frozenset(taxonomy.ontology.profile.el_axioms)
    sample = random.Random(2).sample(goals_of(taxonomy), 150)
    for goal, shared in proofs_of(taxonomy, sample):
        alone = prove(taxonomy.ontology, *goal)
        assert_proves(alone, goal, axioms)
        assert alone is not None and len(alone.steps) == len(shared.steps)


def test_what_does_not_follow_from_a_real_ontology_has_no_proof(taxonomy: Taxonomy) -> None:
    known = {(sub, sup) for sub, sup in taxonomy.closure_pairs()}
    source = random.Random(3)
    for _ in range(60):
        sub, sup = source.sample(taxonomy.classes, 2)
        if (sub, sup) not in known and sub not in taxonomy.unsatisfiable:
            assert prove(taxonomy.ontology, Class(sub), Class(sup)) is None


# ── Random ontologies ─────────────────────────────────────────────────────────────────────────────────────────────


@examples(60)
@given(ontologies())
def test_what_follows_has_a_proof_and_what_does_not_has_none(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    told_axioms, follows = frozenset(ontology.profile.el_axioms), entailed(axioms)
    for goal in asked():
        proof = prove(ontology, *goal)
        if proof is not None:
            assert goal in follows
            assert_proves(proof, goal, told_axioms)
        else:
            assert goal not in follows or not is_complete(ontology)


@pytest.mark.parametrize("feature", sorted(ALL_FEATURES))
@examples(6)
@given(st.data())
def test_what_follows_by_one_feature_has_a_proof(feature: str, data: st.DataObject) -> None:
    companions = {"functional": {"data"}, "keys": {"data", "assertions"}, "self": {"nominals", "roles"}}
    axioms = data.draw(ontologies(frozenset({feature} | companions.get(feature, set()))))
    ontology = make(axioms)
    for goal in sorted(entailed(axioms), key=repr):
        if (proof := prove(ontology, *goal)) or is_complete(ontology):
            assert_proves(proof, goal, frozenset(ontology.profile.el_axioms))


@examples(150)
@given(st.data())
def test_goals_of_complex_concepts_are_proved_exactly_where_names_for_them_are(data: st.DataObject) -> None:
    axioms = data.draw(ontologies(max_axioms=12))
    goal = data.draw(complex_goals(axioms))
    hierarchy = closed({pair for axiom in axioms for pair in told(axiom)})
    if any(is_composite(role, axioms, hierarchy) for role in self_roles(goal)):
        return  # not OWL 2 DL
    ontology = make([*axioms])
    explanation = explain(ontology, ax.SubClassOf(*goal))
    if follows_by_names(axioms, goal):
        assert explanation is not None or not is_complete(ontology)
    else:
        assert explanation is None
    for proof in explanation.proofs if explanation else ():
        assert_proves(proof, goal, frozenset(ontology.profile.el_axioms))


# ── Other goals ───────────────────────────────────────────────────────────────────────────────────────────────────

A, B, C, D = CLASSES[:4]
a, b, c = INDIVIDUALS
r = ROLES[0]
FAMILY: list[Axiom] = [
    ax.EquivalentClasses((A, B)),
    ax.SubClassOf(B, C),
    ax.SubClassOf(C, A),
    ax.DisjointClasses((A, D)),
    ax.ClassAssertion(A, a),
    ax.ObjectPropertyAssertion(r, a, b),
    ax.SameIndividual((b, c)),
]


@pytest.mark.parametrize(
    ("goal", "count"),
    [
        (ax.EquivalentClasses((A, B, C)), 3),
        (ax.DisjointClasses((D, B)), 1),
        (ax.DisjointClasses((D, ObjectIntersectionOf((C, B)))), 1),
        (ax.ClassAssertion(C, a), 1),
        (ax.ClassAssertion(ObjectSomeValuesFrom(r, THING), a), 1),
        (ax.ObjectPropertyAssertion(r, a, c), 1),
        (ax.SameIndividual((c, b)), 2),
        (ax.SubClassOf(D, THING), 1),
        (ax.SubClassOf(Class("http://example.org/unheard of"), THING), 1),
        (ax.SubClassOf(NOTHING, D), 1),
    ],
    ids=repr,
)
def test_goal_that_follows_comes_down_to_proofs(goal: Axiom, count: int) -> None:
    explanation = explain(make(FAMILY), goal)
    assert explanation is not None
    assert len(explanation.proofs) == count
    for proof in explanation.proofs:
        check_proof(proof, frozenset(FAMILY))


@pytest.mark.parametrize(
    "goal",
    [
        ax.EquivalentClasses((A, B, D)),
        ax.DisjointClasses((A, B)),
        ax.ClassAssertion(D, a),
        ax.ObjectPropertyAssertion(r, b, a),
        ax.SameIndividual((a, b)),
        ax.SubClassOf(THING, A),
        ax.SubClassOf(Class("http://example.org/unheard of"), A),
    ],
    ids=repr,
)
def test_goal_that_does_not_follow_has_no_explanation(goal: Axiom) -> None:
    assert explain(make(FAMILY), goal) is None


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        (ax.SubClassOf(A, ObjectComplementOf(B)), "class expressions of OWL 2 EL"),
        (ax.DifferentIndividuals((a, b)), "expected a goal such as"),
        (ax.ObjectPropertyAssertion(r, a, b, negative=True), "expected a goal such as"),
        (ax.SubObjectPropertyOf((r,), ROLES[1]), "expected a goal such as"),
    ],
)
def test_goal_that_cannot_be_asked_is_refused(goal: Axiom, reason: str) -> None:
    with pytest.raises(MooseError, match=reason):
        explain(make(FAMILY), goal)


def test_inconsistency_has_a_proof_and_everything_follows_from_it() -> None:
    axioms: list[Axiom] = [*FAMILY, ax.ClassAssertion(D, a)]
    for goal in ((THING, NOTHING), (D, A), (ObjectOneOf((b,)), D)):
        assert_proves(prove(make(axioms), *goal), goal, frozenset(axioms))


def test_proof_of_a_long_chain_is_as_long_as_the_chain() -> None:
    names = [Class(f"{NAMESPACE}N{number:04}") for number in range(400)]
    axioms = [ax.SubClassOf(one, other) for one, other in pairwise(names)]
    proof = prove(make(axioms), names[0], names[-1])
    assert_proves(proof, (names[0], names[-1]), frozenset(axioms))
    assert proof is not None and len(proof.steps) == 400


def test_closure_and_proof_agree_on_what_is_asked_through_the_taxonomy() -> None:
    taxonomy = classify(make(FAMILY))
    explanation = taxonomy.explain("A", "C")
    assert explanation is not None and "⊑" in str(explanation)
    assert taxonomy.explain("C", "D") is None
    assert saturate(make(FAMILY)).is_consistent
