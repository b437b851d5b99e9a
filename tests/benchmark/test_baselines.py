"""Rows of a plan that train nothing: they run like any other and know what they should."""

from __future__ import annotations

import numpy as np
import pytest

from moose.base.errors import MooseError
from moose.benchmark.plans.baselines import BASELINES, base_rate, commonest, find_baseline, true_rows
from moose.benchmark.store.records import Record
from moose.benchmark.store.store import Store
from moose.benchmark.sweep.run import run
from moose.datasets.open import open_dataset
from moose.training.evaluate_splits import VIEWS
from tests.benchmark.plan_texts import TINY, plan

ROWS = "".join(f'[[rows]]\nname = "{name}"\n' for name in BASELINES)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Record]:
    folder = tmp_path_factory.mktemp("baselines")
    store = Store(folder / "store")
    found = plan(folder, TINY.partition("[[rows]]")[0].replace('reference = "moose"', "") + ROWS)
    result = run(found, "tiny", store)
    assert not result.failed and len(result.finished) == len(BASELINES)
    return {record["method"]: record for record in store.results("few", "tiny")}


def test_every_baseline_has_a_record_of_the_usual_form(records: dict[str, Record]) -> None:
    assert tuple(records) == BASELINES
    for record in records.values():
        assert record["kind"] == "baseline" and record["instances"] == {"train": 48, "test": 16}
        assert set(record["details"]["test"]) == set(VIEWS)
        assert all(0 <= record[view]["acc_c"] <= 1 for view in VIEWS)
        assert set(record["configuration"]) == {"size", "count", "test_count", "closure", "inductive"}


def test_nothing_present_is_right_of_nine_digits_in_ten(records: dict[str, Record]) -> None:
    assert records["absent"]["metrics"]["acc_c"] == pytest.approx(0.9)
    assert records["absent"]["metrics_network"]["acc_atom"] == pytest.approx(0.9)


def test_the_theory_knows_more_with_evidence_than_without(records: dict[str, Record]) -> None:
    theory = records["theory"]
    assert theory["metrics"]["nll"] < theory["metrics_without_evidence"]["nll"]


def test_rates_and_the_commonest_are_counted_in_what_is_learnt_from() -> None:
    train = open_dataset("pizzas", regime="pizzaB", count=10, test_count=4, size=8, seed=1).train
    rows = true_rows(train) > 0
    assert base_rate(train) == pytest.approx([row.mean() for row in rows.T])
    kinds = {tuple(row): sum((other == row).all() for other in rows) for row in rows}
    most = commonest(train)
    assert kinds[tuple(most > 0.5)] == max(kinds.values())
    assert set(np.unique(most)) <= {0.0, 1.0}


def test_an_unknown_baseline_is_named() -> None:
    train = open_dataset("pizzas", regime="pizzaC", count=4, test_count=4, size=8).train
    with pytest.raises(MooseError, match="absent"):
        find_baseline("abset", train)
