"""The concepts ∃r.Self and what holds of them by the role axioms."""

from __future__ import annotations

import numpy as np

from moose.owl.model import expressions as owl
from moose.owl.normal.axiom_rows import AxiomRows
from moose.owl.normal.normal_form import BOTTOM, NO_AXIOM, TOP, Flags, Kind


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
