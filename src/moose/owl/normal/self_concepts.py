"""The concepts ∃r.Self and what holds of them by the role axioms."""

from __future__ import annotations

import numpy as np

from moose.owl.model import expressions as owl
from moose.owl.normal.axiom_rows import Teller
from moose.owl.normal.normal_form import BOTTOM, NO_AXIOM, TOP, Flags, Kind


def tell_self(teller: Teller, is_subrole: Flags, universal: int) -> None:
    """Record how ∃r.Self follows from role inclusions, chains, ranges, universal roles and named loops."""
    ids = teller.ids
    if not ids.selves:
        return
    if universal >= 0:
        for role in np.flatnonzero(is_subrole[universal]):
            teller.told.append((TOP, ids.self_of(int(role)), NO_AXIOM))
    tell_loops(teller)
    tell_role_axioms(teller)
    empty = ids.roles.get(owl.BOTTOM_OBJECT_PROPERTY)
    if empty in ids.selves:
        teller.told.append((ids.selves[empty], BOTTOM, NO_AXIOM))


def tell_loops(teller: Teller) -> None:
    """Record what makes a named loop one, for every ∃r.Self that matters and every individual.

    Rself-nominal
        C ⊑ {a}    C → r → D    D ⊑ {a}
        ────────────────────────────────
                 C ⊑ ∃r.Self
    """
    ids = teller.ids
    for role in sorted(recognised_selves(teller)):
        loop = ids.self_of(role)
        for nominal in list(ids.nominals.values()):
            teller.told.append((ids.conjunction([nominal, ids.some(role, nominal)]), loop, NO_AXIOM))


def recognised_selves(teller: Teller) -> set[int]:
    """Return the roles whose ∃r.Self can matter: on a left-hand side, in a filler, or needed by a chain."""
    ids = teller.ids
    left = {concept for row in teller.told for concept in ids.flatten([row[0]])}
    left |= {concept for members, _ in teller.disjoint for member in members for concept in ids.flatten([member])}
    left |= set(ids.flatten(teller.negative_roots))
    roles = {ids.first[concept] for concept in left if ids.kinds[concept] == Kind.SELF}
    nested = set(ids.flatten({filler for _, filler in ids.somes}))  # there, polarity is not looked at
    roles |= {role for role, concept in ids.selves.items() if concept in nested}
    changed = True
    while changed:
        needed = {part for chain, result, _ in teller.chains if result in roles for part in chain}
        changed = not needed <= roles
        roles |= needed
    return roles


def tell_role_axioms(teller: Teller) -> None:
    """Record, upwards from the roles whose ∃r.Self can hold, what follows.

    Rself-inc            Rself-chain                        Rself-range
        C ⊑ ∃r.Self          C ⊑ ∃r.Self    C ⊑ ∃t.Self        C ⊑ ∃r.Self
        r ⊑ s is told        r ∘ t ⊑ s is told                 range(r) ⊑ D is told
        ─────────────        ───────────────────────────       ─────────────────────
        C ⊑ ∃s.Self               C ⊑ ∃s.Self                       C ⊑ D
    """
    ids = teller.ids
    done: set[tuple[int, ...]] = set()
    changed = True
    while changed:
        before = len(ids.selves)
        for sub, sup, axiom in teller.inclusions:
            if sub in ids.selves and (0, sub, sup, axiom) not in done:
                done.add((0, sub, sup, axiom))
                teller.told.append((ids.selves[sub], ids.self_of(sup), axiom))
        for position, (chain, result, axiom) in enumerate(teller.chains):
            if all(role in ids.selves for role in chain) and (1, position) not in done:
                done.add((1, position))
                left = ids.conjunction([ids.selves[role] for role in chain])
                teller.told.append((left, ids.self_of(result), axiom))
        changed = len(ids.selves) > before
    for role, concept, axiom in teller.ranges:
        if role in ids.selves:
            teller.told.append((ids.selves[role], concept, axiom))
