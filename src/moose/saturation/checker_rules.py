"""The rules that a proof may use: one function each, its sequent as its docstring, all in one table.

C, D, E are concepts; r, s, t roles; d, e, f data properties; a, b, c individuals. Every rule is sound in every model
of the axioms in which the proof's assumption, if it has one, is not empty.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from moose.owl.axioms import Axiom, FunctionalDataProperty, HasKey
from moose.owl.model import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    ClassExpression,
    DataOneOf,
    DataProperty,
    DataRange,
    DataSomeValuesFrom,
    NamedIndividual,
    ObjectHasSelf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.saturation.checker_forms import (
    canonical_class,
    conjuncts,
    intersect,
    is_surely_inhabited,
    range_conjuncts,
    tells_disjoint,
    tells_inclusion,
    tells_role_inclusion,
    told_chain,
    told_range,
    values_in,
)
from moose.saturation.proof import Concept, Fact, Link, NonEmpty, Role, RoleInclusion, Subsumption


@dataclass(frozen=True, slots=True)
class Step:
    """One inference with its facts in canonical form, and the assumption of its proof."""

    premises: tuple[Fact, ...]
    axioms: tuple[Axiom, ...]
    conclusion: Fact
    assumption: Concept | None = None


Rule = Callable[[Step], bool]


def some(role: Role, filler: Concept) -> ClassExpression | None:
    """Write ∃r.D or ∃d.D, or return None where role and filler do not fit together."""
    if isinstance(role, DataProperty):
        return DataSomeValuesFrom((role,), filler) if isinstance(filler, DataRange) else None
    return None if isinstance(filler, DataRange) else ObjectSomeValuesFrom(role, filler)


# ── Concepts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def reflexivity(step: Step) -> bool:
    """⊢ C ⊑ C"""
    match step:
        case Step((), (), Subsumption(sub, sup)):
            return sub == sup
    return False


def top(step: Step) -> bool:
    """⊢ C ⊑ ⊤"""
    match step:
        case Step((), (), Subsumption(_, sup)):
            return sup == THING
    return False


def told(step: Step) -> bool:
    """C ⊑ D; an axiom that tells D ⊑ E ⊢ C ⊑ E"""
    match step:
        case Step((Subsumption(sub, middle),), (axiom,), Subsumption(goal_sub, sup)):
            return goal_sub == sub and tells_inclusion(axiom, middle, sup)
    return False


def transitivity(step: Step) -> bool:
    """C ⊑ D, D ⊑ E ⊢ C ⊑ E"""
    match step:
        case Step((Subsumption(sub, middle), Subsumption(same, sup)), (), goal):
            return middle == same and goal == Subsumption(sub, sup)
    return False


def conjunct(step: Step) -> bool:
    """C ⊑ D₁ ⊓ … ⊓ Dₙ ⊢ C ⊑ any of the Dᵢ, or several of them"""
    match step:
        case Step((Subsumption(sub, whole),), (), Subsumption(goal_sub, part)) if goal_sub == sub:
            if isinstance(whole, DataRange) and isinstance(part, DataRange):
                return range_conjuncts(part) <= range_conjuncts(whole)
            if not isinstance(whole, DataRange) and not isinstance(part, DataRange):
                return conjuncts(part) <= conjuncts(whole)
    return False


def conjunction(step: Step) -> bool:
    """C ⊑ D₁, …, C ⊑ Dₙ ⊢ C ⊑ D₁ ⊓ … ⊓ Dₙ"""
    parts = [premise.sup for premise in step.premises if isinstance(premise, Subsumption)]
    match step:
        case Step((_, *_), (), Subsumption(sub, whole)):
            is_about_sub = all(isinstance(premise, Subsumption) and premise.sub == sub for premise in step.premises)
            return is_about_sub and intersect(parts) == whole
    return False


def bottom(step: Step) -> bool:
    """C →r→ D, D ⊑ ⊥ ⊢ C ⊑ ⊥"""
    match step:
        case Step((Link(source, _, target), Subsumption(sub, sup)), (), goal):
            return sub == target and sup == NOTHING and goal == Subsumption(source, NOTHING)
    return False


def from_falsehood(step: Step) -> bool:
    """C ⊑ ⊥ ⊢ C ⊑ D"""
    match step:
        case Step((Subsumption(sub, sup),), (), Subsumption(goal_sub, _)):
            return sup == NOTHING and goal_sub == sub
    return False


def disjointness(step: Step) -> bool:
    """C ⊑ D, C ⊑ E; an axiom that tells D and E disjoint (or two individuals different) ⊢ C ⊑ ⊥"""
    match step:
        case Step((Subsumption(sub, one), Subsumption(same, other)), (axiom,), goal):
            return sub == same and tells_disjoint(axiom, one, other) and goal == Subsumption(sub, NOTHING)
    return False


# ── Links and roles ───────────────────────────────────────────────────────────────────────────────────────────────


def some_to_link(step: Step) -> bool:
    """C ⊑ ∃r.D ⊢ C →r→ D"""
    match step:
        case Step((Subsumption(sub, sup),), (), Link(source, role, target)):
            return source == sub and sup == some(role, target)
    return False


def link_to_some(step: Step) -> bool:
    """C →r→ D, D ⊑ E ⊢ C ⊑ ∃r.E"""
    match step:
        case Step((Link(source, role, target), Subsumption(sub, sup)), (), Subsumption(goal_sub, goal_sup)):
            return sub == target and goal_sub == source and goal_sup == some(role, sup)
    return False


def same_role(step: Step) -> bool:
    """⊢ r ⊑ r"""
    match step:
        case Step((), (), RoleInclusion(sub, sup)):
            return sub == sup
    return False


def told_role(step: Step) -> bool:
    """r ⊑ s; an axiom that tells s ⊑ t (none where s is a bottom role or t a top role) ⊢ r ⊑ t"""
    match step:
        case Step((RoleInclusion(sub, middle),), (axiom,), RoleInclusion(goal_sub, sup)):
            return goal_sub == sub and tells_role_inclusion(axiom, middle, sup)
        case Step((RoleInclusion(sub, middle),), (), RoleInclusion(goal_sub, sup)):
            is_bottom = middle in (BOTTOM_OBJECT_PROPERTY, BOTTOM_DATA_PROPERTY)
            return goal_sub == sub and (is_bottom or sup in (TOP_OBJECT_PROPERTY, TOP_DATA_PROPERTY))
    return False


def role_inclusion(step: Step) -> bool:
    """C →r→ D, r ⊑ s ⊢ C →s→ D"""
    match step:
        case Step((Link(source, role, target), RoleInclusion(sub, sup)), (), goal):
            return sub == role and goal == Link(source, sup, target)
    return False


def role_chain(step: Step) -> bool:
    """C₀ →r₁→ C₁, …, Cₙ₋₁ →rₙ→ Cₙ; an axiom that tells r₁ ∘ … ∘ rₙ ⊑ s ⊢ C₀ →s→ Cₙ"""
    links = [premise for premise in step.premises if isinstance(premise, Link)]
    match step:
        case Step((Link(), Link(), *_), (axiom,), Link(source, role, target)) if len(links) == len(step.premises):
            return (
                told_chain(axiom) == (tuple(link.role for link in links), role)
                and all(one.target == following.source for one, following in pairwise(links))
                and (source, target) == (links[0].source, links[-1].target)
            )
    return False


def link_range(step: Step) -> bool:
    """C →r→ D, r ⊑ s; an axiom that gives s the range E ⊢ C →r→ D ⊓ E"""
    match step:
        case Step((Link(source, role, target), RoleInclusion(sub, sup)), (axiom,), goal) if sub == role:
            found = told_range(axiom, sup)
            both = None if found is None else intersect([target, found])
            return both is not None and goal == Link(source, role, both)
    return False


def bottom_role(step: Step) -> bool:
    """C →r→ D or C ⊑ ∃r.Self, where r is a bottom role ⊢ C ⊑ ⊥"""
    match step:
        case Step((Link(source, role, _),), (), goal) | Step((Subsumption(source, ObjectHasSelf(role)),), (), goal):
            return role in (BOTTOM_OBJECT_PROPERTY, BOTTOM_DATA_PROPERTY) and goal == Subsumption(source, NOTHING)
    return False


# ── Self ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def self_to_link(step: Step) -> bool:
    """C ⊑ ∃r.Self ⊢ C →r→ C"""
    match step:
        case Step((Subsumption(sub, ObjectHasSelf(ObjectProperty() as role)),), (), goal):
            return goal == Link(sub, role, sub)
    return False


def self_top_role(step: Step) -> bool:
    """⊢ C ⊑ ∃r.Self, where r is owl:topObjectProperty"""
    match step:
        case Step((), (), Subsumption(_, sup)):
            return sup == ObjectHasSelf(TOP_OBJECT_PROPERTY)
    return False


def self_role_inclusion(step: Step) -> bool:
    """C ⊑ ∃r.Self, r ⊑ s ⊢ C ⊑ ∃s.Self"""
    match step:
        case Step(
            (Subsumption(sub, ObjectHasSelf(role)), RoleInclusion(sub_role, ObjectProperty() as sup_role)), (), goal
        ):
            return sub_role == role and goal == Subsumption(sub, ObjectHasSelf(sup_role))
    return False


def self_chain(step: Step) -> bool:
    """C ⊑ ∃r₁.Self, …, C ⊑ ∃rₙ.Self; an axiom that tells r₁ ∘ … ∘ rₙ ⊑ s ⊢ C ⊑ ∃s.Self"""
    match step:
        case Step(_, (axiom,), Subsumption(sub, ObjectHasSelf(role))):
            chain = told_chain(axiom)
            return (
                chain is not None
                and chain[1] == role
                and step.premises == tuple(Subsumption(sub, ObjectHasSelf(one)) for one in chain[0])
            )
    return False


def self_range(step: Step) -> bool:
    """C ⊑ ∃r.Self; an axiom that gives r the range D ⊢ C ⊑ D"""
    match step:
        case Step((Subsumption(sub, ObjectHasSelf(ObjectProperty() as role)),), (axiom,), Subsumption(goal_sub, sup)):
            return goal_sub == sub and sup == told_range(axiom, role)
    return False


def self_nominal(step: Step) -> bool:
    """C ⊑ {a}, C →r→ D, D ⊑ {a} ⊢ C ⊑ ∃r.Self"""
    match step:
        case Step((Subsumption(sub, ObjectOneOf((one,))), Link(source, role, target), last), (), goal):
            return (
                source == sub
                and isinstance(role, ObjectProperty)
                and last == Subsumption(target, ObjectOneOf((one,)))
                and goal == Subsumption(sub, ObjectHasSelf(role))
            )
    return False


# ── What has an element ───────────────────────────────────────────────────────────────────────────────────────────


def nonempty(step: Step) -> bool:
    """⊢ C is not empty, where C is ⊤, {a} or the proof's assumption"""
    match step:
        case Step((), (), NonEmpty(ObjectOneOf((_,)))):
            return True
        case Step((), (), NonEmpty(concept)):
            return concept in (THING, step.assumption)
    return False


def nonempty_link(step: Step) -> bool:
    """C is not empty, C →r→ D ⊢ D is not empty"""
    match step:
        case Step((NonEmpty(concept), Link(source, ObjectProperty(), target)), (), goal):
            return source == concept and goal == NonEmpty(target)
    return False


def nonempty_subsumer(step: Step) -> bool:
    """C is not empty, C ⊑ D ⊢ D is not empty"""
    match step:
        case Step((NonEmpty(concept), Subsumption(sub, sup)), (), goal):
            return sub == concept and goal == NonEmpty(sup)
    return False


def nominal_filled(step: Step) -> bool:
    """D ⊑ {a}, D is not empty ⊢ {a} ⊑ D"""
    match step:
        case Step((Subsumption(sub, ObjectOneOf((_,)) as one), NonEmpty(concept)), (), goal):
            return concept == sub and goal == Subsumption(one, sub)
    return False


def universal_role(step: Step) -> bool:
    """D ⊑ E, D is not empty ⊢ C ⊑ ∃r.E, where r is owl:topObjectProperty"""
    match step:
        case Step((Subsumption(sub, sup), NonEmpty(concept)), (), Subsumption(_, goal_sup)):
            return concept == sub and goal_sup == some(TOP_OBJECT_PROPERTY, sup)
    return False


def universal_superrole(step: Step) -> bool:
    """s ⊑ r, D is not empty, D ⊑ E ⊢ C ⊑ ∃r.E, where s is owl:topObjectProperty"""
    match step:
        case Step(
            (RoleInclusion(sub_role, role), NonEmpty(concept), Subsumption(sub, sup)), (), Subsumption(_, goal_sup)
        ):
            return sub_role == TOP_OBJECT_PROPERTY and concept == sub and goal_sup == some(role, sup)
    return False


def inconsistency(step: Step) -> bool:
    """D is not empty, D ⊑ ⊥ ⊢ C ⊑ ⊥"""
    match step:
        case Step((NonEmpty(concept), Subsumption(sub, sup)), (), Subsumption(_, goal_sup)):
            return sub == concept and sup == NOTHING and goal_sup == NOTHING
    return False


# ── Keys ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def key(step: Step) -> bool:
    """{a} ⊑ C, {b} ⊑ C, {a} ⊑ ∃rᵢ.{cᵢ}, {b} ⊑ ∃rᵢ.{cᵢ} for each i; C has the key r₁, …, rₙ ⊢ {a} ⊑ {b}"""
    match step:
        case Step(
            _,
            (HasKey() as axiom,),
            Subsumption(ObjectOneOf((NamedIndividual(),)) as one, ObjectOneOf((NamedIndividual(),)) as other),
        ):
            concepts = [premise.sup for premise in step.premises if isinstance(premise, Subsumption)]
            pairs = [(Subsumption(one, concept), Subsumption(other, concept)) for concept in concepts[::2]]
            return (
                step.premises == tuple(premise for pair in pairs for premise in pair)
                and concepts[:1] == [canonical_class(axiom.cls)]
                and tuple(map(filler_role, concepts[2::2])) == (*axiom.object_properties, *axiom.data_properties)
            )
    return False


def filler_role(concept: Concept) -> Role | None:
    """Read r from ∃r.{c} with a named individual c, or d from ∃d.{v}."""
    match concept:
        case ObjectSomeValuesFrom(ObjectProperty() as role, ObjectOneOf((NamedIndividual(),))):
            return role
        case DataSomeValuesFrom((data_role,), DataOneOf((_,))):
            return data_role
    return None


# ── Data ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def functional(step: Step) -> bool:
    """C →d→ D, C →e→ E, d ⊑ f, e ⊑ f; f is functional ⊢ C →d→ D ⊓ E"""
    match step:
        case Step(
            (Link(source, one, first), Link(same, other, second), RoleInclusion() as up, RoleInclusion() as also_up),
            (FunctionalDataProperty(role),),
            goal,
        ):
            both = intersect([first, second])
            return (
                source == same
                and (up, also_up) == (RoleInclusion(one, role), RoleInclusion(other, role))
                and both is not None
                and goal == Link(source, one, both)
            )
    return False


def data_range(step: Step) -> bool:
    """⊢ D ⊑ E for data ranges with every value of D in E; ⊢ D ⊑ ⊥ where D has no value"""
    match step:
        case Step((), (), Subsumption(sub, sup)) if isinstance(sub, DataRange):
            narrow = values_in(sub)
            if narrow is None or not isinstance(sup, DataRange):
                return narrow is not None and sup == NOTHING and narrow.is_empty()
            wide = values_in(sup)
            return wide is not None and narrow.is_subset(wide)
    return False


def data_top(step: Step) -> bool:
    """⊢ C ⊑ ∃d.D, where d is owl:topDataProperty and D has a value"""
    match step:
        case Step((), (), Subsumption(_, DataSomeValuesFrom((role,), wanted))):
            return role == TOP_DATA_PROPERTY and is_surely_inhabited(wanted)
    return False


RULES: dict[str, Rule] = {
    "R0": reflexivity,
    "R⊤": top,
    "R⊑": told,
    "R⊑⊑": transitivity,
    "R⊓−": conjunct,
    "R⊓+": conjunction,
    "R∃−": some_to_link,
    "R∃+": link_to_some,
    "Rrange": link_range,
    "R⊥": bottom,
    "R⊥⊑": from_falsehood,
    "Rrefl-role": same_role,
    "Rrole": told_role,
    "Rrinc": role_inclusion,
    "Rrchain": role_chain,
    "Rself": self_to_link,
    "Rself-⊤": self_top_role,
    "Rself-inc": self_role_inclusion,
    "Rself-chain": self_chain,
    "Rself-range": self_range,
    "Rself-nominal": self_nominal,
    "Rdisjoint": disjointness,
    "R⊥role": bottom_role,
    "Rnonempty": nonempty,
    "Rnonempty-link": nonempty_link,
    "Rnonempty-⊑": nonempty_subsumer,
    "Rnominal": nominal_filled,
    "Runiversal": universal_role,
    "Runiversal-role": universal_superrole,
    "Rinconsistent": inconsistency,
    "Rkey": key,
    "Rfunctional": functional,
    "Rdata": data_range,
    "Rdata-top": data_top,
}
