"""How many epochs, and how much weight decay, suit a method on a set with all labels: `python -m bench.epochs FOLDER`.

As the published figures were made: each method learns from the rows to train on, with seed 0 and its settings, until
AU(PRC) of the validation rows no longer gets better; for the best number of epochs it then learns from both, with every
seed (`moose bench run bench/plans/hmc.toml`). `--decay 1e-3` searches with a weight decay; of those that were searched
the best is taken. The test is not looked at. What is found is written to `bench/results/epochs.json`, set by set; what
is there is not computed again. `--settings` prints the lines of `src/moose/methods/settings.toml` that follow; a test
compares them with that file. `--hidden 2000 --rate 1e-4 --batch 4` tries another network, rate or batch than the
settings have, and writes what came of it beside the others. FOLDER has C-HMCNN's archive (`../shared/data/scale/hmc`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench.hierarchy_tables import EPOCHS, chosen
from bench.label_runs import hmc_run
from bench.measure import describe_machine, write_json
from moose.training.run import Run, best_epoch

SETS = (
    *("diatoms", "enron", "imclef07a", "imclef07d"),
    *("cellcycle_fun", "derisi_fun", "eisen_fun", "gasch1_fun", "gasch2_fun", "seq_fun", "spo_fun"),
)
METHODS = ("moose", "max-constraint", "moose-labels", "moose-siblings-together")
"""Rows of the plan; the network of `moose-siblings` is trained with all labels as that of `moose`."""
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
    parser.add_argument("--batch", type=int, help="rows a batch, to try another number")
    parser.add_argument("--decay", type=float, help="the weight decay, to try one")
    parser.add_argument("--settings", action="store_true", help="print what the settings are to say")
    options = parser.parse_args()
    record: dict[str, Any] = {"machine": describe_machine(), "found": {}, "decayed": {}, "tried": {}}
    if EPOCHS.exists():
        record = json.loads(EPOCHS.read_text("utf-8"))
    if options.settings:
        print(settings_lines(record))
        return 0
    for name in options.sets.split(","):
        for method in options.methods.split(","):
            run = hmc_run(method, name, epochs=MOST, valid="stop", stop_by="au_prc", patience=options.patience)
            tried = changed(run, options.hidden, options.rate, options.batch, options.decay)
            part, key = place(method, tried, beside=run)
            of_set = record[part].setdefault(name, {})
            if key not in of_set:
                of_set[key] = search(options.folder, tried)
                write_json(EPOCHS, record)
                print(name, key, of_set[key], flush=True)
    return 0


def changed(run: Run, hidden: int | None, rate: float | None, batch: int | None, decay: float | None) -> Run:
    """Return a run with another network, rate, batch or weight decay, where one is given."""
    return replace(
        run,
        hidden=run.hidden if hidden is None else (hidden,) * len(run.hidden),
        learning_rate=run.learning_rate if rate is None else rate,
        batch_size=run.batch_size if batch is None else batch,
        weight_decay=run.weight_decay if decay is None else decay,
    )


def place(method: str, tried: Run, *, beside: Run) -> tuple[str, str]:
    """Return in which part of the record a search belongs, and its name there.

    >>> settings = hmc_run("moose", "spo_fun")
    >>> place("moose", changed(settings, None, None, None, 1e-3), beside=settings)
    ('decayed', 'moose, weight decay 0.001')
    >>> place("moose", changed(settings, None, 1e-4, 4, None), beside=settings)
    ('tried', 'moose, 500 wide, rate 0.0001, batches of 4')
    """
    if tried == beside:
        return "found", method
    decay = f"weight decay {tried.weight_decay:g}"
    if replace(tried, weight_decay=beside.weight_decay) == beside:
        return "decayed", f"{method}, {decay}"
    words = [method, f"{tried.hidden[0]} wide", f"rate {tried.learning_rate:g}"]
    words += [f"batches of {tried.batch_size}"] if tried.batch_size != beside.batch_size else []
    return "tried", ", ".join([*words, decay] if tried.weight_decay else words)


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
    decay = {"weight_decay": run.weight_decay} if run.weight_decay else {}
    return {"epochs": best, "au_prc": round(1 - error, 4), **decay, "patience": run.patience, "cpu_seconds": seconds}


WHY = 'why = "Searched on validation rows."'
WHY_AS_MOOSE = 'why = "Its network is trained as that of moose."'


def settings_lines(record: Mapping[str, Any]) -> str:
    """Return the lines of the settings that follow.

    >>> print(settings_lines({"found": {"enron": {"moose": {"epochs": 30, "au_prc": 0.7}}}, "decayed": {}}))
    [moose.ours.enron-complete]
    why = "Searched on validation rows."
    epochs = 30
    [moose-siblings.ours.enron-complete]
    why = "Its network is trained as that of moose."
    epochs = 30
    """
    found = record["found"]
    methods = dict.fromkeys(method for of_set in found.values() for method in of_set)
    best = {
        (method, name): chosen(record, name, method) for method in methods for name in found if method in found[name]
    }
    as_moose = {("moose-siblings", name): one for (method, name), one in best.items() if method == "moose"}
    return "\n".join(
        f"[{method}.ours.{name}-complete]\n{WHY if (method, name) in best else WHY_AS_MOOSE}\n{_numbers(one)}"
        for (method, name), one in (best | as_moose).items()
    )


def _numbers(searched: Mapping[str, float]) -> str:
    decay = f"\nweight_decay = {searched['weight_decay']:g}" if "weight_decay" in searched else ""
    return f"epochs = {searched['epochs']}{decay}"


if __name__ == "__main__":
    raise SystemExit(main())
