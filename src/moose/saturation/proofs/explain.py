"""Why something follows: a proof, found on demand in the closure of what the goal leads to."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations
from types import ModuleType

from moose.base.errors import MooseError, TooManyInstances
from moose.base.minimal_subsets import shrunk
from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.modules.module_extraction import Modules, goal_module
from moose.owl.names import Names
from moose.owl.normal.normal_form import BOTTOM, Kind, NormalForm
from moose.owl.normal.normalise import normalise
from moose.owl.ontology import Ontology
from moose.owl.profile.el import is_el
from moose.owl.syntax.functional.write_functional import render
from moose.owl.syntax.goal_text import as_goal
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import KEPT_SATURATIONS, Saturation, is_possible, saturate_form
from moose.saturation.proofs.expressions import canonical
from moose.saturation.proofs.notation import Display
from moose.saturation.proofs.proof import Proof
from moose.saturation.proofs.rule_writers import write_proof
from moose.saturation.proofs.search import smallest_proof
from moose.saturation.proofs.writer import Writer
from moose.saturation.recorded.derivations import Derivations
from moose.saturation.recorded.rule_instance import Sub

Inclusion = tuple[owl.ClassExpression, owl.ClassExpression]
MOST_INSTANCES = 50_000
"""Rule instances among which the smallest proof is sought: a second or two. Beyond, any proof will do."""
MOST_OUTSIDE = 10_000
"""The same where axioms outside EL say much of what stands elsewhere: several ways are tried then, one by one."""


ROLE_AXIOMS = (
    *(ax.ObjectPropertyRange, ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.ObjectPropertyCharacteristic),
    *(ax.DataPropertyRange, ax.SubDataPropertyOf, ax.EquivalentDataProperties),
)
"""What a proof may take in without need."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a goal follows: one proof for each inclusion that the goal comes down to. Prints as trees."""

    goal: ax.Axiom
    proofs: tuple[Proof, ...]
    display: Display = field(repr=False, compare=False)
    """How an IRI is shown."""

    def __repr__(self) -> str:
        return f"Explanation({render(self.goal, self.display)}, {sum(len(proof.steps) for proof in self.proofs)} steps)"

    def _repr_svg_(self) -> str | None:
        """Draw a single proof for a notebook, which shows several as text."""
        return self.svg()[0] if len(self.proofs) == 1 else None

    def svg(self) -> list[str]:
        """Draw each proof as SVG."""
        return [_drawing().proof_svg(proof, self.display) for proof in self.proofs]

    def dot(self) -> list[str]:
        """Write each proof in Graphviz's language."""
        return [_drawing().proof_dot(proof, self.display) for proof in self.proofs]

    def json(self) -> list[dict[str, object]]:
        """Return each proof as values that JSON can hold."""
        return [_drawing().proof_json(proof) for proof in self.proofs]

    def __str__(self) -> str:
        return "\n\n".join(_drawing().proof_text(proof, self.display) for proof in self.proofs)


def _drawing() -> ModuleType:
    """Return what draws proofs, which is loaded only where one is looked at."""
    from moose.saturation.proofs import picture

    return picture


def explain(ontology: Ontology, goal: ax.Axiom | str) -> Explanation | None:
    """Return why a goal, an axiom or its text, follows from an ontology, or None where that was not found.

    Where axioms outside EL can matter, it may follow all the same: `moose.entailment` tells the two apart.
    Goals are SubClassOf, EquivalentClasses, DisjointClasses, ClassAssertion, ObjectPropertyAssertion, SameIndividual,
    with class expressions of OWL 2 EL.
    """
    names = Names(ontology)
    axiom = as_goal(goal, "the goal", names.resolve)
    proofs = []
    for sub, sup in inclusions(axiom):
        proof = prove(ontology, sub, sup)
        if proof is None:
            return None
        proofs.append(proof)
    return Explanation(axiom, tuple(proofs), names.show)


def inclusions(goal: ax.Axiom) -> list[Inclusion]:
    """Return the class inclusions that a goal comes down to."""
    match goal:
        case ax.SubClassOf(sub, sup):
            result: list[Inclusion] = [(sub, sup)]
        case ax.EquivalentClasses(operands):
            result = list(zip(operands, (*operands[1:], operands[0]), strict=True))
        case ax.DisjointClasses(operands):
            result = [(owl.ObjectIntersectionOf(pair), owl.NOTHING) for pair in combinations(operands, 2)]
        case ax.ObjectPropertyDomain(role, domain):
            result = [(owl.ObjectSomeValuesFrom(role, owl.THING), domain)]
        case ax.DataPropertyDomain(attribute, domain):
            result = [(owl.DataSomeValuesFrom((attribute,), owl.LITERAL), domain)]
        case ax.ClassAssertion(cls, individual):
            result = [(owl.ObjectOneOf((individual,)), cls)]
        case ax.ObjectPropertyAssertion(role, source, target, negative=False):
            result = [(owl.ObjectOneOf((source,)), owl.ObjectHasValue(role, target))]
        case ax.SameIndividual(individuals):
            nominals = [owl.ObjectOneOf((individual,)) for individual in individuals]
            result = list(zip(nominals, (*nominals[1:], nominals[0]), strict=True))
        case ax.DifferentIndividuals(individuals):
            nominals = [owl.ObjectOneOf((individual,)) for individual in individuals]
            result = [(owl.ObjectIntersectionOf(pair), owl.NOTHING) for pair in combinations(nominals, 2)]
        case _:
            raise MooseError(
                f"expected a goal such as SubClassOf(A B), EquivalentClasses, DisjointClasses, ClassAssertion, "
                f"ObjectPropertyAssertion, SameIndividual, DifferentIndividuals or ObjectPropertyDomain, "
                f"but got {render(goal)}; ask for one of these"
            )
    check_el(result)
    return result


def check_el(pairs: Sequence[Inclusion]) -> None:
    """Refuse class expressions outside EL in a goal."""
    for expression in chain.from_iterable(pairs):
        if not is_el(expression):
            raise MooseError(
                f"expected class expressions of OWL 2 EL in the goal, but got {render(expression)}; "
                "leave out unions, complements, universals, cardinalities and inverses"
            )


def prove(ontology: Ontology, sub: owl.ClassExpression, sup: owl.ClassExpression) -> Proof | None:
    """Return a small proof of C ⊑ D, or None where it does not follow.

    The kernel says whether it follows, and whether by C's having an element; the rules are then run once more around C
    with every instance kept. Where these are too many, because axioms outside EL say much of what stands elsewhere, a
    proof without that is sought, then just some proof, then one from the axioms of a justification alone.
    """
    proof = prove_somehow(ontology, sub, sup)
    return None if proof is None else without_padding(proof, (sub, sup))


def without_padding(proof: Proof, goal: Inclusion) -> Proof:
    """Prove a goal by the axioms of a proof alone, without those about roles that are not needed.

    The rules take in all ranges of a role and all that is above it, whether or not the goal needs them.
    """
    used = axioms_of(proof)
    about_roles = [axiom for axiom in used if isinstance(axiom, ROLE_AXIOMS)]
    others = [axiom for axiom in used if not isinstance(axiom, ROLE_AXIOMS)]

    def entail(axioms: Collection[ax.Axiom]) -> bool:
        form = normalise(list(axioms), goals=[goal])
        return derivable(form, *form.goals[0]) is not None

    if not about_roles or not entail(used):
        return proof
    needed = frozenset(shrunk(about_roles, entail, kept=others))
    if len(needed) == len(used):
        return proof
    axioms = [axiom for axiom in used if axiom in needed]
    form = normalise(axioms, goals=[goal])
    found = derivable(form, *form.goals[0])
    assert found is not None, "they entail it"
    return write_down(found, axioms, goal)


def prove_somehow(ontology: Ontology, sub: owl.ClassExpression, sup: owl.ClassExpression) -> Proof | None:
    """Return a small proof of C ⊑ D, which may take in more about roles than it needs."""
    axioms, plain = ontology.profile.used_axioms, ontology.profile.plain_axioms
    most = MOST_INSTANCES if len(plain) == len(axioms) else MOST_OUTSIDE
    whole = derivable(*numbered(ontology, sub, sup), kept=KEPT_SATURATIONS.get(ontology))
    if whole is None:
        return None
    try:
        return write_down(whole, axioms, (sub, sup), most=most)
    except TooManyInstances:
        if len(plain) == len(axioms):
            return write_down(whole, axioms, (sub, sup), is_sparing=True)
    form = normalise(plain, goals=[(sub, sup)])
    part = derivable(form, *form.goals[0])
    for found, by, is_sparing in ((part, plain, False), (part, plain, True), (whole, axioms, True)):
        if found is not None:
            try:
                return write_down(found, by, (sub, sup), is_sparing=is_sparing, most=most)
            except TooManyInstances:
                pass
    return prove_from_few(axioms, (sub, sup))


def prove_from_few(axioms: Sequence[ax.Axiom], goal: Inclusion) -> Proof:
    """Prove a goal, which follows from axioms, from the few of one justification: they have few rule instances."""

    def found_from(some: Collection[ax.Axiom]) -> Derivable | None:
        form = normalise(list(some), goals=[goal])
        return derivable(form, *form.goals[0])

    def entail(some: Collection[ax.Axiom]) -> bool:
        return found_from(some) is not None

    module = [axioms[position] for position in goal_module(Modules(axioms), goal)]
    candidates = module if entail(module) else axioms
    found = found_from(candidates)
    assert found is not None, "the goal follows"
    try:
        used = axioms_of(write_down(found, candidates, goal, is_sparing=True, most=MOST_INSTANCES))
    except TooManyInstances:
        used = []
    justification = shrunk(used if entail(used) else candidates, entail)
    found = found_from(justification)
    assert found is not None, "a justification entails its goal"
    try:
        return write_down(found, justification, goal, most=MOST_INSTANCES)
    except TooManyInstances:
        return write_down(found, justification, goal, is_sparing=True)


def axioms_of(proof: Proof) -> list[ax.Axiom]:
    """Return the axioms that a proof uses, each once."""
    return list(dict.fromkeys(axiom for step in proof.steps for axiom in step.axioms))


@dataclass(frozen=True, slots=True)
class Derivable:
    """A subsumption that follows, as the kernel says: C ⊑ D, or all that there is is impossible."""

    form: NormalForm
    root: int
    goal: int
    is_derived: bool
    """Whether C ⊑ D itself; else C is impossible."""
    assumption: int | None
    """C, where what follows rests on its having an element."""
    clashes: list[int]
    """An individual that is impossible, where that is why C is."""


def derivable(form: NormalForm, root: int, goal: int, *, kept: Saturation | None = None) -> Derivable | None:
    """Ask the kernel whether a subsumption follows, or look it up in what is saturated already."""
    is_there = kept is not None and kept.form is form and kept.base.is_started[root]
    closure = kept if kept is not None and is_there else saturate_form(form, roots=[root])
    facts = closure.world_of(root)
    is_derived = facts.has(root, goal)
    if not is_derived and not facts.is_bottom[root] and is_possible(facts):
        return None
    clashes = [] if is_derived or facts.is_bottom[root] else first_clash(facts)
    return Derivable(form, root, goal, is_derived, root if root in closure.worlds else None, clashes)


def write_down(
    one: Derivable, axioms: Sequence[ax.Axiom], goal: Inclusion, *, is_sparing: bool = False, most: int | None = None
) -> Proof:
    """Find a proof of what follows, and write it; for `is_sparing` and `most` see `Calculus`."""
    derivations = Derivations(
        one.form,
        one.root,
        others=one.clashes,
        is_assumed=one.assumption is not None,
        is_goal_directed=True,
        is_sparing=is_sparing,
        most=most,
    )
    writer = Writer(one.form, axioms)
    write(derivations, writer, Sub(one.root, one.goal if one.is_derived else BOTTOM))
    if not one.is_derived:
        writer.step("R⊥⊑", writer.fact(Sub(one.root, one.goal)), [writer.fact(Sub(one.root, BOTTOM))])
    sub = canonical(goal[0]) if one.assumption is None else None
    conclusion = writer.restated(Sub(one.root, one.goal), sub, canonical(goal[1]))
    assumed = None if one.assumption is None else writer.expressions.class_expression(one.assumption)
    return Proof(conclusion, writer.steps_to(conclusion), assumed)


def first_clash(facts: Facts) -> list[int]:
    """Return the individual that was the first to be seen impossible, if one was: others may be so because of it."""
    clashing = facts.contexts[facts.concepts == BOTTOM]  # in the order in which they were derived
    nominals: list[int] = clashing[facts.form.kinds[clashing] == Kind.NOMINAL].tolist()
    return nominals[:1]


def write(derivations: Derivations, writer: Writer, goal: Sub) -> None:
    """Write a small proof of a subsumption that holds."""
    chosen = smallest_proof(derivations, goal)
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
