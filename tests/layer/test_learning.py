"""A small network learns through the layer."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from moose.layer.layer import WMCLayer
from tests.layer.examples import mnist

PROPERTIES = {"Even": (0, 2, 4, 6, 8), "Odd": (1, 3, 5, 7, 9), "Prime": (2, 3, 5, 7), "Composite": (4, 6, 8, 9)}


@pytest.mark.parametrize("executor", ["fused", "torch"])
def test_digits_are_learnt_from_their_properties(executor: str) -> None:
    generator = torch.Generator().manual_seed(0)
    layer = WMCLayer(mnist("mnist1"), executor=executor)  # type: ignore[arg-type]
    (individual,) = {atom.arguments[0] for atom in layer.circuit.atoms}
    digits = torch.randint(10, (200,), generator=generator)
    inputs = torch.eye(10)[digits] + 0.1 * torch.randn(200, 10, generator=generator)
    evidence = layer.evidence(
        [
            {f"{name}({individual})": digit in members for name, members in PROPERTIES.items()}
            for digit in digits.tolist()
        ]
    )
    network = nn.Linear(10, 10)
    with torch.no_grad():
        network.weight.copy_(0.1 * torch.randn(10, 10, generator=generator))
        network.bias.zero_()
    optimiser = torch.optim.Adam(network.parameters(), lr=0.1)
    losses = list[float]()
    for _ in range(40):
        weights = layer.literal_weights(network(inputs), evidence, categorical=True)
        loss: Tensor = layer.loss(weights, evidence)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.1 * losses[0]
    # 0, 1, 2 and 9 have properties of their own, so they cannot be taken for another.
    (predicted,) = layer.family_posteriors(layer.literal_weights(network(inputs), categorical=True))
    is_unique = torch.isin(digits, torch.tensor([0, 1, 2, 9]))
    assert (predicted.argmax(1) == digits)[is_unique].float().mean() > 0.95
