"""What a set takes: rows of its circuit, seconds an epoch, peak memory; `python -m bench.hierarchy_memory DIR`.

DIR has C-HMCNN's archive. Each set with all labels, and each method, is opened and trained for three epochs in a
process of its own with one thread. Writes `bench/results/hierarchy_memory.json`; what is there already is kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from bench.measure import describe_machine, machine_line, run_measured, write_json

FILE = Path(__file__).parent / "results" / "hierarchy_memory.json"
SETS = (
    *("cellcycle_fun", "derisi_fun", "eisen_fun", "gasch1_fun", "gasch2_fun", "seq_fun", "spo_fun"),
    *("diatoms", "enron", "imclef07a", "imclef07d", "cellcycle_go", "eisen_go"),
)
METHODS = ("max-constraint", "moose", "moose-siblings")
EPOCHS = 3


def main() -> int:
    """Measure what was not measured yet."""
    parser = argparse.ArgumentParser(prog="python -m bench.hierarchy_memory", description=__doc__)
    parser.add_argument("folder", type=Path, help="with C-HMCNN's archive")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--one", help="train one method on one set, and print what it took")
    options = parser.parse_args()
    if options.one:
        name, method = options.one.split(",")
        print(json.dumps(train(options.folder, name, method)))
        return 0
    record: dict[str, Any] = {"machine": describe_machine(), "epochs": EPOCHS, "sets": {}}
    if FILE.exists():
        record = json.loads(FILE.read_text("utf-8"))
    for name in options.sets.split(","):
        for method in METHODS:
            of_set = record["sets"].setdefault(name, {})
            if method not in of_set:
                own = [sys.executable, "-m", "bench.hierarchy_memory", str(options.folder), "--one", f"{name},{method}"]
                usage, printed = run_measured(own)
                of_set[method] = {**json.loads(printed.splitlines()[-1]), "peak_mb": round(usage.peak_mb)}
                write_json(FILE, record)
                print(name, method, of_set[method], flush=True)
    return 0


def train(folder: Path, name: str, method: str) -> dict[str, object]:
    """Train for a few epochs, and return what there is and what that took."""
    import torch

    from bench.label_runs import hmc_run

    torch.set_num_threads(1)
    run = hmc_run(method, name, epochs=EPOCHS)
    dataset = run.open(folder)
    predictor = run.fit(dataset)
    task = dataset.train.task
    circuit = predictor.model.weight_map(task).binding.layer.circuit.statistics
    return {
        "classes": len(task.concepts),
        "rows": len(dataset.train),
        "circuit": None if method == "max-constraint" else circuit.size,
        "seconds_an_epoch": round(min(epoch.seconds for epoch in predictor.history), 3),
    }


def memory_table() -> str:
    """Return what each set takes by each method."""
    if not FILE.exists():
        return "Not measured yet: `python -m bench.hierarchy_memory DIR` measures."
    measured = json.loads(FILE.read_text("utf-8"))
    lines = [
        "| set | classes | rows to learn from | method | rows of the circuit | s an epoch | peak memory, MB |",
        "| --- | ---: | ---: | --- | ---: | ---: | ---: |",
    ]
    for name, of_set in measured["sets"].items():
        for method, row in of_set.items():
            circuit = "–" if row["circuit"] is None else f"{row['circuit']:,}"
            cost = f"{row['seconds_an_epoch']:.2f} | {row['peak_mb']:,}"
            lines.append(f"| {name} | {row['classes']:,} | {row['rows']:,} | {method} | {circuit} | {cost} |")
    return "\n".join([*lines, "", f"{machine_line(measured)}."])


if __name__ == "__main__":
    raise SystemExit(main())
