"""The role hierarchy as numbers: chains cut into pairs, and r ⊑* s as a square of truth values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from moose.base.errors import MooseError
from moose.base.graphs import strong_components
from moose.owl.normal.normal_form import Flags

# Which property is below which is a square of truth values: this many take 1.6 GB. Real ontologies have some hundreds.
MOST_ROLES = 40_000
# The table of compositions has a cell of 8 bytes for each pair of roles; real ontologies need some ten thousand.
MOST_CELLS = 1 << 26

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
