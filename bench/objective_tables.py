"""Tables of the two objectives: in the paper's regimes, and on concepts of no family."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev

from moose.benchmark.store.records import Record
from moose.benchmark.store.store import Store

ROOT = Path(__file__).parent.parent
STORE = Store(ROOT / "results" / "learning")
FREE_CONCEPTS = ROOT / "bench" / "results" / "free_concepts.json"
FAMILIES = ("mnist1", "mnist2", "mnist3", "pizzaB")
"""Regimes with a latent family, in which the default is the likelihood given the theory."""
REGIMES = (*FAMILIES[:3], "pizzaA", "pizzaB", "pizzaC")
NAMES = {"paper": "paper's", "conditional": "likelihood"}


def regimes_table() -> str:
    """Return both objectives in every regime of the paper, a line each."""
    runs = STORE.results("regimes", "standard")
    lines = [
        (
            "| regime | split | method | objective | default | seeds | given the evidence: accuracy | ECE | macro F1 "
            "| network alone: accuracy | ECE | NLL |"
        ),
        "| --- | --- | --- | --- | --- |" + " ---: |" * 7,
    ]
    for regime in REGIMES:
        for method in ("moose-cover", "moose"):
            for split in ("test", "held_out"):
                lines += _lines(runs, regime, method, split)
    return "\n".join(lines)


def _lines(runs: Sequence[Record], regime: str, method: str, split: str) -> list[str]:
    found = []
    for objective, shown in NAMES.items():
        mine = [run for run in runs if run["regime"] == regime and run["method"] == f"{method}-{objective}"]
        some = [run if split == "test" else run.get(f"{split}_split") for run in mine]
        views = [[run[view] for run in some if run] for view in ("metrics", "metrics_network")]
        accuracy = "acc_f" if regime in FAMILIES else "acc_c"
        if not views[0]:
            return []
        is_default = (objective == "conditional") == (regime in FAMILIES)
        cells = [regime, split.replace("_", " "), method, shown, "yes" if is_default else "", str(len(views[0]))]
        cells += [spread(views[0], name) for name in (accuracy, "ece", "f1_macro")]
        cells += [spread(views[1], name) for name in (accuracy, "ece")]
        cells.append(spread(views[1], "nll", factor=1.0, digits=2))
        found.append(f"| {' | '.join(cells)} |")
    return found


def spread(runs: Sequence[Mapping[str, float | None]], metric: str, *, factor: float = 100.0, digits: int = 1) -> str:
    """Write a metric of some runs as mean ± standard deviation; a dash where there is none."""
    known = [factor * value for run in runs if (value := run[metric]) is not None]
    if not known:
        return "–"
    return f"{mean(known):.{digits}f}" + (f" ± {stdev(known):.{digits}f}" if len(known) > 1 else "")


def free_concepts_table() -> str:
    """Return both objectives on drawn concepts of no family, a line a task."""
    if not FREE_CONCEPTS.exists():
        return "Not measured yet: `python -m bench.free_concepts` measures."
    tasks = json.loads(FREE_CONCEPTS.read_text("utf-8"))["tasks"]
    lines = [
        "| drawn task | paper's: accuracy | macro F1 | ECE | NLL | likelihood: accuracy | macro F1 | ECE | NLL |",
        "| --- |" + " ---: |" * 8,
    ]
    for name, rows in tasks.items():
        cells = []
        for objective in NAMES:
            runs = rows.get(objective, [])
            cells += [spread(runs, metric) for metric in ("acc_c", "f1", "ece")]
            cells.append(spread(runs, "nll", factor=1.0, digits=2))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)
