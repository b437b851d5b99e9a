"""Tables of the systems of related work: what each makes of OWL, proofs beside exact answers, a surrogate's error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bench.measure import machine_line

Measured = Mapping[str, Any]
WORDS = {"-": "–"}
LOGICS = {"godel": "Gödel", "product": "product", "lukasiewicz": "Łukasiewicz"}


def systems_table(measured: Measured) -> str:
    """Return what each method makes of each construct, a line each."""
    constructs = list(measured["rows"][0]["constructs"])
    lines = [
        f"| method | {' | '.join(constructs)} | unlabelled | doubt |",
        "| --- |" + " --- |" * (len(constructs) + 2),
    ]
    for row in measured["rows"]:
        cells = [WORDS.get(row["constructs"][name], row["constructs"][name]) for name in constructs]
        cells += [_unlabelled(row, measured["settings"]), _doubt(row, measured["settings"])]
        lines.append(f"| `{row['method']}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _unlabelled(row: Measured, settings: Measured) -> str:
    if row["unlabelled"] is None:
        return "refused"
    return "yes" if row["unlabelled"] >= settings["learnt"] else f"no ({100 * row['unlabelled']:.0f} %)"


def _doubt(row: Measured, settings: Measured) -> str:
    """Say whether two open readings stay open, and how likely the likelier one is."""
    if row["belief"] is None:
        return "refused"
    if row["mass"] < settings["mass"]:
        return "neither"
    return f"{'yes' if row['belief'] <= settings['doubtful'] else 'no'} ({100 * row['belief']:.0f} %)"


def top_proofs_table(measured: Measured) -> str:
    """Return how far k proofs are from the exact probability."""
    count = len(measured["rows"])
    lines = [
        (
            "| k | exact less bound: mean | largest | reached | as if independent: mean error | too high "
            "| largest excess | median CPU s |"
        ),
        "| ---: |" + " ---: |" * 7,
    ]
    for one in measured["summary"]:
        cells = [
            f"{one['k']}",
            f"{one['mean_gap']:.5f}",
            f"{one['largest_gap']:.4f}",
            f"{one['reached']} of {count}",
            f"{one['mean_drift']:.5f}",
            f"{one['exceeding']} of {count}",
            f"{one['largest_excess']:.4f}",
            f"{one['median_seconds']:.3f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join([*lines, "", f"{count} queries on not-galen; {machine_line(measured)}."])


def surrogate_table(measured: Measured) -> str:
    """Return how far a surrogate is from circuits of growing size."""
    lines = [
        (
            "| chain of digits | circuit's elements | posterior: mean error | largest | of a constant "
            "| log P(e): mean error | bias | teaching, CPU s | surrogate, ms a row | circuit, ms a row |"
        ),
        "| ---: |" + " ---: |" * 9,
    ]
    for row in measured["rows"]:
        cells = [
            f"{row['digits']}",
            f"{row['elements']}",
            f"{row['posterior_error']:.4f}",
            f"{row['largest_error']:.2f}",
            f"{row['constant_error']:.3f}",
            f"{row['log_error']:.2f}",
            f"{row['log_bias']:+.2f}",
            f"{row['teaching_seconds']:.0f}",
            f"{row['surrogate_milliseconds']:.3f}",
            f"{row['circuit_milliseconds']:.4f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    settings = measured["settings"]
    told = f"{settings['steps']:,} steps of {settings['draws']} worlds, then {settings['asked']} rows that are new"
    return "\n".join([*lines, "", f"{told}; {machine_line(measured)}."])


def refinement_table(measured: Measured) -> str:
    """Return what refinement comes to, a line for each theory and logic."""
    lines = [
        (
            "| regime | logic | all clauses hold | most probable world | from posteriors: refined | beliefs "
            "| refinement, ms a row | circuit, ms a row |"
        ),
        "| --- | --- |" + " ---: |" * 6,
    ]
    for row in measured["rows"]:
        cells = [
            row["regime"],
            LOGICS[row["logic"]],
            f"{100 * row['holding']:.0f} %",
            f"{100 * row['most_probable']:.0f} %",
            f"{row['distance']:.3f}",
            f"{row['own_distance']:.3f}",
            f"{row['refinement_milliseconds']:.2f}",
            f"{row['circuit_milliseconds']:.4f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    settings = measured["settings"]
    shares = ", ".join(f"{LOGICS[logic]} {share:g}" for logic, share in settings["shares"].items())
    told = f"{settings['asked']} rows, {settings['steps']} steps, α: {shares}"
    return "\n".join([*lines, "", f"{told}; {machine_line(measured)}."])


SYSTEM_TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "systems": ("systems", systems_table),
    "top_proofs": ("top_proofs", top_proofs_table),
    "surrogate": ("surrogate", surrogate_table),
    "refinement": ("refinement", refinement_table),
}
