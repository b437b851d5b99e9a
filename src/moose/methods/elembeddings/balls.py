"""Concepts as balls and roles as translations: how far each normal form of EL is from holding.

From Kulmanov, Liu-Wei, Yan and Hoehndorf 2019, "EL Embeddings: Geometric Construction of Models for the Description
Logic EL++", IJCAI, with the losses as the library mOWL (Zhapa-Camacho, Kulmanov and Hoehndorf 2023) has them.
Distances are Euclidean; γ is the margin, and a radius is the absolute value of its parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from moose.methods.theory.normal_forms import NormalForms


def length(vectors: Tensor) -> Tensor:
    """Return ‖v‖ over the last dimension; its derivative where v is 0 is 0."""
    lengths: Tensor = torch.linalg.vector_norm(vectors, dim=-1)
    return lengths


@dataclass(frozen=True, eq=False)
class Balls:
    """Centres (concept × dimension), radii (concept, none negative), and translations (role × dimension)."""

    centres: Tensor
    radii: Tensor
    translations: Tensor


def inclusion(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """C ⊑ D: relu(‖c - d‖ + r_c - r_d - γ)"""
    sub, sup = rows.T
    distance = length(balls.centres[sub] - balls.centres[sup])
    return torch.relu(distance + balls.radii[sub] - balls.radii[sup] - margin)


def overlap(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """C ⊓ D ⊑ E: relu(‖d - c‖ - r_c - r_d - γ) + relu(‖e - c‖ - r_c - γ) + relu(‖e - d‖ - r_d - γ)"""
    first, second, sup = rows.T
    c, d, e = (balls.centres[concept] for concept in (first, second, sup))
    r_c, r_d = balls.radii[first], balls.radii[second]
    apart = torch.relu(length(d - c) - r_c - r_d - margin)
    return apart + torch.relu(length(e - c) - r_c - margin) + torch.relu(length(e - d) - r_d - margin)


def separation(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """C ⊓ D ⊑ ⊥: relu(r_c + r_d - ‖d - c‖ + γ)"""
    first, second = rows.T
    distance = length(balls.centres[second] - balls.centres[first])
    return torch.relu(balls.radii[first] + balls.radii[second] - distance + margin)


def promise(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """C ⊑ ∃R.D: relu(‖c + ρ - d‖ + r_c - r_d - γ)"""
    sub, role, filler = rows.T
    moved = balls.centres[sub] + balls.translations[role]
    distance = length(moved - balls.centres[filler])
    return torch.relu(distance + balls.radii[sub] - balls.radii[filler] - margin)


def recognition(balls: Balls, rows: Tensor, margin: float) -> Tensor:
    """∃R.C ⊑ D: relu(‖c - ρ - d‖ - r_c - r_d - γ)"""
    role, filler, sup = rows.T
    moved = balls.centres[filler] - balls.translations[role]
    distance = length(moved - balls.centres[sup])
    return torch.relu(distance - balls.radii[filler] - balls.radii[sup] - margin)


def on_unit_sphere(balls: Balls) -> Tensor:
    """Return how far centres are from length 1: the mean of |‖c‖ - 1|."""
    return (length(balls.centres) - 1).abs().mean()


def chain_losses(balls: Balls, chains: Sequence[tuple[tuple[int, ...], int]]) -> Tensor:
    """R₁ ∘ … ∘ Rₙ ⊑ S: ‖ρ₁ + … + ρₙ - ρ_S‖, which no normal form of the embedding has."""
    differences = [balls.translations[list(chain)].sum(0) - balls.translations[role] for chain, role in chains]
    return length(torch.stack(differences)) if differences else balls.translations.new_zeros(0)


def concept_logits(balls: Balls, points: Tensor, margin: float) -> Tensor:
    """C(a): γ - (‖z_a - c‖ - r), so that inside the ball an atom is likely; … × dimension to … × concept."""
    distances = length(points.unsqueeze(-2) - balls.centres)
    return margin - (distances - balls.radii)


def role_logits(balls: Balls, points: Tensor, margin: float) -> Tensor:
    """R(a,b): γ - ‖z_a + ρ - z_b‖; example × individual × dimension to example × role × individual × individual."""
    steps = points[:, :, None] - points[:, None]  # z_a - z_b
    return margin - length(steps[:, None] + balls.translations[:, None, None])


RowLoss = Callable[[Balls, Tensor, float], Tensor]


def normal_form_losses(
    forms: NormalForms,
    balls: Balls,
    margin: float,
    *,
    promise: RowLoss = promise,
    recognition: RowLoss = recognition,
) -> dict[str, Tensor]:
    """Return the loss of every axiom, by normal form; those of which there is no axiom are left out.

    What systems of balls differ in is how C ⊑ ∃R.D (a promise) and ∃R.C ⊑ D (a recognition) are measured.
    """
    by_kind = {
        "nf1": inclusion(balls, forms.nf1, margin),
        "nf1_bottom": balls.radii[forms.nf1_bottom[:, 0]],
        "nf2": overlap(balls, forms.nf2, margin),
        "nf2_bottom": separation(balls, forms.nf2_bottom, margin),
        "nf3": promise(balls, forms.nf3, margin),
        "nf4": recognition(balls, forms.nf4, margin),
        "nf4_bottom": balls.radii[forms.nf4_bottom[:, 1]],
    }
    return {kind: losses for kind, losses in by_kind.items() if len(losses)}
