"""Rule instances of a closure over expressions: what `Closure.derivations` returns."""

from __future__ import annotations

from collections.abc import Sequence

from moose.owl.model.axioms import Axiom
from moose.owl.normal.normal_form import NormalForm
from moose.saturation.proofs.expressions import Numbering
from moose.saturation.proofs.proof import Fact, Inference
from moose.saturation.proofs.rule_writers import write_instance
from moose.saturation.proofs.writer import Writer
from moose.saturation.recorded.derivations import Concluded, Derivations
from moose.saturation.recorded.rule_instance import Arrow, Inhabited, Instance, NumberFact, Sub


def instances_of(form: NormalForm, axioms: Sequence[Axiom], fact: Fact, *, is_assumed: bool) -> tuple[Inference, ...]:
    """Return every rule instance that concludes a fact; with `is_assumed`, where C of C ⊑ D has an element."""
    goal = Numbering(form).fact(fact)
    if goal is None:
        return ()
    derivable = with_premises(list(Derivations(form, root_of(goal), is_assumed=is_assumed).all()))
    instances = [instance for conclusion, instance in derivable if conclusion == goal]
    if isinstance(goal, Arrow):
        instances += by_lower_roles(form, goal, derivable)
    return tuple(dict.fromkeys(written(Writer(form, axioms), goal, instance) for instance in instances))


def root_of(goal: NumberFact) -> int:
    """Return the concept that a fact is about."""
    match goal:
        case Sub(concept, _) | Arrow(concept, _, _) | Inhabited(concept):
            return concept


def with_premises(instances: Sequence[Concluded]) -> list[Concluded]:
    """Leave out instances with a premise that nothing derives."""
    waiting: dict[NumberFact, list[int]] = {}
    missing = [set(instance.premises) for _, instance in instances]
    for number, premises in enumerate(missing):
        for premise in premises:
            waiting.setdefault(premise, []).append(number)
    ready = [number for number, premises in enumerate(missing) if not premises]
    derived: set[NumberFact] = set()
    for number in ready:  # grows while it is read
        fact = instances[number][0]
        if fact not in derived:
            derived.add(fact)
            for user in waiting.get(fact, ()):
                missing[user].discard(fact)
                if not missing[user]:
                    ready.append(user)
    return [concluded for concluded, premises in zip(instances, missing, strict=True) if not premises]


def by_lower_roles(form: NormalForm, goal: Arrow, derivable: Sequence[Concluded]) -> list[Instance]:
    """Rrinc, which the rules do as they go: from the links to the same by roles below."""
    lower = {
        fact
        for fact, _ in derivable
        if isinstance(fact, Arrow)
        and (fact.source, fact.target) == (goal.source, goal.target)
        and fact.role != goal.role
        and form.is_subrole[fact.role, goal.role]
    }
    return [Instance("Rrinc", (fact,)) for fact in sorted(lower)]


def written(writer: Writer, goal: NumberFact, instance: Instance) -> Inference:
    """Write an instance over expressions, with the axioms of all the small steps that it stands for."""
    premises = tuple(writer.fact(premise) for premise in instance.premises)
    for premise in premises:
        writer.step("premise", premise)
    write_instance(writer, goal, instance)
    conclusion = writer.fact(goal)
    axioms = dict.fromkeys(axiom for step in writer.steps_to(conclusion) for axiom in step.axioms)
    return Inference(instance.rule, conclusion, premises, tuple(axioms))
