"""Sequences of unequal lengths side by side, and how an encoder is called with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True, eq=False)
class Padded:
    """Sequences filled up to one length; an encoder is called with both parts: `encoder(values, mask)`."""

    values: Tensor
    """input × step × whatever a step has; 0 where there is none."""
    mask: Tensor
    """bool, input × step: whether there is a step."""

    def __len__(self) -> int:
        return len(self.values)

    @property
    def shape(self) -> torch.Size:
        """That of the values."""
        return self.values.shape

    @property
    def device(self) -> torch.device:
        """Where the values are."""
        return self.values.device

    def flatten(self, first: int, last: int) -> Padded:
        """Put leading dimensions together."""
        return Padded(self.values.flatten(first, last), self.mask.flatten(first, last))

    def to(self, device: torch.device) -> Padded:
        """Return the same on a device."""
        return Padded(self.values.to(device), self.mask.to(device))


Inputs = Tensor | Padded
"""What an encoder looks at, all of one shape."""


def joined(parts: Sequence[Inputs]) -> Inputs:
    """Put inputs after inputs."""
    sequences = [one for one in parts if isinstance(one, Padded)]
    if not sequences:
        return torch.cat([one for one in parts if isinstance(one, Tensor)])
    return Padded(torch.cat([one.values for one in sequences]), torch.cat([one.mask for one in sequences]))


def look(encoder: nn.Module, inputs: Inputs) -> Tensor:
    """Call an encoder, on the device that its weights are on; what it says comes back to where the inputs are."""
    home = inputs.device
    device = next((parameter.device for parameter in encoder.parameters()), home)
    near = inputs if device == home else inputs.to(device)
    said: Tensor = encoder(near.values, near.mask) if isinstance(near, Padded) else encoder(near)
    return said if device == home else said.to(home)
