"""How many epochs suit each method on each set with all labels: `python -m bench.epochs ../shared/data/scale/hmc`.

As the published figures were made: each method learns from the rows to train on, with seed 0 and its settings, until
AU(PRC) of the validation rows no longer gets better; for the best number of epochs it then learns from both, with every
seed (`moose bench run bench/plans/hmc.toml`). The test is not looked at. What is found is written to
`bench/results/epochs.json`, set by set; what is there is not computed again. `--settings` prints the lines of
`src/moose/methods/settings.toml`, which a test compares with that file. `--hidden 2000 --rate 1e-4` tries another
network and rate than the settings have, and writes what came of it beside the others.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.label_runs import hmc_run
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.training.run import Run, best_epoch

FILE = RESULTS / "epochs.json"
SETS = (
    *("diatoms", "enron", "imclef07a", "imclef07d"),
    *("cellcycle_fun", "derisi_fun", "eisen_fun", "gasch1_fun", "gasch2_fun", "seq_fun", "spo_fun"),
)
METHODS = ("moose", "max-constraint", "moose-labels", "moose-siblings")
MOST = 1000
"""Epochs of a search; those of most sets end by patience long before."""
PATIENCE = 10


def main() -> int:
    """Search for what is not known yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.epochs", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", help="with C-HMCNN's archive")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--patience", type=int, default=PATIENCE, help="epochs without a better one")
    parser.add_argument("--hidden", type=int, help="the width of both hidden layers, to try another")
    parser.add_argument("--rate", type=float, help="the learning rate, to try another")
    parser.add_argument("--settings", action="store_true", help="print what the settings are to say")
    options = parser.parse_args()
    record: dict[str, Any] = {"machine": describe_machine(), "found": {}, "tried": {}}
    if FILE.exists():
        record = json.loads(FILE.read_text("utf-8"))
    if options.settings:
        print(settings_lines(record))
        return 0
    for name in options.sets.split(","):
        for method in options.methods.split(","):
            run = hmc_run(method, name, epochs=MOST, valid="stop", stop_by="au_prc", patience=options.patience)
            tried = changed(run, options.hidden, options.rate)
            of_set = record["found" if tried == run else "tried"].setdefault(name, {})
            key = method if tried == run else f"{method}, {tried.hidden[0]} wide, rate {tried.learning_rate:g}"
            if key not in of_set:
                of_set[key] = search(options.folder, tried)
                write_json(FILE, record)
                print(name, key, of_set[key], flush=True)
    return 0


def changed(run: Run, hidden: int | None, rate: float | None) -> Run:
    """Return a run with another network or rate, where one is given."""
    width = run.hidden if hidden is None else (hidden,) * len(run.hidden)
    return replace(run, hidden=width, learning_rate=run.learning_rate if rate is None else rate)


def search(folder: Path, run: Run) -> dict[str, float]:
    """Return the best number of epochs, AU(PRC) of the validation rows after them, and what the search cost."""
    import torch

    torch.set_num_threads(1)
    dataset = run.open(folder)
    start = time.process_time()
    predictor = run.fit(dataset)
    best = best_epoch(predictor)
    error = predictor.history[best - 1].validation_loss
    assert error is not None
    seconds = round(time.process_time() - start, 1)
    assert run.patience is not None
    return {"epochs": best, "au_prc": round(1 - error, 4), "patience": run.patience, "cpu_seconds": seconds}


WHY = 'why = "Searched on validation rows."'


def settings_lines(record: dict[str, Any]) -> str:
    """Return the lines of the settings that follow.

    >>> print(settings_lines({"found": {"enron": {"moose": {"epochs": 30}}}}))
    [moose.ours.enron-complete]
    why = "Searched on validation rows."
    epochs = 30
    """
    found = record["found"]
    methods = dict.fromkeys(method for of_set in found.values() for method in of_set)
    return "\n".join(
        f"[{method}.ours.{name}-complete]\n{WHY}\nepochs = {of_set[method]['epochs']}"
        for method in methods
        for name, of_set in found.items()
        if method in of_set
    )


if __name__ == "__main__":
    raise SystemExit(main())
