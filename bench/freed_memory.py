"""Measure a training step with freed memory kept and without: `python -m bench.freed_memory`.

The same network and the same batch in processes of their own, on one thread, in turns: once as `moose train` runs,
which keeps what a step frees for the next one, once as the system's allocator does by itself. Writes
`bench/results/freed_memory.json`, with the most memory that a process had.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict

import torch
from torch import nn

from bench.encoders import CASES as IMAGES
from bench.encoders import in_turns, share
from bench.measure import describe_machine, write_json
from bench.optimiser import cases as tables
from bench.table import RESULTS
from moose.base.memory import freed_memory_kept
from moose.learning.encoders import encoder_for
from moose.learning.fit.training_loop import Training

CASES = {**IMAGES, "pizzas, 8 images of 224 pixels, as the paper's": ((3, 224, 224), 16, 8, True)}
PROCESSES = 5
"""Of each way for each case, one after the other."""


def cases() -> dict[str, tuple[Callable[[], nn.Module], torch.Tensor]]:
    """Return what makes the network of each case, and its inputs."""

    def images(title: str) -> tuple[Callable[[], nn.Module], torch.Tensor]:
        shape, outputs, count, batch_norm = CASES[title]
        drawn = torch.rand(count, *shape, generator=torch.Generator().manual_seed(0))
        return lambda: encoder_for(outputs, shape, batch_norm=batch_norm, seed=0), drawn

    return {**{title: images(title) for title in CASES}, **tables()}


def measured(title: str, way: str) -> tuple[float, float]:
    """Return the processor's time for a step in a process of its own, and its peak of memory in megabytes."""
    command = [sys.executable, "-m", "bench.freed_memory", "--case", title, "--way", way]
    seconds, megabytes = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return seconds, megabytes


def measure_here(title: str, way: str) -> tuple[float, float]:
    """Return the median of the blocks of steps that this process takes, and its peak of memory."""
    make, inputs = cases()[title]
    network = make()
    with freed_memory_kept() if way == "ours" else nullcontext():
        blocks = in_turns({way: (network, Training().optimiser(network))}, inputs)[way]
    return sorted(blocks)[len(blocks) // 2], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Measure, print, and write; or measure one case one way."""
    parser = argparse.ArgumentParser(prog="python -m bench.freed_memory", description=__doc__)
    parser.add_argument("--case", choices=tuple(cases()))
    parser.add_argument("--way", choices=("ours", "plain"))
    options = parser.parse_args()
    torch.set_num_threads(1)
    if options.case and options.way:
        print(json.dumps(measure_here(options.case, options.way)))
        return
    results = dict[str, object]()
    for title in cases():
        found: dict[str, list[float]] = {"ours": [], "plain": []}
        peaks: dict[str, list[float]] = {"ours": [], "plain": []}
        for _ in range(PROCESSES):
            for way, blocks in found.items():
                seconds, megabytes = measured(title, way)
                blocks.append(seconds)
                peaks[way].append(round(megabytes, 1))
        results[title] = {**found, "ratio": asdict(share(found)), "peak_mb": peaks}
        print(f"{title}: {share(found)} of the time without", flush=True)
    write_json(RESULTS / "freed_memory.json", {"machine": describe_machine(), "cases": results})


if __name__ == "__main__":
    main()
