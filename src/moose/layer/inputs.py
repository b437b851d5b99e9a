"""What a layer takes: which column belongs to which atom or family, and tensors checked and brought into one form."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

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


FLOATS = (torch.float32, torch.float64)


def read_mask(evidence: Tensor, atoms: int, device: torch.device) -> Tensor:
    """Check an evidence mask; return it as int8 of one or more dimensions."""
    if evidence.dtype == torch.bool or evidence.is_floating_point() or evidence.is_complex():
        raise MooseError(
            f"expected evidence as int8 (+1 observed true, -1 observed false, 0 not observed), but got {evidence.dtype}"
        )
    if evidence.dim() == 0 or evidence.shape[-1] != atoms:
        raise MooseError(
            f"expected evidence with a column for each of the {atoms} atoms of the circuit, but its shape is "
            f"{tuple(evidence.shape)}; layer.evidence([…]) makes it from words"
        )
    if evidence.dtype != torch.int8:
        evidence = evidence.sign().to(torch.int8)
    return evidence.to(device)


def read_inputs(weights: Tensor, evidence: Tensor | None, columns: int, atoms: int) -> tuple[Tensor, Tensor | None]:
    """Check weights and evidence; return both with the same leading dimensions, if there is evidence."""
    if weights.ndim == 0 or weights.shape[-1] != columns:
        what = "log w(X) of the atoms, then log w(¬X)" if columns == 2 * atoms else "one for each atom of the circuit"
        raise MooseError(f"expected {columns} columns ({what}), but the weights have the shape {tuple(weights.shape)}")
    if weights.dtype not in FLOATS:
        if not weights.is_floating_point():
            raise MooseError(f"expected weights as float32 or float64, but got {weights.dtype}")
        weights = weights.to(torch.float32)
    if evidence is None:
        return weights, None
    evidence = read_mask(evidence, atoms, weights.device)
    if evidence.shape[:-1] == weights.shape[:-1]:
        return weights, evidence
    batches = {example.shape[:-1].numel() for example in (evidence, weights)} - {1}
    if len(batches) > 1 or min(evidence.dim(), weights.dim()) > 2:
        raise MooseError(
            f"expected evidence for as many examples as there are weights, but the shapes are {tuple(evidence.shape)} "
            f"and {tuple(weights.shape)}"
        )
    leading = max(evidence, weights, key=lambda example: (example.shape[:-1].numel() != 1, example.dim())).shape[:-1]
    return weights.expand(*leading, columns), evidence.expand(*leading, atoms)
