"""Learning runs: `python -m bench.learning --regime mnist2 --data mnist --method moose-cover --seeds 0-4`.

Each run writes one file `results/<regime>-<data>-<method>-<seed>.json`, whole or not at all. A run whose file is there
is skipped; one that was interrupted goes on from its last epoch. `--share` measures instead which share of a training
step the circuit takes, and writes `bench/results/learning_share.json`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import gettempdir

import torch

from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.cli.training import Run, evaluate_splits
from moose.errors import MooseError
from moose.learning.cover import Cover
from moose.learning.fitting import Training
from moose.learning.objective import encode, measure, prepare
from moose.learning.watching import Epoch, Step

ROOT = Path(__file__).parent.parent
METHODS: dict[str, dict[str, object]] = {
    "moose": {},
    "moose-cover": {"cover": 3.0},
    "moose-sigmoid": {"head": "sigmoid"},
    "moose-paper": {"head": "sigmoid", "batch_size": 32},
    "moose-open": {"closure": False},
    "moose-open-sigmoid": {"closure": False, "head": "sigmoid"},
}
"""What each method changes; `moose-paper` is the paper's objective with its head and batch size."""
REGIMES: dict[str, dict[str, object]] = {
    "mnist1": {},
    "mnist2": {},
    "mnist3": {},
    "pizzaA": {"size": 64, "batch_norm": True, "batch_size": 32, "epochs": 8},
    "pizzaB": {"size": 64, "batch_norm": True, "batch_size": 32, "epochs": 8},
    "pizzaC": {"size": 64, "batch_norm": True, "batch_size": 32, "epochs": 8},
}
"""What each regime changes."""
PAPER_RATES = {"mnist1": 3e-3, "mnist2": 1e-3, "mnist3": 3e-3, "pizzaA": 1e-3, "pizzaB": 1e-3, "pizzaC": 3e-3}
LARGEST_SHARE = 0.10
REPETITIONS = 20


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are."""

    results: Path
    work: Path
    """Checkpoints of runs that are not done."""
    data: Path | None


class Lines:
    """Prints a line for each epoch."""

    def step(self, report: Step) -> None:
        """Print nothing."""

    def epoch(self, report: Epoch) -> None:
        """Print the epoch."""
        accuracy = "-" if report.accuracy is None else f"{report.accuracy:.4f}"
        print(
            f"  epoch {report.epoch}: loss {report.loss:.4f}, accuracy {accuracy}, {report.seconds:.1f} s", flush=True
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for."""
    options = parse(arguments)
    torch.set_num_threads(options.threads)
    if options.share:
        return measure_shares()
    places = Places(Path(options.results), Path(options.work), Path(options.folder) if options.folder else None)
    changes = {"epochs": options.epochs, "count": options.count, "test_count": options.test_count}
    chosen = {key: value for key, value in changes.items() if value is not None}
    for regime in options.regime.split(","):
        for method in options.method.split(","):
            for seed in seeds(options.seeds):
                run_one(make_run(regime, options.data, method, seed, chosen), method, places)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.learning", description=__doc__)
    parser.add_argument("--regime", default="mnist2", help="one or more, with commas")
    parser.add_argument("--data", default="digits")
    parser.add_argument("--method", default="moose-cover", help=f"of {', '.join(METHODS)}; with commas")
    parser.add_argument("--seeds", default="0", help="such as 0-4 or 0,2")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--count", type=int, help="instances to train on")
    parser.add_argument("--test-count", type=int)
    parser.add_argument("--folder", help="where the data set's files are")
    parser.add_argument("--results", default=str(ROOT / "results"))
    parser.add_argument("--work", default=str(Path(gettempdir()) / "moose-learning"), help="checkpoints")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--share", action="store_true")
    return parser.parse_args(arguments)


def seeds(text: str) -> list[int]:
    """Read seeds: `0-4` or `0,2`."""
    found = list[int]()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def make_run(regime: str, data: str, method: str, seed: int, changes: dict[str, object]) -> Run:
    """Put the settings of a regime, a method and the command line together, the last first."""
    if method not in METHODS or regime not in REGIMES:
        raise MooseError(f"expected a method of {', '.join(METHODS)} and a regime of {', '.join(REGIMES)}")
    rate = {"learning_rate": PAPER_RATES[regime]} if method == "moose-paper" else {}
    settings = REGIMES[regime] | METHODS[method] | rate | changes
    return Run(regime=regime, data=data, seed=seed, **settings)  # type: ignore[arg-type]


def run_one(run: Run, method: str, places: Places) -> None:
    """Do one run and write its file, unless it is there."""
    name = f"{run.regime}-{run.data}-{method}-{run.seed}"
    path = places.results / f"{name}.json"
    if path.exists():
        print(f"{name}: done already")
        return
    print(name, flush=True)
    dataset = run.open(places.data)
    learner, seconds = run.train(dataset, folder=places.work / name, watchers=[Lines()])
    record = run.record(seconds, evaluate_splits(learner, dataset)) | {"method": method, "machine": describe_machine()}
    places.results.mkdir(parents=True, exist_ok=True)
    write_json(path, record)
    for file in (places.work / name).iterdir():
        if file.is_file():
            file.unlink()
    scores = record["metrics_network"]
    assert isinstance(scores, dict)
    print(f"  {seconds:.0f} s; the network alone: acc_f {scores['acc_f']}, ece {scores['ece']}", flush=True)


def measure_shares() -> int:
    """Measure the circuit's share of a step in each regime, plain and with the cover; fail where it is too large."""
    shares = dict[str, dict[str, float]]()
    for regime in ("mnist1", "mnist2", "mnist3"):
        shares[regime] = measure_share(Run(regime=regime, data="digits", count=256))
        print(regime, {name: round(value, 4) for name, value in shares[regime].items()}, flush=True)
    write_json(RESULTS / "learning_share.json", {"machine": describe_machine(), "batch_size": 64, "regimes": shares})
    return int(any(found[key] > LARGEST_SHARE for found in shares.values() for key in ("share", "share_with_cover")))


def measure_share(run: Run) -> dict[str, float]:
    """Time a whole step, and the part from the network's outputs to their derivatives, in CPU time."""
    dataset = run.open(None)
    learner = run.learner(dataset)
    prepared = prepare(dataset.train, learner._weigher(dataset.train.task))
    optimiser = Training().optimiser(learner.network)
    rows = torch.arange(64)
    logits = encode(learner.network, prepared, rows).detach().requires_grad_()
    stand_in = _Outputs(logits)

    def step(cover: Cover | None, network: torch.nn.Module) -> None:
        outcome = measure(network, prepared, rows, cover)
        total = outcome.loss if outcome.bonus is None else outcome.loss - outcome.bonus
        total.backward()
        if network is learner.network:
            optimiser.step()
            optimiser.zero_grad()

    found = dict[str, float]()
    for suffix, cover in (("", None), ("_with_cover", Cover())):
        whole = cpu_seconds(lambda cover=cover: step(cover, learner.network))  # type: ignore[misc]
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
