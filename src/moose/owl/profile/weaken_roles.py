"""What is used of an axiom outside OWL 2 EL, and axioms about properties: each with EL axioms that follow from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import (
    BOTTOM_DATA_PROPERTY,
    BOTTOM_OBJECT_PROPERTY,
    LITERAL,
    NOTHING,
    THING,
    TOP_DATA_PROPERTY,
    TOP_OBJECT_PROPERTY,
    ObjectInverseOf,
    ObjectProperty,
    ObjectPropertyExpression,
)
from moose.owl.profile.class_bounds import name_of


@dataclass(frozen=True, slots=True)
class Weakened:
    """EL axioms that follow from something; `is_exact` says that together they mean the same.

    `nearly` are further axioms that follow and are nearly in EL: C ⊑ ∀r.D, C ⊑ ≤ 1 r.D and C ⊑ D ⊔ E ⊔ … with C, D, E
    in EL and r a name. EL cannot say them, but some of what they say together with the rest of the ontology.
    """

    used: tuple[ax.Axiom, ...] = ()
    is_exact: bool = True
    nearly: tuple[ax.SubClassOf, ...] = ()


def together(parts: Iterable[Weakened]) -> Weakened:
    """Put together what follows from the parts of a conjunction."""
    listed = list(parts)
    used = dict.fromkeys(axiom for part in listed for axiom in part.used)
    nearly = dict.fromkeys(axiom for part in listed for axiom in part.nearly)
    return Weakened(tuple(used), all(part.is_exact for part in listed), tuple(nearly))


# ── Axioms about properties ───────────────────────────────────────────────────────────────────────────────────────

LOST = Weakened(is_exact=False)


def invert(role: ObjectPropertyExpression) -> ObjectPropertyExpression:
    """Return the inverse of a property."""
    return role.property if isinstance(role, ObjectInverseOf) else ObjectInverseOf(role)


def base_of(role: ObjectPropertyExpression) -> ObjectProperty:
    """Return the named property that an expression is made of."""
    return role.property if isinstance(role, ObjectInverseOf) else role


def named_all(roles: Sequence[ObjectPropertyExpression]) -> tuple[ObjectProperty, ...] | None:
    """Return the properties by name, or None if one is an inverse that has none."""
    names = [name_of(role) for role in roles]
    known = tuple(name for name in names if name is not None)
    return known if len(known) == len(names) else None


def _self(role: ObjectPropertyExpression) -> owl.ObjectHasSelf:
    """Return ∃r.Self, which is ∃r⁻.Self."""
    return owl.ObjectHasSelf(base_of(role))


def _sub_property(axiom: ax.SubObjectPropertyOf) -> Weakened:
    """Weaken r ∘ s ⊑ t: r⁻ ∘ s⁻ ⊑ t⁻ is s ∘ r ⊑ t, but a mixture is lost."""
    roles = (*axiom.chain, axiom.sup)
    if named_all(roles[-1:]) == (TOP_OBJECT_PROPERTY,) or BOTTOM_OBJECT_PROPERTY in map(base_of, axiom.chain):
        return Weakened()
    straight, turned = named_all(roles), named_all([invert(role) for role in roles])
    if straight is not None:
        return Weakened((ax.SubObjectPropertyOf(straight[:-1], straight[-1]),))
    if turned is not None:
        return Weakened((ax.SubObjectPropertyOf(turned[-2::-1], turned[-1]),))
    return LOST


def _equivalent_properties(axiom: ax.EquivalentObjectProperties) -> Weakened:
    """Weaken r ≡ s ≡ t⁻: the named stay together, and so do the inverses."""
    bases = tuple(base_of(role) for role in axiom.operands)
    if TOP_OBJECT_PROPERTY in bases or BOTTOM_OBJECT_PROPERTY in bases:
        return Weakened((ax.EquivalentObjectProperties(bases),))
    named = tuple(role for role in axiom.operands if isinstance(role, ObjectProperty))
    inverse = tuple(role.property for role in axiom.operands if isinstance(role, ObjectInverseOf))
    used = tuple(ax.EquivalentObjectProperties(group) for group in (named, inverse) if len(group) > 1)
    return Weakened(used, is_exact=not (named and inverse))


def _disjoint_properties(axiom: ax.DisjointObjectProperties) -> Weakened:
    """Weaken the disjointness of properties to that of all ∃r.Self, and to emptiness of what is listed twice.

    Next to the full role, every other is empty; a role and its inverse share their ∃r.Self, which is empty then.
    """
    times = Counter(role for role in axiom.operands if base_of(role) != BOTTOM_OBJECT_PROPERTY)
    bases = Counter(base_of(role) for role in times)
    if TOP_OBJECT_PROPERTY in bases:
        is_top_twice = sum(times[role] for role in times if base_of(role) == TOP_OBJECT_PROPERTY) > 1
        empty = [role for role in bases if role != TOP_OBJECT_PROPERTY or is_top_twice]
        return Weakened(tuple(_nothing_by(role) for role in empty))
    parts = [Weakened((_nothing_by(base_of(role)),)) for role, count in times.items() if count > 1]
    parts += [
        Weakened((ax.SubClassOf(_self(role), NOTHING),), is_exact=False) for role, count in bases.items() if count > 1
    ]
    if len(bases) > 1:
        parts.append(Weakened((ax.DisjointClasses(tuple(_self(role) for role in bases)),), is_exact=False))
    return together(parts)


def _nothing_by(role: ObjectProperty) -> ax.SubClassOf:
    """Say that a property relates nothing: ∃r.⊤ ⊑ ⊥."""
    return ax.SubClassOf(owl.ObjectSomeValuesFrom(role, THING), NOTHING)


def _inverse_properties(axiom: ax.InverseObjectProperties) -> Weakened:
    """Weaken r ≡ s⁻, which is beyond EL unless one of the two is written as an inverse."""
    return _equivalent_properties(ax.EquivalentObjectProperties((axiom.first, invert(axiom.second))))


def _characteristic(axiom: ax.ObjectPropertyCharacteristic) -> Weakened:
    """Weaken a characteristic: reflexive, transitive and irreflexive are a property as soon as its inverse is."""
    role = base_of(axiom.property)
    match axiom.characteristic:
        case "Reflexive" | "Transitive":
            return Weakened((ax.ObjectPropertyCharacteristic(axiom.characteristic, role),))
        case "Irreflexive":
            return Weakened((ax.SubClassOf(_self(role), NOTHING),))
        case "Asymmetric":
            return Weakened((ax.SubClassOf(_self(role), NOTHING),), is_exact=False)
    return LOST


def _disjoint_data_properties(axiom: ax.DisjointDataProperties) -> Weakened:
    """Weaken the disjointness of data properties: EL can only say it where one of a pair must be empty."""
    times = Counter(role for role in axiom.operands if role != BOTTOM_DATA_PROPERTY)
    has_top = TOP_DATA_PROPERTY in times
    empty = [role for role, count in times.items() if count > 1 or (has_top and role != TOP_DATA_PROPERTY)]
    used = tuple(ax.SubClassOf(owl.DataSomeValuesFrom((role,), LITERAL), NOTHING) for role in empty)
    return Weakened(used, is_exact=has_top or len(times) < 2)


def _assertion(axiom: ax.ObjectPropertyAssertion) -> Weakened:
    """Turn r⁻(a, b) into r(b, a)."""
    if isinstance(axiom.property, ObjectProperty):
        return Weakened((axiom,))
    turned = ax.ObjectPropertyAssertion(axiom.property.property, axiom.target, axiom.source, axiom.negative)
    return Weakened((turned,))


# The key is the type that the function takes.
ROLE_WEAKENERS: dict[type, Callable[[Any], Weakened]] = {
    ax.SubObjectPropertyOf: _sub_property,
    ax.EquivalentObjectProperties: _equivalent_properties,
    ax.DisjointObjectProperties: _disjoint_properties,
    ax.InverseObjectProperties: _inverse_properties,
    ax.ObjectPropertyCharacteristic: _characteristic,
    ax.DisjointDataProperties: _disjoint_data_properties,
    ax.ObjectPropertyAssertion: _assertion,
}
