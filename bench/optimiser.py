"""Measure a step of training with Adam fused and as torch has it by itself: `python -m bench.optimiser`.

The same network for tables twice, forward, backward and update, on one thread, in turns, with two layers of the width
and the batch that are said. Writes `bench/results/optimiser.json`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial

import torch
from torch import nn

from bench.encoders import in_turns, share
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.learning.encoders import mlp_encoder
from moose.learning.fit.training_loop import Training

FEATURES, CLASSES = 371, 398
"""As many as Diatoms has."""
TABLES = ((500, 64), (2000, 64), (2000, 4))
"""Widths and batches: ours of most sets, ours of Diatoms, C-HMCNN's of Diatoms."""


def cases() -> dict[str, tuple[Callable[[], nn.Module], torch.Tensor]]:
    """Return what makes the network of each case, and its inputs."""
    draw = torch.Generator().manual_seed(0)
    return {
        f"table, {batch} rows, {width:,} wide": (
            partial(mlp_encoder, FEATURES, CLASSES, hidden=(width, width)),
            torch.rand(batch, FEATURES, generator=draw),
        )
        for width, batch in TABLES
    }


def main() -> None:
    """Measure, print, and write."""
    torch.set_num_threads(1)
    results = dict[str, object]()
    for title, (make, inputs) in cases().items():
        ours, plain = make(), make()
        rivals = {
            "ours": (ours, Training().optimiser(ours)),
            "plain": (plain, torch.optim.Adam(plain.parameters())),
        }
        found = in_turns(rivals, inputs)
        results[title] = {**found, "ratio": asdict(share(found))}
        print(f"{title}: {share(found)} of the plain optimiser's time")
    write_json(RESULTS / "optimiser.json", {"machine": describe_machine(), "cases": results})


if __name__ == "__main__":
    main()
