"""The likeliest proofs of each example, and how likely it is that one of them holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import torch
from torch import Tensor

from moose.methods.top_k.all_proofs import Proof


@dataclass(frozen=True, eq=False)
class ProofTable:
    """Proofs as rows over columns: what may be drawn, then that it is not drawn."""

    uses: Tensor
    """float, proof × literal: 1 where the proof has the literal."""
    group_of: Tensor
    """int64, variable: those of one family have the same number, all others one of their own."""


def proof_table(proofs: Sequence[Proof], variables: Sequence[int], groups: Sequence[int]) -> ProofTable:
    """Lay out proofs over the atoms that are variables, each in a group."""
    place = {atom + 1: position for position, atom in enumerate(variables)}
    place |= {-atom - 1: len(variables) + position for position, atom in enumerate(variables)}
    uses = torch.zeros(len(proofs), 2 * len(variables))
    for row, proof in enumerate(proofs):
        uses[row, [place[literal] for literal in proof]] = 1.0
    return ProofTable(uses, torch.tensor(groups, dtype=torch.int64))


def log_union(log_weights: Tensor, table: ProofTable, k: int) -> Tensor:
    """Return log P(one of the k likeliest proofs holds) of each example; -∞ where there is none.

    Proofs overlap, so that it is a sum over all sets S of them, with the probability of all literals in S together:
    Σ_S (-1)^(|S|+1) · P(⋀ S). It is taken in units of the likeliest proof, beside which no term is large.
    """
    if not len(table.uses):
        return log_weights.new_full((len(log_weights),), -torch.inf)
    uses = table.uses.to(log_weights.dtype)
    scores = log_weights @ uses.T
    best = scores.detach().topk(min(k, len(uses)), 1).indices  # example × chosen
    chosen = uses[best]
    unit = scores.gather(1, best[:, :1]).squeeze(1)
    total = torch.zeros_like(unit)
    for size in range(1, best.shape[1] + 1):
        for several in combinations(range(best.shape[1]), size):
            together = chosen[:, list(several)].amax(1)
            shares = ((log_weights * together).sum(1) - unit).exp()
            is_possible = _is_possible(together, table.group_of)
            total = total + (-1) ** (size + 1) * torch.where(is_possible, shares, torch.zeros_like(shares))
    return unit + total.clamp_min(1.0).log()


def _is_possible(together: Tensor, group_of: Tensor) -> Tensor:
    """Return which rows of literals have no two members of a family, and nothing drawn and not drawn."""
    drawn, left = together.chunk(2, 1)
    members = drawn.new_zeros(len(drawn), int(group_of.max()) + 1).index_add(1, group_of, drawn)
    return ~((drawn * left).any(1) | (members > 1).any(1))
