"""Tables of latent roles: UMLS beside DistMult and ConvE, yeast proteins with labels hidden, successors of digits."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, stdev
from typing import Any

from bench.measure import machine_and_load

RESULTS = Path(__file__).with_name("results")
LINKS = ("mrr", "hits_at_1", "hits_at_3", "hits_at_10")
PUBLISHED = {
    "ConvE, its authors": (0.94, 0.92, 0.97, 0.99),
    "DistMult, a secondary list": (0.878,),
    "ConvE, the same list": (0.797,),
}
"""The first is from the README of TimDettmers/ConvE; where the list has its figures from is not known."""
ROWS = {
    "network": "pair network",
    "asked": "the same, asked with the ontology",
    "ontology": "trained with the ontology",
    "network, chains": "pair network, labels completed by chains",
    "ontology, chains": "trained with the ontology and chains",
}
HIDDEN = {"0.5": "50 %", "0.9": "90 %"}
YEAST_ROWS = {
    ("network", "role_network"): "pair network",
    ("network, completed", "role_network"): "pair network, labels completed",
    ("ontology", "role_network"): "with the ontology, network alone",
    ("ontology", "roles"): "with the ontology",
}
Runs = Sequence[Mapping[str, Any]]


def read(name: str) -> dict[str, Any] | None:
    """Read what a benchmark wrote; None if there is nothing."""
    path = RESULTS / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else None


def runs_of(measured: Mapping[str, Any], name: str, mark: str) -> list[Mapping[str, Any]]:
    """Return the runs of one row, whose names end in the seed.

    >>> runs_of({"runs": {"network, 0": {"mrr": 1}, "network, chains, 0": {"mrr": 2}}}, "network", ", ")
    [{'mrr': 1}]
    """
    return [run for own, run in measured["runs"].items() if own.rpartition(mark)[0] == name]


def missing(name: str) -> str:
    """Return what stands in for a table that nobody has measured."""
    return f"Not measured yet: `python -m bench.{name}` measures, `python -m bench.table` writes the table here."


def spread(runs: Runs, metric: str, digits: int = 3) -> str:
    """Return the mean over seeds, and the standard deviation where there are several."""
    values = [run[metric] for run in runs if run.get(metric) is not None]
    if not values:
        return "–"
    told = f"{mean(values):.{digits}f}"
    return f"{told} ± {stdev(values):.{digits}f}" if len(values) > 1 else told


def knowledge_graph_table() -> str:
    """Return link prediction on UMLS, a line for each row, peer and published figure."""
    measured, peers = read("knowledge_graph"), read("graph_peers")
    if measured is None:
        return missing("knowledge_graph")
    lines = ["| | seeds | MRR | hits@1 | hits@3 | hits@10 | validation MRR | CPU s |", "| --- |" + " ---: |" * 7]
    for share in sorted({name.split(", ")[1] for name in measured["runs"]}, key=float, reverse=True):
        suffix = "" if share == "1" else f", {float(share):.0%} of the triples".replace("%", " %")
        for row, title in ROWS.items():
            runs = runs_of(measured, f"umls, {share}, {row}", ", ")
            if runs:
                lines.append(_link_line(title + suffix, runs))
        if share == "1" and peers is not None:
            for model, own in peers["rows"]["umls"].items():
                lines.append(_link_line(f"{model}, by PyKEEN", [{**run, "valid_mrr": None} for run in own.values()]))
            lines += [_published_line(*row) for row in PUBLISHED.items()]
    chosen = measured["thresholds"]
    told = f"{chosen['inclusions']} inclusions, {chosen['symmetric']} symmetric roles and {chosen['chains']} chains"
    shares = ", ".join(f"{name} {_share(chosen, name)}" for name in chosen["chosen"])
    told = f"{told}; least shares: {shares}"
    return "\n".join([*lines, "", f"{told}; {measured['settings']['epochs']} epochs."])


def _share(chosen: Mapping[str, Any], name: str) -> str:
    value = chosen["chosen"][name]
    return "never" if value > 1 else f"{100 * value:.0f} %"


def _link_line(title: str, runs: Runs) -> str:
    cells = [spread(runs, metric) for metric in (*LINKS, "valid_mrr")]
    return f"| {title} | {len(runs)} | {' | '.join(cells)} | {max(run['cpu_seconds'] for run in runs):.0f} |"


def _published_line(title: str, figures: Sequence[float]) -> str:
    cells = [*(f"{one:.3f}".rstrip("0") for one in figures), *["–"] * (len(LINKS) - len(figures))]
    return f"| {title} | – | {' | '.join(cells)} | – | – |"


def yeast_table() -> str:
    """Return how right roles of unseen proteins are, a line for each share of hidden labels, row and view."""
    measured = read("yeast")
    if measured is None:
        return missing("yeast")
    lines = [
        "| hidden | | seeds | F1 | average precision | mean over roles | MRR | rules broken, % of pairs | CPU s |",
        "| --- | --- |" + " ---: |" * 7,
    ]
    for hidden, told in HIDDEN.items():
        for (row, view), title in YEAST_ROWS.items():
            runs = runs_of(measured, f"{hidden}; {row}", "; ")
            if runs:
                own = [run[view] for run in runs]
                cells = [spread(own, one) for one in ("f1", "average_precision", "macro_average_precision", "mrr")]
                cells.append(spread([{"broken": 100 * one["broken"]} for one in own], "broken", 1))
                seconds = max(run["cpu_seconds"] for run in runs)
                lines.append(f"| {told} | {title} | {len(runs)} | {' | '.join(cells)} | {seconds:.0f} |")
    counts = measured["counts"]
    told = f"{counts['train']:,} pairs to learn from, {counts['test']:,} to judge by, {measured['proteins']:,} proteins"
    return "\n".join([*lines, "", f"{told}, at most {measured['most_epochs']} epochs."])


def latent_role_table(measured: Mapping[str, Any]) -> str:
    """Return the readings of each theory, and how right digits and role are, a line for each method."""
    lines = [
        (
            "| theory | readings | objective | network alone: Acc_F | role: F1 | MRR "
            "| with the theory: Acc_F | role: F1 | s |"
        ),
        "| --- | ---: | --- |" + " ---: |" * 6,
    ]
    for theory, row in measured["theories"].items():
        runs: dict[str, list[Mapping[str, Any]]] = {}
        for run in row["runs"]:
            runs.setdefault(run["objective"] + ("" if run["is_role_read"] else ", role unread"), []).append(run)
        for name, several in runs.items():
            cells = [theory, f"{int(row['readings']['maps']):,}", name]
            cells += [_seeds(several, "network", key) for key in ("acc_f", "f1", "mrr")]
            cells += [_seeds(several, "without_evidence", key) for key in ("acc_f", "f1")]
            lines.append(f"| {' | '.join(cells)} | {max(run['seconds'] for run in several):.0f} |")
    settings = measured["settings"]
    data = f"{settings['count']:,} pairs of {settings['data']}"
    told = f"{data}, {settings['epochs']} epochs, batches of {settings['batch_size']}"
    return "\n".join([*lines, "", f"{told}; in per cent, a figure for each seed; {machine_and_load(measured)}."])


def _seeds(runs: list[Mapping[str, Any]], view: str, metric: str) -> str:
    values = [run[view].get(metric) for run in runs]
    return ", ".join("–" if value is None else f"{100 * value:.1f}" for value in values)


GRAPH_TABLES: dict[str, Callable[[], str]] = {"knowledge_graph": knowledge_graph_table, "yeast": yeast_table}
