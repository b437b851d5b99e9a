"""Measure a training step of the bundled encoders: `python -m bench.encoders`.

Ours, which lay images and weights out with channels last and pool before they cut off, against the same layers in
torch's own layout with ReLU before pooling; both in one run on one thread, in turns. Writes
`bench/results/encoders.json`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import torch
from torch import nn

from bench.measure import Spread, describe_machine, write_json
from bench.table import RESULTS
from moose.learning.encoders import ConvolutionalEncoder, encoder_for
from moose.learning.fit.training_loop import Training

CASES = {
    "digits, 128 images of 28 pixels": ((1, 28, 28), 10, 128, False),
    "pizzas, 32 images of 64 pixels": ((3, 64, 64), 16, 32, True),
}
BLOCKS, STEPS = 7, 6


def plain(encoder: ConvolutionalEncoder) -> nn.Module:
    """Return the same layers with the same weights in torch's own layout, ReLU before pooling."""
    layers = list[nn.Module]()
    for layer in encoder.body:
        if isinstance(layer, nn.ReLU) and layers and isinstance(layers[-1], nn.MaxPool2d):
            layers.insert(-1, layer)
        else:
            layers.append(layer)
    network = nn.Sequential(*layers, encoder.last)
    for weights in network.parameters():
        weights.data = weights.data.contiguous()
    return network


def seconds_of_steps(network: nn.Module, inputs: torch.Tensor, optimiser: torch.optim.Optimizer) -> float:
    """Return the processor's time for one step, forward, backward and update, as the mean of some."""
    start = time.process_time()
    for _ in range(STEPS):
        optimiser.zero_grad()
        network(inputs).square().mean().backward()
        optimiser.step()
    return (time.process_time() - start) / STEPS


def measure(shape: tuple[int, int, int], outputs: int, count: int, batch_norm: bool) -> dict[str, Sequence[float]]:
    """Measure both in turns."""
    images = torch.rand(count, *shape, generator=torch.Generator().manual_seed(0))
    ours, theirs = (encoder_for(outputs, shape, batch_norm=batch_norm, seed=0) for _ in range(2))
    assert isinstance(theirs, ConvolutionalEncoder)
    networks = {"ours": ours, "plain": plain(theirs)}
    return in_turns({name: (network, Training().optimiser(network)) for name, network in networks.items()}, images)


def in_turns(
    rivals: Mapping[str, tuple[nn.Module, torch.optim.Optimizer]], inputs: torch.Tensor
) -> dict[str, Sequence[float]]:
    """Measure steps of each network by its optimiser; the first block of each warms up and is thrown away."""
    found: dict[str, list[float]] = {name: [] for name in rivals}
    for _ in range(1 + BLOCKS):
        for name, (network, optimiser) in rivals.items():
            found[name].append(seconds_of_steps(network, inputs, optimiser))
    return {name: seconds[1:] for name, seconds in found.items()}


def share(found: Mapping[str, Sequence[float]]) -> Spread:
    """Return what part of the plain one's time ours takes, block by block."""
    return Spread.of([ours / plain for ours, plain in zip(found["ours"], found["plain"])])


def main() -> None:
    """Measure, print, and write."""
    torch.set_num_threads(1)
    results = dict[str, object]()
    for title, (shape, outputs, count, batch_norm) in CASES.items():
        found = measure(shape, outputs, count, batch_norm)
        results[title] = {**found, "ratio": asdict(share(found))}
        print(f"{title}: {share(found)} of the plain layout's time")
    write_json(RESULTS / "encoders.json", {"machine": describe_machine(), "cases": results})


if __name__ == "__main__":
    main()
