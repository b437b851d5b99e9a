"""The tables of docs/queries.md: queries beside ProbLog, limits of time, and learning probabilities."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bench.measure import machine_and_load

Measured = Mapping[str, Any]


def queries_table(measured: Measured) -> str:
    """Return how many queries each side answered, and the seconds of one; go has no second side."""
    lines = [
        "| ontology | by | answered | median s | 90 % within s | slowest s |",
        "| --- | --- |" + " ---: |" * 4,
    ]
    for name, part in measured.items():
        found = part["summary"]
        for key, shown in QUERY_SIDES.items():
            if key in found:
                times = " | ".join(f"{found[key][figure]:.3f}" for figure in ("median", "p90", "max"))
                solved = found[f"{key.partition('_')[0]}_solved"]
                lines.append(f"| {name} | {shown} | {solved} of {found['queries']} | {times} |")
    part = next(iter(measured.values()))
    end = f"ProbLog {part['versions']['problog']}; limit {part['settings']['limit']:g} s a query"
    rows = [row for one in measured.values() for row in one["rows"] if row.get("bounds")]
    bounds = [
        "`{}`, with {} uncertain axioms, is between {:.3f} and {:.3f}.".format(
            row["goal"], row["axioms"], *row["bounds"]
        )
        + shape_sentence(row.get("shape"))
        for row in rows
    ]
    return "\n".join([*lines, "", " ".join([f"{end}; {machine_and_load(part)}.", *bounds])])


def shape_sentence(shape: Measured | None) -> str:
    """Say what makes the diagrams of a query large, if it is known."""
    if not shape:
        return ""
    return (
        f" Its reduced program has {shape['cycle']} facts in one cycle over {shape['coins']} coins, in a graph of "
        f"width {shape['width']}: diagrams of it are out of reach in these seconds."
    )


def query_limits_table(measured: Measured) -> str:
    """Return how late answers come, by question and limit, and what a chain takes."""
    limits = sorted({row["limit"] for row in measured["rows"]})
    lines = [
        "| question | " + " | ".join(f"limit {one:g} s" for one in limits) + " |",
        "| --- |" + " ---: |" * len(limits),
    ]
    for question in dict.fromkeys(row["question"] for row in measured["rows"]):
        own = {row["limit"]: row for row in measured["rows"] if row["question"] == question}
        cells = [f"{own[one]['seconds']:.2f} s{', exact' if own[one]['is_exact'] else ''}" for one in limits]
        lines.append(f"| {question} | {' | '.join(cells)} |")
    chain = measured["chain"]
    first, again = f"{chain['first_question']:.3f}", f"{chain['next']:.3f}"
    told = f"A chain of {chain['axioms']:,} uncertain axioms takes {first} s of CPU, asked again {again} s"
    return "\n".join([*lines, "", f"{told}; {machine_and_load(measured)}."])


QUERY_SIDES = {
    "moose_cold": "`moose.query`",
    "moose_warm": "Moose, prepared",
    "problog_cold": "ProbLog, a process",
    "problog_warm": "ProbLog, from the text on",
}


def learning_sentences(measured: Measured) -> str:
    """Say what learning takes beside ProbLog's LFI, and that both find the same."""
    settings, seconds = measured["settings"], measured["cpu_seconds"]
    network = f"a network of {settings['causes']} causes and {settings['effects']} effects"
    effort = (
        f"{settings['cases']} cases and {settings['rounds']} rounds of expectation maximisation from the same start"
    )
    same = "the same" if measured["are_equal"] else "not the same"
    version, often = measured["versions"]["problog"], measured["times_faster"]
    return " ".join(
        [
            f"On {network} with {measured['parameters']} probabilities, {effort}, both have {same} log-likelihood,",
            f"{measured['log_likelihood']:.4f}, which is also that of the sum over all worlds; their probabilities",
            f"differ by {measured['largest_difference']:.0e} at most. Moose takes {seconds['moose']:.2f} s of the",
            f"processor, ProbLog {version} {seconds['problog']:.2f} s, {often:.0f} times as much;",
            f"{machine_and_load(measured)}.",
        ]
    )


QUERY_TABLES = {
    "queries": ("queries", queries_table),
    "query_limits": ("query_limits", query_limits_table),
    "learning_probabilities": ("learning_probabilities", learning_sentences),
}
