"""The network that guesses what is masked, from what is seen and from what is not masked."""

from __future__ import annotations

from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from moose.base.errors import MooseError
from moose.learning.encoders import initialise
from moose.learning.inputs.padded import Inputs, look
from moose.methods.base.perception import Perception

FEATURES = 32
"""Numbers that the encoder gives of an input besides its logits; what the context is weighed against."""
WIDTH = 64
"""Of the layer in which input and context meet."""
VIEWS = 4
"""Whose values are looked at, seen from an individual: its own, those of the one before, of the one after, of all."""


class EncodedInputs(NamedTuple):
    """What the encoder makes of inputs: computed once for each, however many vectors are then looked at beside it."""

    logits: Tensor
    """row × individual × latent concept."""
    features: Tensor
    """row × individual × feature."""

    def repeated(self, count: int) -> EncodedInputs:
        """Return each row `count` times."""
        return EncodedInputs(*(part.repeat_interleave(count, 0) for part in self))


class UnmaskingNetwork(nn.Module):
    """p(value of each variable | input, partly masked values of all individuals), a logit for each latent atom.

    The logits are the encoder's own word of the individual and a correction, of which input and context have a say. All
    weights are shared among individuals, and their number does not depend on how many there are. Time is no input: how
    much is masked can be seen.
    """

    def __init__(self, perception: Perception, concepts: int, *, seed: int) -> None:
        super().__init__()
        self.concepts = concepts
        self.encoder = perception.encoder(concepts + FEATURES, seed=seed)
        self.input = nn.Linear(FEATURES, WIDTH, device="meta").to_empty(device="cpu")
        self.context = nn.Linear(2 * VIEWS * concepts, WIDTH, bias=False, device="meta").to_empty(device="cpu")
        self.last = nn.Linear(WIDTH, concepts, device="meta").to_empty(device="cpu")
        generator = torch.Generator().manual_seed(seed)
        for layer in (self.input, self.context):
            initialise(layer, generator)
        for parameter in self.last.parameters():  # at first the context changes nothing
            nn.init.zeros_(parameter)

    def encode(self, inputs: Inputs) -> EncodedInputs:
        """Encode inputs, row × individual × whatever is seen of it."""
        wanted = self.concepts + FEATURES
        encoded = look(self.encoder, inputs.flatten(0, 1))
        if encoded.shape[1:] != (wanted,):
            raise MooseError(
                f"expected the encoder to give {wanted} numbers for each input, as it was asked, but its output has "
                f"the shape {tuple(encoded.shape)}; let its last layer have as many outputs as the function is given"
            )
        encoded = torch.unflatten(encoded, 0, inputs.shape[:2])
        return EncodedInputs(encoded[..., : self.concepts], cast(Tensor, self.input(encoded[..., self.concepts :])))

    def forward(self, encoded: EncodedInputs, known: Tensor) -> Tensor:
        """Return logits, row × individual × latent concept, given values of which some are masked (see `known`)."""
        own = torch.cat([known > 0, known < 0], -1).to(encoded.features.dtype)
        nothing = torch.zeros_like(own[:, :1])
        before, after = torch.cat([nothing, own[:, :-1]], 1), torch.cat([own[:, 1:], nothing], 1)
        all_of_them = own.mean(1, keepdim=True).expand_as(own)
        hidden = encoded.features + self.context(torch.cat([own, before, after, all_of_them], -1))
        return cast(Tensor, encoded.logits + self.last(hidden.relu()))
