"""What the engine says of random ontologies is certified, and the certificates are accepted."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import moose
from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.verify import verify, verify_text
from moose.certificates.make.certify_entailment import certify_axiom
from moose.certificates.make.certify_taxonomy import certify_taxonomy
from moose.owl.model.axioms import Axiom, EquivalentClasses, FunctionalDataProperty, SubClassOf
from moose.owl.model.expressions import Class, DataHasValue, DataProperty, Literal
from moose.saturation.proofs.explain import explain
from tests.certificates.making import (
    COVERED,
    certified,
    ontology_of,
    random_certificates,
    random_entailments,
    random_ontology,
    refusal,
    text_of,
)
from tests.saturation.goals import complex_goals, entailed
from tests.saturation.random_keys import functional, keyed
from tests.saturation.random_ontologies import ALL_FEATURES, ontologies
from tests.searching import examples

GOLDEN = sorted((Path(__file__).parent.parent / "golden").glob("*.ofn"))
EX = "http://example.org/"


@pytest.mark.parametrize("block", range(8))
def test_random_answers_are_certified_and_accepted(block: int) -> None:
    kinds = set()
    for seed in range(10 * block, 10 * block + 10):
        for made in random_certificates(seed):
            verdict = verify_text(text_of(made.certificate))
            assert verdict.kind == ("entailment" if made.follows else "non-entailment")
            kinds.add(verdict.kind)
    assert kinds == {"entailment", "non-entailment"}


@given(ontologies(COVERED), st.data())
@examples(25)
def test_goals_between_complex_concepts_are_certified(axioms: list[Axiom], drawing: st.DataObject) -> None:
    sub, sup = drawing.draw(complex_goals(axioms))
    goal, ontology = SubClassOf(sub, sup), ontology_of(axioms)
    follows = explain(ontology, goal) is not None
    certificate = certified(lambda: certify_axiom(ontology, goal, follows=follows))
    if certificate is not None:
        assert verify_text(text_of(certificate)).kind == ("entailment" if follows else "non-entailment")


@pytest.mark.parametrize("block", range(4))
def test_all_that_follows_is_certified(block: int) -> None:
    rules = set()
    for seed in range(20 * block, 20 * block + 20):
        for made in random_entailments(seed):
            assert verify_text(text_of(made.certificate)).kind == "entailment"
            rules |= {step[0] for proof in made.certificate["proofs"] for step in proof["steps"]}  # type: ignore[attr-defined]
    assert len(rules) > 15


@given(keyed | functional)
@examples(25)
def test_what_follows_by_keys_and_functional_properties_is_certified(axioms: list[Axiom]) -> None:
    ontology = ontology_of(axioms)
    for goal in sorted(entailed(axioms), key=repr)[:8]:
        assert refusal(certify_axiom(ontology, SubClassOf(*goal), follows=True)) is None


def test_data_are_certified_and_what_is_taken_for_granted_is_said() -> None:
    accepted, granted = 0, 0
    for seed in range(40):
        for made in random_certificates(seed, 1, ALL_FEATURES - {"functional", "top-role", "keys"}):
            verdict = verify_text(text_of(made.certificate))
            accepted += 1
            granted += bool(verdict.granted)
    assert accepted > 30
    assert granted > 10


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_taxonomies_are_certified(path: Path) -> None:
    taxonomy = moose.classify(moose.load(path))
    certificate = certified(lambda: certify_taxonomy(taxonomy))
    if certificate is not None:
        assert verify(certificate).kind == "taxonomy"


@pytest.mark.parametrize("seed", range(12))
def test_random_taxonomies_are_certified(seed: int) -> None:
    certificate = certified(lambda: certify_taxonomy(moose.classify(random_ontology(seed))))
    if certificate is not None:
        assert "exactly" in verify_text(text_of(certificate)).claim


def named(letter: str) -> Class:
    return Class(EX + letter)


def test_an_equivalence_is_two_inclusions() -> None:
    axioms: list[Axiom] = [EquivalentClasses((named(one), named(two))) for one, two in ("AB", "BC")]
    goal = EquivalentClasses((named("A"), named("C")))
    certificate = certify_axiom(ontology_of(axioms), goal, follows=True)
    assert len(certificate["entailed"]) == 2  # type: ignore[arg-type]
    assert verify(certificate).claim.endswith("follows")
    certificate["entailed"] = certificate["entailed"][:1]  # type: ignore[index]
    with pytest.raises(Refused, match="do not show the claim"):
        verify(certificate)


def test_an_answer_that_the_rules_do_not_give_is_not_certified() -> None:
    axiom = SubClassOf(named("A"), named("B"))
    with pytest.raises(MooseError, match="the rules of certificates say otherwise"):
        certify_axiom(ontology_of([axiom]), axiom, follows=False)


def test_what_is_not_covered_is_said() -> None:
    number = DataProperty(EX + "d")
    told = SubClassOf(named("A"), DataHasValue(number, Literal("x")))
    ontology = ontology_of([FunctionalDataProperty(number), told])
    with pytest.raises(MooseError, match="do not cover FunctionalDataProperty"):
        certify_axiom(ontology, SubClassOf(named("A"), named("B")), follows=False)
    assert verify(certify_axiom(ontology, told, follows=True)).kind == "entailment"


def test_another_source_or_claim_is_refused() -> None:
    for seed in range(20):
        for made in random_certificates(seed, 1):
            certificate = dict(made.certificate)
            sources = list(certificate["sources"])  # type: ignore[call-overload]
            if sources:
                changed = f"SubClassOf(<{EX}new> <{EX}newer>)"
                place = random.Random(seed).randrange(len(sources))
                certificate["sources"] = [*sources[:place], changed, *sources[place + 1 :]]
                with pytest.raises(Refused, match="source"):
                    verify(certificate)
            certificate = {**made.certificate, "claim": f"SubClassOf(<{EX}new> <{EX}newer>)"}
            with pytest.raises(Refused, match="claim"):
                verify(certificate)


def test_a_saturated_set_must_cover_every_source() -> None:
    made = [one for seed in range(20) for one in random_certificates(seed, 1) if not one.follows]
    for one in made:
        axioms = list(one.certificate["axioms"])  # type: ignore[call-overload]
        for place, axiom in enumerate(axioms):
            others = axioms[:place] + axioms[place + 1 :]
            if axiom not in others and axiom[1:2] != axiom[2:3]:
                assert refusal({**one.certificate, "axioms": others}), f"{axiom} is not missed"


@pytest.mark.parametrize(
    "reason",
    [
        "ClassAssertion(:A :a) DisjointClasses(ObjectOneOf(:a) :A)",
        "SubClassOf(owl:Thing owl:Nothing)",
        "SubClassOf(owl:Thing ObjectSomeValuesFrom(:r :B)) SubClassOf(:B owl:Nothing)",
        'ClassAssertion(DataHasValue(:d "x") :a) DataPropertyDomain(:d owl:Nothing)',
    ],
)
def test_the_hierarchy_of_an_inconsistent_ontology_with_data_is_certified(tmp_path: Path, reason: str) -> None:
    text = f'Prefix(:=<{EX}>) Ontology(DataPropertyAssertion(:d :a "y") SubClassOf(:B :A) {reason})'
    (tmp_path / "o.ofn").write_text(text, encoding="utf-8")
    taxonomy = moose.classify(moose.load(tmp_path / "o.ofn"))
    assert not taxonomy.is_consistent
    assert refusal(certify_taxonomy(taxonomy)) is None
