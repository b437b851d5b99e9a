"""From the lines of the campaign to its file: shares, calibration, and paired tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from bench.diagnosis_data import Report

BINS = 15
RESAMPLES = 2000
COMPARED = {"naive", "naive plain", "phrank", "resnik", "pyhpo"}
SIMILARITIES = ("phrank", "resnik", "pyhpo")


def summarise(work: Path, cases: Sequence[Report]) -> dict[str, object]:
    """Return all that is reported."""
    rows: dict[str, dict[str, Any]] = {}
    for row in lines(work / "cases.jsonl"):
        rows.setdefault(row["run"], {})[row["case"]] = row
    return {
        "cases": len(cases),
        "diseases of the cases": len({one.gold for one in cases}),
        "learnt": {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in learnt_files(work)},
        "runs": {
            run: scores(list(found.values()), {one.key: one.gold for one in cases}) for run, found in rows.items()
        },
        "paired": paired_all(rows),
        "dialogues": dialogue_rows(lines(work / "dialogues.jsonl")),
    }


def learnt_files(work: Path) -> list[Path]:
    """Return the files of what was learnt."""
    return sorted([*work.glob("listing.json"), *work.glob("sharpness-*.json")])


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines that are whole."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return found


def scores(rows: Sequence[dict[str, Any]], diseases: Mapping[str, str]) -> dict[str, float | int]:
    """Return the shares of cases whose disease is among the first, and how well probabilities are calibrated."""
    _, cluster = np.unique([diseases[row["case"]] for row in rows], return_inverse=True)
    ranks = np.array([row["rank"] if row["rank"] is not None else np.inf for row in rows])
    top = np.array([row["top"] for row in rows])
    return {
        "cases": len(rows),
        "disease not annotated": int(np.isinf(ranks).sum()),
        "top 1": rounded(np.mean(ranks == 1)),
        "top 3": rounded(np.mean(ranks <= 3)),
        "top 10": rounded(np.mean(ranks <= 10)),
        "mean reciprocal rank": rounded(np.mean(1 / ranks)),
        "brier": rounded(np.mean([row["brier"] for row in rows])),
        "ece": rounded(calibration_error(top, ranks == 1)),
        "ece by chance": rounded(chance_error(top, ranks == 1, cluster)),
        "none": rounded(np.mean([row.get("none", 0.0) for row in rows])),
        "cpu seconds": round(sum(row["seconds"] for row in rows), 1),
    }


def calibration_error(confidence: np.ndarray[Any, Any], is_right: np.ndarray[Any, Any]) -> float:
    """Return the expected calibration error of the first disease, in bins of equal width."""
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    error = 0.0
    for one in range(BINS):
        inside = bins == one
        if inside.any():
            error += inside.mean() * abs(confidence[inside].mean() - is_right[inside].mean())
    return float(error)


def correlation_within(confidence: np.ndarray[Any, Any], is_right: np.ndarray[Any, Any], cluster: Any) -> float:
    """Return the correlation of being right, beyond what was said, of two cases of one cluster."""
    spread = np.sqrt(np.maximum(confidence * (1 - confidence), 1e-9))
    rest, clusters = is_right - confidence, np.asarray(cluster)
    together = np.bincount(clusters, rest) ** 2 - np.bincount(clusters, rest**2)
    possible = np.bincount(clusters, spread) ** 2 - np.bincount(clusters, spread**2)
    return float(together.sum() / possible.sum()) if possible.sum() > 1e-9 else 0.0


def chance_error(confidence: np.ndarray[Any, Any], is_right: np.ndarray[Any, Any], cluster: Any) -> float:
    """Return the calibration error to expect of a calibrated method, as cases of one cluster are right together.

    The mean of what is right in a bin is normal around what was said; its mean distance is √(2/π) deviations.
    """
    spread = np.sqrt(np.maximum(confidence * (1 - confidence), 1e-9))
    clusters = np.asarray(cluster)
    correlation = max(0.0, correlation_within(confidence, is_right, clusters))
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    error = 0.0
    for one in range(BINS):
        inside = bins == one
        own, alone = spread[inside], float((spread[inside] ** 2).sum())
        together = float((np.bincount(clusters[inside], own) ** 2).sum()) - alone
        error += float(np.sqrt(2 / np.pi * (alone + correlation * together)))
    return error / len(confidence)


def paired_all(rows: dict[str, dict[str, Any]]) -> dict[str, dict[str, float | int]]:
    """Compare the exact method with every other on the same cases, and with and without excluded findings."""
    found = {}
    for run, own in rows.items():
        method, date, excluded, papers = run.split("|")
        if method != "exact":
            continue
        for other in sorted(COMPARED):
            key = "|".join((other, date, "without" if other in SIMILARITIES else excluded, papers))
            if key in rows:
                found[f"{run} against {other}"] = paired(own, rows[key])
        for other in ("exact", "naive", "naive plain") if excluded == "with" else ():
            key = f"{other}|{date}|without|{papers}"
            if key in rows:
                found[f"{run} against {other} without excluded"] = paired(own, rows[key])
    return found


def paired(own: dict[str, Any], other: dict[str, Any]) -> dict[str, float | int]:
    """Return the difference of top 1 on the cases of both, its interval by bootstrap, and McNemar's exact test."""
    shared = sorted(own.keys() & other.keys())
    first = np.array([own[key]["rank"] == 1 for key in shared])
    second = np.array([other[key]["rank"] == 1 for key in shared])
    gained, lost = int((first & ~second).sum()), int((~first & second).sum())
    differences = first.astype(float) - second
    chance = np.random.default_rng(0)
    means = [chance.choice(differences, len(differences)).mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [2.5, 97.5])
    return {
        "cases": len(shared),
        "difference": rounded(differences.mean()),
        "low": rounded(low),
        "high": rounded(high),
        "gained": gained,
        "lost": lost,
        "p": sign_test(gained, lost),
    }


def sign_test(gained: int, lost: int) -> float:
    """Return the two-sided p of McNemar's exact test.

    >>> sign_test(5, 5), round(sign_test(10, 0), 5)
    (1.0, 0.00195)
    """
    total, least = gained + lost, min(gained, lost)
    if total == 0:
        return 1.0
    tail = sum(comb(total, one) for one in range(least + 1))
    return float(f"{min(1.0, 2 * tail / 2**total if total < 1000 else 2.0 * (tail / 2**total)):.3g}")


def dialogue_rows(rows: Sequence[dict[str, Any]]) -> dict[str, dict[str, float | int]]:
    """Return how many questions each strategy needs; a dialogue without success counts with all its questions."""
    by_strategy: dict[str, dict[str, dict[str, Any]]] = {}
    for row in rows:
        by_strategy.setdefault(row["strategy"], {})[row["case"]] = row
    found: dict[str, dict[str, float | int]] = {}
    for strategy, own in by_strategy.items():
        found[strategy] = {
            "cases": len(own),
            "right disease first": sum(row["first"] for row in own.values()),
            "mean questions": rounded(np.mean([row["questions"] for row in own.values()])),
            "mean answered": rounded(np.mean([row["answered"] for row in own.values()])),
        }
        first = next(iter(by_strategy.values()))
        if own is not first:
            pairs = [(first[case]["first"], own[case]["first"]) for case in first.keys() & own.keys()]
            found[strategy]["p"] = sign_test(pairs.count((True, False)), pairs.count((False, True)))
    return found


def rounded(value: float | np.floating[Any]) -> float:
    """Round a share to four digits."""
    return round(float(value), 4)
