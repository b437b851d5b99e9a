"""Use more of the axioms outside EL: what follows from them together with the rest of the ontology.

Among it is what follows from characteristics of properties:

r ⊑ s⁻, s functional                ∃r.∃s.E ⊑ E
r inverse-functional                r is a key of owl:Thing
r, s disjoint                       ∃r.{a} ⊓ ∃s.{a} ⊑ ⊥, and what is below both is empty
r, s⁻ disjoint; r asymmetric        {a} ⊓ ∃s.∃r.{a} ⊑ ⊥
s ⊑ r⁻, C ⊑ ∀r.B                    ∃s.C ⊑ B
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, cast

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import NOTHING, THING, ClassExpression, Individual, ObjectInverseOf, ObjectProperty
from moose.owl.model.signature import LEAVES, PARTS, walk
from moose.owl.profile.roles.role_box import Consequence, RoleBox, Sources, join
from moose.owl.profile.roles.successors import Bound, Occurrences, Successors, conjunction, single, some
from moose.owl.profile.weaken_roles import Weakened

ROLE_AXIOMS = (
    *(ax.SubObjectPropertyOf, ax.EquivalentObjectProperties, ax.InverseObjectProperties),
    *(ax.ObjectPropertyCharacteristic, ax.DisjointObjectProperties),
)

Weaken = Callable[[ax.Axiom], Weakened]


def use_more(
    told: Sequence[ax.Axiom], weakened: Mapping[int, Weakened], weaken: Weaken
) -> tuple[list[Consequence], list[Consequence]]:
    """Return EL axioms and disjunctions C ⊑ D ⊔ …, each with the positions of the axioms that it follows from.

    `weakened` has what is used of the axioms outside EL, by position.
    """
    role_axioms = [(position, axiom) for position, axiom in enumerate(told) if isinstance(axiom, ROLE_AXIOMS)]
    box = RoleBox(role_axioms)
    consequences: dict[Consequence, None] = {}
    nearly: list[tuple[ax.SubClassOf, Sources]] = [
        (axiom, (position,)) for position, part in weakened.items() for axiom in part.nearly
    ]
    for position in weakened:
        for part, sources in with_names_for_inverses(told[position], position, box, weaken):
            known = weakened[position].used
            consequences |= {Consequence(axiom, sources): None for axiom in part.used if axiom not in known}
            nearly += [(axiom, sources) for axiom in part.nearly]
    is_role_axiom_used = any(isinstance(told[position], ROLE_AXIOMS) for position in weakened)
    if is_role_axiom_used or consequences or nearly:
        el = list(el_axioms(told, weakened))
        consequences |= dict.fromkeys(box.consequences(el))
        consequences |= dict.fromkeys(empty_properties(role_axioms, box))
        el_and_more = [*(axiom for _, axiom in el), *(one.axiom for one in consequences)]
        consequences |= dict.fromkeys(of_fillers(el_and_more, role_axioms, box, nearly))
    disjunctions = [Consequence(axiom, why) for axiom, why in nearly if isinstance(axiom.sup, owl.ObjectUnionOf)]
    return list(consequences), disjunctions


def el_axioms(told: Sequence[ax.Axiom], weakened: Mapping[int, Weakened]) -> Iterator[tuple[int, ax.Axiom]]:
    """Yield the EL axioms with the positions of those that they are or are used for."""
    for position, axiom in enumerate(told):
        if position in weakened:
            yield from ((position, used) for used in weakened[position].used)
        else:
            yield position, axiom


def of_fillers(
    axioms: Sequence[ax.Axiom],
    role_axioms: Sequence[tuple[int, ax.Axiom]],
    box: RoleBox,
    nearly: Sequence[tuple[ax.SubClassOf, Sources]],
) -> Iterator[Consequence]:
    """Yield what holds of the fillers of properties."""
    universals, at_most_one = [], []
    for axiom, sources in nearly:
        match axiom.sup:
            case owl.ObjectAllValuesFrom(ObjectProperty() as role, filler):
                universals.append(Bound(axiom.sub, role, filler, sources))
            case owl.ObjectMaxCardinality(1, ObjectProperty() as role, filler):
                at_most_one.append(Bound(axiom.sub, role, filler, sources))
    functional = list(functional_bounds(role_axioms, box))
    if not (universals or at_most_one or functional or box.backs or needs_pairs(role_axioms)):
        return
    successors = Successors(Occurrences(axioms), box, universals, [*functional, *at_most_one])
    yield from successors.consequences()
    yield from universals_by_inverse(universals, box)
    yield from keys_and_returns(role_axioms, functional, successors)
    yield from disjoint_properties(role_axioms, successors)


def needs_pairs(role_axioms: Sequence[tuple[int, ax.Axiom]]) -> bool:
    """Return whether there are axioms of a kind that only individuals which are related can break, or keys."""
    return any(
        isinstance(axiom, ax.DisjointObjectProperties)
        or (
            isinstance(axiom, ax.ObjectPropertyCharacteristic)
            and axiom.characteristic in ("Asymmetric", "InverseFunctional", "Functional")
        )
        for _, axiom in role_axioms
    )


# ── Names for inverses ────────────────────────────────────────────────────────────────────────────────────────────


def with_names_for_inverses(
    axiom: ax.Axiom, position: int, box: RoleBox, weaken: Weaken
) -> Iterator[tuple[Weakened, Sources]]:
    """Yield what is used of an axiom once its inverses are written as the names that they have."""
    if isinstance(axiom, ROLE_AXIOMS) or not box.backs:
        return
    names: dict[ObjectInverseOf, ObjectProperty] = {}
    sources: Sources = (position,)
    for inverse in {part for part in walk(axiom) if isinstance(part, ObjectInverseOf)}:
        for name, why in box.reach(inverse).items():
            if isinstance(name, ObjectProperty) and inverse.property in box.backs.get(name, ()):
                names[inverse] = name
                sources = join(sources, why, box.backs[name][inverse.property])
                break
    if names:
        yield weaken(cast(ax.Axiom, _rebuild(axiom, names))), sources


def _rebuild(value: object, names: Mapping[ObjectInverseOf, ObjectProperty]) -> object:
    if isinstance(value, ObjectInverseOf):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_rebuild(part, names) for part in value)
    kind = type(value)
    if kind in LEAVES or kind not in PARTS:
        return value
    parts = {name: _rebuild(getattr(value, name), names) for name in PARTS[kind]}
    return replace(cast(Any, value), **parts)


# ── Characteristics of properties ─────────────────────────────────────────────────────────────────────────────────


def functional_bounds(told: Iterable[tuple[int, ax.Axiom]], box: RoleBox) -> Iterator[Bound]:
    """Yield ⊤ ⊑ ≤ 1 r.⊤ for the functional properties, and for names below inverses of inverse-functional ones."""
    for position, axiom in told:
        match axiom:
            case ax.ObjectPropertyCharacteristic("Functional" | "InverseFunctional" as word, role):
                base = role.property if isinstance(role, owl.ObjectInverseOf) else role
                if (word == "Functional") == isinstance(role, ObjectProperty):
                    yield Bound(THING, base, THING, (position,))
                else:
                    for name, backs in box.backs.items():
                        if base in backs:
                            yield Bound(THING, name, THING, join(backs[base], (position,)))


def keys_and_returns(
    told: Iterable[tuple[int, ax.Axiom]], functional: Sequence[Bound], successors: Successors
) -> Iterator[Consequence]:
    """Yield keys for inverse-functional properties, and ∃r.∃s.E ⊑ E where s is functional and leads back from r."""
    for position, axiom in told:
        match axiom:
            case ax.ObjectPropertyCharacteristic("InverseFunctional", ObjectProperty() as role) | (
                ax.ObjectPropertyCharacteristic("Functional", owl.ObjectInverseOf(role))
            ):
                yield Consequence(ax.HasKey(THING, (role,), ()), (position,))
    given = dict.fromkeys(successors.occurrences.given)
    for bound in functional:
        for role, backs in successors.box.backs.items():
            if bound.role not in backs:
                continue
            sources = join(backs[bound.role], bound.sources)
            yield Consequence(ax.HasKey(THING, (role,), ()), sources)
            fillers = {conjunction([filler]): None for other, filler in given if below(other, bound, successors.box)}
            targets = dict.fromkeys(single(target) for _, target in successors.pairs.get(bound.role, ()))
            for filler in [*fillers, *targets]:
                if filler != THING:
                    yield Consequence(ax.SubClassOf(some(role, some(bound.role, filler)), filler), sources)


def universals_by_inverse(universals: Sequence[Bound], box: RoleBox) -> Iterator[Consequence]:
    """Yield ∃s.C ⊑ B for C ⊑ ∀r.B where s has what r has, the other way round."""
    for name, backs in box.backs.items():
        for bound in universals:
            if bound.role in backs:
                left = some(name, bound.sub)
                yield Consequence(ax.SubClassOf(left, bound.filler), join(backs[bound.role], bound.sources))


def below(role: ObjectProperty, bound: Bound, box: RoleBox) -> bool:
    """Return whether a property is below that of a bound."""
    return bound.role in box.named_above(role)


def disjoint_properties(told: Iterable[tuple[int, ax.Axiom]], successors: Successors) -> Iterator[Consequence]:
    """Yield that no individual is related to another by two disjoint properties, or both ways by an asymmetric one."""
    for position, operands in disjoint_operands(told):
        touching: defaultdict[Individual, dict[owl.ObjectPropertyExpression, None]] = defaultdict(dict)
        for operand in dict.fromkeys(operands):
            for source, target in successors.pairs.get(base(operand), ()):
                touching[target if isinstance(operand, ObjectProperty) else source][operand] = None
            for individual in successors.given_individuals(base(operand)):
                touching[individual][operand] = None
        for individual, roles in touching.items():
            names = [role for role in roles if isinstance(role, ObjectProperty)]
            inverses = [role for role in roles if isinstance(role, owl.ObjectInverseOf)]
            pairs: list[tuple[owl.ObjectPropertyExpression, owl.ObjectPropertyExpression]]
            pairs = [*product(names, inverses)]
            if len(names) == 2:
                pairs.append((names[0], names[1]))
            elif len(names) > 2:  # all pairs of them would be too many, and this says the same
                related = tuple(some(role, single(individual)) for role in names)
                yield Consequence(ax.DisjointClasses(related), (position,))
            for first, second in pairs:
                if (met := both(first, second, single(individual))) is not None:
                    yield Consequence(ax.SubClassOf(met, NOTHING), (position,))


def disjoint_operands(
    told: Iterable[tuple[int, ax.Axiom]],
) -> Iterator[tuple[int, tuple[owl.ObjectPropertyExpression, ...]]]:
    """Yield properties that are told disjoint, with the position of the axiom; r is asymmetric when r and r⁻ are."""
    for position, axiom in told:
        match axiom:
            case ax.ObjectPropertyCharacteristic("Asymmetric", role):
                yield position, (base(role), owl.ObjectInverseOf(base(role)))
            case ax.DisjointObjectProperties(operands):
                has_name = any(isinstance(operand, ObjectProperty) for operand in operands)
                yield position, operands if has_name else tuple(map(base, operands))  # r⁻, s⁻ are disjoint if r, s are


def empty_properties(told: Iterable[tuple[int, ax.Axiom]], box: RoleBox) -> Iterator[Consequence]:
    """Yield that properties are empty which are below two that are disjoint."""
    disjoint = [(position, frozenset(operands)) for position, operands in disjoint_operands(told)]
    for role in box.names if disjoint else ():
        above = box.above(role)
        for position, operands in disjoint:
            met = [one for one in above if one in operands]
            if len(met) > 1:
                sources = join((position,), above[met[0]], above[met[1]])
                yield Consequence(ax.ObjectPropertyDomain(role, NOTHING), sources)


def both(
    first: owl.ObjectPropertyExpression, second: owl.ObjectPropertyExpression, nominal: ClassExpression
) -> ClassExpression | None:
    """Return what is related to {a} by both properties; for r and s⁻, {a} itself where s leads to what r leads back."""
    match first, second:
        case ObjectProperty(), ObjectProperty():
            return conjunction([some(first, nominal), some(second, nominal)])
        case (ObjectProperty() as there, owl.ObjectInverseOf(back)) | (
            owl.ObjectInverseOf(back),
            ObjectProperty() as there,
        ):
            return conjunction([nominal, some(back, some(there, nominal))])
    return None


def base(role: owl.ObjectPropertyExpression) -> ObjectProperty:
    """Return the named property that an expression is made of."""
    return role.property if isinstance(role, owl.ObjectInverseOf) else role
