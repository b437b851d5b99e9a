"""Check a proof step by step, trusting nothing but its rules: no code of the reasoner is used here."""

from __future__ import annotations

from collections.abc import Collection

from moose.errors import MooseError
from moose.owl.axioms import Axiom
from moose.saturation.checker_forms import canonical, canonical_fact, is_well_typed
from moose.saturation.checker_rules import RULES, Step
from moose.saturation.proof import Concept, Fact, Inference, Proof, Subsumption


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
        step = _read(inference, assumption)
        reason = _find_fault(inference, step, shown) or _find_untold(inference, axioms)
        if reason:
            raise RefusedProof(reason, number, inference)
        conclusion = step.conclusion
        shown.add(conclusion)
    if conclusion != goal:
        raise RefusedProof(f"its last step must conclude the goal, {proof.goal}, but does not")


def _read(inference: Inference, assumption: Concept | None) -> Step:
    """Write all facts of an inference in the one canonical way."""
    premises = tuple(canonical_fact(premise) for premise in inference.premises)
    return Step(premises, inference.axioms, canonical_fact(inference.conclusion), assumption)


def _find_fault(inference: Inference, step: Step, shown: set[Fact]) -> str | None:
    """Say what is wrong with a step, apart from the axioms that it cites."""
    for told, premise in zip(inference.premises, step.premises):
        if premise not in shown:
            return f"the premise {told} is not concluded by an earlier step"
    if not is_well_typed(step.conclusion):
        return "the conclusion mixes classes with data ranges, or roles with data properties"
    rule = RULES.get(inference.rule)
    if rule is None:
        return f"there is no rule of that name, only {', '.join(RULES)}"
    return None if rule(step) else f"it is not an instance of the rule, {' '.join((rule.__doc__ or '').split())}"


def _find_untold(inference: Inference, axioms: Collection[Axiom]) -> str | None:
    """Name a cited axiom that the ontology does not hold."""
    untold = next((axiom for axiom in inference.axioms if axiom not in axioms), None)
    return None if untold is None else f"the axiom {untold} is not in the ontology"
