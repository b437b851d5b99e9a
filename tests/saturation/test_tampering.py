"""A proof that was tampered with is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.certificates.check_proof import RefusedProof, check_proof
from moose.certificates.make.from_proof import RULES
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    Class,
    ClassExpression,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.saturation.answers.taxonomy import Taxonomy
from moose.saturation.proofs.explain import prove
from moose.saturation.proofs.proof import Fact, Inference, Link, NonEmpty, Proof, RoleInclusion, Subsumption
from tests.saturation.answers import make
from tests.saturation.goals import entailed, goals_of, proofs_of
from tests.saturation.random_ontologies import CLASSES, INDIVIDUALS, ROLES, ontologies
from tests.searching import examples

A, B, _, D = CLASSES[:4]
a = INDIVIDUALS[0]
r = ROLES[0]
FRESH = Class("http://example.org/tampered")
ANYTHING_FOLLOWS = {"R⊥⊑", "Rrole"}
"""Rules whose conclusion may be changed and stay right: from A ⊑ ⊥, and from r ⊑ owl:bottomObjectProperty."""


def changed(fact: Fact) -> Fact:
    """Put a name that the ontology does not have into a conclusion, on its right."""
    match fact:
        case Subsumption(sub, _):
            return Subsumption(sub, FRESH)
        case Link(source, role, _):
            return Link(source, role, FRESH)
        case NonEmpty():
            return NonEmpty(FRESH)
        case RoleInclusion(sub_role, _):
            return RoleInclusion(sub_role, ObjectProperty(FRESH.iri))


def tampered(proof: Proof) -> Iterator[tuple[str, Proof]]:
    """Yield copies of a proof that are wrong, each in one way."""

    def with_step(place: int, *steps: Inference) -> Proof:
        return replace(proof, steps=(*proof.steps[:place], *steps, *proof.steps[place + 1 :]))

    for place, step in enumerate(proof.steps):
        yield f"without step {place}", with_step(place)
        yield f"an unknown rule at {place}", with_step(place, replace(step, rule="R?"))
        for number in range(len(step.premises)):
            fewer = step.premises[:number] + step.premises[number + 1 :]
            yield f"without premise {number} at {place}", with_step(place, replace(step, premises=fewer))
        if step.axioms:
            yield f"without axiom at {place}", with_step(place, replace(step, axioms=()))
        if step.rule not in ANYTHING_FOLLOWS:
            other = changed(step.conclusion)
            yield f"another conclusion at {place}", with_step(place, replace(step, conclusion=other))
            instead = replace(step, conclusion=other)
            yield f"another goal at {place}", Proof(other, (*proof.steps[:place], instead), proof.assumption)
    for place in range(len(proof.steps) - 1):
        yield f"step {place} after its use", replace(proof, steps=late(proof.steps, place))
    yield "another goal", replace(proof, goal=changed(proof.goal))
    if proof.assumption is not None:
        yield "without the assumption", replace(proof, assumption=None)


def late(steps: tuple[Inference, ...], place: int) -> tuple[Inference, ...]:
    """Move a step behind the first that needs it."""
    needing = (later for later in range(place + 1, len(steps)) if steps[place].conclusion in steps[later].premises)
    later = next(needing)  # a proof has no idle steps
    return (*steps[:place], *steps[place + 1 : later + 1], steps[place], *steps[later + 1 :])


def assert_refused_when_tampered_with(proof: Proof, axioms: frozenset[Axiom]) -> None:
    check_proof(proof, axioms)
    for how, other in tampered(proof):
        if how == "without the assumption" and not uses(proof, proof.assumption):
            continue
        assert not is_accepted(other, axioms), (how, other)
    for axiom in {axiom for step in proof.steps for axiom in step.axioms}:
        with pytest.raises(RefusedProof, match="not in the ontology"):
            check_proof(proof, axioms - {axiom})
    for place, step in enumerate(proof.steps):
        accepted = [rule for rule in RULES if is_accepted(with_rule(proof, place, rule), axioms)]
        assert step.rule in accepted and len(accepted) <= 4, accepted


def uses(proof: Proof, assumption: ClassExpression | None) -> bool:
    return any(
        step.rule == "Rnonempty" and step.conclusion == NonEmpty(assumption) for step in proof.steps if assumption
    )


def with_rule(proof: Proof, place: int, rule: str) -> Proof:
    steps = list(proof.steps)
    steps[place] = replace(steps[place], rule=rule)
    return replace(proof, steps=tuple(steps))


def is_accepted(proof: Proof, axioms: frozenset[Axiom]) -> bool:
    try:
        check_proof(proof, axioms)
    except RefusedProof:
        return False
    return True


@examples(40)
@given(ontologies(), st.randoms(use_true_random=False))
def test_tampered_proofs_are_refused(axioms: list[Axiom], source: random.Random) -> None:
    ontology = make(axioms)
    found = sorted(entailed(axioms), key=repr)
    for goal in source.sample(found, min(3, len(found))):
        proof = prove(ontology, *goal)
        if proof is not None and len(proof.steps) > 1:
            assert_refused_when_tampered_with(proof, frozenset(ontology.profile.el_axioms))


def test_proof_with_an_assumption_is_refused_without_it() -> None:
    axioms: list[Axiom] = [
        ax.SubClassOf(A, ObjectSomeValuesFrom(r, ObjectIntersectionOf((B, ObjectOneOf((a,)))))),
        ax.SubClassOf(A, ObjectSomeValuesFrom(ROLES[1], ObjectOneOf((a,)))),
        ax.SubClassOf(ObjectSomeValuesFrom(ROLES[1], B), D),
    ]
    proof = prove(make(axioms), A, D)
    assert proof is not None and proof.assumption == A
    assert_refused_when_tampered_with(proof, frozenset(axioms))
    assert prove(make(axioms), ObjectOneOf((a,)), B) is None


def test_tampered_proofs_of_a_real_ontology_are_refused(taxonomy: Taxonomy) -> None:
    axioms = frozenset(taxonomy.ontology.profile.el_axioms)
    sample = random.Random(4).sample(goals_of(taxonomy), 60)
    proofs = [proof for _, proof in proofs_of(taxonomy, sample) if len(proof.steps) > 2]
    assert len(proofs) > 30
    for proof in proofs:
        assert_refused_when_tampered_with(proof, axioms)
