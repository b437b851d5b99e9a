"""The hierarchy of properties: which are below which, by the role axioms and by what follows from them."""

from __future__ import annotations

import numpy as np

from moose.owl.model import expressions as owl
from moose.owl.normal.normal_form import BOTTOM, TOP, NormalForm
from moose.owl.normal.normalise import Goal, normalise
from moose.owl.ontology import Ontology
from moose.saturation.engine.arrays import Flags
from moose.saturation.engine.facts import Facts
from moose.saturation.engine.saturate import is_satisfiable, saturate_form

Property = owl.ObjectProperty | owl.DataProperty

BOTTOMS: dict[type[Property], Property] = {
    owl.ObjectProperty: owl.BOTTOM_OBJECT_PROPERTY,
    owl.DataProperty: owl.BOTTOM_DATA_PROPERTY,
}
"""The empty property of each kind."""


def property_pairs(ontology: Ontology) -> list[tuple[str, str]]:
    """Return pairs (property, property above it), sorted, without a property itself and the top properties.

    A property is below another by inclusions, by a chain whose other members are reflexive, and by being empty: then it
    is below all of its kind, owl:bottomObjectProperty or owl:bottomDataProperty among them.
    """
    names = [
        role for role in ontology.normal_form.roles if role not in (owl.TOP_OBJECT_PROPERTY, owl.TOP_DATA_PROPERTY)
    ]
    goals: list[Goal] = [(exists(role), owl.NOTHING) for role in names]
    goals += [(owl.THING, owl.ObjectHasSelf(role)) for role in names if isinstance(role, owl.ObjectProperty)]
    form = normalise(ontology.profile.used_axioms, goals=goals)
    saturation = saturate_form(form, roots=sorted({sub for sub, _ in form.goals}))
    above = with_chains(form, saturation.base)
    numbers = {role: number for number, role in enumerate(form.roles)}
    subs = {role: sub for role, (sub, _) in zip(names, form.goals, strict=False)}
    empty = {role for role, sub in subs.items() if not is_satisfiable(saturation.world_of(sub), sub)}
    bottoms = {(role.iri, bottom.iri) for role in empty if role != (bottom := BOTTOMS[type(role)])}
    return sorted(
        bottoms.union(
            (low.iri, high.iri)
            for low in names
            for high in names
            if low != high and type(low) is type(high) and (low in empty or above[numbers[low], numbers[high]])
        )
    )


def exists(role: Property) -> owl.ClassExpression:
    """Write ∃r.⊤."""
    if isinstance(role, owl.DataProperty):
        return owl.DataSomeValuesFrom((role,), owl.LITERAL)
    return owl.ObjectSomeValuesFrom(role, owl.THING)


def with_chains(form: NormalForm, facts: Facts) -> Flags:
    """Return r ⊑* s with what chains through reflexive roles add.

    r ∘ t ⊑ s is told    t is reflexive
    ─────────────────────────────────── (and likewise on the left)
                  r ⊑ s
    """
    loops = {int(form.first[sup]): sup for sub, sup in form.goals if sub == TOP and sup != BOTTOM}
    is_reflexive = np.zeros(form.role_count, dtype=np.bool_)
    for role, loop in loops.items():
        is_reflexive[role] = facts.has(TOP, loop)
    above = form.is_subrole.copy()
    rows = form.compositions.rows.tolist()
    while True:
        before = int(above.sum()) + int(is_reflexive.sum())
        for left, right, result, _ in rows:
            for one, other in ((left, right), (right, left)):
                if is_reflexive[other]:
                    above[above[:, one]] |= above[result]
            is_reflexive[result] |= is_reflexive[left] and is_reflexive[right]
        if int(above.sum()) + int(is_reflexive.sum()) == before:
            return above
