"""The proof checker accepts every rule's instances, refuses what was tampered with, and has only sound rules."""

from __future__ import annotations

import ast
import importlib
import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TypeVar

import pytest

from moose.base.errors import MooseError
from moose.certificates.check_proof import RefusedProof, check_proof, find_fault
from moose.certificates.make.from_proof import RULES
from moose.owl.model.axioms import Axiom, DisjointClasses, HasKey, SubClassOf, SubObjectPropertyOf
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    AnonymousIndividual,
    Class,
    DataHasValue,
    DataIntersectionOf,
    DataOneOf,
    Datatype,
    Entity,
    Literal,
    ObjectOneOf,
)
from moose.saturation.proofs.proof import Inference, Link, NonEmpty, Proof, Subsumption
from tests.saturation.interpretations import is_true_axiom, is_true_fact, random_interpretation
from tests.saturation.naive_data import INTEGER, NATURAL, STRING
from tests.saturation.naive_reading import entities
from tests.saturation.rule_instances import (
    ASSUMED,
    FIRM,
    FREE,
    ILL_TYPED,
    INSTANCES,
    KEY,
    A,
    B,
    C,
    D,
    both,
    d,
    e,
    infer,
    is_a,
    is_b,
    loop,
    r,
    s,
    some,
    some_data,
    sub,
    t,
    told,
    under,
)

T = TypeVar("T")


def fault(inference: Inference) -> str | None:
    """Judge one inference whose premises are shown and whose axioms are told."""
    return find_fault(inference, set(inference.premises), set(inference.axioms), ASSUMED)


def label(inference: Inference) -> str:
    return inference.rule


def tampered(part: T) -> Iterator[T]:
    """Yield copies in which one name or literal, at one place, is another; names that a rule leaves free stay."""
    if isinstance(part, Entity):
        if not part.iri.startswith("Free"):
            yield replace(part, iri="tampered")
    elif isinstance(part, Literal):
        yield replace(part, lexical="7")
    elif isinstance(part, tuple):
        for place, one in enumerate(part):
            for other in tampered(one):
                yield (*part[:place], other, *part[place + 1 :])  # type: ignore[misc]
    elif is_dataclass(part) and not isinstance(part, type):
        for name in (one.name for one in fields(part)):
            for other in tampered(getattr(part, name)):
                yield replace(part, **{name: other})


# ── Single steps ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_rule_has_an_instance() -> None:
    assert {inference.rule for inference in INSTANCES} == set(RULES)


@pytest.mark.parametrize("inference", [*INSTANCES, ILL_TYPED], ids=label)
def test_instance_is_accepted(inference: Inference) -> None:
    assert fault(inference) is None


@pytest.mark.parametrize("inference", FIRM, ids=label)
def test_changed_name_is_refused(inference: Inference) -> None:
    kept = [other for other in tampered(inference) if fault(other) is None]
    assert kept == []


@pytest.mark.parametrize("inference", [one for one in INSTANCES if one.premises], ids=label)
def test_missing_or_added_premise_is_refused(inference: Inference) -> None:
    for place in range(len(inference.premises)):
        left = inference.premises[:place] + inference.premises[place + 1 :]
        assert fault(replace(inference, premises=left))
    assert fault(replace(inference, premises=(*inference.premises, sub(FREE, FREE))))


@pytest.mark.parametrize("inference", INSTANCES, ids=label)
def test_missing_swapped_or_added_axiom_is_refused(inference: Inference) -> None:
    other = SubClassOf(FREE, Class("Freest"))
    assert fault(replace(inference, axioms=(*inference.axioms, other)))
    if inference.axioms:
        assert fault(replace(inference, axioms=()))
        assert fault(replace(inference, axioms=(other,)))


@pytest.mark.parametrize("inference", INSTANCES, ids=label)
def test_instance_of_one_rule_is_refused_under_most_others(inference: Inference) -> None:
    """A step may be an instance of a few rules (R0 is also Rdata), but of no rule that reads other premises."""
    accepted = {rule for rule in RULES if fault(replace(inference, rule=rule)) is None}
    assert inference.rule in accepted
    assert len(accepted) <= 3


@pytest.mark.parametrize("inference", INSTANCES, ids=label)
def test_instance_is_true_wherever_its_premises_are(inference: Inference) -> None:
    """Try the rule on random interpretations: no countermodel may be found, and not all may be beside the point."""
    source = random.Random(inference.rule)
    tried = 0
    for _ in range(4000):
        world = random_interpretation(source, entities(inference))
        if tried == 40:
            break
        if (
            all(is_true_fact(world, premise) for premise in inference.premises)
            and all(is_true_axiom(world, axiom) for axiom in inference.axioms)
            and (inference != infer("Rnonempty", NonEmpty(ASSUMED)) or is_true_fact(world, NonEmpty(ASSUMED)))
        ):
            tried += 1
            assert is_true_fact(world, inference.conclusion), world
    assert tried > 0 or inference.rule == "Rinconsistent"  # whose premises contradict each other


TAMPERED = {
    "conjunct that is not there": infer("R⊓−", sub(A, D), sub(A, both(B, C))),
    "filler weakened the wrong way": infer("R∃+", sub(A, some(r, B)), Link(A, r, C), sub(B, C)),
    "chain read backwards": infer(
        "Rrchain", Link(A, t, C), Link(A, s, B), Link(B, r, C), SubObjectPropertyOf((r, s), t)
    ),
    "chain of one": infer("Rrchain", Link(A, s, B), Link(A, r, B), SubObjectPropertyOf((r,), s)),
    "chain with a gap": infer("Rrchain", Link(A, t, C), Link(A, r, B), Link(D, s, C), SubObjectPropertyOf((r, s), t)),
    "role inclusion from a chain": infer("Rrole", under(r, t), under(r, r), SubObjectPropertyOf((r, s), t)),
    "inclusion read backwards": told((B, A), SubClassOf(A, B)),
    "nothing is below nothing": infer("R⊥⊑", sub(A, D), sub(A, B)),
    "link to itself is no Self": infer("Rself-nominal", sub(A, loop(r)), sub(A, is_a), Link(A, r, A), sub(A, is_b)),
    "disjoint with itself": infer("Rdisjoint", sub(A, NOTHING), sub(A, B), sub(A, B), DisjointClasses((B, C))),
    "nominal without an element": infer("Rnominal", sub(is_a, A), sub(A, is_a), NonEmpty(B)),
    "not empty for no reason": infer("Rnonempty", NonEmpty(A)),
    "not empty upside down": infer("Rnonempty-⊑", NonEmpty(A), NonEmpty(B), sub(A, B)),
    "key half checked": infer("Rkey", sub(is_a, is_b), *KEY[:4], HasKey(C, (r, s), ())),
    "key in another order": infer("Rkey", sub(is_a, is_b), *KEY[:2], *KEY[4:6], *KEY[2:4], HasKey(C, (r, s), ())),
    "key on an unnamed filler": infer(
        "Rkey",
        sub(is_a, is_b),
        *(sub(one, two) for two in (C, some(r, ObjectOneOf((AnonymousIndividual("x"),)))) for one in (is_a, is_b)),
        HasKey(C, (r,), ()),
    ),
    "wide data range in narrow": infer("Rdata", sub(INTEGER, NATURAL)),
    "unknown datatypes may overlap": infer("Rdata", sub(DataIntersectionOf((STRING, Datatype("mine"))), NOTHING)),
    "unknown datatype may be empty": infer("Rdata-top", sub(A, some_data(TOP_DATA_PROPERTY, Datatype("mine")))),
    "empty data range": infer(
        "Rdata-top", sub(A, some_data(TOP_DATA_PROPERTY, DataOneOf((Literal("two", INTEGER.iri),))))
    ),
    "other literal": infer("Rdata-≡", sub(A, DataHasValue(d, Literal("y"))), sub(A, DataHasValue(d, Literal("x")))),
    "other data property": infer("Rdata-≡", sub(A, some_data(e, NATURAL)), sub(A, some_data(d, NATURAL))),
    "other class beside the data": infer(
        "Rdata-≡", sub(A, both(C, some_data(d, NATURAL))), sub(A, both(B, some_data(d, NATURAL)))
    ),
    "other role above the data": infer(
        "Rdata-≡", sub(A, some(s, some_data(d, NATURAL))), sub(A, some(r, some_data(d, NATURAL)))
    ),
    "data range below ⊤": infer("R⊤", sub(STRING, THING)),
    "class for a data property": infer("R∃+", sub(A, some(r, B)), Link(A, d, STRING), sub(STRING, NOTHING)),
    "data range that has an element": infer("Rnonempty-link", NonEmpty(STRING), NonEmpty(A), Link(A, d, STRING)),
}


@pytest.mark.parametrize("inference", TAMPERED.values(), ids=TAMPERED.keys())
def test_tampered_step_is_refused(inference: Inference) -> None:
    assert fault(inference)


# ── Whole proofs ──────────────────────────────────────────────────────────────────────────────────────────────────

A_IS_B, B_IS_C = SubClassOf(A, B), SubClassOf(B, C)
STEPS = (
    infer("R0", sub(A, A)),
    infer("R⊑", sub(A, B), sub(A, A), A_IS_B),
    infer("R⊑", sub(A, C), sub(A, B), B_IS_C),
)
PROOF = Proof(sub(A, C), STEPS)
AXIOMS: list[Axiom] = [A_IS_B, B_IS_C]


def test_proof_is_accepted() -> None:
    check_proof(PROOF, AXIOMS)
    check_proof(PROOF, frozenset(AXIOMS))


@pytest.mark.parametrize(
    ("proof", "reason", "number"),
    [
        (replace(PROOF, goal=sub(A, D)), "must conclude the goal", None),
        (replace(PROOF, steps=()), "must conclude the goal", None),
        (replace(PROOF, steps=STEPS[:2]), "must conclude the goal", None),
        (replace(PROOF, steps=(*STEPS, STEPS[1])), "must conclude the goal", None),
        (replace(PROOF, steps=STEPS[1:]), "not concluded by an earlier step", 1),
        (replace(PROOF, steps=(STEPS[0], STEPS[2], STEPS[1])), "not concluded by an earlier step", 2),
        (replace(PROOF, steps=(infer("R⊑⊑", sub(A, C), sub(A, C), sub(C, C)),)), "not concluded by an earlier", 1),
        (replace(PROOF, steps=(replace(STEPS[0], rule="R1"), *STEPS[1:])), "no rule of that name", 1),
        (replace(PROOF, assumption=B), "can only end in A ⊑ D", None),
        (Proof(NonEmpty(A), (infer("Rnonempty", NonEmpty(A)),), assumption=A), "can only end in A ⊑ D", None),
    ],
)
def test_broken_proof_is_refused(proof: Proof, reason: str, number: int | None) -> None:
    with pytest.raises(RefusedProof, match=reason) as refusal:
        check_proof(proof, AXIOMS)
    assert isinstance(refusal.value, MooseError)
    assert refusal.value.number == number
    assert refusal.value.step == (None if number is None else proof.steps[number - 1])


def test_untold_axiom_is_refused() -> None:
    with pytest.raises(RefusedProof, match="not in the ontology"):
        check_proof(PROOF, [A_IS_B])


def conditional_proof(assumption: Class | None) -> Proof:
    """A ⊑ ∃r.(B ⊓ {a}), {a} ⊑ ... : where A has an element, {a} is a B."""
    target = both(B, is_a)
    steps = (
        infer("R0", sub(A, A)),
        infer("R⊑", sub(A, some(r, target)), sub(A, A), SubClassOf(A, some(r, target))),
        infer("R∃−", Link(A, r, target), sub(A, some(r, target))),
        infer("Rnonempty", NonEmpty(A)),
        infer("Rnonempty-link", NonEmpty(target), NonEmpty(A), Link(A, r, target)),
        infer("R0", sub(target, target)),
        infer("R⊓−", sub(target, is_a), sub(target, target)),
        infer("Rnominal", sub(is_a, target), sub(target, is_a), NonEmpty(target)),
        infer("R⊓−", sub(is_a, B), sub(is_a, target)),
        infer("R⊑", sub(A, some(s, is_a)), sub(A, A), SubClassOf(A, some(s, is_a))),
        infer("R∃−", Link(A, s, is_a), sub(A, some(s, is_a))),
        infer("R∃+", sub(A, some(s, B)), Link(A, s, is_a), sub(is_a, B)),
    )
    return Proof(sub(A, some(s, B)), steps, assumption)


def test_assumption_is_needed_and_bound_to_the_goal() -> None:
    proof = conditional_proof(A)
    axioms = {axiom for step in proof.steps for axiom in step.axioms}
    check_proof(proof, axioms)
    with pytest.raises(RefusedProof, match=r"at step 4 \(Rnonempty"):
        check_proof(conditional_proof(None), axioms)
    with pytest.raises(RefusedProof, match="can only end in A ⊑ D"):
        check_proof(replace(proof, goal=sub(is_a, B), steps=proof.steps[:9]), axioms)


def test_order_and_grouping_of_operands_do_not_matter() -> None:
    axiom = SubClassOf(both(A, both(B, THING)), C)
    steps = (
        infer("R0", sub(both(B, A, A), both(A, B))),
        infer("R⊑", Subsumption(both(A, B), C), sub(both(A, B), both(B, A)), axiom),
    )
    check_proof(Proof(sub(both(B, A), C), steps), [axiom])


# ── What the checker stands on ────────────────────────────────────────────────────────────────────────────────────

ALLOWED = {
    "moose.base.errors",
    *(f"moose.owl.model.{name}" for name in ("expressions", "axioms", "vocabulary", "datatypes")),
    *(f"moose.owl.syntax.functional.{name}" for name in ("functional_tokens", "read_functional", "write_functional")),
    "moose.saturation.proofs.proof",
    "moose.saturation.rules",  # the table: names and sequents, nothing that is run
}
CONVERSION = ("check_proof", "make.from_proof", "make.proof_steps", "make.vocabulary", "make.data_facts")
"""What makes a certificate of a proof; the checker of certificates itself is tested in tests/certificates."""


def test_checking_a_proof_shares_no_code_with_the_reasoner() -> None:
    own = {f"moose.certificates.{name}" for name in CONVERSION}
    for module in sorted(own):
        file = Path(str(importlib.import_module(module).__file__))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            assert not isinstance(node, ast.Import), file
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("moose"):
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                is_checker = str(node.module).startswith("moose.certificates.checker.")
                assert is_checker or node.module in own | ALLOWED or names <= ALLOWED, (file, node.module)
