"""Put EL axioms that follow from it in the place of an axiom outside OWL 2 EL.

Nothing here may be unsound: every model of an axiom is a model of what is used for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, islice, permutations, zip_longest
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
    Class,
    ClassExpression,
    ObjectInverseOf,
    ObjectProperty,
    ObjectPropertyExpression,
)
from moose.owl.model.literals import is_ill_typed
from moose.owl.profile.bounds import Bounder, name_of
from moose.owl.profile.el import says_all_data
from moose.owl.profile.inclusion import Weakened, include, together
from moose.owl.profile.outermost import negate
from moose.owl.profile.range_bounds import LIMIT

__all__ = ["Weakened", "lower", "upper", "weaken"]

# ── Axioms about properties ───────────────────────────────────────────────────────────────────────────────────────

LOST = Weakened(is_exact=False)

LIMIT_OF_PAIRS = 20 * LIMIT
"""How many pairs of operands of one axiom are looked at: a hundred operands outside EL, or many beside one that is."""

MOST_GROUPS = 4
"""Beyond that limit, how many disjointnesses of one case of each operand are used."""


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


# ── All axioms ────────────────────────────────────────────────────────────────────────────────────────────────────


def upper(expression: ClassExpression) -> tuple[ClassExpression, bool]:
    """Return an EL expression that C is below (⊤ when nothing better is found), and whether it is equivalent to C."""
    bounds = Bounder().bound(expression)[0]
    return bounds.upper, bounds.is_upper_exact


def lower(expression: ClassExpression) -> tuple[tuple[ClassExpression, ...], bool]:
    """Return EL expressions that are each below C, and whether C is their union."""
    bounds = Bounder().bound(expression)[0]
    return bounds.lower, bounds.is_lower_exact


def weaken(axiom: ax.Axiom, bounder: Bounder) -> Weakened:
    """Return EL axioms that follow from an axiom, each with the axiom's annotations."""
    if type(axiom) in ROLE_WEAKENERS:
        weakened = ROLE_WEAKENERS[type(axiom)](axiom)
    else:
        weakened = _WEAKENERS[type(axiom)](axiom, bounder)
    if says_all_data(axiom):
        weakened = replace(weakened, is_exact=False)
    if not axiom.annotations:
        return weakened
    used = tuple(replace(one, annotations=axiom.annotations) for one in weakened.used)
    return replace(weakened, used=used)


# ── Classes ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _sub_class_of(axiom: ax.SubClassOf, bounder: Bounder) -> Weakened:
    return include(axiom.sub, axiom.sup, bounder)


def _equivalent_classes(axiom: ax.EquivalentClasses, bounder: Bounder) -> Weakened:
    """Weaken C ≡ D ≡ …: the operands that EL can say stay together, each other one is compared with one of them."""
    el, others = _sort_out(axiom.operands, bounder)
    kept = [Weakened((ax.EquivalentClasses(tuple(el)),))] if len(el) > 1 else []
    if not el and len(others) ** 2 > LIMIT:  # a circle of inclusions means the same, but less of it may be in EL
        bounder.is_cut = True
        pairs = list(zip(others, (*others[1:], others[0])))
    elif not el:
        pairs = list(permutations(others, 2))
    else:
        anchor = next((operand for operand in el if isinstance(operand, Class)), el[0])
        pairs = [pair for other in others for pair in ((anchor, other), (other, anchor))]
    return together([*kept, *(include(sub, sup, bounder) for sub, sup in pairs)])


def _disjoint_classes(axiom: ax.DisjointClasses, bounder: Bounder) -> Weakened:
    return _disjoint(axiom.operands, bounder)


def _disjoint(operands: Sequence[ClassExpression], bounder: Bounder) -> Weakened:
    """Weaken pairwise disjointness: the operands that EL can say stay together, each other one is set against them."""
    el, others = _sort_out(operands, bounder)
    exact = {other: bounds for other in others if (bounds := bounder.bound(other)[0]).is_lower_exact}
    cases = [case for bounds in exact.values() for case in bounds.lower]
    if (len(cases) or len(others)) * len(el) + len(others) ** 2 > LIMIT_OF_PAIRS:
        bounder.is_cut = True
        return _disjoint_in_part(el, [bounder.bound(other)[0].lower for other in others])
    groups = [(case, *el) for case in cases] or [tuple(el)]
    parts = [Weakened(tuple(ax.DisjointClasses(group) for group in groups if len(group) > 1))]
    parts.extend(include(first, negate(other), bounder) for other in others if other not in exact for first in el)
    parts.extend(include(first, negate(second), bounder) for first, second in combinations(others, 2))
    return together(parts)


def _disjoint_in_part(el: Sequence[ClassExpression], lower: Sequence[Sequence[ClassExpression]]) -> Weakened:
    """Say of one case of each operand, and then of another, that they are disjoint: of many pairs, a part of them."""
    picked = list(islice(zip_longest(*lower), MOST_GROUPS)) or [()]
    groups = [(*el, *(case for case in cases if case is not None)) for cases in picked]
    return Weakened(tuple(ax.DisjointClasses(group) for group in groups if len(group) > 1), is_exact=False)


def _sort_out(
    operands: Sequence[ClassExpression], bounder: Bounder
) -> tuple[list[ClassExpression], list[ClassExpression]]:
    """Return the operands that EL can say, as it says them, and the others."""
    el, others = [], []
    for operand in operands:
        bounds = bounder.bound(operand)[0]
        if bounds.is_upper_exact:
            el.append(bounds.upper)
        else:
            others.append(operand)
    return el, others


def _disjoint_union(axiom: ax.DisjointUnion, bounder: Bounder) -> Weakened:
    whole = owl.ObjectUnionOf(axiom.operands)
    return together(
        [
            *(include(operand, axiom.cls, bounder) for operand in axiom.operands),
            include(axiom.cls, whole, bounder),
            _disjoint(axiom.operands, bounder),
        ]
    )


def _has_key(axiom: ax.HasKey, bounder: Bounder) -> Weakened:
    """Weaken a key of C to a key of each class below C; instances of two of those are then not compared."""
    roles = named_all(axiom.object_properties)
    if roles is None:
        return Weakened(is_exact=False)
    bounds = bounder.bound(axiom.cls)[0]
    used = tuple(ax.HasKey(case, roles, axiom.data_properties) for case in bounds.lower)
    return Weakened(used, bounds.is_lower_exact and len(used) < 2)


def _datatype_definition(axiom: ax.DatatypeDefinition, bounder: Bounder) -> Weakened:
    """Use nothing: the definition has been put in place of the name."""
    return Weakened(is_exact=axiom.datatype.iri in bounder.definitions)


# ── Domains, ranges, assertions ───────────────────────────────────────────────────────────────────────────────────


def _object_domain(axiom: ax.ObjectPropertyDomain, bounder: Bounder) -> Weakened:
    return _as_domains(include(owl.ObjectSomeValuesFrom(axiom.property, THING), axiom.domain, bounder))


def _object_range(axiom: ax.ObjectPropertyRange, bounder: Bounder) -> Weakened:
    return _as_domains(include(THING, owl.ObjectAllValuesFrom(axiom.property, axiom.range), bounder))


def _data_domain(axiom: ax.DataPropertyDomain, bounder: Bounder) -> Weakened:
    return _as_domains(include(owl.DataSomeValuesFrom((axiom.property,), owl.LITERAL), axiom.domain, bounder))


def _data_range(axiom: ax.DataPropertyRange, bounder: Bounder) -> Weakened:
    return include(THING, owl.DataAllValuesFrom((axiom.property,), axiom.range), bounder)


def _as_domains(weakened: Weakened) -> Weakened:
    """Write ∃r.⊤ ⊑ C as a domain, which is what it was."""
    used: list[ax.Axiom] = []
    for axiom in weakened.used:
        match axiom:
            case ax.SubClassOf(owl.ObjectSomeValuesFrom(owl.ObjectProperty() as role, filler), sup) if filler == THING:
                used.append(ax.ObjectPropertyDomain(role, sup))
            case ax.SubClassOf(owl.DataSomeValuesFrom((role,), values), sup) if values == owl.LITERAL:
                used.append(ax.DataPropertyDomain(role, sup))
            case _:
                used.append(axiom)
    return replace(weakened, used=tuple(used))


def _class_assertion(axiom: ax.ClassAssertion, bounder: Bounder) -> Weakened:
    """Weaken C(a) as {a} ⊑ C."""
    single = owl.ObjectOneOf((axiom.individual,))
    weakened = include(single, axiom.cls, bounder)
    used = tuple(
        ax.ClassAssertion(one.sup, axiom.individual) if isinstance(one, ax.SubClassOf) and one.sub == single else one
        for one in weakened.used
    )
    return replace(weakened, used=used)


def _data_assertion(axiom: ax.DataPropertyAssertion, _: Bounder) -> Weakened:
    """Weaken d(a, v) for a literal that stands for no value: a has some value."""
    if not is_ill_typed(axiom.literal):
        return Weakened((axiom,))
    if axiom.negative:
        return Weakened(is_exact=False)
    some = owl.DataSomeValuesFrom((axiom.property,), owl.LITERAL)
    return Weakened((ax.ClassAssertion(some, axiom.source),), is_exact=False)


# The key is the type that the function takes.
_WEAKENERS: dict[type, Callable[[Any, Bounder], Weakened]] = {
    ax.SubClassOf: _sub_class_of,
    ax.EquivalentClasses: _equivalent_classes,
    ax.DisjointClasses: _disjoint_classes,
    ax.DisjointUnion: _disjoint_union,
    ax.HasKey: _has_key,
    ax.DatatypeDefinition: _datatype_definition,
    ax.ObjectPropertyDomain: _object_domain,
    ax.ObjectPropertyRange: _object_range,
    ax.DataPropertyDomain: _data_domain,
    ax.DataPropertyRange: _data_range,
    ax.ClassAssertion: _class_assertion,
    ax.DataPropertyAssertion: _data_assertion,
    ax.UnreadAxiom: lambda _, __: Weakened(is_exact=False),
}
