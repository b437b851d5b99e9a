"""What was asked for of hierarchies of many labels, what was measured, and whether that is enough."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from bench.hierarchy_tables import (
    ALL_ROWS,
    AS_PUBLISHED,
    FEW,
    OURS,
    PUBLISHED,
    THEIRS,
    TOGETHER,
    complete_labels,
    labels_of,
    mean_of,
    measured_labels,
    results_of,
)
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.tables.label_plans import COMPARED, COMPLETE, MISSING, compare_over_sets, shown_of

NEAR, BELOW = 0.01, 0.005
"""How near to the published figure max-constraint is to be, and how far ours may be below it."""
LEARN_FROM_FEW = ("moose", "moose-siblings")
"""Ours that were measured with most labels hidden."""


def met_table() -> str:
    """Return what was asked for, what was measured, and whether that is enough; all of it computed."""
    lines = ["| asked for | measured | met |", "| --- | --- | --- |"]
    lines += [f"| {asked} | {measured} | {'yes' if is_met else 'no'} |" for asked, measured, is_met in _findings()]
    return "\n".join(lines)


Finding = tuple[str, str, bool]


def _findings() -> Iterator[Finding]:
    everything, few = results_of("hmc", ALL_ROWS), results_of("hmc", FEW)
    if everything is not None:
        yield from _complete_findings(everything)
    if few is not None:
        for regime in ("imclef07a-hidden90", "imclef07d-hidden90"):
            yield from _margin_findings(few, regime)
        yield from _significance_findings()


def _complete_findings(results: Results) -> Iterator[Finding]:
    names = [name for name in PUBLISHED if results.of(regime=name, method="moose")]
    of = f"of {len(names)} sets"
    far = []
    for name in names:
        missed = (mean_of(labels_of(results, name, THEIRS), "au_prc") or 0.0) - PUBLISHED[name]
        far += [f"{name} {100 * missed:+.2f}"] if abs(missed) > NEAR else []
    yield (
        f"all labels: {THEIRS} within 1.0 of the published AU(PRC)",
        f"{len(names) - len(far)} {of}{_except(far)}",
        not far,
    )
    yield from _published_findings()
    for who in ("moose-siblings", "moose", TOGETHER):
        for asked, missed_by in _complete_misses(names, who).items():
            yield f"all labels: {who} {asked}", f"{len(names) - len(missed_by)} {of}{_except(missed_by)}", not missed_by


def _published_findings() -> Iterator[Finding]:
    """Yield how near max-constraint comes by all of C-HMCNN's settings, on the sets that were run so."""
    missed = {
        name: fmean(one["au_prc"] for one in methods[THEIRS].values()) - PUBLISHED[name]
        for name, methods in json.loads(AS_PUBLISHED.read_text("utf-8"))["runs"].items()
        if methods.get(THEIRS)
    }
    far = [f"{name} {100 * one:+.2f}" for name, one in missed.items() if abs(one) > NEAR]
    yield (
        f"all labels: {THEIRS} by all of C-HMCNN's settings within 1.0 of the published AU(PRC)",
        f"{len(missed) - len(far)} of {len(missed)} sets that were run so ({', '.join(missed)}){_except(far)}",
        not far,
    )


def _complete_misses(names: Sequence[str], method: str) -> dict[str, list[str]]:
    """Return what is asked for of a method of ours on each set, and where it falls short."""
    ranking = f"at most 0.5 of AU(PRC) below {THEIRS}"
    matches = {
        "exact_match": f"above {THEIRS} in exact match, threshold ½",
        "world_match": f"above {THEIRS} in exact match, most probable world",
    }
    misses: dict[str, list[str]] = {asked: [] for asked in (ranking, *matches.values(), "always consistent")}
    for name in names:
        theirs, ours = complete_labels(name, THEIRS), complete_labels(name, method)
        ahead = (mean_of(ours, "au_prc") or 0.0) - (mean_of(theirs, "au_prc") or 0.0)
        misses[ranking] += [f"{name} {100 * ahead:+.2f}"] if -ahead > BELOW else []
        for key, asked in matches.items():
            ahead = (mean_of(ours, key) or 0.0) - (mean_of(theirs, "exact_match") or 0.0)
            misses[asked] += [f"{name} {100 * ahead:+.1f}"] if ahead <= 0 else []
        misses["always consistent"] += [name] if mean_of(ours, "consistency") != 1.0 else []
    return misses


def _except(names: Sequence[str]) -> str:
    return f"; not {', '.join(names)}" if names else ""


def _margin_findings(results: Results, regime: str) -> Iterator[Finding]:
    others = [row for row in results.trained if row not in OURS and results.of(regime=regime, method=row)]
    for who in (*LEARN_FROM_FEW, TOGETHER):
        ours = measured_labels(who, FEW, regime)
        seeds = f"{len(ours)} seed{'s' * (len(ours) != 1)}"
        for metric, key, least in (("AU(PRC)", "au_prc", 1.5), ("exact match", "exact_match", 5.0)):
            best = max(mean_of(labels_of(results, regime, row), key) or 0.0 for row in others)
            keys = (
                [(key, "")] if key == "au_prc" else [(key, ", threshold ½"), ("world_match", ", most probable world")]
            )
            for own, how in keys if ours else ():
                margin = 100 * ((mean_of(ours, own) or 0.0) - best)
                asked = f"{regime}, 2,000 rows: {who} at least {least:g} points of {metric} above the best other{how}"
                yield asked, f"{margin:+.1f} ({seeds})", margin >= least


def _significance_findings() -> Iterator[Finding]:
    everything = with_missing_labels()
    for who in LEARN_FROM_FEW:
        wanted = tuple(one for one in everything.records if one["method"] == who or one["method"] not in OURS)
        rows = tuple(row for row in everything.listing.rows if row == who or row not in OURS)
        results = Results(replace(everything.listing, reference=who, rows=rows), wanted)
        for metric in COMPARED:
            judged = compare_over_sets(results, metric, MISSING)
            told = [
                f"{other} {100 * one.comparison.difference:+.1f} (p {one.holm_p:.1g}, pairs: {one.comparison.pairs})"
                for other, one in judged.items()
            ]
            asked = f"hidden labels: {who} significantly above the others in {metric.title}, over sets and seeds"
            yield asked, ", ".join(told), bool(judged) and all(one.verdict == "win" for one in judged.values())


def with_missing_labels() -> Results:
    """Return all regimes that hide something: of 2,000 rows where these were measured, else of all rows.

    Coarse labels are left out: what is said of classes that nobody labels is no matter of counting.
    """
    found = [one for scale in (FEW, ALL_ROWS) if (one := results_of("hmc", scale)) is not None]
    chosen = dict[str, Results]()
    for results in found:
        for regime in results.regimes:
            if shown_of(regime) != COMPLETE and "-coarse" not in regime:
                chosen.setdefault(regime, results)
    records = tuple(record for regime, results in chosen.items() for record in results.of(regime=regime))
    return Results(replace(found[0].listing, regimes=tuple(chosen)), records)
