"""The tables of docs/ranking.md, from bench/results/diagnosis.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.diagnosis_summary import SIMILARITIES

NAMES = {
    "exact": "exact, learnt",
    "naive": "naive Bayes, learnt",
    "naive plain": "naive Bayes, plain",
    "phrank": "Phrank",
    "resnik": "Resnik, best-match average",
    "pyhpo": "PyHPO, GraphIC",
}
PAPERS = {"left": "left out", "all": "kept"}


def run_order(run: str) -> tuple[int, str, int, str]:
    """Return by what runs are ordered: the newest annotations first, then leaving papers out, then the method."""
    method, date, excluded, papers = run.split("|")
    return -int(date.replace("-", "")), {"left": "0", "all": "1"}[papers], list(NAMES).index(method), excluded


def diagnosis_table(measured: Mapping[str, Any]) -> str:
    """Return how often the right disease is first, by method, date and what is left out."""
    lines = [
        (
            "| method | annotations | own paper | excluded findings | cases | top 1 | top 3 | top 10 | MRR | Brier "
            "| ECE | by chance | CPU s |"
        ),
        "| --- | --- | --- | --- |" + " ---: |" * 9,
    ]
    for run in sorted(measured["runs"], key=run_order):
        row = measured["runs"][run]
        method, date, excluded, papers = run.split("|")
        used = "–" if method in SIMILARITIES else "used" if excluded == "with" else "not used"
        is_sure = method not in SIMILARITIES
        shares = [f"{100 * row[name]:.1f}" for name in ("top 1", "top 3", "top 10")]
        errors = [f"{row[name]:.3f}" if is_sure and name in row else "–" for name in ("brier", "ece", "ece by chance")]
        cells = [NAMES[method], date, PAPERS[papers], used, f"{row['cases']:,}", *shares]
        seconds = "–" if method == "pyhpo" else f"{row['cpu seconds']:.0f}"  # it is in another process
        cells += [f"{row['mean reciprocal rank']:.3f}", *errors, seconds]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def diagnosis_paired_table(measured: Mapping[str, Any]) -> str:
    """Return the exact method against each other one on the same cases."""
    lines = [
        "| exact, learnt, against | annotations | own paper | excluded findings | cases | points of top 1 | 95 % | p |",
        "| --- | --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for name in sorted(measured["paired"], key=lambda one: run_order(one.partition(" against ")[0])):
        row = measured["paired"][name]
        run, _, other = name.partition(" against ")
        _, date, excluded, papers = run.split("|")
        used = "used" if excluded == "with" else "not used"
        method = other.removesuffix(" without excluded")
        what = NAMES[method] + (", without them" if other != method else "")
        spread = f"{100 * row['low']:+.1f} to {100 * row['high']:+.1f}"
        cells = [what, date, PAPERS[papers], used, f"{row['cases']:,}", f"{100 * row['difference']:+.1f}", spread]
        chance = f"{row['p']:.2g}"
        lines.append(f"| {' | '.join([*cells, chance])} |")
    return "\n".join(lines)


def diagnosis_dialogue_table(measured: Mapping[str, Any]) -> str:
    """Return how many questions each way to choose them needs."""
    lines = [
        "| next question by | cases | right disease first | p against the first line | mean questions | answered |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for strategy, row in measured["dialogues"].items():
        chance = f"{row['p']:.2g}" if "p" in row else "–"
        numbers = f"{chance} | {row['mean questions']:.2f} | {row['mean answered']:.2f}"
        lines.append(f"| {strategy} | {row['cases']} | {row['right disease first']} | {numbers} |")
    return "\n".join(lines)


def diagnosis_learnt_table(measured: Mapping[str, Any]) -> str:
    """Return what was learnt, and on how many phenopackets."""
    learnt = measured["learnt"]["listing"]
    rows = [f"| {key.replace('_', ' ')} | {value:.4g} |" for key, value in learnt["settings"].items()]
    note = f"Learnt on {learnt['phenopackets']:,} phenopackets that share neither paper nor disease with the cases."
    return "\n".join(["| what is learnt | value |", "| --- | ---: |", *rows, "", note])


def diagnosis_calibration_table(measured: Mapping[str, Any]) -> str:
    """Return how sure the posterior is on phenopackets whose diseases and papers were held out, by forms."""
    lines = ["| how sure to be, fitted on other diseases and papers | ECE | cross-entropy | Brier |"]
    lines.append("| --- | ---: | ---: | ---: |")
    for name, row in measured["forms, held out"].items():
        lines.append(f"| {name} | {row['ece']:.3f} | {row['cross-entropy']:.3f} | {row['brier']:.3f} |")
    where = f"{measured['phenopackets']:,} phenopackets in {measured['clusters']} groups that share diseases or papers"
    right = f"the first disease is right in {100 * measured['right']:.1f} %"
    empty = f"nothing is left of the right one in {100 * measured['nothing left of the right disease']:.1f} %"
    chance = f"by chance alone the ECE would be {measured['ece of a calibrated method']:.3f}"
    return "\n".join([*lines, "", f"{where}; {right}, {empty}; {chance}."])


DIAGNOSIS_TABLES = {
    "diagnosis": ("diagnosis", diagnosis_table),
    "diagnosis_paired": ("diagnosis", diagnosis_paired_table),
    "diagnosis_dialogues": ("diagnosis", diagnosis_dialogue_table),
    "diagnosis_learnt": ("diagnosis", diagnosis_learnt_table),
    "diagnosis_calibration": ("diagnosis_calibration", diagnosis_calibration_table),
}
