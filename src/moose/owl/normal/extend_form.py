"""More axioms for a normal form that is there: its concepts keep their numbers, new ones come behind them.

Only axioms that add rows and concepts can be added so. What changes the roles, or what holds of data, Self and unions
by the semantics alone, asks for a normal form from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from moose.owl.model import axioms as ax
from moose.owl.model import expressions as owl
from moose.owl.model.signature import walk
from moose.owl.normal.axiom_rows import AxiomRows, table
from moose.owl.normal.normal_form import Flags, Kind, NormalForm, Table
from moose.owl.normal.normalise import indices, narrowed

ADDABLE = (
    ax.SubClassOf,
    ax.EquivalentClasses,
    ax.DisjointClasses,
    ax.ObjectPropertyDomain,
    ax.ClassAssertion,
    ax.ObjectPropertyAssertion,
    ax.SameIndividual,
    ax.DifferentIndividuals,
)
BEYOND = (owl.ObjectHasSelf, owl.DataSomeValuesFrom, owl.DataHasValue, owl.ObjectUnionOf)


def is_addable(form: NormalForm, axioms: Sequence[ax.Axiom]) -> bool:
    """Return whether axioms of EL only add rows and concepts to a normal form."""
    known = set(form.roles)
    is_plain = form.universal_role < 0 and not form.unions and not bool(np.any(form.kinds == Kind.SELF))
    return is_plain and all(
        isinstance(axiom, ADDABLE)
        and not any(isinstance(part, BEYOND) or is_new_role(part, known) for part in walk(axiom))
        for axiom in axioms
    )


def is_new_role(part: object, known: set[owl.ObjectProperty | owl.DataProperty]) -> bool:
    """Return whether a part of an axiom is a property that the normal form does not have."""
    return isinstance(part, owl.ObjectProperty | owl.DataProperty) and part not in known


def extend_form(form: NormalForm, axioms: Sequence[ax.Axiom], position: int) -> NormalForm:
    """Add axioms that are addable; `position` is that of the first of them."""
    rows = AxiomRows()
    rows.ids.kinds, rows.ids.first, rows.ids.second = form.kinds.tolist(), form.first.tolist(), form.second.tolist()
    number_again(rows, form)
    for offset, axiom in enumerate(axioms):
        rows.add(axiom, position + offset)
    targets = new_targets(rows, form)
    ids = rows.ids
    old = len(form.kinds)
    return replace(
        form,
        kinds=indices(ids.kinds),
        first=indices(ids.first),
        second=indices(ids.second),
        is_negative=more_negative(rows, form),
        classes=tuple(ids.classes),
        class_concepts=indices(ids.classes.values()),
        individuals=tuple(ids.nominals),
        nominal_concepts=indices(ids.nominals.values()),
        told=Table(np.concatenate([form.told.rows, table(rows.told, 3)])),
        disjoint=(*form.disjoint, *rows.disjoint),
        some_target=np.concatenate(
            [form.some_target, indices(targets.get(concept, -1) for concept in range(old, len(ids.kinds)))]
        ),
        goals=(),
    )


def number_again(rows: AxiomRows, form: NormalForm) -> None:
    """Give an interner the numbers that a normal form has."""
    ids = rows.ids
    ids.classes = dict(zip(form.classes, form.class_concepts.tolist(), strict=True))
    ids.nominals = dict(zip(form.individuals, form.nominal_concepts.tolist(), strict=True))
    ids.values = dict(zip(form.value_sets, form.value_concepts.tolist(), strict=True))
    ids.value_list = list(form.value_sets)
    ids.roles = {role: number for number, role in enumerate(form.roles)}
    for kind, numbers in ((Kind.CONJUNCTION, ids.pairs), (Kind.SOME, ids.somes)):
        concepts = np.flatnonzero(form.kinds == kind)
        parts = zip(form.first[concepts].tolist(), form.second[concepts].tolist(), strict=True)
        numbers.update(zip(parts, concepts.tolist(), strict=True))


def new_targets(rows: AxiomRows, form: NormalForm) -> dict[int, int]:
    """Return where the links of each new ∃r.D lead: to D and the ranges of r and its super-roles."""
    told = form.ranges.rows.tolist()
    targets = {}
    for (role, filler), some in list(rows.ids.somes.items()):
        if some >= len(form.kinds):
            ranges = [concept for above, concept, _ in told if form.is_subrole[role, above]]
            targets[some] = narrowed(rows.ids, filler, ranges) if ranges else filler
    return targets


def more_negative(rows: AxiomRows, form: NormalForm) -> Flags:
    """Return which concepts occur on a left-hand side, with those of the new rows."""
    ids = rows.ids
    is_negative = np.zeros(len(ids.kinds), dtype=np.bool_)
    is_negative[: len(form.kinds)] = form.is_negative
    stack = [row[0] for row in rows.told] + [member for members, _ in rows.disjoint for member in members]
    while stack:
        concept = stack.pop()
        if is_negative[concept]:
            continue
        is_negative[concept] = True
        if ids.kinds[concept] == Kind.CONJUNCTION:
            stack += (ids.first[concept], ids.second[concept])
        elif ids.kinds[concept] == Kind.SOME:
            stack.append(ids.second[concept])
    return is_negative
