"""The role hierarchy's closure, and chains cut into pairs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from moose.owl.normal.normal_form import Flags

Chain = tuple[tuple[int, ...], int, int]


def cut_chains(chains: Iterable[Chain], role_count: int) -> tuple[list[tuple[int, int, int, int]], int]:
    """Cut r₁ ∘ … ∘ rₙ ⊑ s into pairs through fresh roles for the prefixes; equal prefixes share one.

    Returns rows (left, right, result, axiom) and the number of roles with the fresh ones.
    """
    rows = []
    prefixes: dict[tuple[int, ...], int] = {}
    for chain, result, axiom in chains:
        left = chain[0]
        for length in range(2, len(chain)):
            prefix = chain[:length]
            if prefix not in prefixes:
                prefixes[prefix] = role_count + len(prefixes)
                rows.append((left, chain[length - 1], prefixes[prefix], axiom))
            left = prefixes[prefix]
        rows.append((left, chain[-1], result, axiom))
    return rows, role_count + len(prefixes)


def close_roles(inclusions: Sequence[tuple[int, ...]], role_count: int) -> Flags:
    """Return the reflexive and transitive closure of r ⊑ s as a square of truth values.

    Rrinc
        r ⊑* s    s ⊑ t is told
        ────────────────────────
                r ⊑* t
    """
    above = [1 << role for role in range(role_count)]
    changed = True
    while changed:
        changed = False
        for sub, sup, _ in inclusions:
            joined = above[sub] | above[sup]
            if joined != above[sub]:
                above[sub] = joined
                changed = True
    size = (role_count + 7) // 8
    packed = np.frombuffer(b"".join(row.to_bytes(size, "little") for row in above), dtype=np.uint8)
    square = np.unpackbits(
        packed.reshape(role_count, size) if size else packed.reshape(0, 0), axis=1, bitorder="little"
    )
    return square[:, :role_count].astype(np.bool_)
