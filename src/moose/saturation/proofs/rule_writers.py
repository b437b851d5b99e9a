"""Write rule instances over numbers as inferences over expressions: how each rule is cut into small steps.

The table `SPELT_OUT` at the end has the rules that take more than one step, or whose step is not what the numbers say;
any other is one step, in the spelling of the axiom that it cites.
"""

from __future__ import annotations

from typing import NamedTuple

from moose.owl.model import expressions as owl
from moose.owl.model.axioms import (
    Axiom,
    DifferentIndividuals,
    DisjointClasses,
    FunctionalDataProperty,
    HasKey,
    ObjectPropertyCharacteristic,
    ObjectPropertyRange,
    SubObjectPropertyOf,
)
from moose.owl.normal.normal_form import Kind, NormalForm
from moose.saturation.proofs.expressions import filler_of, intersection, some
from moose.saturation.proofs.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption
from moose.saturation.proofs.writer import Writer, named
from moose.saturation.recorded.rule_instance import Chosen, Inhabited, Instance, NumberFact, Sub


class Line(NamedTuple):
    """A rule instance over expressions, before it is cut into steps."""

    conclusion: Fact
    premises: list[Fact]
    axioms: list[Axiom]
    roles: tuple[Role, ...] = ()
    """Of a chain: its roles as told; of a link by a role below an empty one: the empty one."""


OF_ROLES = ("Rrchain", "R⊥role")
"""The rules whose instances have roles as their details."""


def write_proof(writer: Writer, chosen: Chosen, goal: NumberFact) -> None:
    """Write the chosen instances for a goal and all it needs, premises before what uses them."""
    stack = [goal]
    while stack:
        fact = stack[-1]
        instance = inlined(chosen[fact], chosen, writer.form)
        waiting = [premise for premise in instance.premises if writer.fact(premise) not in writer.steps]
        if waiting:
            stack += waiting
            continue
        stack.pop()
        if writer.fact(fact) not in writer.steps:
            write_instance(writer, fact, instance)


def inlined(instance: Instance, chosen: Chosen, form: NormalForm) -> Instance:
    """Pass over facts that only the numbers need, as the rule is told of what these were made of.

    These are, for a role that relates everything, that ∃r.D is somewhere; for an empty one, C ⊑ ∃r.⊤; for a loop,
    C ⊑ {a} ⊓ ∃r.{a}.
    """
    match instance:
        case Instance("Runiversal", (Inhabited() as somewhere,)) if chosen[somewhere].rule == "Runiversal":
            return chosen[somewhere]
        case Instance("R⊥role", (Sub(_, sup) as exists,)) if chosen[exists].rule == "R∃+":
            return Instance("R⊥role", chosen[exists].premises[:1], details=(int(form.first[sup]),))
        case Instance("Rself-nominal", (Sub() as both,)) if chosen[both].rule == "R⊓+":
            parts = sorted(chosen[both].premises, key=lambda part: isinstance(part, Sub) and is_some(form, part.sup))
            if chosen[parts[1]].rule == "R∃+":
                return Instance("Rself-nominal", (parts[0], *chosen[parts[1]].premises))
    return instance


def is_some(form: NormalForm, concept: int) -> bool:
    """Return whether a concept is of the form ∃r.D."""
    return bool(form.kinds[concept] == Kind.SOME)


def write_instance(writer: Writer, fact: NumberFact, instance: Instance) -> None:
    """Write one rule instance, through intermediate steps where the numbers had none."""
    premises = [writer.fact(premise) for premise in instance.premises]
    axioms = [writer.axioms[axiom] for axiom in instance.axioms]
    roles = tuple(writer.expressions.role(role) for role in instance.details) if instance.rule in OF_ROLES else ()
    line = Line(writer.fact(fact), premises, axioms, roles)
    spell_out = SPELT_OUT.get(instance.rule)
    if spell_out is not None:
        spell_out(writer, line)
    else:
        one_step(writer, instance.rule, line)


def one_step(writer: Writer, rule: str, line: Line) -> None:
    """Write a rule without a writer of its own: as it stands, but where it takes an axiom in the axiom's spelling."""
    if line.axioms:
        roles = {link.target: link.role for link in line.premises if isinstance(link, Link)}
        premises = [writer.respelt_inside(premise, line.axioms[0], roles) for premise in line.premises]
        writer.cite(rule, line.conclusion, premises, line.axioms)
    else:
        writer.step(rule, line.conclusion, line.premises)


# ── Concepts and links ────────────────────────────────────────────────────────────────────────────────────────────


def told(writer: Writer, line: Line) -> None:
    """R⊑, Rdisjoint and Rself-range, from premises and to a conclusion in the axiom's own spelling."""
    assert isinstance(line.conclusion, Subsumption)
    rule = {DisjointClasses: "Rdisjoint", DifferentIndividuals: "Rdisjoint"}.get(type(line.axioms[0]), "R⊑")
    if isinstance(line.axioms[0], ObjectPropertyRange):
        rule = "Rself-range"
    premises = [
        writer.respelt(premise, line.axioms[0], last=index > 0) for index, premise in enumerate(line.premises)
    ]  # of a concept that a disjointness lists twice, both spellings
    if rule == "Rdisjoint":
        writer.step(rule, line.conclusion, premises, line.axioms)
    else:
        writer.cite(rule, line.conclusion, premises, line.axioms)


def some_minus(writer: Writer, line: Line) -> None:
    """R∃− and then Rrange for every range of the role."""
    assert isinstance(line.conclusion, Link) and isinstance(line.premises[0], Subsumption)
    role, source = line.conclusion.role, line.conclusion.source
    target = filler_of(line.premises[0].sup)
    link = writer.step("R∃−", Link(source, role, target), line.premises)
    number = writer.form.roles.index(role)
    for above, _, axiom in writer.form.ranges.rows.tolist():
        if writer.form.is_subrole[number, above]:
            narrower = intersection([target, writer.range_of(axiom)])
            if narrower != target:
                up = writer.inclusion(role, writer.form.roles[above])
                link = writer.step("Rrange", Link(source, role, narrower), [link, up], [writer.axioms[axiom]])
                target = narrower
    writer.retarget(link, line.conclusion)


def functional(writer: Writer, line: Line) -> None:
    """Rfunctional, one further value at a time."""
    assert isinstance(line.axioms[0], FunctionalDataProperty)
    link = line.premises[0]
    assert isinstance(link, Link)
    up = writer.inclusion(link.role, line.axioms[0].property)
    for other in line.premises[1:]:
        assert isinstance(other, Link)
        target = intersection([link.target, other.target])
        also_up = writer.inclusion(other.role, line.axioms[0].property)
        joined = Link(link.source, link.role, target)
        link = (
            joined
            if target == link.target
            else writer.step("Rfunctional", joined, [link, other, up, also_up], line.axioms)
        )
        assert isinstance(link, Link)
    writer.retarget(link, line.conclusion)


def self_inclusion(writer: Writer, line: Line) -> None:
    """Rself-inc, with the steps that show the role inclusion."""
    assert isinstance(line.conclusion, Subsumption) and isinstance(line.premises[0], Subsumption)
    sub, sup = (_loop_role(fact.sup) for fact in (line.premises[0], line.conclusion))
    reflexive = writer.step("Rrefl-role", RoleInclusion(sub, sub))
    up = writer.step("Rrole", RoleInclusion(sub, sup), [reflexive], line.axioms)
    writer.step("Rself-inc", line.conclusion, [line.premises[0], up])


def self_chain(writer: Writer, line: Line) -> None:
    """Rself-chain, from the conjunction of all the ∃r.Self that the chain needs."""
    assert isinstance(line.conclusion, Subsumption)
    parts = []
    for role in _chain(line.axioms[0]):
        part = Subsumption(line.conclusion.sub, owl.ObjectHasSelf(role))
        parts.append(part if part in writer.steps else writer.step("R⊓−", part, line.premises))
    writer.step("Rself-chain", line.conclusion, parts, line.axioms)


def self_range(writer: Writer, line: Line) -> None:
    """Rself-range; for a role that relates everything, its ∃r.Self first."""
    assert isinstance(line.conclusion, Subsumption) and isinstance(line.axioms[0], ObjectPropertyRange)
    loop = (
        line.premises[0]
        if line.premises
        else universal_loop(writer, line.conclusion.sub, named(line.axioms[0].property))
    )
    told(writer, Line(line.conclusion, [loop], line.axioms))


def universal_self(writer: Writer, line: Line) -> None:
    """Rself-⊤ and Rself-inc."""
    assert isinstance(line.conclusion, Subsumption) and isinstance(line.conclusion.sup, owl.ObjectHasSelf)
    universal_loop(writer, line.conclusion.sub, named(line.conclusion.sup.property))


def universal_loop(writer: Writer, sub: Concept, role: owl.ObjectProperty) -> Fact:
    """Add the steps that show C ⊑ ∃r.Self for a role r that relates everything."""
    loop = writer.step("Rself-⊤", Subsumption(sub, owl.ObjectHasSelf(owl.TOP_OBJECT_PROPERTY)))
    if role == owl.TOP_OBJECT_PROPERTY:
        return loop
    up = writer.inclusion(owl.TOP_OBJECT_PROPERTY, role)
    return writer.step("Rself-inc", Subsumption(sub, owl.ObjectHasSelf(role)), [loop, up])


def some_plus(writer: Writer, line: Line) -> None:
    """R∃+, after Rrinc where the link is by a role below."""
    assert isinstance(line.conclusion, Subsumption)
    link = writer.raised(line.premises[0], _role_of(line.conclusion.sup))
    writer.step("R∃+", line.conclusion, [link, line.premises[1]])


def chain(writer: Writer, line: Line) -> None:
    """Rrchain, after Rrinc for each link that is by a role below."""
    links = [writer.raised(link, role) for link, role in zip(line.premises, line.roles, strict=True)]
    writer.step("Rrchain", line.conclusion, links, line.axioms)


def role_inclusion(writer: Writer, line: Line) -> None:
    """Rrinc, with the steps that show the role inclusion."""
    assert isinstance(line.conclusion, Link)
    writer.raised(line.premises[0], line.conclusion.role)


def empty_role(writer: Writer, line: Line) -> None:
    """R⊥role, after Rrinc where the link is by a role below; or from the link that C ⊑ ∃r.D stands for."""
    (premise,) = line.premises
    if isinstance(premise, Link):
        premise = writer.raised(premise, line.roles[0])
    elif isinstance(premise, Subsumption) and not isinstance(premise.sup, owl.ObjectHasSelf):
        premise = writer.step("R∃−", Link(premise.sub, _role_of(premise.sup), filler_of(premise.sup)), [premise])
    writer.step("R⊥role", line.conclusion, [premise])


def data_range(writer: Writer, line: Line) -> None:
    """Rdata, and R⊑⊑ where a concept is below a data range that lies in another."""
    assert isinstance(line.conclusion, Subsumption)
    if not line.premises or line.premises[0] == Subsumption(line.conclusion.sub, line.conclusion.sub):
        writer.step("Rdata", line.conclusion)
        return
    (premise,) = line.premises
    assert isinstance(premise, Subsumption)
    inside = writer.step("Rdata", Subsumption(premise.sup, line.conclusion.sup))
    writer.step("R⊑⊑", line.conclusion, [premise, inside])


# ── Individuals ───────────────────────────────────────────────────────────────────────────────────────────────────


def nonempty(writer: Writer, concept: Concept) -> Fact:
    """Add that ⊤ or an individual is there."""
    return writer.step("Rnonempty", NonEmpty(concept))


def link_nominal(writer: Writer, line: Line) -> None:
    """Rlink-nominal: R∃+, then R∃−."""
    link, below = line.premises
    assert isinstance(link, Link) and isinstance(below, Subsumption)
    exists = writer.step("R∃+", Subsumption(link.source, some(link.role, below.sup)), [link, below])
    writer.step("R∃−", line.conclusion, [exists])


def named_loop(writer: Writer, line: Line) -> None:
    """Rself-nominal, after Rrinc where the link is by a role below; or from C ⊑ {a} ⊓ ∃r.{a}."""
    assert isinstance(line.conclusion, Subsumption)
    role, sub = _loop_role(line.conclusion.sup), line.conclusion.sub
    if len(line.premises) == 3:
        named_there, link, below = line.premises
        writer.step("Rself-nominal", line.conclusion, [named_there, writer.raised(link, role), below])
        return
    (premise,) = line.premises
    assert isinstance(premise, Subsumption) and isinstance(premise.sup, owl.ObjectIntersectionOf)
    one = next(part for part in premise.sup.operands if isinstance(part, owl.ObjectOneOf))
    parts = [writer.step("R⊓−", part, [premise]) for part in (Subsumption(sub, one), Subsumption(sub, some(role, one)))]
    link = writer.step("R∃−", Link(sub, role, one), [parts[1]])
    writer.step("Rself-nominal", line.conclusion, [parts[0], link, same(writer, one)])


def named_range(writer: Writer, line: Line) -> None:
    """Rrange on a link between individuals, and Rnominal for what it leads to."""
    (link,) = line.premises
    (axiom,) = line.axioms
    assert (
        isinstance(link, Link) and isinstance(line.conclusion, Subsumption) and isinstance(axiom, ObjectPropertyRange)
    )
    up = writer.inclusion(link.role, named(axiom.property))
    narrow = intersection([link.target, line.conclusion.sup])
    narrowed = writer.step("Rrange", Link(link.source, link.role, narrow), [link, up], [axiom])
    there = writer.step("Rnonempty-link", NonEmpty(narrow), [nonempty(writer, link.source), narrowed])
    inside = writer.step("R⊓−", Subsumption(narrow, link.target), [same(writer, narrow)])
    back = writer.step("Rnominal", Subsumption(link.target, narrow), [inside, there])
    writer.step("R⊓−", line.conclusion, [back])


def universal(writer: Writer, line: Line) -> None:
    """Runiversal: C ⊑ ∃r.E or that ∃r.E is somewhere, from a D ⊑ E that is there; or the former from the latter."""
    match line.conclusion, line.premises:
        case NonEmpty(concept), [Subsumption() as below, there]:
            shown = everywhere(writer, Subsumption(owl.THING, concept), below, there)
            writer.step("Rnonempty-⊑", line.conclusion, [nonempty(writer, owl.THING), shown])
        case Subsumption() as goal, [Subsumption() as below, there]:
            everywhere(writer, goal, below, there)
        case Subsumption(_, sup) as goal, [NonEmpty() as somewhere]:
            filler = filler_of(sup)
            link = writer.step("R∃−", Link(sup, _role_of(sup), filler), [writer.step("R0", Subsumption(sup, sup))])
            there = writer.step("Rnonempty-link", NonEmpty(filler), [somewhere, link])
            everywhere(writer, goal, same(writer, filler), there)


def everywhere(writer: Writer, goal: Subsumption, below: Subsumption, there: Fact) -> Fact:
    """Runiversal, or Runiversal-role for a role above owl:topObjectProperty."""
    role = _role_of(goal.sup)
    if role == owl.TOP_OBJECT_PROPERTY:
        return writer.step("Runiversal", goal, [below, there])
    return writer.step("Runiversal-role", goal, [writer.inclusion(owl.TOP_OBJECT_PROPERTY, role), there, below])


def same(writer: Writer, concept: Concept) -> Subsumption:
    """Add C ⊑ C."""
    fact = Subsumption(concept, concept)
    writer.step("R0", fact)
    return fact


def key(writer: Writer, line: Line) -> None:
    """Rkey, with each link written as an existential, by R∃+ or Runiversal."""
    (axiom,) = line.axioms
    assert isinstance(axiom, HasKey)
    parts = [writer.respelt(premise, axiom) for premise in line.premises[:2]]
    sources = [part.sub for part in parts if isinstance(part, Subsumption)]
    roles = [role for role in (*axiom.object_properties, *axiom.data_properties) for _ in sources]
    for number, (role, shared) in enumerate(zip(roles, line.premises[2:], strict=True)):
        assert not isinstance(role, owl.ObjectInverseOf)
        filler = shared.target if isinstance(shared, Link) else shared.concept if isinstance(shared, NonEmpty) else None
        assert filler is not None, "a link, or an individual that is there"
        exists, itself = Subsumption(sources[number % 2], some(role, filler)), same(writer, filler)
        if isinstance(shared, Link):
            parts.append(writer.step("R∃+", exists, [writer.raised(shared, role), itself]))
        else:
            parts.append(everywhere(writer, exists, itself, shared))
    writer.step("Rkey", line.conclusion, parts, line.axioms)


SPELT_OUT = {
    "R⊑": told,
    "Rdisjoint": told,
    "R∃−": some_minus,
    "R∃+": some_plus,
    "Rrinc": role_inclusion,
    "Rrchain": chain,
    "Rrange": named_range,
    "R⊥role": empty_role,
    "Rself-inc": self_inclusion,
    "Rself-chain": self_chain,
    "Rself-range": self_range,
    "Rself-⊤": universal_self,
    "Rself-nominal": named_loop,
    "Rlink-nominal": link_nominal,
    "Runiversal": universal,
    "Rkey": key,
    "Rfunctional": functional,
    "Rdata": data_range,
}
"""How the rules that are not one step as they stand are written."""


def _role_of(concept: Concept) -> Role:
    """Return the role of an existential."""
    if isinstance(concept, owl.DataSomeValuesFrom):
        (role,) = concept.properties
        return role
    assert isinstance(concept, owl.ObjectSomeValuesFrom)
    return named(concept.property)


def _loop_role(concept: Concept) -> owl.ObjectProperty:
    assert isinstance(concept, owl.ObjectHasSelf)
    return named(concept.property)


def _chain(axiom: Axiom) -> tuple[owl.ObjectPropertyExpression, ...]:
    """Return the roles whose ∃r.Self an axiom puts together."""
    if isinstance(axiom, ObjectPropertyCharacteristic):
        return (axiom.property, axiom.property)
    assert isinstance(axiom, SubObjectPropertyOf)
    return axiom.chain
