"""Tables of odds of siblings that are learnt after the network, by the priors that hold them back (decision 54)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

PRIORS = Path(__file__).parent / "results" / "odds_priors.json"
USED = "groups .3, biases .3"
"""The priors that `moose-siblings` has."""


def odds_validated(name: str) -> float | None:
    """Return AU(PRC) of the validation rows of a set with all labels by the priors that are used, if measured."""
    found = json.loads(PRIORS.read_text("utf-8"))["sets"].get(name)
    return None if found is None else float(found[USED]["au_prc"])


def priors_table() -> str:
    """Return what odds learnt after the network come to on validation rows by each pair of priors, means over sets."""
    measured = json.loads(PRIORS.read_text("utf-8"))
    sets: Mapping[str, Any] = measured["sets"]
    lines = [
        "| standard deviations of priors | log likelihood | AU(PRC) | exact match | most probable world |",
        "| --- |" + " ---: |" * 4,
    ]
    for priors in next(iter(sets.values())):
        rows = [of_set[priors] for of_set in sets.values()]
        likelihood, *shares = (
            fmean(row[one] for row in rows) for one in ("log_likelihood", "au_prc", "exact_match", "world_match")
        )
        told = {"moose": "`moose`, without odds", USED: f"**{USED}**"}.get(priors, priors)
        lines.append(f"| {told} | {likelihood:.2f} | {' | '.join(f'{100 * one:.2f}' for one in shares)} |")
    return "\n".join([*lines, "", f"{len(sets)} sets ({', '.join(sets)}); in per cent but for the likelihood."])


def gaps_table() -> str:
    """Return what odds come to that are learnt to the end after the network, with labels hidden, on rows held back."""
    measured: Mapping[str, Any] = json.loads(PRIORS.read_text("utf-8"))["hidden"]
    lines = [
        "| odds | log likelihood | AU(PRC) | exact match | most probable world |",
        "| --- |" + " ---: |" * 4,
    ]
    for priors in next(iter(measured.values())):
        likelihood, *shares = (
            fmean(run[priors][one] for run in measured.values())
            for one in ("log_likelihood", "au_prc", "exact_match", "world_match")
        )
        told = "**with the network alone**" if priors == "together" else f"then to the end, {priors}"
        lines.append(f"| {told} | {likelihood:.2f} | {' | '.join(f'{100 * one:.2f}' for one in shares)} |")
    return "\n".join([*lines, "", f"Means of {len(measured)} runs (set and seed: {', '.join(measured)}), in per cent."])
