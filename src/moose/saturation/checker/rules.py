"""The rules that a proof may use: one function each, its sequent as its docstring, all in one table.

C, D, E are concepts; r, s, t roles; d, e, f data properties; a, b, c individuals. Every rule is sound in every model
of the axioms in which the proof's assumption, if it has one, is not empty.
"""

from __future__ import annotations

from itertools import pairwise

from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    DataRange,
    ObjectHasSelf,
)
from moose.saturation.checker import element_rules as element
from moose.saturation.checker.axiom_readings import (
    tells_disjoint,
    tells_inclusion,
    tells_role_inclusion,
    told_chain,
    told_range,
)
from moose.saturation.checker.forms import Rule, Step, conjuncts, intersect, range_conjuncts, some
from moose.saturation.proofs.proof import Link, RoleInclusion, Subsumption

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
    """⊢ r ⊑ t from r ⊑ s; an axiom that tells s ⊑ t (none where s is a bottom role or t a top role)"""
    match step:
        case Step((RoleInclusion(sub, middle),), (axiom,), RoleInclusion(goal_sub, sup)):
            return goal_sub == sub and tells_role_inclusion(axiom, middle, sup)
        case Step((RoleInclusion(sub, middle),), (), RoleInclusion(goal_sub, sup)):
            is_bottom = middle in (BOTTOM_OBJECT_PROPERTY, BOTTOM_DATA_PROPERTY)
            return goal_sub == sub and (is_bottom or sup in (TOP_OBJECT_PROPERTY, TOP_DATA_PROPERTY))
    return False


def universal_chain(step: Step) -> bool:
    """r ⊑ u, u ⊑ r₁, …, u ⊑ rₙ; an axiom that tells r₁ ∘ … ∘ rₙ ⊑ s ⊢ r ⊑ s, where u is owl:topObjectProperty"""
    match step:
        case Step((RoleInclusion(sub, top), *parts), (axiom,), RoleInclusion(goal_sub, sup)):
            ups = [part for part in parts if isinstance(part, RoleInclusion) and part.sub == TOP_OBJECT_PROPERTY]
            return (
                (sub, top) == (goal_sub, TOP_OBJECT_PROPERTY)
                and len(ups) == len(parts)
                and told_chain(axiom) == (tuple(up.sup for up in ups), sup)
            )
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
    "Runiversal-chain": universal_chain,
    "Rrinc": role_inclusion,
    "Rrchain": role_chain,
    "Rself": element.self_to_link,
    "Rself-⊤": element.self_top_role,
    "Rself-inc": element.self_role_inclusion,
    "Rself-chain": element.self_chain,
    "Rself-range": element.self_range,
    "Rself-nominal": element.self_nominal,
    "Rdisjoint": disjointness,
    "R⊥role": bottom_role,
    "Rnonempty": element.nonempty,
    "Rnonempty-link": element.nonempty_link,
    "Rnonempty-⊑": element.nonempty_subsumer,
    "Rnominal": element.nominal_filled,
    "Runiversal": element.universal_role,
    "Runiversal-role": element.universal_superrole,
    "Rinconsistent": element.inconsistency,
    "Rkey": element.key,
    "Rfunctional": element.functional,
    "Rdata": element.data_range,
    "Rdata-top": element.data_top,
    "Rdata-≡": element.data_spelling,
}
