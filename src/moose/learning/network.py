"""The network of a learner: an encoder, and a last layer where the encoder gives features rather than logits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from typing import cast

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.open_weights import OpenWeights


class ConceptNetwork(nn.Module):
    """Map image × channel × height × width to one logit for each latent concept."""

    def __init__(self, encoder: nn.Module, outputs: int, *, features: int | None = None, seed: int = 0) -> None:
        super().__init__()
        self.encoder = encoder
        self.outputs = outputs
        self.features = features
        self.open_weights: OpenWeights | None = None
        """How likely observables are that members of families leave open, where that is learnt."""
        self.last: nn.Module = nn.Identity() if features is None else _full_layer(features, outputs, seed)

    def forward(self, images: Tensor) -> Tensor:
        """Return image × concept."""
        encoded: Tensor = self.encoder(images)
        wanted = (len(images), self.outputs if self.features is None else self.features)
        if tuple(encoded.shape) != wanted:
            what = "a logit for each latent concept of the task" if self.features is None else "the features announced"
            raise MooseError(
                f"expected the encoder to give {wanted[1]} numbers for each input ({what}), but for {len(images)} "
                f"inputs its output has the shape {tuple(encoded.shape)}; change its last layer, or say features=…"
            )
        return cast(Tensor, self.last(encoded))


@contextmanager
def input_shape_errors(shape: Sequence[int]) -> Iterator[None]:
    """Raise that an encoder cannot take inputs of a shape, where torch raises that some matrices do not fit."""
    try:
        yield
    except RuntimeError as error:
        told = "×".join(map(str, shape))
        hint = "; one that comes with Moose is told the shape with input_shape=…"
        raise MooseError(f"the encoder cannot take inputs of {told}: {str(error).splitlines()[0]}{hint}") from error


def _full_layer(features: int, outputs: int, seed: int) -> nn.Linear:
    if features < 1:
        raise MooseError(f"expected a positive number of features, but got {features}")
    layer = nn.Linear(features, outputs, device="meta").to_empty(device="cpu")
    generator, bound = torch.Generator().manual_seed(seed), 1 / sqrt(features)
    nn.init.uniform_(layer.weight, -bound, bound, generator=generator)
    nn.init.uniform_(layer.bias, -bound, bound, generator=generator)
    return layer
