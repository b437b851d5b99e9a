"""Tables of hierarchies of many labels: all labels, hidden ones, whole vocabularies, genes, terms without labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.measure import machine_line
from bench.objective_tables import spread
from bench.odds_tables import gaps_table, odds_validated, priors_table, shifted_table
from moose.benchmark.report.assemble import read_results
from moose.benchmark.report.model.model import Table
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.render.markdown import write_markdown
from moose.benchmark.report.tables.label_plans import COMPLETE, METRICS, MISSING, comparison_table, shown_of
from moose.benchmark.store.records import Record
from moose.benchmark.store.store import Store
from moose.benchmark.store.versions import version_text

ROOT = Path(__file__).parent.parent
STORE = Store(ROOT / "bench" / "results" / "hierarchies")
ZERO_SHOT = ROOT / "bench" / "results" / "zero_shot.json"
EPOCHS = ROOT / "bench" / "results" / "epochs.json"
AS_PUBLISHED = ROOT / "bench" / "results" / "published.json"
WHOLE = ROOT / "bench" / "results" / "whole_vocabulary.json"
SHOWN = ("au_prc", "exact_match", "world_match", "f_max", "ece", "consistency")
HEADINGS = ("AU(PRC)", "exact match", "world match", "Fmax", "ECE", "consistent")
PUBLISHED = {
    "cellcycle_fun": 0.255,
    "derisi_fun": 0.195,
    "eisen_fun": 0.306,
    "gasch1_fun": 0.286,
    "gasch2_fun": 0.258,
    "seq_fun": 0.292,
    "spo_fun": 0.215,
    "diatoms": 0.758,
    "enron": 0.756,
    "imclef07a": 0.956,
    "imclef07d": 0.927,
}
"""AU(PRC) of C-HMCNN (Giunchiglia and Lukasiewicz 2020, table 2), the mean of ten runs."""
PUBLISHED_WHOLE = {"cellcycle_go": 0.413}
ALL_ROWS, FEW = "two-cores", "few"
THEIRS = "max-constraint"
OURS = ("moose", "moose-labels", "moose-siblings")
"""The joint likelihood of all labels, that of each by itself too, and the joint one with learnt odds of siblings."""
TOGETHER = "moose-siblings-together"
"""The last, with odds learnt with the network, and neither after it nor to the end."""


@cache
def results_of(plan: str, scale: str) -> Results | None:
    """Return what was measured of a plan at a scale; None if there is nothing."""
    scales = {listing.scale for listing in STORE.listings() if listing.plan == plan}
    if scale not in scales:
        return None
    return next(one for one in read_results(STORE, scale) if one.listing.plan == plan)


def labels_of(results: Results, regime: str, method: str) -> list[Record]:
    """Return the metrics of labels of each seed."""
    return [run["metrics_labels"] for run in results.of(regime=regime, method=method)]


def mean_of(labels: Sequence[Record], metric: str) -> float | None:
    """Return the mean of a metric over seeds."""
    values = [one[metric] for one in labels if one.get(metric) is not None]
    return fmean(values) if values else None


# --------------------------------------------------------------------------------------------------------- all labels


def complete_table() -> str:
    """Return all methods on every set with all labels, beside what is published."""
    headings = ("AU(PRC)", "less max-constraint", "exact match", "most probable world", "consistent")
    lines = [
        f"| set | published | method | seeds | AU(PRC) of validation rows | {' | '.join(headings)} |",
        "| --- | ---: | --- |" + " ---: |" * (2 + len(headings)),
    ]
    for name, published in PUBLISHED.items():
        best = mean_of(complete_labels(name, THEIRS), "au_prc")
        for method in (THEIRS, *OURS, TOGETHER):
            labels = complete_labels(name, method)
            reached = mean_of(labels, "au_prc")
            if reached is None or best is None:
                continue
            cells = [
                *(name, f"{100 * published:.1f}", method, str(len(labels))),
                *(_per_cent(validated(name, method)), spread(labels, "au_prc")),
                *("" if method == THEIRS else f"{100 * (reached - best):+.2f}", spread(labels, "exact_match")),
                "–" if method == THEIRS else spread(labels, "world_match"),
                spread(labels, "consistency"),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def graph_table() -> str:
    """Return all methods on the sets of the Gene Ontology with all labels of the classes that are frequent enough."""
    results = results_of("hmc", ALL_ROWS)
    assert results is not None
    metrics = ("au_prc", "exact_match", "world_match", "f_max", "consistency")
    lines = [
        "| set | method | seeds | AU(PRC) | exact match | most probable world | Fmax | consistent |",
        "| --- | --- |" + " ---: |" * (1 + len(metrics)),
    ]
    for name in sorted(one for one in results.regimes if one.endswith("_go")):
        for method in (THEIRS, *OURS):
            if labels := labels_of(results, name, method):
                known = [spread(labels, one) if mean_of(labels, one) is not None else "–" for one in metrics]
                lines.append(f"| {' | '.join([name, method, str(len(labels)), *known])} |")
    return "\n".join(lines)


def complete_labels(name: str, method: str) -> list[Record]:
    """Return the metrics of labels of each seed on a set with all labels."""
    return measured_labels(method, ALL_ROWS, name)


def measured_labels(method: str, scale: str, regime: str) -> list[Record]:
    """Return the metrics of labels of each seed, of whichever plan has the method."""
    results = results_of("odds" if method == TOGETHER else "hmc", scale)
    return [] if results is None else labels_of(results, regime, method)


def validated(name: str, method: str) -> float | None:
    """Return AU(PRC) of the validation rows of a set with all labels, where it was measured."""
    if method == "moose-siblings":
        return odds_validated(name)
    record = json.loads(EPOCHS.read_text("utf-8"))
    is_known = method in record["found"].get(name, {})
    return float(chosen(record, name, method)["au_prc"]) if is_known else None


def _per_cent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def chosen(record: Mapping[str, Any], name: str, method: str) -> dict[str, float]:
    """Return the search that was best on the validation rows of a set: without weight decay, or with one.

    >>> found, decayed = {"epochs": 9, "au_prc": 0.5}, {"epochs": 7, "au_prc": 0.6, "weight_decay": 0.001}
    >>> record = {"found": {"enron": {"moose": found}}, "decayed": {"enron": {"moose, weight decay 0.001": decayed}}}
    >>> chosen(record, "enron", "moose")["epochs"]
    7
    """
    decayed = record["decayed"].get(name, {})
    searched = [record["found"][name][method], *(decayed[key] for key in decayed if key.split(", ")[0] == method)]
    return max(searched, key=lambda one: float(one["au_prc"]))


def tried_table() -> str:
    """Return what else than the settings was searched on validation rows: networks, rates, batches, weight decay."""
    record = json.loads(EPOCHS.read_text("utf-8"))
    lines = [
        "| set | method | network and training | epochs | AU(PRC) of validation rows |",
        "| --- | --- | --- | ---: | ---: |",
    ]
    for name in dict.fromkeys([*record["tried"], *record["decayed"]]):
        others = {**record["tried"].get(name, {}), **record["decayed"].get(name, {})}
        methods = dict.fromkeys(key.split(", ")[0] for key in others)
        for method in methods:
            searched = {"as the others": record["found"][name][method]}
            searched |= {key.partition(", ")[2]: others[key] for key in sorted(others) if key.split(", ")[0] == method}
            best = max(one["au_prc"] for one in searched.values())
            for how, one in searched.items():
                reached = f"{100 * one['au_prc']:.1f}"
                reached = f"**{reached}**" if one["au_prc"] == best else reached
                lines.append(f"| {name} | {method} | {how} | {one['epochs']} | {reached} |")
    return "\n".join(lines)


def published_table() -> str:
    """Return what methods reach with all of C-HMCNN's settings, beside ours and beside what is published."""
    record: Record = json.loads(AS_PUBLISHED.read_text("utf-8"))
    results = results_of("hmc", ALL_ROWS)
    assert results is not None
    lines = [
        "| set | method | published | with its settings | its decay, with the sum | with ours | CPU s a run |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, methods in record["runs"].items():
        for method, seeds in methods.items():
            by_sum = record["decay_of_sum"].get(name, {}).get(method, {})
            cells = [
                *(name, method, f"{100 * PUBLISHED[name]:.1f}" if method == THEIRS else "–"),
                spread(list(seeds.values()), "au_prc"),
                spread(list(by_sum.values()), "au_prc") if by_sum else "–",
                *(spread(labels_of(results, name, method), "au_prc"), f"{_mean_cost(seeds):.0f}"),
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _mean_cost(seeds: Mapping[str, Any]) -> float:
    return fmean(float(one["cpu_seconds"]) for one in seeds.values())


# -------------------------------------------------------------------------------------------------------------- hidden


def hidden_table() -> str:
    """Return the metrics of each method on each set of which something is hidden, in per cent, a line each."""
    lines = [
        "| set and what is hidden | rows | method | seeds | " + " | ".join(HEADINGS) + " |",
        "| --- | --- | --- |" + " ---: |" * (1 + len(HEADINGS)),
    ]
    for scale, rows in ((FEW, "2,000"), (ALL_ROWS, "all")):
        results = results_of("hmc", scale)
        for regime in [] if results is None else sorted(results.regimes):
            if shown_of(regime) == COMPLETE:
                continue
            assert results is not None
            for method in (*results.trained, TOGETHER):
                labels = measured_labels(method, scale, regime)
                if labels:
                    known = [spread(labels, one) if mean_of(labels, one) is not None else "–" for one in SHOWN]
                    lines.append(f"| {' | '.join([regime, rows, method, str(len(labels)), *known])} |")
    return "\n".join(lines)


def compared_table() -> str:
    """Return two of our methods against each other one, over sets and seeds, where enough was measured to compare."""
    parts = []
    for scale, title in ((FEW, "2,000 rows"), (ALL_ROWS, "all rows")):
        results = results_of("hmc", scale)
        for reference in () if results is None else ("moose", "moose-siblings"):
            assert results is not None
            own = Results(replace(results.listing, reference=reference), results.records)
            table = comparison_table(own, "compared")
            chosen = tuple(line for line in table.lines if line.block.endswith(SHOWN_BLOCKS))
            parts += [f"**{title}, {reference}**", "", _lines_of(replace(table, lines=chosen)), ""]
    return "\n".join(parts).rstrip()


SHOWN_BLOCKS = (COMPLETE, ", hidden90", ", hidden97", MISSING)
"""What is shown of the comparisons that a report has."""


def _lines_of(table: Table) -> str:
    """Return the lines of a table in Markdown, without title and note."""
    return "\n".join(line for line in write_markdown(table).splitlines() if line.startswith("|"))


# --------------------------------------------------------------------------------------------------------------- costs


def cost_table() -> str:
    """Return CPU seconds and epochs of a run of each method, means over seeds."""
    lines = ["| regime | rows | method | epochs | CPU s | s an epoch |", "| --- | --- | --- |" + " ---: |" * 3]
    for plan, scale, rows in (("hmc", ALL_ROWS, "all"), ("hmc", FEW, "2,000"), ("genes", "short", "all")):
        results = results_of(plan, scale)
        for regime in [] if results is None else sorted(results.regimes):
            assert results is not None
            for method in results.trained:
                runs = results.of(regime=regime, method=method)
                if runs:
                    epochs = fmean(len(run["history"]) for run in runs)
                    seconds = fmean(run["cpu_seconds"] for run in runs)
                    cells = (regime, rows, method, f"{epochs:.0f}", f"{seconds:.0f}", f"{seconds / epochs:.2f}")
                    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def whole_table() -> str:
    """Return both ways to learn a whole vocabulary of the Gene Ontology."""
    if not WHOLE.exists():
        return "Not measured yet: `python -m bench.whole_vocabulary DIR` measures."
    measured = json.loads(WHOLE.read_text("utf-8"))
    lines = [
        (
            "| set | classes | method | learnt | epochs | CPU s | peak memory, MB | AU(PRC), % | Fmax, % "
            "| consistent, % | published AU(PRC), % |"
        ),
        "| --- | ---: | --- |" + " ---: |" * 8,
    ]
    for name, rows in measured["sets"].items():
        for method, row in rows.items():
            cells = [
                *(name, f"{row['classes']:,}", method, f"{row['learnt']:,}", str(row["epochs"])),
                *(f"{row['cpu_seconds']:.0f}", f"{row['peak_mb']:,}"),
                *(f"{100 * row[key]:.1f}" for key in ("au_prc", "f_max", "consistency")),
                f"{100 * PUBLISHED_WHOLE[name]:.1f}",
            ]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{machine_line(measured)}."])


# --------------------------------------------------------------------------------------------------------------- genes


def genes_table() -> str:
    """Return the metrics of human genes."""
    results = results_of("genes", "short")
    if results is None:
        return "Not measured yet: `moose bench run bench/plans/genes.toml --scale short` measures."
    wanted = ("au_prc", "f_max", "s_min", "macro_auc", "exact_match", "world_match", "ece", "consistency")
    titles = {one.key: one.title for one in METRICS} | {"world_match": "world match", "ece": "ECE"}
    lines = [
        "| regime | method | seeds | epochs | " + " | ".join(titles[one] for one in wanted) + " | CPU s |",
        "| --- | --- |" + " ---: |" * (3 + len(wanted)),
    ]
    for regime in results.regimes:
        for method in results.trained:
            runs = results.of(regime=regime, method=method)
            if runs:
                labels = [run["metrics_labels"] for run in runs]
                shown = [_figure(labels, one) for one in wanted]
                epochs, cost = (
                    fmean(values) for values in zip(*((len(one["history"]), one["cpu_seconds"]) for one in runs))
                )
                cells = [regime, method, str(len(runs)), f"{epochs:.0f}", *shown, f"{cost:.0f}"]
                lines.append(f"| {' | '.join(cells)} |")
    versions = version_text(results.records)
    return "\n".join([*lines, *(["", f"{versions}."] if versions else [])])


def _figure(labels: Sequence[Record], metric: str) -> str:
    value = mean_of(labels, metric)
    if value is None:
        return "–"
    return f"{value:.2f}" if metric == "s_min" else spread(labels, metric)


def zero_shot_table() -> str:
    """Return how well each row ranks genes by terms that nobody labels, and how sure it is of them."""
    measured = json.loads(ZERO_SHOT.read_text("utf-8"))
    scores, settings = measured["scores"], measured["settings"]
    lines = ["| row | macro AUC | ECE, % | Brier score |", "| --- |" + " ---: |" * 3]
    for name, row in scores["rows"].items():
        cells = (name, f"{row['macro_auc']:.3f}", f"{100 * row['ece']:.2f}", f"{row['brier']:.4f}")
        lines.append(f"| {' | '.join(cells)} |")
    told = ", ".join(f"{name} {_seconds(measured, name):.0f}" for name in _trained(measured))
    tested = f"{settings['tested']:,} of them to test on" if "tested" in settings else f"{scores['folds']} of 5 folds"
    end = (
        f"{scores['terms']} terms that some gene has, {settings['genes']:,} genes, {tested}, {settings['labelled']:,} "
        f"labelled concepts, at most {settings['most_epochs']} epochs; CPU s of a training: {told}; "
        f"{machine_line(measured)}."
    )
    return "\n".join([*lines, "", end])


def _trained(measured: Mapping[str, Any]) -> list[str]:
    return list(dict.fromkeys(run.rpartition("-")[0] for run in measured["cost"]))


def _seconds(measured: Mapping[str, Any], name: str) -> float:
    return fmean(cost["seconds"] for run, cost in measured["cost"].items() if run.rpartition("-")[0] == name)


HIERARCHY_TABLES: dict[str, Callable[[], str]] = {
    "networks_tried": tried_table,
    "as_published": published_table,
    "all_labels": complete_table,
    "odds_priors": priors_table,
    "odds_with_gaps": gaps_table,
    "biases_without_odds": shifted_table,
    "graph_labels": graph_table,
    "hidden_labels": hidden_table,
    "hidden_compared": compared_table,
    "hierarchies_cost": cost_table,
    "whole_vocabulary": whole_table,
    "genes": genes_table,
    "zero_shot": zero_shot_table,
}
