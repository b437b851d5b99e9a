"""The network of a learner: an encoder, and a last layer where the encoder gives features rather than logits."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import sqrt
from typing import Protocol, cast, runtime_checkable

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError, MooseWarning
from moose.learning.inputs.padded import Inputs, look
from moose.learning.open_weights import OpenWeights, SiblingOdds

NEAR = 1e-4
"""How far from 1 a sum of probabilities in float32 may be."""


@runtime_checkable
class Encodes(Protocol):
    """An encoder whose last layer stands on an encoding that can be had."""

    last: nn.Module

    def encode(self, images: Tensor) -> Tensor:
        """Return what goes into the last layer."""


class Memory:
    """What was said of inputs, in the order in which they came; they are to come again in that order."""

    def __init__(self) -> None:
        self._kept = list[tuple[Tensor, Tensor]]()
        self._next = 0

    def begin(self) -> None:
        """Expect the first inputs again."""
        self._next = 0

    def find(self, inputs: Tensor) -> Tensor | None:
        """Return what was said of inputs, if they are those that are expected."""
        if self._next < len(self._kept):
            known, logits = self._kept[self._next]
            if known.shape == inputs.shape and torch.equal(known, inputs):
                self._next += 1
                return logits
            del self._kept[self._next :]
        return None

    def keep(self, inputs: Tensor, logits: Tensor) -> Tensor:
        """Note what is said of inputs, and return it."""
        self._kept.append((inputs, logits))
        self._next = len(self._kept)
        return logits


class ConceptNetwork(nn.Module):
    """Map inputs, of the shape that the encoder takes, to one logit for each latent concept."""

    def __init__(self, encoder: nn.Module, outputs: int, *, features: int | None = None, seed: int = 0) -> None:
        super().__init__()
        self.encoder = encoder
        self.outputs = outputs
        self.features = features
        self.open_weights: OpenWeights | SiblingOdds | None = None
        """How likely observables are that members of families leave open, where that is learnt."""
        self.memory: Memory | None = None
        """What it has said of inputs, while the same ones come again and again and only the scale changes."""
        self._is_heard = False
        self.log_scale: Tensor
        """What logits are multiplied by, as a logarithm; other than 0 where held-back examples said so."""
        self.register_buffer("log_scale", torch.zeros(()))
        register: Callable[..., object] = self.register_load_state_dict_pre_hook  # which has no types
        register(_as_it_was)
        self.last: nn.Module = nn.Identity() if features is None else _full_layer(features, outputs, seed)

    def forward(self, images: Inputs) -> Tensor:
        """Return input × concept."""
        if self.memory is None or not isinstance(images, Tensor) or torch.is_grad_enabled():
            return self._scaled(cast(Tensor, self.last(self._checked(images))))
        logits = self.memory.find(images)
        return self._scaled(
            logits if logits is not None else self.memory.keep(images, self.last(self._checked(images)))
        )

    def _scaled(self, logits: Tensor) -> Tensor:
        return logits * self.log_scale.exp().to(logits.device)

    @property
    def encoding_width(self) -> int | None:
        """How many numbers go into the last layer; None where the encoder shows its logits alone."""
        if self.features is not None:
            return self.features
        if isinstance(self.encoder, ConceptNetwork):
            return self.encoder.encoding_width
        last = getattr(self.encoder, "last", None)
        return last.in_features if isinstance(self.encoder, Encodes) and isinstance(last, nn.Linear) else None

    def both(self, images: Inputs) -> tuple[Tensor, Tensor]:
        """Return input × number, what goes into the last layer, and input × concept."""
        if self.features is not None:
            encoded = self._checked(images)
            return encoded, self._scaled(self.last(encoded))
        if isinstance(self.encoder, ConceptNetwork):
            encoded, logits = self.encoder.both(images)
            return encoded, self._scaled(logits)
        assert isinstance(self.encoder, Encodes) and isinstance(images, Tensor)
        home = images.device
        encoded = self.encoder.encode(images.to(next(self.encoder.last.parameters()).device))
        return encoded.to(home), self._scaled(self.encoder.last(encoded).to(home))

    def _checked(self, images: Inputs) -> Tensor:
        encoded = look(self.encoder, images)
        wanted = (len(images), self.outputs if self.features is None else self.features)
        if tuple(encoded.shape) != wanted:
            what = "a logit for each latent concept of the task" if self.features is None else "the features announced"
            raise MooseError(
                f"expected the encoder to give {wanted[1]} numbers for each input ({what}), but for {len(images)} "
                f"inputs its output has the shape {tuple(encoded.shape)}; change its last layer, or say features=…"
            )
        if not self._is_heard:
            self._is_heard = True
            if self.features is None:
                warn_of_softmax(encoded.detach())
        return encoded


def _as_it_was(_: nn.Module, state: dict[str, Tensor], prefix: str, *__: object) -> None:
    """Take weights that were written before logits had a scale."""
    state.setdefault(f"{prefix}log_scale", torch.zeros(()))


def warn_of_softmax(outputs: Tensor) -> None:
    """Warn if outputs, input × concept, are probabilities or their logarithms: logits go through a softmax here."""
    if torch.compiler.is_compiling() or outputs.shape[1] < 2 or not len(outputs):
        return
    is_whole = bool((outputs >= 0).all()) and bool(((outputs.sum(1) - 1).abs() < NEAR).all())
    is_log_whole = bool((outputs <= 0).all()) and bool((outputs.logsumexp(1).abs() < NEAR).all())
    if is_whole or is_log_whole:
        kind = "a softmax" if is_whole else "a log-softmax"
        warnings.warn(
            f"the encoder seems to end in {kind}, but its outputs are taken for logits, of which Moose takes the "
            f"softmax or sigmoid itself; leave it out",
            MooseWarning,
            stacklevel=2,
        )


def move_encoders(network: nn.Module, device: str) -> None:
    """Put all encoders of a network on a device; circuits, and what stands between, stay on the CPU."""
    for module in network.modules():
        encoder = getattr(module, "encoder", None)
        if isinstance(encoder, nn.Module):
            encoder.to(device)


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
