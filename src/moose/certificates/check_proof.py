"""Check a proof: make a certificate of it, and have the checker of certificates judge that."""

from __future__ import annotations

from collections.abc import Collection

from moose.base.errors import MooseError
from moose.certificates.checker.reading import Refused
from moose.certificates.checker.sources import check_sources
from moose.certificates.checker.theory import read_theory
from moose.certificates.checker.verify import check_derivation, verify
from moose.certificates.make.data_facts import find_false
from moose.certificates.make.from_proof import RULES, add_inference
from moose.certificates.make.proof_steps import Derivation, NoInstance
from moose.certificates.make.vocabulary import HEAD, NeedsThing, Packed, Unwritable, Vocabulary
from moose.certificates.make.vocabulary import Fact as Written
from moose.owl.model.axioms import Axiom, SubClassOf
from moose.owl.model.expressions import NOTHING, DataProperty, DataRange, DataSomeValuesFrom, ObjectSomeValuesFrom
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.proofs.proof import Concept, Fact, Inference, Link, NonEmpty, Proof, RoleInclusion, Subsumption

ONLY_ENDS = "a proof with an assumption A can only end in A ⊑ D, but its goal is another"


class RefusedProof(MooseError):
    """A proof does not show what it claims: says at which step (counted from 1; None for the whole), and why."""

    def __init__(self, reason: str, number: int | None = None, step: Inference | None = None) -> None:
        where = "" if number is None or step is None else f" at step {number} ({step.rule}, {step.conclusion})"
        super().__init__(f"the proof is refused{where}: {reason}")
        self.reason, self.number, self.step = reason, number, step


def check_proof(proof: Proof, axioms: Collection[Axiom]) -> None:
    """Accept a proof from the given axioms (best a set), or raise `RefusedProof`.

    The goal is C ⊑ D or C → r → D, of classes.
    """
    try:
        Checking(axioms, has_data=False).check(proof)
    except NeedsThing:
        Checking(axioms, has_data=True).check(proof)


def find_fault(
    inference: Inference, shown: Collection[Fact], axioms: Collection[Axiom], assumption: Concept | None = None
) -> str | None:
    """Say what is wrong with one inference from the facts already shown, or return None."""
    try:
        return Checking(axioms, has_data=False).find_fault(inference, shown, assumption)
    except NeedsThing:
        return Checking(axioms, has_data=True).find_fault(inference, shown, assumption)


class Checking:
    """A certificate in the making, and for each of its steps and axioms the inference that it is made of."""

    def __init__(self, axioms: Collection[Axiom], *, has_data: bool) -> None:
        self.axioms = axioms
        self.vocabulary = Vocabulary(has_data=has_data)
        self.made_by: list[int] = []
        """For each step of the certificate the number of the inference."""
        self.told_by: list[int] = []

    def check(self, proof: Proof) -> None:
        """Accept a proof, or raise `RefusedProof`."""
        goal = inclusion(proof.goal)
        if proof.assumption is not None and goal != proof.goal:
            raise RefusedProof(ONLY_ENDS)
        if goal is None:
            raise RefusedProof(f"its goal must be C ⊑ D or C → r → D of classes, but is {proof.goal}")
        try:
            steps, last = self.convert(proof, goal)
        except Unwritable as reason:
            raise RefusedProof(str(reason)) from None
        certificate = entailment(self.vocabulary, steps, goal, last)
        try:
            verify(certificate)
        except Refused as reason:
            number = self.inference_of(reason)
            step = None if number is None else proof.steps[number - 1]
            raise RefusedProof(fault_of(step, reason), number, step) from None
        if (false := find_false(certificate)) is not None:
            number = None if false.axiom is None else self.told_by[false.axiom]
            step = None if number is None else proof.steps[number - 1]
            raise RefusedProof(false.what if step is None else fault_of(step), number, step)

    def convert(self, proof: Proof, goal: Subsumption) -> tuple[Derivation, int]:
        """Write all inferences as steps; return these, and the one that shows the goal."""
        words = self.vocabulary
        assumption = None if proof.assumption is None else words.concept(proof.assumption)
        root = words.concept(goal.sub)
        if assumption is not None and assumption != root:
            raise RefusedProof(ONLY_ENDS)
        steps = Derivation(words, assumption=assumption, root=root)
        concluded: dict[Written, int] = {}
        last = None
        for number, inference in enumerate(proof.steps, start=1):
            fault, last = self.add(steps, inference, concluded)
            if fault is not None or last is None:
                raise RefusedProof(fault or fault_of(inference), number, inference)
            concluded[steps.fact(last)] = last
            self.made_by += [number] * (len(steps.steps) - len(self.made_by))
            self.told_by += [number] * (len(words.rows) - len(self.told_by))
        if last is None or steps.fact(last) != steps.written_fact(proof.goal):
            raise RefusedProof(f"its last step must conclude the goal, {proof.goal}, but does not")
        if isinstance(proof.goal, Link):
            fact = steps.written_fact(goal)
            last = steps.step("some", fact, [last, steps.same(words.concept(proof.goal.target))])
        return steps, last

    def add(
        self, steps: Derivation, inference: Inference, concluded: dict[Written, int]
    ) -> tuple[str | None, int | None]:
        """Write one inference; return what is wrong with it, or the step that shows its conclusion."""
        shown_by = []
        for premise in inference.premises:
            number = concluded.get(steps.written_fact(premise)) if is_well_typed(premise) else None
            if number is None:
                return f"the premise {premise} is not concluded by an earlier step", None
            shown_by.append(number)
        for axiom in inference.axioms:
            if axiom not in self.axioms:
                return f"the axiom {axiom} is not in the ontology", None
        if not is_well_typed(inference.conclusion):
            return "the conclusion mixes classes with data ranges, or roles with data properties", None
        if inference.rule not in RULES:
            return f"there is no rule of that name, only {', '.join(RULES)}", None
        try:
            return None, add_inference(steps, inference, shown_by)
        except NoInstance:
            return fault_of(inference), None

    def inference_of(self, reason: Refused) -> int | None:
        """Return the number of the inference that a refused step, or axiom, is made of."""
        for position, numbers in ((reason.step, self.made_by), (reason.axiom, self.told_by)):
            if position is not None and position < len(numbers):
                return numbers[position]
        return None

    def find_fault(self, inference: Inference, shown: Collection[Fact], assumption: Concept | None) -> str | None:
        """Say what is wrong with one inference from the facts already shown, or return None."""
        words = self.vocabulary
        steps = Derivation(words, assumption=None if assumption is None else words.concept(assumption))
        given = list(dict.fromkeys(map(steps.written_fact, inference.premises)))
        known = set(given) if set(inference.premises) <= set(shown) else set(map(steps.written_fact, shown))
        steps.give(given)
        fault, _ = self.add(steps, inference, {fact: position for position, fact in enumerate(given) if fact in known})
        if fault is not None:
            return fault
        certificate = {**HEAD, **words.theory()}
        try:
            theory = read_theory(certificate)
            check_sources(theory, wholly=False)
            check_derivation(theory, steps.packed()["steps"], steps.assumed, [list(fact) for fact in given])
        except Refused as reason:
            return fault_of(inference, reason)
        return None if find_false(certificate) is None else fault_of(inference)


def fault_of(inference: Inference | None, reason: Refused | None = None) -> str:
    """Say that an inference is no instance of its rule; without one, why the certificate is refused."""
    if inference is None:
        return str(reason)
    return f"it is not an instance of the rule, {RULES[inference.rule].sequent}"


def entailment(words: Vocabulary, steps: Derivation, goal: Subsumption, last: int) -> Packed:
    """Write the certificate of one inclusion."""
    assert not isinstance(goal.sub, DataRange) and not isinstance(goal.sup, DataRange)
    claim: Packed = {
        "kind": "entailment",
        "claim": render(SubClassOf(goal.sub, goal.sup)),
        "entailed": [[words.concept(goal.sub), words.concept(goal.sup), 0, last]],
    }
    return HEAD | claim | words.theory() | {"proofs": [steps.packed()]}


def inclusion(goal: Fact) -> Subsumption | None:
    """Return the inclusion of classes that a goal says; None for one that says something else."""
    match goal:
        case Subsumption(sub, sup) if not isinstance(sub, DataRange) and not isinstance(sup, DataRange):
            return goal
        case Link(source, role, target) if is_well_typed(goal):
            if isinstance(target, DataRange):
                assert isinstance(role, DataProperty)
                return Subsumption(source, DataSomeValuesFrom((role,), target))
            assert not isinstance(role, DataProperty)
            return Subsumption(source, ObjectSomeValuesFrom(role, target))
    return None


def is_well_typed(fact: Fact) -> bool:
    """Return whether a fact speaks of classes and roles, or of data ranges and data properties, where each belongs."""
    match fact:
        case Subsumption(sub, sup):  # an empty data range is written D ⊑ owl:Nothing
            return isinstance(sup, DataRange) == isinstance(sub, DataRange) or (
                isinstance(sub, DataRange) and sup == NOTHING
            )
        case Link(source, role, target):
            return not isinstance(source, DataRange) and isinstance(target, DataRange) == isinstance(role, DataProperty)
        case RoleInclusion(sub_role, sup_role):
            return isinstance(sub_role, DataProperty) == isinstance(sup_role, DataProperty)
        case NonEmpty(concept):
            return not isinstance(concept, DataRange)
