"""How likely the observed labels are given the theory: all together, and each by itself.

    -(1 - s) log P(all labels | T) - s Σ log P(l | T)   over the labels l that are observed

Both parts are least where what is said is true. The first, the joint likelihood, sums over what is not observed; but it
asks of a class only in examples that have what is above it, P(class | above), and what is then said of the class is a
product of such answers. The second, a composite likelihood of exact posteriors, lets every label of a class count for
what is said of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from moose.learning.loss.likelihood import weigh
from moose.learning.loss.objective import Outcome, Prepared, count_right, encode

MOST = 1e10
"""How many times larger the chance of a label by itself may be than its posterior.

The slope of a posterior is a difference of numbers as large as that chance, of which double precision keeps 16 digits.
"""


@dataclass(frozen=True, slots=True)
class LabelLikelihood:
    """The mean over examples of the two parts, the second with some share."""

    share: float

    def __call__(self, network: nn.Module, prepared: Prepared, rows: Tensor | slice) -> Outcome:
        """Return what some examples come to."""
        logits = encode(network, prepared, rows)
        weight_map, known = prepared.weight_map, prepared.given_at(rows)
        mask, given = prepared.mask[rows], prepared.mask_at(rows, use_evidence=False)
        sides = weight_map.head.sides(logits.double())
        joint = -weigh(weight_map, sides, mask, network, known).log_likelihood()

        weighed = weigh(weight_map, sides, given, network, known)
        holds, fails = weighed.literal_posteriors().tensor_split(2, dim=-1)
        posteriors = torch.where(mask > 0, holds, fails)
        is_asked = (mask != 0) & (given == 0)
        # Lost, while a network knows nothing: by the theory a class with 50 classes below it holds, but for 1e-15.
        is_lost = is_asked & ((posteriors == 0) | (weighed.chances() > MOST * posteriors.detach()))
        single = -posteriors.masked_fill(~is_asked | is_lost, 1.0).log().sum(-1)
        single = torch.where(is_lost.any(-1), joint, single)  # less than the sum would be: the loss leaps there

        loss = torch.lerp(joint, single, self.share).mean().to(logits.dtype)
        return Outcome(loss, None, *count_right(prepared, rows, logits.detach()))
