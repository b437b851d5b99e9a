"""Whole vocabularies of the Gene Ontology, too wide for an exact circuit: `python -m bench.whole_vocabulary DIR`.

A set such as `cellcycle_go` has 4,122 classes, most of them in a handful of rows. The circuit of all of them is too
wide (`TooWide`), so that moose learns with a cut that is stated: the classes that at least 10 rows to learn from have
are counted exactly, and a class that is left out is predicted from what stands directly above it,

    P(C) = share of rows with C among rows that have all its superclasses × the least P of these,

so that no answer contradicts the hierarchy. Max-constraint needs no circuit and learns all classes. Both are judged on
the whole vocabulary. DIR has C-HMCNN's archive. Each row is trained in a process of its own, which tells what it cost;
the figures are written to `bench/results/whole_vocabulary.json`, and what is there is not computed again.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bench.label_runs import hmc_run
from bench.measure import describe_machine, run_measured, write_json
from bench.table import RESULTS
from moose.datasets.hierarchies.hierarchy import Hierarchy, Signs
from moose.datasets.hmc import read_name, read_set
from moose.learning.evaluation.label_metrics import f_max
from moose.learning.evaluation.role_metrics import average_precision

FILE = RESULTS / "whole_vocabulary.json"
SETS = ("cellcycle_go",)
ROWS = {"max-constraint": "whole", "moose": "cut"}
EPOCHS = 30
"""Of both; nobody has searched for a better number."""
Reals = npt.NDArray[np.float64]


def main() -> int:
    """Measure what is not in the file yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.whole_vocabulary", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--one", nargs=3, metavar=("SET", "METHOD", "EPOCHS"), help="train one row, and print it")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    options = parser.parse_args()
    if options.one:
        name, method, epochs = options.one
        print(json.dumps(train(options.folder, name, method, int(epochs))))
        return 0
    record: dict[str, Any] = {"machine": describe_machine(), "sets": {}}
    if FILE.exists():
        record = json.loads(FILE.read_text("utf-8"))
    for name in SETS:
        for method in ROWS:
            of_set = record["sets"].setdefault(name, {})
            if method not in of_set:
                command = [sys.executable, "-m", "bench.whole_vocabulary", str(options.folder)]
                usage, printed = run_measured([*command, "--one", name, method, str(options.epochs)])
                of_set[method] = {**json.loads(printed.splitlines()[-1]), "peak_mb": round(usage.peak_mb)}
                write_json(FILE, record)
                print(name, method, of_set[method], flush=True)
    return 0


def train(folder: Path, name: str, method: str, epochs: int) -> dict[str, object]:
    """Train on the vocabulary that a method can take, and judge on the whole one."""
    import torch

    torch.set_num_threads(1)
    whole = read_set(folder, read_name(f"{name}-whole"))
    regime = f"{name}-whole" if ROWS[method] == "whole" else name
    run = hmc_run(method, name, regime=regime, epochs=epochs, valid="learn")
    dataset = run.open(folder)
    start = time.process_time()
    predictor = run.fit(dataset)
    seconds = time.process_time() - start
    said = predictor.predict(dataset.test, evidence=False).posteriors[:, 0].astype(np.float64)
    if regime == name:
        learnt = np.concatenate([whole.truth["train"], whole.truth["valid"]])
        cut = read_set(folder, read_name(name)).hierarchy.names
        said = extend(said, cut, whole.hierarchy, learnt)
    holds = whole.truth["test"] > 0
    return {
        "classes": len(whole.hierarchy),
        "learnt": len(dataset.train.task.concepts),
        "rows": len(dataset.train) + len(dataset["valid"]),
        "epochs": epochs,
        "cpu_seconds": round(seconds, 1),
        "au_prc": round(average_precision(said.ravel(), holds.ravel()) or 0.0, 4),
        "f_max": round(f_max(said, holds) or 0.0, 4),
        "consistency": consistency(said, whole.hierarchy),
    }


def extend(said: Reals, cut: tuple[str, ...], whole: Hierarchy, learnt: Signs) -> Reals:
    """Return row × class of the whole hierarchy: a class that is not said has its rate below those above it.

    >>> from moose.datasets.hierarchies.hierarchy import make_hierarchy
    >>> whole = make_hierarchy("ab", [("b", "a")])
    >>> extend(np.array([[0.5]]), ("a",), whole, np.array([[1, 1], [1, -1], [-1, -1]], dtype=np.int8)).tolist()
    [[0.5, 0.25]]
    """
    column: Mapping[str, int] = {name: number for number, name in enumerate(cut)}
    holds = learnt > 0
    result = np.zeros((len(said), len(whole)))
    for position in whole.order:
        name, above = whole.names[position], list(whole.parents[position])
        if name in column:
            result[:, position] = said[:, column[name]]
            continue
        rows = holds[:, above].all(axis=1)
        rate = float(holds[rows, position].mean()) if rows.any() else 0.0
        result[:, position] = rate * (result[:, above].min(axis=1) if above else 1.0)
    return result


def consistency(said: Reals, whole: Hierarchy) -> float:
    """Return how many rows have no class without one above it, by the threshold ½."""
    holds = said > 0.5
    wrong = np.zeros(len(said), dtype=bool)
    for low, highs in enumerate(whole.parents):
        for high in highs:
            wrong |= holds[:, low] & ~holds[:, high]
    return float(1.0 - wrong.mean())


if __name__ == "__main__":
    raise SystemExit(main())
