"""The paper's literal-weight map (its table 1), in logarithms and without cancellation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
from torch import Tensor
from torch.nn.functional import logsigmoid

LOG_HALF = -math.log(2.0)


def log_complement(log_probability: Tensor) -> Tensor:
    """Return log(1 - p) from log p: -∞ with derivative 0 where p is 1.

    >>> log_complement(torch.tensor([-50.0, -1e-20, 0.0], dtype=torch.float64)).tolist()
    [-1.9287498479639178e-22, -46.051701859880914, -inf]
    """
    is_certain = log_probability >= 0.0
    inner = torch.where(is_certain, torch.full_like(log_probability, -1.0), log_probability)
    is_large = inner > LOG_HALF
    # Each branch sees only arguments at which it and its derivative are finite.
    large = (-torch.where(is_large, inner, torch.full_like(inner, LOG_HALF)).expm1()).log()
    small = (-torch.where(is_large, torch.full_like(inner, LOG_HALF), inner).exp()).log1p()
    complement = torch.where(is_large, large, small)
    return torch.where(is_certain, torch.full_like(complement, -math.inf), complement)


def bernoulli_weights(latent: Tensor, *, is_logit: bool) -> tuple[Tensor, Tensor]:
    """Return log w(X) and log w(¬X) = log(1 - w(X)) of atoms that are independent."""
    if is_logit:
        return logsigmoid(latent), logsigmoid(-latent)
    return latent, log_complement(latent)


def categorical_weights(
    latent: Tensor, families: Sequence[Tensor], loose: Tensor, *, is_logit: bool
) -> tuple[Tensor, Tensor]:
    """Return log w(X) and log w(¬X) where each family is one variable: w(X) is its probability, w(¬X) is 1.

    `families` holds the columns of the families of one size, family × member; `loose` those of no family.
    """
    columns, positive, negative = [loose], [], []
    first, second = bernoulli_weights(latent.index_select(-1, loose), is_logit=is_logit)
    positive.append(first)
    negative.append(second)
    for members in families:
        scores = latent.index_select(-1, members.flatten())
        if is_logit:
            scores = torch.unflatten(scores, -1, list(members.shape)).log_softmax(-1).flatten(-2)
        columns.append(members.flatten())
        positive.append(scores)
        negative.append(torch.zeros_like(scores))
    back = torch.cat(columns).argsort()
    return torch.cat(positive, -1).index_select(-1, back), torch.cat(negative, -1).index_select(-1, back)


def observed_weights(observed: Tensor, like: Tensor) -> tuple[Tensor, Tensor]:
    """Return the log weights of atoms that the network knows nothing of: 1 or 0 where observed, else ½."""
    half = torch.full(observed.shape, LOG_HALF, dtype=like.dtype, device=like.device)
    zero = torch.zeros_like(half)
    none = torch.full_like(half, -math.inf)
    positive = torch.where(observed > 0, zero, torch.where(observed < 0, none, half))
    return positive, torch.where(observed > 0, none, torch.where(observed < 0, zero, half))
