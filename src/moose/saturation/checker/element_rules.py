"""The rules about single elements: Self, what is not empty, nominals, keys, and data values."""

from __future__ import annotations

from moose.owl.model.axioms import FunctionalDataProperty, HasKey
from moose.owl.model.expressions import (
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    DataOneOf,
    DataRange,
    DataSomeValuesFrom,
    NamedIndividual,
    ObjectHasSelf,
    ObjectOneOf,
    ObjectProperty,
    ObjectSomeValuesFrom,
)
from moose.saturation.checker.axiom_readings import is_surely_inhabited, meaning, told_chain, told_range, values_in
from moose.saturation.checker.forms import Step, canonical_class, intersect, some
from moose.saturation.proofs.proof import Concept, Link, NonEmpty, Role, RoleInclusion, Subsumption

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
    """⊢ C ⊑ ∃r.E from s ⊑ r, D is not empty, D ⊑ E, where s is owl:topObjectProperty"""
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


def data_spelling(step: Step) -> bool:
    """C ⊑ D ⊢ C ⊑ E, where E is D but for data ranges that are written otherwise and have the same values"""
    match step:
        case Step((Subsumption(sub, sup),), (), Subsumption(goal_sub, goal_sup)):
            return goal_sub == sub and meaning(goal_sup) == meaning(sup)
    return False
