"""Put EL axioms that follow from it in the place of an axiom outside OWL 2 EL.

Nothing here may be unsound: every model of an axiom is a model of what is used for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, permutations, zip_longest
from typing import Any

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import NOTHING, THING, Class, ClassExpression
from moose.owl.model.literals import is_ill_typed
from moose.owl.profile.bounds import LIMIT, Bounder, bound_range
from moose.owl.profile.class_bounds import Bounds, conjoin, name_of
from moose.owl.profile.el import says_all_data
from moose.owl.profile.outermost import conjuncts, disjuncts, negate, open_up
from moose.owl.profile.weaken_roles import ROLE_WEAKENERS, Weakened, named_all, together

REWRITES = 4
"""How often parts of an inclusion may change sides: people write axioms that need one or two moves, and each costs."""

LIMIT_OF_PAIRS = 20 * LIMIT
"""How many pairs of operands of one axiom are looked at: a hundred operands outside EL, or many beside one that is."""

MOST_GROUPS = 4
"""Beyond that limit, how many disjointnesses of one case of each operand are used."""

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


# ── Inclusions C ⊑ D, as well as EL can say them ──────────────────────────────────────────────────────────────────


def include(sub: ClassExpression, sup: ClassExpression, bounder: Bounder, rewrites: int = REWRITES) -> Weakened:
    """Weaken C ⊑ D, one conjunct of D after the other; what can be said by one EL superclass is."""
    below = bounder.bound(sub)[0]
    heads: list[ClassExpression] = []
    others: list[Weakened] = []
    for conjunct in conjuncts(sup):
        above = bounder.bound(conjunct)[0]
        if below.is_lower_exact and above.is_upper_exact:
            heads.append(above.upper)
        else:
            others.append(_conclude(sub, below, conjunct, bounder, rewrites))
    return together([_imply(below.lower, conjoin(heads)), *others])


def _conclude(
    sub: ClassExpression, below: Bounds, conjunct: ClassExpression, bounder: Bounder, rewrites: int
) -> Weakened:
    """Weaken C ⊑ D for one conjunct D: as D's upper bound, as C ⊓ ¬D ⊑ ⊥, and in other words that mean the same."""
    above, denied = bounder.bound(conjunct)
    apart = keep_apart(below.lower, denied.lower, bounder)
    if apart.is_exact and below.is_lower_exact and denied.is_lower_exact:
        return apart
    parts = [_imply(below.lower, above.upper), apart, _nearly(below.lower, conjunct, bounder)]
    for rewritten in _rewrite(sub, below, conjunct, bounder, rewrites - 1) if rewrites else ():
        if rewritten.is_exact:
            return rewritten
        parts.append(rewritten)
    return replace(together(parts), is_exact=False)


def _nearly(lower: Iterable[ClassExpression], conjunct: ClassExpression, bounder: Bounder) -> Weakened:
    """Say C ⊑ D for a D that is a universal, at most one, or a union, with EL inside."""
    heads: list[ClassExpression] = []
    match conjunct:
        case owl.ObjectAllValuesFrom(owl.ObjectProperty() as role, filler):
            above = bounder.bound(filler)[0].upper
            heads += [owl.ObjectAllValuesFrom(role, above)] if above != THING else []
        case owl.ObjectMaxCardinality(1, owl.ObjectProperty() as role, filler):
            heads += [owl.ObjectMaxCardinality(1, role, below) for below in bounder.bound(filler)[0].lower]
        case owl.ObjectUnionOf() | owl.ObjectOneOf():
            members = _members(conjunct, bounder)
            heads += [owl.ObjectUnionOf(members)] if members else []
    return Weakened((), False, tuple(ax.SubClassOf(sub, head) for sub in lower for head in heads))


def _members(union: ClassExpression, bounder: Bounder) -> tuple[ClassExpression, ...]:
    """Return EL expressions above the members of a union; none where one member may be anything."""
    parts: list[ClassExpression] = []
    for part in disjuncts(union):
        if isinstance(part, owl.ObjectOneOf):
            parts += (owl.ObjectOneOf((individual,)) for individual in part.individuals)
        else:
            parts.append(part)
    uppers = dict.fromkeys(bounder.bound(part)[0].upper for part in parts)
    uppers.pop(NOTHING, None)
    return () if THING in uppers or len(uppers) < 2 else tuple(uppers)


def _imply(lower: Iterable[ClassExpression], head: ClassExpression) -> Weakened:
    """Say that each of several EL expressions is below one."""
    return Weakened(tuple(ax.SubClassOf(sub, head) for sub in lower if head not in (THING, sub)))


def keep_apart(firsts: tuple[ClassExpression, ...], seconds: tuple[ClassExpression, ...], bounder: Bounder) -> Weakened:
    """Say that each of some EL expressions is disjoint from each of others."""
    if len(firsts) * len(seconds) > LIMIT and min(len(firsts), len(seconds)) > 1:
        bounder.is_cut = True
        return Weakened(is_exact=False)
    return Weakened(tuple(_disjoint_pair(first, second) for first in firsts for second in seconds))


def _disjoint_pair(first: ClassExpression, second: ClassExpression) -> ax.Axiom:
    if THING in (first, second):
        return ax.SubClassOf(second if first == THING else first, NOTHING)
    return ax.DisjointClasses((first, second))


# ── The same in other words ───────────────────────────────────────────────────────────────────────────────────────


def _rewrite(
    sub: ClassExpression, below: Bounds, conjunct: ClassExpression, bounder: Bounder, rewrites: int
) -> Iterator[Weakened]:
    """Weaken inclusions that mean the same as C ⊑ D."""
    match conjunct:
        case owl.ObjectAllValuesFrom(owl.ObjectInverseOf(role), filler):  # C ⊑ ∀r⁻.D is ∃r.C ⊑ D
            yield include(owl.ObjectSomeValuesFrom(role, sub), filler, bounder, rewrites)
        case owl.ObjectAllValuesFrom(role, filler) if below.lower == (THING,):
            yield _universal(role, filler, bounder)
        case owl.DataAllValuesFrom((data_property,), data_range) if below.lower == (THING,):
            yield _data_universal(data_property, data_range, bounder)
        case owl.ObjectSomeValuesFrom(owl.ObjectInverseOf(role), owl.ObjectOneOf((source,))):
            if isinstance(sub, owl.ObjectOneOf) and len(sub.individuals) == 1:  # {a} ⊑ ∃r⁻.{b} is r(b, a)
                yield Weakened((ax.ObjectPropertyAssertion(role, source, sub.individuals[0]),))
        case owl.ObjectUnionOf():
            yield from _move_to_left(sub, conjunct, bounder, rewrites)
    if not below.is_lower_exact:
        yield from _take_apart(sub, conjunct, bounder, rewrites)


def _universal(role: owl.ObjectPropertyExpression, filler: ClassExpression, bounder: Bounder) -> Weakened:
    """Weaken ⊤ ⊑ ∀r.D."""
    above, named = bounder.bound(filler)[0], name_of(role)
    if named is None or above.upper == THING:
        return Weakened(is_exact=False)
    return Weakened((ax.ObjectPropertyRange(named, above.upper),), above.is_upper_exact)


def _data_universal(data_property: owl.DataProperty, data_range: owl.DataRange, bounder: Bounder) -> Weakened:
    """Weaken ⊤ ⊑ ∀d.D."""
    above = bound_range(data_range, bounder.definitions)[0]
    if above.upper in (None, owl.LITERAL):
        return Weakened(is_exact=False)
    assert above.upper is not None
    return Weakened((ax.DataPropertyRange(data_property, above.upper),), above.is_upper_exact)


def _move_to_left(sub: ClassExpression, union: ClassExpression, bounder: Bounder, rewrites: int) -> Iterator[Weakened]:
    """Weaken C ⊑ D ⊔ ¬E as C ⊓ E ⊑ D, for all disjuncts whose complements EL can say."""
    parts = list(disjuncts(union))
    can_move = [bounder.bound(part)[1].is_lower_exact for part in parts]
    moved = [negate(part) for part, can in zip(parts, can_move) if can]
    if moved:
        left = owl.ObjectIntersectionOf((sub, *moved))
        yield include(left, _unite([part for part, can in zip(parts, can_move) if not can]), bounder, rewrites)


def _take_apart(sub: ClassExpression, sup: ClassExpression, bounder: Bounder, rewrites: int) -> Iterator[Weakened]:
    """Weaken C ⊑ D for a C that EL cannot say whole."""
    cases = list(disjuncts(sub))
    if len(cases) > 1:
        yield together(include(case, sup, bounder, rewrites) for case in cases)
        return
    parts = list(conjuncts(sub))
    for position, part in enumerate(parts):
        match part:
            case owl.ObjectSomeValuesFrom(owl.ObjectInverseOf(role), filler):  # C ⊓ ∃r⁻.E ⊑ D is E ⊑ ∀r.(¬C ⊔ D)
                others = [negate(other) for other in parts[:position] + parts[position + 1 :]]
                yield include(filler, owl.ObjectAllValuesFrom(role, _unite([*others, sup])), bounder, rewrites)
    hard = [part for part in parts if not bounder.bound(part)[0].is_lower_exact]
    if hard:  # C ⊓ ¬E ⊑ D is C ⊑ D ⊔ E
        easy = conjoin(part for part in parts if part not in hard)
        yield include(easy, _unite([sup, *map(negate, hard)]), bounder, rewrites)


def _unite(expressions: list[ClassExpression]) -> ClassExpression:
    live = [expression for expression in expressions if open_up(expression) != NOTHING]
    if len(live) > 1:
        return owl.ObjectUnionOf(tuple(live))
    return live[0] if live else NOTHING
