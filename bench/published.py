"""All of C-HMCNN's settings, with ours beside them: `python -m bench.published ../shared/data/scale/hmc`.

The runs of `bench/plans/hmc.toml` have a network of its form, 500 wide on most sets, and batches of 64 at a higher
rate, begun at base rates, for as many epochs as validation rows ask for. Here a method learns as C-HMCNN's figures were
made: batches of 4 at the rate, width and number of epochs that its authors give for a set, with their weight decay,
from a network as torch draws it, on the rows to train on and those to validate on together. Theirs is the mean of the
loss over classes, ours the sum: Adam does not see the difference, but for its decay and its epsilon, which are as many
times theirs as there are classes. So what differs from the published figure is not a choice of ours, and what differs
from the figure of the plan is. Written to `bench/results/published.json`, a run at a time; what is there is not
computed again. With `--work DIR` a training that was stopped is gone on with: one of Diatoms, with 245,000 steps of a
network 2,000 wide, takes most of an hour. `--decay-of-sum` takes their decay as it is written, 1e-5, with our sum; such
runs are written apart.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bench.label_runs import hmc_run
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.learning.fit.training_loop import Training
from moose.training.run import Run

FILE = RESULTS / "published.json"
BATCH = 4
DECAY = 1e-5
EPSILON = 1e-8
"""Of Adam, as torch has it."""


class Published(NamedTuple):
    """What C-HMCNN's authors give for a set (the main script of their repository)."""

    width: int
    rate: float
    epochs: int


SETS = {
    "diatoms": Published(2000, 1e-5, 474),
    "enron": Published(1000, 1e-5, 133),
    "imclef07a": Published(1000, 1e-5, 592),
    "imclef07d": Published(1000, 1e-5, 588),
    "cellcycle_fun": Published(500, 1e-4, 106),
    "derisi_fun": Published(500, 1e-4, 67),
    "eisen_fun": Published(500, 1e-4, 110),
    "gasch1_fun": Published(1000, 1e-4, 42),
    "gasch2_fun": Published(500, 1e-4, 123),
    "seq_fun": Published(2000, 1e-4, 13),
    "spo_fun": Published(250, 1e-4, 115),
}
ASKED = ("gasch2_fun", "spo_fun")
"""Those where moose was furthest behind max-constraint before weight decay was searched."""
METHODS = ("max-constraint", "moose")
KEPT = ("au_prc", "exact_match", "world_match", "consistency")


def main() -> int:
    """Train what is not there yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.published", description=__doc__)
    parser.add_argument("folder", type=Path, help="with C-HMCNN's archive")
    parser.add_argument("--sets", default=",".join(ASKED))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--seeds", type=int, default=1, help="how many, from 0")
    parser.add_argument("--decay-of-sum", action="store_true", help="their decay as it is written, with our sum")
    parser.add_argument("--work", type=Path, help="a folder for trainings that are not finished")
    options = parser.parse_args()
    record: dict[str, Any] = {"machine": describe_machine(), "runs": {}}
    if FILE.exists():
        record = json.loads(FILE.read_text("utf-8"))
    part = "decay_of_sum" if options.decay_of_sum else "runs"
    for seed in range(options.seeds):
        for name in options.sets.split(","):
            for method in options.methods.split(","):
                of_method = record.setdefault(part, {}).setdefault(name, {}).setdefault(method, {})
                if str(seed) not in of_method:
                    work = None if options.work is None else options.work / f"{part}-{name}-{method}-{seed}"
                    run = as_published(method, name, seed)
                    of_method[str(seed)] = measured(options.folder, run, work, by_sum=options.decay_of_sum)
                    write_json(FILE, record)
                    print(name, method, seed, of_method[str(seed)], flush=True)
    return 0


def as_published(method: str, name: str, seed: int) -> Run:
    """Return a run of a method on a set with all labels and the published settings.

    >>> run = as_published("moose", "spo_fun", 0)
    >>> run.hidden, run.batch_size, run.learning_rate, run.epochs, run.base_rates, run.valid, run.dropout
    ((250, 250), 4, 0.0001, 115, False, 'learn', 0.7)
    """
    given = SETS[name]
    ours = hmc_run(method, name, epochs=given.epochs, valid="learn", seed=seed)
    return replace(
        ours,
        hidden=(given.width,) * len(ours.hidden),
        learning_rate=given.rate,
        batch_size=BATCH,
        weight_decay=DECAY,
        base_rates=False,
    )


def of_mean(run: Run, classes: int) -> Training:
    """Return the training whose steps by the sum over classes are those by their mean.

    Adam divides by the size of gradients, so that only what is added to them counts: the decay, and epsilon.
    """
    import torch

    def adam(parameters: list[torch.nn.Parameter]) -> torch.optim.Optimizer:
        return torch.optim.Adam(
            parameters, run.learning_rate, eps=EPSILON * classes, weight_decay=run.weight_decay * classes, fused=True
        )

    return replace(run.training, make_optimiser=adam)


def measured(folder: Path, run: Run, work: Path | None, *, by_sum: bool) -> dict[str, Any]:
    """Train, or go on in a folder, and return the metrics of the rows to test on and what it cost (the last part)."""
    import torch

    from moose.training.evaluate_splits import judge

    torch.set_num_threads(1)
    dataset = run.open(folder)
    train, _ = run.split(dataset)
    start = time.process_time()
    predictor = run.make_method().fit(
        train.task,
        train,
        training=run.training if by_sum else of_mean(run, len(train.task.latent)),
        perception=run.perception(train.input_shape),
        folder=work,
    )
    judged: dict[str, Any] = judge(predictor, run.to_judge(dataset))
    labels = judged["metrics_labels"]
    kept = {name: None if labels[name] is None else round(labels[name], 4) for name in KEPT}
    return {**kept, "cpu_seconds": round(time.process_time() - start, 1)}


if __name__ == "__main__":
    raise SystemExit(main())
