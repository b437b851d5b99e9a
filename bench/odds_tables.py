"""Tables of odds of siblings that are learnt after the network, by the priors that hold them back (decision 54)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

PRIORS = Path(__file__).parent / "results" / "odds_priors.json"
USED = "groups .3, biases .3"
"""The priors that `moose-siblings` has where all labels are known."""
USED_WITH_GAPS = "groups 0.3, biases 1"
"""Those that it has where some are missing."""


def odds_validated(name: str) -> float | None:
    """Return AU(PRC) of the validation rows of a set with all labels by the priors that are used, if measured."""
    found = json.loads(PRIORS.read_text("utf-8"))["sets"].get(name)
    return None if found is None else float(found[USED]["au_prc"])


def priors_table() -> str:
    """Return what odds learnt after the network come to on validation rows by each pair of priors, means over sets."""
    measured = json.loads(PRIORS.read_text("utf-8"))
    sets: Mapping[str, Any] = measured["sets"]
    lines = _lines("standard deviations of priors")
    for priors in next(iter(sets.values())):
        lines.append(_line({"moose": "`moose`, without odds", USED: f"**{USED}**"}.get(priors, priors), sets, priors))
    return "\n".join([*lines, "", f"{len(sets)} sets ({', '.join(sets)}); in per cent but for the likelihood."])


def gaps_table() -> str:
    """Return what odds come to that are learnt to the end after the network, with labels hidden, on rows held back."""
    measured: Mapping[str, Any] = json.loads(PRIORS.read_text("utf-8"))["hidden"]
    lines = _lines("odds")
    for way in next(iter(measured.values())):
        told = f"then to the end, {way}" if way.startswith("groups") else way
        lines.append(_line(f"**{told}**" if way == USED_WITH_GAPS else told, measured, way))
    return "\n".join([*lines, "", f"Means of {len(measured)} runs (set and seed: {', '.join(measured)}), in per cent."])


def shifted_table() -> str:
    """Return what the same shift of biases does for networks without odds, on the same rows held back."""
    measured: Mapping[str, Any] = json.loads(PRIORS.read_text("utf-8"))["without_odds"]
    lines = _lines("method")
    for method, runs in measured.items():
        lines += [_line(f"{method}, {way}", runs, way) for way in next(iter(runs.values()))]
    return "\n".join(lines)


def _lines(what: str) -> list[str]:
    return [
        f"| {what} | log likelihood | AU(PRC) | exact match | most probable world |",
        "| --- |" + " ---: |" * 4,
    ]


def _line(told: str, runs: Mapping[str, Any], way: str) -> str:
    """Return a line of means over runs; there is no world where a method has none."""
    likelihood, *shares = (
        fmean(run[way][one] for run in runs.values()) if all(one in run[way] for run in runs.values()) else None
        for one in ("log_likelihood", "au_prc", "exact_match", "world_match")
    )
    said = " | ".join("–" if one is None else f"{100 * one:.2f}" for one in shares)
    return f"| {told} | {likelihood:.2f} | {said} |"
