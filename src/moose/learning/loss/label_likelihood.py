"""How likely each observed label is by itself, given the theory: a composite likelihood of exact posteriors.

    -Σ log P(l | T)   over the labels l that are observed, in place of   -log P(all of them | T)

Both are least where what is said is true. But the joint likelihood asks of a class only in examples that have what is
above it, P(class | above), and what is then said of the class is a product of such answers; here every label of a class
counts for what is said of it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from moose.learning.loss.likelihood import weigh
from moose.learning.loss.objective import Outcome, Prepared, count_right, encode

MOST = 1e10
"""How many times larger the chance of a label by itself may be than its posterior.

The slope of a posterior is a difference of numbers as large as that chance, of which double precision keeps 16 digits.
"""


def label_likelihood(network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
    """Return the mean over examples of -Σ log P(label | theory and what is given)."""
    logits = encode(network, prepared, rows)
    sides = prepared.weight_map.head.sides(logits.double())
    mask, given = prepared.mask[rows], prepared.mask_at(rows, use_evidence=False)
    weighed = weigh(prepared.weight_map, sides, given, network, prepared.given_at(rows))
    holds, fails = weighed.literal_posteriors().tensor_split(2, dim=-1)
    posteriors = torch.where(mask > 0, holds, fails)
    is_asked = (mask != 0) & (given == 0)
    is_lost = is_asked & (weighed.chances() > MOST * posteriors.detach())
    losses = -posteriors.masked_fill(~is_asked | is_lost, 1.0).log().sum(-1)
    if bool(is_lost.any()):
        # So it is while a network knows nothing: by the theory a class with 50 classes below it holds, but for 1e-15.
        joint = weigh(prepared.weight_map, sides, mask, network, prepared.given_at(rows)).log_likelihood()
        losses = torch.where(is_lost.any(-1), -joint, losses)
    return Outcome(losses.mean().to(logits.dtype), None, *count_right(prepared, rows, logits.detach()))
