"""Which share of a training step the circuit takes: `python -m bench.learning`.

Written to `bench/results/learning_share.json`; fails where it is more than a tenth.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

import torch

from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.base.errors import MooseError
from moose.learning.fit.training_loop import Training
from moose.learning.loss.cover import Cover
from moose.learning.loss.objective import encode, measure
from moose.methods.base.perception import Perception
from moose.training.run import Run

LARGEST_SHARE = 0.10
REPETITIONS = 20


def main() -> int:
    """Measure the circuit's share of a step in each regime, plain and with the cover; fail where it is too large."""
    torch.set_num_threads(1)
    shares = dict[str, dict[str, float]]()
    for regime in ("mnist1", "mnist2", "mnist3"):
        shares[regime] = measure_share(Run(regime=regime, data="digits", count=256))
        print(regime, {name: round(value, 4) for name, value in shares[regime].items()}, flush=True)
    write_json(RESULTS / "learning_share.json", {"machine": describe_machine(), "batch_size": 64, "regimes": shares})
    return int(any(found[key] > LARGEST_SHARE for found in shares.values() for key in ("share", "share_with_cover")))


def measure_share(run: Run) -> dict[str, float]:
    """Time a whole step, and the part from the network's outputs to their derivatives, in CPU time."""
    dataset = run.open(None)
    model = run.make_method().model(dataset.train.task, Perception(dataset.train.input_shape), seed=run.seed)
    prepared, network = model.prepare(dataset.train), model.stages()[0].network
    optimiser = Training().optimiser(network)
    rows = torch.arange(64)
    logits = encode(network, prepared, rows).detach().requires_grad_()
    stand_in = _Outputs(logits)

    def step(cover: Cover | None, outputs: torch.nn.Module) -> None:
        outcome = measure(outputs, prepared, rows, cover)
        total = outcome.loss if outcome.bonus is None else outcome.loss - outcome.bonus
        total.backward()
        if outputs is network:
            optimiser.step()
            optimiser.zero_grad()

    found = dict[str, float]()
    for suffix, cover in (("", None), ("_with_cover", Cover())):
        whole = cpu_seconds(lambda cover=cover: step(cover, network))  # type: ignore[misc]
        part = cpu_seconds(lambda cover=cover: step(cover, stand_in))  # type: ignore[misc]
        found |= {f"step_ms{suffix}": whole * 1e3, f"circuit_ms{suffix}": part * 1e3, f"share{suffix}": part / whole}
    return found


class _Outputs(torch.nn.Module):
    """A network that costs nothing."""

    def __init__(self, logits: torch.Tensor) -> None:
        super().__init__()
        self.logits = logits

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Return the same outputs each time."""
        return self.logits.flatten(0, 1)[: len(images)]


def cpu_seconds(work: Callable[[], None]) -> float:
    """Return the CPU time that some work takes, the middle of several times."""
    times = list[float]()
    for turn in range(REPETITIONS + 3):
        start = time.process_time()
        work()
        if turn >= 3:  # the first turns fill caches
            times.append(time.process_time() - start)
    return median(times)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MooseError as error:
        sys.exit(f"bench.learning: {error}")
