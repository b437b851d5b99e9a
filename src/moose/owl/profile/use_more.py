"""Use more of the axioms outside EL: what follows from them together with the rest of the ontology."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.expressions import ObjectInverseOf, ObjectProperty
from moose.owl.model.signature import LEAVES, PARTS, walk
from moose.owl.profile.inclusion import Weakened
from moose.owl.profile.roles.characteristics import (
    disjoint_properties,
    empty_properties,
    functional_bounds,
    keys_and_returns,
    universals_by_inverse,
)
from moose.owl.profile.roles.role_box import Consequence, RoleBox, Sources, join
from moose.owl.profile.roles.successors import Bound, Occurrences, Successors

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
    kept = {"annotations": value.annotations} if hasattr(value, "annotations") else {}
    return kind(**{name: _rebuild(getattr(value, name), names) for name in PARTS[kind]}, **kept)
