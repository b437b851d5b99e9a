"""The term against collapse: over a batch, every member of a family should occur."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from moose.base.errors import MooseError


@dataclass(frozen=True, slots=True)
class Cover:
    """A bonus of λ·H(mean over the batch of the posterior over a family), λ falling to 0 in a line.

    The plain objective can stop where several members of a family have fallen on one label. A batch in which one label
    takes the place of three has a mean posterior of low entropy; the bonus makes that costly while the labels are still
    being found, and then leaves.

    >>> Cover(weight=3, epochs=3).weight_at(1.5)
    1.5
    """

    weight: float = 3.0
    """λ at the start; 2 to 5 works for digits."""
    epochs: float = 3.0
    """After this many epochs λ is 0."""
    is_pooled: bool = False
    """One mean over all individuals, rather than one for each; for batches that are too small for their families."""

    def __post_init__(self) -> None:
        for name in ("weight", "epochs"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise MooseError(f"expected a positive number for {name} of the cover, but got {value!r}; or no cover")

    def weight_at(self, epochs_done: float) -> float:
        """Return λ after some epochs, parts of one included."""
        return self.weight * max(0.0, 1.0 - epochs_done / self.epochs)

    def bonus(self, families: Sequence[Tensor], kinds: Sequence[Hashable]) -> Tensor:
        """Return the entropy for posteriors of families at individuals, each example × member; the mean over them.

        Those of one kind are one family, at several individuals.
        """
        means = [posterior.mean(0) for posterior in families]
        if self.is_pooled:
            pooled = dict[Hashable, list[Tensor]]()
            for kind, mean in zip(kinds, means, strict=True):
                pooled.setdefault(kind, []).append(mean)
            means = [torch.stack(several).mean(0) for several in pooled.values()]
        return torch.stack([entropy(mean) for mean in means]).mean()


def entropy(probabilities: Tensor) -> Tensor:
    """Return the entropy of a distribution, in nats, with finite derivatives where a probability is 0.

    >>> entropy(torch.tensor([0.5, 0.5, 0.0])).item() == torch.tensor(2.0).log().item()
    True
    """
    safe = probabilities.clamp_min(torch.finfo(probabilities.dtype).tiny)
    return -(probabilities * safe.log()).sum(-1)
