"""Turn EL axioms into the integer normal form: structural, so that no class name is invented.

What holds by the semantics alone is written down with it: the role hierarchy closed, chains cut into pairs, data ranges
compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from moose.base.errors import MooseError
from moose.base.graphs import strong_components
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Axiom
from moose.owl.normal.axiom_rows import AxiomRows, Interner, Row
from moose.owl.normal.cases import number_cases
from moose.owl.normal.functional_values import FunctionalValues
from moose.owl.normal.normal_form import BOTTOM, LITERAL, NO_AXIOM, TOP, Flags, Indices, Kind, NormalForm, Table
from moose.owl.normal.self_concepts import add_self_rows

# Which property is below which is a square of truth values: this many take 1.6 GB. Real ontologies have some hundreds.
MOST_ROLES = 40_000
# The table of compositions has a cell of 8 bytes for each pair of roles; real ontologies need some ten thousand.
MOST_CELLS = 1 << 26

Goal = tuple[owl.ClassExpression, owl.ClassExpression]


def normalise(
    axioms: Sequence[Axiom],
    *,
    entities: Iterable[owl.Entity] = (),
    goals: Iterable[Goal] = (),
    are_links_told: bool = True,
) -> NormalForm:
    """Number the entities in the order given, the concepts of the axioms, and of the goals C ⊑ D that will be asked.

    A goal's C becomes a root of its own, its D is recognised as if it stood on a left-hand side. `are_links_told`
    unless evidence may bring links between individuals that no axiom tells of.
    """
    rows = AxiomRows()
    for entity in entities:
        rows.declare(entity)
    for position, axiom in enumerate(axioms):
        rows.add(axiom, position)
    asked = [(rows.ids.concept(sub), rows.ids.concept(sup)) for sub, sup in goals]
    rows.negative_roots += [sup for _, sup in asked]
    return finish(rows, asked, are_links_told=are_links_told)


def finish(rows: AxiomRows, goals: Sequence[tuple[int, int]], *, are_links_told: bool) -> NormalForm:
    """Add what holds by the semantics alone, and pack the tables."""
    ids = rows.ids
    add_reserved_roles(rows)
    compositions, role_count = cut_chains(rows.chains, len(ids.roles))
    universal = ids.roles.get(owl.TOP_OBJECT_PROPERTY, -1)
    is_subrole = close_hierarchy(rows, role_count, universal)
    add_self_rows(rows, is_subrole, universal, are_links_told=are_links_told)
    add_universal_ranges(rows, is_subrole, universal)
    targets = link_targets(rows, is_subrole)
    case_of = number_cases(rows, [*targets.values(), *(sub for sub, _ in goals)])
    close_functional_values(rows)
    is_negative = negative_concepts(rows)
    add_values(rows, is_negative)
    some_target = np.full(len(ids.kinds), -1, dtype=np.int32)
    some_target[list(targets.keys())] = list(targets.values())
    return NormalForm(
        kinds=indices(ids.kinds),
        first=indices(ids.first),
        second=indices(ids.second),
        is_negative=is_negative,
        classes=tuple(ids.classes),
        class_concepts=indices(ids.classes.values()),
        individuals=tuple(ids.nominals),
        nominal_concepts=indices(ids.nominals.values()),
        value_sets=tuple(ids.values),
        value_concepts=indices(ids.values.values()),
        literals=ids.literals,
        roles=tuple(ids.roles),
        role_count=role_count,
        universal_role=universal,
        told=table(rows.told, 3),
        disjoint=tuple(rows.disjoint),
        inclusions=table(rows.inclusions, 3),
        compositions=table(compositions, 4),
        ranges=table(rows.ranges, 3),
        some_target=some_target,
        is_subrole=is_subrole,
        keys=tuple(rows.keys),
        functional=table(rows.functional, 2),
        goals=tuple(goals),
        unions=tuple(rows.unions),
        case_of=case_of,
    )


def indices(values: Iterable[int]) -> Indices:
    """Pack numbers."""
    return np.fromiter(values, dtype=np.int32)


def table(rows: Sequence[Row], width: int) -> Table:
    """Pack rows of numbers."""
    return Table(np.array(rows, dtype=np.int32).reshape(len(rows), width))


def object_roles(ids: Interner, role_count: int) -> Flags:
    """Return which roles are named and relate individuals (a chain's prefix has no name, so no rule speaks of it)."""
    flags = np.zeros(role_count, dtype=np.bool_)
    flags[[number for role, number in ids.roles.items() if isinstance(role, owl.ObjectProperty)]] = True
    return flags


def close_hierarchy(rows: AxiomRows, role_count: int, universal: int) -> Flags:
    """Close the role hierarchy, with owl:topObjectProperty above every role and what relates everything found.

    Runiversal-chain
        top ⊑* r    top ⊑* t    r ∘ t ⊑ s is told
        ──────────────────────────────────────────
                       top ⊑ s
    """
    is_subrole = close_roles(rows.inclusions, role_count)
    if universal < 0:
        return is_subrole
    while True:
        implied = [
            (universal, result, axiom)
            for chain, result, axiom in rows.chains
            if not is_subrole[universal, result] and all(is_subrole[universal, role] for role in chain)
        ]
        if not implied:
            break
        rows.inclusions += implied
        for _, result, _ in implied:
            is_subrole[universal] |= is_subrole[result]
    is_subrole[:, universal] |= object_roles(rows.ids, role_count)
    is_subrole[is_subrole[:, universal]] |= is_subrole[universal]
    return is_subrole


def add_reserved_roles(rows: AxiomRows) -> None:
    """Record ∃r.⊤ ⊑ ⊥ for the empty roles, and ⊤ ⊑ ∃d.D for owl:topDataProperty, where they are mentioned."""
    ids = rows.ids
    everything = ids.roles.get(owl.TOP_DATA_PROPERTY)
    for (role, filler), some in ids.somes.items():
        if role == everything and not ids.value_list[ids.first[filler]].is_empty():
            rows.told.append((TOP, some, NO_AXIOM))
    for empty, top in ((owl.BOTTOM_OBJECT_PROPERTY, TOP), (owl.BOTTOM_DATA_PROPERTY, LITERAL)):
        if empty in ids.roles:
            rows.told.append((ids.some(ids.roles[empty], top), BOTTOM, NO_AXIOM))


def add_universal_ranges(rows: AxiomRows, is_subrole: Flags, universal: int) -> None:
    """Record ⊤ ⊑ C for a range C of a role that holds everywhere."""
    if universal >= 0:
        rows.told.extend((TOP, concept, axiom) for role, concept, axiom in rows.ranges if is_subrole[universal, role])


def link_targets(rows: AxiomRows, is_subrole: Flags) -> dict[int, int]:
    """For each ∃r.D return the concept that a link leads to: D and the ranges of r and its super-roles."""
    ids = rows.ids
    ranges_of: dict[int, list[int]] = {}
    for role, concept, _ in rows.ranges:
        for sub in np.flatnonzero(is_subrole[:, role]):
            ranges_of.setdefault(int(sub), []).append(concept)
    targets = {}
    for (role, filler), some in list(ids.somes.items()):
        ranges = ranges_of.get(role)
        targets[some] = filler if ranges is None else narrowed(ids, filler, ranges)
    return targets


def narrowed(ids: Interner, filler: int, ranges: Sequence[int]) -> int:
    """Number the conjunction of a filler with ranges."""
    if ids.kinds[filler] != Kind.VALUES:
        return ids.conjunction([filler, *ranges])
    values = ids.value_list[ids.first[filler]]
    for concept in ranges:
        values = values.intersect(ids.value_list[ids.first[concept]])
    return ids.value_set(values)


def close_functional_values(rows: AxiomRows) -> None:
    """Number the intersections of data ranges that functional properties can force."""
    if not rows.functional:
        return
    for values in FunctionalValues(rows.ids.values).all_shared():
        rows.ids.value_set(values)


def negative_concepts(rows: AxiomRows) -> Flags:
    """Return which concepts occur on a left-hand side."""
    ids = rows.ids
    is_negative = np.zeros(len(ids.kinds), dtype=np.bool_)
    stack = [row[0] for row in rows.told] + rows.negative_roots
    stack += [member for members, _ in rows.disjoint for member in members]
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


def add_values(rows: AxiomRows, is_negative: Flags) -> None:
    """Record which data ranges lie in which recognised ones, and which are empty.

    Rdata
        every literal of D is in E
        ──────────────────────────
                 D ⊑ E
    """
    items = [(concept, values) for values, concept in rows.ids.values.items() if concept != LITERAL]
    negative = [(concept, values) for concept, values in items if is_negative[concept]]
    wide = [(concept, values) for concept, values in negative if values.single is None]
    for concept, values in items:
        if values.is_empty():
            rows.told.append((concept, BOTTOM, NO_AXIOM))
            continue
        # Of those with a value, only one that is written with further parts can lie in a single one.
        for other, wider in negative if values.values and values.single is None else wide:
            if other != concept and values.is_subset(wider):
                rows.told.append((concept, other, NO_AXIOM))


# ── The role hierarchy ────────────────────────────────────────────────────────────────────────────────────────────

Chain = tuple[tuple[int, ...], int, int]


def cut_chains(chains: Iterable[Chain], role_count: int) -> tuple[list[tuple[int, int, int, int]], int]:
    """Cut r₁ ∘ … ∘ rₙ ⊑ s into pairs through fresh roles for the prefixes; equal prefixes share one.

    Returns rows (left, right, result, axiom) and the number of roles with the fresh ones.
    """
    rows = []
    prefixes: dict[tuple[int, int], int] = {}  # a prefix as the role of the prefix before it, and one role more
    for chain, result, axiom in chains:
        left = chain[0]
        for right in chain[1:-1]:
            prefix = (left, right)
            if prefix not in prefixes:
                prefixes[prefix] = role_count + len(prefixes)
                rows.append((left, right, prefixes[prefix], axiom))
            left = prefixes[prefix]
        rows.append((left, chain[-1], result, axiom))
    refuse_compositions(len({row[0] for row in rows}) * len({row[1] for row in rows}))
    return rows, role_count + len(prefixes)


def refuse_compositions(count: int, *, most: int = MOST_CELLS) -> None:
    """Say that chains are too long or too many before memory is taken for them."""
    if count > most:
        raise MooseError(
            f"expected property chains that compose at most {most:,} pairs of properties, but these compose at least "
            f"{count:,}; shorten or leave out chains, or sub-properties of what they compose"
        )


def close_roles(inclusions: Sequence[tuple[int, ...]], role_count: int) -> Flags:
    """Return the reflexive and transitive closure of r ⊑ s as a square of truth values.

    Rrinc
        r ⊑* s    s ⊑ t is told
        ────────────────────────
                r ⊑* t
    """
    if role_count > MOST_ROLES:
        raise MooseError(
            f"expected at most {MOST_ROLES:,} properties (a chain of n properties counts n more), but the axioms have "
            f"{role_count:,}; leave out those that nothing is asked about"
        )
    told: dict[int, list[int]] = {}
    for sub, sup, _ in inclusions:
        told.setdefault(sub, []).append(sup)
    square = np.eye(role_count, dtype=np.bool_)
    for component in strong_components(sorted(told), lambda role: told.get(role, ())):
        first = component[0]  # what its members are below has been closed before
        square[first, component] = True
        for above in {sup for role in component for sup in told.get(role, ())} - set(component):
            square[first] |= square[above]
        square[component[1:]] = square[first]
    return square
