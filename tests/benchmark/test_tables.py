"""The tables of the report: what stands where, what is best, and why a column was not reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pytest

from moose.benchmark.plans.baselines import BASELINES
from moose.benchmark.plans.plans import read_plan
from moose.benchmark.report.model.model import Column, Line, Quantity, Table
from moose.benchmark.report.model.paper import read_paper
from moose.benchmark.report.model.quantities import Results, mark_best, paired, quantity
from moose.benchmark.report.model.titles import BASELINE_ROWS, title_of
from moose.benchmark.report.tables.all_metrics import family_table, full_table, view_table
from moose.benchmark.report.tables.circuits import circuit_table
from moose.benchmark.report.tables.headline import accuracy_table, atom_calibration_table, decision_calibration_table
from moose.benchmark.report.tables.own_plans import failure_table, missing_table, own_tables
from moose.benchmark.report.tables.paper_columns import column_table
from moose.benchmark.report.tables.regimes import NO_BOUND, accuracy_line, find_reach, shortcut_table
from moose.benchmark.report.tables.significance import can_compare, p_text, significance_table
from moose.benchmark.report.tables.varied_plans import ablation_table, inductive_table, sensitivity_table
from moose.benchmark.store.records import Listed, Record
from moose.benchmark.store.store import make_listing

PAPER = read_paper()
FEW_ROWS = replace(
    read_plan("headline"),
    rows=tuple(row for row in read_plan("headline").rows if row.name in ("moose", "ltn", "absent")),
)
REGIMES = ("mnist1", "mnist2", "mnist3", "pizzaA", "pizzaB", "pizzaC")

Scores = Mapping[str, float | None]
Find = Callable[[Listed], Scores]


def made(plan: str, find: Find, *, seeds: Sequence[int] = (0, 1), split: Find | None = None) -> Results:
    """Make results of a plan; `find` gives the metrics of a cell, `split` those of its split `held_out`."""
    listing = make_listing(read_plan(plan), "smoke", seeds)
    return Results(listing, tuple(record_of(cell, find(cell), (split or find)(cell)) for cell in listing.cells))


def record_of(cell: Listed, scores: Scores, held_out: Scores) -> Record:
    views = ("metrics", "metrics_without_evidence", "metrics_network")
    return {
        "cell": cell.cell,
        "regime": cell.regime,
        "data": cell.data,
        "method": cell.method,
        "seed": cell.seed,
        "varied": dict(cell.varied),
        **{view: {key: _less(value, 0.1 * place) for key, value in scores.items()} for place, view in enumerate(views)},
        "held_out_split": dict.fromkeys(views, held_out),
    }


def _less(value: float | None, by: float) -> float | None:
    return None if value is None else value - by


def all_of(value: float, **changed: float) -> Scores:
    names = ("acc_f", "acc_c", "acc_atom", "nll", "ece", "ece_atom", "rs_cons", "f1_macro")
    return dict.fromkeys(names, value) | changed


def line_of(table: Table, title: str, block: str = "") -> Line:
    (line,) = (one for one in table.lines if one.title == title and one.block == block)
    return line


def number(line: Line, place: int) -> Quantity:
    entry = line.entries[place]
    assert isinstance(entry, Quantity)
    return entry


# ----------------------------------------------------------------------------------------------------------- headline


def test_titles_know_every_baseline_and_every_row_of_the_headline() -> None:
    assert tuple(BASELINES) == BASELINE_ROWS
    rows = [row.name for row in read_plan("headline").rows]
    assert [row for row in rows if title_of(row) == row] == []


def test_the_headline_has_the_papers_layout_and_its_numbers() -> None:
    table = accuracy_table(made("headline", lambda _: all_of(0.5)), PAPER)
    assert [column.title for column in table.columns] == [
        "MNIST 1", "MNIST 2", "MNIST 3", "Pizzas A", "Pizzas B", "Pizzas C"
    ]  # fmt: skip
    assert [column.group for column in table.columns] == ["MNIST (data: digits)"] * 3 + ["Pizzas (data: pizzas)"] * 3
    assert table.shows == "tab:headline-acc"
    moose = line_of(table, "Moose")
    assert [number(moose, place).paper for place in range(6)] == [0.481, 0.746, 0.961, 0.681, 0.845, 0.81]
    assert number(moose, 2).is_paper_best and not number(moose, 1).is_paper_best
    assert number(line_of(table, "Moose with cover"), 0).paper is None


def test_the_headline_takes_each_regimes_own_metric_and_split() -> None:
    scores = all_of(0.1, acc_f=0.2, acc_c=0.3, ece=0.4, ece_atom=0.5)
    held_out = all_of(0.1, acc_f=0.6, acc_c=0.7, ece=0.8, ece_atom=0.9)
    results = made("headline", lambda _: scores, split=lambda _: held_out)
    for table, wanted in (
        (accuracy_table(results, PAPER), [0.2, 0.2, 0.2, 0.7, 0.3, 0.3]),
        (atom_calibration_table(results, PAPER), [0.5, 0.5, 0.5, 0.9, 0.5, 0.5]),
        (decision_calibration_table(results), [0.4, 0.4, 0.4, 0.8, 0.4, 0.4]),
    ):
        assert [number(table.lines[0], place).mean for place in range(6)] == wanted
    assert not decision_calibration_table(results).has_paper


def test_baselines_and_what_is_expected_are_never_the_best() -> None:
    high = {"absent": 0.99, "moose": 0.7, "bears": 0.7}
    table = accuracy_table(made("headline", lambda cell: all_of(high.get(cell.method, 0.4))), PAPER)
    marked = [line.title for line in table.lines if number(line, 0).is_best]
    assert marked == ["Moose", "Moose + BEARS"]
    assert line_of(table, "All absent").is_reference
    expected = line_of(table, "Expected, no reading preferred")
    assert expected.is_reference and expected.entries[3] == NO_BOUND and number(expected, 0).mean == 0.6


def test_the_best_is_by_what_is_written_and_needs_a_choice() -> None:
    columns = (Column("a", is_higher_better=True), Column("b", is_higher_better=False), Column("c"))
    means = ((0.7004, 0.2, 0.1), (0.70, 0.1, 0.2), (0.6, None, 0.3))
    lines = [Line(str(place), tuple(map(Quantity, values))) for place, values in enumerate(means)]
    found = mark_best(lines, columns)
    assert [[number(line, place).is_best for line in found] for place in range(3)] == [
        [True, True, False], [False, True, False], [False, False, False]
    ]  # fmt: skip
    alone = mark_best(lines[:1], columns)
    assert not number(alone[0], 0).is_best


def test_blocks_have_a_best_each() -> None:
    columns = (Column("a", is_higher_better=True),)
    lines = [
        Line(str(value), (Quantity(value),), block) for block, value in (("x", 0.1), ("x", 0.2), ("y", 0.4), ("y", 0.3))
    ]
    assert [number(line, 0).is_best for line in mark_best(lines, columns)] == [False, True, True, False]


def test_a_quantity_counts_the_seeds_that_there_are() -> None:
    assert quantity([]) == Quantity(None)
    assert quantity({3: 0.5}) == Quantity(0.5, None, 1)
    assert paired({0: 0.5, 1: 0.7, 2: 0.9}, {1: 0.2, 3: 0.4}) == [0.49999999999999994]


# ------------------------------------------------------------------------------------------------------------ columns


def test_columns_say_who_is_as_good_and_why_not() -> None:
    def find(cell: Listed) -> Scores:
        if cell.method == "absent":
            return all_of(0.9)
        better = {"mnist1": 0.7, "mnist2": 0.765, "mnist3": 0.9, "pizzaA": 0.6, "pizzaB": 0.5, "pizzaC": 0.9}
        return all_of(better[cell.regime] if cell.method == "ensemble" else 0.1)

    table = column_table(made("headline", find), PAPER)
    lines = {line.title: line for line in table.lines if line.block == "Accuracy"}
    assert {title: line.entries[4] for title, line in lines.items()} == {
        "MNIST 1": "yes", "MNIST 2": "yes", "MNIST 3": "no", "Pizzas A": "no", "Pizzas B": "no", "Pizzas C": "yes"
    }  # fmt: skip
    assert lines["MNIST 1"].entries[1] == "Moose + BEARS" and lines["MNIST 1"].entries[3] == "Ensemble of five"
    why = {title: str(line.entries[5]) for title, line in lines.items()}
    assert (
        "60.0 %" in why["MNIST 1"]
        and "The baseline All absent, which looks at no image, has 90.0 % here." in why["MNIST 1"]
    )
    assert why["MNIST 3"].startswith("Not reached; 100.0 % can be expected from this evidence: it is training")
    assert "nothing says what can be expected" in why["Pizzas A"]
    assert why["Pizzas B"].startswith("Not reached. Who prefers no reading can expect 86.2 %")
    assert "the paper's 87.9 % is above that, and ours below." in why["Pizzas B"]
    assert why["Pizzas C"].startswith("More than the 62.5 %")
    assert "say nothing" in table.note  # at the smoke scale


@pytest.mark.parametrize("noise", [0.0, 1e-10, -1e-10])
def test_a_paper_that_is_above_what_can_be_expected_is_told_apart(noise: float) -> None:
    """Ours may be above it too, or just it: 86.25 is written 86.2, whatever the last bit is."""
    results = made("headline", lambda cell: all_of({"pizzaB": 0.8625, "pizzaC": 0.75}.get(cell.regime, 0.1) + noise))
    why = {line.title: str(line.entries[5]) for line in column_table(results, PAPER).lines if line.block == "Accuracy"}
    assert why["Pizzas B"] == (
        "Ours is what can be expected from this evidence, 86.2 %; the paper's 87.9 % is above that: luck, or a habit "
        "that happens to be right."
    )
    assert why["Pizzas C"] == (
        "Not reached. Who prefers no reading can expect 62.5 % from this evidence; what is above that, ours and the "
        "paper's, is a habit of the method that happens to suit the data, or luck."
    )


def test_less_is_better_in_the_columns_of_calibration() -> None:
    table = column_table(
        made("headline", lambda cell: all_of(0.5, ece_atom=0.03 if cell.method == "bears" else 0.2)), PAPER
    )
    lines = {line.title: line.entries for line in table.lines if line.block.startswith("Calibration")}
    assert lines["MNIST 1"][3:5] == ("Moose + BEARS", "yes")
    assert [entries[4] for entries in lines.values()] == ["yes", "yes", "no", "yes", "no", "yes"]


def test_a_column_that_was_not_run_says_so() -> None:
    results = made("headline", lambda _: all_of(0.5))
    some = replace(results, records=tuple(one for one in results.records if one["regime"] == "mnist1"))
    entries = line_of(column_table(some, PAPER), "MNIST 2", "Accuracy").entries
    assert entries[4:] == ("not run", "") and entries[2] == Quantity(None)


# ------------------------------------------------------------------------------------------------------- full, views


def test_the_full_table_takes_two_metrics_of_pizzas_that_training_shows() -> None:
    results = made("headline", lambda _: all_of(0.2), split=lambda _: all_of(0.8))
    line = line_of(full_table(results, PAPER), "Moose", "Pizzas A")
    assert [number(line, place).mean for place in range(6)] == [0.8, 0.8, 0.8, 0.8, 0.2, 0.2]
    ltn = line_of(full_table(results, PAPER), "LTN", "MNIST 1")
    assert number(ltn, 3).paper == 0.1, "the full table's, not the short one's"
    assert number(ltn, 2).unit == "number"


def test_the_family_of_pizzas_stands_beside_the_papers() -> None:
    table = family_table(made("headline", lambda _: all_of(0.5, acc_f=0.25)), PAPER)
    ltn = line_of(table, "LTN")
    assert (number(ltn, 0).mean, number(ltn, 0).paper) == (0.25, 0.495)
    assert (number(ltn, 1).mean, number(ltn, 1).paper) == (0.5, 0.832)


def test_the_three_views_are_kept_apart() -> None:
    line = line_of(view_table(made("headline", lambda _: all_of(0.5))), "Moose", "MNIST 1")
    assert [round(number(line, place).mean or 0, 3) for place in range(3)] == [0.5, 0.4, 0.3]


# -------------------------------------------------------------------------------------------------------------- plans


def test_the_ablation_is_the_change_over_shared_seeds() -> None:
    def find(cell: Listed) -> Scores:
        return all_of((0.3 if cell.method.endswith("-open") else 0.7) + 0.1 * cell.seed)

    results = made("ablation", find)
    only = tuple(one for one in results.records if not (one["method"] == "moose-open" and one["seed"] == 0))
    line = line_of(ablation_table(replace(results, records=only), PAPER), "Moose", "MNIST 2")
    assert number(line, 2).count == 1 and number(line, 2).mean == pytest.approx(-0.4)
    assert number(line, 2).paper == pytest.approx(0.174 - 0.746)
    bears = line_of(ablation_table(results, PAPER), "Moose + BEARS, sigmoid head", "MNIST 3")
    assert number(bears, 1).paper is not None


def test_the_drop_is_what_held_back_pairs_cost() -> None:
    table = inductive_table(made("inductive", lambda _: all_of(0.9), split=lambda _: all_of(0.6)), PAPER)
    line = line_of(table, "Moose + NeSyDM (RLOO)", "MNIST 2")
    assert [number(line, place).mean for place in range(3)] == [0.6, 0.9, pytest.approx(0.3)]
    assert [number(line, place).paper for place in range(3)] == [0.135, 0.594, pytest.approx(0.459)]


def test_rates_go_down_and_the_spread_is_over_all_runs() -> None:
    def find(cell: Listed) -> Scores:
        return all_of(0.5 + 0.01 * cell.seed - (0.2 if cell.varied["learning_rate"] == 0.01 else 0.0))

    table = sensitivity_table(made("lr-sensitivity", find), PAPER)
    lines = [line for line in table.lines if line.block == "Moose"]
    assert [line.title for line in lines[:-1]] == ["0.0001", "0.0003", "0.001", "0.003", "0.01"]
    assert number(lines[-1], 0).mean == pytest.approx(0.21)
    assert number(lines[-1], 0).paper == 0.1 and lines[-1].is_reference
    assert number(lines[2], 1).paper == 0.943
    others = [line for line in table.lines if line.block == "Moose, given the theory"]
    assert len(others) == len(lines) and all(number(line, 0).paper is None for line in others)


def test_significance_judges_within_a_regime_and_without_baselines() -> None:
    def find(cell: Listed) -> Scores:
        return all_of({"moose": 0.8, "absent": 0.1}.get(cell.method, 0.5) + 0.01 * cell.seed * (cell.method == "moose"))

    results = made("significance", find, seeds=range(6))
    table = significance_table(results, PAPER)
    line = line_of(table, "LTN", "MNIST 2")
    assert number(line, 3).mean == pytest.approx(0.325) and number(line, 3).paper == 0.595
    assert line.entries[5] == "0.031" and line.entries[6] == "0.125", "four comparisons in a regime"
    assert line.entries[10] == "ns" and line.entries[12] == "win"
    headline = made("headline", find, seeds=range(6))
    assert "All absent" not in {line.title for line in significance_table(headline, PAPER).lines}
    assert not can_compare(made("significance", find, seeds=[0]))


def test_a_row_with_one_shared_seed_does_not_count_in_the_correction() -> None:
    results = made("significance", lambda cell: all_of(0.9 if cell.method == "moose" else 0.5), seeds=range(6))
    few = tuple(one for one in results.records if one["method"] != "ltn" or one["seed"] == 0)
    line = line_of(significance_table(replace(results, records=few), PAPER), "DeepProbLog", "MNIST 2")
    assert line.entries[6] == "0.094", "three comparisons, not four"


def test_circuits_stand_beside_the_papers() -> None:
    listing = make_listing(read_plan("circuits"), "smoke", [0])
    sizes = {"atoms": 14, "clauses": 40, "size": 90, "nodes": 30, "models": "1" * 80, "seconds": {"middle": 0.0201}}
    ways = {"encoding": "full", "vtree": "structure"}
    records = [
        {"cell": one.cell, "regime": one.regime, "method": one.method, "configuration": ways, "circuit": sizes}
        for one in listing.cells
    ]
    line = line_of(circuit_table(Results(listing, tuple(records)), PAPER), "MNIST 1", "Moose's own way")
    assert [(number(line, place).mean, number(line, place).paper) for place in range(4)] == [
        (14, 14), (40, 117), (30, None), (90, 155)
    ]  # fmt: skip
    assert line.entries[4] == "about 1.1e79" and line.entries[6] == "0.18–0.24"


def test_an_own_plan_has_a_line_for_each_thing_varied() -> None:
    rates = read_plan("lr-sensitivity")
    plan = replace(rates, name="my rates", regimes=("mnist1",), rows=rates.rows[:1], vary={"epochs": (1, 2)})
    listing = make_listing(plan, "smoke", [0])
    records = tuple(record_of(one, all_of(0.1 * one.varied["epochs"]), {}) for one in listing.cells)  # type: ignore[operator]
    accuracy, calibration = own_tables(Results(listing, records), "own-mine")
    assert [line.title for line in accuracy.lines] == ["Moose, epochs 1", "Moose, epochs 2"]
    assert [table.key for table in (accuracy, calibration)] == ["own-mine-accuracy", "own-mine-ece"]
    assert "Accuracy of the family's likeliest member on MNIST." in accuracy.note and "pizza" not in accuracy.note
    assert "calibration error of the likeliest member" in calibration.note


def test_the_best_of_an_own_plan_is_among_what_is_varied_alike() -> None:
    plan = replace(FEW_ROWS, name="mine", regimes=("pizzaA",), vary={"epochs": (1, 2)})
    listing = make_listing(plan, "smoke", [0])
    shares = {"moose": 0.1, "ltn": 0.2, "absent": 0.9}

    def scored(cell: Listed) -> Scores:
        return all_of(shares[cell.method] + 0.4 * (cell.varied["epochs"] == 2))

    records = tuple(record_of(one, scored(one), scored(one)) for one in listing.cells)
    accuracy, calibration = own_tables(Results(listing, records), "own-mine")
    best = [[line.title for line in table.lines if number(line, 0).is_best] for table in (accuracy, calibration)]
    assert best == [["LTN, epochs 1", "LTN, epochs 2"], ["Moose, epochs 1", "Moose, epochs 2"]]
    assert {line.block for line in accuracy.lines} == {""}
    assert "of latent atoms on pizzas; on pizzas A of kinds of pizza that training never shows." in accuracy.note


def test_nothing_failed_and_nothing_missing_makes_no_table() -> None:
    results = made("inductive", lambda _: all_of(0.5))
    assert failure_table([results]) is None and missing_table([results]) is None
    record, rest = results.records[0], results.records[1:]
    error = {"kind": "MooseError", "message": "no such luck\nat all", "traceback": "…"}
    failed = failure_table([replace(results, records=rest, failures=({**record, "error": error},))])
    assert failed is not None and failed.lines[0].entries[-1] == "MooseError: no such luck"
    missing = missing_table([replace(results, records=rest)])
    assert missing is not None and missing.lines == (Line("Moose", ("MNIST 2", "0", "1"), "Plan inductive"),)


# ------------------------------------------------------------------------------------------------------------ regimes


def test_readings_and_what_is_expected_are_the_known_ones() -> None:
    maps = {regime: find_reach(regime).maps for regime in REGIMES}
    assert maps == {"mnist1": 729, "mnist2": 1, "mnist3": 1, "pizzaA": 1, "pizzaB": 27, "pizzaC": 16**3}
    expected = {regime: find_reach(regime).of_accuracy.accuracy for regime in REGIMES}
    assert expected == {"mnist1": 0.6, "mnist2": 1.0, "mnist3": 1.0, "pizzaA": 1.0, "pizzaB": 0.8625, "pizzaC": 0.625}
    assert find_reach("mnist1").of_atoms.committed_ece == pytest.approx(0.08)
    assert find_reach("pizzaB").of_decision.accuracy == 0.5 and find_reach("pizzaC").of_family is None
    assert find_reach("pizzaB").confused[:3] == ("Cajun", "Capricciosa", "FourSeasons")


def test_of_held_out_pizzas_nothing_is_expected() -> None:
    assert not find_reach("pizzaA").is_shown
    table = shortcut_table(REGIMES)
    assert line_of(table, "Pizzas A (pizzas shown)").entries[1] == "1" and "nothing here bounds" in table.note
    assert accuracy_line(["pizzaA"]).entries == (NO_BOUND,)


def test_p_values_are_written_as_far_as_they_matter() -> None:
    assert [p_text(p) for p in (1.0, 0.04999, 0.0044, 0.00004)] == ["1.000", "0.050", "0.0044", "< 0.0001"]
