"""What follows has a proof that the checker accepts, what does not follow has none, a tampered proof is refused."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.errors import MooseError
from moose.owl import axioms as ax
from moose.owl.axioms import Axiom
from moose.owl.model import (
    NOTHING,
    THING,
    Class,
    ClassExpression,
    NamedIndividual,
    ObjectComplementOf,
    ObjectIntersectionOf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.owl.ontology import Ontology
from moose.saturation.checker import RefusedProof, check_proof
from moose.saturation.checker_forms import canonical_fact
from moose.saturation.checker_rules import RULES
from moose.saturation.derivations import Derivations, Sub
from moose.saturation.explain import derive, explain, prove
from moose.saturation.proof import Fact, Inference, Link, NonEmpty, Proof, RoleInclusion, Subsumption
from moose.saturation.saturate import Closure, saturate
from moose.saturation.taxonomy import Taxonomy, classify
from moose.saturation.writing import Writer
from tests.saturation.answers import is_complete, make, naive_answer
from tests.saturation.naive import naive_closure
from tests.saturation.random_mending import closed, is_composite, self_roles, told
from tests.saturation.random_ontologies import (
    ALL_FEATURES,
    CLASSES,
    INDIVIDUALS,
    NAMESPACE,
    ROLES,
    Draw,
    concept,
    ontologies,
)
from tests.searching import examples

DATA = Path(__file__).parents[3] / "shared" / "data" / "ontologies"
PEOPLE = tuple(ObjectOneOf((one,)) for one in INDIVIDUALS)
Inclusion = tuple[ClassExpression, ClassExpression]


def assert_proves(proof: Proof | None, goal: Inclusion, axioms: frozenset[Axiom]) -> None:
    """Assert that a proof shows what was asked, is accepted, and has no step that nothing needs."""
    assert proof is not None, goal
    assert canonical_fact(proof.goal) == canonical_fact(Subsumption(*goal))
    check_proof(proof, axioms)
    needed = {premise for step in proof.steps for premise in step.premises}
    assert [step for step in proof.steps[:-1] if step.conclusion not in needed] == []
    assert len({step.conclusion for step in proof.steps}) == len(proof.steps)


# ── Real ontologies ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=["pizza", "pato"])
def taxonomy(request: pytest.FixtureRequest) -> Taxonomy:
    path = DATA / f"{request.param}.ofn.gz"
    if not path.exists():
        pytest.skip(f"the data folder ../shared/data has no ontologies/{path.name}")
    return classify(moose.load(path))


def goals_of(taxonomy: Taxonomy) -> list[Inclusion]:
    """List all subsumptions between different named classes, with ⊥ above the unsatisfiable ones."""
    found: list[Inclusion] = [(Class(sub), Class(sup)) for sub, sup in taxonomy.closure_pairs()]
    return found + [(Class(sub), NOTHING) for sub in taxonomy.unsatisfiable]


def proofs_from(closure: Closure, ontology: Ontology, goals: list[Inclusion]) -> Iterator[tuple[Inclusion, Proof]]:
    """Prove many goals from one closure: what `prove` does anew for each of them is done once."""
    derivations = Derivations(closure.base)
    for goal in goals:
        sub, sup = (closure.form.class_number(side.iri) for side in goal if isinstance(side, Class))
        assert sub is not None and sup is not None and sub not in closure.worlds
        writer = Writer(closure.base, ontology.profile.el_axioms)
        assert derive(derivations, writer, sub, sup), goal
        yield goal, Proof(writer.fact(Sub(sub, sup)), tuple(writer.steps.values()))


def test_every_subsumption_of_a_real_ontology_has_a_proof(taxonomy: Taxonomy) -> None:
    axioms = frozenset(taxonomy.ontology.profile.el_axioms)
    goals = goals_of(taxonomy)
    assert len(goals) > 370
    for goal, proof in proofs_from(taxonomy.closure, taxonomy.ontology, goals):
        assert_proves(proof, goal, axioms)


def test_proofs_one_by_one_are_the_same_size_as_from_one_closure(taxonomy: Taxonomy) -> None:
    axioms = frozenset(taxonomy.ontology.profile.el_axioms)
    sample = random.Random(2).sample(goals_of(taxonomy), 150)
    for goal, shared in proofs_from(taxonomy.closure, taxonomy.ontology, sample):
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


def test_tampered_proofs_of_a_real_ontology_are_refused(taxonomy: Taxonomy) -> None:
    axioms = frozenset(taxonomy.ontology.profile.el_axioms)
    proofs = [proof for _, proof in proofs_from(taxonomy.closure, taxonomy.ontology, goals_of(taxonomy))]
    for proof in random.Random(4).sample([one for one in proofs if len(one.steps) > 2], 40):
        assert_refused_when_tampered_with(proof, axioms)


# ── Random ontologies ─────────────────────────────────────────────────────────────────────────────────────────────


def entailed(axioms: list[Axiom]) -> set[Inclusion]:
    """List, with the naive reasoner, what follows between the names: subsumptions, ⊥ above the impossible, types."""
    answer = naive_answer(axioms)
    if not answer.is_consistent:
        return set(asked())
    found: set[Inclusion] = {(Class(sub), Class(sup)) for sub, sup in answer.closure}
    impossible = [Class(name) for (name,) in answer.unsatisfiable]
    found |= {(sub, sup) for sub in impossible for sup in (*CLASSES, NOTHING) if sub != sup}
    found |= {(ObjectOneOf((NamedIndividual(one),)), Class(name)) for one, name in answer.types}
    same = {(NamedIndividual(one), NamedIndividual(other)) for one, other in answer.same}
    return found | {(ObjectOneOf((x,)), ObjectOneOf((y,))) for one in same for x, y in (one, one[::-1])}


def asked() -> list[Inclusion]:
    """List every inclusion between names that is worth asking."""
    found: list[Inclusion] = [(sub, sup) for sub in CLASSES for sup in (*CLASSES, NOTHING) if sub != sup]
    found += [(one, sup) for one in PEOPLE for sup in (*CLASSES, NOTHING)]
    return [*found, *((one, other) for one in PEOPLE for other in PEOPLE if one != other), (THING, NOTHING)]


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


@st.composite
def goals(draw: st.DrawFn, axioms: list[Axiom]) -> Inclusion:
    """Draw an inclusion of concepts: often one that an axiom tells, since it may follow, in a larger frame."""
    source = draw(st.randoms(use_true_random=False))
    told_pairs = [(one.sub, one.sup) for one in axioms if isinstance(one, ax.SubClassOf)]
    told_pairs += [one.operands[:2] for one in axioms if isinstance(one, ax.EquivalentClasses)]
    dealer = Draw(source, ALL_FEATURES)
    sub, sup = source.choice(told_pairs) if told_pairs and source.random() < 0.7 else (concept(dealer), concept(dealer))
    for _ in range(source.randrange(3)):
        extra = concept(dealer, 1)
        sub, sup = source.choice(
            [
                (ObjectSomeValuesFrom(ROLES[0], sub), ObjectSomeValuesFrom(ROLES[0], sup)),
                (ObjectIntersectionOf((extra, sub)), sup),
                (ObjectIntersectionOf((sub, extra)), ObjectIntersectionOf((extra, sup))),
            ]
        )
    return sub, sup


def follows_by_names(axioms: list[Axiom], goal: Inclusion) -> bool:
    """Ask the naive reasoner about two new names for the two sides."""
    one, other = (Class(NAMESPACE + name) for name in ("Sub", "Sup"))
    named = [*axioms, ax.EquivalentClasses((one, goal[0])), ax.EquivalentClasses((other, goal[1]))]
    pairs, unsatisfiable, is_consistent = naive_closure(named, [one.iri, other.iri])
    return not is_consistent or one.iri in unsatisfiable or (one.iri, other.iri) in pairs


@examples(150)
@given(st.data())
def test_goals_of_complex_concepts_are_proved_exactly_where_names_for_them_are(data: st.DataObject) -> None:
    axioms = data.draw(ontologies(max_axioms=12))
    goal = data.draw(goals(axioms))
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
FAMILY = [
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


# ── Tampering ─────────────────────────────────────────────────────────────────────────────────────────────────────

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
        if place:
            moved = (*proof.steps[:place], *proof.steps[place + 1 :])
            yield f"step {place - 1} after its use", replace(proof, steps=late(proof.steps, place - 1) or moved)
    yield "another goal", replace(proof, goal=changed(proof.goal))
    if proof.assumption is not None:
        yield "without the assumption", replace(proof, assumption=None)


def late(steps: tuple[Inference, ...], place: int) -> tuple[Inference, ...] | None:
    """Move a step behind the first that needs it."""
    for later in range(place + 1, len(steps)):
        if steps[place].conclusion in steps[later].premises:
            return (*steps[:place], *steps[place + 1 : later + 1], steps[place], *steps[later + 1 :])
    return None


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
    assert_proves(proof, (A, D), frozenset(axioms))
    assert proof is not None and proof.assumption == A
    assert_refused_when_tampered_with(proof, frozenset(axioms))
    assert prove(make(axioms), ObjectOneOf((a,)), B) is None


def test_closure_and_proof_agree_on_what_is_asked_through_the_taxonomy() -> None:
    taxonomy = classify(make(FAMILY))
    explanation = taxonomy.explain("A", "C")
    assert explanation is not None and "⊑" in str(explanation)
    assert taxonomy.explain("C", "D") is None
    assert saturate(make(FAMILY)).is_consistent
