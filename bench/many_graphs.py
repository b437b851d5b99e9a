"""Training on twenty different trees beside training on one of them: `python -m bench.many_graphs`.

Six digits on a tree, each of which follows the one that it hangs on: there are twenty such trees. The same number of
examples, encoder, batch size and epochs; CPU seconds of whole trainings from the examples on, compilation included, one
thread, in blocks in which every way has its turn. "Each anew" gives the same examples as twenty tasks, each compiled
for itself and in batches of its own. Written to `bench/results/many_graphs.json`.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace

import torch

import moose
from bench.measure import Spread, describe_machine, write_json
from bench.table import RESULTS
from moose.base.canonical import canonical_order, certificate
from moose.grounding.task.task import Task
from moose.learning.encoders import mnist_encoder
from moose.learning.examples import Examples
from moose.learning.shapes import split_by_shape

SIZE = 6
NAMES = tuple(f"n{number}" for number in range(SIZE))
MEMBERS = {"Even": (0, 2, 4, 6, 8), "Odd": (1, 3, 5, 7, 9), "Prime": (2, 3, 5, 7), "Composite": (4, 6, 8, 9)}
MOST_RATIO = 2.0
"""Of twenty trees to one that is asked for."""

Tree = tuple[tuple[int, int], ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, write, and fail where the target is missed."""
    options = parse(arguments)
    torch.set_num_threads(1)
    train([drawn(8, trees()[:2])], 1)  # warm-up: compiled kernels, caches, allocators
    found = {str(count): measure(count, options) for count in map(int, options.counts.split(","))}
    for count, row in found.items():
        print(count, {way: str(Spread(**spread)) for way, spread in row.items()}, flush=True)
    record = {
        "machine": describe_machine(),
        "settings": {"epochs": options.epochs, "blocks": options.blocks, "batch_size": 64, "trees": len(trees())},
        "counts": found,
    }
    write_json(RESULTS / "many_graphs.json", record)
    missed = [
        f"{count} examples: {row['ratio']['middle']:.2f} times one tree, asked for {MOST_RATIO:g}"
        for count, row in found.items()
        if row["ratio"]["middle"] > MOST_RATIO
    ]
    print(*missed, sep="\n", file=sys.stderr)
    return int(bool(missed))


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.many_graphs", description=__doc__)
    parser.add_argument("--counts", default="20,200,1000")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=5)
    return parser.parse_args(arguments)


def measure(count: int, options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Return the CPU seconds of each way to train on so many examples, and the ratio of twenty trees to one."""
    every = trees()
    ways: dict[str, Callable[[int], list[Examples]]] = {
        "one": lambda block: [drawn(count, [every[block * 7 % len(every)]])],
        "twenty": lambda _: [drawn(count, every)],
        "anew": lambda _: [group.examples for group in split_by_shape(drawn(count, every))],
    }
    times: dict[str, list[float]] = {way: [] for way in ways}
    for block in range(options.blocks):
        for way, make in ways.items():
            if way != "anew" or block == 0:  # takes long, and only shows what there was before
                times[way].append(train(make(block), options.epochs))
    times["ratio"] = [twenty / one for twenty, one in zip(times["twenty"], times["one"], strict=True)]
    return {way: asdict(Spread.of(values)) for way, values in times.items()}


def train(examples: list[Examples], epochs: int) -> float:
    """Train a learner from the beginning; return the CPU seconds, those of processes that compile included."""
    learner = moose.ConceptLearner(task(), mnist_encoder(10))
    start = cpu()
    learner.fit(examples, moose.Training(epochs=epochs))
    return cpu() - start


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it has started and that have ended."""
    used = time.process_time()
    if sys.platform != "win32":
        import resource

        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        used += ended.ru_utime + ended.ru_stime
    return used


def task() -> Task:
    """Return the task of six digits, whose successors the examples say."""
    return replace(moose.regime("mnist2"), individuals=NAMES, roles={"succ": []})


def trees() -> list[Tree]:
    """Return every rooted tree of six nodes, by its edges."""
    found: dict[object, Tree] = {}
    for number in range(720):
        pairs, rest = [], number
        for node in range(1, SIZE):
            rest, parent = divmod(rest, node)
            pairs.append((parent, node))
        edges = [(0, *pair) for pair in pairs]
        found.setdefault(certificate([0] * SIZE, edges, canonical_order([0] * SIZE, edges)), tuple(pairs))
    return list(found.values())


def drawn(count: int, chosen: Sequence[Tree], seed: int = 0) -> Examples:
    """Draw examples on trees in turns; what is seen is noise, for how right a network gets is not measured here."""
    source, noise = random.Random(seed), torch.Generator().manual_seed(seed)  # noqa: S311
    own = task()
    names = [concept.name for concept in own.concepts]
    truth = torch.zeros(count, SIZE, len(names), dtype=torch.int8)
    roles = []
    for row in range(count):
        tree = chosen[row % len(chosen)]
        digits = [source.randrange(4)] + [0] * (SIZE - 1)
        for parent, node in tree:
            digits[node] = digits[parent] + 1
        for node, digit in enumerate(digits):
            holds = [digit in MEMBERS.get(name, ()) or name == f"D{digit}" for name in names]
            truth[row, node] = torch.tensor([1 if one else -1 for one in holds], dtype=torch.int8)
        roles.append({"succ": [(NAMES[parent], NAMES[node]) for parent, node in tree]})
    is_observable = torch.tensor([not concept.is_latent for concept in own.concepts])
    is_observed = (torch.rand(truth.shape, generator=noise) < 0.5) & is_observable
    evidence = torch.where(is_observed, truth, 0).to(torch.int8)
    return Examples(own, torch.rand(count, SIZE, 1, 28, 28, generator=noise), evidence, truth, roles=roles)


if __name__ == "__main__":
    sys.exit(main())
