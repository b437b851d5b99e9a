"""Why something follows: a proof, found on demand in the closure of what the goal leads to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from moose.base.errors import MooseError, TooManyInstances
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.names import Names
from moose.owl.normal.normal_form import BOTTOM, Kind, NormalForm
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.owl.profile.el import is_el
from moose.owl.syntax.functional.write_functional import render
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import is_possible, saturate_form
from moose.saturation.proofs.expressions import canonical
from moose.saturation.proofs.notation import Display
from moose.saturation.proofs.picture import proof_dot, proof_json, proof_svg, proof_text
from moose.saturation.proofs.proof import Proof
from moose.saturation.proofs.rule_writers import write_proof
from moose.saturation.proofs.search import smallest_proof
from moose.saturation.proofs.writer import Writer
from moose.saturation.recorded.derivations import Derivations
from moose.saturation.recorded.rule_instance import Sub

Inclusion = tuple[owl.ClassExpression, owl.ClassExpression]
MOST_INSTANCES = 50_000
"""Rule instances among which the smallest proof is sought: a second or two. Beyond, any proof will do."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a goal follows: one proof for each inclusion that the goal comes down to. Prints as trees."""

    goal: ax.Axiom
    proofs: tuple[Proof, ...]
    display: Display = field(repr=False, compare=False)
    """How an IRI is shown."""

    def svg(self) -> list[str]:
        """Draw each proof as SVG."""
        return [proof_svg(proof, self.display) for proof in self.proofs]

    def dot(self) -> list[str]:
        """Write each proof in Graphviz's language."""
        return [proof_dot(proof, self.display) for proof in self.proofs]

    def json(self) -> list[dict[str, object]]:
        """Return each proof as values that JSON can hold."""
        return [proof_json(proof) for proof in self.proofs]

    def __str__(self) -> str:
        return "\n\n".join(proof_text(proof, self.display) for proof in self.proofs)


def explain(ontology: Ontology, goal: ax.Axiom) -> Explanation | None:
    """Return why a goal follows from an ontology, or None where that was not found.

    Where axioms outside EL can matter, it may follow all the same: `moose.entailment` tells the two apart.
    Goals are SubClassOf, EquivalentClasses, DisjointClasses, ClassAssertion, ObjectPropertyAssertion, SameIndividual,
    with class expressions of OWL 2 EL.
    """
    proofs = []
    for sub, sup in inclusions(goal):
        proof = prove(ontology, sub, sup)
        if proof is None:
            return None
        proofs.append(proof)
    return Explanation(goal, tuple(proofs), Names(ontology).display)


def inclusions(goal: ax.Axiom) -> list[Inclusion]:
    """Return the class inclusions that a goal comes down to."""
    match goal:
        case ax.SubClassOf(sub, sup):
            result: list[Inclusion] = [(sub, sup)]
        case ax.EquivalentClasses(operands):
            result = list(zip(operands, (*operands[1:], operands[0]), strict=True))
        case ax.DisjointClasses(operands):
            pairs = [(one, two) for position, one in enumerate(operands) for two in operands[position + 1 :]]
            result = [(owl.ObjectIntersectionOf(pair), owl.NOTHING) for pair in pairs]
        case ax.ClassAssertion(cls, individual):
            result = [(owl.ObjectOneOf((individual,)), cls)]
        case ax.ObjectPropertyAssertion(role, source, target, negative=False):
            result = [(owl.ObjectOneOf((source,)), owl.ObjectHasValue(role, target))]
        case ax.SameIndividual(individuals):
            nominals = [owl.ObjectOneOf((individual,)) for individual in individuals]
            result = list(zip(nominals, (*nominals[1:], nominals[0]), strict=True))
        case _:
            raise MooseError(
                f"expected a goal such as SubClassOf(A B), EquivalentClasses, DisjointClasses, ClassAssertion, "
                f"ObjectPropertyAssertion or SameIndividual, but got {render(goal)}; ask for one of these"
            )
    for pair in result:
        for expression in pair:
            if not is_el(expression):
                raise MooseError(
                    f"expected class expressions of OWL 2 EL in the goal, but got {render(expression)}; "
                    "leave out unions, complements, universals, cardinalities and inverses"
                )
    return result


def prove(ontology: Ontology, sub: owl.ClassExpression, sup: owl.ClassExpression) -> Proof | None:
    """Return a small proof of C ⊑ D, or None where it does not follow.

    The kernel says whether it follows, and whether by C's having an element; the rules are then run once more around C
    with every instance kept.
    """
    form, root, goal = numbered(ontology, sub, sup)
    closure = saturate_form(form, roots=[root])
    facts = closure.world_of(root)
    is_derived = facts.has(root, goal)
    if not is_derived and not facts.is_bottom[root] and is_possible(facts):
        return None
    assumption = root if root in closure.worlds else None
    clashes = [] if is_derived or facts.is_bottom[root] else first_clash(facts)
    around = partial(Derivations, form, root, others=clashes, is_assumed=assumption is not None, is_goal_directed=True)
    writer = Writer(form, ontology.profile.used_axioms)
    write(around, writer, Sub(root, goal if is_derived else BOTTOM))
    if not is_derived:
        writer.step("R⊥⊑", writer.fact(Sub(root, goal)), [writer.fact(Sub(root, BOTTOM))])
    conclusion = writer.restated(Sub(root, goal), canonical(sub) if assumption is None else None, canonical(sup))
    assumed = None if assumption is None else writer.expressions.class_expression(assumption)
    return Proof(conclusion, writer.steps_to(conclusion), assumed)


def first_clash(facts: Facts) -> list[int]:
    """Return the individual that was the first to be seen impossible, if one was: others may be so because of it."""
    clashing = facts.contexts[facts.concepts == BOTTOM]  # in the order in which they were derived
    nominals: list[int] = clashing[facts.form.kinds[clashing] == Kind.NOMINAL].tolist()
    return nominals[:1]


def write(around: Callable[..., Derivations], writer: Writer, goal: Sub) -> None:
    """Write a small proof of a subsumption that holds; just some proof where there are too many rule instances."""
    try:
        chosen = smallest_proof(around(most=MOST_INSTANCES), goal)
    except TooManyInstances:
        chosen = smallest_proof(around(is_sparing=True), goal)
    assert chosen is not None, "what was derived has a derivation"
    write_proof(writer, chosen, goal)


def numbered(ontology: Ontology, sub: owl.ClassExpression, sup: owl.ClassExpression) -> tuple[NormalForm, int, int]:
    """Return a normal form that knows both sides of a goal: the ontology's own where they are classes of it."""
    form = ontology.normal_form
    numbers = [form.class_number(side.iri) if isinstance(side, owl.Class) else None for side in (sub, sup)]
    if numbers[0] is not None and numbers[1] is not None:
        return form, numbers[0], numbers[1]
    form = normalise(ontology.profile.used_axioms, goals=[(sub, sup)])
    return form, *form.goals[0]
