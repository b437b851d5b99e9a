"""Tables of the systems of related work: what each makes of OWL, proofs beside exact answers, a surrogate's error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench.measure import machine_line

Measured = Mapping[str, Any]
WORDS = {"-": "–"}
LOGICS = {"godel": "Gödel", "product": "product", "lukasiewicz": "Łukasiewicz"}


def systems_table(measured: Measured) -> str:
    """Return what each method makes of each construct, a line each."""
    constructs = list(measured["rows"][0]["constructs"])
    lines = [
        f"| method | {' | '.join(constructs)} | controls | unlabelled | doubt | shortcuts |",
        "| --- |" + " --- |" * (len(constructs) + 4),
    ]
    for row in measured["rows"]:
        found = [*(row["constructs"][name] for name in constructs), row["controls"]]
        cells = [WORDS.get(one, one) for one in found]
        cells += [_unlabelled(row, measured["settings"]), _doubt(row["doubt"], measured["settings"])]
        cells.append(_shortcuts(row["doubt"], measured["settings"]))
        lines.append(f"| `{row['method']}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def _unlabelled(row: Measured, settings: Measured) -> str:
    if row["unlabelled"] is None:
        return "refused"
    return "yes" if row["unlabelled"] >= settings["learnt"] else f"no ({100 * row['unlabelled']:.0f} %)"


def _doubt(doubt: Measured, settings: Measured) -> str:
    """Say whether two open readings stay open, and how likely the likelier one is."""
    if doubt["belief"] is None:
        return "refused"
    if doubt["mass"] < settings["mass"]:
        return "neither"
    return f"{'yes' if doubt['belief'] <= settings['doubtful'] else 'no'} ({100 * doubt['belief']:.0f} %)"


def _shortcuts(doubt: Measured, settings: Measured) -> str:
    """Say how many trainings end in a map that was counted beforehand, and whether losses of maps are compared."""
    if doubt["counted"] is None:
        return "refused"
    return f"{doubt['counted']} of {settings['seeds']}{', losses' if doubt['compares'] else ''}"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: what stands above it, and how a row is written in it."""

    title: str
    key: str
    form: str = ""
    """As `format` takes it; a fraction is written in per cent by "%"."""

    def write(self, row: Measured) -> str:
        """Write what a row has."""
        value = row[self.key]
        return f"{100 * value:.0f} %" if self.form == "%" else f"{value:{self.form}}"


def table_of(columns: Sequence[Column], rows: Sequence[Measured], below: str, *, words: int = 0) -> str:
    """Write a table, the first columns of which are words, and a line below it."""
    lines = [
        f"| {' | '.join(column.title for column in columns)} |",
        "|" + " --- |" * words + " ---: |" * (len(columns) - words),
    ]
    lines += [f"| {' | '.join(column.write(row) for column in columns)} |" for row in rows]
    return "\n".join([*lines, "", below])


def top_proofs_table(measured: Measured) -> str:
    """Return how far k proofs are from the exact probability."""
    count = len(measured["rows"])
    rows = [
        {**one, "reached": f"{one['reached']} of {count}", "exceeding": f"{one['exceeding']} of {count}"}
        for one in measured["summary"]
    ]
    columns = (
        Column("k", "k"),
        Column("exact less bound: mean", "mean_gap", ".5f"),
        Column("largest", "largest_gap", ".4f"),
        Column("reached", "reached"),
        Column("as if independent: mean error", "mean_drift", ".5f"),
        Column("too high", "exceeding"),
        Column("largest excess", "largest_excess", ".4f"),
        Column("median CPU s", "median_seconds", ".3f"),
    )
    return table_of(columns, rows, f"{count} queries on not-galen; {machine_line(measured)}.")


def surrogate_table(measured: Measured) -> str:
    """Return how far a surrogate is from circuits of growing size."""
    columns = (
        Column("chain of digits", "digits"),
        Column("circuit's elements", "elements"),
        Column("worlds never drawn", "missed", "%"),
        Column("posterior: mean error", "posterior_error", ".4f"),
        Column("largest", "largest_error", ".2f"),
        Column("of a constant", "constant_error", ".3f"),
        Column("log P(e): mean error", "log_error", ".2f"),
        Column("bias", "log_bias", "+.2f"),
        Column("teaching, CPU s", "teaching_seconds", ".0f"),
        Column("surrogate, ms a row", "surrogate_milliseconds", ".3f"),
        Column("circuit, ms a row", "circuit_milliseconds", ".4f"),
    )
    settings = measured["settings"]
    told = f"{settings['steps']:,} steps of {settings['draws']} worlds, then {settings['asked']} rows that are new"
    return table_of(columns, measured["rows"], f"{told}; {machine_line(measured)}.")


def refinement_table(measured: Measured) -> str:
    """Return what refinement comes to, a line for each theory and logic."""
    columns = (
        Column("regime", "regime"),
        Column("logic", "logic"),
        Column("all clauses hold", "holding", "%"),
        Column("most probable world", "most_probable", "%"),
        Column("from posteriors: refined", "distance", ".3f"),
        Column("beliefs", "own_distance", ".3f"),
        Column("refinement, ms a row", "refinement_milliseconds", ".2f"),
        Column("circuit, ms a row", "circuit_milliseconds", ".4f"),
    )
    rows = [{**row, "logic": LOGICS[row["logic"]]} for row in measured["rows"]]
    settings = measured["settings"]
    shares = ", ".join(f"{LOGICS[logic]} {share:g}" for logic, share in settings["shares"].items())
    told = f"{settings['asked']} rows, {settings['steps']} steps, α: {shares}"
    return table_of(columns, rows, f"{told}; {machine_line(measured)}.", words=2)


SYSTEM_TABLES: dict[str, tuple[str, Callable[[Measured], str]]] = {
    "systems": ("systems", systems_table),
    "top_proofs": ("top_proofs", top_proofs_table),
    "surrogate": ("surrogate", surrogate_table),
    "refinement": ("refinement", refinement_table),
}
