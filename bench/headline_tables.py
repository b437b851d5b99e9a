"""Tables of the benchmark at its standard scale, as `moose bench report` has them, from `results/standard`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from bench.run_tables import RESULTS
from moose.benchmark.report.assemble import make_report
from moose.benchmark.report.model.model import Report
from moose.benchmark.report.render.markdown import write_markdown
from moose.benchmark.store.store import Store

STORE = RESULTS / "standard"
CLAIM_LINE = "| {finding} | {text} | {evidence} |"


@cache
def standard() -> Report:
    """Return the report of the committed store."""
    return make_report(Store(STORE), "standard")


def table_of(key: str) -> str:
    """Return one of its tables, without its heading."""
    (found,) = (table for table in standard().tables if table.key == key)
    heading, _, text = write_markdown(found).partition("\n")
    assert heading.startswith("#")
    return text.strip()


def headline_run() -> str:
    """Say what was run."""
    return "\n".join(["| | |", "| --- | --- |", *(f"| {name} | {text} |" for name, text in standard().facts)])


def claims() -> str:
    """Return the paper's claims that were tested."""
    found = standard().claims
    tested = [claim for claim in found if claim.finding != "not tested"]
    lines = [CLAIM_LINE.format(finding=one.finding, text=one.text, evidence=one.evidence) for one in tested]
    rest = f"{len(found) - len(tested)} of {len(found)} claims were not tested."
    return "\n".join(["| finding | claim | figures |", "| --- | --- | --- |", *lines, "", rest])


KEYS = {
    "headline_accuracy": "headline-accuracy",
    "headline_ece": "headline-ece",
    "headline_columns": "columns",
    "closure_ablation": "ablation",
    "pairs_held_back": "inductive",
    "learning_rates": "sensitivity",
    "seeds_compared": "significance",
}
"""For each name in a document the table of the report."""
HEADLINE_TABLES: dict[str, Callable[[], str]] = {
    **{name: partial(table_of, key) for name, key in KEYS.items()},
    "headline_run": headline_run,
    "claims": claims,
}
"""For each name in a document what makes the table."""
