"""How many epochs suit each method on each set with all labels: `python -m bench.epochs ../shared/data/scale/hmc`.

As the published figures were made: each method learns from the rows to train on, with seed 0 and its settings, until
AU(PRC) of the validation rows no longer gets better; for the best number of epochs it then learns from both, with every
seed (`moose bench run bench/plans/hmc.toml`). The test is not looked at. What is found is written to
`bench/results/epochs.json`, set by set; what is there is not computed again. `--settings` prints the lines of
`src/moose/methods/settings.toml`, which a test compares with that file.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from bench.label_runs import hmc_run
from bench.measure import describe_machine, write_json
from bench.table import RESULTS
from moose.training.run import best_epoch

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
    parser.add_argument("--settings", action="store_true", help="print what the settings are to say")
    options = parser.parse_args()
    record: dict[str, Any] = {"machine": describe_machine(), "found": {}}
    if FILE.exists():
        record = json.loads(FILE.read_text("utf-8"))
    if options.settings:
        print(settings_lines(record))
        return 0
    for name in options.sets.split(","):
        for method in options.methods.split(","):
            of_set = record["found"].setdefault(name, {})
            if method not in of_set:
                of_set[method] = search(options.folder, name, method, patience=options.patience)
                write_json(FILE, record)
                print(name, method, of_set[method], flush=True)
    return 0


def search(folder: Path, name: str, method: str, *, patience: int) -> dict[str, float]:
    """Return the best number of epochs, AU(PRC) of the validation rows after them, and what the search cost."""
    import torch

    torch.set_num_threads(1)
    run = hmc_run(method, name, epochs=MOST, valid="stop", stop_by="au_prc", patience=patience)
    dataset = run.open(folder)
    start = time.process_time()
    predictor = run.fit(dataset)
    best = best_epoch(predictor)
    error = predictor.history[best - 1].validation_loss
    assert error is not None
    seconds = round(time.process_time() - start, 1)
    return {"epochs": best, "au_prc": round(1 - error, 4), "patience": patience, "cpu_seconds": seconds}


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
