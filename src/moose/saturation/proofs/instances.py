"""Rule instances of a closure over expressions: what `Closure.derivations` returns."""

from __future__ import annotations

from moose.saturation.answers.closure import Closure
from moose.saturation.engine.facts import Facts
from moose.saturation.proofs.derivations import Arrow, Derivations, Inhabited, Instance, NumberFact, Sub
from moose.saturation.proofs.numbering import Numbering
from moose.saturation.proofs.proof import Fact, Inference
from moose.saturation.proofs.writing import Writer


def instances_of(closure: Closure, fact: Fact) -> tuple[Inference, ...]:
    """Return every rule instance that concludes a fact."""
    goal = Numbering(closure.form).fact(fact)
    if goal is None:
        return ()
    root = goal.sub if isinstance(goal, Sub) else None
    facts = closure.base if root is None else closure.world_of(root)
    assumption = root if root in closure.worlds else None
    if not holds(facts, goal):
        return ()
    found = Derivations(facts, assumption).of(goal)
    return tuple(dict.fromkeys(written(closure, facts, goal, instance) for instance in found))


def holds(facts: Facts, goal: NumberFact) -> bool:
    """Tell whether a fact was derived."""
    match goal:
        case Sub(sub, sup):
            return facts.has(sub, sup)
        case Arrow(source, role, target):
            roles, targets = facts.links_from(source)
            return bool((facts.form.is_subrole[roles, role] & (targets == target)).any())
        case Inhabited():
            return True


def written(closure: Closure, facts: Facts, goal: NumberFact, instance: Instance) -> Inference:
    """Write an instance over expressions, with the axioms of all the small steps that it stands for."""
    writer = Writer(facts, closure.axioms)
    premises = tuple(writer.fact(premise) for premise in instance.premises)
    for premise in premises:
        writer.step("premise", premise)
    writer.instance(goal, instance)
    conclusion = writer.fact(goal)
    axioms = dict.fromkeys(axiom for step in writer.steps_to(conclusion) for axiom in step.axioms)
    return Inference(instance.rule, conclusion, premises, tuple(axioms))
