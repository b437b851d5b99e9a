"""Features brought to mean 0 and spread 1 by the examples that are learnt from; the numbers stay with the weights."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn


class Standardise(nn.Module):
    """(x - mean) / spread of each feature; x itself before `measure` is called.

    >>> scaling = Standardise(2)
    >>> scaling.measure([torch.tensor([[1.0, 5.0], [3.0, 5.0]])])
    >>> scaling(torch.tensor([[5.0, 6.0]])).tolist()
    [[3.0, 1.0]]
    """

    mean: Tensor
    spread: Tensor
    """Standard deviation; 1 for a feature that is always the same."""
    is_measured: Tensor

    def __init__(self, features: int) -> None:
        super().__init__()
        self.register_buffer("mean", torch.zeros(features))
        self.register_buffer("spread", torch.ones(features))
        self.register_buffer("is_measured", torch.tensor(False))

    def forward(self, vectors: Tensor) -> Tensor:
        """Standardise input × feature."""
        return (vectors.to(self.mean.dtype) - self.mean) / self.spread

    def measure(self, parts: Iterable[Tensor]) -> None:
        """Take mean and spread from vectors, input × feature in each part."""
        vectors = torch.cat([part.reshape(-1, part.shape[-1]).double() for part in parts])
        spread = vectors.std(0, correction=0)
        self.mean.copy_(vectors.mean(0))
        self.spread.copy_(torch.where(spread > 0, spread, 1.0))
        self.is_measured.fill_(True)


def is_unmeasured(module: nn.Module) -> bool:
    """Return whether a module is a standardisation without its numbers."""
    return isinstance(module, Standardise) and not bool(module.is_measured)


def measure_once(network: nn.Module, parts: Iterable[Tensor]) -> None:
    """Let all of a network's standardisations that have not been measured yet take their numbers from vectors."""
    waiting = [one for one in network.modules() if is_unmeasured(one)]
    kept = list(parts) if waiting else []
    for one in waiting:
        assert isinstance(one, Standardise)
        one.measure(kept)
