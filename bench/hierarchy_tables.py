"""Tables of hierarchies of many labels: labels that are hidden, and terms that nobody labels."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from bench.measure import machine_line
from bench.objective_tables import spread
from moose.benchmark.store.store import Store

ROOT = Path(__file__).parent.parent
STORE = Store(ROOT / "bench" / "results" / "hierarchies")
ZERO_SHOT = ROOT / "bench" / "results" / "zero_shot.json"
METRICS = ("au_prc", "exact_match", "f_max", "ece", "consistency")


def hidden_table() -> str:
    """Return the metrics of each method on each set, in per cent, a line each."""
    runs = STORE.results("hmc", "few")
    lines = [
        "| set and what is hidden | method | seeds | AU(PRC) | exact match | Fmax | ECE | consistent |",
        "| --- | --- |" + " ---: |" * 6,
    ]
    for regime in dict.fromkeys(run["regime"] for run in runs):
        for method in sorted({run["method"] for run in runs if run["regime"] == regime}):
            mine = [run for run in runs if (run["regime"], run["method"]) == (regime, method)]
            labels = [run["metrics_labels"] for run in mine]
            cells = [regime, method, str(len(mine)), *(spread(labels, metric) for metric in METRICS)]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def zero_shot_table() -> str:
    """Return how well each row ranks genes by terms that nobody labels, and how sure it is of them."""
    measured = json.loads(ZERO_SHOT.read_text("utf-8"))
    scores, settings = measured["scores"], measured["settings"]
    lines = ["| row | macro AUC | ECE, % | Brier score |", "| --- | ---: | ---: | ---: |"]
    for name, row in scores["rows"].items():
        lines.append(f"| {name} | {row['macro_auc']:.3f} | {100 * row['ece']:.2f} | {row['brier']:.4f} |")
    seconds = {
        name: sum(cost["seconds"] for run, cost in measured["cost"].items() if run.startswith(f"{name}-"))
        for name in ("moose", "network", "elembeddings")
    }
    told = ", ".join(f"{name} {value:.0f}" for name, value in seconds.items())
    end = (
        f"{scores['terms']} terms that some gene has, {settings['genes']:,} genes, {settings['labelled']:,} labelled "
        f"concepts; {scores['folds']} of 5 folds; CPU s of training in all: {told}; {machine_line(measured)}."
    )
    return "\n".join([*lines, "", end])


HIERARCHY_TABLES: dict[str, Callable[[], str]] = {"hidden_labels": hidden_table, "zero_shot": zero_shot_table}
