"""Check a proof step by step, trusting nothing but its rules: no code of the reasoner is used here."""

from __future__ import annotations

from collections.abc import Collection

from moose.base.errors import MooseError
from moose.owl.model.axioms import Axiom
from moose.saturation.checker.forms import Step, canonical, canonical_fact, is_well_typed
from moose.saturation.checker.rules import RULES
from moose.saturation.proofs.proof import Concept, Fact, Inference, Proof, Subsumption


class RefusedProof(MooseError):
    """A proof does not show what it claims: says at which step (counted from 1; None for the whole), and why."""

    def __init__(self, reason: str, number: int | None = None, step: Inference | None = None) -> None:
        where = "" if number is None or step is None else f" at step {number} ({step.rule}, {step.conclusion})"
        super().__init__(f"the proof is refused{where}: {reason}")
        self.reason, self.number, self.step = reason, number, step


def check_proof(proof: Proof, axioms: Collection[Axiom]) -> None:
    """Accept a proof from the given axioms (best a set), or raise `RefusedProof`."""
    assumption = None if proof.assumption is None else canonical(proof.assumption)
    goal = canonical_fact(proof.goal)
    if assumption is not None and not (isinstance(goal, Subsumption) and goal.sub == assumption):
        raise RefusedProof("a proof with an assumption A can only end in A ⊑ D, but its goal is another")
    shown: set[Fact] = set()
    conclusion: Fact | None = None
    for number, inference in enumerate(proof.steps, start=1):
        if fault := find_fault(inference, shown, axioms, assumption):
            raise RefusedProof(fault, number, inference)
        conclusion = canonical_fact(inference.conclusion)
        shown.add(conclusion)
    if conclusion != goal:
        raise RefusedProof(f"its last step must conclude the goal, {proof.goal}, but does not")


def find_fault(
    inference: Inference, shown: Collection[Fact], axioms: Collection[Axiom], assumption: Concept | None = None
) -> str | None:
    """Say what is wrong with one inference from the (canonical) facts already shown, or return None."""
    premises = tuple(map(canonical_fact, inference.premises))
    step = Step(premises, inference.axioms, canonical_fact(inference.conclusion), assumption)
    for told, premise in zip(inference.premises, premises):
        if premise not in shown:
            return f"the premise {told} is not concluded by an earlier step"
    for axiom in inference.axioms:
        if axiom not in axioms:
            return f"the axiom {axiom} is not in the ontology"
    if not is_well_typed(step.conclusion):
        return "the conclusion mixes classes with data ranges, or roles with data properties"
    rule = RULES.get(inference.rule)
    if rule is None:
        return f"there is no rule of that name, only {', '.join(RULES)}"
    return None if rule(step) else f"it is not an instance of the rule, {rule.__doc__}"
