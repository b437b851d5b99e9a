"""Which columns of the weights belong to what: latent atoms, other atoms, families."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from moose.base.errors import MooseError
from moose.circuit.circuit import Circuit
from moose.grounding.clauses import AtomKind

Positions = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Columns:
    """Positions in `circuit.atoms`."""

    latent: Positions
    """The atoms that a network weighs."""
    others: Positions
    """All other atoms."""
    back: Positions
    """Where each atom stands in the latent ones followed by the others."""
    families: tuple[Positions, ...]
    """Each declared family at each individual."""
    from_clauses: Positions
    """For each atom of the clauses its position in the circuit, -1 for auxiliary ones."""


def find_columns(circuit: Circuit) -> Columns:
    """Sort the atoms of a circuit by where their weights come from."""
    is_shown = circuit.clauses.kinds != AtomKind.AUXILIARY
    from_clauses = np.where(is_shown, np.cumsum(is_shown) - 1, -1)
    kinds = circuit.clauses.kinds[is_shown]
    latent, others = np.flatnonzero(kinds == AtomKind.LATENT), np.flatnonzero(kinds != AtomKind.LATENT)
    families = tuple(from_clauses[list(family)] for family in circuit.clauses.families)
    return Columns(latent, others, np.argsort(np.concatenate([latent, others])), families, from_clauses)


def family_columns(columns: Columns, circuit: Circuit) -> tuple[list[Positions], Positions]:
    """Return the latent columns of all families, those of one size together, and the latent columns of no family."""
    rank = np.full(len(columns.back), -1, dtype=np.int64)
    rank[columns.latent] = np.arange(len(columns.latent))
    by_size: dict[int, list[Positions]] = defaultdict(list)
    seen = np.zeros(len(columns.latent), dtype=bool)
    for family in columns.families:
        members = rank[family]
        if (members < 0).any():
            observable = circuit.atoms[int(family[np.argmin(members)])]
            raise MooseError(f"a family with a softmax must be latent, but {observable} is not; declare it latent")
        if seen[members].any():
            shared = circuit.atoms[int(family[np.argmax(seen[members])])]
            raise MooseError(f"{shared} is in two families, so that neither can have a softmax of its own; keep one")
        seen[members] = True
        by_size[len(members)].append(members)
    return [np.stack(group) for group in by_size.values()], np.flatnonzero(~seen)
