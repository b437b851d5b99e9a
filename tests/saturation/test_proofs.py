"""What follows has a proof that the checker accepts, what does not follow has none."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moose.certificates.check_proof import check_proof
from moose.owl.model import axioms as ax
from moose.owl.model.axioms import Axiom
from moose.owl.model.expressions import (
    Class,
)
from moose.owl.ontology import ontology_from_axioms
from moose.saturation.answers.closure import saturate
from moose.saturation.answers.taxonomy import Taxonomy
from moose.saturation.proofs import explain as proofs_explain
from moose.saturation.proofs.explain import explain, prove, prove_from_few, prove_somehow
from moose.saturation.proofs.expressions import canonical
from moose.saturation.proofs.proof import Proof, Subsumption
from moose.saturation.recorded.derivations import Derivations
from tests.owl.short_syntax import read, read_class
from tests.saturation.answers import is_complete, make
from tests.saturation.goals import Inclusion, asked, complex_goals, entailed, follows_by_names, goals_of, proofs_of
from tests.saturation.random_keys import functional, keyed
from tests.saturation.random_mending import closed, is_composite, self_roles, told
from tests.saturation.random_ontologies import (
    ALL_FEATURES,
    ontologies,
)
from tests.searching import examples


def axioms_of(proof: Proof | None) -> set[ax.Axiom]:
    assert proof is not None
    return {axiom for step in proof.steps for axiom in step.axioms}


def assert_proves(proof: Proof | None, goal: Inclusion, axioms: frozenset[Axiom]) -> None:
    """Assert that a proof shows what was asked, is accepted, and has no step that nothing needs."""
    assert proof is not None, goal
    assert proof.goal == Subsumption(*map(canonical, goal))
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
        alone, padded = prove(taxonomy.ontology, *goal), prove_somehow(taxonomy.ontology, *goal)
        assert_proves(alone, goal, axioms)
        assert padded is not None and len(padded.steps) == len(shared.steps)
        assert alone is not None and len(alone.steps) <= len(padded.steps)


def test_what_does_not_follow_from_a_real_ontology_has_no_proof(taxonomy: Taxonomy) -> None:
    known = {(sub, sup) for sub, sup in taxonomy.closure_pairs()}
    source = random.Random(3)
    for _ in range(60):
        sub, sup = source.sample(taxonomy.classes, 2)
        if (sub, sup) not in known and sub not in taxonomy.unsatisfiable:
            assert prove(taxonomy.ontology, Class(sub), Class(sup)) is None


# ── Random ontologies ─────────────────────────────────────────────────────────────────────────────────────────────


@examples(40)
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


@examples(40)
@given(keyed | functional)
def test_what_follows_by_keys_and_functional_properties_has_a_proof(axioms: list[Axiom]) -> None:
    ontology = make(axioms)
    for goal in sorted(entailed(axioms), key=repr)[:20]:
        assert_proves(prove(ontology, *goal), goal, frozenset(ontology.profile.el_axioms))


@examples(40)
@given(ontologies() | keyed | functional, st.integers(0, 60))
def test_what_follows_has_a_proof_among_too_many_rule_instances(axioms: list[Axiom], most: int) -> None:
    ontology = make(axioms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proofs_explain, "MOST_INSTANCES", most)
        for goal in sorted(entailed(axioms), key=repr)[:20]:
            if (proof := prove(ontology, *goal)) or is_complete(ontology):
                assert_proves(proof, goal, frozenset(ontology.profile.el_axioms))


@examples(40)
@given(ontologies() | keyed | functional, st.integers(0, 60))
def test_a_proof_from_a_justification_uses_no_axiom_too_many(axioms: list[Axiom], most: int) -> None:
    ontology = make(axioms)
    used = ontology.profile.used_axioms
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proofs_explain, "MOST_INSTANCES", most)
        for goal in sorted(entailed(axioms), key=repr)[:10]:
            if prove(ontology, *goal) is None:
                assert not is_complete(ontology)
                continue
            proof = prove_from_few(used, goal)
            assert_proves(proof, goal, frozenset(used))
            needed = axioms_of(proof)
            for axiom in needed:
                assert prove(make([other for other in needed if other != axiom]), *goal) is None


def test_too_many_rule_instances_by_axioms_outside_el_are_no_reason_to_fail() -> None:
    backwards = [read("InverseObjectProperties(r s)"), read("SubClassOf(B ObjectAllValuesFrom(s B))")]
    chain = [read(f"SubClassOf(A{number} ObjectSomeValuesFrom(r A{number + 1}))") for number in range(12)]
    ontology = make([*backwards, *chain, read("SubClassOf(A12 B)")])
    assert len(ontology.profile.plain_axioms) < len(ontology.profile.used_axioms)
    goal = (read_class("A0"), read_class("B"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proofs_explain, "MOST_OUTSIDE", 3)
        assert_proves(prove(ontology, *goal), goal, frozenset(ontology.profile.used_axioms))


@examples(40)
@given(ontologies() | keyed | functional)
def test_what_a_closure_holds_already_has_the_same_proofs(axioms: list[Axiom]) -> None:
    fresh, saturated = make(axioms), make(axioms)
    saturate(saturated)
    for goal in asked():
        alone, shared = prove(fresh, *goal), prove(saturated, *goal)
        assert (alone is None) == (shared is None)
        if shared is not None:
            assert_proves(shared, goal, frozenset(saturated.profile.el_axioms))


def test_a_chain_is_searched_step_by_step_and_written_whole() -> None:
    layers = [["A"], *([f"{name}{number}" for number in range(6)] for name in "BCD"), ["E"]]
    told_axioms = [
        read("SubObjectPropertyOf(ObjectPropertyChain(r s t u) v)"),
        read("SubClassOf(ObjectSomeValuesFrom(v E) F)"),
    ]
    for role, lows, highs in zip("rstu", layers, layers[1:]):
        told_axioms += [
            read(f"SubClassOf({low} ObjectSomeValuesFrom({role} {high}))") for low in lows for high in highs
        ]
    ontology = make(told_axioms)
    goal = (read_class("A"), read_class("F"))
    proof = prove(ontology, *goal)
    assert_proves(proof, goal, frozenset(ontology.profile.el_axioms))
    assert proof is not None and max(len(step.premises) for step in proof.steps) == 4
    form = ontology.normal_form
    derivations = Derivations(form, form.class_number("A") or 0)
    by_rule = [[one.rule for _, one in every].count("Rrchain") for every in (derivations.all(), derivations.stepwise())]
    assert by_rule == [6**3, 6**2 + 6**2 + 6]


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


# ── Corners that a random search has found, or may take long to find ─────────────────────────────────────────────

CORNERS = {
    "class that is disjoint with itself": ("A", "owl:Nothing", ["DisjointClasses(A A)"]),
    "value that is disjoint with itself": (
        'DataHasValue(d "1"^^xsd:integer)',
        "owl:Nothing",
        ['DisjointClasses(DataHasValue(d "1"^^xsd:integer) DataHasValue(d "01"^^xsd:integer))'],
    ),
    "individual that is different from itself": ("A", "B", ["DifferentIndividuals(a a)"]),
    "functional through two properties": (
        "A",
        "B",
        [
            *("FunctionalDataProperty(f)", "SubDataPropertyOf(d f)", "SubDataPropertyOf(e f)"),
            *("SubClassOf(A DataSomeValuesFrom(d xsd:decimal))", "SubClassOf(A DataSomeValuesFrom(e xsd:integer))"),
            "SubClassOf(DataSomeValuesFrom(d xsd:integer) B)",
        ],
    ),
    "functional with a datatype of one's own, which comes back": (
        "A",
        "B",
        [
            *("FunctionalDataProperty(d)", "SubClassOf(A DataSomeValuesFrom(d mine))"),
            "SubClassOf(A DataSomeValuesFrom(d xsd:string))",
            "SubClassOf(DataSomeValuesFrom(d DataIntersectionOf(xsd:string mine)) DataSomeValuesFrom(d rdfs:Literal))",
            "SubClassOf(DataSomeValuesFrom(d DataIntersectionOf(xsd:string mine)) B)",
        ],
    ),
    "range that spells a value otherwise": (
        "A",
        "B",
        [
            *("SubClassOf(A ObjectSomeValuesFrom(r C))", 'ObjectPropertyRange(r DataHasValue(d "01"^^xsd:integer))'),
            'SubClassOf(ObjectSomeValuesFrom(r DataHasValue(d "1"^^xsd:integer)) B)',
        ],
    ),
    "goal that spells a value otherwise": (
        "A",
        'DataHasValue(d "1.0"^^xsd:decimal)',
        ['SubClassOf(A DataHasValue(d "01"^^xsd:integer))'],
    ),
    "goal on the value's side": (
        'DataHasValue(d "1.0"^^xsd:decimal)',
        "B",
        ['SubClassOf(DataHasValue(d "01"^^xsd:integer) B)'],
    ),
    "data range of everything": (
        "A",
        "DataSomeValuesFrom(d DataIntersectionOf(rdfs:Literal rdfs:Literal))",
        ["SubClassOf(A DataSomeValuesFrom(d DataIntersectionOf(rdfs:Literal rdfs:Literal)))"],
    ),
    "Self through an equivalence of properties": (
        "A",
        "B",
        ["EquivalentObjectProperties(r s)", "SubClassOf(A ObjectHasSelf(r))", "SubClassOf(ObjectHasSelf(s) B)"],
    ),
    "Self as a range of Self": (
        "A",
        "B",
        [
            *("ObjectPropertyRange(r ObjectHasSelf(s))", "SubClassOf(A ObjectHasSelf(r))"),
            "SubClassOf(ObjectHasSelf(s) B)",
        ],
    ),
    "range of the top role is a Self": (
        "A",
        "B",
        ["ObjectPropertyRange(owl:topObjectProperty ObjectHasSelf(s))", "SubClassOf(ObjectHasSelf(s) B)"],
    ),
    "role below the bottom one": (
        "A",
        "B",
        ["SubClassOf(A ObjectSomeValuesFrom(r C))", "SubObjectPropertyOf(r owl:bottomObjectProperty)"],
    ),
    "data property below the bottom one": (
        "A",
        "B",
        ["SubClassOf(A DataSomeValuesFrom(d xsd:string))", "SubDataPropertyOf(d owl:bottomDataProperty)"],
    ),
    "any value by the top data property": ("A", "DataSomeValuesFrom(owl:topDataProperty xsd:integer)", []),
    "anyone by the top role": ("A", "ObjectHasValue(owl:topObjectProperty a)", []),
    "oneself by the top role": ("A", "ObjectHasSelf(owl:topObjectProperty)", []),
    "key on which all agree": (
        "ObjectOneOf(a)",
        "B",
        ["HasKey(owl:Thing (owl:topObjectProperty) ())", "ClassAssertion(A a)", "ClassAssertion(B b)"],
    ),
    "key whose filler is shared only because of the key": (
        "ObjectOneOf(a)",
        "ObjectOneOf(b)",
        [
            *("HasKey(owl:Thing (r) ())", "ObjectPropertyAssertion(r b c)", "ObjectPropertyAssertion(r b a)"),
            "ReflexiveObjectProperty(r)",
        ],
    ),
    "chain of three that is Self": (
        "A",
        "ObjectHasSelf(s)",
        ["ReflexiveObjectProperty(r)", "SubObjectPropertyOf(ObjectPropertyChain(r r r) s)"],
    ),
    "chain of three beside the top role": (
        "A",
        "B",
        [
            *("SubClassOf(A ObjectSomeValuesFrom(r C))", "SubClassOf(C ObjectSomeValuesFrom(s D))"),
            "SubObjectPropertyOf(ObjectPropertyChain(r s t) t)",
            "SubClassOf(ObjectSomeValuesFrom(owl:topObjectProperty D) B)",
        ],
    ),
}


@pytest.mark.parametrize(("sub", "sup", "texts"), CORNERS.values(), ids=CORNERS.keys())
def test_corner_has_a_proof(sub: str, sup: str, texts: list[str]) -> None:
    axioms = [read(text) for text in texts]
    goal = (read_class(sub), read_class(sup))
    assert_proves(prove(ontology_from_axioms(axioms), *goal), goal, frozenset(axioms))


SHORT: dict[str, tuple[int, str, str, list[str]]] = {
    "empty role": (4, "A", "owl:Nothing", ["SubClassOf(A ObjectSomeValuesFrom(owl:bottomObjectProperty B))"]),
    "role below an empty one": (
        7,
        "A",
        "owl:Nothing",
        ["SubClassOf(A ObjectSomeValuesFrom(r B))", "SubObjectPropertyOf(r owl:bottomObjectProperty)"],
    ),
    "data property below an empty one": (
        7,
        "A",
        "owl:Nothing",
        ['SubClassOf(A DataHasValue(d "x"))', "SubDataPropertyOf(d owl:bottomDataProperty)"],
    ),
    "link that is a loop, as there is but one element": (
        9,
        "A",
        "B",
        [
            *("SubClassOf(owl:Thing ObjectOneOf(a))", "SubClassOf(A ObjectSomeValuesFrom(r C))"),
            "SubClassOf(ObjectHasSelf(r) B)",
        ],
    ),
}


@pytest.mark.parametrize(("steps", "sub", "sup", "texts"), SHORT.values(), ids=SHORT.keys())
def test_proof_makes_no_detour_through_an_existential(steps: int, sub: str, sup: str, texts: list[str]) -> None:
    axioms = [read(text) for text in texts]
    goal = (read_class(sub), read_class(sup))
    proof = prove(ontology_from_axioms(axioms), *goal)
    assert_proves(proof, goal, frozenset(axioms))
    assert proof is not None and len(proof.steps) == steps
