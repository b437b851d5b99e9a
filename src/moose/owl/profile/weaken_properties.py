"""Weaken axioms about properties alone: undo inverses where that says the same, and keep what ∃r.Self can say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
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
from moose.owl.profile.bounds import name_of
from moose.owl.profile.inclusion import Weakened, together

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
    return together(_disjoint_pair(first, second) for first, second in combinations(axiom.operands, 2))


def _disjoint_pair(first: ObjectPropertyExpression, second: ObjectPropertyExpression) -> Weakened:
    """Weaken the disjointness of two properties to that of ∃r.Self and ∃s.Self, or to emptiness."""
    bases = [base_of(first), base_of(second)]
    if BOTTOM_OBJECT_PROPERTY in bases:
        return Weakened()
    if first == second or TOP_OBJECT_PROPERTY in bases:
        empty = bases[1] if bases[0] == TOP_OBJECT_PROPERTY else bases[0]
        return Weakened((ax.SubClassOf(owl.ObjectSomeValuesFrom(empty, THING), NOTHING),))
    if bases[0] == bases[1]:
        return Weakened((ax.SubClassOf(_self(first), NOTHING),), is_exact=False)
    return Weakened((ax.DisjointClasses((_self(first), _self(second))),), is_exact=False)


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
    found = []
    for first, second in combinations(axiom.operands, 2):
        if BOTTOM_DATA_PROPERTY in (first, second):
            continue
        if first == second or TOP_DATA_PROPERTY in (first, second):
            empty = second if first == TOP_DATA_PROPERTY else first
            found.append(Weakened((ax.SubClassOf(owl.DataSomeValuesFrom((empty,), LITERAL), NOTHING),)))
        else:
            found.append(LOST)
    return together(found)


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
