"""The section of plans whose evidence is labels: tables, comparisons over sets and seeds, curves, the whole page."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from bench.hierarchy_tables import chosen
from bench.label_runs import hmc_run, hmc_settings
from moose.benchmark.plans.plans import read_plan
from moose.benchmark.report.assemble import own_section
from moose.benchmark.report.figures.curves import STANDALONE, find_curves, hidden_share_figures, standalone
from moose.benchmark.report.figures.marks import SHAPES
from moose.benchmark.report.model.model import Figure, Quantity, Table
from moose.benchmark.report.model.paper import read_paper
from moose.benchmark.report.model.quantities import Results
from moose.benchmark.report.tables.label_plans import (
    METRICS,
    MISSING,
    compare_over_sets,
    comparison_table,
    is_label_plan,
    label_tables,
    shown_of,
)
from moose.benchmark.store.records import Listed, Listing, Record

SHARES = (0, 50, 90)
SETS = ("enron", "diatoms")
ROWS = ("moose", "max-constraint")
SEEDS = (0, 1, 2)


def regime_of(name: str, share: int) -> str:
    return f"{name}-hidden{share}" if share else name


def record(name: str, share: int, row: str, seed: int) -> Record:
    """Make up a run: moose is one point above in every pair, by AU(PRC), and below by exact match in one."""
    base = 0.8 - share / 200 + 0.01 * seed + 0.05 * SETS.index(name)
    ahead = 0.01 if row == "moose" else 0.0
    behind = -2 * ahead if (name, seed) == ("enron", 0) else 0.0
    labels = {one.key: base + ahead for one in METRICS} | {"exact_match": base - 0.2 + ahead + behind}
    labels["world_match"] = base if row == "moose" else None  # type: ignore[assignment]
    return {
        "kind": "learning",
        "regime": regime_of(name, share),
        "method": row,
        "seed": seed,
        "varied": {},
        "metrics_labels": labels,
        "cpu_seconds": 10.0,
        "history": [{}] * (5 + seed),
    }


@pytest.mark.parametrize("row", ["moose-siblings", "moose-siblings-together"])
def test_runs_of_benches_have_the_options_of_their_rows(row: str) -> None:
    """A row's options were lost where they were those from before there was a choice."""
    assert hmc_run(row, "eisen_fun").make_method() == hmc_settings(row, "eisen_fun").method


def results(rows: tuple[str, ...] = ROWS) -> Results:
    regimes = tuple(regime_of(name, share) for share in SHARES for name in SETS)
    records = [record(name, share, row, seed) for name in SETS for share in SHARES for row in rows for seed in SEEDS]
    cells = tuple(
        Listed(str(number), one["method"], one["regime"], "hmc", one["seed"], {}) for number, one in enumerate(records)
    )
    listing = Listing("hmc", "few", "Sets", "learning", (), "moose", regimes, rows, (), SEEDS, False, "ours", cells)
    return Results(listing, tuple(records))


def table_of(key: str) -> Table:
    return next(table for table in label_tables(results(), "own") if table.key == f"own-{key}")


def test_each_metric_has_a_table_with_the_best_of_a_regime_marked() -> None:
    table = table_of("au-prc")
    line = next(line for line in table.lines if line.title == "diatoms-hidden50")
    first, second = line.entries
    assert isinstance(first, Quantity) and isinstance(second, Quantity)
    assert first.mean == pytest.approx(0.62) and second.mean == pytest.approx(0.61)
    assert (first.is_best, second.is_best, first.count) == (True, False, 3)
    assert [one.block for one in table.lines] == ["all labels"] * 2 + ["hidden50"] * 2 + ["hidden90"] * 2
    lower = table_of("ece").lines[0].entries
    assert [isinstance(one, Quantity) and one.is_best for one in lower] == [False, True]
    alone = table_of("world-match").lines[0].entries[1]
    assert isinstance(alone, Quantity) and alone.mean is None
    cost = table_of("cost").lines[0].entries
    assert [isinstance(one, Quantity) and one.mean for one in cost] == [10.0, 6.0, 10.0, 6.0]


def test_methods_are_compared_over_pairs_of_a_set_and_a_seed() -> None:
    judged = compare_over_sets(results(), METRICS[0], "hidden90")["max-constraint"]
    assert judged.comparison.pairs == 6 and judged.comparison.difference == pytest.approx(0.01)
    assert judged.comparison.wilcoxon_p == pytest.approx(2 / 2**6) and judged.verdict == "win"
    everything = compare_over_sets(results(), METRICS[0], MISSING)["max-constraint"]
    assert everything.comparison.pairs == 12
    exact = compare_over_sets(results(), METRICS[1], "hidden90")["max-constraint"]
    assert exact.verdict == "ns" and exact.comparison.difference == pytest.approx(0.01 - 0.02 / 6)
    table = comparison_table(results(), "key")
    assert [line.block for line in table.lines] == [
        f"{metric}, {shown}"
        for metric in ("AU(PRC)", "Exact match")
        for shown in ("all labels", "hidden50", "hidden90", MISSING)
    ]
    assert comparison_table(results(("moose",)), "key").lines == ()


def test_curves_go_over_the_shares_of_each_set() -> None:
    curves = {one.title.partition(":")[0]: one for one in find_curves(results(), METRICS[0])}
    assert list(curves) == ["enron", "diatoms"]
    assert curves["enron"].by_method["moose"] == pytest.approx({0: 82.0, 50: 57.0, 90: 37.0})
    figures = hidden_share_figures(results())
    assert len({figure.key for figure in figures}) == 4
    whole = fromstring(standalone(figures))
    assert whole.tag == "{http://www.w3.org/2000/svg}svg" and "enron" in whole.attrib["aria-label"]
    few = Results(results().listing, tuple(one for one in results().records if "hidden50" not in one["regime"]))
    assert hidden_share_figures(few) == ()


def test_the_report_takes_such_a_plan_for_what_it_is() -> None:
    assert is_label_plan(results())
    plain = [{key: value for key, value in one.items() if key != "metrics_labels"} for one in results().records]
    assert not is_label_plan(Results(results().listing, tuple(plain)))
    parts = own_section(results(), read_paper(), "own-hmc").parts
    assert {type(part) for part in parts} == {Table, Figure}
    assert len({part.key for part in parts}) == len(parts)


def test_a_name_says_what_is_shown() -> None:
    assert [shown_of(one) for one in ("enron", "enron-coarse2", "x-disjoint-hidden9")] == [
        *("all labels", "coarse2", "disjoint-hidden9")
    ]


def test_the_settings_have_the_epochs_and_weight_decay_that_the_search_has_found() -> None:
    import json

    root = Path(__file__).parents[2]
    record = json.loads((root / "bench" / "results" / "epochs.json").read_text("utf-8"))
    for name, methods in record["found"].items():
        for method in methods:
            best = chosen(record, name, method)
            training = hmc_settings(method, name).training
            assert (training.epochs, training.weight_decay) == (best["epochs"], best.get("weight_decay", 0.0))
            assert hmc_settings(method, f"{name}-hidden90").training.epochs == 100
        assert hmc_settings("moose-siblings", name).training == hmc_settings("moose", name).training


def test_plans_of_labels_can_be_read() -> None:
    root = Path(__file__).parents[2]
    for name in ("hmc", "genes"):
        assert read_plan(root / "bench" / "plans" / f"{name}.toml").reference == "moose"
    hmc, odds = (read_plan(root / "bench" / "plans" / f"{name}.toml") for name in ("hmc", "odds"))
    assert {*odds.regimes} <= {*hmc.regimes}
    all_labels = {one for one in hmc.regimes if shown_of(one) == "all labels" and not one.endswith("_go")}
    assert {one for one in odds.regimes if shown_of(one) == "all labels"} == all_labels


def test_every_method_has_a_colour_on_the_page_and_outside_of_it() -> None:
    page = files("moose.benchmark.report.render").joinpath("page.css").read_text("utf-8")
    for number in range(len(SHAPES)):
        assert f".m{number}{{color:" in STANDALONE
        assert f".m{number} {{" in page
        assert page.count(f"--m{number}: #") == 3  # by day, by night, printed
