"""The network of a learner: an encoder, and a last layer where the encoder gives features rather than logits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from typing import Protocol, cast, runtime_checkable

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError


@runtime_checkable
class Encodes(Protocol):
    """An encoder whose last layer stands on an encoding that can be had."""

    last: nn.Module

    def encode(self, images: Tensor) -> Tensor:
        """Return what goes into the last layer."""


class ConceptNetwork(nn.Module):
    """Map image × channel × height × width to one logit for each latent concept."""

    def __init__(self, encoder: nn.Module, outputs: int, *, features: int | None = None, seed: int = 0) -> None:
        super().__init__()
        self.encoder = encoder
        self.outputs = outputs
        self.features = features
        self.last: nn.Module = nn.Identity() if features is None else _full_layer(features, outputs, seed)

    def forward(self, images: Tensor) -> Tensor:
        """Return image × concept."""
        return cast(Tensor, self.last(self._checked(images)))

    @property
    def encoding_width(self) -> int | None:
        """How many numbers go into the last layer; None where the encoder shows its logits alone."""
        if self.features is not None:
            return self.features
        if isinstance(self.encoder, ConceptNetwork):
            return self.encoder.encoding_width
        last = getattr(self.encoder, "last", None)
        return last.in_features if isinstance(self.encoder, Encodes) and isinstance(last, nn.Linear) else None

    def both(self, images: Tensor) -> tuple[Tensor, Tensor]:
        """Return image × number, what goes into the last layer, and image × concept."""
        if self.features is not None:
            encoded = self._checked(images)
            return encoded, self.last(encoded)
        if isinstance(self.encoder, ConceptNetwork):
            return self.encoder.both(images)
        assert isinstance(self.encoder, Encodes)
        encoded = self.encoder.encode(images)
        return encoded, self.encoder.last(encoded)

    def _checked(self, images: Tensor) -> Tensor:
        encoded: Tensor = self.encoder(images)
        wanted = (len(images), self.outputs if self.features is None else self.features)
        if tuple(encoded.shape) != wanted:
            what = "a logit for each latent concept of the task" if self.features is None else "the features announced"
            raise MooseError(
                f"expected the encoder to give {wanted[1]} numbers for each input ({what}), but for {len(images)} "
                f"inputs its output has the shape {tuple(encoded.shape)}; change its last layer, or say features=…"
            )
        return encoded


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
