"""Runs of every method: `python -m bench.methods --data digits --regime mnist1,mnist2,mnist3 --method all --seeds 0-2`.

Each run writes one file `results/<regime>-<data>-<method>-<seed>.json`, whole or not at all. A run whose file is there
is skipped; one that was interrupted goes on from its last epoch. Settings are those of `moose/methods/settings.toml`.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir

import torch

from bench.measure import describe_machine, write_json
from moose.base.errors import MooseError
from moose.learning.fit.watchers import Epoch, Step
from moose.methods.registry import METHODS
from moose.methods.settings import find_settings
from moose.training.run import Run, evaluate_splits

ROOT = Path(__file__).parent.parent
VARIANTS: dict[str, tuple[str, dict[str, object]]] = {
    "moose-softmax": ("moose", {"head": "softmax"}),
    "moose-open": ("moose", {"closure": False}),
    "moose-open-softmax": ("moose", {"head": "softmax", "closure": False}),
    "bears-printed": ("bears", {"sign": "printed"}),
}
"""Rows of the tables that are a method with other options."""


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
        terms = "".join(f", {name} {value:.3g}" for name, value in report.terms.items())
        print(f"  epoch {report.epoch}: loss {report.loss:.4f}, accuracy {accuracy}{terms}, {report.seconds:.1f} s")
        sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for."""
    options = parse(arguments)
    torch.set_num_threads(options.threads)
    places = Places(Path(options.results), Path(options.work), Path(options.folder) if options.folder else None)
    names = list(METHODS) if options.method == "all" else options.method.split(",")
    training = {key: getattr(options, key) for key in ("epochs", "learning_rate", "batch_size", "size")}
    counts = {key: getattr(options, key) for key in ("count", "test_count")}
    for seed in seeds(options.seeds):  # the first seed of everything before the second of anything
        for regime in options.regime.split(","):
            for name in names:
                changes = {key: value for key, value in training.items() if value is not None}
                run = make_run(name, regime, options.data, seed, source=options.settings, **changes)
                run_one(replace(run, **counts), name, places)
    return 0


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m bench.methods", description=__doc__)
    known = ", ".join((*METHODS, *VARIANTS))
    parser.add_argument("--regime", default="mnist2", help="one or more, with commas")
    parser.add_argument("--data", default="digits")
    parser.add_argument("--method", default="all", help=f"all, or some of {known}; with commas")
    parser.add_argument("--seeds", default="0", help="such as 0-4 or 0,2")
    parser.add_argument("--settings", default="ours", help="ours or paper")
    parser.add_argument("--epochs", type=int)
    parser.add_argument("--learning-rate", type=float)
    parser.add_argument("--batch-size", type=int)
    parser.add_argument("--size", type=int, help="pixels a side")
    parser.add_argument("--count", type=int, help="instances to train on")
    parser.add_argument("--test-count", type=int)
    parser.add_argument("--folder", help="where the data set's files are")
    parser.add_argument("--results", default=str(ROOT / "results"))
    parser.add_argument("--work", default=str(Path(gettempdir()) / "moose-methods"), help="checkpoints")
    parser.add_argument("--threads", type=int, default=1)
    return parser.parse_args(arguments)


def seeds(text: str) -> list[int]:
    """Read seeds: `0-4` or `0,2`."""
    found = list[int]()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def make_run(name: str, regime: str, data: str, seed: int, *, source: str, **changes: object) -> Run:
    """Return the run of a method or a variant of one, with its settings."""
    method, options = VARIANTS.get(name, (name, {}))
    found = find_settings(method, regime, source, **options, **changes)  # type: ignore[arg-type]  # it checks
    return Run(
        regime=regime,
        data=data,
        seed=seed,
        epochs=found.training.epochs,
        batch_size=found.training.batch_size,
        learning_rate=found.training.learning_rate,
        batch_norm=found.batch_norm,
        size=found.size,
        by=method,
        options=found.method.options,
    )


def run_one(run: Run, name: str, places: Places) -> None:
    """Do one run and write its file, unless it is there."""
    title = f"{run.regime}-{run.data}-{name}-{run.seed}"
    path = places.results / f"{title}.json"
    if path.exists():
        print(f"{title}: done already")
        return
    print(title, flush=True)
    dataset = run.open(places.data)
    before = time.process_time()
    predictor = run.fit(dataset, folder=places.work / title, watchers=[Lines()])
    used = time.process_time() - before
    start = time.monotonic()
    evaluations = evaluate_splits(predictor, dataset)
    record = run.record(predictor.seconds, evaluations) | {
        "method": name,
        "cpu_seconds": round(used, 2),
        "evaluation_seconds": round(time.monotonic() - start, 2),
        "terms": predictor.history[-1].terms,
        "machine": describe_machine(),
    }
    places.results.mkdir(parents=True, exist_ok=True)
    write_json(path, record)
    shutil.rmtree(places.work / title, ignore_errors=True)
    scores = record["metrics"]
    assert isinstance(scores, dict)
    print(
        f"  {predictor.seconds:.0f} s; acc_f {scores['acc_f']}, acc_c {scores['acc_c']}, ece {scores['ece']}",
        flush=True,
    )


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MooseError as error:
        sys.exit(f"bench.methods: {error}")
