"""Weights and evidence as they come, checked and brought to one shape."""

from __future__ import annotations

import torch
from torch import Tensor

from moose.base.errors import MooseError

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
