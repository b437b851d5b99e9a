"""How false each normal form of EL is in the fuzzy logic of products, over the individuals of an example.

    a ⊗ b = a·b        a → b = min(1, b/a)        ∃y. f(y) = max_y f(y)        falsity of a → b = 1 - min(1, b/a)

Goguen's implication is the residuum of the product: a → b is the largest c with a·c ≤ b. Into ⊥ it is 0 for every a > 0
and has no derivative, so that an axiom C ⊓ D ⊑ ⊥ is as false as its left-hand side is true. Into a pair that is known
not to be in a role it is 0 as well, and left so: a chain into such a pair counts as false, but teaches nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from moose.methods.theory.normal_forms import NormalForms

SMALL = 1e-6
"""Nothing is divided by less than this, so that slopes are bounded."""


@dataclass(frozen=True, eq=False)
class Degrees:
    """How true everything is."""

    concepts: Tensor
    """example × individual × concept, numbered as the normal forms have them."""
    links: Tensor
    """example × role × individual × individual."""
    has_filler: Tensor
    """bool, role × individual: whether a filler can be among the individuals of the example."""


def falsity(body: Tensor, head: Tensor) -> Tensor:
    """1 - min(1, b/a); of a body that is 0, 0.

    >>> [round(one, 2) for one in falsity(torch.tensor([0.8, 0.2, 0.0]), torch.tensor([0.6, 0.9, 0.0])).tolist()]
    [0.25, 0.0, 0.0]
    """
    ratio = head / body.clamp_min(SMALL)
    return torch.where(body > head, 1 - ratio.clamp_max(1.0), torch.zeros_like(body))


def normal_form_falsities(forms: NormalForms, degrees: Degrees) -> dict[str, Tensor]:
    """Return how false every axiom is at every individual, by normal form: example × individual × axiom."""
    at, exists = degrees.concepts, _exists
    some = exists(degrees, forms.nf3[:, 1], forms.nf3[:, 2])
    has_filler = degrees.has_filler.T[:, forms.nf3[:, 1]]  # individual × axiom
    by_kind = {
        "nf1": falsity(at[..., forms.nf1[:, 0]], at[..., forms.nf1[:, 1]]),
        "nf1_bottom": at[..., forms.nf1_bottom[:, 0]],
        "nf2": falsity(at[..., forms.nf2[:, 0]] * at[..., forms.nf2[:, 1]], at[..., forms.nf2[:, 2]]),
        "nf2_bottom": at[..., forms.nf2_bottom[:, 0]] * at[..., forms.nf2_bottom[:, 1]],
        "nf3": torch.where(has_filler, falsity(at[..., forms.nf3[:, 0]], some), 0.0),
        "nf4": falsity(exists(degrees, forms.nf4[:, 0], forms.nf4[:, 1]), at[..., forms.nf4[:, 2]]),
        "nf4_bottom": exists(degrees, forms.nf4_bottom[:, 0], forms.nf4_bottom[:, 1]),
    }
    return {kind: values for kind, values in by_kind.items() if values.shape[-1]}


def _exists(degrees: Degrees, roles: Tensor, fillers: Tensor) -> Tensor:
    """∃y. R(x, y) ⊗ C(y): example × individual × axiom."""
    ends = degrees.concepts[..., fillers].mT.unsqueeze(2)  # example × axiom × 1 × individual
    return (degrees.links.index_select(1, roles) * ends).amax(-1).mT


def chain_falsities(links: Tensor, chains: Sequence[tuple[tuple[int, ...], int]]) -> list[Tensor]:
    """R₁ ∘ … ∘ Rₙ ⊑ S: falsity of max over what is between of R₁(x, …) ⊗ … ⊗ Rₙ(…, y) → S(x, y), for each axiom."""
    falsities = []
    for chain, role in chains:
        path = links[:, chain[0]]
        for step in chain[1:]:
            path = (path.unsqueeze(-1) * links[:, step].unsqueeze(1)).amax(2)
        falsities.append(falsity(path, links[:, role]).flatten(1))
    return falsities


def range_falsities(degrees: Degrees, ranges: Sequence[tuple[int, int]]) -> list[Tensor]:
    """R(x, y) → C(y), for each axiom."""
    return [
        falsity(
            degrees.links[:, role], degrees.concepts[:, None, :, concept].expand_as(degrees.links[:, role])
        ).flatten(1)
        for role, concept in ranges
    ]
