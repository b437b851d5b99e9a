"""Goals of every kind come down to proofs, or have none; and proofs hold nothing that is not needed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from moose.base.errors import MooseError
from moose.certificates.check_proof import check_proof
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    Class,
    NamedIndividual,
    ObjectComplementOf,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectSomeValuesFrom,
)
from moose.owl.ontology import merge_documents
from moose.owl.syntax.functional.read_functional import read_functional
from moose.saturation.answers.closure import saturate
from moose.saturation.answers.taxonomy import classify
from moose.saturation.proofs.explain import explain, prove
from tests.saturation.answers import make
from tests.saturation.random_ontologies import (
    CLASSES,
    INDIVIDUALS,
    NAMESPACE,
    ROLES,
)
from tests.saturation.test_proofs import assert_proves, axioms_of

A, B, C, D = CLASSES[:4]
a, b, c = INDIVIDUALS
r, s = ROLES[:2]
d = NamedIndividual(NAMESPACE + "d")
FAMILY: list[Axiom] = [
    ax.EquivalentClasses((A, B)),
    ax.SubClassOf(B, C),
    ax.SubClassOf(C, A),
    ax.DisjointClasses((A, D)),
    ax.ClassAssertion(A, a),
    ax.ObjectPropertyAssertion(r, a, b),
    ax.SameIndividual((b, c)),
    ax.SubClassOf(ObjectSomeValuesFrom(s, THING), B),
    ax.ClassAssertion(D, d),
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
        (ax.ObjectPropertyDomain(s, A), 1),
        (ax.DifferentIndividuals((a, d)), 1),
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
        ax.ObjectPropertyDomain(r, A),
        ax.DifferentIndividuals((a, b)),
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
        (ax.ObjectPropertyRange(r, A), "expected a goal such as"),
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


# ── Padding ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_ranges_and_inclusions_that_are_not_needed_are_not_there() -> None:
    text = """
    Prefix(:=<urn:>)
    Ontology(
      SubClassOf(:A ObjectSomeValuesFrom(:r :B))
      SubObjectPropertyOf(:r :s) ObjectPropertyRange(:r :C) ObjectPropertyRange(:s :D)
      SubClassOf(ObjectSomeValuesFrom(:r :B) :E)
      SubClassOf(ObjectSomeValuesFrom(:s :D) :F)
    )
    """
    ontology = merge_documents([read_functional(text, "ranges.ofn")])
    told = ontology.axioms
    a, e, f = (Class(f"urn:{name}") for name in "AEF")
    assert axioms_of(prove(ontology, a, e)) == {told[0], told[4]}
    assert axioms_of(prove(ontology, a, f)) == {told[0], told[1], told[3], told[5]}
