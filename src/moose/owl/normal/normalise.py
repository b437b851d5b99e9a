"""Turn EL axioms into the integer normal form: structural, so that no class name is invented.

What holds by the semantics alone is written down with it: the role hierarchy closed, chains cut into pairs, data ranges
compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from moose.base.integer_arrays import distinct
from moose.owl.model import expressions as owl
from moose.owl.model.axioms import Axiom
from moose.owl.normal.axiom_rows import AxiomRows, Interner, table
from moose.owl.normal.functional_values import FunctionalValues
from moose.owl.normal.normal_form import BOTTOM, LITERAL, NO_AXIOM, TOP, Flags, Indices, Kind, NormalForm, Table
from moose.owl.normal.role_hierarchy import close_roles, cut_chains

Goal = tuple[owl.ClassExpression, owl.ClassExpression]


def normalise(
    axioms: Sequence[Axiom],
    *,
    classes: Iterable[str] = (),
    entities: Iterable[owl.Entity] = (),
    goals: Iterable[Goal] = (),
    are_links_told: bool = True,
) -> NormalForm:
    """Number the entities in the order given, the concepts of the axioms, and of the goals C ⊑ D that will be asked.

    `classes` are the distinct IRIs of classes that come before all other entities. A goal's C becomes a root of its
    own, its D is recognised as if it stood on a left-hand side. `are_links_told` unless evidence may bring links
    between individuals that no axiom tells of.
    """
    rows = AxiomRows()
    rows.ids.name_classes(classes)
    for entity in entities:
        rows.declare(entity)
    rows.add_all(axioms)
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
    case_of = number_cases(rows, [sub for sub, _ in goals], targets)
    close_functional_values(rows)
    is_negative = negative_concepts(rows)
    add_values(rows, is_negative)
    kinds, second = indices(ids.kinds), indices(ids.second)
    some_target = np.where(kinds == Kind.SOME, second, np.int32(-1))
    some_target[list(targets.keys())] = list(targets.values())
    return NormalForm(
        kinds=kinds,
        first=indices(ids.first),
        second=second,
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
        told=Table(rows.told_rows()),
        disjoint=tuple(rows.disjoint),
        inclusions=Table(table(rows.inclusions, 3)),
        compositions=Table(table(compositions, 4)),
        ranges=Table(table(rows.ranges, 3)),
        some_target=some_target,
        is_subrole=is_subrole,
        keys=tuple(rows.keys),
        functional=Table(table(rows.functional, 2)),
        goals=tuple(goals),
        unions=tuple(rows.unions),
        case_of=case_of,
    )


def indices(values: Iterable[int]) -> Indices:
    """Pack numbers."""
    return np.fromiter(values, dtype=np.int32)


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
    for (role, filler), some in ids.somes.items() if everything is not None else ():
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
    """For each ∃r.D with ranges return the concept that a link leads to: D and the ranges of r and its super-roles."""
    ids = rows.ids
    ranges_of: dict[int, list[int]] = {}
    for role, concept, _ in rows.ranges:
        for sub in np.flatnonzero(is_subrole[:, role]):
            ranges_of.setdefault(int(sub), []).append(concept)
    ranged = [(pair, some) for pair, some in ids.somes.items() if pair[0] in ranges_of] if ranges_of else []
    return {some: narrowed(ids, filler, ranges_of[role]) for (role, filler), some in ranged}


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
    is_negative = bytearray(len(ids.kinds))
    stack = list({row[0] for row in rows.told}.union(rows.negative_roots, distinct(rows.links[:, 0]).tolist()))
    stack += [member for members, _ in rows.disjoint for member in members]
    while stack:
        concept = stack.pop()
        if is_negative[concept]:
            continue
        is_negative[concept] = 1
        if ids.kinds[concept] == Kind.CONJUNCTION:
            stack += (ids.first[concept], ids.second[concept])
        elif ids.kinds[concept] == Kind.SOME:
            stack.append(ids.second[concept])
    return np.frombuffer(is_negative, dtype=np.bool_)


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


# ── The concepts ∃r.Self, and what holds of them by the role axioms ───────────────────────────────────────────────


def add_self_rows(rows: AxiomRows, is_subrole: Flags, universal: int, *, are_links_told: bool = True) -> None:
    """Record how ∃r.Self follows from role inclusions, chains, ranges, universal roles and named loops.

    Unless all links are told, any individual may turn out to have a loop.
    """
    ids = rows.ids
    if not ids.selves:
        return
    if universal >= 0:
        for role in np.flatnonzero(is_subrole[universal]):
            rows.told.append((TOP, ids.self_of(int(role)), NO_AXIOM))
    add_loops(rows, is_subrole if are_links_told and universal < 0 else None)
    add_self_role_axioms(rows)
    empty = ids.roles.get(owl.BOTTOM_OBJECT_PROPERTY)
    if empty in ids.selves:
        rows.told.append((ids.selves[empty], BOTTOM, NO_AXIOM))


def add_loops(rows: AxiomRows, is_subrole: Flags | None) -> None:
    """Record what makes a named loop one, for every ∃r.Self that matters and every individual it can lead to.

    Rself-nominal
        C ⊑ {a}    C → r → D    D ⊑ {a}
        ────────────────────────────────
                 C ⊑ ∃r.Self
    """
    ids = rows.ids
    everyone = list(ids.nominals.values())
    recognised = recognised_selves(rows)
    reached = None if is_subrole is None else named_ends(rows, is_subrole)
    for role in sorted(recognised):
        loop = ids.self_of(role)
        for nominal in everyone if reached is None else sorted(reached.get(role, ())):
            rows.told.append((ids.conjunction([nominal, ids.some(role, nominal)]), loop, NO_AXIOM))


def named_ends(rows: AxiomRows, is_subrole: Flags) -> dict[int, set[int]]:
    """Return to which nominals each role can lead, as far as it takes to see all loops.

    A link ends in the filler of a told ∃r.D. It leads to a if {a} is part of D, or if D can turn out to be in {a}: then
    {a} stands on a right-hand side. What makes individuals equal needs no thought: {a} and {b} are then in one another,
    and each link that leads to one leads to both.
    """
    ids = rows.ids
    heads = [sup for _, sup, _ in rows.told] + [concept for _, concept, _ in rows.ranges]
    heads += [member for union in rows.unions for member in union.members]
    anywhere = {concept for concept in ids.flatten(heads) if ids.kinds[concept] == Kind.NOMINAL}
    ends: dict[int, set[int]] = {}
    for role, filler in ids.somes:
        ends.setdefault(role, set()).update(
            concept for concept in ids.flatten([filler]) if ids.kinds[concept] == Kind.NOMINAL
        )
    results: dict[int, list[int]] = {}
    for chain, result, _ in rows.chains:
        results.setdefault(chain[-1], []).append(result)
    reached: dict[int, set[int]] = {}
    for role, nominals in ends.items():
        above, waiting = {role}, [role]
        while waiting:
            last = waiting.pop()
            for other in (*np.flatnonzero(is_subrole[last]).tolist(), *results.get(last, ())):
                if other not in above:
                    above.add(other)
                    waiting.append(other)
        for other in above:
            reached.setdefault(other, set()).update(nominals, anywhere)
    return reached


def recognised_selves(rows: AxiomRows) -> set[int]:
    """Return the roles whose ∃r.Self can matter: on a left-hand side, in a filler, or needed by a chain."""
    ids = rows.ids
    left = {concept for row in rows.told for concept in ids.flatten([row[0]])}
    left |= {concept for members, _ in rows.disjoint for member in members for concept in ids.flatten([member])}
    left |= set(ids.flatten(rows.negative_roots))
    roles = {ids.first[concept] for concept in left if ids.kinds[concept] == Kind.SELF}
    nested = set(ids.flatten({filler for _, filler in ids.somes}))  # there, polarity is not looked at
    roles |= {role for role, concept in ids.selves.items() if concept in nested}
    changed = True
    while changed:
        needed = {part for chain, result, _ in rows.chains if result in roles for part in chain}
        changed = not needed <= roles
        roles |= needed
    return roles


def add_self_role_axioms(rows: AxiomRows) -> None:
    """Record, upwards from the roles whose ∃r.Self can hold, what follows.

    Rself-inc            Rself-chain                        Rself-range
        C ⊑ ∃r.Self          C ⊑ ∃r.Self    C ⊑ ∃t.Self        C ⊑ ∃r.Self
        r ⊑ s is told        r ∘ t ⊑ s is told                 range(r) ⊑ D is told
        ─────────────        ───────────────────────────       ─────────────────────
        C ⊑ ∃s.Self               C ⊑ ∃s.Self                       C ⊑ D
    """
    ids = rows.ids
    done: set[tuple[int, ...]] = set()
    changed = True
    while changed:
        before = len(ids.selves)
        for sub, sup, axiom in rows.inclusions:
            if sub in ids.selves and (0, sub, sup, axiom) not in done:
                done.add((0, sub, sup, axiom))
                rows.told.append((ids.selves[sub], ids.self_of(sup), axiom))
        for position, (chain, result, axiom) in enumerate(rows.chains):
            if all(role in ids.selves for role in chain) and (1, position) not in done:
                done.add((1, position))
                left = ids.conjunction([ids.selves[role] for role in chain])
                rows.told.append((left, ids.self_of(result), axiom))
        changed = len(ids.selves) > before
    for role, concept, axiom in rows.ranges:
        if role in ids.selves:
            rows.told.append((ids.selves[role], concept, axiom))


# ── Numbers for the cases of unions: C ⊓ D for each C that may lie below one, and each member D of it ─────────────────

CASES = 20_000
"""How many cases are numbered at most; each costs a row of the kernel's arrays, but no work before it is needed."""


def number_cases(rows: AxiomRows, goals: Iterable[int], targets: Mapping[int, int]) -> dict[tuple[int, int], int]:
    """Number C ⊓ D for members D of unions and concepts C: all that can be below one if they are few.

    If they are many, those that told inclusions lead from to the left-hand side of the union; if these are too many,
    the left-hand side alone. `goals` are further concepts of which something may be asked, `targets` where links lead
    if not to the filler.
    """
    ids = rows.ids
    case_of: dict[tuple[int, int], int] = {}
    if not rows.unions:
        return case_of
    ends = [targets.get(some, filler) for (_, filler), some in ids.somes.items()]
    everything = [*ids.classes.values(), *ids.nominals.values(), *ends, *goals]
    everything = [concept for concept in dict.fromkeys(everything) if ids.kinds[concept] != Kind.VALUES]
    is_small = len(everything) * sum(len(union.members) for union in rows.unions) <= CASES
    below = {} if is_small else told_below(rows)
    left_over = CASES
    for union in rows.unions:
        lefts = dict.fromkeys([union.concept, *(everything if is_small else reaching(union.concept, below))])
        conjuncts = sum(1 for left in lefts for _ in ids.flatten([left]))  # of which each case has all
        if conjuncts * len(union.members) > left_over:
            lefts = {union.concept: None}
            conjuncts = sum(1 for _ in ids.flatten([union.concept]))
        if conjuncts * len(union.members) > left_over:
            continue
        left_over -= conjuncts * len(union.members)
        for left in lefts:
            for member in union.members:
                case_of[left, member] = ids.conjunction([left, member])
    return case_of


def told_below(rows: AxiomRows) -> dict[int, list[int]]:
    """Return, for each concept, what is told to be below it, conjuncts on the right taken one by one."""
    below: defaultdict[int, list[int]] = defaultdict(list)
    for sub, sup, _ in [*rows.told, *rows.links.tolist()]:
        for part in rows.ids.flatten([sup]):
            below[part].append(sub)
    return below


def reaching(concept: int, below: dict[int, list[int]]) -> list[int]:
    """Return a concept and all that told inclusions lead from to it."""
    reached = {concept: None}
    stack = [concept]
    while stack:
        for sub in below.get(stack.pop(), ()):
            if sub not in reached:
                reached[sub] = None
                stack.append(sub)
    return list(reached)
