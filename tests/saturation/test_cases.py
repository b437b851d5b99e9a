"""Case distinction: unions on the right, what all their members share, and members that are impossible."""

from __future__ import annotations

from fractions import Fraction

import pytest

import moose
from bench.entailments import PARTS, our_entailments
from bench.fuzz_hermit import write_ontology
from bench.outside_el import Draw, goal_of
from moose.certificates.checker.verify import verify_text
from moose.certificates.make.certify_entailment import certify_axiom
from moose.owl.normal import normalise
from tests.certificates.making import text_of
from tests.owl.short_syntax import read

FOLLOWS = {
    "what the members share": (
        "SubClassOf(A D)",
        ["SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(B D)", "SubClassOf(C D)"],
    ),
    "data that the union spells otherwise": (
        "SubClassOf(A D)",
        [
            'SubClassOf(DataHasValue(d "01"^^xsd:integer) ObjectUnionOf(B C))',
            'SubClassOf(A DataHasValue(d "1"^^xsd:integer))',
            *("SubClassOf(B D)", "SubClassOf(C D)"),
        ],
    ),
    "a member that is empty": ("SubClassOf(A C)", ["SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(B owl:Nothing)"]),
    "a member that clashes": ("SubClassOf(A C)", ["SubClassOf(A ObjectUnionOf(B C))", "DisjointClasses(A B)"]),
    "a member that clashes below": (
        "SubClassOf(E C)",
        ["SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(E A)", "DisjointClasses(E B)"],
    ),
    "all members clash": (
        "SubClassOf(A owl:Nothing)",
        ["SubClassOf(A ObjectUnionOf(B C))", "DisjointClasses(A B)", "DisjointClasses(A C)"],
    ),
    "an individual": (
        "ClassAssertion(F a)",
        ["SubClassOf(P ObjectUnionOf(M F))", "ClassAssertion(P a)", "DisjointClasses(M N)", "ClassAssertion(N a)"],
    ),
    "under an existential": (
        "SubClassOf(A E)",
        [
            *("SubClassOf(A ObjectUnionOf(ObjectSomeValuesFrom(r B) ObjectSomeValuesFrom(r C)))", "SubClassOf(B D)"),
            *("SubClassOf(C D)", "SubClassOf(ObjectSomeValuesFrom(r D) E)"),
        ],
    ),
    "one after the other": (
        "SubClassOf(A F)",
        [
            *("SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(B ObjectUnionOf(D E))"),
            *("SubClassOf(C F)", "SubClassOf(D F)", "SubClassOf(E F)"),
        ],
    ),
    "an equivalence": (
        "SubClassOf(A D)",
        ["EquivalentClasses(A ObjectUnionOf(B C))", "SubClassOf(B D)", "SubClassOf(C D)"],
    ),
    "a disjoint union": ("SubClassOf(A D)", ["DisjointUnion(A B C)", "SubClassOf(B D)", "SubClassOf(C D)"]),
    "several individuals": (
        "SubClassOf(A D)",
        ["SubClassOf(A ObjectOneOf(a b))", "ClassAssertion(D a)", "ClassAssertion(D b)"],
    ),
    "a filler": (
        "SubClassOf(A E)",
        [
            *("SubClassOf(A ObjectSomeValuesFrom(r B))", "SubClassOf(B ObjectUnionOf(C D))", "SubClassOf(C F)"),
            *("SubClassOf(D F)", "SubClassOf(ObjectSomeValuesFrom(r F) E)"),
        ],
    ),
    "a complement that an assertion rules out": (
        "ClassAssertion(C a)",
        ["ClassAssertion(ObjectUnionOf(B C) a)", "ClassAssertion(ObjectComplementOf(B) a)"],
    ),
}


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_is_explained_and_certified(name: str) -> None:
    goal, axioms = FOLLOWS[name]
    ontology = moose.ontology([read(axiom) for axiom in axioms])
    explanation = moose.explain(ontology, read(goal))
    assert explanation is not None
    assert any(step.rule == "Rcases" for proof in explanation.proofs for step in proof.steps)
    verify_text(text_of(certify_axiom(ontology, read(goal), follows=True)))


@pytest.mark.parametrize("name", FOLLOWS)
def test_each_axiom_is_needed(name: str) -> None:
    goal, axioms = FOLLOWS[name]
    for left_out in range(len(axioms)):
        rest = moose.ontology([read(axiom) for axiom in axioms[:left_out] + axioms[left_out + 1 :]])
        assert moose.explain(rest, read(goal)) is None


@pytest.mark.parametrize("name", FOLLOWS)
def test_a_query_rests_on_the_same_axioms(name: str) -> None:
    goal, axioms = FOLLOWS[name]
    read_axioms = [read(axiom) for axiom in axioms]
    ontology = moose.ontology(read_axioms)
    halves = moose.probabilities(ontology, given=dict.fromkeys(read_axioms, "0.5"))
    answer = moose.query(ontology, read(goal), probabilities=halves)
    assert answer.lower == Fraction(1, 2 ** len(axioms))
    assert [set(one.axioms) for one in answer.justifications] == [set(read_axioms)]


def test_cases_that_fail_to_hold_are_weighed() -> None:
    """A is a D where both members are, or where B is empty and C is a D, or the other way round, or both are empty."""
    axioms = ["SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(B D)", "SubClassOf(C D)", "SubClassOf(B owl:Nothing)"]
    ontology = moose.ontology([read(axiom) for axiom in axioms])
    halves = moose.probabilities(ontology, given=dict.fromkeys(map(read, axioms), "0.5"))
    answer = moose.query(ontology, read("SubClassOf(A D)"), probabilities=halves)
    assert answer.lower == Fraction(1, 2) * Fraction(1, 2) * (1 - Fraction(1, 4))


def test_unions_that_share_a_member_have_cases_of_their_own() -> None:
    """∃r.A is told to be a B or D, and as an A it is a B or C, for which it has no cases."""
    axioms = [
        *("SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(ObjectSomeValuesFrom(r A) ObjectUnionOf(B D))"),
        *("SubClassOf(A ObjectSomeValuesFrom(r A))", "ObjectPropertyDomain(r A)"),
        *("SubClassOf(B E)", "SubClassOf(C E)"),
    ]
    taxonomy = moose.classify(moose.ontology([read(axiom) for axiom in axioms]))
    assert taxonomy.is_below("A", "E")


def test_many_classes_are_split_only_where_they_are_told_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(normalise, "CASES", 20)
    axioms = ["SubClassOf(A ObjectUnionOf(B C))", "SubClassOf(E A)", "DisjointClasses(E B)"]
    others = [f"SubClassOf(X{number} Y)" for number in range(30)]
    ontology = moose.ontology([read(axiom) for axiom in (*axioms, *others)])
    assert len(ontology.normal_form.case_of) == 4
    assert moose.classify(ontology).is_below("E", "C")


@pytest.mark.parametrize("seed", range(40))
def test_answers_outside_el_agree_and_have_proofs(seed: int, tmp_path: object) -> None:
    """What the kernel derives, from all classes at once, the rules that keep their instances derive around a goal."""
    from pathlib import Path

    file = Path(str(tmp_path)) / "random.ofn"
    write_ontology(Draw(seed).axioms(), file)
    ontology = moose.load(file)
    found = our_entailments(file)
    items = {(part, *names) for part in PARTS for names in getattr(found, part)} or {("inconsistent",)}
    if found.is_consistent and ("inconsistent",) in items:
        return
    for item in sorted(items):
        explanation = moose.explain(ontology, goal_of(item))
        assert explanation is not None, item
        for proof in explanation.proofs:
            moose.check_proof(proof, ontology.profile.used_axioms)
