"""Say C ⊑ D in OWL 2 EL as well as can be, for any class expressions C and D."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import NOTHING, THING, ClassExpression
from moose.owl.profile.bounds import Bounder, Bounds, conjoin, name_of
from moose.owl.profile.outermost import conjuncts, disjuncts, negate, open_up
from moose.owl.profile.range_bounds import LIMIT, bound_range

REWRITES = 4
"""How often parts of an inclusion may change sides: people write axioms that need one or two moves, and each costs."""


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
    return Weakened(tuple(_disjoint(first, second) for first in firsts for second in seconds))


def _disjoint(first: ClassExpression, second: ClassExpression) -> ax.Axiom:
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
            yield _range(role, filler, bounder)
        case owl.DataAllValuesFrom((data_property,), data_range) if below.lower == (THING,):
            yield _data_range(data_property, data_range, bounder)
        case owl.ObjectSomeValuesFrom(owl.ObjectInverseOf(role), owl.ObjectOneOf((source,))):
            if isinstance(sub, owl.ObjectOneOf) and len(sub.individuals) == 1:  # {a} ⊑ ∃r⁻.{b} is r(b, a)
                yield Weakened((ax.ObjectPropertyAssertion(role, source, sub.individuals[0]),))
        case owl.ObjectUnionOf():
            yield from _move_to_left(sub, conjunct, bounder, rewrites)
    if not below.is_lower_exact:
        yield from _take_apart(sub, conjunct, bounder, rewrites)


def _range(role: owl.ObjectPropertyExpression, filler: ClassExpression, bounder: Bounder) -> Weakened:
    """Weaken ⊤ ⊑ ∀r.D."""
    above, named = bounder.bound(filler)[0], name_of(role)
    if named is None or above.upper == THING:
        return Weakened(is_exact=False)
    return Weakened((ax.ObjectPropertyRange(named, above.upper),), above.is_upper_exact)


def _data_range(data_property: owl.DataProperty, data_range: owl.DataRange, bounder: Bounder) -> Weakened:
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
