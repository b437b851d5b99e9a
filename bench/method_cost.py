"""What each method costs beside Moose: `python -m bench.method_cost`.

The same examples, encoder, batch size and number of epochs; CPU time of whole trainings, one thread, in blocks in which
every method has its turn, so that a machine that slows down slows all. Written to `bench/results/method_cost.json`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import median

import torch

from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.datasets.open import open_dataset
from moose.learning.examples import Examples
from moose.learning.fit.training_loop import Training
from moose.methods.registry import METHODS, make_method

REGIMES = ("mnist1", "mnist2", "mnist3")
TARGETS = {"bears": 5.5, "nesydm-exact": 3.0}
"""The largest ratio to Moose that is asked for."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write, and fail where a target is missed."""
    options = parse(arguments)
    torch.set_num_threads(1)
    training = Training(epochs=options.epochs)
    found = dict[str, dict[str, dict[str, float]]]()
    for regime in options.regime.split(","):
        examples = open_dataset("digits", regime=regime, count=options.count).train
        found[regime] = measure(examples, training, options.blocks, options.method.split(","))
        for method, row in found[regime].items():
            print(regime, method, {key: round(value, 2) for key, value in row.items()}, flush=True)
    record = {
        "machine": describe_machine(),
        "count": options.count,
        "epochs": options.epochs,
        "batch_size": training.batch_size,
        "blocks": options.blocks,
        "regimes": found,
    }
    write_json(RESULTS / "method_cost.json", record)
    missed = [
        f"{method} in {regime}: {row[method]['ratio']:.2f} times Moose, asked for {most}"
        for regime, row in found.items()
        for method, most in TARGETS.items()
        if method in row and row[method]["ratio"] > most
    ]
    print(*missed, sep="\n", file=sys.stderr)
    return int(bool(missed))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.method_cost", description=__doc__)
    parser.add_argument("--regime", default=",".join(REGIMES))
    parser.add_argument("--method", default=",".join(METHODS))
    parser.add_argument("--count", type=int, default=640)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--blocks", type=int, default=3)
    return parser.parse_args(arguments)


def measure(examples: Examples, training: Training, blocks: int, methods: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return for each method the CPU seconds of a training and its ratio to Moose's in the same block."""
    names = ["moose", *(name for name in methods if name != "moose")]
    for name in names:  # warm-up: compiled kernels, caches, allocators
        make_method(name).fit(examples.task, examples.take(slice(0, 64)), training=Training(epochs=1))
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(blocks):
        for name in names:
            start = time.process_time()
            make_method(name).fit(examples.task, examples, training=training)
            times[name].append(time.process_time() - start)
    found = dict[str, dict[str, float]]()
    for name in names:
        ratios = [mine / base for mine, base in zip(times[name], times["moose"], strict=True)]
        found[name] = {
            "cpu_seconds": median(times[name]),
            "ratio": median(ratios),
            "least": min(ratios),
            "most": max(ratios),
        }
    return found


if __name__ == "__main__":
    sys.exit(main())
